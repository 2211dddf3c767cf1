"""Evaluation of one or more systems against gold trees: scores, validity, breakdowns, significance.

Breakdowns follow McDonald & Nivre 2007, *Characterizing the Errors of Data-Driven Dependency Parsing Models*,
section 4. The numbers are defined in `wnparse.evaluation.metrics`, the test in `wnparse.evaluation.significance`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wnparse.errors import TreebankError
from wnparse.evaluation.alignment import Alignment, Int64Array, Watcher, align
from wnparse.evaluation.metrics import (
    Comparison,
    Percentage,
    Retrieval,
    Scores,
    Validity,
    compare,
    confusion,
    count,
    nonprojective_arcs,
    retrievals,
    scores,
    share,
    validity,
)
from wnparse.evaluation.significance import randomisation_p_value
from wnparse.evaluation.tag_scores import TagScores, TagWatcher
from wnparse.treebanks.inputs import Treebank
from wnparse.treebanks.partial import NOTHING, Annotated
from wnparse.treebanks.ud import RELATIONS, universal_part

BREAKDOWNS = ("length", "relation", "distance", "confusion", "upos")
# Inclusive upper ends of the bins; one more bin holds what is longer.
LENGTHS = (10, 20, 30, 40, 50)
DISTANCES = (1, 2, 3, 6, 10, 20)


@dataclass(frozen=True)
class Difference:
    """A difference from the first system, and the p-value of approximate randomisation over sentences."""

    difference: Percentage  # percentage points, positive if this system is better
    p_value: float


@dataclass(frozen=True)
class SystemEvaluation:
    """The results of one system."""

    scores: Scores
    nonprojective: Retrieval
    validity: Validity
    by_length: dict[str, Scores]  # breakdowns that were not requested are empty
    by_relation: dict[str, Retrieval]
    by_distance: dict[str, Retrieval]
    tags: TagScores
    unseen_tags: TagScores | None  # of words that are not in the training set, if one was given
    by_upos: dict[str, Retrieval]
    tag_confusion: dict[str, dict[str, int]]  # words by UPOS in gold, then in the system; with by_upos
    by_confusion: dict[str, dict[str, int]]  # words by relation in gold, then in the system; heads do not count
    significance: dict[str, Difference]  # uas and las; empty for the first system


@dataclass(frozen=True)
class Evaluation:
    """Gold and the systems compared with it."""

    sentences: int
    words: int  # ignored ones included
    gold: Validity
    systems: list[SystemEvaluation]
    foreign_relations: tuple[str, ...] = ()  # those of any input, up to the colon, that are not UD's
    annotated: Annotated = field(default_factory=Annotated)  # in gold
    missing: tuple[int, ...] = ()  # per system, the words without a head


def evaluate(
    gold: Treebank,
    systems: Sequence[Treebank],
    *,
    ignore_upos: Collection[str] = (),
    ignore_xpos: Collection[str] = (),
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    by: Collection[str] = (),
    trials: int = 10_000,
    seed: int = 1,
    known: Collection[str] | None = None,
    names: Sequence[str] = (),
    watch: Watcher | None = None,
    skip: Callable[[TreebankError], object] | None = None,
) -> Evaluation:
    """Compare the trees of one or more systems with gold trees.

    Parameters
    ----------
    gold : iterable of Sentence or conllu.TokenList
        The trees to compare with. Words without a head are not scored, and those without a relation only for
        their heads.
    systems : sequence of such iterables
        Trees over the same words in the same order. A word without a head is wrong.
    ignore_upos, ignore_xpos : collection of str
        Words with such a tag in gold are not scored: punctuation, for example. Validity counts whole trees.
    block_degree, well_nested, single_root : int, bool, bool
        Report the percentage of trees that satisfy this constraint.
    by : collection of {"length", "relation", "distance", "confusion", "upos"}
        The breakdowns to compute.
    trials, seed : int
        For the significance of differences between systems.
    known : collection of str, optional
        The forms of a training set; the tags of other words are also scored separately.
    names : sequence of str
        Names of gold and the systems for messages about inputs without sentences.
    watch : callable, optional
        Called with each sentence of gold and the systems, and which of its words are scored.
    skip : callable, optional
        Called with the error of a `wnparse.treebanks.sentence.BadSentence` of any input; it is then left out of
        all of them.

    Raises
    ------
    TreebankError
        At the first word or sentence that differs, with both places.

    Examples
    --------
    >>> from wnparse.treebanks.reader import read
    >>> evaluate(read("gold.conllu"), [read("system.conllu")]).systems[0].scores.uas  # doctest: +SKIP
    91.25
    """
    if not systems:
        raise ValueError("no system to evaluate; expected at least one")
    if unknown := sorted(set(by) - set(BREAKDOWNS)):
        raise ValueError(f"unknown breakdown: {', '.join(unknown)}; expected {', '.join(BREAKDOWNS)}")
    tags = TagWatcher(len(systems), known)
    watchers: list[Watcher] = [tags, watch] if watch else [tags]
    aligned = align(
        gold, systems, ignore_upos=ignore_upos, ignore_xpos=ignore_xpos, names=names, watchers=watchers, skip=skip
    )
    comparisons, relations = compare(aligned)
    lengths = aligned.lengths
    none: list[dict[str, Any]] = [{} for _ in systems]
    by_length = _by_length(comparisons, lengths) if "length" in by else none
    by_relation = _by_relation(comparisons, relations) if "relation" in by else none
    by_distance = _by_distance(comparisons) if "distance" in by else none
    evaluations = [
        SystemEvaluation(
            scores=scores(comparison),
            nonprojective=nonprojective_arcs(comparison),
            validity=validity(trees, block_degree, well_nested, single_root),
            by_length=by_length[index],
            by_relation=by_relation[index],
            by_distance=by_distance[index],
            tags=tags.scores(index),
            unseen_tags=tags.unseen(index),
            by_upos=tags.by_upos(index) if "upos" in by else {},
            tag_confusion=tags.confusion(index) if "upos" in by else {},
            by_confusion=_confusion(comparison, relations) if "confusion" in by else {},
            significance=_differences(comparisons[0], comparison, trials, (seed, index)) if index else {},
        )
        for index, (comparison, trees) in enumerate(zip(comparisons, aligned.systems, strict=True))
    ]
    gold_validity = validity(aligned.gold, block_degree, well_nested, single_root)
    parts = map(universal_part, aligned.relations)
    annotated, missing = aligned.gold.annotated, _count_missing(aligned)
    known_parts = {*RELATIONS, NOTHING} if annotated.partial or any(missing) else RELATIONS
    foreign = tuple(dict.fromkeys(name for name in parts if name not in known_parts))
    words = int(lengths.sum())
    return Evaluation(len(lengths), words, gold_validity, evaluations, foreign, annotated, missing)


def _count_missing(aligned: Alignment) -> tuple[int, ...]:
    """Count the words of each system that have no head."""
    return tuple(trees.annotated.words - trees.annotated.heads for trees in aligned.systems)


def _bin_names(ends: Sequence[int]) -> list[str]:
    """Name the bins with these upper ends: 1-10, 11-20, >20."""
    starts = [1, *(end + 1 for end in ends[:-1])]
    names = [f"{low}-{high}" if low < high else str(high) for low, high in zip(starts, ends, strict=True)]
    return [*names, f">{ends[-1]}"]


def _by_length(comparisons: list[Comparison], lengths: Int64Array) -> list[dict[str, Scores]]:
    """Score words by the length of their sentence, which includes words that are not scored."""
    bins = np.searchsorted(LENGTHS, lengths)
    names = _bin_names(LENGTHS)
    rows = [
        [scores(comparison, bins[comparison.sentences] == number) for number in range(len(names))]
        for comparison in comparisons
    ]
    return [{name: binned for name, binned in zip(names, row, strict=True) if binned.words} for row in rows]


def _by_relation(comparisons: list[Comparison], names: list[str]) -> list[dict[str, Retrieval]]:
    """Measure arcs by the universal part of their relation, right as in LAS; the most frequent in gold first."""
    rows = []
    for comparison in comparisons:
        named = comparison.named
        gold, system = comparison.gold.relations[named], comparison.system.relations[named]
        present, right = comparison.system.present[named], comparison.right_arc[named]
        rows.append(retrievals(gold, system, present, right, len(names)))
    order = sorted(range(len(names)), key=lambda number: (-rows[0][number].gold, names[number]))
    return _named(rows, names, order)


def _by_distance(comparisons: list[Comparison]) -> list[dict[str, Retrieval]]:
    """Measure arcs by the distance of head and modifier, right as in UAS; those from the root are one class."""
    names = ["root", *_bin_names(DISTANCES)]
    rows = []
    for comparison in comparisons:
        gold, system = (
            np.searchsorted((0, *DISTANCES), arcs.distances) for arcs in (comparison.gold, comparison.system)
        )
        rows.append(retrievals(gold, system, comparison.system.present, comparison.right_head, len(names)))
    return _named(rows, names, range(len(names)))


def _confusion(comparison: Comparison, names: list[str]) -> dict[str, dict[str, int]]:
    """Count words by the universal part of their relation in gold and in the system."""
    gold, system = (arcs.relations[comparison.named] for arcs in (comparison.gold, comparison.system))
    cells = gold.astype(np.int64) * len(names) + system
    numbers, counts = np.unique(cells, return_counts=True)
    pairs = [(names[number // len(names)], names[number % len(names)]) for number in numbers.tolist()]
    return confusion(dict(zip(pairs, counts.tolist(), strict=True)))


def _named(rows: list[list[Retrieval]], names: list[str], order: Sequence[int]) -> list[dict[str, Retrieval]]:
    """Name the classes that gold or any system has, the same ones for every system."""
    seen = [number for number in order if any(row[number].gold or row[number].system for row in rows)]
    return [{names[number]: row[number] for number in seen} for row in rows]


def _differences(
    first: Comparison, other: Comparison, trials: int, seed: tuple[int, int]
) -> dict[str, Difference]:
    """Compare UAS and LAS with the first system; each has its own seed, so that further systems change nothing."""
    metrics = {
        "uas": (first.right_head, other.right_head, len(first.named)),
        "las": (first.right_arc, other.right_arc, count(first.named)),
    }
    result = {}
    for number, (metric, (before, after, words)) in enumerate(metrics.items()):
        differences = np.bincount(other.sentences, after.astype(np.int8) - before).astype(np.int64)
        p_value = randomisation_p_value(differences, trials=trials, seed=(*seed, number))
        result[metric] = Difference(share(int(differences.sum()), words), p_value)
    return result
