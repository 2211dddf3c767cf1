"""What ``wnparse parse`` is told of clusters."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from wnparse.cli.common import COUNT
from wnparse.cli.paths import InputPath, OutputPath, ParamType
from wnparse.cluster.cut import OWN, find_files, name_outputs
from wnparse.errors import ClusterError

if TYPE_CHECKING:
    from wnparse.cluster.dask import Cluster, Place

Command = TypeVar("Command", bound=Callable[..., Any])
TASK_WORDS = 50_000


def uses_cluster(context: click.Context) -> bool:
    """Return whether --cluster is given, on which the types of other options depend."""
    return context.get_parameter_source("cluster") not in (None, ParameterSource.DEFAULT)


class InputOfOneOrMany(InputPath):
    """An existing file or ``-``; with --cluster also a pattern or ``@list.txt``, which is looked at later."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless there may be many."""
        if ctx and uses_cluster(ctx):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read, a list of files among them."""
        if not uses_cluster(context):
            return [value]
        with bad_usage():
            names = find_files([value])
        return [*names, *([value[1:]] if value.startswith("@") and value not in names else [])]


class OutputFileOrFolder(OutputPath):
    """A file to write; with --cluster a folder."""

    hint = " A folder needs --cluster."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless it is a folder."""
        if ctx and uses_cluster(ctx):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are written; with --cluster the folder, and a file in it for each input."""
        if not uses_cluster(context):
            return [value]
        with bad_usage():
            outputs = name_outputs(find_files(context.params["files"]), value)
        folder = [] if Path(value).is_file() else [value]  # a file gets its own message later
        return [*folder, *(os.path.join(value, output) for output in outputs)]  # noqa: PTH118 -- as users write it

    def may_replace(self, context: click.Context) -> frozenset[str]:
        """Return the names of the parameters whose files may be replaced: none with --cluster."""
        return frozenset() if uses_cluster(context) else super().may_replace(context)

    def owns(self, value: Any, context: click.Context) -> list[str]:
        """Return the folder for parts and records, with --cluster."""
        return [os.path.join(value, OWN)] if uses_cluster(context) else []  # noqa: PTH118


@contextlib.contextmanager
def bad_usage(prefix: str = "") -> Iterator[None]:
    """Turn a ValueError into bad usage."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(f"{prefix}{error}.") from None


class ClusterPlace(ParamType):
    """Where a cluster is; bad usage if that is not known, or Dask is missing."""

    name = "cluster"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what help calls it."""
        return "ADDRESS|local[:N]|file:FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read what the user calls it."""
        from wnparse.cluster.dask import Place

        with bad_usage():
            return value if isinstance(value, Place) else Place.of(value)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the file of the scheduler, if there is one."""
        return [value.file] if value.file else []


def cluster_options(command: Command) -> Command:
    """The options of a command that may share out its work."""
    options = [
        click.option(
            "--cluster",
            type=ClusterPlace(),
            is_eager=True,  # what FILE and -o may be depends on it
            help="Share the work out, FILE by FILE into the folder -o: docs/cluster.md.",
        ),
        click.option(
            "--task-words",
            type=COUNT,
            help=f"With --cluster, words of a task; longer files are cut.  [default: {TASK_WORDS}]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def connect_patiently(place: Place, stack: ExitStack) -> Cluster:
    """Connect to a cluster; signals wait so long, for Dask cannot end what has only begun."""
    from wnparse.cli.signals import signals
    from wnparse.cluster.dask import connect

    received: list[int] = []
    try:
        with signals.handled_by(lambda number, _: received.append(number)):
            cluster = stack.enter_context(connect(place))
    except ClusterError:
        if not received:  # what reaches all processes may have kept workers from starting
            raise
    if received:
        signals.handle(received[0], None)
    return cluster
