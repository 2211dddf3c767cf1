"""Helpers of all commands: types of numbers, options, messages, progress, outputs and tables."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import click

from wnparse.cli.paths import ParamType
from wnparse.cli.sections import files
from wnparse.decoding.checks import LARGEST_COUNT
from wnparse.errors import TreebankError
from wnparse.storage.files import COMPRESSED, display_name, open_output
from wnparse.treebanks.chunks import count_cores
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import counted, plural, printable

Function = TypeVar("Function", bound=Callable[..., Any])


class Number(ParamType):
    """A number in a range. Unlike those of click, it is finite, and help does not print technical bounds."""

    name = "number"

    def __init__(self, number_range: click.IntRange | click.FloatRange, metavar: str = "N") -> None:
        self.range = number_range
        self.metavar = metavar

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what help calls the value."""
        return self.metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a text to a number; NaN, which click accepts in any range, and infinity are refused."""
        number = self.range.convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


class Jobs(Number):
    """A number of threads or processes; the word `auto` is the number of cores."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a number, or count the cores."""
        return count_cores() if value == "auto" else super().convert(value, param, ctx)


def integers(least: int, most: int = LARGEST_COUNT, metavar: str = "N") -> Number:
    """Return the type of integers in a range."""
    return Number(click.IntRange(least, most), metavar)


def decimals(least: float, most: float | None = None, *, above: bool = False, metavar: str = "X") -> Number:
    """Return the type of decimal numbers in a range; with `above`, the least one is excluded."""
    return Number(click.FloatRange(least, most, min_open=above), metavar)


COUNT = integers(1)
COUNT_OR_NONE = integers(0)
SEED = Number(click.IntRange(min=0))
JOBS = Jobs(click.IntRange(1, 1024), "N|auto")  # systems refuse some thousands


def option_group(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Make one decorator of several options, which help lists in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


skip_bad_option = files(
    "--skip-bad",
    is_flag=True,
    help="Skip malformed sentences and report how many there were. By default, the first one stops the command.",
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
    help="Suppress everything on standard error except errors.",
)


def is_quiet() -> bool:
    """Return whether the running command has the option --quiet."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def say(message: str, *, error: bool = False) -> None:
    """Print one line on standard error, safe for terminals; with --quiet only if it is an error."""
    if error or not is_quiet():
        with contextlib.suppress(OSError):  # a closed terminal must not stop the work
            click.echo(printable(message), err=True)


def join_names(names: Sequence[str], most: int) -> str:
    """Join names with commas; an ellipsis replaces those after the first `most`."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def refuse_terminal(paths: Sequence[str], content: str = "CoNLL-U") -> None:
    """Refuse to read standard input twice, and explain how to end it if it is a keyboard."""
    if list(paths).count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once; name files for the other inputs.")
    if "-" in paths and sys.stdin.isatty():
        say(f"reading {content} from standard input; end it with Ctrl-D")


@contextlib.contextmanager
def bad_usage(prefix: str = "") -> Iterator[None]:
    """Turn a ValueError into bad usage."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(f"{prefix}{error}.") from None


@contextlib.contextmanager
def progress_bar(label: str | None, **options: Any) -> Iterator[Any]:
    """Show a bar on standard error, by default one that counts words; yield None if that is not a terminal.

    Parameters
    ----------
    label : str or None
        What is in front of the bar.
    **options
        Options of tqdm, instead of the defaults.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # 45 ms that a pipeline need not wait for

    options = {"unit": " words", "unit_scale": True, "delay": 0.5, **options}
    with tqdm(desc=label and printable(label), leave=False, file=sys.stderr, **options) as bar:
        yield bar


@contextlib.contextmanager
def sentence_bar(label: str, paths: Sequence[str] = ()) -> Iterator[Callable[[Sentence], None]]:
    """Show a bar, and yield a function that counts a sentence; without a terminal it does nothing.

    The bar has a percentage and the time that is left if all inputs are plain files, whose size is known.
    """
    total = _total_size(paths)
    options: dict[str, Any] = {}
    if total is not None:
        options = {
            "total": total,
            "bar_format": "{desc}: {percentage:3.0f}% |{bar:30}| {elapsed}<{remaining}{postfix}",
        }
    words = 0
    with progress_bar(label, **options) as bar:

        def count(sentence: Sentence) -> None:
            nonlocal words
            if bar is None:
                return
            words += len(sentence)
            if total is not None:
                bar.set_postfix_str(f"{words:,} words", refresh=False)
            bar.update(len(sentence) if total is None else len(sentence.raw))

        yield count


def _total_size(paths: Sequence[str]) -> int | None:
    """Return the number of bytes of plain files; None if there are other inputs."""
    if not paths or any(path.endswith(COMPRESSED) or not Path(path).is_file() for path in paths):
        return None
    return sum(Path(path).stat().st_size for path in paths)


def progress(sentences: Iterable[Sentence], label: str, paths: Sequence[str] = ()) -> Iterator[Sentence]:
    """Yield sentences, and show a bar while a long input is read."""
    with sentence_bar(label, paths) as count:
        for sentence in sentences:
            yield sentence
            count(sentence)


def given_keywords(options: type, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a TypedDict or fields of a dataclass that are among the flags of a command.

    ``--no-lemma`` becomes ``lemma=False``, and the word `none` becomes None. A flag that is None was not given.
    """
    values = {name: False if flags.get(f"no_{name}") else flags.get(name) for name in options.__annotations__}
    return {name: None if value == "none" else value for name, value in values.items() if value is not None}


def describe_minutes(seconds: float) -> str:
    """Describe an estimated time: ``about 12 minutes``."""
    minutes = max(1, round(seconds / 60))
    if minutes < 120:
        return f"about {counted(minutes, 'minute')}"
    return f"about {minutes / 60:.1f} hours"


class SideFile:
    """An output in addition to the result. If it cannot be written, a message is printed and the work goes on.

    A closed pipe ends the command as usual.

    Attributes
    ----------
    failed : bool
        Whether the file could not be written; it is then left as it was.
    """

    def __init__(self, path: str) -> None:
        self.failed = False
        self._path = path
        self._stack = ExitStack()

    def __enter__(self) -> SideFile:
        with self._tolerate_errors():
            self._stream = self._stack.enter_context(open_output(self._path))
        return self

    def __exit__(self, *error: Any) -> None:
        with self._tolerate_errors():
            self._stack.__exit__(*error)

    def write(self, data: bytes) -> None:
        """Write data, unless an error occurred before."""
        if not self.failed:
            with self._tolerate_errors():
                self._stream.write(data)

    @contextlib.contextmanager
    def _tolerate_errors(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            self.failed = True
            self._stack.__exit__(type(error), error, error.__traceback__)  # removes what was written
            message = f"{display_name(self._path)}: {error.strerror}; the work goes on without it"
            click.echo(f"wnparse: {message}", err=True)


class SkipBad:
    """Counts the bad sentences that are left out, for one message at the end."""

    def __init__(self) -> None:
        self.count = 0
        self.first: TreebankError | None = None

    def __call__(self, error: TreebankError) -> None:
        """Count a bad sentence."""
        self.count += 1
        self.first = self.first or error

    def report(self) -> None:
        """Print how many sentences were skipped, and the first reason."""
        report_skipped(self.count, self.first)


def report_skipped(count: int, first: TreebankError | None) -> None:
    """Print how many bad sentences were skipped, if any, and what is wrong with the first."""
    if count:
        say(f"wnparse: skipped {count} bad {plural(count, 'sentence')}; the first: {first}")


def write_text(path: str | None, text: str) -> None:
    """Write a text to a file, or to standard output (None or ``-``), in UTF-8 whatever the locale."""
    with open_output(path) as stream:
        stream.write(text.encode())


def format_json(data: Any) -> str:
    """Return data as indented JSON that ends in a newline."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def table(rows: Sequence[Sequence[str]], *, indent: int = 2, texts: int = 0) -> str:
    """Align columns: the first and the last `texts` to the left, the others to the right.

    A row without values is a heading.
    """
    rows = [[printable(cell) for cell in row] for row in rows]  # names of files and relations may hold anything
    with_values = [row for row in rows if any(row[1:])]
    widths = [max((len(row[column]) for row in with_values), default=0) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        figures = len(row) - texts
        cells += [cell.rjust(width) for cell, width in zip(row[1:figures], widths[1:figures], strict=True)]
        cells += [cell.ljust(width) for cell, width in zip(row[figures:], widths[figures:], strict=True)]
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def histogram(bars: Sequence[tuple[str, float]], *, width: int = 40) -> str:
    """Draw percentages as bars of eighths of a character; plain # where the terminal has no Unicode."""
    label_width = max((len(label) for label, _ in bars), default=0)
    has_unicode = "utf" in (sys.stdout.encoding or "").lower()
    lines = []
    for label, percentage in bars:
        eighths = round(percentage * width * 8 / 100)
        bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8] if has_unicode else "#" * round(eighths / 8)
        lines.append(f"  {label:>{label_width}}  {percentage:6.2f}  {bar}".rstrip())
    return "\n".join(lines)
