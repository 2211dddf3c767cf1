"""The command line: options and printing only; each command calls one function of the library.

Commands are imported when they are called, so that ``wnparse --version`` does not wait for numpy.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import click

from wnparse import __version__
from wnparse.errors import WnparseError
from wnparse.files import remove_unfinished
from wnparse.interrupt import ENDING, leaving_on_interrupt
from wnparse.wording import printable

COMMANDS = {
    "combine": "wnparse.cli.combine",
    "crossval": "wnparse.cli.crossval",
    "eval": "wnparse.cli.eval",
    "info": "wnparse.cli.info",
    "parse": "wnparse.cli.parse",
    "show": "wnparse.cli.show",
    "stats": "wnparse.cli.stats",
    "train": "wnparse.cli.train",
}

EXIT_BAD_DATA = 1
# What shells report for a program that a signal ended: 128 + its number.
EXIT_SIGNAL = 128
EXIT_CLOSED_PIPE = EXIT_SIGNAL + 13
AGAIN_SECONDS = 0.01  # after which an interrupt that came to nothing is tried again

# Before numpy is imported: threads of its linear algebra, of which little is used, would spin at every start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

FULL_DISK = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        with leaving_on_interrupt(signals.handle):
            command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options of all commands, of which one prints help."""
        with _closed_pipe():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _closed_pipe():
            return super().invoke(ctx)


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """Give a closed pipe its own exit status, before click takes it for any other error."""
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(EXIT_CLOSED_PIPE) from None


EPILOG = """
\b
Exit status: 0 done; 1 bad data, in one line that names file and line, or a full disk;
2 bad usage, a missing file or folder; 130 interrupted, 143 and 129 by SIGTERM and SIGHUP; 141 closed pipe.

\b
Shell completion, for bash (zsh and fish likewise):
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

    Files are CoNLL-U (or CoNLL-X); .gz and .xz are read and written by their name, - is a standard stream.
    Results go to standard output, everything else to standard error. No command overwrites a file that it reads,
    except that parse -o may name the input.
    """


class Signals:
    """SIGTERM and SIGHUP act as Ctrl-C does; those that the caller ignores, as nohup does, stay ignored."""

    def __init__(self) -> None:
        self.received = 0
        self.dropped = False

    @property
    def status(self) -> int:
        """The exit status of a program that a signal ended."""
        return EXIT_SIGNAL + (self.received or signal.SIGINT)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Interrupt what is running; the second time what is being tidied up, and an import, which cannot be."""
        again, self.received = self.received, number
        if again or _is_within(frame, _imports):
            self._leave()
        raise KeyboardInterrupt

    @contextlib.contextmanager
    def never_dropped(self) -> Iterator[None]:
        """Let an interrupt that met what cannot raise, such as a finaliser, come again: Python drops it there."""
        usual = sys.unraisablehook
        sys.unraisablehook = functools.partial(self._handle_unraisable, usual)
        try:
            yield
        finally:
            sys.unraisablehook = usual
            if self.dropped:  # what it was to end has ended
                self.dropped = False
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _handle_unraisable(self, usual: Callable[[Any], Any], lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, KeyboardInterrupt) or not self.received:
            usual(lost)
        elif hasattr(signal, "setitimer"):
            self.dropped = True
            signal.signal(signal.SIGALRM, self._handle_again)
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS, AGAIN_SECONDS)
        else:
            self._leave()

    def _handle_again(self, _: int, frame: FrameType | None) -> None:
        """Interrupt, unless the alarm came while the last one was still being dropped: there will be another."""
        if self.dropped and not _is_within(frame, lambda code: code is Signals._handle_unraisable.__code__):
            self.dropped = False  # another alarm may be on its way
            signal.setitimer(signal.ITIMER_REAL, 0)
            number, self.received = self.received, 0
            self.handle(number, frame)

    def _leave(self) -> None:
        remove_unfinished()
        os._exit(self.status)

    @contextlib.contextmanager
    def handled_by(self, handler: Callable[[int, Any], None]) -> Iterator[None]:
        """Let the signals that end a program call `handler` for a while."""
        previous = {number: signal.getsignal(number) for number in ENDING}
        for number, before in previous.items():
            if before is not signal.SIG_IGN:
                signal.signal(number, handler)
        try:
            yield
        finally:
            for number, before in previous.items():
                signal.signal(number, before)


def _is_within(frame: FrameType | None, wanted: Callable[[CodeType], bool]) -> bool:
    """Whether a frame, or one that called it, runs such code."""
    while frame is not None and not wanted(frame.f_code):
        frame = frame.f_back
    return frame is not None


def _imports(code: CodeType) -> bool:
    """Whether it imports a module: what is raised there may be swallowed, or told as a traceback."""
    return code.co_filename.startswith("<frozen importlib")


signals = Signals()


def main() -> None:
    """Run the command line; no user error ends in a traceback, and no half-written file is left."""
    _replace_closed_streams()
    signals.received = 0
    with signals.handled_by(signals.handle), signals.never_dropped():
        status = _run()
    sys.exit(status)


def _run() -> int:
    """Run the command line and say what went wrong; the exit status."""
    try:
        status = cli.main(prog_name="wnparse", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        status = error.exit_code
    except click.Abort:
        status = _report("interrupted", signals.status)
    except click.ClickException as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            error.show()
        else:
            _report(_advised(error), error.exit_code)
        status = error.exit_code
    except WnparseError as error:
        status = _report(str(error), EXIT_BAD_DATA)
    except BrokenPipeError:
        status = EXIT_CLOSED_PIPE
    except KeyboardInterrupt:
        status = _report("interrupted", signals.status)
    except MemoryError:
        status = _report("out of memory", EXIT_BAD_DATA)
    except OSError as error:
        # Files that are written name themselves; what click prints does not.
        where = error.filename or ("standard output" if error.errno in FULL_DISK else "")
        status = _report(f"{where}{': ' if where else ''}{error.strerror or error}", EXIT_BAD_DATA)
    remove_unfinished()
    _close_standard_streams()
    return status if isinstance(status, int) else 0


def _advised(error: click.ClickException) -> str:
    """What is wrong, in one line, and where to read what would be right if the message does not say."""
    message = " ".join(error.format_message().split())
    if isinstance(error, (click.NoSuchOption, click.MissingParameter)) and error.ctx:
        message += f" See {error.ctx.command_path} --help."
    return message


def _report(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"wnparse: {printable(message)}", err=True)
    return status


def _replace_closed_streams() -> None:
    """Where the caller has closed a standard stream, let using it be an error of the system; messages are lost."""
    for name, mode, access in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode))


def _close_standard_streams() -> None:
    """Keep the interpreter from complaining, on its way out, that a pipe is closed or a disk is full."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
