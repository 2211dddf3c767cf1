"""Parse or tag many files into a directory, by workers of a Dask cluster."""

from __future__ import annotations

import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from wnparse.cli.common import SideFile, bad_usage, progress_bar, report_skipped, say
from wnparse.cli.options.cluster import TASK_WORDS, connect_patiently
from wnparse.cli.outputs import describe_run, write_summary
from wnparse.cluster.calls import Outcome
from wnparse.cluster.cut import OWN, Input, cut_corpus, look_at, name_outputs
from wnparse.cluster.records import CorpusSummary, Loss, PieceResult, Records, join_reports, locked
from wnparse.cluster.run import CorpusRun
from wnparse.cluster.worker import Job
from wnparse.errors import ClusterError
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import Counts
from wnparse.storage.files import open_output
from wnparse.storage.tensors import model_checksum
from wnparse.wording import counted

SHOWN = 3  # slowest tasks, kinds of losses, workers by name


def parse_on_cluster(names: Sequence[str], path: str, flags: dict[str, Any], parser: Parser | None) -> None:
    """Parse files, or tag them if there is no parser; bad usage is reported before any work is done."""
    directory = Path(flags["output_dir"])
    with bad_usage():
        outputs = name_outputs(names, str(directory))
        inputs = look_at(names)
    options = parser.options if parser else None
    if flags.get("time_limit"):
        say("wnparse: --time-limit: trees may depend on the speed of the machines")
    description = _describe_corpus_run(path, options, flags, inputs)
    report_path, strict = flags.get("report"), bool(flags.get("strict"))
    with ExitStack() as stack:
        records = Records(directory, inputs, outputs)
        with bad_usage():
            stack.enter_context(locked(directory))
            if not records.resume(description):
                task_words = description["options"]["task_words"]
                records.begin(description, cut_corpus(inputs, task_words, flags["input_format"]))
            records.refuse_strangers()
        complete = len(records.whole) == len(inputs)
        done, seconds = _run(records, _make_job(records, path, options, flags), flags)
        summary = CorpusSummary(records)
        failed = bool(report_path) and not complete and not _write_report(str(report_path), records)
        records.finish()
    _report_losses(records, summary, strict=strict)
    _report_counts(records, summary.counts, parser, done, seconds)
    if flags.get("summary"):
        failed |= not write_summary(flags["summary"], summary.counts.summarise(seconds, summary.skipped))
    if failed or (strict and summary.counts.fallbacks):
        raise click.exceptions.Exit(1)


def _describe_corpus_run(
    path: str, options: ParseOptions | None, flags: dict[str, Any], inputs: Sequence[Input]
) -> dict[str, Any]:
    """Return everything that the outputs depend on; a run is resumed only if all of it is the same."""
    description = describe_run(path, options, flags)
    description["options"] |= {
        "report": bool(flags.get("report")),
        "task_words": flags["task_words"] or TASK_WORDS,
    }
    return {**description, "inputs": [[source.path, source.size, source.changed] for source in inputs]}


def _make_job(records: Records, path: str, options: ParseOptions | None, flags: dict[str, Any]) -> Job:
    return Job(
        parts=str(records.parts.absolute()),
        model=str(records.share(path).absolute()),
        checksum=model_checksum(path),
        options=options,
        retag=flags["retag"],
        confidence=flags["confidence"],
        kind=flags["input_format"],
        skip_bad=flags["skip_bad"],
        jobs=flags["jobs"],
        report=bool(flags.get("report")),
    )


def _run(records: Records, job: Job, flags: dict[str, Any]) -> tuple[list[Outcome], float]:
    """Do the tasks that are not done yet; return these, and how many seconds they took."""
    count = len(records.cut.tasks)
    left = count - len(records.done_tasks())
    if len(records.whole) == len(records.inputs):
        say(f"wnparse: {records.directory}: all {len(records.inputs):,} outputs exist already")
        return [], 0.0
    done: list[Outcome] = []
    start = time.perf_counter()
    with ExitStack() as stack:
        cluster = connect_patiently(flags["cluster"], stack)
        workers, files = counted(len(cluster.workers()), "worker"), counted(len(records.inputs), "file")
        tasks = counted(count, "task") + (f", {left:,} to do" if left < count else "")
        say(f"wnparse: {cluster.place}, {workers}; dashboard {cluster.dashboard}; {files}, {tasks}")
        bar = WordBar(records, stack)
        run = CorpusRun(cluster, records, job, bar.say)
        try:
            for outcome in run.run():
                done.append(outcome)
                bar.update(outcome)
        except (KeyboardInterrupt, ClusterError) as error:
            if isinstance(error, KeyboardInterrupt) or run.describe_state() not in str(error):
                bar.say(run.describe_state())
            raise
    return done, time.perf_counter() - start


class WordBar:
    """A progress bar, if there is a terminal; the total number of words is estimated, better with each task."""

    def __init__(self, records: Records, stack: ExitStack) -> None:
        self._estimated = records.cut.words  # words of each task
        self._estimated_done = sum(self._estimated[task] for task in records.done_tasks())
        words = _count_words(records.results.values())
        self._bar = stack.enter_context(progress_bar("parsing", initial=words, delay=0))
        self._set_total()

    def _set_total(self) -> None:
        """Assume that the ratio of words to estimated words stays as it is so far."""
        if self._bar is not None:
            ratio = self._bar.n / self._estimated_done if self._bar.n else 1.0
            self._bar.total = round(self._bar.n + (sum(self._estimated) - self._estimated_done) * ratio)

    def update(self, outcome: Outcome) -> None:
        """Count the words of a task."""
        self._estimated_done += self._estimated[outcome.call.label]
        if self._bar is not None:
            self._bar.update(_count_words(outcome.value))
        self._set_total()

    def say(self, text: str) -> None:
        """Print a line in place of the bar, which is drawn again below it."""
        if self._bar is not None:
            self._bar.clear()
        say(f"wnparse: {text}")


def _count_words(results: Iterable[PieceResult]) -> int:
    return sum(result.counts.words for result in results)


def _write_report(path: str, records: Records) -> bool:
    """Write the report of all sentences; return whether it could be written."""
    with SideFile(path) as report:
        try:
            for lines in join_reports(records):
                report.write(lines)
        except FileNotFoundError as error:
            say(
                f"wnparse: {error.filename}: has been removed; the report lacks it and everything after it",
                error=True,
            )
            report.failed = True
    return not report.failed


def _report_losses(records: Records, summary: CorpusSummary, *, strict: bool) -> None:
    """Report what was skipped, which columns are missing in inputs, and what was relaxed for sentences."""
    report_skipped(summary.skipped, summary.first_skipped)
    if summary.empty:
        more = len(summary.empty) - 1
        say(f"wnparse: {summary.empty[0]}{f'; {more:,} more inputs lack it, too' if more else ''}")
    if not summary.losses:
        return
    kinds: defaultdict[str, list[Loss]] = defaultdict(list)
    for loss in summary.losses:
        kinds[re.sub(r"[\d,]+", "N", loss.text)].append(loss)
    for first, *others in sorted(kinds.values(), key=len, reverse=True)[:SHOWN]:
        and_others = f" and {counted(len(others), 'more sentence')}" if others else ""
        say(f"wnparse: {first.place}{and_others}: {first.text}", error=strict)
    warnings = records.directory / OWN / "warnings.txt"
    with open_output(str(warnings)) as stream:
        for loss in summary.losses:
            stream.write(f"{loss.place}: {loss.text}\n".encode("utf-8", "surrogateescape"))
    say(f"wnparse: {warnings} lists what was relaxed for {counted(len(summary.losses), 'sentence')}")


def _report_counts(
    records: Records, counts: Counts, parser: Parser | None, done: Sequence[Outcome], seconds: float
) -> None:
    """Report how many sentences and words there are, how fast they were parsed, and how many are not certified."""
    if not counts.words:
        return
    words = sum(_count_words(outcome.value) for outcome in done)
    if parser and seconds and words == counts.words:
        say(f"wnparse: {counts.describe_parsing(parser.options, seconds, arcs_alone=parser.arcs_alone)}")
    else:
        now = f"; {words:,} words now, {words / seconds:,.0f} words/s" if words else ""
        say(f"wnparse: {counts.describe_size()}{now}")
    if parser and (doubtful := counts.sentences - counts.certified):
        first = f"; the first: {', '.join(map(str, counts.doubtful))}" if counts.doubtful else ""
        say(f"wnparse: {counted(doubtful, 'sentence')} not proved optimal{first}")
    if done:
        _report_workers(done)
        _report_slowest(records, done)


def _report_workers(done: Sequence[Outcome]) -> None:
    words: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    tasks = Counter(outcome.worker for outcome in done)
    for outcome in done:
        words[outcome.worker] += _count_words(outcome.value)
        seconds[outcome.worker] += outcome.seconds
    speeds = {worker: words[worker] / seconds[worker] for worker in tasks if seconds[worker]}
    if len(speeds) > 2 * SHOWN:
        median = statistics.median(speeds.values())
        rates = f"{min(speeds.values()):,.0f} to {max(speeds.values()):,.0f} words/s (median {median:,.0f})"
        say(f"wnparse: {len(speeds):,} workers, each {rates}")
        return
    for worker, speed in sorted(speeds.items()):
        count = counted(tasks[worker], "task")
        say(f"wnparse: {worker}: {count}, {words[worker]:,} words, {speed:,.0f} words/s")


def _report_slowest(records: Records, done: Sequence[Outcome]) -> None:
    slowest = []
    for outcome in sorted(done, key=lambda outcome: -outcome.seconds)[:SHOWN]:
        piece = records.cut.tasks[outcome.call.label][0]
        where = f"{records.inputs[piece.source].name} from byte {piece.begin:,}"
        slowest.append(f"{outcome.seconds:.1f} s ({where}, {_count_words(outcome.value):,} words)")
    say(f"wnparse: slowest tasks: {', '.join(slowest)}")
