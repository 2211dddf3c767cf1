"""Decoders that are written in Python: the functions that the core calls, and the checks of what they return.

The core passes a `Problem` (cext/modules/external.pyx) and scores the tree that is returned. A decoder takes
either the whole problem, or only its matrix and the constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import refuse_arcs_only
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

LIMITED: Answer = (None, None, np.inf, 0.0, 0, 0)


def decode_arcs(
    name: str, function: Callable[..., Solution | None], constraints: Constraints, problem: Problem
) -> Answer | None:
    """Call a decoder that supports only arcs, and convert its Solution for the core."""
    if problem.parts is not None or problem.choices is not None:
        refuse_arcs_only(name, "parts or rules")
    try:
        solution = function(
            problem.scores,
            constraints,
            max_iterations=problem.max_iterations,
            max_nodes=problem.max_nodes,
            time_limit=problem.time_limit,
        )
    except LimitError:
        return LIMITED
    if solution is None:
        return None
    heads = np.asarray(solution.heads)
    _check(name, _tree_error(heads, problem, constraints) or _score_error(solution, heads, problem.scores))
    # The decoder decides whether its Solution is proved.
    tolerance = solution.upper_bound - solution.score if solution.certified else 0.0
    heads = np.ascontiguousarray(heads, np.int32)
    return heads, None, solution.upper_bound, tolerance, solution.iterations, solution.nodes


def decode_whole(
    name: str, function: Callable[[Problem], Answer | None], constraints: Constraints, problem: Problem
) -> Answer | None:
    """Call a decoder that takes the whole problem."""
    try:
        answer = function(problem)
    except LimitError:
        return LIMITED
    if answer is not None and answer[0] is not None:
        _check(name, _tree_error(answer[0], problem, constraints))
    return answer


def _tree_error(heads: npt.NDArray[Any], problem: Problem, constraints: Constraints) -> str:
    """Describe heads that are not a valid tree; empty if they are."""
    try:
        valid = heads.shape == (problem.words + 1,) and constraints.allow(heads)
    except ValueError:
        valid = False
    if valid:
        return ""
    return f"heads {heads.tolist()}; expected one of the {constraints.describe()} over {problem.words} words"


def _score_error(solution: Solution, heads: npt.NDArray[Any], scores: npt.NDArray[np.float64]) -> str:
    """Describe a score or bound that is wrong; empty if both are right."""
    score = scores[np.arange(1, len(heads)), heads[1:]].sum()
    if not np.isclose(score, solution.score, 1e-9, 1e-9):
        return f"the score {solution.score}; expected {score}, the score of its tree"
    if solution.upper_bound < solution.score:
        return f"the upper bound {solution.upper_bound}; expected at least the score {solution.score}"
    return ""


def _check(name: str, error: str) -> None:
    if error:
        raise RuntimeError(f"decoder '{name}' violates the contract of decoders: it returned {error}")
