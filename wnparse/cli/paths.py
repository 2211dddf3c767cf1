"""Paths on the command line: each one is read or written, and no command overwrites a file that it reads.

The type of a parameter declares this. It has a method `reads` or `writes`, which returns the files that a value
stands for, and perhaps `owns`, which returns directories that only the command itself uses. `Command` compares
all of them before any work is done.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from wnparse.cli.sections import Decorated, files, write_sections
from wnparse.storage.files import COMPRESSED, display_name, is_read_only, names_directory

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # not generic in older versions

STANDARD = "-"  # the name of a standard stream
HTML = (".html", ".htm")  # extensions of pages


class InputPath(click.Path):
    """An existing file, or ``-`` for standard input. A missing file is bad usage."""

    def __init__(self, *, dash: bool = True) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=dash)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read."""
        return [value]


class OutputPath(click.Path):
    """A file to write, or ``-`` for standard output. A directory that is missing or closed is bad usage.

    Parameters
    ----------
    replaces_output : {"never", "-", "always"}
        Whether the results, which go to standard output without ``-o``, are not written if the option is given:
        never, if it is ``-``, or always.
    replaces : collection of str
        Names of the parameters whose files this output may replace, because they have been read when it appears.
    endings : sequence of str
        What the name of a file may end in if it has an extension, apart from that of compression.
    """

    hint = ""  # added to the message about the name of a directory

    def __init__(
        self, *, replaces_output: str = "never", replaces: Collection[str] = (), endings: Sequence[str] = ()
    ) -> None:
        super().__init__(dir_okay=False, allow_dash=True)
        self.replaces_output = replaces_output
        self.replaces = frozenset(replaces)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the name of the file and its directory."""
        path = os.fsdecode(value)
        if not path:
            self.fail("the name of the file is empty; expected a file to write.", param, ctx)
        path = os.fsdecode(super().convert(value, param, ctx))
        if names_directory(path):
            self.fail(f"'{path}' is the name of a directory; expected a file.{self.hint}", param, ctx)
        if self.endings and self._ending(path) not in ("", *self.endings):
            expected = " or ".join(self.endings)
            self.fail(f"the name '{path}' does not fit; expected a name that ends in {expected}.", param, ctx)
        directory = Path(os.path.realpath(path)).parent
        replaced = path != STANDARD and (Path(path).is_file() or not Path(path).exists())
        if replaced and not directory.is_dir():
            self.fail(f"directory '{directory}' does not exist; create it first.", param, ctx)
        if replaced and not os.access(directory, os.W_OK | os.X_OK):
            self.fail(
                f"directory '{directory}' cannot be written to; name a file elsewhere, or change its permissions.",
                param,
                ctx,
            )
        if replaced and is_read_only(path):
            self.fail(f"file '{path}' is read-only; name another file, or make it writable.", param, ctx)
        return path

    @staticmethod
    def _ending(path: str) -> str:
        """Return the extension of a file, in lower case."""
        *_, name = path.split("/")
        for compression in COMPRESSED:
            name = name.removesuffix(compression)
        return Path(name).suffix.lower()

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are written."""
        return [value]

    def may_replace(self, context: click.Context) -> frozenset[str]:
        """Return the parameters whose files may be replaced; none if they are text, not CoNLL-U."""
        return self.replaces if context.params.get("input_format", "conllu") == "conllu" else frozenset()


INPUT = InputPath()
MODEL = InputPath(dash=False)
OUTPUT = OutputPath()

output_option = files(
    "-o", "--output", type=OUTPUT, metavar="FILE", help="Write to FILE instead of standard output."
)


def html_option(contents: str) -> Callable[[Decorated], Decorated]:
    """Return the option --html of a command; its help lists the contents of the report."""
    return files(
        "--html",
        metavar="FILE",
        type=OutputPath(replaces_output="-", endings=HTML),
        help=f"Also write an HTML report with {contents}; - prints it instead of the tables.",
    )


class Written(NamedTuple):
    """A file that a command writes."""

    option: str  # as the user calls it; empty for results on standard output
    path: str
    replaces: frozenset[str] = frozenset()  # parameters whose files it may replace

    @property
    def name(self) -> str:
        """The file in messages."""
        if self.path == STANDARD:
            return f"{self.option} (standard output)" if self.option else "standard output"
        return f"{self.option} {self.path}"


class Command(click.Command):
    """A command with options in sections, which never overwrites its inputs.

    Before any work is done, it refuses to write a file that it reads, or to write one twice.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options of the command in sections."""
        write_sections(self, ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Check the files, and run the command."""
        read, written = list(_paths_read(self, ctx)), list(_paths_written(self, ctx))
        _refuse_overwriting(read, written)
        _refuse_owned(self, ctx, [*(path for _, path in read), *(output.path for output in written)])
        return super().invoke(ctx)


def _refuse_overwriting(inputs: list[tuple[str, str]], outputs: list[Written]) -> None:
    """Raise UsageError if a file that is written is also read, or written twice, through links too."""
    read: dict[object, tuple[str, set[str]]] = {}  # a path of each file, and the parameters that name the file
    for parameter, path in inputs:
        if (file := _identify(path, sys.stdin)) is not None:
            read.setdefault(file, (path, set()))[1].add(parameter)
    written: dict[object, Written] = {}
    for output in outputs:
        file = _identify(output.path, sys.stdout)
        if file is None:
            continue
        if file in read:
            path, parameters = read[file]
            if output.path == STANDARD or not parameters <= output.replaces:
                raise click.UsageError(
                    f"{output.name} would overwrite an input, {display_name(path)}; name another file."
                )
        if file in written:
            raise click.UsageError(f"{written[file].name} and {output.name} are the same file; name two files.")
        written[file] = output


def _refuse_owned(command: click.Command, context: click.Context, paths: list[str]) -> None:
    """Raise UsageError if a file is in a directory that only the command itself uses."""
    for parameter, value in _values(command, context, "owns"):
        for directory in parameter.type.owns(value, context):
            for path in paths:
                if path != STANDARD and Path(os.path.realpath(directory)) in Path(os.path.realpath(path)).parents:
                    raise click.UsageError(
                        f"{path} is in {directory}, where the command keeps its own files; name another file."
                    )


def _values(command: click.Command, context: click.Context, method: str) -> Iterator[tuple[Any, Any]]:
    """Yield the parameters whose type has a method, each with each of its values."""
    for parameter in command.params:
        if hasattr(parameter.type, method):
            value = context.params.get(parameter.name or "")
            values = value if isinstance(value, (tuple, list)) else [value]
            yield from ((parameter, value) for value in values if value is not None)


def _paths_read(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the files that a command reads, each with the name of its parameter."""
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and not context.params[parameter.name or ""]:
            yield parameter.name or "", STANDARD  # without FILE standard input is read
    for parameter, value in _values(command, context, "reads"):
        for path in parameter.type.reads(value, context):
            yield parameter.name, path


def _paths_written(command: click.Command, context: click.Context) -> Iterator[Written]:
    """Yield the files that a command writes, among them standard output unless another file replaces it."""
    standard = True
    for parameter, value in _values(command, context, "writes"):
        replaces: frozenset[str] = frozenset()
        if isinstance(parameter.type, OutputPath):
            replaces = parameter.type.may_replace(context)
            if "-o" in parameter.opts or parameter.type.replaces_output in ("always", value):
                standard = False
        for path in parameter.type.writes(value, context):
            yield Written(parameter.opts[0], path, replaces)
    if standard:
        yield Written("", STANDARD)


def _identify(path: str, standard: TextIO) -> object:
    """Return what all names of one file have in common; None if the file cannot be lost: a device, a pipe."""
    try:
        status = os.fstat(standard.fileno()) if path == STANDARD else Path(path).stat()
        if stat.S_ISREG(status.st_mode):
            return status.st_dev, status.st_ino
    except FileNotFoundError:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a stream that the system does not know
        pass
    return STANDARD if path == STANDARD and standard is sys.stdout else None
