"""ONNX Runtime, on one thread: a sentence per call, so that its scores depend neither on others nor on --jobs."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

if TYPE_CHECKING:
    import onnxruntime

MISSING = "needs onnxruntime, which is not installed: pip install 'wnparse[onnx]'"


def is_installed() -> bool:
    """Return whether ONNX Runtime is installed; this does not import it."""
    return importlib.util.find_spec("onnxruntime") is not None


def open_session(model: bytes) -> onnxruntime.InferenceSession:
    """Make a session, which threads may share."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # only fatal errors: messages of wnparse are one line
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def run(session: onnxruntime.InferenceSession, **inputs: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Compute all outputs; MemoryError if a sentence is too long for the memory."""
    try:
        outputs: list[npt.NDArray[Any]] = session.run(None, inputs)
    except Exception as error:
        if "alloc" in str(error):
            raise MemoryError from None
        raise
    return outputs
