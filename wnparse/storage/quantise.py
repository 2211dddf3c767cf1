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
FILLING = 2.0  # features a bucket of four slots at most: a fuller table loses more of them
ROW_FILLING = 4.0  # features a bucket of eight slots at most

Weighted = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]
WeightedRows = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float64]]


def quantise(
    arcs: Weighted, rows: WeightedRows | None = None, count: int = 0, least: float = 0.0
) -> tuple[Arrays, float]:
    """Lay averaged weights of arcs, and of `count` labels if rows are given, out as tables: (tables, scale).

    Weights smaller than `least`, and those that round to 0, are left out: most features were updated once or so,
    say next to nothing, and would only make the tables too large for the nearer caches.
    """
    largest = max(float(np.abs(part[-1]).max(initial=0.0)) for part in (arcs, rows) if part is not None)
    scale = max(largest / LARGEST, SMALLEST_SCALE)

    def round_off(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
        return np.where(np.abs(weights) < least, 0, np.rint(weights / scale)).astype(np.int32)

    keys, weights = arcs
    numbers = round_off(weights)
    tables: Arrays = {"slots": freeze(keys, numbers, _bits(np.count_nonzero(numbers) / FILLING))}
    if rows is not None:
        keys, begin, labels, weights = rows
        tables |= _lay_out(keys, begin, labels, round_off(weights), count)
    return tables, scale


def quantise_rows(rows: WeightedRows, count: int, least: float) -> tuple[Arrays, float]:
    """The same of rows alone, with `count` labels."""
    keys, begin, labels, weights = rows
    scale = max(float(np.abs(weights).max(initial=0.0)) / LARGEST, SMALLEST_SCALE)
    numbers = np.where(np.abs(weights) < least, 0, np.rint(weights / scale)).astype(np.int32)
    return _lay_out(keys, begin, labels, numbers, count), scale


def _lay_out(
    keys: npt.NDArray[np.uint64],
    begin: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.int32],
    count: int,
) -> Arrays:
    """The tables of rows, without weights that are 0."""
    counts = np.concatenate([[0], np.cumsum(numbers != 0)])
    kept = np.count_nonzero(counts[begin[1:]] - counts[begin[:-1]])
    tables = freeze_rows(keys, begin, labels, numbers, _bits(kept / ROW_FILLING), count)
    return dict(zip(("fingerprints", "places", "rows"), tables, strict=True))


def _bits(size: float) -> int:
    """Of the number of the last place in a table of at least that size."""
    return max(2, math.ceil(math.log2(max(size, 1))))
