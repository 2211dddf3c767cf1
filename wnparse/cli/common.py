"""What the commands share: numbers, messages, progress, tables."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click

from wnparse.decoding.checks import LARGEST_COUNT
from wnparse.errors import TreebankError
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural, printable

COUNT = click.IntRange(1, LARGEST_COUNT)
COUNT_OR_NONE = click.IntRange(0, LARGEST_COUNT)
THREADS = click.IntRange(1, 1024)  # more than any machine has cores; systems refuse some thousands


class FiniteRange(click.FloatRange):
    """A range of numbers; NaN, which compares with nothing, lies in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is no number or infinite."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


skip_bad_option = click.option(
    "--skip-bad", is_flag=True, help="Leave bad sentences out and count them, instead of stopping."
)


def _set_quiet(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.meta[QUIET] = value


QUIET = "wnparse.quiet"
quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_set_quiet,
    help="No notices, warnings, bars or summaries on standard error; errors stay.",
)


def is_quiet() -> bool:
    """Whether the running command was asked to be."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def say(message: str, *, error: bool = False) -> None:
    """Print one line on standard error, safe for terminals; with --quiet only if it is an error."""
    if error or not is_quiet():
        with contextlib.suppress(OSError):  # a terminal that is gone costs words, not the work
            click.echo(printable(message), err=True)


def refuse_terminal(paths: Sequence[str]) -> None:
    """Say so where standard input would be waited for at a keyboard, or is named twice."""
    if list(paths).count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once.")
    if "-" in paths and sys.stdin.isatty():
        say("reading CoNLL-U from standard input; end it with Ctrl-D")


@contextlib.contextmanager
def progress_bar(label: str) -> Iterator[Any]:
    """Show a bar that counts words on standard error; None if that is not a terminal."""
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # 45 ms that a pipeline need not wait for

    with tqdm(
        desc=printable(label), unit=" words", unit_scale=True, delay=0.5, leave=False, file=sys.stderr
    ) as bar:
        yield bar


def progress(sentences: Iterable[Sentence], label: str) -> Iterator[Sentence]:
    """Show a bar while a long input is read."""
    with progress_bar(label) as bar:
        for sentence in sentences:
            yield sentence
            if bar:
                bar.update(len(sentence))


def given_keywords(options: type, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a TypedDict or fields of a dataclass that flags of a command give.

    ``--no-lemma`` gives ``lemma=False``, and the word `none` is None; flags that were not given are None.
    """
    values = {name: False if flags.get(f"no_{name}") else flags.get(name) for name in options.__annotations__}
    return {name: None if value == "none" else value for name, value in values.items() if value is not None}


class SideFile:
    """A file beside the result: if it cannot be written, that costs a message and the exit status, not the work.

    A closed pipe ends a command as ever.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.failed = False
        self._stack = ExitStack()

    def __enter__(self) -> SideFile:
        try:
            self._stream = self._stack.enter_context(open_output(self.path))
        except OSError as error:
            self._fail(error)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        try:
            self._stack.__exit__(kind, error, trace)
        except OSError as failure:
            if failure is error:
                raise
            self._fail(failure)

    def write(self, data: bytes) -> None:
        """Write, unless that failed before."""
        if self.failed:
            return
        try:
            self._stream.write(data)
        except OSError as error:
            self._stack.__exit__(type(error), error, error.__traceback__)
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        if isinstance(error, BrokenPipeError):
            raise error
        self.failed = True
        click.echo(f"wnparse: {display_name(self.path)}: {error.strerror}; the work goes on without it", err=True)


class SkipBad:
    """Collects the errors of bad sentences that are left out, for one summary at the end."""

    def __init__(self) -> None:
        self.count = 0
        self.first: TreebankError | None = None

    def __call__(self, error: TreebankError) -> None:
        """Count a bad sentence."""
        self.count += 1
        self.first = self.first or error

    def report(self) -> None:
        """Print how many sentences were skipped, and the first reason."""
        if self.count:
            bad = f"{self.count} bad {plural(self.count, 'sentence')}"
            say(f"wnparse: skipped {bad}; the first: {self.first}")


def table(rows: Sequence[Sequence[str]], *, indent: int = 2) -> str:
    """Align columns: the first to the left, the others to the right; a row without values is a heading."""
    rows = [[printable(cell) for cell in row] for row in rows]  # names of files and relations may hold anything
    full = [row for row in rows if any(row[1:])]
    widths = [max((len(row[column]) for row in full), default=0) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def histogram(bars: Sequence[tuple[str, float]], *, width: int = 40) -> str:
    """Draw percentages as bars of eighths of a character; plain # where the terminal has no Unicode."""
    name = max((len(label) for label, _ in bars), default=0)
    fancy = "utf" in (sys.stdout.encoding or "").lower()
    lines = []
    for label, share in bars:
        eighths = round(share * width * 8 / 100)
        bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8] if fancy else "#" * round(eighths / 8)
        lines.append(f"  {label:>{name}}  {share:6.2f}  {bar}".rstrip())
    return "\n".join(lines)
