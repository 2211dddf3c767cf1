"""Evaluation of one or more systems against gold trees: scores, validity, breakdowns, significance.

Breakdowns follow McDonald & Nivre 2007, *Characterizing the Errors of Data-Driven Dependency Parsing Models*,
section 4. The numbers are defined in `wnparse.evaluation.metrics`, the test in `wnparse.evaluation.significance`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from wnparse.errors import TreebankError
from wnparse.evaluation.alignment import Int64Array, Watcher, align
from wnparse.evaluation.metrics import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    Comparison,
    IntegerArray,
    Percentage,
    Retrieval,
    Scores,
    Validity,
    compare,
    nonprojective_arcs,
    retrievals,
    scores,
    share,
    universal_part,
    validity,
)
from wnparse.evaluation.significance import randomisation_p_value
from wnparse.evaluation.tag_scores import TagScores, TagWatcher
from wnparse.treebanks.parallel import Treebank
from wnparse.treebanks.sentence import Sentence

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
    """Everything that is known of one system."""

    scores: Scores
    nonprojective: Retrieval
    validity: Validity
    by_length: dict[str, Scores]  # breakdowns that were not asked for are empty
    by_relation: dict[str, Retrieval]
    by_distance: dict[str, Retrieval]
    tags: TagScores
    unseen_tags: TagScores | None  # of words that a training set does not have, if one was given
    by_upos: dict[str, Retrieval]
    tag_confusion: dict[str, dict[str, int]]  # from gold's UPOS to the system's to words; with by_upos
    by_confusion: dict[str, dict[str, int]]  # from gold's relation to the system's to words, whatever their heads
    significance: dict[str, Difference]  # uas and las; empty for the first system


@dataclass(frozen=True)
class Evaluation:
    """Gold and the systems compared with it."""

    sentences: int
    words: int  # ignored ones included
    gold: Validity
    systems: list[SystemEvaluation]
    foreign_relations: tuple[str, ...] = ()  # those of any input, up to the colon, that are not UD's


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
        The trees to compare with.
    systems : sequence of such iterables
        Trees over the same words in the same order.
    ignore_upos, ignore_xpos : collection of str
        Words with such a tag in gold are not scored: punctuation, for example. Validity counts whole trees.
    block_degree, well_nested, single_root : int, bool, bool
        The constraint whose validity is reported.
    by : collection of {"length", "relation", "distance", "confusion", "upos"}
        The breakdowns wanted.
    trials, seed : int
        For the significance of differences between systems.
    known : collection of str, optional
        The forms of a training set; tags of other words are scored by themselves as well.
    names : sequence of str
        What messages call gold and the systems where they have no sentence to name.
    watch : callable, optional
        Sees the same sentence of gold and each system, and which of its words are scored, as they pass.
    skip : callable, optional
        Called with the error of a `wnparse.treebanks.sentence.BadSentence` of any input; it is then left out of
        all of them.

    Raises
    ------
    TreebankError
        At the first word or sentence that differs, with both places; at a word without head.

    Examples
    --------
    >>> from wnparse.treebanks.reader import read
    >>> evaluate(read("gold.conllu"), [read("system.conllu")]).systems[0].scores.uas  # doctest: +SKIP
    91.25
    """
    if not systems:
        raise ValueError("no system to evaluate; expected at least one")
    if unknown := sorted(set(by) - set(BREAKDOWNS)):
        raise ValueError(f"no breakdown by {', '.join(unknown)}; expected {', '.join(BREAKDOWNS)}")
    tags = TagWatcher(len(systems), known)

    def watch_all(sentences: list[Sentence], scored: bytes) -> None:
        tags(sentences, scored)
        if watch is not None:
            watch(sentences, scored)

    aligned = align(
        gold,
        systems,
        ignore_upos=ignore_upos,
        ignore_xpos=ignore_xpos,
        names=names,
        watch=watch_all,
        skip=skip,
    )
    comparisons, relations = compare(aligned)
    lengths = aligned.lengths
    by_length = _by_length(comparisons, lengths) if "length" in by else []
    by_relation = _by_relation(comparisons, relations) if "relation" in by else []
    by_distance = _by_distance(comparisons) if "distance" in by else []
    by_confusion = _by_confusion(comparisons, relations) if "confusion" in by else []
    evaluations = [
        SystemEvaluation(
            scores=scores(comparison),
            nonprojective=nonprojective_arcs(comparison),
            validity=validity(trees, block_degree, well_nested, single_root),
            by_length=by_length[index] if by_length else {},
            by_relation=by_relation[index] if by_relation else {},
            by_distance=by_distance[index] if by_distance else {},
            tags=tags.scores(index),
            unseen_tags=tags.unseen(index),
            by_upos=tags.by_upos(index) if "upos" in by else {},
            tag_confusion=tags.confusion(index) if "upos" in by else {},
            by_confusion=by_confusion[index] if by_confusion else {},
            significance=_differences(comparisons[0], comparison, len(lengths), trials, (seed, index))
            if index
            else {},
        )
        for index, (comparison, trees) in enumerate(zip(comparisons, aligned.systems, strict=True))
    ]
    gold_validity = validity(aligned.gold, block_degree, well_nested, single_root)
    known = CONTENT_RELATIONS | FUNCTION_RELATIONS
    foreign = tuple(dict.fromkeys(name for name in map(universal_part, aligned.relations) if name not in known))
    return Evaluation(len(lengths), int(lengths.sum()), gold_validity, evaluations, foreign)


def _bin_names(ends: Sequence[int]) -> list[str]:
    """Names of the bins with these upper ends: 1-10, 11-20, >20."""
    starts = [1, *(end + 1 for end in ends[:-1])]
    names = [f"{low}-{high}" if low < high else str(high) for low, high in zip(starts, ends, strict=True)]
    return [*names, f">{ends[-1]}"]


def _by_length(comparisons: list[Comparison], lengths: Int64Array) -> list[dict[str, Scores]]:
    """Scores by the length of the sentence, ignored words included in it."""
    bins = np.searchsorted(LENGTHS, lengths)
    rows = []
    for comparison in comparisons:
        chosen = bins[comparison.sentences]
        row = {name: scores(comparison, chosen == number) for number, name in enumerate(_bin_names(LENGTHS))}
        rows.append({name: binned for name, binned in row.items() if binned.words})
    return rows


def _by_relation(comparisons: list[Comparison], names: list[str]) -> list[dict[str, Retrieval]]:
    """Arcs by the universal part of their relation, right as in LAS; the commonest in gold come first."""
    rows = [
        retrievals(comparison.gold.relations, comparison.system.relations, comparison.right_arc, len(names))
        for comparison in comparisons
    ]
    order = sorted(range(len(names)), key=lambda number: (-rows[0][number].gold, names[number]))
    return _named(rows, names, order)


def _by_distance(comparisons: list[Comparison]) -> list[dict[str, Retrieval]]:
    """Arcs by the distance of head and modifier, right as in UAS; arcs from the root, at 0, on their own."""
    names = ["root", *_bin_names(DISTANCES)]

    def bins(distances: IntegerArray) -> IntegerArray:
        return np.searchsorted((0, *DISTANCES), distances)

    rows = [
        retrievals(
            bins(comparison.gold.distances),
            bins(comparison.system.distances),
            comparison.right_head,
            len(names),
        )
        for comparison in comparisons
    ]
    return _named(rows, names, range(len(names)))


def _by_confusion(comparisons: list[Comparison], names: list[str]) -> list[dict[str, dict[str, int]]]:
    """Words by the universal part of their relation in gold and in the system; the commonest come first."""
    rows = []
    for comparison in comparisons:
        cells = comparison.gold.relations.astype(np.int64) * len(names) + comparison.system.relations
        counts = np.bincount(cells, minlength=len(names) ** 2).reshape(len(names), len(names))
        order = sorted(range(len(names)), key=lambda number: (-int(counts[number].sum()), names[number]))
        row = {}
        for gold in order:
            found = sorted(
                np.flatnonzero(counts[gold]).tolist(), key=lambda other: (-int(counts[gold, other]), other)
            )
            if found:
                row[names[gold]] = {names[other]: int(counts[gold, other]) for other in found}
        rows.append(row)
    return rows


def _named(rows: list[list[Retrieval]], names: list[str], order: Sequence[int]) -> list[dict[str, Retrieval]]:
    """Name the same classes for every system: those that gold or any system has."""
    seen = [number for number in order if any(row[number].gold or row[number].system for row in rows)]
    return [{names[number]: row[number] for number in seen} for row in rows]


def _differences(
    first: Comparison, other: Comparison, sentences: int, trials: int, seed: tuple[int, int]
) -> dict[str, Difference]:
    """UAS and LAS less the first system's; each draws on its own, so that a further system alters none."""
    metrics = {"uas": (first.right_head, other.right_head), "las": (first.right_arc, other.right_arc)}
    result = {}
    for number, (metric, (before, after)) in enumerate(metrics.items()):
        gains = np.bincount(other.sentences[after], minlength=sentences)
        differences = gains - np.bincount(other.sentences[before], minlength=sentences)
        p_value = randomisation_p_value(differences, trials=trials, seed=(*seed, number))
        result[metric] = Difference(share(int(differences.sum()), len(after)), p_value)
    return result
