"""Accuracy, speed, training, loading and memory of the parser next to their targets, in one run.

TurboParser's figures are those of version 2.3 on the same files (anchors.toml). Ours are made here: models are
trained with the command line and kept in the folder of --models, so that another run skips the training; remove
the folder after a change of the learner. Times are CPU time, the least of several passes; each pass opens its
model anew, so that it does not profit from caches of the pass before. Parsers of higher order are labelled.

    python scripts/bench/parser.py                                # all rows, all treebanks: an hour
    python scripts/bench/parser.py speed load --treebanks tr-imst # some rows, one treebank
    python scripts/bench/parser.py accuracy --models build/models --epochs 3
    python scripts/bench/parser.py --order 2                      # parsers of higher order
"""

from __future__ import annotations

import io
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import (
    ANCHORS,
    Bench,
    attachment_scores,
    count_right,
    data,
    kind,
    least_seconds,
    make_bench,
    make_bench_parser,
    model_path,
    open_parser,
    report,
    run,
    turboparser,
)
from wnparse.evaluation.significance import randomisation_p_value
from wnparse.parser.parser import Parsed
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

FIRST_ORDER: dict[str, float] = ANCHORS["first_order_las"]
PEER_GAIN = 0.7  # UAS or LAS over TurboParser, mean
LEAST_GAIN, MEAN_GAIN = 0.4, 1.0  # LAS over order 1
SIGNIFICANT = 0.05
CERTIFIED = {"lr": 97.0, "bnb": 99.8}  # percent
SPEEDS = {(1, False): 100_000, (1, True): 60_000, (2, True): 25_000, (3, True): 12_000}  # words/s
SLOWDOWN = {1: 1.15, 2: 1.1, 3: 1.1}
TRAINING = "pt-bosque"
TRAINING_SECONDS = {(1, False): 40, (1, True): 160, (2, True): 600}
MB = 1e6
TRAINING_MEMORY, MODEL_SIZE, PARSING_MEMORY = 1500 * MB, 60 * MB, 400 * MB
FIRST_ORDER_MEMORY = 200 * MB  # in addition to the model
OPENING = {1: 0.020, 2: 0.030, 3: 0.030}  # seconds
ONE_SENTENCE = 0.4  # seconds of the clock, for a process
COPIES = 100  # of the first test set, for the memory of long files
JOBS = 1.7  # times as fast with two
COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
LENGTHS, LONGEST = (200, 500, 1000), 5.0  # words of long sentences, and the seconds that one may take
LIMIT, MOST = 1.0, 1.3  # seconds: the time limit, and what parsing with it may take


def kinds(bench: Bench) -> tuple[bool, ...]:
    """Return whether models are labelled: both kinds at order 1."""
    return (False, True) if bench.order == 1 else (True,)


def models(bench: Bench) -> Iterator[tuple[str, bool, str]]:
    """Yield treebank, whether the model is labelled, and a name of both."""
    for labelled, name in itertools.product(kinds(bench), bench.treebanks):
        yield name, labelled, f"{name}, {kind(labelled)}"


def parse_test_set(
    bench: Bench, name: str, labelled: bool, decoder: str = "bnb"
) -> tuple[list[Sentence], list[Parsed]]:
    """Return the sentences of a test set and their parses, under the constraints of the model, without rules."""
    gold = list(Reader([data(name, "test")]))
    parser = open_parser(model_path(bench, name, labelled), decoder)
    return gold, list(parser.stream(gold, at_hand=lambda: True))


def bench_accuracy(bench: Bench) -> None:
    """Score the test sets: order 1 against TurboParser, higher orders against order 1, order 3 against order 2."""
    other = "TurboParser, first order" if bench.order == 1 else "LAS of order 1"
    print(f"\naccuracy of order {bench.order}: gold tags, test set, whole labels; {other}, in brackets")
    gains: dict[bool, list[float]] = {labelled: [] for labelled in kinds(bench)}
    differences: list[int] = []
    for name, labelled, what in models(bench):
        gold, parsed = parse_test_set(bench, name, labelled)
        uas, las = attachment_scores(gold, parsed)
        peer = turboparser(name)
        if bench.order > 1 and name in FIRST_ORDER:
            gain = las - FIRST_ORDER[name]
            figure = f"UAS {uas:.2f}  LAS {las:.2f} [{FIRST_ORDER[name]:.2f}]  {gain:+.2f}"
            report(what, figure, f">= +{LEAST_GAIN}", gain >= LEAST_GAIN)
        elif bench.order > 1 or peer is None:
            report(what, f"UAS {uas:.2f}  LAS {las:.2f}" if labelled else f"UAS {uas:.2f}", "(no other figure)")
            continue
        elif labelled:
            gain = las - peer[2]
            figure = f"UAS {uas:.2f} [{peer[1]:.2f}]  LAS {las:.2f} [{peer[2]:.2f}]"
            report(what, figure, ">= both", uas >= peer[1] and gain >= 0)
        else:
            gain = uas - peer[0]
            report(what, f"UAS {uas:.2f} [{peer[0]:.2f}]", ">= it", gain >= 0)
        gains[labelled].append(gain)
        if bench.order == 3:
            before = count_right(*parse_test_set(replace(bench, order=2), name, labelled))
            differences += (count_right(gold, parsed) - before)[:, 2].tolist()
    target = PEER_GAIN if bench.order == 1 else MEAN_GAIN
    for labelled, treebank_gains in gains.items():
        if treebank_gains:
            gain = mean(treebank_gains)
            figure = f"{'LAS' if labelled else 'UAS'} {gain:+.2f} over {len(treebank_gains)} treebanks"
            report(f"mean gain, {kind(labelled)}", figure, f">= {target:+.2f}", gain >= target)
    if differences:
        p = randomisation_p_value(np.array(differences, np.int64))
        figure = f"{sum(differences):+,} words with the right label, p = {p:.4f}"
        better = sum(differences) > 0 and p < SIGNIFICANT
        report("order 3 over order 2, all test sets together", figure, f"better, p < {SIGNIFICANT}", better)


def bench_valid(bench: Bench) -> None:
    """Check every tree against the constraints of its model, and count certificates by decoder."""
    rows = [row for row in ANCHORS["turboparser"]["runs"] if row["model"].startswith("basic")]
    shares = [row["nested2"] for row in rows if "nested2" in row]
    print("\nvalid trees under the model's constraints, and certificates at the default limits")
    print(f"well-nested trees of at most two blocks by TurboParser: {min(shares):.0f} to {max(shares):.0f} %")
    for decoder, least in CERTIFIED.items() if bench.order > 1 else [("bnb", CERTIFIED["bnb"])]:
        trees = valid = certified = fallbacks = 0
        for name in bench.treebanks:
            limits = wnparse.load(model_path(bench, name, True)).constraints
            parsed = [
                sentence
                for sentence in parse_test_set(bench, name, True, decoder)[1]
                if sentence.parse is not None
            ]
            proved = sum(bool(sentence.parse and sentence.parse.certified) for sentence in parsed)
            report(f"{name}, {decoder}", f"{100 * proved / len(parsed):.2f} % certified of {len(parsed):,}")
            trees, certified = trees + len(parsed), certified + proved
            valid += sum(sentence.parse is not None and limits.allow(sentence.parse.heads) for sentence in parsed)
            fallbacks += sum(bool(sentence.fallback) for sentence in parsed)
        share = 100 * certified / trees
        report(f"certified, {decoder}, all", f"{share:.2f} %", f">= {least} %", share >= least)
        figure = f"{100 * valid / trees:.2f} %, {fallbacks} fallbacks"
        report(f"valid, {decoder}, all", figure, "100 %", valid == trees)


def bench_speed(bench: Bench) -> None:
    """Time parsing, one thread, file to file, start-up excluded."""
    print("\nspeed: words/s of CPU time, one thread, file to file, start-up excluded")
    for labelled in kinds(bench):
        measured = least_seconds(bench, labelled, "test", bench.repeats, [{}])
        speeds = {name: words / burnt for name, ((burnt, _, words),) in measured.items()}
        for name, speed in speeds.items():
            report(f"{name}, {kind(labelled)}", f"{speed:,.0f}")
        total = sum(figures[0][2] for figures in measured.values()) / sum(
            figures[0][0] for figures in measured.values()
        )
        target = SPEEDS[bench.order, labelled]
        figure = f"{total:,.0f} (mean of treebanks: {mean(speeds.values()):,.0f})"
        report(f"all words over all CPU time, {kind(labelled)}", figure, f">= {target:,}", total >= target)


def bench_constrained(bench: Bench) -> None:
    """Compare the default decoder with the one without structural constraints, whole parse time."""
    print("\nconstrained (bnb) over unconstrained (msa), CPU time of the whole parse; the paper: 1.7 to 19.7x")
    variants: list[dict[str, Any]] = [{"decoder": "bnb"}, {"decoder": "msa"}]
    for labelled in kinds(bench):
        measured = least_seconds(bench, labelled, "test", bench.repeats, variants)
        for name, (bnb, msa) in measured.items():
            figure = f"{bnb[0] / msa[0]:.3f}x ({bnb[0]:.2f} s over {msa[0]:.2f} s)"
            report(f"{name}, {kind(labelled)}", figure)
        ratio = sum(figures[0][0] for figures in measured.values()) / sum(
            figures[1][0] for figures in measured.values()
        )
        most = SLOWDOWN[bench.order]
        report(f"all, {kind(labelled)}", f"{ratio:.3f}x", f"<= {most}x", ratio <= most)


def bench_train(bench: Bench) -> None:
    """Report user seconds and memory of training, evaluation on the dev set included."""
    print(f"\ntraining, {bench.epochs} epochs, start-up and dev set included: user seconds")
    peers = [row for row in ANCHORS["turboparser"]["runs"] if row["treebank"] == TRAINING]
    print(f"TurboParser, {TRAINING}: " + ", ".join(f"{row['model']} {row['train_user_seconds']}" for row in peers))
    for name, labelled, what in models(bench):
        spent = json.loads(Path(model_path(bench, name, labelled)).with_suffix(".json").read_text())
        comparable = name == TRAINING and bench.epochs == 10
        limit = TRAINING_SECONDS.get((bench.order, labelled)) if comparable else None
        target, reached = (f"<= {limit}", spent["user"] <= limit) if limit else ("", None)
        report(f"{what}, seconds", f"{spent['user']:.0f}", target, reached)
        within = spent["memory"] <= TRAINING_MEMORY
        report(f"{what}, memory", f"{spent['memory'] / MB:.0f} MB", f"<= {TRAINING_MEMORY / MB:.0f} MB", within)


def bench_load(bench: Bench) -> None:
    """Weigh a model, time opening it, and a whole process for one sentence."""
    peer = ANCHORS["turboparser"]["loading_ms"]
    print(f"\nmodels: size, and the clock of opening one; TurboParser {peer[0]} to {peer[1]} ms")
    for name in bench.treebanks:
        path, seconds = model_path(bench, name, True), []
        for _ in range(4 * bench.repeats):
            start = time.perf_counter()
            assert wnparse.load(path)._scorer
            seconds.append(time.perf_counter() - start)
        size, least, most = Path(path).stat().st_size, min(seconds), OPENING[bench.order]
        report(f"{name}, size", f"{size / MB:.1f} MB", f"<= {MODEL_SIZE / MB:.0f} MB", size <= MODEL_SIZE)
        figure = f"{1e3 * least:.1f} ms, mean {1e3 * mean(seconds):.1f} ms"
        report(f"{name}, opening", figure, f"<= {1e3 * most:.0f} ms", least <= most)
        with tempfile.TemporaryDirectory() as folder:
            one = Path(folder, "one.conllu")
            one.write_bytes(next(Reader([data(name, "test")])).raw)
            clock = [run(Path(folder), "parse", "-m", path, str(one))[1] for _ in range(bench.repeats)]
        figure = f"{min(clock):.2f} s, mean {mean(clock):.2f} s"
        limit = (f"<= {ONE_SENTENCE} s", min(clock) <= ONE_SENTENCE) if bench.order == 1 else ("", None)
        report(f"{name}, process for one sentence", figure, *limit)


def bench_jobs(bench: Bench) -> None:
    """Compare two threads with one, by the clock; the output must be the same.

    Training sets are parsed: one thread parses a test set in about 0.1 seconds, before two are warm.
    """
    print("\ntwo jobs over one: clock, training set, file to file; needs two idle cores")
    variants: list[dict[str, Any]] = [{"jobs": 1}, {"jobs": 2}]
    for labelled in kinds(bench):
        measured = least_seconds(bench, labelled, "train", bench.repeats // 2 or 1, variants, alike=True)
        for name, (one, two) in measured.items():
            ratio = one[1] / two[1]
            figure = f"{ratio:.2f}x ({one[1]:.2f} s), CPU time {two[0] / one[0]:.2f}x"
            report(f"{name}, {kind(labelled)}", figure, f">= {JOBS}x", ratio >= JOBS)


def bench_memory(bench: Bench) -> None:
    """Measure the largest memory of a process that parses a test set; the first one also many times over."""
    print("\nmemory of wnparse parse, test sets, sentences of up to 200 words")
    for name in bench.treebanks:
        path = model_path(bench, name, True)
        limit = FIRST_ORDER_MEMORY + Path(path).stat().st_size if bench.order == 1 else PARSING_MEMORY
        text = b"".join(sentence.raw for sentence in Reader([data(name, "test")]) if len(sentence) <= 200)
        many = [(COPIES, "1"), (COPIES, "2")] if name == bench.treebanks[0] else []
        with tempfile.TemporaryDirectory() as folder:
            for copies, jobs in [(1, "1"), *many]:
                source = Path(folder, "big.conllu")
                with source.open("wb") as stream:
                    stream.writelines(itertools.repeat(text, copies))
                memory = run(Path(folder), "parse", "-m", path, str(source), "--jobs", jobs)[2]
                figure = f"{memory / MB:.0f} MB for a file of {source.stat().st_size / MB:.0f} MB"
                report(f"{name}, --jobs {jobs}", figure, f"<= {limit / MB:.0f} MB", memory <= limit)


def long_sentence(name: str, words: int) -> Sentence:
    """Return words of a development set as one sentence, which is harder than any that people write."""
    rows = [
        row for sentence in Reader([data(name, "dev")]) for row in zip(*map(sentence.column, COLUMNS), strict=True)
    ]
    lines = [[str(i), *row, "_", "_", "_", "_"] for i, row in enumerate(rows[:words], 1)]
    text = "".join("\t".join(line) + "\n" for line in lines) + "\n"
    (sentence,) = wnparse.read(io.BytesIO(text.encode()))
    return sentence


def bench_long(bench: Bench) -> None:
    """Parse very long sentences by the default limits of work, and with a limit of time."""
    print(f"\nlong sentences: CPU seconds by default limits; clock with time_limit={LIMIT:g}")
    for name, words in itertools.product(bench.treebanks, LENGTHS):
        model = wnparse.load(model_path(bench, name, True))
        sentence = long_sentence(name, words)
        used = time.process_time()
        (parsed,) = model.parse([sentence])
        used = time.process_time() - used
        valid = model.constraints.allow(parsed.heads) and not parsed.parse.fallback
        certified = "certified" if parsed.parse.certified else "not certified"
        figure = f"{used:.2f} s ({'valid' if valid else 'invalid'}, {certified}, {parsed.parse.nodes} nodes)"
        report(f"{name}, {words} words", figure, f"<= {LONGEST:g} s, valid", used <= LONGEST and valid)
        start = time.perf_counter()
        (parsed,) = model.parse([sentence], time_limit=LIMIT)
        clock = time.perf_counter() - start
        relaxed = f" (relaxed: {parsed.parse.fallback})" if parsed.parse.fallback else ""
        report("  the same, with a limit", f"{clock:.2f} s{relaxed}", f"<= {MOST:g} s", clock <= MOST)


ROWS: dict[str, Callable[[Bench], None]] = {
    "accuracy": bench_accuracy,
    "valid": bench_valid,
    "speed": bench_speed,
    "constrained": bench_constrained,
    "train": bench_train,
    "load": bench_load,
    "jobs": bench_jobs,
    "memory": bench_memory,
    "long": bench_long,
}


def main() -> None:
    """Run the rows that the command line names."""
    options = make_bench_parser(__doc__, ROWS, repeats=12).parse_args()
    for name in options.rows:
        ROWS[name](make_bench(options))


if __name__ == "__main__":
    main()
