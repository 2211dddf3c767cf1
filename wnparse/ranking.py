"""The best trees of a sentence by a model's scores, with labels and how sure each head is: one sentence, one call.

Scores, decoding and marginals are calls of the core on one matrix. Where only the best tree is asked for and
nothing else, `wnparse.model.Model.parse_sentence` does the same without a matrix that Python sees.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse._core.tokens import Tokens
from wnparse.confidence import arc_chances, sums_projective
from wnparse.conllu import Sentence
from wnparse.constraints import Constraints
from wnparse.decoders import MAX_ITERATIONS, MAX_NODES
from wnparse.decoding import decode
from wnparse.encode import encode
from wnparse.errors import InfeasibleError
from wnparse.solution import Parse

if TYPE_CHECKING:
    from wnparse.model import Model

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Request:
    """What is asked of a sentence."""

    decoder: str
    constraints: Constraints
    k: int | None = None  # trees; None: the best one
    confidence: bool = False  # whether the chances of heads are asked for; the model must be calibrated
    prune: bool = True  # by the model's first pass, if it has one
    keep_heads: bool = False  # whether words with a head in the input keep it, and its relation
    max_iterations: int = MAX_ITERATIONS
    max_nodes: int = MAX_NODES


def rank_trees(model: Model, sentence: Sentence, request: Request) -> list[Parse]:
    """Find the best trees in falling score, as many as there are up to k; none if there is no such tree."""
    start = time.perf_counter()
    tokens = encode(sentence, model.columns)
    prune = request.prune and model.first_pass is not None
    scores, labels = model.scorer.scores(tokens, prune)
    if request.keep_heads:
        only_given(scores, sentence.heads)
    scored = time.perf_counter()
    limits = request.constraints
    try:
        found = decode(
            scores,
            request.decoder,
            k=request.k,
            block_degree=limits.block_degree,
            well_nested=limits.well_nested,
            single_root=limits.single_root,
            max_iterations=request.max_iterations,
            max_nodes=request.max_nodes,
        )
    except InfeasibleError:
        return []
    trees = found if isinstance(found, list) else [found]
    chances = None
    if request.confidence:
        assert model.calibration is not None
        chances = arc_chances(
            scores,
            model.calibration.temperature(prune),
            single_root=limits.single_root,
            projective=sums_projective(request.decoder, limits),
        )
    decoded = time.perf_counter()
    words = np.arange(len(sentence) + 1)
    parses = []
    for tree in trees:
        names = _names(model, tokens, labels[words, tree.heads], tree.heads)
        if request.keep_heads:
            names = _keep_relations(sentence, tree.heads, names)
        numbers = (tree.score, tree.upper_bound, tree.certified, tree.iterations, tree.nodes)
        seconds = (scored - start, decoded - scored, time.perf_counter() - decoded)
        sure = None if chances is None else chances[words, tree.heads]
        parses.append(Parse(tree.heads, names, *numbers, seconds, sure))
    return parses


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


def _keep_relations(sentence: Sentence, heads: Int32Array, names: list[str] | None) -> list[str]:
    """The relations of the input where its heads were kept."""
    names = names or ["_"] * len(heads)
    for word, relation in enumerate(sentence.column("deprel"), 1):
        if sentence.heads[word] == heads[word] and relation != "_":
            names[word] = relation
    return names
