"""Options of clusters: where one is, and what FILE and -o may be if the work is done there."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wnparse.cli.common import bad_usage
from wnparse.cli.paths import InputPath, OutputPath, ParamType
from wnparse.cluster.cut import OWN, find_files, name_outputs
from wnparse.errors import ClusterError

if TYPE_CHECKING:
    from wnparse.cluster.dask import Cluster, Place

TASK_WORDS = 50_000


def uses_cluster(context: click.Context) -> bool:
    """Return whether --cluster is given, on which the types of other options depend."""
    return context.get_parameter_source("cluster") not in (None, ParameterSource.DEFAULT)


class InputOfOneOrMany(InputPath):
    """An existing file or ``-``; with --cluster also a pattern or ``@list.txt``, which is expanded later."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless --cluster allows patterns."""
        if ctx and uses_cluster(ctx):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read, including a file that lists others."""
        if not uses_cluster(context):
            return [value]
        with bad_usage():
            names = find_files([value])
        is_list = value.startswith("@") and value not in names
        return [*names, value[1:]] if is_list else names


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


class ClusterPlace(ParamType):
    """The address of a cluster; it is bad usage if it is malformed, or Dask is missing."""

    name = "cluster"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what help calls the value."""
        return "ADDRESS|local[:N]|file:FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert an address."""
        from wnparse.cluster.dask import Place

        with bad_usage():
            return value if isinstance(value, Place) else Place.of(value)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the file that names the scheduler, if there is one."""
        return [value.file] if value.file else []


def connect_patiently(place: Place, stack: ExitStack) -> Cluster:
    """Connect to a cluster. Signals are handled afterwards, because Dask cannot stop while it starts."""
    from wnparse.cli.signals import signals
    from wnparse.cluster.dask import connect

    received: list[int] = []
    try:
        with signals.handled_by(lambda number, _: received.append(number)):
            cluster = stack.enter_context(connect(place))
    except ClusterError:
        if not received:  # a signal to all processes may have kept workers from starting
            raise
    if received:
        signals.handle(received[0], None)
    return cluster
