"""The sentences that a system gets most wrong, kept while an evaluation streams by."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from wnparse.evaluation.metrics import universal_part
from wnparse.treebanks.sentence import Sentence


@dataclass(frozen=True, order=True)
class BadSentence:
    """A sentence and how much of it is wrong; sentences are ordered by that, the later of two alike being less."""

    wrong_arcs: int  # scored words whose head or relation (up to its colon) is wrong
    order: int  # minus its number
    wrong_heads: int = field(compare=False)
    scored: int = field(compare=False)
    gold: Sentence = field(compare=False)
    system: Sentence = field(compare=False)

    @property
    def number(self) -> int:
        """Its place among the sentences with words, from 1."""
        return -self.order


class WorstSentences:
    """Watches an evaluation and keeps the worst few sentences of each system.

    Parameters
    ----------
    systems, keep : int
        How many systems there are, and how many sentences of each to keep.
    """

    def __init__(self, systems: int, keep: int) -> None:
        self.keep = keep
        self.seen = 0
        self._heaps: list[list[BadSentence]] = [[] for _ in range(systems)]

    def __call__(self, sentences: list[Sentence], scored: bytes) -> None:
        """See the same sentence of gold and of each system."""
        self.seen += 1
        gold, flags = sentences[0], np.frombuffer(scored, np.bool_)
        for heap, system in zip(self._heaps, sentences[1:], strict=True):
            bad = _judge(gold, system, flags, self.seen)
            if bad.wrong_arcs and len(heap) < self.keep:
                heapq.heappush(heap, bad)
            elif bad.wrong_arcs and self.keep:
                heapq.heappushpop(heap, bad)

    def of(self, system: int) -> list[BadSentence]:
        """The worst sentences of a system, the worst first."""
        return sorted(self._heaps[system], reverse=True)


def _judge(gold: Sentence, system: Sentence, scored: np.ndarray, number: int) -> BadSentence:
    wrong = gold.heads[1:] != system.heads[1:]
    wrong_heads = int(np.count_nonzero(wrong & scored))
    first, second = gold.column("deprel"), system.column("deprel")
    if first != second:
        pairs = zip(first, second, strict=True)
        wrong = wrong | np.array([universal_part(one) != universal_part(other) for one, other in pairs])
    wrong_arcs = int(np.count_nonzero(wrong & scored))
    return BadSentence(wrong_arcs, -number, wrong_heads, int(np.count_nonzero(scored)), gold, system)
