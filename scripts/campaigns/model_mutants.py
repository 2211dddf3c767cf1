"""Forged and damaged model files: mutants of good ones, each a function of a seed and a number.

A forged mutant has checksums that fit, so that only the checks of what is in the file stand between it and the
core. A damaged one has other bytes, and its checksums must tell.
"""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.hashing import hash_data

Arrays = dict[str, npt.NDArray[Any]]

DTYPES = {
    "I8": "<i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
    "U16": "<u2",
    "U32": "<u4",
    "U64": "<u8",
    "F32": "<f4",
    "F64": "<f8",
}
NUMBERS = [
    0, 1, -1, 2, 3, 7, 8, 63, 64, 255, 256, 32_767, 32_768, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1, 2**62,
]  # fmt: skip
TEXTS = [
    "", "a\tb", "a\nb", "\r", "\0", "\ud800", "_", "x" * 1001, "x" * 70_000, "[", "upos", "ud", "=",
    "k\t0\t\t0\t",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, [], {}, [[]], {"": 0}, 0.5, -0.0, 1e-300, 1e300, float("nan"), float("inf"), 10**400,
    -(10**400), *NUMBERS, *TEXTS,
]  # fmt: skip


@dataclass
class Parts:
    """A model file in pieces."""

    arrays: Arrays
    header: str  # of the model, JSON
    outer: dict[str, Any]  # what the header of the file says of the arrays, if it is not what they are

    def seal(self) -> bytes:
        """Return the file, with checksums that fit."""
        arrays = dict(self.arrays)
        arrays["header_hash"] = np.zeros(1, np.uint64)
        payload, entries = bytearray(), {}
        for name, array in sorted(arrays.items(), key=lambda item: _rank(item[1])):
            start = len(payload)
            payload += array.tobytes()
            entries[name] = {
                "dtype": _dtype_name(array), "shape": list(array.shape), "data_offsets": [start, len(payload)]
            }  # fmt: skip
        place = tuple(entries["header_hash"]["data_offsets"])
        halves = (bytes(payload[: place[0]]), bytes(payload[place[1] :]))
        data_hash = "".join(f"{hash_data(half):016x}" for half in halves if half)
        entries |= self.outer
        outer = {"__metadata__": {"wnparse": self.header, "data_hash": data_hash}, **entries}
        text = json.dumps(outer, separators=(",", ":")).encode()
        text += b" " * (-(len(text) + 8) % 64)
        payload[place[0] : place[1]] = hash_data(text).to_bytes(8, "little")
        return len(text).to_bytes(8, "little") + text + bytes(payload)


def _rank(array: npt.NDArray[Any]) -> int:
    return -64 if array.nbytes % 64 == 0 else -array.itemsize


def _dtype_name(array: npt.NDArray[Any]) -> str:
    return next(name for name, dtype in DTYPES.items() if np.dtype(dtype) == array.dtype)


def split(data: bytes) -> Parts:
    """Take a model file apart."""
    begin = 8 + int.from_bytes(data[:8], "little")
    outer = json.loads(data[8:begin])
    header = outer.pop("__metadata__")["wnparse"]
    del outer["header_hash"]
    arrays = {}
    for name, entry in outer.items():
        first, last = (begin + at for at in entry["data_offsets"])
        arrays[name] = np.frombuffer(data[first:last], DTYPES[entry["dtype"]]).reshape(entry["shape"]).copy()
    return Parts(arrays, header, {})


def forge(data: bytes, seed: str) -> bytes:
    """Return a forged mutant of a good file."""
    rng = random.Random(seed)
    parts = split(data)
    if rng.random() < 0.4:  # numbers alone: more of these can be used
        for _ in range(rng.choice((1, 1, 2, 4, 16))):
            name = rng.choice(sorted(parts.arrays))
            parts.arrays[name] = _with_numbers(parts.arrays[name], rng)
        return parts.seal()
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        change = rng.choice((mutate_array, mutate_array, mutate_header, mutate_header, mutate_outer, mutate_text))
        with contextlib.suppress(
            ArithmeticError, ValueError, TypeError, RecursionError
        ):  # what cannot be changed so
            change(parts, rng)
    return parts.seal()


def damage(data: bytes, seed: str) -> bytes:
    """Return a good file with other bytes, and checksums as they were."""
    rng = random.Random(seed)
    changed = bytearray(data)
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.choice((1, 1, 2, 50))):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del changed[rng.randrange(len(changed)) :]
    elif kind == 2:
        changed += rng.randbytes(rng.choice((1, 8, 64, 1000)))
    else:
        start = rng.randrange(len(changed))
        stop = min(len(changed), start + rng.choice((1, 8, 64, 4096)))
        changed[start:stop] = rng.choice(
            (bytes(stop - start), b"\xff" * (stop - start), rng.randbytes(stop - start))
        )
    return bytes(changed) if changed != data else bytes(changed) + b"\0"


# Arrays.


def mutate_array(parts: Parts, rng: random.Random) -> None:
    """Change an array, in one of many ways."""
    if not parts.arrays:
        return
    name = rng.choice(sorted(parts.arrays))
    array = parts.arrays[name]
    changes: list[Callable[[], npt.NDArray[Any] | None]] = [
        *[lambda: _with_numbers(array, rng)] * 8,
        *[lambda: np.full_like(array, _number(array, rng))] * 2,
        lambda: array[: rng.randrange(len(array) + 1)],
        lambda: np.resize(array, rng.choice((1, 2 * len(array) + 1, len(array) + 1, 2 * len(array), 4, 8, 16))),
        lambda: array[::-1].copy(),
        lambda: np.random.default_rng(rng.randrange(2**32)).permutation(array),
        lambda: np.sort(array),
        lambda: array.view(rng.choice([d for d in DTYPES.values() if array.nbytes % np.dtype(d).itemsize == 0])),
        lambda: array.astype(rng.choice(list(DTYPES.values()))),
        lambda: array.reshape(rng.choice(((1, -1), (-1, 1), (1, 1, -1)))),
        lambda: np.frombuffer(rng.randbytes(array.nbytes), array.dtype),
        lambda: np.resize(parts.arrays[rng.choice(sorted(parts.arrays))], len(array)).astype(array.dtype),
        lambda: None,
    ]
    with np.errstate(all="ignore"):
        changed = rng.choice(changes)()
    if changed is None:
        del parts.arrays[name]
        if rng.random() < 0.5:
            parts.arrays[rng.choice(("x", name + "x", name.upper(), "tagger/", "tokenizer/", "labels/rows"))] = (
                array
            )
    else:
        parts.arrays[name] = changed


def _with_numbers(array: npt.NDArray[Any], rng: random.Random) -> npt.NDArray[Any]:
    """Replace some numbers, or many: tables are large, and most of their slots are not looked at."""
    changed = array.copy().reshape(-1)
    if not len(changed):
        return changed
    share = rng.choice((0.0, 0.01, 0.3))
    chosen = np.random.default_rng(rng.randrange(2**32)).random(len(changed)) < share
    chosen[rng.randrange(len(changed))] = True
    chosen[rng.choice((0, -1))] |= rng.random() < 0.3
    with np.errstate(over="ignore"):  # 1e300 becomes infinity in single precision
        values = np.array([_number(array, rng) for _ in range(8)], array.dtype)
    changed[chosen] = values[np.arange(int(chosen.sum())) % 8]
    return changed


def _number(array: npt.NDArray[Any], rng: random.Random) -> Any:
    """Return a number that may lead out of bounds."""
    if array.dtype.kind == "f":
        return rng.choice((0.0, -1.0, 1e300, np.inf, np.nan))
    info = np.iinfo(array.dtype)
    drawn = rng.choice((*NUMBERS, len(array), len(array) - 1, -2, rng.randrange(2**16), rng.randrange(2**64)))
    low, size = int(info.min), int(info.max) - int(info.min) + 1
    return (drawn - low) % size + low


# What the header of the file says of arrays.


def mutate_outer(parts: Parts, rng: random.Random) -> None:
    """Let the header describe an array otherwise than it is."""
    name = rng.choice([*sorted(parts.arrays), "header_hash"])
    array = parts.arrays.get(name, np.zeros(1, np.uint64))
    start = rng.choice((0, 8, 64, rng.randrange(1 << 16), *NUMBERS))
    described: dict[str, Any] = {
        "dtype": _dtype_name(array), "shape": list(array.shape), "data_offsets": [start, start + array.nbytes]
    }  # fmt: skip
    for key in rng.sample(sorted(described), rng.randrange(3)):
        described[key] = rng.choice(
            (
                rng.choice(VALUES),
                rng.choice(list(DTYPES)),
                [rng.choice(NUMBERS)],
                [rng.choice(NUMBERS), rng.choice(NUMBERS)],
            )
        )
    if rng.random() < 0.1:
        del described[rng.choice(sorted(described))]
    parts.outer[name if rng.random() < 0.9 else "extra"] = described if rng.random() < 0.95 else rng.choice(VALUES)


# The header of the model.


def mutate_header(parts: Parts, rng: random.Random) -> None:
    """Change a value somewhere in the header."""
    try:
        header = json.loads(parts.header)
    except (ValueError, RecursionError):
        return
    owners: list[tuple[Any, Any]] = []
    _collect(header, owners, rng)
    if not owners:
        return
    owner, key = rng.choice(owners)
    old = owner[key]
    other_owner, other_key = rng.choice(owners)
    changes: list[Callable[[], Any]] = [
        *[lambda: rng.choice(VALUES)] * 4,
        lambda: copy.deepcopy(other_owner[other_key]),
        lambda: _perturbed(old, rng),
        lambda: _perturbed(old, rng),
        lambda: [old],
        lambda: str(old),
    ]
    kind = rng.random()
    if kind < 0.8:
        owner[key] = rng.choice(changes)()
    elif isinstance(owner, dict):
        del owner[key]
        if kind > 0.9:
            owner[rng.choice((f"{key}x", "format", "rules", ""))] = old
    elif kind > 0.9:
        owner.extend(owner[: rng.choice((1, 100))])
    else:
        del owner[key]
    parts.header = json.dumps(header, ensure_ascii=rng.random() < 0.5 or "\\ud" in parts.header)


def _collect(value: Any, owners: list[tuple[Any, Any]], rng: random.Random) -> None:
    """Collect what can be changed: all keys of objects, and some items of each list."""
    if isinstance(value, dict):
        for key in value:
            owners.append((value, key))
            _collect(value[key], owners, rng)
    elif isinstance(value, list):
        for place in rng.sample(range(len(value)), min(len(value), 3)):
            owners.append((value, place))
            _collect(value[place], owners, rng)


def _perturbed(value: Any, rng: random.Random) -> Any:
    """Return a value that is a little off."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)) and abs(value) > 1e300:
        return -value
    if isinstance(value, (int, float)):
        return rng.choice((value + 1, value - 1, -value, 2 * value, value / 2, value * 1e12, float(value)))
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice((*TEXTS[:8], "0", " ", "|", "ä", "-1")) + value[at + rng.randrange(2) :]
    if isinstance(value, list):
        return rng.choice((value[:-1], value[1:], value[::-1], value * 2, value[:1]))
    return dict(list(value.items())[:-1])


def mutate_text(parts: Parts, rng: random.Random) -> None:
    """Change the text of the header, so that it may not be JSON any more."""
    text = parts.header
    at = rng.randrange(len(text) + 1)
    tokens = (
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "1" * 5000,
        "[" * 2000,
        "{",
        "}",
        "]",
        ",",
        '"',
        "\\ud800",
        "\\u0000",
    )
    kind = rng.randrange(4)
    if kind == 0:
        parts.header = text[:at] + rng.choice(tokens) + text[at:]
    elif kind == 1:
        parts.header = text[:at]
    elif kind == 2:  # the same key twice
        parts.header = text.replace('"format":', '"format": 1, "format":', 1)
    else:
        colon = text.find(":", at)
        comma = text.find(",", colon)
        if 0 < colon < comma:
            parts.header = text[: colon + 1] + rng.choice(tokens) + text[comma:]
