"""Learned weights as the tables of a model: 16-bit integers in units of a scale (cext/scorer/weights)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from wnparse._core.freezing import freeze, freeze_rows
from wnparse.storage.tensors import Arrays

LARGEST = 32767
SMALLEST_SCALE = 1e-3
SCALES = 1e-12, 1e12  # that a model may have: sums of weights times one of these are finite in single precision
FILLING = 2.0  # features per bucket of four slots at most: a fuller table loses more of them
ROW_FILLING = 4.0  # features per bucket of eight slots at most

Weighted = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]
WeightedRows = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float64]]


def quantise(
    arcs: Weighted, rows: WeightedRows | None = None, count: int = 0, least: float = 0.0
) -> tuple[Arrays, float]:
    """Make tables of averaged weights of arcs, and of `count` labels if rows are given: (tables, scale).

    Weights smaller than `least`, and those that round to 0, are left out: most features were updated about once,
    have little effect, and would only make the tables too large for the nearer caches.
    """
    keys, weights = arcs
    scale = max(_scale(weights), _scale(rows[-1]) if rows is not None else 0.0)
    numbers = _round_off(weights, scale, least)
    tables: Arrays = {"slots": freeze(keys, numbers, _bits(np.count_nonzero(numbers) / FILLING))}
    if rows is not None:
        tables |= _freeze_rows(rows, count, scale, least)
    return tables, scale


def quantise_rows(rows: WeightedRows, count: int, least: float) -> tuple[Arrays, float]:
    """Make tables of averaged weights of `count` labels; see `quantise`."""
    scale = _scale(rows[-1])
    return _freeze_rows(rows, count, scale, least), scale


def _scale(weights: npt.NDArray[np.float64]) -> float:
    return max(float(np.abs(weights).max(initial=0.0)) / LARGEST, SMALLEST_SCALE)


def _round_off(weights: npt.NDArray[np.float64], scale: float, least: float) -> npt.NDArray[np.int32]:
    return np.where(np.abs(weights) < least, 0, np.rint(weights / scale)).astype(np.int32)


def _freeze_rows(rows: WeightedRows, count: int, scale: float, least: float) -> Arrays:
    """Make the tables of rows, without weights that are 0."""
    keys, begin, labels, weights = rows
    numbers = _round_off(weights, scale, least)
    counts = np.concatenate([[0], np.cumsum(numbers != 0)])
    nonzero_rows = np.count_nonzero(counts[begin[1:]] - counts[begin[:-1]])
    tables = freeze_rows(keys, begin, labels, numbers, _bits(nonzero_rows / ROW_FILLING), count)
    return dict(zip(("fingerprints", "places", "rows"), tables, strict=True))


def _bits(size: float) -> int:
    """Return the bits needed to index a table of at least `size` entries."""
    return max(2, math.ceil(math.log2(max(size, 1))))
