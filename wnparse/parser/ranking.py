"""The best trees of a sentence by a model's scores, with labels and how sure each head is: one sentence, one call.

Scores, decoding and marginals are calls of the core on one matrix. It is the step of
`wnparse.parser.parser.Parser` for rankings, confidence and given heads; where only the best tree is asked for, the
core does all of it without a matrix that Python sees. So it does for models of higher order, whose parts are many,
and under rules: these rank in one call, too.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.settings import Settings
from wnparse._core.tokens import Tokens
from wnparse._core.watching import Watcher
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.decode import run_decoder
from wnparse.decoding.solution import Ranking
from wnparse.errors import LimitError
from wnparse.parser.confidence import arc_chances, head_chances, sums_projective
from wnparse.parser.parses import Parse
from wnparse.parser.tokens import encode
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    from wnparse.parser.model import Model
    from wnparse.rules.program import RuleProgram

Int32Array = npt.NDArray[np.int32]

LIMITED = "a limit came before the first tree"


class Scored(NamedTuple):
    """A sentence with its scores."""

    sentence: Sentence
    tokens: Tokens
    scores: npt.NDArray[np.float32]  # (n + 1, n + 1)
    labels: Int32Array  # (n + 1, n + 1): the best of each arc, -1 if it was pruned
    prune: bool  # whether the model's first pass has dropped arcs
    seconds: float


def score_sentence(model: Model, sentence: Sentence, *, prune: bool) -> Scored:
    """Score the arcs of a sentence, those that the model's first pass leaves or all."""
    start = time.perf_counter()
    tokens = encode(sentence, model.columns)
    scores, labels = model.scorer.scores(tokens, prune)
    return Scored(sentence, tokens, scores, labels, prune, time.perf_counter() - start)


def rank_trees(
    model: Model,
    scored: Scored,
    decoder: str,
    constraints: Constraints,
    settings: Settings,
    watcher: Watcher,
    *,
    k: int | None,
    confidence: bool,
    keep_heads: bool,
) -> list[Parse]:
    """Find the best trees in falling score, as many as there are up to k; none if there is no such tree.

    Parameters
    ----------
    model, scored
        Whose scores, of what.
    decoder, constraints, settings, watcher
        How trees are searched for, see `wnparse.decoding.decode.run_decoder`; LimitError if a limit comes first.
    k : int or None
        How many trees; None: the best one.
    confidence : bool
        Whether the chances of heads are asked for; the model must be calibrated.
    keep_heads : bool
        Whether words with a head in the input keep it, and its relation.
    """
    start = time.perf_counter()
    sentence, scores = scored.sentence, scored.scores
    if keep_heads:
        scores = scores.copy()
        only_given(scores, sentence.heads)
    found = run_decoder(scores, decoder, constraints, settings, k, watcher)
    if not found:
        return []
    trees = found if isinstance(found, list) else [found]
    complete = not isinstance(found, Ranking) or found.complete
    chances = _chances(model, scores, decoder, constraints, scored.prune) if confidence else None
    decoded = time.perf_counter()
    words = np.arange(len(sentence) + 1)
    parses = []
    for tree in trees:
        names = _names(model, scored.tokens, scored.labels[words, tree.heads], tree.heads)
        if keep_heads:
            names = keep_relations(sentence, tree.heads, names)
        numbers = (tree.score, tree.upper_bound, tree.certified, tree.iterations, tree.nodes)
        seconds = (scored.seconds, decoded - start, time.perf_counter() - decoded)
        sure = None if chances is None else chances[words, tree.heads]
        parses.append(Parse(tree.heads, names, *numbers, seconds, chances=sure, complete=complete))
    return parses


def rank_in_core(
    model: Model,
    sentence: Sentence,
    decoder: str,
    constraints: Constraints,
    settings: Settings,
    watcher: Watcher,
    *,
    k: int | None,
    confidence: bool,
    prune: bool,
    keep_heads: bool,
    program: RuleProgram | None = None,
) -> list[Parse]:
    """The same by a model of higher order or under rules; LimitError if a limit comes first."""
    tokens = encode(sentence, model.columns)
    given = sentence.heads if keep_heads else None
    rules = (program.core, program.predicates.bits(sentence)) if program else ()
    found = model.scorer.rank(tokens, settings, k or 1, prune, watcher, given, *rules)
    if found is None:
        raise LimitError(LIMITED)
    trees, local, complete = found
    chances = None
    if confidence and local is not None:
        assert model.calibration is not None
        chances = head_chances(local, model.calibration.temperature(prune), model.calibration.rest)
    elif confidence:
        # Of all trees, whatever rules they keep.
        scores, _ = model.scorer.scores(tokens, prune)
        if keep_heads:
            only_given(scores, sentence.heads)
        chances = _chances(model, scores, decoder, constraints, prune)
    if chances is not None and keep_heads:
        chances[sentence.heads >= 0] = 1.0  # whatever is read of their rows is the head that was given
    words = np.arange(len(sentence) + 1)
    parses = []
    for tree in trees:
        heads, labels = tree[:2]
        names = _names(model, tokens, labels, heads)
        if keep_heads:
            names = keep_relations(sentence, heads, names)
        sure = None if chances is None else chances[words, heads]
        parses.append(Parse(heads, names, *tree[2:], chances=sure, complete=complete))
    return parses


def _chances(
    model: Model, scores: npt.NDArray[np.float32], decoder: str, constraints: Constraints, prune: bool
) -> npt.NDArray[np.float64]:
    """The probability of each arc by the scores of a calibrated model."""
    assert model.calibration is not None
    return arc_chances(
        scores,
        model.calibration.temperature(prune),
        single_root=constraints.single_root,
        projective=sums_projective(decoder, constraints),
    )


def only_given(scores: npt.NDArray[np.float32], heads: Int32Array) -> None:
    """Forbid, in each row whose word has a head in the input, every other; that one is allowed in any case."""
    words = np.flatnonzero(heads >= 0)
    given = scores[words, heads[words]]
    scores[words] = -np.inf
    scores[words, heads[words]] = np.where(np.isfinite(given), given, 0.0)


def _names(model: Model, tokens: Tokens, chosen: Int32Array, heads: Int32Array) -> list[str] | None:
    """The names of the labels that go with the heads of a tree; those of arcs that were pruned are found now."""
    if not model.labels:
        return None
    if (chosen[1:] < 0).any():
        chosen = model.scorer.label(tokens, heads)
    return [model.labels[label] if label >= 0 else "_" for label in chosen.tolist()]


def keep_relations(sentence: Sentence, heads: Int32Array, names: list[str] | None) -> list[str]:
    """The relations of the input where its heads were kept."""
    names = names or ["_"] * len(heads)
    for word, relation in enumerate(sentence.column("deprel"), 1):
        if sentence.heads[word] == heads[word] and relation != "_":
            names[word] = relation
    return names
