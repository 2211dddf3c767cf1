"""A problem with its scores scaled for the solver: relative to the best score of each word, in a suitable unit.

The tolerances of a solver are absolute (1e-9 here), so that it cannot distinguish scores of 1e-8. Neither a
constant per word nor a unit changes the order of trees: scores, parts and penalties are divided by the power of
two next to what trees differ by.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from wnparse.decoding.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem


class Normalised:
    """A problem with scaled scores; attributes are those of `wnparse._core.external.Problem`.

    Attributes
    ----------
    unit, offset : float
        A tree with the value v here scores offset + unit v.

    `first` is a tree, valid or not: its distance from the best head of each word shows what trees differ by.
    """

    def __init__(self, problem: Problem, first: IntArray) -> None:
        self.words = problem.words
        self.block_degree, self.well_nested = problem.block_degree, problem.well_nested
        self.single_root = problem.single_root
        self.max_nodes, self.broken_nodes = problem.max_nodes, problem.broken_nodes
        self.time_limit, self.known = problem.time_limit, problem.known
        self.rules, self.bits = problem.rules, problem.bits
        arcs = _arc_scores(problem)
        best = np.zeros(self.words + 1)
        best[1:] = arcs[1:].max(axis=1)
        self.offset = float(best.sum())
        self._rounding = 2.0**-50 * float(np.abs(best).sum())  # of sums of scores
        self.unit = _unit_of(problem, best[:, None] - arcs, first)
        self.scores = (problem.scores - best[:, None]) / self.unit
        self.parts = problem.parts and tuple((rows, scores / self.unit) for rows, scores in problem.parts)
        self.choices: tuple[IntArray, FloatArray] | None = None
        if problem.choices is not None:
            rows, scores = problem.choices
            self.choices = rows, (scores - best[rows[:, 1]]) / self.unit

    def restore(self, answer: Answer | None) -> Answer | None:
        """Return an answer with the scores of the original problem."""
        if answer is None:
            return None
        heads, choices, bound, tolerance, iterations, nodes = answer
        tolerance = self.unit * tolerance + self._rounding
        return heads, choices, self.offset + self.unit * bound, tolerance, iterations, nodes


def _arc_scores(problem: Problem) -> FloatArray:
    """Return the best score of each arc, whatever hard rules its label breaks."""
    if problem.choices is None:
        return problem.scores
    rows, scores = problem.choices
    best = np.full_like(problem.scores, -np.inf)
    np.maximum.at(best, (rows[:, 1], rows[:, 0]), scores)
    return best


def _unit_of(problem: Problem, below: FloatArray, first: IntArray) -> float:
    """Return the power of two next to what trees differ by; `below`: scores below the best arc of each word."""
    sizes = [float(below[np.arange(1, problem.words + 1), first[1:]].sum())]
    if problem.parts is not None:
        sizes += [float(scores.max(initial=0.0)) for _, scores in problem.parts]
    if problem.choices is not None or not any(sizes):
        sizes.append(_usual_difference(problem, below))
    size = max(sizes)
    return 2.0 ** math.frexp(size)[1] if 0.0 < size < math.inf else 1.0


def _usual_difference(problem: Problem, below: FloatArray) -> float:
    """Return the median of what arcs, or labelled arcs, score below the best one of their word."""
    others = below[1:]
    if problem.choices is not None:
        rows, scores = problem.choices
        arcs = rows[:, 1], rows[:, 0]
        others = below[arcs] + (_arc_scores(problem)[arcs] - scores)
    others = others[(others > 0.0) & (others < np.inf)]
    return float(np.median(others)) if others.size else 0.0
