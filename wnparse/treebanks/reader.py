"""Reading CoNLL-U (and CoNLL-X) in a stream, without loss: the sentences of one or more inputs, each checked.

An input is read in blocks of whole sentences, which the compiled scanner cuts and checks.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Protocol, TextIO

from wnparse._core import conllu as core
from wnparse.errors import TreebankError
from wnparse.storage.files import BOM, STDIN, display_name, pieces
from wnparse.treebanks.scan_errors import TREE_FLAWS
from wnparse.treebanks.sentence import (
    _TREES,
    Heads,
    Sentence,
    _check_bytes,
    _sentence,
    _wordless,
    name_type,
    parse_sentence,
)
from wnparse.wording import readable

# Offsets are int32; a sentence that is even a fraction as long probably lacks a blank line.
LONGEST_SENTENCE = 1 << 28


class SentenceSource(Protocol):
    """An input in another format that makes its own sentences (`wnparse.treebanks.word_input.WordSource`)."""

    def scan(
        self, check: Callable[[Sentence], object], skip: Callable[[TreebankError], Sentence | None] | None
    ) -> Iterator[list[Sentence]]:
        """Yield sentences that `check` accepts, and an empty list before a read that may take time."""


Source = str | os.PathLike[str] | BinaryIO | TextIO | SentenceSource


class Reader:
    """Sentences of one or more inputs, in a stream, each checked; memory is that of a block of text.

    Parameters
    ----------
    sources : iterable of paths, files (binary or text) or SentenceSource
        ``-`` is standard input; ``.gz`` and ``.xz`` files are decompressed.
    heads : {"required", "optional", "given", "ignored"}
        Whether every word must have a head. If all words have one, the heads must form a tree. ``given`` heads of
        some words must be part of a tree. If heads are ``ignored``, HEAD may contain anything; all heads are -1.
    skip : callable, optional
        Called with the error of each bad sentence. It returns a replacement such as `BadSentence`, or None to
        leave the sentence out. Without it the error is raised.
    pass_on : bool
        Whether a sentence with wrong heads, but no other error, is yielded as one of length 0 instead of left out.
    waiting : callable, optional
        Called before a read that may take time, so that the results of earlier sentences can be written.
    check : callable
        Called with each sentence; if it raises TreebankError, the sentence is bad.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        heads: Heads = "optional",
        skip: Callable[[TreebankError], Sentence | None] | None = None,
        pass_on: bool = False,
        waiting: Callable[[], object] | None = None,
        check: Callable[[Sentence], object] = lambda sentence: None,
    ) -> None:
        self._heads: Heads = heads
        self._skip = skip
        self._pass_on = pass_on
        self._waiting = waiting
        self._check = check
        self._followed = False
        self._sentences = (sentence for source in sources for sentence in self._read(source))

    def __iter__(self) -> Iterator[Sentence]:
        return self._sentences

    def __next__(self) -> Sentence:
        return next(self._sentences)

    def at_hand(self) -> bool:
        """Return whether another sentence of the same input is available without waiting."""
        return self._followed

    def _read(self, source: Source) -> Iterator[Sentence]:
        """Yield the sentences of one input; the last one is held until it is known whether another follows."""
        held: list[Sentence] = []
        failure: Exception | None = None
        try:
            for sentences in self._blocks(source):
                self._followed = bool(sentences)
                yield from held
                yield from sentences[:-1]
                held = sentences[-1:]
                if self._waiting and not sentences:
                    self._waiting()
        except (OSError, TreebankError) as error:
            failure = error
        self._followed = False
        yield from held
        if failure is not None:
            raise failure

    def _blocks(self, source: Source) -> Iterator[list[Sentence]]:
        """Return the sentences of each block of an input, and an empty list before a read that may take time."""
        if isinstance(source, os.PathLike):
            source = os.fspath(source)
        if isinstance(source, str):
            return self._scan(source, display_name(source))
        if hasattr(source, "scan"):
            return source.scan(self._check, self._skip)
        return self._scan(source, readable(str(getattr(source, "name", "<stream>"))))

    def _scan(self, source: str | BinaryIO | TextIO, name: str) -> Iterator[list[Sentence]]:
        """Yield the sentences of each block of CoNLL-U."""
        line, offset, rest = (
            1,
            int(getattr(source, "begin", 0)),
            b"",
        )  # lines are counted from the beginning of a part of a file
        for block, last in read_blocks(source, name):
            data = rest + block if rest else block
            if offset == 0:
                refuse_foreign(data, name)
            clean = _is_clean(data)
            sentences = []
            end = 0
            skipped = len(BOM) if offset == 0 and data.startswith(BOM) else 0
            for start, end, lines, *scanned in core.scan(data, skipped, last, _TREES[self._heads]):
                raw = data[start:end]
                try:
                    if not clean:
                        _check_bytes(raw, name, line, offset)
                    sentence = _sentence(raw, scanned, name, line, self._heads)
                    self._check(sentence)
                    sentences.append(sentence)
                except TreebankError as error:
                    if self._skip is None:
                        yield sentences
                        raise
                    if (instead := self._skip(error)) is not None:
                        sentences.append(instead)
                    elif self._pass_on and scanned[2] in TREE_FLAWS and _is_readable(raw):
                        sentences.append(_wordless(raw, name, line))
                line += lines
                offset += len(raw)
            rest = data[end:]  # blank lines, which belong to the next sentence
            yield sentences


def read(
    source: str | os.PathLike[str] | BinaryIO | TextIO,
    *,
    heads: Heads = "optional",
    skip: Callable[[TreebankError], Sentence | None] | None = None,
) -> Reader:
    """Read the sentences of one file, one after the other; memory does not grow with the size of the file.

    Parameters
    ----------
    source : path, file or text
        ``-`` is standard input; ``.gz`` and ``.xz`` files are decompressed. An open file may be binary, which
        keeps line ends as they are, or text. A str with a line end is not a path, but CoNLL-U itself.
    heads : {"optional", "required", "given", "ignored"}
        Whether every word must have a head. If all words have one, the heads must form a tree. ``given`` heads of
        some words must be part of a tree. If heads are ``ignored``, HEAD may contain anything; all heads are -1.
    skip : callable, optional
        Called with the error of each bad sentence. It returns None to leave the sentence out, or a replacement.
        Without it, the error is raised.

    Returns
    -------
    iterator of Sentence
        The sentences in the order of the file.

    Raises
    ------
    TreebankError
        If a sentence is bad, while it is read; the message names file and line.
    FileNotFoundError
        If there is no such file.
    TypeError
        If the source is neither a path nor a file.
    """
    if isinstance(source, str) and "\n" in source:
        text = io.BytesIO(source.encode("utf-8", "surrogatepass"))
        text.name = "<text>"
        return Reader([text], heads=heads, skip=skip)
    if isinstance(source, (str, os.PathLike)):
        if os.fspath(source) != STDIN and not os.path.lexists(source):
            message = "no such file; expected a path, an open file, or CoNLL-U text with its line ends"
            raise FileNotFoundError(errno.ENOENT, message, os.fspath(source))
    elif not hasattr(source, "read"):
        raise TypeError(f"expected a path or an open file, not {name_type(source)}")
    return Reader([source], heads=heads, skip=skip)


def _is_clean(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _is_readable(raw: bytes) -> bool:
    """Return whether only the heads of a sentence are wrong: the scanner stops at the first flaw."""
    try:
        parse_sentence(raw, heads="ignored")
    except TreebankError:
        return False
    return True


def read_blocks(source: str | BinaryIO | TextIO, name: str) -> Iterator[tuple[bytes, bool]]:
    """Yield blocks of complete sentences, then the rest with True; ``b""`` before a read that may take time."""
    held: list[bytes] = []
    size = 0
    edge = b""  # the last bytes seen: a blank line may straddle two pieces
    for piece in pieces(source, name):
        if not piece:
            yield b"", False
            continue
        window = edge + piece
        edge = window[-2:]
        held.append(piece)
        size += len(piece)
        if b"\n\n" in window or b"\n\r\n" in window:
            data = b"".join(held)
            cut = max(data.rfind(b"\n\n") + 2, data.rfind(b"\n\r\n") + 3)
            yield data[:cut], False
            held, size = [data[cut:]], len(data) - cut
        elif size > LONGEST_SENTENCE:
            raise TreebankError(
                f"a sentence of more than {LONGEST_SENTENCE >> 20} MiB; expected a blank line after each sentence",
                name,
            )
    yield b"".join(held), True


def refuse_foreign(start: bytes, name: str) -> None:
    """Raise TreebankError for files that are UTF-16, or compressed without the extension .gz or .xz."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TreebankError("the file is UTF-16 (offset 0); expected UTF-8: convert it with iconv", name, 1)
    if start.startswith((b"\x1f\x8b", b"\xfd7zXZ")):
        raise TreebankError("compressed data; expected text, or a file name that ends in .gz or .xz", name, 1)
