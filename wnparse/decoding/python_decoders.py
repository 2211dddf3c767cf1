"""Decoders that are written in Python: what the core calls for one of them, and the contract that it is held to.

The core hands a `Problem` out (cext/modules/external.pyx) and scores what comes back. A decoder either takes it
whole, or knows arcs alone: a matrix and the constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution
from wnparse.decoding.constraints import Constraints
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

LIMITED: Answer = (None, None, np.inf, 0.0, 0, 0)


def decode_arcs(
    name: str, function: Callable[..., Solution | None], constraints: Constraints, problem: Problem
) -> Answer | None:
    """Have a decoder answer that knows arcs alone: its Solution as the core wants it."""
    if problem.parts is not None or problem.choices is not None:
        raise ValueError(f"decoder '{name}' is written in Python and knows arcs alone")
    try:
        found = function(
            problem.scores,
            constraints,
            max_iterations=problem.max_iterations,
            max_nodes=problem.max_nodes,
            time_limit=problem.time_limit,
        )
    except LimitError:
        return LIMITED
    if found is None:
        return None
    heads = np.asarray(found.heads)
    if wrong := _tree_flaw(heads, problem, constraints) or _number_flaw(found, heads, problem.scores):
        raise _broken_contract(name, wrong)
    # A Solution says by itself whether it is proved.
    tolerance = found.upper_bound - found.score if found.certified else 0.0
    told = np.ascontiguousarray(heads, np.int32)
    return told, None, found.upper_bound, tolerance, found.iterations, found.nodes


def decode_whole(
    name: str, function: Callable[[Problem], Answer | None], constraints: Constraints, problem: Problem
) -> Answer | None:
    """Have a decoder answer that takes the whole problem."""
    try:
        found = function(problem)
    except LimitError:
        return LIMITED
    if found is not None and found[0] is not None:
        wrong = _tree_flaw(found[0], problem, constraints)
        if wrong:
            raise _broken_contract(name, wrong)
    return found


def _tree_flaw(heads: npt.NDArray[Any], problem: Problem, constraints: Constraints) -> str:
    """Say why heads are no valid tree; nothing if they are."""
    try:
        valid = heads.shape == (problem.words + 1,) and constraints.allow(heads)
    except ValueError:
        valid = False
    if valid:
        return ""
    return f"heads {heads.tolist()}, which are none of {constraints.describe()} over {problem.words} words"


def _number_flaw(found: Solution, heads: npt.NDArray[Any], scores: npt.NDArray[np.float64]) -> str:
    score = scores[np.arange(1, len(heads)), heads[1:]].sum()
    if not np.isclose(score, found.score, 1e-9, 1e-9):
        return f"the score {found.score} for a tree of {score}"
    if found.upper_bound < found.score:
        return f"an upper bound of {found.upper_bound} below the score {found.score}"
    return ""


def _broken_contract(name: str, wrong: str) -> RuntimeError:
    return RuntimeError(f"decoder '{name}' broke the contract of decoders: it returned {wrong}")
