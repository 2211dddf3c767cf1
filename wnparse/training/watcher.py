"""What watches a training run: it shows progress, keeps logs and checkpoints, and may stop the run."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    from wnparse.neural.training import NetworkTrainer
    from wnparse.parser.model import Model
    from wnparse.tagger.tagger import Tagger
    from wnparse.tagger.training import Lessons
    from wnparse.tokenizer.tokenizer import Tokenizer
    from wnparse.training.jackknife import JackKnifed
    from wnparse.training.joint_weight import LearnedWeight
    from wnparse.training.neural_sum import LearnedSum
    from wnparse.training.options import TrainOptions
    from wnparse.training.pruner import PrunedTreebank
    from wnparse.training.trainer import Trainer


@dataclass(frozen=True)
class Progress:
    """The figures of an epoch; percentages from 0 to 100."""

    epoch: int
    updates: int  # sentences that changed the weights
    features: int
    train_uas: float
    train_las: float | None
    dev_uas: float | None
    dev_las: float | None
    seconds: float
    words_per_second: float
    best: bool


@dataclass(frozen=True)
class NetworkProgress:
    """The figures of an epoch of a network."""

    epoch: int
    epochs: int
    loss: float  # mean cross-entropy of a head, plus that of a label
    words: int
    seconds: float


class TrainingWatcher:
    """Lets a run go on in silence; subclasses override what they need."""

    def is_stopped(self) -> bool:
        """Return whether the run shall stop; called after each sentence."""
        return False

    def stage(self, name: str, words: int) -> contextlib.AbstractContextManager[object]:
        """Surround a part of the run that goes through so many words."""
        return contextlib.nullcontext()

    def on_words(self, words: int, right: int | None = None) -> None:
        """Note sentences of the running stage: their words, and how many heads were right, if that is known."""

    def on_notice(self, message: str) -> None:
        """Note something that the user should know."""

    def on_tokenizer(self, tokenizer: Tokenizer, seconds: float) -> None:
        """Note the finished tokenizer."""

    def on_lessons(self, lessons: Lessons) -> None:
        """Note the treebank that a tagger is about to be trained on."""

    def on_tagger(self, tagger: Tagger, dev: Sequence[Sentence] | None, seconds: float) -> None:
        """Note the finished tagger of a model that only tags."""

    def load_tags(
        self, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
    ) -> JackKnifed | None:
        """Return a tagger and tags that an interrupted run of the same data and options has kept."""
        return None

    def on_tags(
        self,
        tagged: JackKnifed,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        options: TrainOptions,
        seconds: float,
    ) -> None:
        """Note a tagger, and the tags that it gave to the treebank."""

    def on_start(self, trainer: Trainer) -> None:
        """Prepare for a run of the parser; it may continue from a checkpoint."""

    def on_pruner(self, pruned: PrunedTreebank, seconds: float) -> None:
        """Note the pruner of a parser of higher order."""

    def on_epoch(self, trainer: Trainer, progress: Progress) -> None:
        """Note the end of an epoch."""

    def save(self, trainer: Trainer) -> None:
        """Save the state of the run, if it has checkpoints."""

    def on_parser(self, trainer: Trainer, model: Model, dev: Sequence[Sentence] | None) -> None:
        """Note the finished parser; `dev` has gold tags."""

    def on_joint_weight(self, model: Model, learned: LearnedWeight | None) -> None:
        """Note the weight of tags against trees."""

    def on_network_start(self, run: NetworkTrainer) -> None:
        """Prepare for the training of a network; it may continue from a checkpoint."""

    def save_network(self, run: NetworkTrainer) -> None:
        """Save the state of the training of a network, if there are checkpoints."""

    def on_network(self, progress: NetworkProgress) -> None:
        """Note the end of an epoch of a network."""

    def on_sum(self, model: Model, learned: LearnedSum) -> None:
        """Note what was learned of the sum of linear model and network."""
