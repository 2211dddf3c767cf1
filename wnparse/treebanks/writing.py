"""Writing sentences as they were read, one after the other, even if their files end without a blank line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import IO, Any

from wnparse.storage.files import BOM, open_output
from wnparse.treebanks.inputs import Treebank, as_sentences


def closing_of(raw: bytes) -> bytes:
    """Return the bytes that are missing at the end of a sentence before another may follow."""
    if raw.endswith((b"\n\n", b"\n\r\n")) or not raw.removeprefix(BOM).strip():
        return b""
    if raw.endswith(b"\r"):  # the file ends within a line end
        return b"\n" if raw.endswith(b"\n\r") else b"\n\r\n"
    newline = b"\r\n" if b"\r\n" in raw else b"\n"
    return newline if raw.endswith(b"\n") else newline * 2


class SentenceJoiner:
    """Joins sentences: one that lacks its closing blank line gets it, and only the first keeps a BOM.

    The blank line is added when the next sentence comes: the last sentence of all is written as it was read.
    """

    def __init__(self) -> None:
        self._closing = b""
        self._first = True

    def add(self, raw: bytes) -> bytes:
        """Return the bytes to write for the next sentence, or for the trees of one."""
        if not self._first:
            raw = raw.removeprefix(BOM)
        if not raw:
            return raw
        joined = self._closing + raw
        self._closing = closing_of(raw)
        self._first = False
        return joined

    def add_all(self, raws: Iterable[bytes]) -> bytes:
        """Return the bytes to write for many sentences."""
        return b"".join(map(self.add, raws))


def write(sentences: Treebank, target: str | os.PathLike[str] | IO[Any]) -> None:
    """Write sentences as they were read; one that lacks its closing blank line gets it if another follows.

    Parameters
    ----------
    sentences : iterable of Sentence, conllu.TokenList, lists of words or Docs of spaCy
        The sentences to write.
    target : path or file
        ``-`` is standard output; ``.gz`` and ``.xz`` files are compressed. A file that is given by its path
        appears completely or not at all, and may be the file that is read. An open file may be binary or text.
    """
    if isinstance(target, (str, os.PathLike)):
        with open_output(os.fspath(target)) as stream:
            write(sentences, stream)
        return
    text = hasattr(target, "encoding")  # files that accept only text have an encoding
    joiner = SentenceJoiner()
    for sentence in as_sentences(sentences):
        data = joiner.add(sentence.raw)
        target.write(data.decode() if text else data)
