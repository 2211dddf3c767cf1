"""Training runs for the tables of learners: one run, looked at after several numbers of epochs."""

from __future__ import annotations

import resource
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import find_decoder
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.metrics import Scores
from wnparse.parser.model import Model
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"
SAMPLE = "sample"


@dataclass(frozen=True)
class Snapshot:
    """A run after some epochs."""

    epoch: int
    model: Model
    seconds: (
        float  # user time of learning from the sentences so far; the first pass and what ends an epoch left out
    )
    words: int  # learned from so far


def treebank_path(name: str, part: str) -> Path:
    """A part of the bundled sample, or of a treebank beside the project."""
    return (ROOT / "data" if name == SAMPLE else TREEBANKS / name) / f"{part}.conllu"


def load_part(name: str, part: str, first: int | None = None) -> list[Sentence]:
    """The sentences of a treebank's part, or the first of them; SystemExit says where they were looked for."""
    path = treebank_path(name, part)
    if not path.is_file():
        raise SystemExit(f"{path}: not there; expected the treebanks in ../shared/treebanks beside the project")
    return list(read(path, heads="required"))[:first]


class Clock(TrainingWatcher):
    """User time and words from the end of the first sentence to the end of the last one."""

    def __init__(self) -> None:
        self.start: float | None = None
        self.seconds = 0.0
        self.words = 0

    def on_words(self, words: int, right: int) -> None:
        """Note the end of a sentence."""
        now = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        if self.start is None:
            self.start = now
            return
        self.seconds = now - self.start
        self.words += words


def train(sentences: Sequence[Sentence], options: TrainOptions, at: Collection[int]) -> Iterator[Snapshot]:
    """Train once, up to the last of some numbers of epochs, and stop by at each of them."""
    trainer = Trainer(sentences, None, options)
    clocks = []
    for epoch in range(1, max(at) + 1):
        clocks.append(Clock())
        trainer.watcher = clocks[-1]
        trainer.run_epoch()
        if epoch in at:
            seconds, words = sum(clock.seconds for clock in clocks), sum(clock.words for clock in clocks)
            yield Snapshot(epoch, trainer.model(), seconds, words)


def score(model: Model, sentences: Sequence[Sentence], decoder: str) -> Scores:
    """Parse sentences and compare with their trees."""
    constraints = model.constraints if find_decoder(decoder).structural else Constraints()
    parsed = model.parse(
        sentences,
        decoder=decoder,
        block_degree=constraints.block_degree,
        well_nested=constraints.well_nested,
    )
    return evaluate(sentences, [parsed]).systems[0].scores
