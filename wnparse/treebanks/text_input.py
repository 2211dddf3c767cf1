r"""Plain text as input: a tokenizer splits it, and each sentence becomes CoNLL-U.

A blank line ends a paragraph. Lines end in ``\n``, ``\r\n`` or ``\r``. MISC says what is between two tokens, as
UDPipe writes it: one space is the default, ``SpaceAfter=No`` means nothing, and ``SpacesAfter`` is anything else.
``SpacesBefore`` is what precedes the first token of an input, and ``SpacesInToken`` is a token whose FORM cannot
be written as it is. So the text can be rebuilt (`text_of`).

A paragraph is split in blocks, so that memory does not grow with its length. A block ends where a line ends, and
its last sentences are split again together with the next block. Where blocks end depends on the text alone, not on
how it arrives. Blocks grow with the last sentence, so that the time is linear.
"""

from __future__ import annotations

import codecs
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from wnparse.errors import TreebankError
from wnparse.storage.files import COMPRESSED, STDIN, display_name, pieces
from wnparse.treebanks import reader
from wnparse.treebanks.sentence import Sentence, parse_sentence
from wnparse.treebanks.word_input import EMPTY
from wnparse.wording import readable

BLOCK = 1 << 12  # code points of a paragraph that are split together, at least
CONTEXT = 128  # code points after the end of a sentence that a tokenizer may look at
LONGEST_LINE = 1 << 16  # code points; longer lines are cut, if possible after white space
LONGEST_GAP = 1 << 26  # code points between two tokens; they become one value of MISC
BOM = "\ufeff"

Token = tuple[int, int, tuple[str, ...] | None]  # begin, end, and the words of a multiword token

_LAST_SPACE = re.compile(r"\s(?=\S*\Z)")
# FORM has no control characters that separate lines or columns in some program, and single spaces only.
_ODD_SPACES = re.compile(r"[\0\t-\r\x1c-\x1f\x85\u2028\u2029]|\s\s")
_SPACES = re.compile(r"[\s\0]+")
_ESCAPED = re.compile(r"[\s\0-\x1f\\|\x7f-\x9f\ufeff]")
_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\"}
_UNESCAPED = {escaped: character for character, escaped in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|[strnp\\])")


class TextSplitter(Protocol):
    """A tokenizer; its tokens are tuples of begin, end, and the words of a multiword token or None."""

    def split(self, text: str) -> Sequence[Sequence[Token]]:
        """Split a paragraph into sentences of tokens."""

    def split_sentence(self, text: str) -> Sequence[Token]:
        """Split a sentence into tokens."""


class _Found(NamedTuple):
    """A sentence that is written when the gap after it is known."""

    text: str  # the block that it is part of
    tokens: Sequence[Token]
    before: str
    comments: list[str]
    line: int


class TextSource:
    """The sentences of a text; `wnparse.treebanks.reader.Reader` reads it.

    Parameters
    ----------
    source : str or binary file
        A path, ``-`` for standard input, or an open file.
    numbers : iterator of int
        Numbers for ``# sent_id``.
    tokenizer : TextSplitter
        What splits the text.
    lines : bool
        Whether each line is a sentence. White space after the last one is then not kept, so that no sentence waits
        for the next line.
    """

    def __init__(
        self, source: str | BinaryIO, numbers: Iterator[int], tokenizer: TextSplitter, *, lines: bool = False
    ) -> None:
        self.name = display_name(source) if isinstance(source, str) else "<text>"
        self._source = source
        self._numbers = numbers
        self._tokenizer = tokenizer
        self._add = self._add_sentence if lines else self._add_line
        self._comments = [_document_comment(source), "# newpar"]  # of the next sentence
        self._line = 1  # where the block begins
        self._at_line_begin = True
        self._block: list[str] = []
        self._size, self._enough = 0, BLOCK
        self._gap: list[str] = []  # what has been read since the last token
        self._gap_size = 0
        self._last: _Found | None = None

    def scan(
        self, check: Callable[[Sentence], object], skip: Callable[[TreebankError], Sentence | None] | None
    ) -> Iterator[list[Sentence]]:
        """Yield the sentences of each piece of text, and an empty list before a read that may take time.

        Parameters
        ----------
        check : callable
            Called with each sentence; it may raise TreebankError.
        skip : callable, optional
            Called with the error of a sentence that `check` refuses, which is left out; without it the error is
            raised. Bytes that are not UTF-8 always raise an error.
        """
        for lines in itertools.chain(self._lines(), (None,)):
            sentences: list[Sentence] = []
            made = self._finish() if lines is None else itertools.chain.from_iterable(map(self._add, lines))
            for sentence in made:
                try:
                    check(sentence)
                except TreebankError as error:
                    if skip is None:
                        yield sentences
                        raise
                    if (instead := skip(error)) is not None:
                        sentences.append(instead)
                else:
                    sentences.append(sentence)
            yield sentences

    def _lines(self) -> Iterator[list[str]]:
        """Yield complete lines, none before a read that may take time."""
        held: list[str] = []
        size = 0
        for text in self._decode():
            held.append(text)
            size += len(text)
            if not text:
                yield []
            elif "\n" in text or "\r" in text or size > LONGEST_LINE:
                lines, rest = split_lines("".join(held))
                yield lines
                held, size = [rest], len(rest)
        lines, rest = split_lines("".join(held))
        yield [*lines, rest] if rest else lines

    def _decode(self) -> Iterator[str]:
        """Yield the text as it comes, ``""`` before a read that may take time; TreebankError if not UTF-8."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        offset, line, began = 0, 1, False
        for piece in itertools.chain(pieces(self._source, self.name), (None,)):
            if piece == b"":
                yield ""
                continue
            if offset == 0 and piece:
                reader.refuse_foreign(piece, self.name)
            before = offset - len(decoder.getstate()[0])
            try:
                text = decoder.decode(piece or b"", final=piece is None)
            except UnicodeDecodeError as error:
                good = error.object[: error.start]
                yield good.decode()
                message = f"byte 0x{error.object[error.start]:02x} at offset {before + error.start} is not UTF-8"
                line += good.count(b"\n")
                raise TreebankError(f"{message}; expected a UTF-8 file", self.name, line) from error
            offset += len(piece or b"")
            line += text.count("\n")
            if not began and text.startswith(BOM):
                self._add_gap(BOM)
                text = text[1:]
                began = True
            if text:
                began = True
                yield text

    def _add_sentence(self, line: str) -> Iterator[Sentence]:
        """Yield the sentence of a line, if it is not blank."""
        tokens = () if line.isspace() else self._tokenizer.split_sentence(line.replace("\0", " "))
        if tokens:
            self._add_gap(line[: tokens[0][0]])
            before = self._take_gap()
            yield self._write(
                _Found(line, tokens, before, self._take_comments(), self._line), line[tokens[-1][1] :]
            )
        else:
            self._add_gap(line)
            self._begin_paragraph()
        self._line += line.count("\n")

    def _add_line(self, line: str) -> Iterator[Sentence]:
        """Add a line; yield the sentences that are complete."""
        ends = line[-1] in "\r\n"
        if self._at_line_begin and ends and line.isspace():
            yield from self._split(final=True)
            self._add_gap(line)
            self._line += line.count("\n")
            self._begin_paragraph()
        else:
            self._block.append(line)
            self._size += len(line)
            if self._size >= self._enough:
                yield from self._split(final=False)
        self._at_line_begin = ends

    def _begin_paragraph(self) -> None:
        if "# newpar" not in self._comments:
            self._comments.append("# newpar")

    def _finish(self) -> Iterator[Sentence]:
        """Yield the last sentences."""
        yield from self._split(final=True)
        if self._last is not None:
            yield self._write(self._last, self._take_gap())

    def _split(self, *, final: bool) -> Iterator[Sentence]:
        """Split the block; yield its sentences, but not the last one, which waits for the gap that follows it.

        If the paragraph goes on, the last sentence and the text after it become part of the next block.
        """
        if not self._size:
            return
        text = "".join(self._block)
        # A NUL separates tokens: it cannot be part of CoNLL-U.
        sentences = [tokens for tokens in self._tokenizer.split(text.replace("\0", " ")) if tokens]
        end = len(text)
        if not final and sentences:
            sentences, end = _leave_last(sentences, end)
        at = 0
        for tokens in sentences:
            begin = tokens[0][0]
            self._add_gap(text[at:begin])
            self._line += text.count("\n", at, begin)
            gap = self._take_gap()
            if self._last is not None:
                yield self._write(self._last, gap)
                gap = ""
            self._last = _Found(text, tokens, gap, self._take_comments(), self._line)
            at = tokens[-1][1]
            self._line += text.count("\n", begin, at)
        self._add_gap(text[at:end])
        self._line += text.count("\n", at, end)
        self._block = [text[end:]]
        self._size = len(text) - end
        self._enough = max(BLOCK, 2 * self._size)  # so that the time is linear

    def _add_gap(self, gap: str) -> None:
        self._gap.append(gap)
        self._gap_size += len(gap)
        if self._gap_size > LONGEST_GAP:
            raise TreebankError(
                f"more than {LONGEST_GAP >> 20} Mi characters of white space; expected text", self.name, self._line
            )

    def _take_gap(self) -> str:
        gap = "".join(self._gap)
        self._gap, self._gap_size = [], 0
        return gap

    def _take_comments(self) -> list[str]:
        comments, self._comments = self._comments, []
        return comments

    def _write(self, found: _Found, after: str) -> Sentence:
        """Write a sentence as CoNLL-U."""
        comments = [*found.comments, f"# sent_id = {next(self._numbers)}"]
        raw = write_sentence(comments, found.text, found.tokens, found.before, after).encode()
        return parse_sentence(raw, path=self.name, line=found.line)


def _leave_last(sentences: list[Sequence[Token]], size: int) -> tuple[list[Sequence[Token]], int]:
    """Return the sentences of a block that do not depend on what follows, and where the rest begins."""
    *complete, last = sentences
    safe = [tokens for tokens in complete if tokens[-1][1] + CONTEXT <= size]
    if safe:
        return safe, sentences[len(safe)][0][0]
    if size < LONGEST_LINE:
        return [], 0
    if complete:
        return complete, last[0][0]
    # A sentence without end is cut before its last token, and a token without end where the block ends.
    return ([last[:-1]], last[-1][0]) if len(last) > 1 else ([last], size)


def split_lines(text: str) -> tuple[list[str], str]:
    """Split a text into lines, with their ends, and the rest, which may go on; long lines are cut."""
    lines = io.StringIO(text, newline="").readlines()
    rest = ""
    if lines and not lines[-1].endswith("\n"):  # \r may be half of a line end
        rest = lines.pop()
    if len(rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
        lines = [part for line in lines for part in _cut_line(line)]
        *parts, rest = _cut_line(rest)
        lines += parts
    return lines, rest


def _cut_line(line: str) -> list[str]:
    """Cut a line into parts that are not too long; the same for every line that begins with the same text."""
    parts = []
    at = 0
    while len(line) - at > LONGEST_LINE:
        part = line[at : at + LONGEST_LINE].removesuffix("\r")
        space = _LAST_SPACE.search(part)
        parts.append(part[: space.end()] if space else part)
        at += len(parts[-1])
    return [*parts, line[at:]]


def write_sentence(comments: Iterable[str], text: str, tokens: Sequence[Token], before: str, after: str) -> str:
    """Return a sentence as CoNLL-U of which only the tokens are known.

    Parameters
    ----------
    comments : iterable of str
        The comments above ``# text``.
    text : str
        The text that the offsets of the tokens refer to.
    tokens : sequence of Token
        At least one.
    before, after : str
        What is before the first token, if nothing else represents it, and after the last one.
    """
    first, last = tokens[0][0], tokens[-1][1]
    is_odd = _ODD_SPACES.search(text, first, last) is not None
    rows: list[str] = []
    words_before, shown = 0, []
    begins = [token[0] for token in tokens[1:]]
    for (begin, end, words), next_begin in zip(tokens, [*begins, -1], strict=True):
        form = text[begin:end]
        gap = after if next_begin < 0 else text[end:next_begin]
        misc = "_" if gap == " " else "SpaceAfter=No" if not gap else f"SpacesAfter={escape(gap)}"
        if before and begin == first:
            misc = _join(misc, f"SpacesBefore={escape(before)}")
        if is_odd:
            if _ODD_SPACES.search(form):
                misc = _join(misc, f"SpacesInToken={escape(form)}")
                form = _SPACES.sub(" ", form)
            shown.append(f"{form} " if gap else form)
        if words is None:
            words_before += 1
            rows.append(f"{words_before}\t{form}{EMPTY}\t{misc}\n")
        else:
            rows.append(f"{words_before + 1}-{words_before + len(words)}\t{form}{EMPTY}\t{misc}\n")
            rows += [f"{number}\t{word}{EMPTY}\t_\n" for number, word in enumerate(words, words_before + 1)]
            words_before += len(words)
    shown_text = "".join(shown).rstrip(" ") if is_odd else text[first:last]
    return "".join([*(f"{comment}\n" for comment in comments), f"# text = {shown_text}\n", *rows, "\n"])


def _join(misc: str, item: str) -> str:
    return item if misc == "_" else f"{misc}|{item}"


def escape(gap: str) -> str:
    r"""Write a gap for MISC as UDPipe does.

    Other white space and control characters become ``\u00a0`` and the like. UDPipe writes them as they are, but
    MISC must not end in white space, and some programs end lines at them.
    """
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", gap)


def _unescape(value: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _UNESCAPED[match[0]], value)


def text_of(sentences: Iterable[Sentence]) -> str:
    """Return the text that sentences were made of, from the tokens and the gaps in MISC."""
    text: list[str] = []
    for sentence in sentences:
        last = 0  # word of the last multiword token
        for line in sentence.raw.decode().split("\n"):
            columns = line.rstrip("\r").split("\t")
            if line.startswith("#") or len(columns) != 10 or "." in columns[0]:
                continue
            first, _, end = columns[0].partition("-")
            if end:
                last = int(end)
            elif int(first) <= last:
                continue
            misc = dict(item.partition("=")[::2] for item in columns[9].split("|"))
            gap = "" if misc.get("SpaceAfter") == "No" else r"\s"
            values = misc.get("SpacesBefore", ""), misc.get("SpacesAfter", gap)
            token = _unescape(misc["SpacesInToken"]) if "SpacesInToken" in misc else columns[1]
            text += [_unescape(values[0]), token, _unescape(values[1])]
    return "".join(text)


def _document_comment(source: str | BinaryIO) -> str:
    """Return ``# newdoc``, with the name of the file without directories and extensions."""
    if not isinstance(source, str) or source == STDIN:
        return "# newdoc"
    path = Path(source)
    stem = path.with_suffix("").stem if path.suffix in COMPRESSED else path.stem
    name = " ".join(readable(stem).split())
    return f"# newdoc id = {name}" if name else "# newdoc"


def open_texts(paths: Iterable[str], tokenizer: TextSplitter, *, lines: bool = False) -> list[TextSource]:
    """Return texts as inputs, whose sentences are numbered from 1 throughout."""
    numbers = itertools.count(1)
    return [TextSource(path, numbers, tokenizer, lines=lines) for path in paths]
