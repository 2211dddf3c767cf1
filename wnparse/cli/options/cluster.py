"""Types of options for many files: inputs, the directory of outputs, and the cluster that does the work."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wnparse.cli.common import bad_usage
from wnparse.cli.paths import InputPath, ParamType
from wnparse.cluster.cut import OWN, find_files, name_outputs
from wnparse.errors import ClusterError

if TYPE_CHECKING:
    from wnparse.cluster.dask import Cluster, ClusterLocation

TASK_WORDS = 50_000


def fills_directory(context: click.Context) -> bool:
    """Return whether --output-dir is given: then FILE may also be a pattern or a list."""
    return context.get_parameter_source("output_dir") not in (None, ParameterSource.DEFAULT)


class InputFiles(InputPath):
    """An existing file or ``-``; with --output-dir also a pattern or ``@list.txt``, which is expanded later."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the file, unless patterns are allowed."""
        if ctx and fills_directory(ctx):
            return os.fsdecode(value)
        return super().convert(value, param, ctx)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the files that are read, including a file that lists others."""
        if not fills_directory(context):
            return [value]
        with bad_usage():
            names = find_files([value])
        is_list = value.startswith("@") and value not in names
        return [*names, value[1:]] if is_list else names


class OutputDirectory(click.Path):
    """A directory that gets one output per input; it is created if it does not exist."""

    replaces_output = "always"

    def __init__(self) -> None:
        super().__init__(file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that it is a directory, or can become one."""
        directory = os.fsdecode(super().convert(value, param, ctx))
        if not directory:
            self.fail("the name of the directory is empty; expected a directory to write to.", param, ctx)
        if not Path(directory).absolute().parent.is_dir():
            self.fail(
                f"directory '{Path(directory).absolute().parent}' does not exist; create it first.", param, ctx
            )
        return directory

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the directory, and a file in it for each input."""
        with bad_usage():
            outputs = name_outputs(find_files(context.params["files"]), value)
        return [value, *(os.path.join(value, output) for output in outputs)]  # noqa: PTH118 -- as users write it

    def owns(self, value: Any, context: click.Context) -> list[str]:
        """Return the directory for records and parts of outputs."""
        return [os.path.join(value, OWN)]  # noqa: PTH118


class ClusterName(ParamType):
    """The address of a cluster; it is bad usage if it is malformed, or Dask is missing."""

    name = "cluster"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what help calls the value."""
        return "ADDRESS|local[:N]|file:FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert an address."""
        from wnparse.cluster.dask import ClusterLocation

        with bad_usage():
            return value if isinstance(value, ClusterLocation) else ClusterLocation.of(value)

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the file that names the scheduler, if there is one."""
        return [value.file] if value.file else []


def connect_patiently(place: ClusterLocation, stack: ExitStack) -> Cluster:
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
