"""Types of arrays, and conversion of tensors of torch and similar libraries to arrays.

None of these libraries is imported. Scores are only read, so that a tensor's graph and device do not matter.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]


class SupportsArray(Protocol):
    """What NumPy can read: arrays, and tensors of torch, jax and other libraries."""

    def __array__(self) -> Any:
        """Return a NumPy array."""


class SupportsDLPack(Protocol):
    """What the protocol of DLPack can read."""

    def __dlpack__(self) -> Any:
        """Return a capsule."""


Array = npt.ArrayLike | SupportsArray | SupportsDLPack


def as_array(values: Any) -> Any:
    """Take a tensor off its graph and device, in a dtype that NumPy has; other values are returned as they are.

    Raises
    ------
    ValueError
        If the tensor cannot be converted, or is a masked array.
    """
    if type(values) is np.ndarray:
        return values
    _refuse_mask(values)
    if not hasattr(values, "dtype") and not hasattr(values, "__dlpack__"):
        return values
    try:
        tensor = values.detach() if hasattr(values, "detach") else values
        tensor = tensor.cpu() if hasattr(tensor, "cpu") else tensor
        if not hasattr(tensor, "__array__") and hasattr(tensor, "__dlpack__"):
            tensor = np.from_dlpack(tensor)
        if not _has_numpy(tensor.dtype):  # bfloat16, for example, which float32 represents exactly
            tensor = tensor.float() if hasattr(tensor, "float") else tensor.astype(np.float32)
        return np.asarray(tensor)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"{type(values).__name__} cannot be read as an array ({reason}); expected a NumPy array"
        ) from error


def as_arrays(batch: Any) -> Any:
    """Convert a padded batch, or each matrix of a sequence, as `as_array` does."""
    if type(batch) is np.ndarray or hasattr(batch, "dtype") or hasattr(batch, "__dlpack__"):
        return as_array(batch)
    if isinstance(batch, (list, tuple)) and set(map(type, batch)) != {np.ndarray}:
        return [as_array(matrix) for matrix in batch]
    return batch


def _refuse_mask(values: Any) -> None:
    """Raise ValueError for a masked array, or a list of masked rows: NumPy would drop the mask silently."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
        raise ValueError(
            "the mask of a masked array would be lost; expected a filled array: scores.filled(-numpy.inf)"
        )


def _has_numpy(dtype: Any) -> bool:
    """Return whether a dtype is one of NumPy itself; those of its extensions have kind V."""
    try:
        return np.dtype(str(dtype).rpartition(".")[2]).kind != "V"  # torch writes torch.float32
    except TypeError:
        return False
