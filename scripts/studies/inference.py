"""How guesses are found while parts are learned: by the relaxation, for more or less long, or by automata alone.

Koo et al. 2010 (section 6) learn over head automata, without a tree and without iterations, and suspect that this
makes the relaxation tighter. `relaxation K` stops after K iterations: with 1 the guess is hardly more than what a
climb finds around the best tree of arcs. Development sets, the same decoder (`lr`) afterwards: accuracy, how many
of its trees are certified, CPU seconds of training.

    python scripts/studies/inference.py                                # three treebanks, 5 epochs: an hour
    python scripts/studies/inference.py --treebanks tr-imst --epochs 2 "automata alone"
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import load_part, make_parser
from studies.ablations import best_epoch
from wnparse._core.laboratory import AutomataLearner
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.training import trainer as training
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

ALONE = "automata alone"
ITERATIONS = {f"relaxation {limit}": limit for limit in (20, 5, 1)}
ROWS = (*ITERATIONS, ALONE)


@dataclass(frozen=True)
class Outcome:
    """A way of learning on one treebank; percentages from 0 to 100."""

    uas: float
    las: float
    certified: float
    seconds: float


def learn(train: list[Sentence], dev: list[Sentence], row: str, epochs: int, order: int) -> Outcome:
    """Train in one of the ways and parse the development set."""
    usual = training.ITERATIONS
    training.ITERATIONS = ITERATIONS.get(row, usual)
    try:
        trainer = Trainer(train, dev, TrainOptions(epochs=epochs, order=order))
    finally:
        training.ITERATIONS = usual
    if row == ALONE:
        trainer.learner = AutomataLearner(trainer.learner)
    trainer.prepare()
    start = time.process_time()
    uas, las = best_epoch(trainer, epochs)
    seconds = time.process_time() - start
    assert trainer.best is not None
    return Outcome(uas, las, certified(trainer.best, dev), seconds)


def certified(model: Model, dev: list[Sentence]) -> float:
    """How many trees the relaxation proves to be the best, without branching."""
    parser = Parser(model, ParseOptions(decoder="lr", constraints=model.constraints))
    parses = [sentence.parse for sentence in parser.stream(dev, at_hand=lambda: True) if sentence.parse]
    return 100 * sum(bool(parse.certified) for parse in parses) / len(parses)


def main() -> None:
    """Print one line a way of learning."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--treebanks", nargs="+", default=["tr-imst", "eu-bdt", "es-ancora"])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--order", type=int, default=2, choices=(2, 3))
    arguments = parser.parse_args()
    data = {name: (load_part(name, "train"), load_part(name, "dev")) for name in arguments.treebanks}
    print(f"| UAS / LAS, certified by lr, CPU s of {arguments.epochs} epochs | {' | '.join(data)} |")
    print("|---|" + "---|" * len(data), flush=True)
    for row in arguments.rows:
        cells = []
        for parts in data.values():
            figures = learn(*parts, row, arguments.epochs, arguments.order)
            cells.append(
                f"{figures.uas:.2f} / {figures.las:.2f}, {figures.certified:.2f} %, {figures.seconds:.0f} s"
            )
        print(f"| {row} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
