"""What the compact table of a model costs: the same trees from the learner's own weights, keyed by whole hashes.

A model leaves small weights out, keeps short keys and rounds weights. UAS and LAS of labelled parsers of order 1
on test sets, arborescences, without the first pass: with all weights, with those that a model keeps, and with its
table, which must cost next to nothing.

    python scripts/bench/collisions.py --treebanks tr-imst --epochs 3
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import COMPARED, attachment_scores, load_part, make_parser, report
from wnparse._core.learner import Learner
from wnparse._core.tables import LabelCandidates
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.features import compile_templates
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.tokens import encode
from wnparse.training.learners import LEARNERS
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

LOSS = 0.05  # UAS


def averaged_learner(trainer: Trainer, least: float) -> Learner:
    """Return a learner with the averaged weights of a training run, without those smaller than `least`.

    It is a MIRA whose steps are clipped at 0, so that it counts what it has right and learns nothing.
    """
    keys, weights = trainer.learner.averaged()
    row_keys, begin, labels, row_weights = trainer.learner.averaged_rows()
    choice = LabelCandidates(**trainer.label_table, count=len(trainer.names))
    learner = Learner(compile_templates(trainer.templates), choice, 0.0, LEARNERS["mira"].code, limit=0.0)
    large, row_large = (
        np.where(np.abs(array) < least, 0, array).astype(np.float32) for array in (weights, row_weights)
    )
    averaged = {
        "keys": keys, "weights": large, "sums": np.zeros(len(keys)),
        "row_keys": row_keys, "row_begin": begin, "row_labels": labels,
        "row_weights": row_large, "row_sums": np.zeros(len(labels)),
    }  # fmt: skip
    learner.restore(1.0, averaged)
    return learner


def exact_scores(learner: Learner, model: Model, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """Return UAS and LAS of the trees that a learner finds."""
    settings = DecodeOptions(
        decoder="msa", constraints=Constraints(single_root=model.constraints.single_root)
    ).settings
    ids = {name: number for number, name in enumerate(model.labels)}
    heads = labels = 0
    for sentence in sentences:
        gold = np.array([0, *(ids.get(name, len(ids)) for name in sentence.column("deprel"))], np.int32)
        right = learner.learn(encode(sentence, model.columns), sentence.heads, gold, settings)
        heads, labels = heads + (right or (0, 0))[0], labels + (right or (0, 0))[1]
    words = sum(map(len, sentences))
    return 100 * heads / words, 100 * labels / words


def main() -> None:
    """Train a parser of each treebank, and score its test set before and after its weights are frozen."""
    parser = make_parser(__doc__)
    parser.add_argument("--treebanks", nargs="+", default=COMPARED, metavar="NAME")
    parser.add_argument("--epochs", type=int, default=10)
    options = parser.parse_args()
    print("labelled, no pruning, msa; UAS (LAS) with all weights, those that are kept, the table")
    for name in options.treebanks:
        trainer = Trainer(load_part(name, "train"), None, TrainOptions(epochs=options.epochs, order=1))
        for _ in range(options.epochs):
            trainer.run_epoch()
        model, sentences = trainer.model(), load_part(name, "test")
        limits = Constraints(single_root=model.constraints.single_root)
        table = Parser(model, ParseOptions(decoder="msa", constraints=limits, prune=False))
        stages = [
            exact_scores(averaged_learner(trainer, 0.0), model, sentences),
            exact_scores(averaged_learner(trainer, trainer.least_weight), model, sentences),
            attachment_scores(sentences, table.stream(sentences, at_hand=lambda: True)),
        ]
        figure = ", ".join(f"{uas:.2f} ({las:.2f})" for uas, las in stages)
        lost = stages[1][0] - stages[2][0]
        report(f"{name}, {trainer.learner.features:,} features", figure, f"UAS loss < {LOSS}", lost < LOSS)


if __name__ == "__main__":
    main()
