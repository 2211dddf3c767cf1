"""Graphs in the format of ONNX, written without the package of that name.

A graph is a message of Protocol Buffers: fields with a number and a type of encoding. Of the many fields of ONNX
(onnx.proto, IR version 8) a few are enough; `Graph` collects operators and constants in their order.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

IR_VERSION, OPSET, EXTENSIONS = 8, 17, ("com.microsoft", 1)
VARINT, BYTES, FIXED32 = 0, 2, 5  # encodings of fields
# Types of tensors, and of attributes.
ELEMENTS = {np.dtype(np.float32): 1, np.dtype(np.uint8): 2, np.dtype(np.int8): 3, np.dtype(np.int32): 6,
            np.dtype(np.int64): 7}  # fmt: skip
FLOAT, INT, STRING, INTS = 1, 2, 3, 7
FLOAT_TYPE = 1


def _varint(number: int) -> bytes:
    """Encode a number of 0 or more, or a negative one of 64 bits."""
    number &= (1 << 64) - 1
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _field(number: int, value: int | float | str | bytes) -> bytes:
    """Encode a field of a message."""
    if isinstance(value, int):
        return _varint(number << 3 | VARINT) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | FIXED32) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | BYTES) + _varint(len(content)) + content


def _tensor(name: str, array: npt.NDArray[Any]) -> bytes:
    content = b"".join(_field(1, size) for size in array.shape) + _field(2, ELEMENTS[array.dtype])
    return content + _field(8, name) + _field(9, np.ascontiguousarray(array).tobytes())


def _attribute(name: str, value: int | float | str | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return _field(1, name) + _field(3, value) + _field(20, INT)
    if isinstance(value, float):
        return _field(1, name) + _field(2, value) + _field(20, FLOAT)
    if isinstance(value, str):
        return _field(1, name) + _field(4, value) + _field(20, STRING)
    return _field(1, name) + b"".join(_field(8, item) for item in value) + _field(20, INTS)


def _value(name: str, element: int, shape: Sequence[int | str]) -> bytes:
    """Describe an input or output; sizes that are not known have a name."""
    dimensions = b"".join(
        _field(1, _field(1, size) if isinstance(size, int) else _field(2, size)) for size in shape
    )
    tensor = _field(1, element) + _field(2, dimensions)
    return _field(1, name) + _field(2, _field(1, tensor))


class Graph:
    """A graph of operators, to which each method adds one; values have names."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: dict[str, bytes] = {}
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._count = 0

    def input(self, name: str, dtype: Any, shape: Sequence[int | str]) -> str:
        """Add an input."""
        self._inputs.append(_value(name, ELEMENTS[np.dtype(dtype)], shape))
        return name

    def output(self, value: str, name: str, shape: Sequence[int | str]) -> None:
        """Make a value of floats an output with this name."""
        self._nodes.append(_field(1, value) + _field(2, name) + _field(4, "Identity"))
        self._outputs.append(_value(name, ELEMENTS[np.dtype(np.float32)], shape))

    def constant(self, array: npt.NDArray[Any]) -> str:
        """Add a constant."""
        name = self._name()
        self._constants[name] = _tensor(name, array)
        return name

    def integers(self, *numbers: int) -> str:
        """Add a list of numbers, such as a shape."""
        return self.constant(np.array(numbers, np.int64))

    def add(
        self, operator: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any
    ) -> tuple[str, ...]:
        """Add an operator; return its outputs. An input that is left out is an empty string."""
        names = tuple(self._name() for _ in range(outputs))
        node = b"".join(_field(1, value) for value in inputs) + b"".join(_field(2, name) for name in names)
        node += _field(4, operator)
        node += b"".join(_field(5, _attribute(name, value)) for name, value in sorted(attributes.items()))
        self._nodes.append(node + (_field(7, domain) if domain else b""))
        return names

    def one(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator with one output; return it."""
        (name,) = self.add(operator, *inputs, domain=domain, **attributes)
        return name

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def model(self) -> bytes:
        """Return the model as it is in a file."""
        graph = b"".join(_field(1, node) for node in self._nodes) + _field(2, "wnparse")
        graph += b"".join(_field(5, constant) for constant in self._constants.values())
        graph += b"".join(_field(11, value) for value in self._inputs)
        graph += b"".join(_field(12, value) for value in self._outputs)
        versions = _field(8, _field(2, OPSET)) + _field(8, _field(1, EXTENSIONS[0]) + _field(2, EXTENSIONS[1]))
        return _field(1, IR_VERSION) + _field(2, "wnparse") + _field(7, graph) + versions
