"""Checks for campaigns that fail in every way; worker processes import them."""

from __future__ import annotations

import os
import time

from campaigns.runner import Check


def make_check(bad: dict[int, str]) -> Check:
    """Return a check of numbers, of which some are bad in some way."""

    def check(number: int) -> str:
        kind = bad.get(number, "")
        if kind == "error":
            raise KeyError(number)
        if kind == "crash":
            os.abort()
        if kind == "exit":
            os._exit(3)
        if kind == "hang":
            time.sleep(60)
        return "even" if number % 2 == 0 else "odd"

    return check


def refuse_to_start() -> Check:
    raise RuntimeError("no model")
