"""Checks of options that users pass: they return the value, or raise a ValueError with a message of one line."""

from __future__ import annotations

import math
import operator

import numpy as np

LARGEST_COUNT = 2**31 - 1  # integers of the core


def as_count(value: object, name: str, least: int, most: float = LARGEST_COUNT) -> int:
    """Check that an option is an integer that is neither too small nor, by default, too large for the core."""
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        count = -1
    if isinstance(value, (bool, np.bool_)) or count < least:
        raise ValueError(f"{name}={value!r}: expected an integer of at least {least}")
    if count > most:
        # Python refuses to show some thousands of digits.
        shown = f"{value!r}" if count.bit_length() <= 128 else f"2**{count.bit_length() - 1} and more"
        raise ValueError(f"{name}={shown}: expected an integer of at most {most}")
    return count


def as_seconds(value: object, name: str) -> float:
    """Check that an option is a time: a finite number of seconds above 0."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = math.nan
    if isinstance(value, (bool, np.bool_, str)) or not 0 < seconds < math.inf:
        raise ValueError(f"{name}={value!r}: expected a number of seconds above 0, or None")
    return seconds


def as_probability(value: object, name: str) -> float:
    """Check that an option is a probability above 0."""
    try:
        probability = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        probability = math.nan
    if isinstance(value, (bool, np.bool_, str)) or not 0 < probability <= 1:
        raise ValueError(f"{name}={value!r}: expected a probability above 0 and at most 1, or None")
    return probability


def as_flag(value: object, name: str) -> bool:
    """Check that an option is a truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={value!r}: expected True or False")
    return bool(value)
