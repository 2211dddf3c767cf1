"""The rows of `bench_parser.py --order 2` and `3`: labelled models of higher order beside their targets."""

from __future__ import annotations

import io
import itertools
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from figures import report
from parser_runs import Bench, data, least_seconds, model_path, run
from projectivity import bench_projectivity

import wnparse
from wnparse.evaluation.significance import randomisation_p_value
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

# Test LAS of our labelled parsers of order 1, ten epochs.
FIRST_ORDER = {
    "pt-bosque": 86.17,
    "nl-alpino-cdb": 86.23,
    "es-ancora": 83.34,
    "eu-bdt": 78.07,
    "tr-imst": 67.16,
    "en-ewt": 86.02,
}
LEAST_GAIN, MEAN_GAIN = 0.4, 1.0  # LAS, order 2 over order 1
SIGNIFICANT = 0.05
SPEEDS = {2: 25_000, 3: 12_000}  # words/s
TRAINING = "pt-bosque"
TRAINING_SECONDS = {2: 600}
MB = 1e6
TRAINING_MEMORY, MODEL_SIZE, PARSING_MEMORY = 1500 * MB, 60 * MB, 400 * MB
LOAD_SECONDS = 0.030
CERTIFIED = {"lr": 97.0, "bnb": 99.8}  # percent
SLOWDOWN = 1.1
COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
LENGTHS, LONGEST = (200, 500, 1000), 5.0  # words of long sentences, and the seconds that one may take
LIMIT, MOST = 1.0, 1.3  # seconds: what is asked for, and what it may take


def parse_test_set(bench: Bench, name: str, decoder: str = "bnb") -> list[tuple[Sentence, Parsed]]:
    """The sentences of a test set with their parses, under the constraints of the model."""
    model = wnparse.load(model_path(bench, name, True))
    parser = Parser(model, ParseOptions(decoder=decoder, constraints=model.constraints))
    gold = list(Reader([data(name, "test")]))
    return list(zip(gold, parser.stream(gold, at_hand=lambda: True), strict=True))


def right_words(pairs: list[tuple[Sentence, Parsed]]) -> list[tuple[int, int]]:
    """For each sentence: words with the right head, and those with the right label too."""
    found = []
    for gold, parsed in pairs:
        if parsed.parse is None:
            found.append((0, 0))
            continue
        heads = parsed.parse.heads[1:] == gold.heads[1:]
        labels = parsed.parse.labels or [""] * len(parsed.parse.heads)
        same = np.array([a == b for a, b in zip(labels[1:], gold.column("deprel"), strict=True)], bool)
        found.append((int(heads.sum()), int((heads & same).sum())))
    return found


def scores(pairs: list[tuple[Sentence, Parsed]]) -> tuple[float, float]:
    """UAS and LAS with whole labels."""
    words, right = sum(len(gold) for gold, _ in pairs), np.array(right_words(pairs)).sum(axis=0)
    return 100 * right[0] / words, 100 * right[1] / words


def bench_accuracy(bench: Bench) -> None:
    """Score the test sets, against the figures of order 1, and order 3 against order 2."""
    print(f"\naccuracy of order {bench.order}: gold tags, test set, whole labels; LAS of order 1 in brackets")
    gains, differences = [], []
    for name in bench.treebanks:
        pairs = parse_test_set(bench, name)
        uas, las = scores(pairs)
        figure = f"UAS {uas:.2f}  LAS {las:.2f}"
        if name in FIRST_ORDER:
            gains.append(las - FIRST_ORDER[name])
            figure += f" [{FIRST_ORDER[name]:.2f}]  {gains[-1]:+.2f}"
            report(name, figure, f">= +{LEAST_GAIN}", gains[-1] >= LEAST_GAIN)
        else:
            report(name, figure)
        if bench.order == 3 and name in FIRST_ORDER:
            before = right_words(parse_test_set(replace(bench, order=2), name))
            differences += [after[1] - other[1] for after, other in zip(right_words(pairs), before, strict=True)]
    if gains:
        figure = f"LAS {mean(gains):+.2f} over {len(gains)} treebanks"
        report("mean gain over order 1", figure, f">= +{MEAN_GAIN:.1f}, aim +1.5", mean(gains) >= MEAN_GAIN)
    if differences:
        p = randomisation_p_value(np.array(differences, np.int64))
        figure = f"{sum(differences):+,} words with the right label, p = {p:.4f}"
        better = sum(differences) > 0 and p < SIGNIFICANT
        report("order 3 over order 2, all test sets together", figure, "better, p < 0.05", better)


def bench_valid(bench: Bench) -> None:
    """Check every tree against the constraints of its model, and count certificates by decoder."""
    print("\nvalid trees under the model's constraints, and certificates at the default limits")
    for decoder, least in CERTIFIED.items():
        trees = valid = certified = fallbacks = 0
        for name in bench.treebanks:
            limits = wnparse.load(model_path(bench, name, True)).constraints
            own = [0, 0, 0]
            for _, parsed in parse_test_set(bench, name, decoder):
                if parsed.parse is not None:
                    own[0] += 1
                    own[1] += limits.allow(parsed.parse.heads)
                    own[2] += bool(parsed.parse.certified)
                    fallbacks += bool(parsed.fallback)
            report(f"{name}, {decoder}", f"{100 * own[2] / own[0]:.2f} % certified of {own[0]:,}")
            trees, valid, certified = trees + own[0], valid + own[1], certified + own[2]
        share = 100 * certified / trees
        report(f"certified, {decoder}, all", f"{share:.2f} %", f">= {least} %", share >= least)
        figure = f"{100 * valid / trees:.2f} %, {fallbacks} fallbacks"
        report(f"valid, {decoder}, all", figure, "100 %", valid == trees)


def bench_speed(bench: Bench) -> None:
    """Time parsing, one thread, file to file, start-up excluded: total words over total CPU time."""
    print("\nspeed: words/s of CPU time, labelled, one thread, file to file, start-up excluded")
    found = least_seconds(bench, True, "test", bench.repeats, [{}])
    for name, ((burnt, _, words),) in found.items():
        report(name, f"{words / burnt:,.0f}")
    total = sum(each[0][2] for each in found.values()) / sum(each[0][0] for each in found.values())
    target = SPEEDS[bench.order]
    report("all words over all CPU time", f"{total:,.0f}", f">= {target:,}", total >= target)


def bench_constrained(bench: Bench) -> None:
    """Compare the default decoder with `lr` without structural constraints, whole parse time."""
    print("\nconstrained (bnb) over unconstrained (msa), CPU time of the whole parse")
    variants: list[dict[str, Any]] = [{"decoder": "bnb"}, {"decoder": "msa"}]
    found = least_seconds(bench, True, "test", bench.repeats, variants)
    for name, (bnb, msa) in found.items():
        report(name, f"{bnb[0] / msa[0]:.3f}x ({bnb[0]:.2f} s over {msa[0]:.2f} s)")
    ratio = sum(each[0][0] for each in found.values()) / sum(each[1][0] for each in found.values())
    report("all", f"{ratio:.3f}x", f"<= {SLOWDOWN}x", ratio <= SLOWDOWN)


def bench_train(bench: Bench) -> None:
    """Tell the user seconds and the memory of training, evaluation on the dev set included."""
    print(f"\ntraining, {bench.epochs} epochs, pruner, start-up and dev set included: user seconds")
    for name in bench.treebanks:
        spent = json.loads(Path(model_path(bench, name, True)).with_suffix(".json").read_text())
        limit = TRAINING_SECONDS.get(bench.order) if name == TRAINING and bench.epochs == 10 else None
        target, reached = (f"<= {limit}", spent["user"] <= limit) if limit else ("", None)
        report(f"{name}, seconds", f"{spent['user']:.0f}", target, reached)
        within = spent["memory"] <= TRAINING_MEMORY
        report(f"{name}, memory", f"{spent['memory'] / MB:.0f} MB", f"<= {TRAINING_MEMORY / MB:.0f} MB", within)


def bench_load(bench: Bench) -> None:
    """Weigh a model, and time opening it."""
    print("\nmodels: size, and the clock of opening one, least of all passes")
    for name in bench.treebanks:
        path, seconds = model_path(bench, name, True), []
        for _ in range(4 * bench.repeats):
            start = time.perf_counter()
            assert wnparse.load(path).scorer
            seconds.append(time.perf_counter() - start)
        size, least = Path(path).stat().st_size, min(seconds)
        report(f"{name}, size", f"{size / MB:.1f} MB", f"<= {MODEL_SIZE / MB:.0f} MB", size <= MODEL_SIZE)
        report(
            f"{name}, opening", f"{1e3 * least:.1f} ms", f"<= {1e3 * LOAD_SECONDS:.0f} ms", least <= LOAD_SECONDS
        )


def bench_memory(bench: Bench) -> None:
    """Measure the largest memory of a process that parses a test set."""
    print("\nmemory of wnparse parse, test sets")
    with tempfile.TemporaryDirectory() as folder:
        for name in bench.treebanks:
            path = model_path(bench, name, True)
            memory = run(Path(folder), "parse", "-m", path, data(name, "test"), "-o", "out")[2]
            within = memory <= PARSING_MEMORY
            report(name, f"{memory / MB:.0f} MB", f"<= {PARSING_MEMORY / MB:.0f} MB", within)


def long_sentence(name: str, words: int) -> Sentence:
    """So many words of a development set as one sentence: harder than any that somebody has written."""
    rows = [row for each in Reader([data(name, "dev")]) for row in zip(*map(each.column, COLUMNS), strict=True)]
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
        (found,) = model.parse([sentence])
        used = time.process_time() - used
        valid = model.constraints.allow(found.heads) and not found.parse.fallback
        told = "certified" if found.parse.certified else "not certified"
        figure = f"{used:.2f} s ({'valid' if valid else 'invalid'}, {told}, {found.parse.nodes} nodes)"
        report(f"{name}, {words} words", figure, f"<= {LONGEST:g} s, valid", used <= LONGEST and valid)
        start = time.perf_counter()
        (found,) = model.parse([sentence], time_limit=LIMIT)
        clock = time.perf_counter() - start
        lost = f" (gave up {found.parse.fallback})" if found.parse.fallback else ""
        report("  the same, with a limit", f"{clock:.2f} s{lost}", f"<= {MOST:g} s", clock <= MOST)


ORDER_ROWS: dict[str, Callable[[Bench], None]] = {
    "accuracy": bench_accuracy,
    "valid": bench_valid,
    "speed": bench_speed,
    "constrained": bench_constrained,
    "train": bench_train,
    "load": bench_load,
    "memory": bench_memory,
    "long": bench_long,
    "projectivity": bench_projectivity,
}
