"""Pruning by marginals: how many gold heads are among the likeliest heads of each word, and how many those are.

The marginals are those of a trained first-order model at its learned temperature, summed over all trees of the
kind it is held to; once after its own first pass and once on all arcs (--no-prune of `wnparse parse`). A pruner
keeps the heads of at least some probability (`wnparse.decoding.marginals.best_heads`), or a fixed number of them.
The probability was chosen on the development sets: the roundest that leaves six heads a word or fewer.
TurboParser's pruner keeps 96.6 to 99.2 % of the gold heads with 6 to 8 heads a word.

    python scripts/bench_pruning.py                                     # three treebanks, dev and test
    python scripts/bench_pruning.py --treebanks tr-imst --least 0.002 --most 10
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from bench_confidence import calibrated
from figures import report
from parser_runs import PEERS, ROOT, TREEBANKS, UNSEEN, Bench, data, kind

from wnparse.decoding.marginals import best_heads
from wnparse.parser.confidence import arc_chances, sums_projective
from wnparse.parser.model import Model
from wnparse.parser.tokens import encode
from wnparse.treebanks.reader import Reader

RECALL, HEADS = 99.5, 6.0  # the aim: percent of gold heads, heads a word

Pair = tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]


def pairs(model: Model, name: str, part: str, *, prune: bool) -> Iterator[Pair]:
    """The marginals and gold heads of each sentence."""
    assert model.calibration is not None
    for sentence in Reader([data(name, part)]):
        if len(sentence):
            scores, _ = model.scorer.scores(encode(sentence, model.columns), prune)
            chances = arc_chances(
                scores,
                model.calibration.temperature(prune),
                single_root=model.constraints.single_root,
                projective=sums_projective("bnb", model.constraints),
            )
            yield chances, sentence.heads


def measure(found: list[Pair], most: int | None, least: float) -> tuple[float, float, int]:
    """Percent of gold heads that are kept, heads a word, and the most heads of one word."""
    words = gold = arcs = largest = 0
    for chances, heads in found:
        kept = best_heads(chances, most=most, least=least)
        words += len(heads) - 1
        gold += int(kept[np.arange(1, len(heads)), heads[1:]].sum())
        arcs += int(kept.sum())
        largest = max(largest, int(kept.sum(axis=1).max()))
    return 100 * gold / words, arcs / words, largest


def bench_treebank(bench: Bench, name: str, labelled: bool, options: argparse.Namespace) -> None:
    """Report the pruners on both parts of a treebank."""
    model = calibrated(bench, name, labelled)
    for part in ("dev", "test"):
        for prune in (False, True) if model.first_pass else (False,):
            found = list(pairs(model, name, part, prune=prune))
            where = f"{name} {part}, {kind(labelled)}{', after the first pass' if prune else ''}"
            for rule, most, least in (
                (f"p >= {options.least:g}", options.most, options.least),
                (f"best {HEADS:.0f}", int(HEADS), 0.0),
            ):
                recall, heads, largest = measure(found, most, least)
                figure = f"{rule}: {recall:.2f} % at {heads:.2f} heads/word (most {largest})"
                aim = f">= {RECALL} % at <= {HEADS:.0f}"
                report(where, figure, aim, recall >= RECALL and heads <= HEADS)


def main() -> None:
    """Parse the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = ["pt-bosque", "nl-alpino-cdb", "en-ewt"]
    parser.add_argument("--treebanks", nargs="+", default=default, choices=[*PEERS, UNSEEN])
    parser.add_argument("--least", type=float, default=0.00125, help="probability of a head that is kept")
    parser.add_argument("--most", type=int, help="heads of a word, besides")
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--unlabelled", action="store_true", help="unlabelled models too")
    options = parser.parse_args()
    if not TREEBANKS.is_dir():
        sys.exit("the treebanks for measuring are not beside the project (../shared/treebanks)")
    options.models.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.models.resolve(), options.treebanks, options.epochs, 1)
    for labelled in (True, False) if options.unlabelled else (True,):
        for name in options.treebanks:
            bench_treebank(bench, name, labelled, options)


if __name__ == "__main__":
    main()
