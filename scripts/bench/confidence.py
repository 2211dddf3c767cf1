"""How true confidences are: HeadProb next to the share of heads that are right, on the test sets of treebanks.

Models are those of parser.py, trained unless they are in the folder of --models; one of an older version,
without a calibration, gets the one that training would have given it. What is measured is what `wnparse parse
--confidence` writes into MISC. The expected calibration error is that of Guo et al. (2017), ten bins of equal
width. Speed is user CPU time, one thread, file to file, the least of --repeats passes each.

    python scripts/bench/confidence.py                                  # all treebanks
    python scripts/bench/confidence.py --treebanks pt-bosque en-ewt --tables --speed
    python scripts/bench/confidence.py --order 2 --ranks-only           # speed of five trees per sentence
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import Bench, data, kind, make_bench, make_bench_parser, model_path, report
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.training.calibration import learn_calibration
from wnparse.treebanks.annotations import CONFIDENCE
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import parse_sentence

TARGET = 3.0  # percent
RANKS = 5
LEAST_RANKED = 12_000 / 32_000  # speed of five trees per sentence, compared with that of one, at order 2


@dataclass(frozen=True)
class Bin:
    """Heads whose confidence is in one interval."""

    low: float
    high: float
    words: int
    confidence: float  # mean; 0 without words
    accuracy: float


def reliability(probabilities: np.ndarray, right: np.ndarray, bins: int = 10) -> list[Bin]:
    """Compare confidence with accuracy in intervals of equal width; 1.0 belongs to the last."""
    place = np.minimum((np.asarray(probabilities) * bins).astype(int), bins - 1)
    words = np.bincount(place, minlength=bins)
    confidence = np.bincount(place, probabilities, minlength=bins) / np.maximum(words, 1)
    accuracy = np.bincount(place, right, minlength=bins) / np.maximum(words, 1)
    return [
        Bin(i / bins, (i + 1) / bins, int(words[i]), float(confidence[i]), float(accuracy[i])) for i in range(bins)
    ]


def calibration_error(table: Sequence[Bin]) -> float:
    """The expected calibration error: sum over bins of  words / all words * |accuracy - confidence|."""
    total = sum(row.words for row in table)
    return sum(row.words * abs(row.accuracy - row.confidence) for row in table) / max(total, 1)


def calibrated(bench: Bench, name: str, labelled: bool) -> Model:
    """The model of a treebank, calibrated on its development set."""
    model = wnparse.load(model_path(bench, name, labelled))
    if model.calibration is None:
        model = replace(model, calibration=learn_calibration(model, list(Reader([data(name, "dev")]))))
    return model


def confidences(model: Model, name: str, *, prune: bool) -> tuple[np.ndarray, np.ndarray]:
    """What MISC says of each head of the test set, and whether the head is right."""
    parser = Parser(model, ParseOptions(constraints=model.constraints, prune=prune, confidence=True))
    probabilities, right = [], []
    for gold in Reader([data(name, "test")]):
        parsed = parse_sentence(parser.parse([gold])[0].raw)
        for misc in parsed.column("misc"):
            items = dict(item.split("=", 1) for item in misc.split("|") if "=" in item)
            probabilities.append(float(items[CONFIDENCE]))
        right.extend((parsed.heads[1:] == gold.heads[1:]).tolist())
    return np.array(probabilities), np.array(right)


def seconds(model: Model, name: str, *, confidence: bool) -> float:
    """User seconds that the test set takes, file to file."""
    parser = Parser(model, ParseOptions(constraints=model.constraints, confidence=confidence))
    with tempfile.TemporaryDirectory() as folder, Path(folder, "out").open("wb") as stream:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        for parsed in parser.stream(Reader([data(name, "test")])):
            stream.write(parsed.raw)
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start


def bench_ranks(bench: Bench, name: str) -> None:
    """Report the speed of the best trees of the development set, with the rules of the model and without."""
    model = wnparse.load(model_path(bench, name, True))
    sentences = list(Reader([data(name, "dev")]))
    words = sum(map(len, sentences))

    def speed(rules: Rules | None, k: int | None) -> float:
        parser = Parser(model, ParseOptions(constraints=model.constraints, rules=rules, k=k))
        times = []
        for _ in range(bench.repeats):
            start = time.process_time()
            for _ in parser.stream(sentences, at_hand=lambda: True):
                pass
            times.append(time.process_time() - start)
        return words / min(times)

    for title, rules in (("without rules", None), ("with rules", model.rules)):
        one, several = speed(rules, None), speed(rules, RANKS)
        figure = f"{several:,.0f} words/s, {one:,.0f} for one tree"
        report(f"{name}, order {bench.order}, {title}: the best {RANKS} trees", figure,
               f">= {LEAST_RANKED:.3f} of one", several >= LEAST_RANKED * one)  # fmt: skip


def print_table(table: list[Bin]) -> None:
    """Print the reliability of each bin that has words."""
    print("| confidence | words | mean confidence | right | difference |\n|---|---|---|---|---|")
    for bin in table:
        if bin.words:
            gap = f"{bin.accuracy - bin.confidence:+.3f}"
            span = f"{bin.low:.1f} – {bin.high:.1f}"
            print(f"| {span} | {bin.words:,} | {bin.confidence:.3f} | {bin.accuracy:.3f} | {gap} |")


def bench_treebank(bench: Bench, name: str, labelled: bool, options: argparse.Namespace) -> None:
    """Report one model: its error with the first pass and without, and what confidence costs."""
    model = calibrated(bench, name, labelled)
    for prune in (True, False):
        probabilities, right = confidences(model, name, prune=prune)
        table = reliability(probabilities, right)
        error = 100 * calibration_error(table)
        figure = (
            f"ECE {error:.2f} % (UAS {100 * right.mean():.2f}, mean confidence {100 * probabilities.mean():.2f})"
        )
        what = f"{name}, {kind(labelled)}{'' if prune else ', --no-prune'}"
        report(what, figure, f"<= {TARGET:.0f} %", error <= TARGET)
        if options.tables and prune:
            print_table(table)
    if options.speed:
        words = sum(len(sentence) for sentence in Reader([data(name, "test")]))
        passes = [
            (seconds(model, name, confidence=False), seconds(model, name, confidence=True))
            for _ in range(bench.repeats)
        ]
        plain, sure = (min(column) for column in zip(*passes, strict=True))
        figure = (
            f"{words / plain:,.0f} words/s, with --confidence {words / sure:,.0f} ({sure / plain:.2f}x the time)"
        )
        report(f"{name}, {kind(labelled)}, speed", figure)


def main() -> None:
    """Parse the options and run."""
    parser = make_bench_parser(__doc__)
    parser.add_argument("--unlabelled", action="store_true", help="unlabelled models too")
    parser.add_argument("--tables", action="store_true", help="the reliability of each bin")
    parser.add_argument("--speed", action="store_true", help="words a second with and without")
    parser.add_argument("--ranks-only", action="store_true", help="only the speed of the best five trees")
    options = parser.parse_args()
    bench = make_bench(options)
    if options.ranks_only:
        for name in options.treebanks:
            bench_ranks(bench, name)
        return
    for labelled in (True, False) if options.unlabelled else (True,):
        for name in options.treebanks:
            bench_treebank(bench, name, labelled, options)


if __name__ == "__main__":
    main()
