"""Several parsers' trees for the same sentences become one: votes on labelled arcs, decoded under rules.

With one parser, that is the nearest tree that obeys. If its best tree breaks no rule, a check is all it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wnparse.combination.votes import Ballot, Weights
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.decode import decode
from wnparse.errors import TreebankError
from wnparse.rules import Rules
from wnparse.rules.patterns import Rule
from wnparse.rules.violations import RuleCounter, RuleOccasions
from wnparse.treebanks.parallel import Treebank, rows
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import structure

LONGEST_RULED = 300  # words: the scores of labelled arcs take 40 MB then
MAX_NODES = 1000  # votes are alike so often that a proof may take long, and says little


@dataclass(frozen=True)
class Combined:
    """A sentence with the tree that won.

    Attributes
    ----------
    sentence : Sentence
        As the first system has it, but for heads and relations.
    broken : list of str
        The hard rules that its tree breaks all the same: no tree obeys them, or it is too long to look for one.
    certified : bool
        Whether the tree is proved to have the most votes.
    relations : sequence of str
        The relations of all systems; no tree gets others.
    """

    sentence: Sentence
    broken: list[str]
    certified: bool
    relations: Sequence[str] = ()


def combine(
    systems: Sequence[Treebank],
    weights: Weights | Sequence[float] | None = None,
    *,
    names: Sequence[str] = (),
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool | None = None,
    rules: Rules | None = None,
    confidence: bool = False,
    skip: Callable[[TreebankError], object] | None = None,
) -> Iterator[Combined]:
    """Combine the trees of several parsers for the same sentences.

    Parameters
    ----------
    systems : sequence of iterables of Sentence or conllu.TokenList
        Trees over the same words in the same order. They are read to their ends first: what labels are usual is
        told by all of them.
    weights : Weights or sequence of float, optional
        What votes are worth (`wnparse.combination.votes.learn_weights`), one number for each system; 1 each
        without it. Ties go by the order of the systems.
    names : sequence of str
        What messages call the systems where they have no sentence to name.
    block_degree, well_nested : int, bool
        As of `wnparse.Constraints`.
    single_root : bool, optional
        None asks for a single root where all systems have one.
    rules : Rules, optional
        What trees must obey, or pay for.
    confidence : bool
        Whether votes count by the probability that MISC gives a head (``HeadProb=0.97``).
    skip : callable, optional
        Called with the error of a `wnparse.treebanks.sentence.BadSentence` of any input; it is then left out of
        all of them.

    Raises
    ------
    TreebankError
        At the first word or sentence that differs, with both places; at a word without head.
    ValueError
        If the weights are not one positive number for each system.
    """
    if not systems:
        raise ValueError("no system to combine; expected at least one")
    votes = _as_weights(weights, len(systems))
    default = [f"system {number}" for number in range(1, len(systems) + 1)]
    read = [list(row) for row in rows(systems, names or default, skip)]
    ballot = Ballot(read, votes, confidence=confidence)
    shape = partial(Constraints, block_degree, well_nested)
    counter = RuleCounter(rules) if rules else None
    for row in read:
        single = single_root
        if single is None:
            single = all(structure(sentence.heads).roots == 1 for sentence in row)
        yield _combine(row, ballot, shape(single), counter)


def _as_weights(weights: Weights | Sequence[float] | None, count: int) -> Weights:
    """Weights of so many systems; ValueError if they are not."""
    if isinstance(weights, Weights):
        found = weights
    else:
        found = Weights(tuple(float(weight) for weight in weights or [1.0] * count), {})
    if len(found.overall) != count or not all(0 < weight < np.inf for weight in found.overall):
        told = ", ".join(f"{weight:g}" for weight in found.overall)
        raise ValueError(f"the weights are {told}; expected {count} positive numbers, one for each system")
    return found


def _broken(rules: Iterable[Rule], found: Sequence[RuleOccasions], *, soft: bool) -> list[str]:
    """The rules that a tree breaks; those that are soft if that matters."""
    return [rule.name for rule, each in zip(rules, found, strict=True) if each.violations and (soft or rule.hard)]


def _combine(
    row: Sequence[Sentence], ballot: Ballot, constraints: Constraints, counter: RuleCounter | None
) -> Combined:
    sentence, scores = row[0], ballot.count(row)
    solution = decode(scores.max(axis=2), constraints=constraints)
    heads = solution.heads.tolist()
    numbers = scores[np.arange(len(heads)), heads].argmax(axis=1).tolist()
    labels = ["", *(ballot.labels[number] for number in numbers[1:])]
    broken: list[str] = []
    if counter and _broken(counter.rules, counter.look(sentence, heads, labels), soft=True):
        if len(sentence) <= LONGEST_RULED:
            solution = decode(
                np.zeros(scores.shape[:2]),
                constraints=constraints,
                labels=(ballot.labels, scores),
                rules=counter.rules,
                sentence=sentence,
                max_nodes=MAX_NODES,
            )
            heads, labels = solution.heads.tolist(), list(solution.labels or labels)
        broken = _broken(counter.rules, counter.look(sentence, heads, labels), soft=False)
    written = [label or "_" for label in labels]  # a file may have an empty column
    return Combined(sentence.with_tree(heads, written), broken, solution.certified, ballot.labels)
