"""What the commands share: input arguments, numbers, messages, progress, tables."""

from __future__ import annotations

import contextlib
import math
import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

import click

from wnparse.conllu import Sentence
from wnparse.constraints import LARGEST_COUNT
from wnparse.errors import TreebankError
from wnparse.files import display_name, is_read_only, open_output
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


# An existing file or `-`: a missing one is bad usage, exit 2.
INPUT = click.Path(exists=True, dir_okay=False, allow_dash=True)


class OutputPath(click.Path):
    """A file to write; that its folder is missing or closed is said before any work is done, not after."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the folder of the file."""
        path = os.fsdecode(super().convert(value, param, ctx))
        folder = Path(os.path.realpath(path)).parent
        replaced = path != "-" and (Path(path).is_file() or not Path(path).exists())
        if replaced and not folder.is_dir():
            self.fail(f"folder '{folder}' does not exist.", param, ctx)
        if replaced and not os.access(folder, os.W_OK | os.X_OK):
            self.fail(f"folder '{folder}' cannot be written to.", param, ctx)
        if replaced and is_read_only(path):
            self.fail(f"file '{path}' is read-only.", param, ctx)
        return path


OUTPUT = OutputPath()
output_option = click.option("-o", "--output", type=OUTPUT, help="Write there instead of to standard output.")

html_option = click.option(
    "--html",
    metavar="OUT",
    type=OUTPUT,
    help="Write a page with tables, plots and pictures of trees too; - instead.",
)


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


def refuse_overwriting(
    outputs: Mapping[str, str | None], inputs: Iterable[str | None], replaceable: Collection[str] = ()
) -> None:
    """Say so, before any work, where an output is an input or another output, through links too.

    Parameters
    ----------
    outputs : mapping
        Paths by what the user calls them; None is not written.
    inputs : iterable of str or None
        Paths that are read, a model among them.
    replaceable : collection of str
        Inputs that ``-o`` may replace: they have been read when it appears.
    """
    read = {place: path for path in inputs if path and (place := _place(path, sys.stdin))}
    allowed = {_place(path, sys.stdin) for path in replaceable}
    written: dict[object, str] = {}
    for name, path in outputs.items():
        place = _place(path, sys.stdout) if path else None
        if place is None:
            continue
        named = f"{name} {path}" if path != "-" else f"{name} (standard output)"
        if place in read and not (name == "-o" and path != "-" and place in allowed):
            message = f"{named} would overwrite an input, {display_name(read[place])}; name another file."
            raise click.UsageError(message)
        if place in written:
            message = f"{written[place]} and {name} name the same file, {path}; name two."
            raise click.UsageError(message)
        written[place] = name


def _place(path: str, standard: TextIO) -> object:
    """What two names of one file have in common; None where a file cannot be lost: a device, a pipe."""
    try:
        found = os.fstat(standard.fileno()) if path == "-" else Path(path).stat()
    except FileNotFoundError:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a stream that the system does not know
        return "-" if path == "-" and standard is sys.stdout else None
    if stat.S_ISREG(found.st_mode):
        return found.st_dev, found.st_ino
    return "-" if path == "-" and standard is sys.stdout else None


def refuse_terminal(paths: Sequence[str]) -> None:
    """Say so where standard input would be waited for at a keyboard, or is named twice."""
    if list(paths).count("-") > 1:
        message = "standard input (-) can be read only once."
        raise click.UsageError(message)
    if "-" in paths and sys.stdin.isatty():
        say("reading CoNLL-U from standard input; end it with Ctrl-D")


def progress(sentences: Iterable[Sentence], label: str) -> Iterator[Sentence]:
    """Count words on standard error while a long input is read; nothing where that is no terminal."""
    if is_quiet() or not sys.stderr.isatty():
        yield from sentences
        return
    from tqdm import tqdm  # 45 ms that a pipeline need not wait for

    with tqdm(
        desc=printable(label), unit=" words", unit_scale=True, delay=0.5, leave=False, file=sys.stderr
    ) as bar:
        for sentence in sentences:
            yield sentence
            bar.update(len(sentence))


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
