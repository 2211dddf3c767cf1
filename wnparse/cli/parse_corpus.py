"""``wnparse parse --cluster``: many files into a folder, by workers of a Dask cluster."""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from wnparse import __version__
from wnparse.cli.common import SideFile, is_quiet, say
from wnparse.cli.options.cluster import TASK_WORDS, bad_usage, connect_patiently
from wnparse.cli.tag import check_tagging
from wnparse.cluster.cut import OWN, cut_corpus, find_files, look_at, name_outputs
from wnparse.cluster.dask import Cluster
from wnparse.cluster.records import Records, locked
from wnparse.cluster.run import CorpusRun, TaskDone
from wnparse.cluster.summary import CorpusSummary, Loss, join_reports
from wnparse.cluster.worker import Job, model_checksum
from wnparse.errors import ClusterError
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.storage.files import open_output
from wnparse.wording import plural

# Options that change no output: whoever goes on with a run may change them.
FREE = ("cluster", "jobs", "report", "strict", "rules")
SHOWN = 3  # slowest tasks, kinds of losses, workers by name


def parse_on_cluster(
    files: Sequence[str],
    path: str,
    output: str | None,
    flags: dict[str, Any],
    make_options: Callable[[Model, dict[str, Any]], ParseOptions],
) -> None:
    """Parse files into a folder; what is bad usage is said before any work is done."""
    folder = _check_folder(output)
    with bad_usage():
        if not files:
            raise ValueError("--cluster needs files; standard input cannot be shared out")
        names = find_files(files)
        outputs = name_outputs(names, str(folder))
        inputs = look_at(names)
    model = load(path)
    check_tagging(path, model, flags)
    options = None if model.only_tags or flags["tag_only"] else make_options(model, flags)
    with bad_usage(f"{path}: "):
        parser = Parser(model, options) if options else None
    if flags["time_limit"]:
        say("wnparse: --time-limit: how far a search comes, and so its tree, may depend on the machines")
    described = _describe(path, options, flags, inputs)
    with ExitStack() as stack:
        records = Records(folder, inputs, outputs)
        with bad_usage():
            stack.enter_context(locked(folder))
            if not records.resume(described):
                task_words = flags["task_words"] or TASK_WORDS
                records.begin(described, cut_corpus(inputs, task_words, flags["input_format"]))
            records.refuse_strangers()
        whole = len(records.whole) == len(inputs)
        done = _run(records, _job(records, path, options, flags), flags)
        summary = CorpusSummary(records)
        failed = bool(flags["report"]) and not whole and not _write_report(flags["report"], records)
        records.finish()
    _tell(records, summary, parser, done, flags)
    if failed or (flags["strict"] and summary.counts.fallbacks):
        raise click.exceptions.Exit(1)


def _check_folder(output: str | None) -> Path:
    """The folder of outputs, made if need be."""
    if output is None or output == "-":
        raise click.UsageError("--cluster needs -o DIR, the folder of outputs.")
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"-o {output} is a file; with --cluster it is the folder of outputs.")
    if not folder.absolute().parent.is_dir():
        raise click.UsageError(f"folder '{folder.absolute().parent}' does not exist.")
    return folder


def _describe(
    path: str, options: ParseOptions | None, flags: dict[str, Any], inputs: Sequence[Any]
) -> dict[str, Any]:
    """What outputs depend on."""
    told = {key: value for key, value in flags.items() if key not in FREE}
    told["rules"] = options.rules.to_json() if options and options.rules else None
    told["report"] = bool(flags["report"])
    told["task_words"] = flags["task_words"] or TASK_WORDS
    return {
        "wnparse": __version__,
        "model": model_checksum(path),
        "options": told,
        "inputs": [[each.path, each.size, each.changed] for each in inputs],
    }


def _job(records: Records, path: str, options: ParseOptions | None, flags: dict[str, Any]) -> Job:
    return Job(
        name=f"{records.name}-{flags['jobs']}-{flags['skip_bad']}",  # these may be others when it goes on
        parts=str(records.parts.absolute()),
        model_path=str(Path(path).absolute()),
        checksum=model_checksum(path),
        options=options,
        retag=flags["retag"],
        confidence=flags["confidence"],
        kind=flags["input_format"],
        skip_bad=flags["skip_bad"],
        jobs=flags["jobs"],
        report=bool(flags["report"]),
    )


def _run(records: Records, job: Job, flags: dict[str, Any]) -> tuple[list[TaskDone], float]:
    """Do what is not done yet; the tasks that were, and seconds."""
    count, left = len(records.cut.tasks), len(records.cut.tasks) - len(records.done)
    if len(records.whole) == len(records.inputs):
        say(f"wnparse: {records.folder}: all {len(records.inputs):,} outputs are whole already")
        return [], 0.0
    done: list[TaskDone] = []
    start = time.perf_counter()
    with ExitStack() as stack:
        cluster = connect_patiently(flags["cluster"], stack)
        bar = Bar(records)
        run = CorpusRun(cluster, records, job, bar.say)
        resumed = f", {left:,} to do" if left < count else ""
        files = f"{len(records.inputs):,} {plural(len(records.inputs), 'file')}"
        say(f"wnparse: {_describe_cluster(cluster)}; {files}, {count:,} {plural(count, 'task')}{resumed}")
        stack.enter_context(bar)
        try:
            for each in run.run():
                done.append(each)
                bar.update(each)
        except (KeyboardInterrupt, ClusterError) as error:
            bar.close()
            if isinstance(error, KeyboardInterrupt) or run.describe_state() not in str(error):
                say(f"wnparse: {run.describe_state()}")
            raise
    return done, time.perf_counter() - start


def _describe_cluster(cluster: Cluster) -> str:
    workers = len(cluster.workers())
    return f"{cluster.place}, {workers:,} {plural(workers, 'worker')}; dashboard {cluster.dashboard}"


class Bar:
    """Progress in words; how many there are in all is estimated, better with each task."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._bar: Any = None
        expected = records.cut.words
        self._done = sum(_words(told) for told in records.done.values())
        self._expected_done = sum(expected[task] for task in records.done)
        self._expected = sum(expected)

    def __enter__(self) -> Bar:
        if not is_quiet() and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                desc="parsing",
                unit=" words",
                unit_scale=True,
                initial=self._done,
                total=self._total(),
                leave=False,
                file=sys.stderr,
            )
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def say(self, text: str) -> None:
        """Print a line in place of the bar, which comes again below it."""
        if self._bar is not None:
            self._bar.clear()
        say(f"wnparse: {text}")

    def close(self) -> None:
        """Take it off the screen."""
        if self._bar is not None:
            self._bar.close()

    def _total(self) -> int:
        """As many words for what is left as tasks have had so far for what was expected of them."""
        ratio = self._done / self._expected_done if self._done else 1.0
        return round(self._done + (self._expected - self._expected_done) * ratio)

    def update(self, done: TaskDone) -> None:
        """Count a task."""
        self._done += done.words
        self._expected_done += self._records.cut.words[done.task]
        if self._bar is not None:
            self._bar.total = self._total()
            self._bar.update(done.words)


def _words(told: dict[str, Any]) -> int:
    return sum(int(piece["counts"]["words"]) for piece in told["pieces"])


def _write_report(path: str, records: Records) -> bool:
    """Write the report of all sentences; whether that could be done."""
    with SideFile(path) as report:
        try:
            for lines in join_reports(records):
                report.write(lines)
        except FileNotFoundError as error:
            say(f"wnparse: {error.filename}: is gone; the report lacks it and what follows", error=True)
            report.failed = True
    return not report.failed


def _tell(
    records: Records,
    summary: CorpusSummary,
    parser: Parser | None,
    run: tuple[list[TaskDone], float],
    flags: dict[str, Any],
) -> None:
    """Say what was skipped and given up, how many, how fast, how sure."""
    done, seconds = run
    _tell_losses(records, summary, strict=flags["strict"])
    counts = summary.counts
    if not counts.words:
        return
    words = sum(each.words for each in done)
    if parser and seconds and words == counts.words:
        say(f"wnparse: {counts.describe(parser.options, seconds, arcs_alone=parser.arcs_alone)}")
    else:
        now = f"; {words:,} words now, {words / seconds:,.0f} words/s" if words else ""
        say(f"wnparse: {counts.describe_size()}{now}")
    if parser and (doubtful := counts.sentences - counts.certified):
        first = f"; the first: {', '.join(map(str, counts.doubtful))}" if counts.doubtful else ""
        say(f"wnparse: {doubtful:,} {plural(doubtful, 'sentence')} not certified{first}")
    if done:
        _tell_workers(done)
        _tell_slowest(records, done)


def _tell_losses(records: Records, summary: CorpusSummary, *, strict: bool) -> None:
    if summary.skipped:
        bad = f"{summary.skipped} bad {plural(summary.skipped, 'sentence')}"
        say(f"wnparse: skipped {bad}; the first: {summary.first_skipped}")
    if summary.empty:
        alike = len(summary.empty) - 1
        say(f"wnparse: {summary.empty[0]}{f'; {alike:,} more inputs are alike' if alike else ''}")
    if not summary.losses:
        return
    kinds: defaultdict[str, list[Loss]] = defaultdict(list)
    for loss in summary.losses:
        kinds[re.sub(r"[\d,]+", "N", loss.text)].append(loss)
    for first, *others in sorted(kinds.values(), key=len, reverse=True)[:SHOWN]:
        more = f" and {len(others):,} more {plural(len(others), 'sentence')}" if others else ""
        say(f"wnparse: {first.place}{more}: {first.text}", error=strict)
    listed = records.folder / OWN / "warnings.txt"
    with open_output(str(listed)) as stream:
        for loss in summary.losses:
            stream.write(f"{loss.place}: {loss.text}\n".encode("utf-8", "surrogateescape"))
    say(f"wnparse: what {len(summary.losses):,} {plural(len(summary.losses), 'sentence')} gave up is in {listed}")


def _tell_workers(done: Sequence[TaskDone]) -> None:
    words: defaultdict[str, int] = defaultdict(int)
    seconds: defaultdict[str, float] = defaultdict(float)
    tasks = Counter(each.worker for each in done)
    for each in done:
        words[each.worker] += each.words
        seconds[each.worker] += each.seconds
    speeds = {worker: words[worker] / seconds[worker] for worker in tasks if seconds[worker]}
    if len(speeds) > 2 * SHOWN:
        middle = statistics.median(speeds.values())
        rates = f"{min(speeds.values()):,.0f} to {max(speeds.values()):,.0f} words/s, {middle:,.0f} in the middle"
        say(f"wnparse: {len(speeds):,} workers, each {rates}")
        return
    for worker, speed in sorted(speeds.items()):
        count = f"{tasks[worker]:,} {plural(tasks[worker], 'task')}"
        say(f"wnparse: {worker}: {count}, {words[worker]:,} words, {speed:,.0f} words/s")


def _tell_slowest(records: Records, done: Sequence[TaskDone]) -> None:
    told = []
    for each in sorted(done, key=lambda each: -each.seconds)[:SHOWN]:
        piece = records.cut.tasks[each.task][0]
        where = f"{records.inputs[piece.source].name} from byte {piece.begin:,}"
        told.append(f"{each.seconds:.1f} s ({where}, {each.words:,} words)")
    say(f"wnparse: slowest tasks: {', '.join(told)}")
