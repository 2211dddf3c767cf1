"""Evaluation of one or more systems against gold trees: scores, validity, breakdowns, significance.

Breakdowns follow McDonald & Nivre 2007, *Characterizing the Errors of Data-Driven Dependency Parsing Models*,
section 4. The numbers are defined in `wnparse.evaluation.metrics`, the test in `wnparse.evaluation.significance`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from wnparse.errors import TreebankError
from wnparse.evaluation.agreement import Agreement, measure_agreement
from wnparse.evaluation.aligned_counts import AlignedCounts
from wnparse.evaluation.alignment import Alignment, Int64Array, Watcher, align
from wnparse.evaluation.metrics import (
    Comparison,
    Percentage,
    Retrieval,
    Scores,
    Tally,
    Validity,
    compare,
    confusion,
    count,
    nonprojective_arcs,
    retrieval,
    retrievals,
    scores,
    share,
    validity,
)
from wnparse.evaluation.significance import randomisation_p_value
from wnparse.evaluation.tag_scores import TagScores, TagWatcher
from wnparse.treebanks.inputs import Treebank
from wnparse.treebanks.parallel import Group
from wnparse.treebanks.partial import NOTHING, Annotated
from wnparse.treebanks.ud import RELATIONS, universal_part

SEGMENTS = ("tokens", "sentences", "words")
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
class Segmentation:
    """How well sentences, tokens and words are found, by their characters."""

    tokens: Retrieval
    sentences: Retrieval
    words: Retrieval


@dataclass(frozen=True)
class SystemEvaluation:
    """The results of one system.

    If sentences, tokens or words differ from gold, scores are F1 over aligned words; there are no breakdowns, no
    significance and no `unseen_tags`.

    Attributes
    ----------
    scores : Scores
        UAS, LAS and others.
    segmentation : Segmentation or None
        F1 of tokens, sentences and words; None if all inputs have the same words.
    nonprojective : Retrieval or None
        Precision and recall of non-projective arcs; None if the words differ.
    validity : Validity
        Percentages of trees that are projective, well-nested, and so on.
    by_length : dict
        Scores by sentence length. Breakdowns that were not requested are empty.
    by_relation : dict
        Precision, recall and F1 by relation.
    by_distance : dict
        Precision, recall and F1 by distance of the head.
    tags : TagScores
        Percentages of right UPOS, XPOS, features and lemmas.
    unseen_tags : TagScores or None
        The percentages of words that are not in the training set, if one was given.
    by_upos : dict
        Precision, recall and F1 by UPOS.
    tag_confusion : dict
        Words by UPOS in gold, then in the system; requested with `by_upos`.
    by_confusion : dict
        Words by relation in gold, then in the system, whatever their heads.
    significance : dict
        Differences in UAS and LAS from the first system; empty for the first system.
    agreement : Agreement or None
        Agreement with gold as with another annotator, and Cohen's kappa; None unless it was requested.
    """

    scores: Scores
    segmentation: Segmentation | None
    nonprojective: Retrieval | None
    validity: Validity
    by_length: dict[str, Scores]
    by_relation: dict[str, Retrieval]
    by_distance: dict[str, Retrieval]
    tags: TagScores
    unseen_tags: TagScores | None
    by_upos: dict[str, Retrieval]
    tag_confusion: dict[str, dict[str, int]]
    by_confusion: dict[str, dict[str, int]]
    significance: dict[str, Difference]
    agreement: Agreement | None = None


@dataclass(frozen=True)
class Evaluation:
    """Gold and the systems compared with it.

    Attributes
    ----------
    sentences : int
        Sentences of gold.
    words : int
        Words of gold, with those that are not scored.
    same_words : bool
        Whether all inputs have the same words in the same sentences.
    gold : Validity
        Percentages of gold trees that are projective, well-nested, and so on.
    systems : list of SystemEvaluation
        The results of each system.
    foreign_relations : tuple of str
        The relations of any input, up to the colon, that Universal Dependencies does not define.
    annotated : Annotated
        How many words of gold have a head and a relation.
    missing : tuple of int
        Words without a head in each system.
    """

    sentences: int
    words: int
    same_words: bool
    gold: Validity
    systems: list[SystemEvaluation]
    foreign_relations: tuple[str, ...] = ()
    annotated: Annotated = field(default_factory=Annotated)
    missing: tuple[int, ...] = ()

    @property
    def scores(self) -> Scores:
        """The scores of the first system."""
        return self.systems[0].scores


def evaluate(
    gold: Treebank,
    *systems: Treebank,
    ignore_upos: Collection[str] = (),
    ignore_xpos: Collection[str] = (),
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    by: Collection[str] = (),
    agreement: bool = False,
    trials: int = 10_000,
    seed: int = 1,
    known: Collection[str] | None = None,
    names: Sequence[str] = (),
    watch: Watcher | None = None,
    skip: Callable[[TreebankError], object] | None = None,
) -> Evaluation:
    """Compare the trees of one or more systems with gold trees, as `wnparse eval` does.

    Parameters
    ----------
    gold : iterable of Sentence, conllu.TokenList or Doc of spaCy
        The trees to compare with. Words without a head are not scored, and those without a relation only for
        their heads.
    *systems : such iterables
        Trees over the same text. A word without a head is wrong. If sentences, tokens or words of any system
        differ from gold, words are aligned by their characters.
    ignore_upos, ignore_xpos : collection of str
        Words with such a tag in gold are not scored: punctuation, for example. Validity counts whole trees.
    block_degree, well_nested, single_root : int, bool, bool
        Report the percentage of trees that satisfy this constraint.
    by : collection of {"length", "relation", "distance", "confusion", "upos"}
        The breakdowns to compute.
    agreement : bool
        Whether to measure how far gold and each system agree, as two annotators.
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

    Returns
    -------
    Evaluation
        Its `systems` have all figures of each system; its `scores` are UAS, LAS and others of the first one.

    Raises
    ------
    TreebankError
        At the first character that differs, with both places.

    Examples
    --------
    >>> from wnparse import Sentence
    >>> gold, system = ([Sentence.from_words(["It", "rains"], heads=heads)] for heads in ([2, 0], [0, 1]))
    >>> evaluate(gold, system).scores.uas
    0.0
    """
    if not systems:
        raise ValueError("no system to evaluate; expected at least one")
    if unknown := sorted(set(by) - set(BREAKDOWNS)):
        raise ValueError(f"unknown breakdown: {', '.join(unknown)}; expected {', '.join(BREAKDOWNS)}")
    tags, segmented = TagWatcher(len(systems), known), [AlignedCounts() for _ in systems]
    watchers: list[Watcher] = [tags, partial(_count_aligned, segmented), *([watch] if watch else [])]
    aligned = align(
        gold, systems, ignore_upos=ignore_upos, ignore_xpos=ignore_xpos, names=names, watchers=watchers, skip=skip
    )
    comparisons, relations = compare(aligned)
    same_words = aligned.same_words
    more = [None if same_words else counts.tallies() for counts in segmented]
    by = by if same_words else ()
    none: list[dict[str, Any]] = [{} for _ in systems]
    by_length = _by_length(comparisons, aligned.lengths) if "length" in by else none
    by_relation = _by_relation(comparisons, relations) if "relation" in by else none
    by_distance = _by_distance(comparisons) if "distance" in by else none
    evaluations = [
        SystemEvaluation(
            scores=scores(comparison, more=more[index]),
            segmentation=_segmentation(more[index]),
            nonprojective=nonprojective_arcs(comparison) if same_words else None,
            validity=validity(trees, block_degree, well_nested, single_root),
            by_length=by_length[index],
            by_relation=by_relation[index],
            by_distance=by_distance[index],
            tags=tags.scores(index, more[index]),
            unseen_tags=tags.unseen(index) if same_words else None,
            by_upos=tags.by_upos(index) if "upos" in by else {},
            tag_confusion=tags.confusion(index) if "upos" in by else {},
            by_confusion=_confusion(comparison, relations) if "confusion" in by else {},
            significance=_differences(comparisons[0], comparison, trials, (seed, index))
            if index and same_words
            else {},
            agreement=measure_agreement(aligned, trees) if agreement and same_words else None,
        )
        for index, (comparison, trees) in enumerate(zip(comparisons, aligned.systems, strict=True))
    ]
    gold_validity = validity(aligned.gold, block_degree, well_nested, single_root)
    parts = map(universal_part, aligned.relations)
    annotated, missing = aligned.gold.annotated, _count_missing(aligned)
    known_parts = {*RELATIONS, NOTHING} if annotated.partial or any(missing) else RELATIONS
    foreign = tuple(dict.fromkeys(name for name in parts if name not in known_parts))
    return Evaluation(
        annotated.sentences, annotated.words, same_words, gold_validity, evaluations, foreign, annotated, missing
    )


def _count_aligned(counts: Sequence[AlignedCounts], group: Group, scored: bytes) -> None:
    """Count sentences of gold and each system."""
    gold, *systems = group.inputs
    for system_counts, sentences in zip(counts, systems, strict=True):
        if group.same_words:
            system_counts.add_same(gold[0], sentences[0])
        else:
            system_counts.add(gold, sentences, scored)


def _segmentation(tallies: dict[str, Tally] | None) -> Segmentation | None:
    if tallies is None:
        return None
    return Segmentation(*(retrieval(*tallies[name], tallies[name].right) for name in SEGMENTS))


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
