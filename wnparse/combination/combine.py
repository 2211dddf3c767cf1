"""Combination of the trees of several parsers for the same sentences: votes on arcs, decoded under rules.

With one parser, the result is the nearest tree that satisfies the rules. If the tree with the most votes breaks no
rule, the rules are only checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wnparse.combination.votes import Ballot, Weights
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.decode import decode
from wnparse.errors import TreebankError
from wnparse.rules import Rules
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.inputs import Treebank
from wnparse.treebanks.parallel import read_parallel
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import structure

LONGEST_RULED = 300  # words: the scores of labelled arcs take 40 MB then
MAX_NODES = 1000  # so many votes are equal that a proof may take long, and is of little use


@dataclass(frozen=True)
class Combined:
    """A sentence with the tree that won.

    Attributes
    ----------
    sentence : Sentence
        That of the first system, with the heads and relations that won.
    broken : list of str
        The hard rules that its tree breaks, because no tree satisfies them or the sentence is too long to search.
    certified : bool
        Whether the tree provably has the most votes.
    relations : sequence of str
        The relations of all systems; trees have no others.
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
        Trees over the same words in the same order. All of them are read first, to count labels.
    weights : Weights or sequence of float, optional
        Weights of the votes (`wnparse.combination.votes.learn_weights`), one number per system; the default is 1.
        Ties go by the order of the systems.
    names : sequence of str
        Names of the systems for messages about inputs without sentences.
    block_degree, well_nested : int, bool
        As in `wnparse.Constraints`.
    single_root : bool, optional
        None requires a single root if all systems have one.
    rules : Rules, optional
        Rules that trees must satisfy, or that have a penalty.
    confidence : bool
        Whether to multiply votes by the probability of a head in MISC (``HeadProb=0.97``).
    skip : callable, optional
        Called with the error of a `wnparse.treebanks.sentence.BadSentence` of any input; it is then left out of
        all of them.

    Raises
    ------
    TreebankError
        At the first word or sentence that differs, with both places; at a word without head.
    ValueError
        If the weights are not one positive number per system.
    """
    if not systems:
        raise ValueError("no system to combine; expected at least one")
    if not isinstance(weights, Weights):
        weights = Weights(tuple(map(float, weights or [1.0] * len(systems))), {})
    if len(weights.overall) != len(systems) or not all(0 < weight < np.inf for weight in weights.overall):
        listed = ", ".join(f"{weight:g}" for weight in weights.overall)
        raise ValueError(
            f"the weights are {listed}; expected {len(systems)} positive numbers, one for each system"
        )
    default = [f"system {number}" for number in range(1, len(systems) + 1)]
    aligned = [list(row) for row in read_parallel(systems, names or default, skip)]
    ballot = Ballot(aligned, weights, confidence=confidence)
    counter = RuleCounter(rules) if rules else None
    for row in aligned:
        single = single_root
        if single is None:
            single = all(structure(sentence.heads).roots == 1 for sentence in row)
        yield _combine(row, ballot, Constraints(block_degree, well_nested, single), counter)


def _combine(
    row: Sequence[Sentence], ballot: Ballot, constraints: Constraints, counter: RuleCounter | None
) -> Combined:
    sentence, scores = row[0], ballot.count(row)
    solution = decode(scores.max(axis=2), constraints=constraints)
    heads = solution.heads.tolist()
    numbers = scores[np.arange(len(heads)), heads].argmax(axis=1).tolist()
    labels = ["", *(ballot.labels[number] for number in numbers[1:])]
    broken: list[str] = []
    if counter and any(occasions.violations for occasions in counter.look(sentence, heads, labels)):
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
        looked = zip(counter.rules, counter.look(sentence, heads, labels), strict=True)
        broken = [rule.name for rule, occasions in looked if rule.hard and occasions.violations]
    relations = [label or "_" for label in labels]  # a file may have an empty column
    return Combined(sentence.with_tree(heads, relations), broken, solution.certified, ballot.labels)
