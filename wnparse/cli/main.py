"""The program ``wnparse``: its commands and its exit status.

A command is imported when it is called, so that ``wnparse --version`` does not wait for numpy.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from wnparse import __version__
from wnparse.cli.signals import EXIT_BAD_DATA, EXIT_SIGNAL, signals
from wnparse.errors import WnparseError
from wnparse.storage.files import remove_unfinished
from wnparse.wording import printable

COMMANDS = (
    "combine",
    "crossval",
    "eval",
    "info",
    "parse",
    "rules",
    "show",
    "stats",
    "tag",
    "tokenize",
    "train",
)  # modules of wnparse.cli

EXIT_CLOSED_PIPE = EXIT_SIGNAL + 13

# Set before numpy is imported: its threads for linear algebra, which is hardly used, would slow down every start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

FULL_DISK = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class LazyGroup(click.Group):
    """A group that imports the module of a command on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"wnparse.cli.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the group; --help prints a text."""
        with _closed_pipe():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _closed_pipe():
            return super().invoke(ctx)


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """Give a closed pipe its own exit status, before click treats it like any other error."""
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(EXIT_CLOSED_PIPE) from None


EPILOG = """
\b
Exit status: 0 success; 1 bad data (one line names file and line) or a full disk;
2 usage error, missing file or directory; 130 interrupted; 143 SIGTERM; 129 SIGHUP; 141 closed pipe.

\b
Shell completion for bash (for zsh and fish, replace bash):
  eval "$(_WNPARSE_COMPLETE=bash_source wnparse)"
"""


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(__version__, "-V", "--version", prog_name="wnparse")
def cli() -> None:
    """Graph-based dependency parsing with guaranteed tree structure.

    Files are CoNLL-U or CoNLL-X. Compressed files (.gz, .xz) are handled by extension; - means standard input or
    output. Results go to standard output, messages to standard error. No command overwrites its inputs, except
    that -o of parse, tag and tokenize may name the input.
    """


def main() -> None:
    """Run the command line. User errors do not end in a traceback, and no half-written file is left."""
    _replace_closed_streams()
    signals.received, signals.tidy_up = 0, remove_unfinished
    with signals.handled_by(signals.handle), signals.never_dropped():
        status = _run()
    sys.exit(status)


def _run() -> int:
    """Run the command line, print what went wrong, and return the exit status."""
    try:
        status = cli.main(prog_name="wnparse", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        status = error.exit_code
    except click.ClickException as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            error.show()
        else:
            _report(_describe_error(error), error.exit_code)
        status = error.exit_code
    except WnparseError as error:
        status = _report(str(error), EXIT_BAD_DATA)
    except BrokenPipeError:
        status = EXIT_CLOSED_PIPE
    except (click.Abort, KeyboardInterrupt):
        status = _report("interrupted", signals.status)
    except MemoryError:
        status = _report("out of memory", EXIT_BAD_DATA)
    except OSError as error:
        # Errors of files that are written have a filename; those of what click prints do not.
        where = error.filename or ("standard output" if error.errno in FULL_DISK else "")
        status = _report(f"{where}{': ' if where else ''}{error.strerror or error}", EXIT_BAD_DATA)
    remove_unfinished()
    _close_standard_streams()
    return status if isinstance(status, int) else 0


def _describe_error(error: click.ClickException) -> str:
    """Return the message in one line; it refers to --help if it does not say what is expected."""
    message = " ".join(error.format_message().split())
    if isinstance(error, (click.NoSuchOption, click.MissingParameter)) and error.ctx:
        message += f" See {error.ctx.command_path} --help."
    return message


def _report(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"wnparse: {printable(message)}", err=True)
    return status


def _replace_closed_streams() -> None:
    """Replace standard streams that the caller has closed: using one is then an OSError, and messages are lost."""
    for name, mode, access in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode))


def _close_standard_streams() -> None:
    """Flush the standard streams, so that the interpreter does not report a closed pipe or a full disk later."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
