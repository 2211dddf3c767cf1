"""Time of decoding with labels and rules, in batches and one sentence at a time, next to that of the core.

The logits are made up: noise, plus a constant for each correct arc and label, as log-probabilities in float32.
The rules are those of `ud` that the training set satisfies. "core" is the compiled part alone (`time_kernel`),
from the arrays of scores to trees: it finds the best label of each arc, and checks for NaN and +inf in the same
pass.
Everything is CPU time on one thread, the least of several passes over all sentences.

    python scripts/bench/labels.py                      # the sample
    python scripts/bench/labels.py --treebanks en-ewt
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import SAMPLE, data, least, load_part, make_parser, report
from wnparse._core.laboratory import time_kernel
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.labels import label_input
from wnparse.decoding.options import DecodeOptions
from wnparse.rules import Rules
from wnparse.rules.coverage import kept_rules
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

FloatArray = npt.NDArray[np.float32]
MOST_ABOVE = 1.3  # times the core
NOISE, GAIN = 2.0, 9.0
MICRO = 1e6
CONSTRAINTS = Constraints(2, well_nested=True, single_root=True)


@dataclass(frozen=True)
class Logits:
    """The scores of some sentences, padded."""

    sentences: list[Sentence]
    names: list[str]
    arcs: FloatArray  # [B, N, N]
    labels: FloatArray  # [B, N, N, L]
    lengths: npt.NDArray[np.int64]


def make_logits(name: str, count: int) -> Logits:
    """Make scores for the first sentences of a development set."""
    sentences = load_part(name, "dev")[:count]
    names = sorted({label for sentence in sentences for label in sentence.column("deprel")})
    lengths = np.array([len(sentence) for sentence in sentences])
    width = int(lengths.max()) + 1
    rng = np.random.default_rng(1)
    arcs = np.zeros((len(sentences), width, width), np.float32)
    labels = np.zeros((*arcs.shape, len(names)), np.float32)
    for i, (sentence, n) in enumerate(zip(sentences, lengths, strict=True)):
        noise = rng.normal(0, NOISE, size=(n + 1, n + 1, 1 + len(names)))
        noise[np.arange(1, n + 1), sentence.heads[1:], 0] += GAIN
        for m, label in enumerate(sentence.column("deprel"), 1):
            noise[m, :, 1 + names.index(label)] += GAIN
        arcs[i, : n + 1, : n + 1] = log_softmax(noise[..., 0])
        labels[i, : n + 1, : n + 1] = log_softmax(noise[..., 1:])
    return Logits(sentences, names, arcs, labels, lengths)


def log_softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return log-probabilities over the last axis."""
    scores: npt.NDArray[np.float64] = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return scores


def micros(work: Callable[[], object], logits: Logits, repeats: int) -> float:
    """Microseconds of CPU time for one sentence."""
    return least(repeats, work, time.process_time) / len(logits.sentences) * MICRO


def compare(what: str, logits: Logits, rules: Rules | None, repeats: int, **options: Any) -> None:
    """Print the time of a batch, and of single calls, next to that of the core."""
    labels = logits.names, logits.labels
    words = logits.lengths.tolist()
    settings = DecodeOptions(constraints=CONSTRAINTS, **options).settings
    inputs = label_input(labels, rules, "bnb", words, logits.sentences)
    # It passes through all sentences twice: as a whole, and one by one.
    core = (
        micros(partial(time_kernel, logits.arcs, logits.lengths, settings, 1, None, inputs), logits, repeats) / 2
    )
    options |= {"labels": labels, "rules": rules, "sentences": logits.sentences, "constraints": CONSTRAINTS}
    work = partial(wnparse.decode_batch, logits.arcs, logits.lengths, **options)
    batch = micros(work, logits, repeats)
    solutions = work()
    good = 100 * float(np.mean(solutions.certified & (solutions.broken == 0)))
    report(
        f"decode_batch, {what}",
        f"{batch:.1f}, core {core:.1f}: {batch / core:.2f}x",
        f"<= {MOST_ABOVE}x",
        batch <= MOST_ABOVE * core,
    )
    report("  provably optimal, without broken rules", f"{good:.1f} %")
    apart = [(logits.arcs[i, : n + 1, : n + 1], logits.labels[i, : n + 1, : n + 1]) for i, n in enumerate(words)]
    single = {"rules": rules, "constraints": CONSTRAINTS}
    one_by_one = micros(
        lambda: [
            wnparse.decode(arcs, labels=(logits.names, scores), sentence=sentence, **single)
            for (arcs, scores), sentence in zip(apart, logits.sentences, strict=True)
        ],
        logits,
        repeats,
    )
    report(f"  decode, one call per sentence, {what}", f"{one_by_one:.1f}")


def main() -> None:
    """Measure labels without rules and with them."""
    parser = make_parser(__doc__)
    parser.add_argument("--treebanks", nargs="+", default=[SAMPLE], metavar="NAME")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parser.parse_args()
    for name in arguments.treebanks:
        logits = make_logits(name, arguments.sentences)
        rules, _ = kept_rules(Reader([data(name, "train")]), Rules.load("ud"))
        mean = logits.lengths.mean()
        print(
            f"\n{name}: {len(logits.sentences)} sentences, {mean:.1f} words, {len(logits.names)} labels, µs each"
        )
        arcs = micros(
            lambda: wnparse.decode_batch(logits.arcs, logits.lengths, constraints=CONSTRAINTS),  # noqa: B023
            logits,
            arguments.repeats,
        )
        report("decode_batch, arcs alone", f"{arcs:.1f}")
        compare("labels", logits, None, arguments.repeats)
        compare("labels and rules", logits, rules, arguments.repeats)


if __name__ == "__main__":
    main()
