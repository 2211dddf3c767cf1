"""JSON from untrusted files: strict parsing, and checks of the values.

A reader is a function of one value of JSON. It returns the value in the type that the program uses, or raises
ValueError with what was found and what was expected. `table` combines readers of keys into a reader of an object
and puts the name of the key before the message.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wnparse._core.freezing import MOST_LABELS
from wnparse.wording import shown

Reader = Callable[[Any], Any]

LONGEST_NAME = 1_000  # characters
FORBIDDEN = {"\t": "a tab", "\n": "a line end", "\r": "a carriage return", "\0": "a NUL character"}  # in names
LARGEST_WHOLE = 2**31 - 1  # integers of the core
MOST_DIGITS = 400
DEEPEST = 32  # levels of nested lists and objects


def parse_json(text: str) -> Any:
    """Parse JSON; ValueError for duplicate keys, NaN, infinite numbers, lone surrogates and deep nesting."""
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse_number, parse_float=_finite, parse_int=_short
        )
        if "\\u" in text:  # only an escape can make a lone surrogate
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("an object has the same key twice")
    return table


def _refuse_number(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _short(digits: str) -> int:
    """Read an integer that does not take long: the time grows with the square of its digits."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is too large")
    return int(digits)


def flag(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)}; expected true or false")
    return value


def whole(least: int, most: int = LARGEST_WHOLE) -> Reader:
    """Read an integer within bounds."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"{shown(value)}; expected an integer from {least} to {most}")
        return value

    return read


def number(least: float, most: float) -> Reader:
    """Read a number within bounds."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError(f"{shown(value)}; expected a number from {least:g} to {most:g}")
        return float(value)

    return read


def text(value: Any) -> str:
    """Read a short text."""
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise ValueError(f"{shown(value)}; expected a text of at most {LONGEST_NAME:,} characters")
    return value


def texts(value: Any) -> list[str]:
    """Read a list of texts of any length."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{shown(value)}; expected a list of texts")
    return value


def names(value: Any) -> list[str]:
    """Read names of labels, tags or values of FEATS."""
    listed = texts(value)
    check_names(listed)
    return listed


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError if a model cannot hold these names, each of which becomes a cell of CoNLL-U.

    Labels are 15-bit numbers in the tables of weights (cext/scorer/weights/frozen_label_weights.hpp). The names
    are searched as one text, because a tagger has many thousands of them.
    """
    if len(names) > MOST_LABELS:
        raise ValueError(f"{len(names):,} names; expected at most {MOST_LABELS:,}")
    distinct = set(names)
    if len(distinct) < len(names):
        raise ValueError("the same name twice")
    if "" in distinct:
        raise ValueError("an empty name")
    longest = max(map(len, names), default=0)
    if longest > LONGEST_NAME:
        raise ValueError(f"a name of {longest:,} characters; expected at most {LONGEST_NAME:,}")
    joined = "".join(names)
    for character, description in FORBIDDEN.items():
        if character in joined:
            raise ValueError(f"a name with {description}")
    try:
        joined.encode()
    except UnicodeEncodeError:
        raise ValueError("a name that is not valid Unicode") from None


def optional(read: Reader) -> Reader:
    """Read null as None, and anything else by a reader."""
    return lambda value: None if value is None else read(value)


def table(**readers: Reader) -> Callable[[Any], dict[str, Any]]:
    """Read an object with exactly these keys."""
    return lambda value: _read_table(value, readers, is_complete=True)


def partial_table(**readers: Reader) -> Callable[[Any], dict[str, Any]]:
    """Read an object; of its keys, those named here are checked, and none is required."""
    return lambda value: _read_table(value, readers, is_complete=False)


def list_of(read: Reader) -> Reader:
    """Read a list by a reader of its items."""

    def read_list(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError(f"{shown(value)}; expected a list")
        return [read(item) for item in value]

    return read_list


def _read_table(value: Any, readers: Mapping[str, Reader], *, is_complete: bool) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{shown(value)}; expected an object")
    if is_complete and (missing := [key for key in readers if key not in value]):
        raise ValueError(f"the key {missing[0]} is missing")
    if is_complete and (unknown := [key for key in value if key not in readers]):
        raise ValueError(f"{shown(unknown[0])} is an unknown key")
    values = dict(value)
    for key, read in readers.items():
        if key in value:
            try:
                values[key] = read(value[key])
            except ValueError as error:
                raise ValueError(f"{key}: {error}") from None
    return values


def check_depth(value: Any) -> None:
    """Raise ValueError where lists and objects are nested too deeply for functions that call themselves."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise ValueError("values are nested too deeply")
