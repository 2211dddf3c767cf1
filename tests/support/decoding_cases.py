"""Test problems of decoders, the contract of each, and comparison of answers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import wnparse
from support import strategies
from support.strategies import FloatArray
from wnparse.decoding.registry import DECODERS

RANKING = [name for name, decoder in DECODERS.items() if decoder.ranks]
# Those of the core: they have limits of iterations, and variants.
SEARCHING = [name for name, decoder in DECODERS.items() if decoder.searches and decoder.code is not None]


@dataclass(frozen=True)
class Promise:
    """Guarantees of a decoder beyond the contract of all decoders."""

    exact: bool = False  # its trees are proved to be the best
    projective: bool = False  # its trees are the best projective ones, whatever is asked
    falls_back: bool = False  # its tree is the best of all or, where that is invalid, of the projective ones


# A decoder that is not in here fails the tests of the contract.
PROMISES = {
    "msa": Promise(exact=True),
    "eisner": Promise(projective=True),
    "msa-eisner": Promise(falls_back=True),
    "lr": Promise(),
    "bnb": Promise(exact=True),
    "ilp": Promise(exact=True),
}
CONSTRAINTS = [
    {"block_degree": degree, "well_nested": nested, "single_root": single}
    for degree, nested, single in product((1, 2, 3, None), (False, True), (False, True))
]
TIGHT: dict[str, Any] = {"block_degree": 2, "well_nested": True, "single_root": True}


def able(decoder: str, limits: dict[str, Any]) -> bool:
    """Return whether the decoder can enforce the constraints."""
    return DECODERS[decoder].structural or (limits["block_degree"] is None and not limits["well_nested"])


def honoured(decoder: str, limits: dict[str, Any]) -> dict[str, Any]:
    """Return the constraints without those that the decoder cannot enforce."""
    if DECODERS[decoder].structural:
        return limits
    return {name: value for name, value in limits.items() if name not in ("block_degree", "well_nested")}


def tight_limits(decoder: str) -> dict[str, Any]:
    """Return all constraints that the decoder can enforce."""
    return honoured(decoder, TIGHT)


def gaussian(n: int, seed: int = 0, dtype: type = np.float64) -> FloatArray:
    return strategies.gaussian(np.random.default_rng(seed), n).astype(dtype)


def matrices(family: str, n: int, dtype: type, count: int) -> list[FloatArray]:
    """Matrices of a family of `strategies.FAMILIES`, spoilt where they are ignored."""
    rng = np.random.default_rng([n, count, *family.encode()])
    made = [strategies.FAMILIES[family](rng, n) for _ in range(count)]
    return [strategies.spoil_ignored(scores.astype(dtype), rng) for scores in made]


def tolerance_of(scores: FloatArray) -> float:
    """Rounding in units of the spread of the scores, never of their magnitude."""
    n = len(scores) - 1
    used = scores[1:][~np.eye(n + 1, dtype=bool)[1:]]
    used = used[np.isfinite(used)].astype(np.float64)
    spread = np.ptp(used) if used.size else 0.0
    return float(n * spread * (4e-7 if scores.dtype == np.float32 else 1e-12))


def same(first: wnparse.Solution, second: wnparse.Solution) -> bool:
    return (
        first.heads.tolist() == second.heads.tolist()
        and first.score == second.score
        and first.upper_bound == second.upper_bound
        and first.certified == second.certified
        and first.iterations == second.iterations
        and first.nodes == second.nodes
        and first.labels == second.labels
        and first.broken == second.broken
    )
