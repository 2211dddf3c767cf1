"""Opening inputs and outputs by name: plain, ``.gz``, ``.xz``, ``-`` for the standard streams.

A file that is written appears whole or not at all: bytes go to a temporary file beside the target, which
replaces the target only when everything has been written. So the output may be the input file.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import select
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from wnparse.errors import TreebankError

STDIN = "-"
BOM = b"\xef\xbb\xbf"  # what some editors write before UTF-8 text
PIECE = 1 << 18  # bytes asked for at once; a pipe gives what it has
# What a broken compressed file raises, beside OSError.
_DECOMPRESSION_ERRORS = (EOFError, gzip.BadGzipFile, gzip.zlib.error, lzma.LZMAError)  # type: ignore[attr-defined]


def display_name(path: str) -> str:
    """How messages name an input."""
    return "<stdin>" if path == STDIN else path


def _open_binary(path: str) -> BinaryIO:
    if path == STDIN:
        return sys.stdin.buffer
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.open(path, "rb"))
    return Path(path).open("rb")


def _is_ready(stream: BinaryIO) -> bool:
    """Whether a read gives bytes, or the end, at once; False where that cannot be told."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, TypeError, ValueError):  # nothing that the system knows
        return False


def pieces(source: str | BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the bytes of an input as they come; decompression errors become a TreebankError.

    Before a read that may have to wait for whoever writes into the pipe, nothing (``b""``) is yielded.
    """
    stream = _open_binary(source) if isinstance(source, str) else source
    owned = isinstance(source, str) and source != STDIN
    # read1 returns what a pipe holds instead of waiting for a whole piece.
    read = cast("Callable[[int], bytes]", getattr(stream, "read1", stream.read))
    line = 1
    try:
        while True:
            if not _is_ready(stream):
                yield b""
            if not (piece := read(PIECE)):
                break
            yield piece
            line += piece.count(b"\n")
    except _DECOMPRESSION_ERRORS as error:
        message = f"compressed data is truncated or damaged ({error}); expected a whole .gz or .xz file"
        raise TreebankError(message, name, line) from error
    finally:
        if owned:
            stream.close()


def _compressor(path: str, stream: BinaryIO) -> BinaryIO:
    """A compressing stream by the name's ending; no time or name inside, so that runs repeat."""
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.LZMAFile(cast("io.BytesIO", stream), "wb"))
    return stream


def is_read_only(path: str) -> bool:
    """Whether a file is there and not to be written; by its mode too, which does not bind root."""
    try:
        return not Path(path).stat().st_mode & 0o222 or not os.access(path, os.W_OK)
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def open_output(path: str | None) -> Iterator[BinaryIO]:
    """Open standard output (None or ``-``) or a file that appears whole or not at all."""
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if Path(path).exists() and not Path(path).is_file():  # a device or a pipe cannot be replaced
        with Path(path).open("wb") as raw, contextlib.closing(_compressor(path, raw)) as stream:
            yield stream
        return
    if is_read_only(path):  # to rename another file over it would only ask for the rights of the folder
        raise PermissionError(errno.EACCES, "the file is read-only", path)
    target = Path(os.path.realpath(path))  # a link keeps pointing where it did
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as raw:
            with contextlib.ExitStack() as stack:
                stream = _compressor(path, raw)
                if stream is not raw:
                    stack.callback(stream.close)
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Permission bits of the file that is replaced, or those the umask gives a new one."""
    with contextlib.suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
