"""Accuracy, speed, training, loading and memory of the parser beside their targets, in one run.

TurboParser's figures are those of version 2.3 on the same files, recorded on one core with gold tags. Ours are
made here: models are trained with the command line and kept in the folder of --models, so that another run skips
the training; remove the folder after a change of the learner. Times are CPU time, the least of several
passes; each pass opens its model anew, so that nothing remembered from the pass before flatters it.

    python scripts/bench_parser.py                                # all rows, all treebanks: an hour
    python scripts/bench_parser.py speed load --treebanks tr-imst # some rows, one treebank
    python scripts/bench_parser.py accuracy --models build/models --epochs 3
    python scripts/bench_parser.py --order 2                      # the rows of higher order, labelled models
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from exact_weights import compare
from figures import report, rows_parser
from order_rows import ORDER_ROWS
from parser_runs import PEERS, ROOT, TREEBANKS, UNSEEN, Bench, data, kind, least_seconds, model_path, run
from projectivity import bench_projectivity

import wnparse
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.reader import Reader

TRAINING_TREEBANK = "pt-bosque"
TRAINING_TARGETS = {False: (40, "TurboParser 202 to 418"), True: (160, "TurboParser 917")}
SPEED_TARGETS = {False: 100_000, True: 60_000}


def bench_accuracy(bench: Bench) -> None:
    """Score the test sets; the constraints of the model hold."""
    print("\naccuracy: gold tags, test set, all tokens; TurboParser, first order, in brackets")
    for labelled in (False, True):
        gains = []
        for name in bench.treebanks:
            with tempfile.TemporaryDirectory() as folder:
                output = str(Path(folder, "parsed.conllu"))
                model = model_path(bench, name, labelled)
                run(bench.models, "parse", "-m", model, data(name, "test"), "-o", output)
                run(bench.models, "eval", data(name, "test"), output, "--json", "-o", output + ".json")
                scores = json.loads(Path(output + ".json").read_text())["systems"][0]
            uas, las, peer = scores["uas"], scores["las_subtypes"], PEERS.get(name)
            if peer is None:
                figure = f"UAS {uas:.2f} LAS {las:.2f}" if labelled else f"UAS {uas:.2f}"
                report(f"{name}, {kind(labelled)}", figure, "(no peer's figure)")
            elif labelled:
                gains.append(las - peer.las)
                figure = f"UAS {uas:.2f} [{peer.labelled_uas:.2f}]  LAS {las:.2f} [{peer.las:.2f}]"
                reached = uas >= peer.labelled_uas and las >= peer.las
                report(f"{name}, labelled", figure, ">= both", reached)
            else:
                gains.append(uas - peer.uas)
                report(f"{name}, unlabelled", f"UAS {uas:.2f} [{peer.uas:.2f}]", ">= it", uas >= peer.uas)
        if gains:
            metric = "LAS" if labelled else "UAS"
            figure = f"{metric} {mean(gains):+.2f} over {len(gains)} treebanks"
            report(f"mean gain, {kind(labelled)}", figure, ">= +0.70", mean(gains) >= 0.7)


def bench_valid(bench: Bench) -> None:
    """Check every tree against the constraints of its model, and count certificates."""
    print("\nvalid trees under the model's constraints; TurboParser 86 to 97 %")
    for name in bench.treebanks:
        model = wnparse.load(model_path(bench, name, True))
        parser = Parser(model, ParseOptions(constraints=model.constraints))
        limits, trees, valid, certified, fallbacks = model.constraints, 0, 0, 0, 0
        for sentence in Reader([data(name, "test")]):
            parsed = parser.parse([sentence])[0]
            if parsed.parse is None:
                continue
            heads = parsed.parse.heads
            good = limits.block_degree is None or wnparse.block_degree(heads) <= limits.block_degree
            good = good and (not limits.well_nested or wnparse.is_well_nested(heads))
            good = good and (not limits.single_root or int((heads[1:] == 0).sum()) == 1)
            trees, valid = trees + 1, valid + good
            certified, fallbacks = certified + bool(parsed.parse.certified), fallbacks + bool(parsed.fallback)
        figure = f"{100 * valid / trees:.2f} %, {100 * certified / trees:.2f} % certified, {fallbacks} fallbacks"
        report(f"{name}: {limits.describe()}"[:45], figure, "100 %", valid == trees)


def bench_speed(bench: Bench) -> None:
    """Time parsing, one thread, file to file, start-up excluded."""
    print("\nspeed: words/s of CPU time, one thread, file to file, start-up excluded")
    for labelled in (False, True):
        target, speeds = SPEED_TARGETS[labelled], []
        for name, ((burnt, _, words),) in least_seconds(bench, labelled, "test", bench.repeats, [{}]).items():
            speed = words / burnt
            least = f">= {target // 2:,}" if name in PEERS else ""
            reached = speed >= target / 2 if name in PEERS else None
            report(f"{name}, {kind(labelled)}", f"{speed:,.0f}", least, reached)
            speeds += [speed] if name in PEERS else []
        if speeds:
            average = mean(speeds)
            report(f"mean, {kind(labelled)}", f"{average:,.0f}", f">= {target:,}", average >= target)


def bench_constrained(bench: Bench) -> None:
    """Compare the default decoder with the plain arborescence, whole parse time."""
    print("\nconstrained (bnb) over plain msa, CPU time of the whole parse; the paper: 1.7 to 19.7 times")
    variants: list[dict[str, Any]] = [{"decoder": "bnb"}, {"decoder": "msa"}]
    for labelled in (False, True):
        for name, (bnb, msa) in least_seconds(bench, labelled, "test", 2 * bench.repeats, variants).items():
            ratio = bnb[0] / msa[0]
            figure = f"{ratio:.3f}x ({bnb[0]:.2f} s over {msa[0]:.2f} s)"
            report(f"{name}, {kind(labelled)}", figure, "<= 1.15x", ratio <= 1.15)


def bench_train(bench: Bench) -> None:
    """Tell the user seconds of training, evaluation on the dev set included."""
    name = TRAINING_TREEBANK if TRAINING_TREEBANK in bench.treebanks else bench.treebanks[0]
    print(f"\ntraining on {name}, {bench.epochs} epochs, start-up and dev set included: user seconds")
    for labelled in (False, True):
        path = Path(model_path(bench, name, labelled))
        spent = json.loads(path.with_suffix(".json").read_text())
        limit, peer = TRAINING_TARGETS[labelled]
        comparable = name == TRAINING_TREEBANK and bench.epochs == 10
        figure = f"{spent['user']:.0f}, memory {spent['memory'] / 1e6:.0f} MB"
        report(
            kind(labelled),
            figure,
            f"<= {limit} ({peer})" if comparable else "(target: pt-bosque, 10 epochs)",
            spent["user"] <= limit if comparable else None,
        )


def bench_load(bench: Bench) -> None:
    """Time opening a model, and a whole process for one sentence."""
    print("\nload: clock, the least and the mean of all passes; TurboParser 230 to 760 ms")
    with tempfile.TemporaryDirectory() as folder:
        for name in bench.treebanks:
            path, seconds = model_path(bench, name, True), []
            for _ in range(4 * bench.repeats):
                start = time.perf_counter()
                assert wnparse.load(path).scorer
                seconds.append(1e3 * (time.perf_counter() - start))
            size = f"{Path(path).stat().st_size / 1e6:.1f} MB"
            figure = f"{min(seconds):.1f} ms, mean {mean(seconds):.1f} ms, {size}"
            report(f"{name}, labelled, opening", figure, "<= 20 ms", min(seconds) <= 20)
            one = Path(folder, "one.conllu")
            one.write_bytes(next(Reader([data(name, "test")])).raw)
            clock = [run(Path(folder), "parse", "-m", path, str(one))[1] for _ in range(bench.repeats)]
            figure = f"{min(clock):.2f} s, mean {mean(clock):.2f} s"
            report(f"{name}, wnparse parse of one sentence", figure, "<= 0.40 s", min(clock) <= 0.4)


def bench_jobs(bench: Bench) -> None:
    """Compare two threads with one, by the clock; the output must be the same.

    Training sets are parsed: one thread is through with a test set in 0.1 seconds or so, before two are warm.
    """
    print("\ntwo jobs over one: clock, training set, file to file; needs two idle cores")
    variants: list[dict[str, Any]] = [{"jobs": 1}, {"jobs": 2}]
    for labelled in (False, True):
        found = least_seconds(bench, labelled, "train", bench.repeats // 2 or 1, variants, alike=True)
        for name, (one, two) in found.items():
            ratio = one[1] / two[1]
            figure = f"{ratio:.2f}x ({one[1]:.2f} s), CPU time {two[0] / one[0]:.2f}x"
            report(f"{name}, {kind(labelled)}", figure, ">= 1.7x", ratio >= 1.7)


def bench_memory(bench: Bench) -> None:
    """Measure the largest memory of a process that parses a test set a hundred times over."""
    name, copies = bench.treebanks[0], 100
    print(f"\nmemory of wnparse parse: {name}, sentences of up to 200 words")
    path = model_path(bench, name, True)
    limit = 200e6 + Path(path).stat().st_size
    with tempfile.TemporaryDirectory() as folder:
        text = b"".join(sentence.raw for sentence in Reader([data(name, "test")]) if len(sentence) <= 200)
        for count in (1, copies):
            source = Path(folder, "big.conllu")
            with source.open("wb") as stream:
                for _ in range(count):
                    stream.write(text)
            for jobs in ("1", "2"):
                memory = run(Path(folder), "parse", "-m", path, str(source), "--jobs", jobs)[2]
                figure = f"{memory / 1e6:.0f} MB for a file of {source.stat().st_size / 1e6:.0f} MB"
                report(f"{count} times, jobs {jobs}", figure, f"< {limit / 1e6:.0f} MB", memory < limit)


def bench_collisions(bench: Bench) -> None:
    """Compare a frozen table with the very weights that were learned: exact 64-bit keys, nothing rounded.

    A model leaves small weights out, which is a choice of its own; the table must cost next to nothing more.
    """
    print(
        "\ncollisions and rounding: labelled, no pruning, msa; UAS (LAS) with all weights, those kept, the table"
    )
    for name in bench.treebanks:
        found = compare(data(name, "train"), data(name, "test"), bench.epochs)
        loss = found.kept[0] - found.frozen[0]
        stages = (found.exact, found.kept, found.frozen)
        figure = ", ".join(f"{uas:.2f} ({las:.2f})" for uas, las in stages)
        report(f"{name}, {found.features:,} features", figure, "UAS loss < 0.05", loss < 0.05)


ROWS: dict[str, Callable[[Bench], None]] = {
    "accuracy": bench_accuracy,
    "valid": bench_valid,
    "speed": bench_speed,
    "constrained": bench_constrained,
    "train": bench_train,
    "load": bench_load,
    "jobs": bench_jobs,
    "memory": bench_memory,
    "collisions": bench_collisions,
    "projectivity": bench_projectivity,
}


def main() -> None:
    """Run the rows that the command line names."""
    parser = rows_parser(__doc__, ROWS | ORDER_ROWS)
    parser.add_argument("--models", default=str(ROOT / "build" / "models"), help="where models are kept")
    parser.add_argument("--treebanks", nargs="+", default=[*PEERS, UNSEEN], metavar="NAME")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=12, help="passes of which the least counts")
    told = "of the models; 2 and 3 have no jobs and collisions, 1 has no long"
    parser.add_argument("--order", type=int, choices=(1, 2, 3), default=1, help=told)
    arguments = parser.parse_args()
    rows = ROWS if arguments.order == 1 else ORDER_ROWS
    missing = [name for name in arguments.treebanks if not (TREEBANKS / name).is_dir()]
    if missing:
        sys.exit(f"the treebanks for measuring are not beside the project: ../shared/treebanks/{missing[0]}")
    models = Path(arguments.models).resolve()
    models.mkdir(parents=True, exist_ok=True)
    bench = Bench(models, arguments.treebanks, arguments.epochs, arguments.repeats, arguments.order)
    for name in arguments.rows:
        if name in rows:
            rows[name](bench)


if __name__ == "__main__":
    main()
