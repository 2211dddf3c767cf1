"""Scores of trees compared with gold trees; O(words), vectorised over the same words.

UAS, LAS and CLAS are those of the CoNLL 2018 shared task (Zeman et al. 2018, *CoNLL 2018 Shared Task:
Multilingual Parsing from Raw Text to Universal Dependencies*, section 5), whose F1 over aligned words is
plain accuracy where the words are the same; `wnparse.evaluation.aligned_counts` has the counts of other words.
Every score is a percentage from 0 to 100, or None if there is nothing to count. Words without a head in gold are
not scored, and words without a relation there only for their heads. A word without a head in the system is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.evaluation.alignment import Alignment, BoolArray, Int32Array, Int64Array, Trees
from wnparse.treebanks.ud import CONTENT_RELATIONS, universal_part

# Block degree bounds that are always reported.
BLOCK_DEGREES = (1, 2, 3)

Percentage = float | None
IntegerArray = npt.NDArray[np.integer[Any]]


class Tally(NamedTuple):
    """How many items gold and a system have, and how many they have in common."""

    gold: int = 0
    system: int = 0
    right: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return the sum of two tallies."""
        return Tally(*map(sum, zip(self, other, strict=True)))

    @property
    def f1(self) -> Percentage:
        """The harmonic mean of precision and recall, 2 right / (gold + system): accuracy over the same words."""
        return share(2 * self.right, self.gold + self.system)


@dataclass(frozen=True)
class Scores:
    """Attachment scores over some words; percentages are from 0 to 100, or None if there is nothing to count.

    Attributes
    ----------
    sentences : int
        Sentences with at least one scored word.
    words : int
        Scored words, which have a head in gold.
    uas : float or None
        Words with the right head.
    las : float or None
        Words with the right head, and the right relation up to the colon.
    las_subtypes : float or None
        Words with the right head, and the right relation with its subtype.
    clas : float or None
        F1 of arcs with content relations, counted as in LAS.
    uc : float or None
        Sentences in which every scored head is right; None if the words differ.
    lc : float or None
        Sentences in which every scored arc is right as in LAS; None if the words differ.
    """

    sentences: int
    words: int
    uas: Percentage
    las: Percentage
    las_subtypes: Percentage
    clas: Percentage
    uc: Percentage
    lc: Percentage


@dataclass(frozen=True)
class Retrieval:
    """How well a class of arcs is found."""

    gold: int  # arcs of the class in gold
    system: int  # arcs of the class in the system's trees
    precision: Percentage  # of the system's arcs, how many are right
    recall: Percentage  # of gold's arcs, how many the system has
    f1: Percentage  # their harmonic mean


@dataclass(frozen=True)
class Validity:
    """How many trees of an input have a structure, in percent of its complete sentences."""

    projective: Percentage
    single_root: Percentage
    well_nested: Percentage
    block_degree: dict[int, Percentage]  # k -> trees of block degree <= k
    well_nested_block_degree: dict[int, Percentage]  # k -> those that are well-nested too
    max_block_degree: int  # 0 where there is no tree
    valid: Percentage  # trees that satisfy the requested constraint; None if there is none


class Arcs(NamedTuple):
    """The arcs into the scored words of one input."""

    relations: Int32Array  # int32[words], index of the universal part
    content: BoolArray  # bool[words], whether CLAS counts the relation
    distances: Int64Array  # int64[words], |head - modifier|, 0 for a root
    present: BoolArray  # bool[words], whether the word has a head
    nonprojective: BoolArray  # bool[words]


class Comparison(NamedTuple):
    """Gold and one system over the scored words."""

    sentences: Int64Array  # int64[words], the sentence of each word
    named: BoolArray  # bool[words], whether the relation is scored
    gold: Arcs
    system: Arcs
    right_head: BoolArray  # bool[words]
    right_arc: BoolArray  # bool[words], head and universal part of the relation
    right_label: BoolArray  # bool[words], head and whole relation


def share(part: int, whole: int) -> Percentage:
    """Return a percentage, divided first as the official evaluator does: the last bit depends on it."""
    return 100 * (part / whole) if whole else None


def count(flags: BoolArray) -> int:
    """Count the true values."""
    return int(np.count_nonzero(flags))


def compare(aligned: Alignment) -> tuple[list[Comparison], list[str]]:
    """Compare each system with gold over the scored words; return also the names of the universal parts."""
    parts = [universal_part(relation) for relation in aligned.relations]
    names = sorted(set(parts))
    universal = np.array([names.index(part) for part in parts], np.int32)
    content = np.array([part in CONTENT_RELATIONS for part in parts], np.bool_)
    scored, positions = aligned.scored, aligned.positions[aligned.scored]

    def arcs(trees: Trees) -> Arcs:
        heads, relations = trees.heads[scored], trees.relations[scored]
        distances = np.where(heads > 0, np.abs(heads - positions), 0)
        present = heads >= 0
        nonprojective = trees.nonprojective[scored]
        return Arcs(universal[relations], content[relations] & present, distances, present, nonprojective)

    gold_trees, gold, sentences = aligned.gold, arcs(aligned.gold), aligned.sentences[scored]
    named = aligned.named[scored]
    comparisons = []
    for trees in aligned.systems:
        system = arcs(trees)
        right_head = (gold_trees.heads == trees.heads)[scored]
        right_arc = named & right_head & (gold.relations == system.relations)
        right_label = named & right_head & (gold_trees.relations == trees.relations)[scored]
        comparisons.append(Comparison(sentences, named, gold, system, right_head, right_arc, right_label))
    return comparisons, names


def scores(
    comparison: Comparison, chosen: BoolArray | slice = slice(None), more: Mapping[str, Tally] | None = None
) -> Scores:
    """Score the chosen words, which must be those of whole sentences.

    Parameters
    ----------
    comparison : Comparison
        The words that are the same in gold and the system.
    chosen : bool[words], optional
        Which of them to score.
    more : mapping, optional
        Counts of other words, by the names of the scores, and of all ``sentences``.
    """
    sentences = comparison.sentences[chosen]
    right_head, right_arc = comparison.right_head[chosen], comparison.right_arc[chosen]
    named = comparison.named[chosen]
    gold_content, system_content = (arcs.content[chosen] & named for arcs in (comparison.gold, comparison.system))
    words, relations = len(sentences), count(named)
    present, with_relations = len(np.unique(sentences)), len(np.unique(sentences[named]))
    tallies = {
        "uas": Tally(words, words, count(right_head)),
        "las": Tally(relations, relations, count(right_arc)),
        "las_subtypes": Tally(relations, relations, count(comparison.right_label[chosen])),
        "clas": Tally(count(gold_content), count(system_content), count(gold_content & right_arc)),
    }
    if more is not None:
        tallies = {name: tally.plus(more[name]) for name, tally in tallies.items()}
    return Scores(
        sentences=present if more is None else more["sentences"].gold,
        words=tallies["uas"].gold,
        **{name: tally.f1 for name, tally in tallies.items()},
        uc=share(present - len(np.unique(sentences[~right_head])), present) if more is None else None,
        lc=share(with_relations - len(np.unique(sentences[named & ~right_arc])), with_relations)
        if more is None
        else None,
    )


def validity(trees: Trees, block_degree: int | None, well_nested: bool, single_root: bool = False) -> Validity:
    """Measure what percentage of trees has each structure."""
    degrees, nested, total = trees.block_degrees, trees.well_nested, len(trees.roots)
    bounds = sorted({*BLOCK_DEGREES, block_degree or 1})
    satisfied = degrees <= (block_degree or np.inf)
    if well_nested:
        satisfied &= nested
    if single_root:
        satisfied &= trees.roots == 1
    constrained = well_nested or single_root or block_degree is not None
    return Validity(
        projective=share(count(degrees == 1), total),
        single_root=share(count(trees.roots == 1), total),
        well_nested=share(count(nested), total),
        block_degree={k: share(count(degrees <= k), total) for k in bounds},
        well_nested_block_degree={k: share(count(nested & (degrees <= k)), total) for k in bounds},
        max_block_degree=int(degrees.max(initial=0)),
        valid=share(count(satisfied), total) if constrained else None,
    )


def retrievals(
    gold: IntegerArray, system: IntegerArray, present: BoolArray, right: BoolArray, classes: int
) -> list[Retrieval]:
    """Measure precision and recall of each class of arcs, given each arc's class in gold and in the system.

    Words that are not `present` have no arc in the system.
    """
    parts = (gold, system[present], gold[right], system[right])
    counts = [np.bincount(values, minlength=classes) for values in parts]
    return [retrieval(*row) for row in np.stack(counts, axis=1).tolist()]


def retrieval(gold: int, system: int, recalled: int, right: int) -> Retrieval:
    """Measure a class: the system has `recalled` arcs of gold, and `right` arcs of the system are in gold."""
    precision, recall = share(right, system), share(recalled, gold)
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Retrieval(gold, system, precision, recall, f1)


def nonprojective_arcs(comparison: Comparison) -> Retrieval:
    """Measure precision and recall of arcs that are non-projective in their own tree.

    Precision: of the arcs that are non-projective in the system's tree, those that gold has. Recall: of the
    arcs that are non-projective in gold, those that the system has. The other tree need not make them
    non-projective too, and relations do not count.
    """
    gold, system = comparison.gold.nonprojective, comparison.system.nonprojective
    return retrievals(
        gold.astype(np.int8), system.astype(np.int8), comparison.system.present, comparison.right_head, 2
    )[1]


def confusion(pairs: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Return words by class in gold, then in the system, given their numbers by pair; the most frequent first."""
    rows: dict[str, Counter[str]] = {}
    for (gold, system), words in pairs.items():
        rows.setdefault(gold, Counter())[system] = words
    order = sorted(rows, key=lambda name: (-rows[name].total(), name))
    return {name: dict(sorted(rows[name].items(), key=lambda item: (-item[1], item[0]))) for name in order}
