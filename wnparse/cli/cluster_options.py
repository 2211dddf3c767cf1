"""What ``wnparse parse`` is told of clusters."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import click

from wnparse.cli.common import COUNT, OutputPath
from wnparse.errors import ClusterError

if TYPE_CHECKING:
    from wnparse.cluster import Cluster, Place

Command = TypeVar("Command", bound=Callable[..., Any])
TASK_WORDS = 50_000


class InputOfOneOrMany(click.Path):
    """An existing file or ``-``; with --cluster also a pattern or ``@list.txt``, which is looked at later."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless there may be many."""
        if ctx and ctx.params.get("cluster"):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)


class OutputFileOrFolder(OutputPath):
    """A file to write; with --cluster a folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless it is a folder."""
        if ctx and ctx.params.get("cluster"):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)


def as_place(context: click.Context, parameter: click.Parameter, value: str | None) -> Any:
    """Where a cluster is; bad usage if that is none, or Dask is missing."""
    if value is None:
        return None
    from wnparse.cluster import Place

    try:
        return Place.of(value)
    except ValueError as error:
        message = f"{error}."
        raise click.UsageError(message) from None


def cluster_options(command: Command) -> Command:
    """The options of a command that may share out its work."""
    options = [
        click.option(
            "--cluster",
            metavar="ADDRESS|local[:N]|file:FILE",
            callback=as_place,
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
    from wnparse.cli import signals
    from wnparse.cluster import connect

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
