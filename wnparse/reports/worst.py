"""The sentences with the most errors of each system, collected during an evaluation."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from wnparse.treebanks.parallel import Group
from wnparse.treebanks.partial import annotated_relations, has_relations
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.ud import universal_part


class WorstSentence(NamedTuple):
    """A sentence and its errors; sentences compare by the number of errors, then earlier ones are greater."""

    wrong_arcs: int  # scored words whose head or relation (up to its colon) is wrong
    order: int  # minus the number of the sentence, so that no two are equal
    wrong_heads: int
    scored: int
    gold: Sentence
    system: Sentence

    @property
    def number(self) -> int:
        """The position among the sentences with words, from 1."""
        return -self.order


class WorstSentences:
    """Watches an evaluation and keeps the worst sentences of each system.

    Parameters
    ----------
    systems, keep : int
        How many systems there are, and how many sentences of each to keep.
    """

    def __init__(self, systems: int, keep: int) -> None:
        self.keep = keep
        self.seen = 0
        self._named = False  # whether gold has relations
        self._heaps: list[list[WorstSentence]] = [[] for _ in range(systems)]

    def __call__(self, group: Group, scored: bytes) -> None:
        """Compare a sentence of each system with gold, if it has the same words in all of them."""
        self.seen += len(group.inputs[0])
        if not group.same_words:
            return
        gold, *systems = group.row
        self._named = self._named or has_relations([gold])
        is_scored = np.frombuffer(scored, np.bool_) & (gold.heads[1:] >= 0)
        for heap, system in zip(self._heaps, systems, strict=True):
            sentence = _count_errors(gold, system, is_scored, self.seen, self._named)
            if sentence.wrong_arcs:
                heapq.heappush(heap, sentence)
                if len(heap) > self.keep:
                    heapq.heappop(heap)

    def of(self, system: int) -> list[WorstSentence]:
        """Return the worst sentences of a system, the worst first."""
        return sorted(self._heaps[system], reverse=True)


def _count_errors(gold: Sentence, system: Sentence, scored: np.ndarray, number: int, named: bool) -> WorstSentence:
    wrong = gold.heads[1:] != system.heads[1:]
    wrong_heads = int(np.count_nonzero(wrong & scored))
    gold_relations, relations = gold.column("deprel"), system.column("deprel")
    if gold_relations != relations:
        pairs = zip(gold_relations, relations, strict=True)
        differs = np.array([universal_part(one) != universal_part(other) for one, other in pairs])
        wrong = wrong | (differs & annotated_relations(gold, named))
    wrong_arcs = int(np.count_nonzero(wrong & scored))
    return WorstSentence(wrong_arcs, -number, wrong_heads, int(np.count_nonzero(scored)), gold, system)
