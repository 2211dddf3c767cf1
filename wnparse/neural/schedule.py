"""How long a network is trained."""

from __future__ import annotations

from typing import NamedTuple


class Schedule(NamedTuple):
    """As many epochs as have so many words, within bounds."""

    words: int
    least: int
    most: int
    usual_speed: int  # words per second, on one core

    def epochs(self, words: int) -> int:
        """Return the number of epochs for a treebank of so many words."""
        return max(self.least, min(self.most, round(self.words / words)))

    def seconds(self, words: int) -> float:
        """Estimate how long a network for so many words is trained on one core."""
        return words * self.epochs(words) / self.usual_speed


LSTM = Schedule(words=2_500_000, least=15, most=30, usual_speed=1_500)
ENCODER = Schedule(words=500_000, least=4, most=10, usual_speed=500)
