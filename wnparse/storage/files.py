"""Opening inputs and outputs by name: plain, ``.gz``, ``.xz``, ``-`` for the standard streams.

A file that is written appears completely or not at all: bytes go to a temporary file next to the target, which
replaces the target only when everything has been written. So the output may be the input file.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import secrets
import select
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from wnparse.errors import TreebankError
from wnparse.wording import readable

STDIN = "-"
COMPRESSED = (".gz", ".xz")
BOM = b"\xef\xbb\xbf"  # what some editors write before UTF-8 text
PIECE = 1 << 18  # bytes per read; a pipe may return fewer
# The errors that a broken compressed file raises, in addition to OSError.
DECOMPRESSION_ERRORS = (EOFError, gzip.BadGzipFile, gzip.zlib.error, lzma.LZMAError)  # type: ignore[attr-defined]


def display_name(path: str) -> str:
    """Return the name of an input for messages."""
    return "<stdin>" if path == STDIN else readable(path)


def open_binary(path: str) -> BinaryIO:
    """Open an input; ``.gz`` and ``.xz`` files are decompressed."""
    if path == STDIN:
        return sys.stdin.buffer
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.open(path, "rb"))
    return Path(path).open("rb")


class FilePart:
    """A part of a plain file as a binary stream; it counts the lines that have been read.

    Parameters
    ----------
    path : str
        The path of the file.
    name : str
        The name of the file for messages.
    begin, end : int
        Byte offsets.
    """

    def __init__(self, path: str, name: str, begin: int, end: int) -> None:
        self.path = path
        self.name = name
        self.begin = begin
        self.lines = 0
        self._left = end - begin
        self._stream = Path(path).open("rb")  # noqa: SIM115 -- closed by `close`
        self._stream.seek(begin)

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._stream.fileno()

    def read1(self, size: int = PIECE) -> bytes:
        """Return the next bytes; none at the end."""
        piece = self._stream.read1(min(size, self._left))
        self._left -= len(piece)
        self.lines += piece.count(b"\n")
        return piece

    read = read1

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def pieces(source: str | BinaryIO | TextIO, name: str) -> Iterator[bytes]:
    """Yield the bytes of an input as they come, UTF-8 if it is text; decoding errors become a TreebankError.

    Before a read that may have to wait for data, for example from a pipe, ``b""`` is yielded.
    """
    stream = open_binary(source) if isinstance(source, str) else source
    owned = isinstance(source, str) and source != STDIN
    # read1 returns what a pipe holds instead of waiting for a whole piece.
    read = cast("Callable[[int], bytes | str]", getattr(stream, "read1", stream.read))
    line = 1
    try:
        while True:
            ready = False
            with contextlib.suppress(OSError, TypeError, ValueError):  # select does not support all streams
                ready = bool(select.select([stream], [], [], 0)[0])
            if not ready:
                yield b""
            if not (piece := read(PIECE)):
                break
            if isinstance(piece, str):
                piece = piece.encode("utf-8", "surrogateescape")  # keeps bytes that were not decoded
            yield piece
            line += piece.count(b"\n")
    except DECOMPRESSION_ERRORS as error:
        raise TreebankError(
            f"compressed data is truncated or damaged ({error}); expected a complete .gz or .xz file", name, line
        ) from error
    except UnicodeDecodeError as error:
        raise TreebankError(
            f"the file was opened as {error.encoding} text, but is not {error.encoding}; open it in binary mode",
            name,
        ) from error
    finally:
        if owned:
            stream.close()


def _compressor(path: str, stream: BinaryIO) -> BinaryIO:
    """Return a stream that compresses by extension, without time or name, so that the bytes are reproducible."""
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.LZMAFile(cast("io.BytesIO", stream), "wb"))
    return stream


def names_directory(path: str) -> bool:
    """Return whether a path can only name a directory: it ends in a slash, ``.`` or ``..``."""
    return os.path.basename(path) in ("", os.curdir, os.pardir)  # noqa: PTH119 -- Path drops a slash at the end


def is_read_only(path: str) -> bool:
    """Return whether a file exists and is read-only; its mode counts even for root, who could write to it."""
    try:
        return not Path(path).stat().st_mode & 0o222 or not os.access(path, os.W_OK)
    except FileNotFoundError:
        return False


class _NamedOutput:
    """A stream whose errors name the file; those of a full disk otherwise do not."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write all of the data."""
        with _naming(self._name):
            return self._stream.write(data)

    def flush(self) -> None:
        """Write buffered data."""
        with _naming(self._name):
            self._stream.flush()


def _named(stream: BinaryIO, name: str) -> BinaryIO:
    return cast(BinaryIO, _NamedOutput(stream, name))


class _naming:  # noqa: N801 -- a context manager that is cheap enough for each sentence
    """Add the name of a file, as the user wrote it, to the errors of the system that are raised inside."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            error.filename = self.name


_umask_lock = threading.Lock()  # the umask cannot be read without changing it

# Files that are not complete yet; they are noted before they exist, because a signal may come at any time.
_unfinished: set[Path] = set()


def remove_unfinished() -> None:
    """Remove the files that an interruption left incomplete; called when the program ends."""
    while _unfinished:
        _unfinished.pop().unlink(missing_ok=True)


@contextlib.contextmanager
def open_output(path: str | None) -> Iterator[BinaryIO]:
    """Open standard output (None or ``-``) or a file that appears completely or not at all."""
    if path is None or path == "-":
        standard = _named(sys.stdout.buffer, "standard output")
        yield standard
        standard.flush()
        return
    if names_directory(path):
        raise IsADirectoryError(errno.EISDIR, "this is a directory; expected a file name", path)
    if Path(path).exists() and not Path(path).is_file():  # a device or a pipe cannot be replaced
        with Path(path).open("wb") as raw, _closing(raw, path) as stream:
            yield _named(stream, path)
        return
    if is_read_only(path):  # renaming another file over it would need write access to the directory only
        raise PermissionError(errno.EACCES, "the file is read-only; expected a file that can be written", path)
    target = Path(os.path.realpath(path))  # a link stays, and its target is replaced
    temporary = target.with_name(f".{target.name[:50]}.{secrets.token_hex(6)}")
    _unfinished.add(temporary)
    try:
        with _naming(path):  # other users cannot read it until it is complete
            raw = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        with _closing(raw, path) as stream:
            yield _named(stream, path)
        with _naming(path):
            temporary.chmod(_mode(target))
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
        _unfinished.discard(temporary)


@contextlib.contextmanager
def _closing(raw: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """Yield a stream that compresses by extension; sync it to disk at the end, or only close it after an error."""
    stream = _compressor(path, raw)
    try:
        yield stream
        with _naming(path):
            if stream is not raw:
                stream.close()
            raw.flush()
            if stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
                os.fsync(raw.fileno())
            raw.close()
    except BaseException:
        for opened in (stream, raw):
            with contextlib.suppress(OSError, ValueError, lzma.LZMAError):
                opened.close()  # the first error is raised
        raise


def _mode(target: Path) -> int:
    """Return the permission bits of the file that is replaced, or of a new file by the umask."""
    with contextlib.suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    with _umask_lock:
        umask = os.umask(0)
        os.umask(umask)
    return 0o666 & ~umask
