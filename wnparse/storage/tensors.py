"""Named arrays in one safetensors file: 8 bytes of length, a JSON header, raw arrays without holes.

The data begins at a multiple of 64 bytes. First come the arrays whose sizes are multiples of 64 too, the hash
tables among them, so that no bucket straddles a line of the cache; then the others by falling item size, each
aligned to its own. The header is checked by its hash, kept in an array, and the other arrays by hashes kept in the
header: a truncated or altered file is refused. No pickle anywhere. Hashes do not prove who wrote a file: sizes,
offsets, types and shapes are checked as well, so that an array is always a view of bytes of the file.

A file of up to `IN_MEMORY` bytes is read, so that a later change of the file does not affect, or end, a process
that uses it. A larger file is mapped. Compressed files, recognised by extension, are always read.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import mmap
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.storage.files import COMPRESSED, DECOMPRESSION_ERRORS, open_binary
from wnparse.storage.strict_json import list_of, parse_json, table, text, whole
from wnparse.wording import printable, shown

ALIGNMENT = 64
LONGEST_HEADER = 1 << 24  # bytes; parsed, it takes many times as much memory
LARGEST_SIZE = 1 << 40  # bytes, or items of an array
LARGEST_UNPACKED = 1 << 31  # bytes of a compressed file: a small one could unpack to more than the memory
MOST_DIMENSIONS = 2
IN_MEMORY = 24 << 20  # bytes: a file up to this size is read in less than 20 ms
_DTYPES = {
    "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64, "U16": np.uint16, "U32": np.uint32,
    "U64": np.uint64, "F32": np.float32, "F64": np.float64,
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
    if len(text) > LONGEST_HEADER:
        raise ModelError(f"too many names: a header of {len(text):,} bytes; expected at most {LONGEST_HEADER:,}")
    stream.write(len(text).to_bytes(8, "little") + text)
    stream.write(payload)


def _rank(array: npt.NDArray[Any]) -> int:
    """Return a sort key by which arrays begin at multiples of their item size, and large ones of 64."""
    return -ALIGNMENT if array.nbytes % ALIGNMENT == 0 else -array.itemsize


def _hash_around(payload: memoryview, start: int, stop: int) -> str:
    """Hash the data before and after the hash of the header, which is not known yet."""
    return "".join(f"{hash_data(part):016x}" for part in (payload[:start], payload[stop:]) if len(part))


def read_tensors(
    path: str, check: Callable[[dict[str, str]], object] = lambda metadata: None
) -> tuple[Arrays, dict[str, str], str]:
    """Read or map the arrays and strings of a file, and the hash of its header as `read_metadata` has it.

    `check` is called with the strings before the arrays are read. ModelError, in one line, if the file is not
    whole, or if `check` raises ValueError. A compressed file has an empty hash.
    """
    data = _contents(path)
    try:
        arrays, metadata, checksum = _read(data, check)
    except ValueError as error:
        _refuse(path, str(error))
    return arrays, metadata, "" if path.endswith(COMPRESSED) else checksum


def _read(data: memoryview, check: Callable[[dict[str, str]], object]) -> tuple[Arrays, dict[str, str], str]:
    """Read the contents of a file; ValueError if something is wrong with them."""
    size = len(data)
    if size < 16:
        raise ValueError("too short for a model; expected a file written by wnparse")
    length = int.from_bytes(data[:8], "little")
    if length > LONGEST_HEADER or 8 + length + 8 > size:
        raise ValueError("not a wnparse model, or truncated; expected a file written by wnparse")
    text, payload = bytes(data[8 : 8 + length]), data[8 + length :]
    try:  # The header says where its hash is: until that is checked, it may be anything.
        header, header_hash = parse_json(text.decode()), hash_data(text)
        start, stop = header[_CHECK]["data_offsets"]
        # If the hash itself is cut off, the header cannot be checked; the size is then wrong, too.
        sound = stop > len(payload) or payload[start:stop] == header_hash.to_bytes(8, "little")
    except (ValueError, LookupError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise ValueError("not a wnparse model, or its header is damaged; expected a file written by wnparse")
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError(
            "the header has no metadata, or metadata other than texts; expected a file written by wnparse"
        )
    entries = {name: _read_entry(name, entry) for name, entry in header.items()}
    check(metadata)
    end = _check_layout(entries, 8 + length)
    if len(payload) != end:
        raise ValueError(f"{size:,} bytes; expected {8 + length + end:,}: the file is truncated or has grown")
    if _hash_around(payload, *entries.pop(_CHECK).place) != metadata.pop("data_hash", None):
        raise ValueError(
            "damaged: the checksum of its weights does not match; expected the file as wnparse wrote it"
        )
    arrays = {
        name: np.frombuffer(payload[slice(*entry.place)], entry.dtype).reshape(entry.shape)
        for name, entry in entries.items()
    }
    return arrays, metadata, f"{header_hash:016x}"


class _Entry(NamedTuple):
    """Description of an array in the header."""

    dtype: np.dtype[Any]
    shape: list[int]
    place: list[int]  # begin and end of its bytes in the data


def _read_entry(name: str, entry: Any) -> _Entry:
    size = whole(0, LARGEST_SIZE)
    try:
        fields = table(dtype=text, shape=list_of(size), data_offsets=list_of(size))(entry)
        if fields["dtype"] not in _DTYPES:
            raise ValueError(f"dtype: {shown(fields['dtype'])}; expected {', '.join(_DTYPES)}")
        if len(fields["data_offsets"]) != 2 or len(fields["shape"]) > MOST_DIMENSIONS:
            raise ValueError(f"expected two offsets, and a shape of at most {MOST_DIMENSIONS} dimensions")
    except ValueError as error:
        raise ValueError(f"array {shown(name)}: {error}") from None
    dtype = np.dtype(_DTYPES[fields["dtype"]]).newbyteorder("<")
    return _Entry(dtype, fields["shape"], fields["data_offsets"])


def _check_layout(entries: dict[str, _Entry], begin: int) -> int:
    """Check that arrays have no holes between them, and are aligned as by `write_tensors`; return their end."""
    if begin % ALIGNMENT:
        raise ValueError(f"the arrays begin at byte {begin}; expected a multiple of {ALIGNMENT}")
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1].place):
        start, stop = entry.place
        size = math.prod(entry.shape) * entry.dtype.itemsize
        unit = ALIGNMENT if size % ALIGNMENT == 0 else entry.dtype.itemsize
        if start != end or stop - start != size or start % unit:
            raise ValueError(
                f"array {shown(name)} is at the wrong place in the file, or its size does not match its shape"
            )
        end = stop
    if entries[_CHECK].dtype != np.uint64 or entries[_CHECK].shape != [1]:
        raise ValueError(f"array {_CHECK}: expected one 64-bit number")
    return end


def read_metadata(path: str) -> tuple[str, dict[str, str]]:
    """Read the strings of a file, and the hash of its header, which covers the hashes of the data, and no more.

    Nothing is checked: a file that is not a model, is compressed or cannot be read has an empty hash.
    """
    try:
        with Path(path).open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            text = file.read(length) if length <= LONGEST_HEADER else b""
        return f"{hash_data(text):016x}", dict(json.loads(text)["__metadata__"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return "", {}


def _contents(path: str) -> memoryview:
    """Return the bytes of a file, beginning at a page of memory."""
    if path.endswith(COMPRESSED):
        try:
            with open_binary(path) as stream:
                unpacked = stream.read(LARGEST_UNPACKED + 1)
        except DECOMPRESSION_ERRORS as error:
            _refuse(
                path, f"compressed data is truncated or damaged ({error}); expected a complete .gz or .xz file"
            )
        if len(unpacked) > LARGEST_UNPACKED:
            _refuse(path, f"more than {LARGEST_UNPACKED:,} bytes when decompressed; decompress it first")
        return _in_memory(io.BytesIO(unpacked), len(unpacked))
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= IN_MEMORY:
            return _in_memory(file, size)
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _in_memory(stream: io.BytesIO | io.BufferedReader, size: int) -> memoryview:
    """Read up to `size` bytes to the beginning of a page of memory."""
    place = np.empty(
        size + mmap.PAGESIZE, np.uint8
    )  # faster than an anonymous mapping, because it uses large pages
    first = -place.ctypes.data % mmap.PAGESIZE
    data = place.data[first : first + size]
    return data[: stream.readinto(data)].toreadonly()


def take(arrays: Arrays, prefix: str, dtypes: Mapping[str, Any]) -> Arrays:
    """Take arrays out of those of a file; return them by name without the prefix.

    Parameters
    ----------
    arrays : dict
        The arrays of a file; those that are taken are removed.
    prefix : str
        The beginning of their names.
    dtypes : mapping
        The names after the prefix, and the type of each; all have one dimension.

    Raises
    ------
    ValueError
        If an array is missing, or has another type or shape.
    """
    taken: Arrays = {}
    for name, dtype in dtypes.items():
        array = arrays.pop(prefix + name, None)
        if array is None:
            raise ValueError(f"array {prefix}{name} is missing")
        if array.dtype != dtype or array.ndim != 1:
            expected = f"expected one dimension of {np.dtype(dtype)}"
            raise ValueError(f"array {prefix}{name} has {array.ndim} dimensions of {array.dtype}; {expected}")
        taken[name] = array
    return taken


def _refuse(path: str, message: str) -> NoReturn:
    raise ModelError(f"{os.fspath(path)}: {printable(message)}")


def model_checksum(path: str) -> str:
    """Return the checksum of a model: of its header, which contains those of the weights, or of the whole file."""
    if path.endswith(COMPRESSED):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    return read_metadata(path)[0]
