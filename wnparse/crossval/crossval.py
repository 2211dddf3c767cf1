"""Cross-validation: each fold of a treebank is parsed by models of the others; one task per setting, seed, fold.

Tasks are independent of each other (`wnparse.crossval.fold_task`): their results do not depend on where or in
which order they run. Means and deviations are those of the scores of folds and seeds. The deviation, sqrt(sum (x -
mean)² / (count - 1)), is that of a single score, not of the mean.
"""

from __future__ import annotations

import functools
import itertools
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from wnparse.cluster.calls import Call, Outcome
from wnparse.crossval.fold_task import HeldOut, Key, Task, hold_out, pack
from wnparse.crossval.suspects.find import MOST, RATE, Suspect, find_suspects
from wnparse.errors import ClusterError, TreebankError
from wnparse.evaluation.metrics import Scores
from wnparse.evaluation.tag_scores import TagScores
from wnparse.training.options import TrainOptions
from wnparse.treebanks.folds import Int32Array, split_folds
from wnparse.treebanks.partial import Annotated, count_annotated
from wnparse.treebanks.sentence import Sentence, is_filled, parse_sentence

TREE_SCORES = tuple(score.name for score in fields(Scores) if score.name not in ("sentences", "words"))
HEAD_SCORES = ("uas", "uc")
TAG_SCORES = tuple(score.name for score in fields(TagScores) if score.name != "words")

Run = Callable[[Sequence[Call]], Iterator[Outcome]]


@dataclass(frozen=True)
class ScoreSummary:
    """A score over folds and seeds."""

    mean: float
    deviation: float | None  # None if there is only one score


@dataclass
class CrossValidation:
    """A treebank, the settings to compare, and the results so far."""

    sentences: list[Sentence]  # with words
    fold_of: Int32Array
    folds: int
    settings: list[TrainOptions]
    seeds: list[int]
    features: bool = False
    results: dict[Key, HeldOut] = field(default_factory=dict)
    failures: dict[Key, Exception] = field(default_factory=dict)

    @property
    def tags(self) -> bool:
        """Whether taggers are trained: they are by default, if the treebank has tags."""
        return is_filled(self.sentences, "upos") and any(options.only is None for options in self.settings)

    @functools.cached_property
    def annotated(self) -> Annotated:
        """How many words and sentences are annotated."""
        return count_annotated(self.sentences)

    def tasks(self) -> list[Task]:
        """Return all tasks, setting by setting, seed by seed."""
        return [
            Task(number, replace(options, seed=seed), fold, self.features)
            for number, options in enumerate(self.settings)
            for seed in self.seeds
            for fold in range(self.folds)
        ]

    def run(self, run: Run) -> Iterator[Task]:
        """Do all tasks, and yield each when it is finished."""
        data, tasks = pack(self.sentences, self.fold_of), self.tasks()
        try:
            for outcome in run([Call(task, hold_out, (data, task)) for task in tasks]):
                task = outcome.call.label
                if outcome.error is None:
                    self.results[task.key] = outcome.value
                else:
                    self.failures[task.key] = outcome.error
                yield task
        except ClusterError as error:  # finished tasks are not lost
            for task in tasks:
                if task.key not in self.results and task.key not in self.failures:
                    self.failures[task.key] = error
                    yield task

    def inside(self, fold: int) -> list[int]:
        """Return the indices of the sentences of a fold."""
        indices: list[int] = np.flatnonzero(self.fold_of == fold).tolist()
        return indices

    def summary(self, setting: int) -> dict[str, ScoreSummary]:
        """Return the scores of a setting over the finished folds and seeds, without those that no tree has."""
        options = self.settings[setting]
        results = [result for (number, _, _), result in sorted(self.results.items()) if number == setting]
        names = TREE_SCORES if options.labelled else HEAD_SCORES
        values = {name: [getattr(result.scores, name) for result in results] for name in names}
        if self.tags and options.only is None:
            values |= {name: [getattr(result.tags, name) for result in results] for name in TAG_SCORES}
        summaries = {}
        for name in values:
            known = [value for value in values[name] if value is not None]
            if known:
                deviation = statistics.stdev(known) if len(known) > 1 else None
                summaries[name] = ScoreSummary(statistics.fmean(known), deviation)
        return summaries

    def predictions(self, seed: int) -> list[bytes]:
        """Return the treebank as parsed by the models of the first setting that were not trained on a sentence."""
        return self._in_order(seed, "trees")

    def suspects(self, most: int | None = MOST, least: float = RATE) -> list[Suspect]:
        """Find the words whose annotation is the most doubtful for models of the first setting."""
        features = [self._in_order(seed, "features") for seed in self.seeds]
        trees = [[parse_sentence(raw) for raw in self.predictions(seed)] for seed in self.seeds]
        return find_suspects(self.sentences, features, trees, most, least)

    def _in_order(self, seed: int, attribute: str) -> list[Any]:
        """Return an attribute of the results of the first setting, one value per sentence."""
        values: dict[int, Any] = {}
        for fold in range(self.folds):
            of_fold = getattr(self.results[0, seed, fold], attribute)
            values |= dict(zip(self.inside(fold), of_fold, strict=True))
        return [values[i] for i in range(len(self.sentences))]


def cross_validation(
    sentences: Iterable[Sentence],
    settings: Sequence[TrainOptions],
    *,
    folds: int,
    seeds: Sequence[int],
    features: bool = False,
) -> CrossValidation:
    """Prepare a cross-validation; nothing is trained yet.

    Parameters
    ----------
    sentences : iterable of Sentence
        With heads, at least of some words; those without words are left out.
    settings : sequence of TrainOptions
        The settings to compare; their seeds are ignored.
    folds : int
        Number of parts of the treebank (`wnparse.treebanks.folds`).
    seeds : sequence of int
        Each fold is parsed by one model per seed.
    features : bool
        Whether to compute the features that `CrossValidation.suspects` needs.

    Raises
    ------
    TreebankError
        If there are fewer sentences than folds, or if no word has a head.
    ValueError
        If a setting trains only a tagger or a tokenizer.
    """
    if any(options.only in ("tagger", "tokenizer") for options in settings):
        raise ValueError("cross-validation trains parsers; expected only='parser', or None for tagger and parser")
    with_words = [sentence for sentence in sentences if len(sentence)]
    if not with_words:
        raise TreebankError("no sentences to cut into folds; expected a treebank with heads")
    if not any((sentence.heads[1:] >= 0).any() for sentence in with_words):
        raise TreebankError("no word has a head to learn from; expected a treebank with heads")
    fold_of = split_folds(with_words, folds)
    return CrossValidation(with_words, fold_of, folds, list(settings), list(seeds), features)


def make_grid(base: TrainOptions, choices: dict[str, Sequence[Any]]) -> list[TrainOptions]:
    """Return all combinations of options, the first changing slowest; ValueError if one is not valid."""
    names = list(choices)
    return [
        replace(base, **dict(zip(names, values, strict=True))).complete()
        for values in itertools.product(*choices.values())
    ]
