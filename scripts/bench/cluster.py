"""Corpora on a Dask cluster next to their targets: speed, overhead, memory, growth, and an estimate made of them.

    python scripts/bench/cluster.py --models build/models         # all rows, 10 million words: half an hour
    python scripts/bench/cluster.py speed --words 1000000         # less of one row
    python scripts/bench/cluster.py faults                        # the tests that kill workers and fill disks

The corpus is a development set over and over, in files of a million words. `speed` alternates --jobs 2 and
--cluster local:2 and compares the least of each, by the clock and by the CPU time of all processes: on a machine
that has other work to do, only the latter says something. A process of a cluster takes seconds to start, so that a
small corpus shows that instead. `growth` gives tasks that sleep to 1 to 64 workers; all of them, scheduler and
client share one process here, which is harder than a cluster would be. Models are those
that scripts/bench/parser.py keeps.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import ROOT, data, make_parser, report
from wnparse.cluster.calls import Call
from wnparse.cluster.cut import cut_corpus, look_at
from wnparse.cluster.dask import Cluster, ClusterLocation
from wnparse.cluster.worker import join_parts

FILE_WORDS = 1_000_000
TASKS = 10_000
TASK_WORDS = 50_000
SLEEP = 1.0  # seconds: about what 50,000 words take
GROWTH = (1, 2, 4, 8, 64)


class Bench(NamedTuple):
    """What the rows share."""

    words: int
    treebank: str
    model: str
    rounds: int
    folder: Path
    constants: dict[str, float]


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    burnt: float  # CPU seconds of its processes
    memory: float  # most bytes of the process itself
    messages: str


def run(folder: Path, *arguments: str) -> Cost:
    """Run the command line, and watch its memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "wnparse", *arguments]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    memory = 0.0
    while process.poll() is None:
        memory = max(memory, _peak(process.pid))
        time.sleep(0.2)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.stderr
    messages = process.stderr.read()
    process.stderr.close()
    if process.returncode:
        raise SystemExit(messages)
    burnt = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, burnt, memory, messages)


def _peak(pid: int) -> float:
    """The most memory that a process has had so far, in bytes."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((1024.0 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0.0)


def make_corpus(bench: Bench) -> list[str]:
    """Files of a million words, or of all there are to be."""
    text = Path(data(bench.treebank, "dev")).read_bytes()
    words = sum(line[:1].isdigit() and line.split(b"\t")[0].isdigit() for line in text.split(b"\n"))
    names = []
    for number in range(-(-bench.words // FILE_WORDS)):
        wanted = min(FILE_WORDS, bench.words - number * FILE_WORDS)
        path = bench.folder / f"corpus-{number}.conllu"
        path.write_bytes(text * max(1, round(wanted / words)))
        names.append(path.name)
    return names


def bench_speed(bench: Bench) -> None:
    """Compare two workers with two threads of one process."""
    print(f"\nspeed: {bench.words:,} words of {bench.treebank}, order 1, two workers over two threads")
    names = make_corpus(bench)
    least: dict[str, Cost] = {}
    for number in range(bench.rounds):
        for kind in ("--jobs", "--cluster"):
            output = f"{kind[2:]}-{number}"
            many = ["--cluster", "local:2"] if kind == "--cluster" else ["--jobs", "2"]
            cost = run(bench.folder, "parse", "-m", bench.model, *many, *names, "--output-dir", output)
            print(f"  {' '.join(many):<20} {cost.seconds:8.1f} s  CPU {cost.burnt:8.1f} s", flush=True)
            best = least.get(kind, cost)
            least[kind] = cost._replace(seconds=min(best.seconds, cost.seconds), burnt=min(best.burnt, cost.burnt))
    same = all(
        (bench.folder / "cluster-0" / name).read_bytes() == (bench.folder / "jobs-0" / name).read_bytes()
        for name in names
    )
    report("outputs", "the same bytes" if same else "differ", "the same bytes", same)
    alone, shared = least["--jobs"], least["--cluster"]
    figure = f"{alone.seconds / shared.seconds:.2f}x ({bench.words / shared.seconds:,.0f} words/s)"
    report("by the clock", figure, ">= 0.85x", alone.seconds / shared.seconds >= 0.85)
    figure = f"{alone.burnt / shared.burnt:.2f}x ({bench.words / shared.burnt:,.0f} words/s of CPU time)"
    report("by CPU time, start-up included", figure, ">= 0.85x", alone.burnt / shared.burnt >= 0.85)
    bench.constants["words/s of a core"] = bench.words / shared.burnt


def bench_overhead(bench: Bench) -> None:
    """Parse ten thousand tasks of some words each."""
    print(f"\noverhead: {TASKS:,} tasks on local:2")
    text = Path(data(bench.treebank, "dev")).read_bytes().split(b"\n\n")
    short = sorted(text[:-1], key=len)[: len(text) // 4]
    few = b"\n\n".join(short[number % len(short)] for number in range(3 * TASKS)) + b"\n\n"
    (bench.folder / "few.conllu").write_bytes(few)
    words = sum(line[:1].isdigit() for line in few.split(b"\n"))
    alone = run(bench.folder, "parse", "-m", bench.model, "few.conllu", "-o", "few-alone")
    options = ["--cluster", "local:2", "--task-words", str(max(1, words // TASKS)), "--output-dir", "few"]
    shared = run(bench.folder, "parse", "-m", bench.model, *options, "few.conllu")
    tasks = len(json.loads((bench.folder / "few/.wnparse/manifest.json").read_text())["tasks"])
    seconds = (shared.seconds - alone.seconds) / tasks
    burnt = (shared.burnt - alone.burnt) / tasks
    figure = f"{1e3 * seconds:.1f} ms, CPU {1e3 * burnt:.1f} ms ({tasks:,} tasks, {shared.seconds:.0f} s)"
    report("overhead of a task, start-up included", figure, "<= 20 ms", seconds <= 0.02)
    report("memory of client and scheduler", f"{shared.memory / 1e6:.0f} MB", "<= 500 MB", shared.memory <= 5e8)
    same = (bench.folder / "few/few.conllu").read_bytes() == (bench.folder / "few-alone").read_bytes()
    report("outputs", "the same bytes" if same else "differ", "the same bytes", same)


def sleeping(workers: int, tasks: int, seconds: float) -> tuple[float, float]:
    """The seconds that sleeping tasks take on so many workers, and those of CPU time."""
    from distributed import Client, LocalCluster

    with (
        warnings.catch_warnings(),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=False,
            dashboard_address=None,
            memory_limit=None,
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        cluster = Cluster(client, ClusterLocation(processes=workers))
        for _ in cluster.run(deque([Call(None, time.sleep, (0.0,))] * workers)):  # all of them are awake
            pass
        start, burnt = time.perf_counter(), time.process_time()
        calls = deque([Call(None, time.sleep, (seconds,))] * tasks)
        failed = [outcome.error for outcome in cluster.run(calls) if outcome.error]
        assert not failed, failed[0]
        return time.perf_counter() - start, time.process_time() - burnt


def bench_growth(bench: Bench) -> None:
    """Give tasks that sleep to more and more workers."""
    print(f"\ngrowth: tasks that sleep {SLEEP} s, 12 for each worker; workers, scheduler, client in one process")
    for workers in GROWTH:
        share = 12 * SLEEP / sleeping(workers, 12 * workers, SLEEP)[0]
        target, reached = (">= 90 % of linear", share >= 0.9) if workers <= 8 else ("", None)
        report(f"{workers} workers", f"{100 * share:.1f} % of linear", target, reached)
    tasks = 2000
    seconds, burnt = sleeping(64, tasks, 0.0)
    bench.constants["giving out"] = burnt / tasks
    figure = f"{tasks / seconds:,.0f} tasks/s, {1e3 * burnt / tasks:.1f} ms of CPU time each"
    report("64 workers, tasks that do nothing", figure, "(what bounds growth)")


def bench_constants(bench: Bench) -> None:
    """Measure what the client does once for each task or file, and what joining takes."""
    print("\nconstants")
    names = make_corpus(bench._replace(words=min(bench.words, 2 * FILE_WORDS)))
    inputs = look_at([str(bench.folder / name) for name in names])
    start = time.perf_counter()
    cut = cut_corpus(inputs, 1000)
    seconds = (time.perf_counter() - start) / len(cut.tasks)
    bench.constants["cutting"] = seconds
    report("cutting, a task", f"{1e6 * seconds:.0f} µs ({len(cut.tasks):,} tasks)")
    parts = []
    for number in range(2):
        parts.append(str(bench.folder / f"part-{number}"))
        Path(parts[-1]).write_bytes((bench.folder / names[0]).read_bytes())
    size = sum(Path(part).stat().st_size for part in parts)
    start = time.perf_counter()
    join_parts(parts, str(bench.folder / "whole"))
    assert (bench.folder / "whole").stat().st_size == size
    rate = size / (time.perf_counter() - start)
    bench.constants["joining"] = rate
    report("joining parts", f"{rate / 1e6:,.0f} MB/s")
    bench.constants["bytes of a word"] = inputs[0].size / min(bench.words, FILE_WORDS)


def bench_estimate(bench: Bench) -> None:
    """Estimate a billion words on a thousand cores."""
    print("\nestimate: 10^9 words on 1,000 cores, of the rows above")
    missing = {"words/s of a core", "giving out", "cutting", "joining"} - bench.constants.keys()
    if missing:
        print("  needs the rows speed, growth and constants")
        return
    constants = bench.constants
    for task_words in (TASK_WORDS, 500_000):
        tasks = 1e9 / task_words
        parsing = 1e9 / constants["words/s of a core"] / 1000
        giving = tasks * constants["giving out"]
        last = task_words / constants["words/s of a core"]
        cutting = tasks * constants["cutting"]
        seconds = cutting + max(parsing, giving) + last
        parts = f"cutting {cutting:.0f}, parsing {parsing:.0f}, giving out {giving:.0f}, last {last:.0f}"
        report(f"--task-words {task_words:,}", f"{seconds:.0f} s: {parts}")
    joining = 1e9 * constants["bytes of a word"] / constants["joining"]
    report("joining one file of 10^9 words, by one worker", f"{joining:,.0f} s", "(many files: side by side)")


def bench_faults(bench: Bench) -> None:
    """Run the tests that break clusters."""
    print("\nfaults: tests/cluster/test_faults.py")
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-rA"]
    command = [sys.executable, "-m", "pytest", *options, "tests/cluster/test_faults.py"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    for line in result.stdout.splitlines():
        if line.startswith(("PASSED", "FAILED", "ERROR")):
            kind, name = line.split(" ")[:2]
            what = name.split("::")[-1].replace("_", " ").removeprefix("test ")
            report(what, kind.lower(), "passed", kind == "PASSED")


ROWS: dict[str, Callable[[Bench], None]] = {
    "growth": bench_growth,
    "constants": bench_constants,
    "overhead": bench_overhead,
    "speed": bench_speed,
    "estimate": bench_estimate,
    "faults": bench_faults,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the rows that are asked for."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--words", type=int, default=10_000_000, help="of the corpus")
    parser.add_argument("--treebank", default="es-ancora")
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models", help="a folder of models")
    parser.add_argument("--rounds", type=int, default=2, help="of speed")
    parser.add_argument("--scratch", help="where corpora are written")
    options: Any = parser.parse_args(arguments)
    model = options.models.resolve() / f"{options.treebank}-labelled-10.wnp"
    if not model.exists():
        raise SystemExit(f"{model}: not there; scripts/bench/parser.py trains models")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        bench = Bench(options.words, options.treebank, str(model), options.rounds, Path(folder), {})
        for row in options.rows:
            ROWS[row](bench)


if __name__ == "__main__":
    main()
