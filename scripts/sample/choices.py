"""Seeded choices that are the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Chooser:
    """Seeded choices from ``Random.random`` alone, whose sequence is the same in every Python version."""

    def __init__(self, seed: int) -> None:
        self.uniform = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self.uniform() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items, all equally likely."""
        return items[int(self.uniform() * len(items))]
