"""Cross-validation: each fold of a treebank parsed by models of the others; folds, seeds and settings are tasks.

Tasks are independent of each other (`wnparse.crossval.fold_task`), and are done wherever somebody runs them: what
comes of them does not depend on where or in which order. Means and deviations are those of the scores of folds and
seeds: the deviation, sqrt(sum (x - mean)² / (count - 1)), tells how much one score may be off, not how much their
mean is.
"""

from __future__ import annotations

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
from wnparse.treebanks.sentence import Sentence, parse_sentence

TREE_SCORES = tuple(each.name for each in fields(Scores) if each.name not in ("sentences", "words"))
HEAD_SCORES = ("uas", "uc")
TAG_SCORES = tuple(each.name for each in fields(TagScores) if each.name != "words")

Run = Callable[[Sequence[Call]], Iterator[Outcome]]


@dataclass(frozen=True)
class Summary:
    """A score over folds and seeds."""

    mean: float
    deviation: float | None  # None of a single score


@dataclass
class CrossValidation:
    """A treebank, what is tried on it, and what has come of it so far."""

    sentences: list[Sentence]  # with words
    fold_of: Int32Array
    folds: int
    settings: list[TrainOptions]
    seeds: list[int]
    opinions: bool = False
    results: dict[Key, HeldOut] = field(default_factory=dict)
    failures: dict[Key, Exception] = field(default_factory=dict)

    @property
    def tags(self) -> bool:
        """Whether taggers are learned."""
        return any(options.tagger for options in self.settings)

    def tasks(self) -> list[Task]:
        """All tasks, setting by setting, seed by seed."""
        return [
            Task(number, replace(options, seed=seed), fold, self.opinions)
            for number, options in enumerate(self.settings)
            for seed in self.seeds
            for fold in range(self.folds)
        ]

    def run(self, run: Run) -> Iterator[Task]:
        """Do all tasks, and yield each when it is over."""
        data, tasks = pack(self.sentences, self.fold_of), self.tasks()
        try:
            for outcome in run([Call(task, hold_out, (data, task)) for task in tasks]):
                task = outcome.call.label
                if outcome.error is None:
                    self.results[task.key] = outcome.value
                else:
                    self.failures[task.key] = outcome.error
                yield task
        except ClusterError as error:  # what was finished before is not lost
            for task in tasks:
                if task.key not in self.results and task.key not in self.failures:
                    self.failures[task.key] = error
                    yield task

    def inside(self, fold: int) -> list[int]:
        """The places of the sentences of a fold."""
        found: list[int] = np.flatnonzero(self.fold_of == fold).tolist()
        return found

    def scores(self, setting: int) -> dict[str, list[float]]:
        """The scores of a setting in the folds and seeds that are done; those that no tree has are left out."""
        tasks = [task for task in self.tasks() if task.setting == setting and task.key in self.results]
        done = [self.results[task.key] for task in tasks]
        asked = TREE_SCORES if self.settings[setting].labelled else HEAD_SCORES
        found = {name: [getattr(each.scores, name) for each in done] for name in asked}
        if self.settings[setting].tagger:
            found |= {name: [getattr(each.tags, name) for each in done] for name in TAG_SCORES}
        known = {name: [value for value in values if value is not None] for name, values in found.items()}
        return {name: values for name, values in known.items() if values}

    def summary(self, setting: int) -> dict[str, Summary]:
        """Mean and deviation of each score of a setting."""
        return {
            name: Summary(statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None)
            for name, values in self.scores(setting).items()
        }

    def predictions(self, seed: int) -> list[bytes]:
        """Each sentence of the treebank as a model of the first setting parsed it that did not see it."""
        found = [b""] * len(self.sentences)
        for task in self._of(seed):
            for i, raw in zip(self.inside(task.fold), self.results[task.key].trees, strict=True):
                found[i] = raw
        return found

    def suspects(self, most: int | None = MOST, least: float = RATE) -> list[Suspect]:
        """The words whose annotation models of the first setting doubt the most."""
        opinions, trees = [], []
        for seed in self.seeds:
            by_place = {
                i: opinion
                for task in self._of(seed)
                for i, opinion in zip(self.inside(task.fold), self.results[task.key].opinions, strict=True)
            }
            opinions.append([by_place[i] for i in range(len(self.sentences))])
            trees.append([parse_sentence(raw) for raw in self.predictions(seed)])
        return find_suspects(self.sentences, opinions, trees, most, least)

    def _of(self, seed: int) -> list[Task]:
        return [task for task in self.tasks() if task.setting == 0 and task.options.seed == seed]


def cross_validation(
    sentences: Iterable[Sentence],
    settings: Sequence[TrainOptions],
    *,
    folds: int,
    seeds: Sequence[int],
    opinions: bool = False,
) -> CrossValidation:
    """Prepare a cross-validation; nothing is learned yet.

    Parameters
    ----------
    sentences : iterable of Sentence
        With heads; those without words are left out.
    settings : sequence of TrainOptions
        What is compared; their seeds do not count.
    folds : int
        How many parts the treebank is cut into (`wnparse.treebanks.folds`).
    seeds : sequence of int
        Each fold is parsed by a model of each seed.
    opinions : bool
        Whether models say what they think of the annotation, so that there are suspects.

    Raises
    ------
    TreebankError
        If there are fewer sentences than folds.
    """
    given = [sentence for sentence in sentences if len(sentence)]
    if not given:
        raise TreebankError("no sentences to cut into folds; expected a treebank with heads")
    return CrossValidation(given, split_folds(given, folds), folds, list(settings), list(seeds), opinions)


def make_grid(base: TrainOptions, choices: dict[str, Sequence[Any]]) -> list[TrainOptions]:
    """All combinations of choices of options, the first changing slowest; ValueError if one makes no sense."""
    names = list(choices)
    return [
        replace(base, **dict(zip(names, values, strict=True))).complete()
        for values in itertools.product(*choices.values())
    ]
