"""Tensors of other libraries as arrays: torch and its kin, which are asked for nothing but what they have anyway.

None of them is imported. Scores are read, never written, so that a tensor's graph and device do not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def as_array(values: Any) -> Any:
    """Take a tensor off its graph and device, in a dtype that NumPy has; what is no tensor stays as it is.

    ValueError, in one line, if that cannot be done.
    """
    if type(values) is np.ndarray:
        return values
    _refuse_mask(values)
    if not hasattr(values, "dtype"):
        return values
    try:
        tensor = values.detach() if hasattr(values, "detach") else values
        tensor = tensor.cpu() if hasattr(tensor, "cpu") else tensor
        if not _has_numpy(tensor.dtype):  # bfloat16, for example: float32 loses nothing of it
            tensor = tensor.float() if hasattr(tensor, "float") else tensor.astype(np.float32)
        return np.asarray(tensor)
    except (TypeError, ValueError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"{type(values).__name__} cannot be read as an array ({reason}); give a NumPy array"
        ) from error


def as_arrays(batch: Any) -> Any:
    """Do the same with a padded batch, or with each matrix of a sequence."""
    if type(batch) is np.ndarray or hasattr(batch, "dtype"):
        return as_array(batch)
    if isinstance(batch, (list, tuple)) and set(map(type, batch)) != {np.ndarray}:
        return [as_array(each) for each in batch]
    return batch


def _refuse_mask(values: Any) -> None:
    """Raise ValueError for a masked array, or a list of masked rows: NumPy would drop the mask silently."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
        raise ValueError(
            "a masked array would be used without its mask; fill it first, scores with -inf: "
            "scores.filled(-numpy.inf)"
        )


def _has_numpy(dtype: Any) -> bool:
    """Whether NumPy has a dtype itself; extensions of it are of kind V."""
    try:
        return np.dtype(str(dtype).rpartition(".")[2]).kind != "V"  # torch says torch.float32
    except TypeError:
        return False
