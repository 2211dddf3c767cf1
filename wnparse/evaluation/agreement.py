"""Agreement of two annotators: how often heads and relations are the same, and Cohen's kappa of the relations.

Cohen 1960, *A Coefficient of Agreement for Nominal Scales*. With p_o the observed agreement, and p_e the agreement
that is expected if both choose relations independently, each with the frequencies of their own annotation,

    kappa = (p_o - p_e) / (1 - p_e).

Kappa compares the relations, with subtypes, of words that have the same head in both annotations. For heads it is
not defined: p_e needs a fixed set of categories, but the possible heads of a word are the other words of its
sentence. O(words).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wnparse.evaluation.alignment import Alignment, Trees
from wnparse.evaluation.metrics import Percentage, share
from wnparse.treebanks.partial import NOTHING


@dataclass(frozen=True)
class RelationAgreement:
    """Agreement on one relation, over words with the same head."""

    first: int  # words with the relation in the first annotation
    second: int
    both: int
    kappa: float | None  # of having the relation or not; None if all words have it


@dataclass(frozen=True)
class Agreement:
    """Agreement over the scored words that are annotated twice.

    Attributes
    ----------
    words : int
        Words with a head in both annotations.
    heads : float or None
        Percentage of them with the same head.
    labelled_words : int
        Words with a head and a relation in both.
    labelled_heads : float or None
        Percentage of them with the same head and the same relation.
    same_head : int
        Those of them with the same head, for which relations are compared.
    relations : float or None
        Percentage of those with the same relation.
    kappa : float or None
        Cohen's kappa of their relations; None if there are no such words, or all have the same relation.
    by_relation : dict
        The agreement on each relation, the most frequent first.
    """

    words: int
    heads: Percentage
    labelled_words: int
    labelled_heads: Percentage
    same_head: int
    relations: Percentage
    kappa: float | None
    by_relation: dict[str, RelationAgreement] = field(default_factory=dict)


def cohen_kappa(observed: int, first: list[int], second: list[int], total: int) -> float | None:
    """Compute kappa from the number of items on which both agree, and those that each puts into each category."""
    expected = sum(a * b for a, b in zip(first, second, strict=True))  # p_e total^2
    if total == 0 or expected == total * total:
        return None
    return (observed * total - expected) / (total * total - expected)


def measure_agreement(aligned: Alignment, system: Trees) -> Agreement:
    """Compare the annotation of gold with that of a system, over the same words."""
    gold, names = aligned.gold, aligned.relations
    is_known = np.array([name != NOTHING for name in names], bool)
    both = aligned.scored & (system.heads >= 0)
    labelled = both & is_known[gold.relations] & is_known[system.relations]
    same_head = gold.heads == system.heads
    compared = labelled & same_head
    first, second = gold.relations[compared], system.relations[compared]
    agreed = first[first == second]
    total = int(compared.sum())
    counts: list[list[int]] = [
        np.bincount(numbers, minlength=len(names)).tolist() for numbers in (first, second, agreed)
    ]
    order = sorted(range(len(names)), key=lambda number: (-counts[0][number] - counts[1][number], names[number]))
    return Agreement(
        int(both.sum()),
        share(int((both & same_head).sum()), int(both.sum())),
        int(labelled.sum()),
        share(len(agreed), int(labelled.sum())),
        total,
        share(len(agreed), total),
        cohen_kappa(len(agreed), counts[0], counts[1], total),
        {
            names[number]: _of_relation(counts[0][number], counts[1][number], counts[2][number], total)
            for number in order
            if counts[0][number] or counts[1][number]
        },
    )


def _of_relation(first: int, second: int, both: int, total: int) -> RelationAgreement:
    """Measure the agreement on having one relation or another."""
    observed = both + (total - first - second + both)
    kappa = cohen_kappa(observed, [first, total - first], [second, total - second], total)
    return RelationAgreement(first, second, both, kappa)
