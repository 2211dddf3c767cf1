"""Matrices and tables of embeddings as 8-bit integers: how they are stored, checked and used in a graph.

A column of a matrix, and a row of a table, has a scale of its own. Integers are from -63 to 63: the sum of two
products with inputs of eight bits then fits into 16 bits, in which processors without VNNI add them up. So all
processors compute the same sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.neural.onnx_file import FLOAT_TYPE, Graph
from wnparse.storage.tensors import Arrays

LARGEST = 63

FloatArray = npt.NDArray[np.floating[Any]]
Shapes = Mapping[str, tuple[int, ...]]


def quantise_columns(name: str, matrix: FloatArray, bias: FloatArray | None = None) -> Arrays:
    """Return the arrays of a matrix, inputs by outputs, and of the bias of its outputs."""
    values, scales = _quantise(matrix.T)
    arrays: Arrays = {f"{name}/weights": np.ascontiguousarray(values.T).ravel(), f"{name}/scales": scales}
    return arrays if bias is None else arrays | {f"{name}/bias": np.asarray(bias, np.float32)}


def quantise_rows(name: str, table: FloatArray) -> Arrays:
    """Return the arrays of a table of embeddings."""
    values, scales = _quantise(table)
    return {f"{name}/weights": values.ravel(), f"{name}/scales": scales}


def _quantise(rows: FloatArray) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return 8-bit rows, and the scale of each row."""
    largest = np.abs(rows).max(axis=1, initial=0.0)
    scales = np.where(largest > 0, largest / LARGEST, 1.0).astype(np.float32)
    values = np.rint(rows / scales[:, None]).clip(-LARGEST, LARGEST)
    return values.astype(np.int8), scales


def specify(shapes: Shapes) -> dict[str, tuple[Any, int]]:
    """Return type and size of the arrays of matrices by name."""
    arrays: dict[str, tuple[Any, int]] = {}
    for name, (first, second) in shapes.items():
        arrays[f"{name}/weights"] = np.int8, first * second
        arrays[f"{name}/scales"] = np.float32, second
        if not name.endswith("/recurrent"):
            arrays[f"{name}/bias"] = np.float32, second
    return arrays


def add_dense(graph: Graph, arrays: Arrays, name: str, value: str, width: int) -> str:
    """Multiply a value [n, width] by a matrix and add its bias; the value is rounded to 8 bits, with one scale."""
    weights = graph.constant(arrays[f"{name}/weights"].reshape(width, -1))
    rounded, scale, zero = graph.add("DynamicQuantizeLinear", value, outputs=3)
    sums = graph.one("Cast", graph.one("MatMulInteger", rounded, weights, zero), to=FLOAT_TYPE)
    unit = graph.one("Mul", scale, graph.constant(arrays[f"{name}/scales"]))
    return graph.one("Add", graph.one("Mul", sums, unit), graph.constant(arrays[f"{name}/bias"]))


def add_rows(graph: Graph, arrays: Arrays, name: str, numbers: str, width: int) -> str:
    """Look up rows of a table of embeddings by their numbers [n]; return [n, width]."""
    rows = graph.one("Gather", graph.constant(arrays[f"{name}/weights"].reshape(-1, width)), numbers)
    scales = graph.one("Gather", graph.constant(arrays[f"{name}/scales"].reshape(-1, 1)), numbers)
    return graph.one("Mul", graph.one("Cast", rows, to=FLOAT_TYPE), scales)
