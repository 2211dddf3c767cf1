"""Input with one word per line: a blank line ends a sentence, lines that begin with ``# `` are comments.

Each sentence becomes CoNLL-U. Its comments come first, wherever they were; ``# sent_id`` and ``# text`` are added
unless the comments have them. Each word becomes a row of which only the id and the form are known.
"""

from __future__ import annotations

import io
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from wnparse.errors import TreebankError
from wnparse.storage.files import BOM, FilePart, display_name, pieces
from wnparse.treebanks import reader
from wnparse.treebanks.scan_errors import quote
from wnparse.treebanks.sentence import Sentence, parse_sentence

COMMENT = b"# "
EXPECTED = "expected one word per line"
EMPTY = "\t_" * 7  # the columns between FORM and MISC
_SPACES = re.compile(r"\s*")


class WordSource:
    """The sentences of an input with one word per line; `wnparse.treebanks.reader.Reader` reads it.

    Parameters
    ----------
    source : str or FilePart
        A path, ``-`` for standard input, or a part of a file that begins with a new sentence.
    numbers : iterator of int
        Numbers for ``# sent_id``; every sentence with words uses one, even if it has an id already.
    spaces : bool
        Whether a word may contain spaces: True if words of the training data do.
    """

    expected = EXPECTED

    def __init__(self, source: str | FilePart, numbers: Iterator[int], *, spaces: bool = False) -> None:
        self.name = display_name(source) if isinstance(source, str) else source.name
        self._source = source
        self._numbers = numbers
        self._spaces = spaces
        self._line, self._offset = 0, 0
        self._line_end = ""
        if isinstance(source, FilePart) and source.begin:
            self._offset = source.begin
            with Path(source.path).open("rb") as stream:
                self._line_end = _line_end(stream.readline())
        self._comments: list[str] = []
        self._first_line = 0
        self._begin()

    def _begin(self) -> None:
        self._words: list[str] = []
        self._size = 0
        self._has_words = self._bad = False

    def scan(
        self, check: Callable[[Sentence], object], skip: Callable[[TreebankError], Sentence | None] | None
    ) -> Iterator[list[Sentence]]:
        """Yield the sentences of each block of text, and an empty list before a read that may take time.

        Parameters
        ----------
        check : callable
            Called with each sentence; it may raise TreebankError.
        skip : callable, optional
            Called with the error of a bad sentence, which is left out; without it the error is raised.
        """
        for lines in self._lines():
            sentences: list[Sentence] = []
            for line in lines:
                if self._offset == 0:
                    reader.refuse_foreign(line, self.name)
                try:
                    sentence = self._add(line)
                    if sentence is not None:
                        check(sentence)
                except TreebankError as error:
                    if skip is None:
                        yield sentences
                        raise
                    sentence = skip(error)
                if sentence is not None:
                    sentences.append(sentence)
            yield sentences
        if self._comments:  # nothing follows them, and they are kept
            yield [self._make_sentence(())]

    def _lines(self) -> Iterator[list[bytes]]:
        """Yield complete lines, none before a read that may take time, and an empty line at the end."""
        held: list[bytes] = []
        size = 0
        for piece in pieces(self._source, self.name):  # type: ignore[arg-type]
            cut = piece.rfind(b"\n") + 1
            if cut:
                yield split_lines(b"".join([*held, piece[:cut]]))
                held, size = [], 0
            elif not piece:
                yield []
            held.append(piece[cut:])
            size += len(piece) - cut
            if size > reader.LONGEST_SENTENCE:
                raise self._error(f"a line of more than {reader.LONGEST_SENTENCE >> 20} MiB; {self.expected}", 1)
        rest = b"".join(held)
        yield [rest, b""] if rest else [b""]

    def _add(self, line: bytes) -> Sentence | None:
        """Add a line; return the sentence that it ends, if there is one."""
        self._line += 1
        self._line_end = self._line_end or (_line_end(line) if line else "")
        offset, self._offset = self._offset, self._offset + len(line)
        line, offset = _without_mark(line, offset)
        if not line.strip():
            return self._finish()
        self._first_line = self._first_line or self._line
        is_comment = line.startswith(COMMENT)
        self._has_words = self._has_words or not is_comment
        if self._bad:
            return None
        try:
            text = self._decode(line.rstrip(b"\r\n"), offset)
            self._size += len(line)
            if self._size > reader.LONGEST_SENTENCE:
                raise self._error(
                    f"a sentence of more than {self._size >> 20} MiB; expected a blank line after each sentence"
                )
            if not is_comment:
                text = text.strip(" \r")
                self._check(text)
        except TreebankError:
            self._bad = True
            raise
        (self._comments if is_comment else self._words).append(text)
        return None

    def _finish(self) -> Sentence | None:
        """End a sentence at a blank line; return it, unless it has no words or is bad."""
        sentence = None
        if self._has_words:
            number = next(self._numbers)
            if not self._bad:
                sentence = self._make_sentence(self._words, number)
        if self._has_words or not self._comments:  # comments alone belong to the next sentence
            self._comments, self._first_line = [], 0
        self._begin()
        return sentence

    def _make_sentence(self, words: Sequence[str], number: int = 0) -> Sentence:
        """Write a sentence as CoNLL-U, with the comments so far."""
        given = _values(self._comments)
        rows = list(self._comments)
        joined = [False] * len(words)
        if words:
            if "sent_id" not in given:
                rows.append(f"# sent_id = {number}")
            if "text" in given:
                joined = find_joined(given["text"], words) or joined
            else:
                rows.append(f"# text = {' '.join(words)}")
        for ident, (word, is_joined) in enumerate(zip(words, joined, strict=True), 1):
            rows.append(f"{ident}\t{word}{EMPTY}\t{'SpaceAfter=No' if is_joined else '_'}")
        end = self._line_end or "\n"
        raw = "".join(row + end for row in [*rows, ""]).encode()
        return parse_sentence(raw, path=self.name, line=self._first_line)

    def _decode(self, line: bytes, offset: int) -> str:
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            at = offset + error.start
            raise self._error(
                f"byte 0x{line[error.start]:02x} at offset {at} is not UTF-8; expected a UTF-8 file"
            ) from error
        if "\0" in text:
            raise self._error(f"NUL byte at offset {offset + line.find(0)}; expected UTF-8 text")
        return text

    def _check(self, word: str) -> None:
        """Raise TreebankError if a line is not a single word."""
        if "\t" in word:
            raise self._error(f"a tab within a word; {EXPECTED} (is this CoNLL-U? leave out --input words)")
        if not has_space(word):
            return
        if not self._spaces:
            why = "no word of the model's training data contains one; is this --input horizontal or text?"
            raise self._error(f"{quote(word.encode())} contains a space; {EXPECTED} ({why})")
        parts = re.split(r"(\s)", word)
        if not all(parts) or any(unicodedata.category(space) != "Zs" for space in parts[1::2]):
            raise self._error(
                f"{quote(word.encode())} has wrong white space; {EXPECTED}, with single spaces inside it"
            )

    def _error(self, message: str, later: int = 0) -> TreebankError:
        return TreebankError(message, self.name, self._line + later)


def has_space(word: str) -> bool:
    """Return whether a word contains white space, at its ends too."""
    return word.split() != [word]


def have_spaces(sentences: Iterable[Sentence]) -> bool:
    """Return whether any word of a treebank contains white space; a model keeps this in its header."""
    return any(has_space(form) for sentence in sentences for form in sentence.column("form"))


def find_joined(text: str, words: Sequence[str]) -> list[bool] | None:
    """Return for each word whether no space follows it in the text; None if the text has other words."""
    joined, at = [], 0
    for word in words:
        if not text.startswith(word, at):
            return None
        end = at + len(word)
        at = _SPACES.match(text, end).end()  # type: ignore[union-attr]
        joined.append(at == end < len(text))
    return joined if at == len(text) else None


def _values(comments: Iterable[str]) -> dict[str, str]:
    """Return the values of comments such as ``# text = ...``."""
    parts = (comment[1:].partition("=") for comment in comments)
    return {key.strip(" "): value.strip(" ") for key, equals, value in parts if equals}


def _without_mark(line: bytes, offset: int) -> tuple[bytes, int]:
    """Return a line and its offset in the file, without a byte order mark at the beginning of the file."""
    return (line[len(BOM) :], len(BOM)) if offset == 0 and line.startswith(BOM) else (line, offset)


def _line_end(line: bytes) -> str:
    return "\r\n" if line.endswith(b"\r\n") else "\n"


def split_lines(text: bytes) -> list[bytes]:
    """Split at newlines alone; other line ends are part of a word."""
    return io.BytesIO(text).readlines()


def is_word(line: bytes) -> bool:
    """Return whether a line holds a word: it is neither blank nor a comment."""
    return bool(line.strip()) and not line.startswith(COMMENT)


def count_sentences(lines: Iterable[bytes]) -> int:
    """Count the sentences with words, bad ones too, as `WordSource` numbers them."""
    stretches = itertools.groupby(lines, key=lambda line: not line.strip())
    return sum(not blank and any(map(is_word, stretch)) for blank, stretch in stretches)


class HorizontalSource(WordSource):
    """The sentences of an input with one sentence per line, whose words are separated by white space."""

    expected = "expected one sentence per line"

    def _add(self, line: bytes) -> Sentence | None:
        """Return the sentence of a line, if it is not blank."""
        self._line += 1
        offset, self._offset = self._offset, self._offset + len(line)
        words = self._decode(*_without_mark(line, offset)).split()
        self._first_line = self._line
        return self._make_sentence(words, next(self._numbers)) if words else None


def open_words(paths: Iterable[str], *, spaces: bool) -> list[WordSource]:
    """Return inputs with one word per line, whose sentences are numbered from 1 throughout."""
    numbers = itertools.count(1)
    return [WordSource(path, numbers, spaces=spaces) for path in paths]


def open_horizontal(paths: Iterable[str]) -> list[WordSource]:
    """Return inputs with one sentence per line, which are numbered from 1 throughout."""
    numbers = itertools.count(1)
    return [HorizontalSource(path, numbers) for path in paths]
