"""All learners on the development sets of several treebanks: UAS, LAS, Complete, seconds, speed and its targets.

Each learner has its usual C and k, the same epochs, seed and decoder, and keeps the average of all epochs. LAS
compares relations up to the colon; Complete is the share of sentences with all heads right. Seconds are user time
of learning alone: the first pass, the same for all, and the freezing of weights after an epoch are left out.

    python scripts/studies/learners.py                                        # four treebanks: 20 minutes or more
    python scripts/studies/learners.py tr-imst --epochs 3 --first 1000 --learners perceptron pa
    python scripts/studies/learners.py tr-imst es-ancora --max-step 0.003 --learners mira
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import load_part, make_parser
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import find_decoder
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.metrics import Scores
from wnparse.parser.model import Model
from wnparse.training.learners import LEARNERS
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.sentence import Sentence

TREEBANKS = ("tr-imst", "es-ancora", "eu-bdt", "pt-bosque")
TARGETS = {"mira": 0.8, "mira-kbest": 0.3}  # words a second as a part of the perceptron's


@dataclass(frozen=True)
class Snapshot:
    """A run after some epochs."""

    epoch: int
    model: Model
    seconds: float  # user time of learning so far, without the first pass and the end of each epoch
    words: int  # learned from so far


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
    return evaluate(sentences, parsed).systems[0].scores


@dataclass(frozen=True)
class Row:
    """A learner on a treebank."""

    treebank: str
    learner: str
    uas: float
    las: float
    complete: float
    seconds: float
    words_per_second: float


def measure(
    name: str, data: tuple[Sequence[Sentence], Sequence[Sentence]], options: TrainOptions, decoder: str
) -> Row:
    """Train on the first part and parse the second."""
    (snapshot,) = train(data[0], options, [options.epochs])
    scores = score(snapshot.model, data[1], decoder)
    assert scores.uas is not None
    assert scores.las is not None
    assert scores.uc is not None
    speed = snapshot.words / max(snapshot.seconds, 1e-9)
    return Row(name, options.learner, scores.uas, scores.las, scores.uc, snapshot.seconds, speed)


def line(row: Row, perceptron: Row | None) -> str:
    """A row of the table, the speed next to its target."""
    relative = ""
    if perceptron is not None:
        ratio = row.words_per_second / perceptron.words_per_second
        relative = f"{ratio:.2f}×"
        if row.learner in TARGETS:
            relative += f" ({'reached' if ratio >= TARGETS[row.learner] else 'MISSED'}: ≥ {TARGETS[row.learner]}×)"
    scores = f"{row.uas:.2f} | {row.las:.2f} | {row.complete:.2f} | {row.seconds:.0f}"
    return f"| {row.treebank} | `{row.learner}` | {scores} | {row.words_per_second:,.0f} | {relative} |"


def mean_lines(rows: Sequence[Row]) -> list[str]:
    """The means over treebanks."""
    lines = []
    for learner in dict.fromkeys(row.learner for row in rows):
        own = [row for row in rows if row.learner == learner]
        means = [
            sum(getattr(row, column) for row in own) / len(own) for column in ("uas", "las", "complete", "seconds")
        ]
        lines.append(
            f"| mean | `{learner}` | {means[0]:.2f} | {means[1]:.2f} | {means[2]:.2f} | {means[3]:.0f} | | |"
        )
    return lines


def main() -> None:
    """Print one line a treebank and learner, then the means."""
    parser = make_parser(__doc__)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS), metavar="TREEBANK")
    parser.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(LEARNERS))
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--first", type=int, help="train on so many sentences only")
    parser.add_argument("--decoder", default="msa", help="in training and parsing")
    parser.add_argument("--max-step", type=float, help="instead of the usual one of each learner")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the rows there too")
    arguments = parser.parse_args()
    print("| treebank | learner | UAS | LAS | Complete | seconds | words/s | of the perceptron's |")
    print("|---|---|---|---|---|---|---|---|")
    rows: list[Row] = []
    for name in arguments.treebanks:
        data = load_part(name, "train", arguments.first), load_part(name, "dev")
        perceptron = None
        for learner in arguments.learners:
            max_step = arguments.max_step if LEARNERS[learner].clips else None
            options = TrainOptions(
                epochs=arguments.epochs, decoder=arguments.decoder, learner=learner, max_step=max_step, order=1
            )
            rows.append(measure(name, data, options, arguments.decoder))
            perceptron = rows[-1] if learner == "perceptron" else perceptron
            print(line(rows[-1], perceptron), flush=True)
    print("\n".join(mean_lines(rows)))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
