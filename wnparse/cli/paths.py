"""Paths on the command line: each one is read or written, and no command overwrites what it reads.

The type of a parameter declares this. It has a method `reads` or `writes`, which returns the files that a value
stands for, and perhaps `owns`, which returns folders that the command fills and empties as it likes. `Command`
compares all of them before any work is done.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from wnparse.storage.files import display_name, is_read_only, names_folder

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # older versions have no type of the value

STANDARD = "-"  # the name of a standard stream


class InputPath(click.Path):
    """An existing file, or ``-`` for standard input. A missing file is bad usage."""

    def __init__(self, *, dash: bool = True) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=dash)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read."""
        return [value]


class OutputPath(click.Path):
    """A file to write, or ``-`` for standard output. A folder that is missing or closed is bad usage.

    Parameters
    ----------
    replaces_output : {"never", "-", "always"}
        Whether the results, which go to standard output without ``-o``, are not written if the option is given:
        never, if it is ``-``, or always.
    replaces : collection of str
        Names of the parameters whose files this output may replace, because they have been read when it appears.
    """

    hint = ""  # what to do with a folder

    def __init__(self, *, replaces_output: str = "never", replaces: Collection[str] = ()) -> None:
        super().__init__(dir_okay=False, allow_dash=True)
        self.replaces_output = replaces_output
        self.replaces = frozenset(replaces)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the name of the file and its folder."""
        path = os.fsdecode(value)
        if not path:
            self.fail("the name of the file is empty.", param, ctx)
        path = os.fsdecode(super().convert(value, param, ctx))
        if names_folder(path):
            self.fail(f"'{path}' is the name of a folder; expected a file.{self.hint}", param, ctx)
        folder = Path(os.path.realpath(path)).parent
        replaced = path != STANDARD and (Path(path).is_file() or not Path(path).exists())
        if replaced and not folder.is_dir():
            self.fail(f"folder '{folder}' does not exist.", param, ctx)
        if replaced and not os.access(folder, os.W_OK | os.X_OK):
            self.fail(f"folder '{folder}' cannot be written to.", param, ctx)
        if replaced and is_read_only(path):
            self.fail(f"file '{path}' is read-only.", param, ctx)
        return path

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are written."""
        return [value]

    def may_replace(self, context: click.Context) -> frozenset[str]:
        """Return the names of the parameters whose files may be replaced."""
        return self.replaces


INPUT = InputPath()
MODEL = InputPath(dash=False)
OUTPUT = OutputPath()

output_option = click.option(
    "-o", "--output", type=OUTPUT, metavar="FILE", help="Write to FILE instead of standard output."
)
html_option = click.option(
    "--html",
    metavar="FILE",
    type=OutputPath(replaces_output="-"),
    help="Also write an HTML report with tables, plots and pictures of trees; - prints it instead of the tables.",
)


class Command(click.Command):
    """A command that refuses, before any work is done, to write a file that it reads, or to write one twice."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check the files, and run the command."""
        refuse_overwriting(self, ctx)
        return super().invoke(ctx)


class Written(NamedTuple):
    """A file that a command writes."""

    option: str  # as the user calls it; empty for results on standard output
    path: str
    replaces: frozenset[str] = frozenset()  # parameters whose files it may replace

    @property
    def name(self) -> str:
        """What messages call it."""
        if self.path == STANDARD:
            return f"{self.option} (standard output)" if self.option else "standard output"
        return f"{self.option} {self.path}"


def refuse_overwriting(command: click.Command, context: click.Context) -> None:
    """Raise UsageError if the command would write a file that it reads, or one file twice, through links too."""
    read: dict[object, tuple[str, set[str]]] = {}
    for parameter, path in _paths_read(command, context):
        if (place := _place(path, sys.stdin)) is not None:
            read.setdefault(place, (path, set()))[1].add(parameter)
    written: dict[object, Written] = {}
    for output in _paths_written(command, context):
        place = _place(output.path, sys.stdout)
        if place is None:
            continue
        if place in read:
            path, parameters = read[place]
            if output.path == STANDARD or not parameters <= output.replaces:
                raise click.UsageError(
                    f"{output.name} would overwrite an input, {display_name(path)}; name another file."
                )
        if place in written:
            first = written[place]
            raise click.UsageError(f"{first.name} and {output.name} are the same file; name two files.")
        written[place] = output
    _refuse_owned(command, context)


def _refuse_owned(command: click.Command, context: click.Context) -> None:
    """Raise UsageError if another file is in a folder that the command fills and empties."""
    paths = [path for _, path in _paths_read(command, context)]
    paths += [output.path for output in _paths_written(command, context)]
    for parameter in command.params:
        if not hasattr(parameter.type, "owns"):
            continue
        for value in _values(context, parameter):
            for folder in parameter.type.owns(value, context):
                for path in paths:
                    if path != STANDARD and Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents:
                        raise click.UsageError(
                            f"{path} is in {folder}, where the command keeps its own files; name another file."
                        )


def _values(context: click.Context, parameter: click.Parameter) -> Iterator[Any]:
    """Yield the values of a parameter, of which there may be several."""
    value = context.params.get(parameter.name or "")
    values = value if isinstance(value, (tuple, list)) else [value]
    yield from (each for each in values if each is not None)


def _paths_read(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the files that a command reads, each with the name of its parameter."""
    for parameter in command.params:
        if not hasattr(parameter.type, "reads"):
            continue
        values = list(_values(context, parameter))
        if isinstance(parameter, click.Argument) and not values:  # without FILE standard input is read
            yield parameter.name or "", STANDARD
        for value in values:
            for path in parameter.type.reads(value, context):
                yield parameter.name or "", path


def _paths_written(command: click.Command, context: click.Context) -> Iterator[Written]:
    """Yield the files that a command writes, among them standard output unless something takes its place."""
    standard = True
    for parameter in command.params:
        if not hasattr(parameter.type, "writes"):
            continue
        replaces: frozenset[str] = frozenset()
        if isinstance(parameter.type, OutputPath):
            replaces = parameter.type.may_replace(context)
        for value in _values(context, parameter):
            instead = getattr(parameter.type, "replaces_output", "never")
            if "-o" in parameter.opts or instead == "always" or instead == value:
                standard = False
            for path in parameter.type.writes(value, context):
                yield Written(parameter.opts[0], path, replaces)
    if standard:
        yield Written("", STANDARD)


def _place(path: str, standard: TextIO) -> object:
    """Return what all names of one file have in common; None where a file cannot be lost: a device, a pipe."""
    try:
        found = os.fstat(standard.fileno()) if path == STANDARD else Path(path).stat()
    except FileNotFoundError:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a stream that the system does not know
        return STANDARD if path == STANDARD and standard is sys.stdout else None
    if stat.S_ISREG(found.st_mode):
        return found.st_dev, found.st_ino
    return STANDARD if path == STANDARD and standard is sys.stdout else None
