"""Decoding with labels: scores of arcs and labels in, a labelled tree that keeps rules out, for any scorer.

The score of a labelled arc is that of the arc and that of its label. Without rules each arc of the best tree has
its best label; rules tell which labelled arcs go together (``docs/rules.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution
from wnparse._core.rules import solve
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.decoding.arrays import as_array
from wnparse.decoding.solution import Ranking
from wnparse.rules import Rules
from wnparse.rules.program import compile_rules

if TYPE_CHECKING:
    from wnparse._core.rules import Tree
    from wnparse.decoding.parts import Rows
    from wnparse.treebanks.sentence import Sentence

Labels = tuple[Sequence[str], Any]


def solve_labelled(
    scores: npt.ArrayLike,
    labels: Labels,
    rules: Rules | None,
    sentence: Sentence | None,
    settings: Settings,
    watcher: Watcher | None = None,
    parts: tuple[Rows, ...] | None = None,
    k: int | None = None,
) -> Ranking:
    """Find the best labelled tree that obeys the rules, or the k best; none if no tree satisfies the constraints.

    See `wnparse.decode` for the arguments; ValueError for what is wrong with them. The score is -inf where a limit
    came before the first tree.
    """
    names, label_scores = _check_labels(labels)
    matrix = np.ascontiguousarray(as_array(scores), np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(f"scores has the shape {matrix.shape}; (n + 1, n + 1) is needed")
    if label_scores.shape != (*matrix.shape, len(names)):
        shape = (*matrix.shape, len(names))
        raise ValueError(
            f"the scores of labels have the shape {label_scores.shape}; {shape} is needed, (n + 1, n + 1, L)"
        )
    _check_finite(matrix, "scores")
    _check_finite(label_scores, "the scores of labels")
    program = compile_rules(rules or Rules("none", ()), names)
    words = len(matrix) - 1
    if program.columns and sentence is None:
        raise ValueError(f"the rules read {', '.join(program.columns)}: a sentence is needed")
    if sentence is not None and len(sentence) != words:
        raise ValueError(f"the sentence has {len(sentence)} words, and the scores are of {words}")
    bits = program.predicates.bits(sentence, words)
    found, complete = solve(matrix, label_scores, program.core, bits, settings, watcher, parts, k)
    return Ranking((_named(tree, names) for tree in found), complete=complete)


def _named(tree: Tree, names: list[str]) -> Solution:
    """The solution that the core describes, with the names of its labels."""
    heads, labels, score, bound, certified, iterations, nodes, broken = tree
    named = ["", *(names[label] if label >= 0 else "_" for label in labels.tolist()[1:])]
    return Solution(heads, score, bound, certified, iterations, nodes, named, broken)


def _check_labels(labels: Labels) -> tuple[list[str], npt.NDArray[np.float64]]:
    try:
        names, values = labels
    except (TypeError, ValueError):
        raise ValueError(
            "labels: (names, scores) is needed, the names of L labels and an array (n + 1, n + 1, L)"
        ) from None
    told = list(names)
    if not told or not all(isinstance(name, str) and name for name in told) or len(set(told)) < len(told):
        raise ValueError("labels: the names must be distinct strings, one or more")
    return told, np.ascontiguousarray(as_array(values), np.float64)


def _check_finite(scores: npt.NDArray[np.float64], what: str) -> None:
    """Row 0 and the diagonal are ignored, whatever they hold."""
    wrong = np.isnan(scores) | (scores == np.inf)
    words = np.arange(len(scores))
    wrong[0] = False
    wrong[words, words] = False
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"{what}{list(place)} is {scores[place]}; finite scores are needed, -inf forbids an arc or label"
        )
