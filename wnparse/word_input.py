"""One word a line as input: a blank line ends a sentence, lines that begin with ``# `` are comments.

The text becomes CoNLL-U line by line, so that messages count its own lines: each word a row of which only id and
form are known.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, cast

from wnparse.errors import TreebankError
from wnparse.files import BOM, PIECE, STDIN, FilePart, display_name, open_binary

EMPTY = b"\t_" * 8


class WordStream:
    """A binary stream of CoNLL-U made of words; it asks the input for no more than it is asked for."""

    def __init__(self, source: str | FilePart) -> None:
        if isinstance(source, FilePart):
            self.name, self._stream = source.name, cast(BinaryIO, source)
        else:
            self.name, self._stream = display_name(source), open_binary(source)
        self._owned = source != STDIN
        self._rest = b""
        self._line = self._word = 0
        self._offset = self.begin = source.begin if isinstance(source, FilePart) else 0
        self._ended = False

    def fileno(self) -> int:
        """That of the input: whether anything can be read depends on it."""
        return self._stream.fileno()

    def read1(self, size: int = PIECE) -> bytes:
        """The rows of the words that the input has at hand; nothing at its end."""
        while not self._ended:
            piece = cast(bytes, self._stream.read1(size))  # type: ignore[attr-defined]
            self._ended = not piece
            text = self._rest + piece
            cut = len(text) if self._ended else text.rfind(b"\n") + 1
            whole, self._rest = text[:cut], text[cut:]
            rows = b"".join(self._rows(whole))
            if self._ended and self._word:
                rows += b"\n"  # the last sentence is whole, too
            if rows:
                return rows
        return b""

    read = read1

    def close(self) -> None:
        """Close the input, unless it is the standard one."""
        if self._owned:
            self._stream.close()

    def _rows(self, text: bytes) -> Iterator[bytes]:
        for line in split_lines(text):
            self._line += 1
            if self._offset == 0:
                line = line.removeprefix(BOM)
            end = line[len(line.rstrip(b"\r\n")) :]
            word = line.strip(b" \r\n")
            self._check(word)
            self._offset += len(line)
            if not word.strip():
                self._word = 0
                yield end or b"\n"
            elif line.startswith(b"# "):
                yield line
            else:
                self._word += 1
                yield b"%d\t%s%s%s" % (self._word, word, EMPTY, end or b"\n")

    def _check(self, word: bytes) -> None:
        """Refuse what is no word."""
        if b"\t" in word:
            message = "a tab within a word; expected one word a line (is this CoNLL-U? leave --input words out)"
            raise TreebankError(message, self.name, self._line)
        try:
            word.decode()
        except UnicodeDecodeError as error:
            at = self._offset + error.start
            message = f"byte 0x{word[error.start]:02x} at offset {at} is not UTF-8; expected a UTF-8 file"
            raise TreebankError(message, self.name, self._line) from error
        if b"\0" in word:
            message = f"NUL byte at offset {self._offset + word.find(0)}; expected UTF-8 text"
            raise TreebankError(message, self.name, self._line)


def split_lines(text: bytes) -> list[bytes]:
    """Lines by their newlines alone: other ends of lines are part of a word."""
    parts = text.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


@contextlib.contextmanager
def open_words(sources: Iterable[str | FilePart]) -> Iterator[list[BinaryIO]]:
    """Inputs with one word a line as streams of CoNLL-U."""
    with contextlib.ExitStack() as stack:
        streams = [WordStream(source) for source in sources]
        for stream in streams:
            stack.callback(stream.close)
        yield cast("list[BinaryIO]", streams)
