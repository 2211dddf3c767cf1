"""Named arrays in one safetensors file: 8 bytes of length, a JSON header, raw arrays without holes.

The data begins at a multiple of 64 bytes. First come the arrays whose sizes are multiples of 64 too, the hash
tables among them, so that no bucket straddles a line of the cache; then the others by falling item size, each
aligned to its own. The header is checked by its hash, kept in an array, and the other arrays by hashes kept in the
header: a truncated or altered file is refused. No pickle anywhere.

A file of up to `IN_MEMORY` bytes is read, so that whoever writes into it later does not change, or end, a process
that uses it; a larger one is mapped. Compressed files, by their name, are read in any case.
"""

from __future__ import annotations

import io
import json
import mmap
import os
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
import numpy.typing as npt

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.files import DECOMPRESSION_ERRORS, open_binary

ALIGNMENT = 64
LONGEST_HEADER = 1 << 26
IN_MEMORY = 24 << 20  # bytes: a file up to this size is read in less than 20 ms
_DTYPES = {
    "I16": np.int16, "I32": np.int32, "I64": np.int64, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64,
    "F32": np.float32, "F64": np.float64,
}  # fmt: skip
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}
_CHECK = "header_hash"

Arrays = dict[str, npt.NDArray[Any]]


def write_tensors(stream: BinaryIO, arrays: Arrays, metadata: dict[str, str]) -> None:
    """Write arrays and strings; the same content gives the same bytes."""
    blocks = {_CHECK: np.zeros(1, np.uint64), **{name: np.ascontiguousarray(a) for name, a in arrays.items()}}
    header: dict[str, Any] = {}
    payload = bytearray()
    for name, array in sorted(blocks.items(), key=lambda item: _rank(item[1])):
        start = len(payload)
        payload += array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [start, len(payload)],
        }
    start, stop = header[_CHECK]["data_offsets"]
    header["__metadata__"] = {**metadata, "data_hash": _hash_around(memoryview(payload), start, stop)}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % ALIGNMENT)
    payload[start:stop] = hash_data(text).to_bytes(8, "little")
    stream.write(len(text).to_bytes(8, "little") + text)
    stream.write(payload)


def _rank(array: npt.NDArray[Any]) -> int:
    """What arrays are sorted by, so that each begins at a multiple of its item size, and large ones of 64."""
    return -ALIGNMENT if array.nbytes % ALIGNMENT == 0 else -array.itemsize


def _hash_around(payload: memoryview, start: int, stop: int) -> str:
    """Hash what is before and what is behind the hash of the header, which cannot be known before."""
    return "".join(f"{hash_data(part):016x}" for part in (payload[:start], payload[stop:]) if len(part))


def read_tensors(path: str) -> tuple[Arrays, dict[str, str]]:
    """Read or map the arrays of a file; ModelError, in one line, if it is not whole.

    Files of model format 3 had holes between the arrays, and the hash of the header first: they are read as well.
    """
    data = _contents(path)
    size = len(data)
    if size < 16:
        _refuse(path, "is too short for a model; expected a file written by wnparse")
    length = int.from_bytes(data[:8], "little")
    if length > LONGEST_HEADER or 8 + length + 8 > size:
        _refuse(path, "is no model, or truncated; expected a file written by wnparse")
    text, payload = bytes(data[8 : 8 + length]), data[8 + length :]
    try:  # Where its hash is, the header itself tells: until that is checked, it may be anything.
        header = json.loads(text)
        metadata = header.pop("__metadata__")
        start, stop = header.pop(_CHECK)["data_offsets"]
        end = max([stop, *(entry["data_offsets"][1] for entry in header.values())])
        # A hash that is cut off says nothing of the header: then the size does not agree either.
        sound = stop > len(payload) or payload[start:stop] == hash_data(text).to_bytes(8, "little")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        sound = False
    if not sound:
        _refuse(path, "is no model, or its header is damaged; expected a file written by wnparse")
    if len(payload) != end:
        _refuse(path, f"has {size:,} bytes; expected {8 + length + end:,}: the file is truncated or has grown")
    if _hash_around(payload, start, stop) != metadata.pop("data_hash"):
        _refuse(path, "is damaged: the checksum of its weights does not match")
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        dtype = np.dtype(_DTYPES[entry["dtype"]]).newbyteorder("<")
        arrays[name] = np.frombuffer(payload[first:last], dtype).reshape(entry["shape"])
    return arrays, metadata


def read_metadata(path: str) -> tuple[str, dict[str, str]]:
    """Read the strings of a file, and the hash of its header, which covers the hashes of the data, and no more.

    Nothing is checked: a file that is no model, or cannot be read, has an empty hash.
    """
    try:
        with Path(path).open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            text = file.read(length) if length <= LONGEST_HEADER else b""
        return f"{hash_data(text):016x}", dict(json.loads(text)["__metadata__"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return "", {}


def _contents(path: str) -> memoryview:
    """The bytes of a file, at the beginning of a page."""
    if path.endswith((".gz", ".xz")):
        try:
            with open_binary(path) as stream:
                return _in_memory(io.BytesIO(whole := stream.read()), len(whole))
        except DECOMPRESSION_ERRORS as error:
            _refuse(path, f"compressed data is truncated or damaged ({error}); expected a whole .gz or .xz file")
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= IN_MEMORY:
            return _in_memory(file, size)
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _in_memory(stream: io.BytesIO | io.BufferedReader, size: int) -> memoryview:
    """Read that many bytes, or as many as there are, to the beginning of a page."""
    place = np.empty(size + mmap.PAGESIZE, np.uint8)  # quicker than an anonymous mapping: it asks for large pages
    first = -place.ctypes.data % mmap.PAGESIZE
    data = place.data[first : first + size]
    return data[: stream.readinto(data)].toreadonly()


def _refuse(path: str, message: str) -> NoReturn:
    raise ModelError(f"{os.fspath(path)}: {message}")  # noqa: EM102
