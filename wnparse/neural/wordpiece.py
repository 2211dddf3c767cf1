"""The tokenizer of BERT: words are cut into the longest pieces of a vocabulary, from left to right.

Devlin, Chang, Lee & Toutanova 2019, *BERT: Pre-training of Deep Bidirectional Transformers*; greedy longest match
as in Wu et al. 2016, *Google's Neural Machine Translation System*, section 4.1. O(length²), once per word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from wnparse.storage.strict_json import flag, table, texts, whole

UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
CONTINUES = "##"  # before pieces that do not begin a word
MOST_PIECES = 1 << 20
MOST_REMEMBERED = 100_000  # words whose pieces are kept
# Chinese characters, which are words of their own.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


@dataclass(frozen=True)
class PieceOptions:
    """How words are normalised before they are cut.

    Attributes
    ----------
    lowercase, strip_accents : bool
        Whether letters become lower-case, and lose their accents.
    ideographs : bool
        Whether Chinese characters are words of their own.
    longest : int
        Longer words, in characters, are unknown.
    """

    lowercase: bool
    strip_accents: bool
    ideographs: bool
    longest: int

    @classmethod
    def read(cls, value: Any) -> PieceOptions:
        """Check and read the options in the header of a model file."""
        return cls(**table(lowercase=flag, strip_accents=flag, ideographs=flag, longest=whole(1, 10_000))(value))

    def written(self) -> dict[str, Any]:
        """Return the options for JSON."""
        return asdict(self)


def read_pieces(value: Any) -> list[str]:
    """Check and read a vocabulary in the header of a model file."""
    pieces = texts(value)
    if len(pieces) > MOST_PIECES:
        raise ValueError(f"{len(pieces):,} pieces; expected at most {MOST_PIECES:,}")
    if missing := {UNKNOWN, FIRST, LAST} - set(pieces):
        raise ValueError(f"the pieces lack {', '.join(sorted(missing))}")
    return pieces


class WordPiece:
    """Cuts words into pieces; threads may share it."""

    def __init__(self, pieces: list[str], options: PieceOptions) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._options = options
        self._remembered: dict[str, tuple[int, ...]] = {}
        self.first, self.last = self._numbers[FIRST], self._numbers[LAST]

    def cut(self, form: str) -> tuple[int, ...]:
        """Return the numbers of the pieces of a word, at least one."""
        pieces = self._remembered.get(form)
        if pieces is None:
            pieces = tuple(self._cut(form)) or (self._numbers[UNKNOWN],)
            if len(self._remembered) < MOST_REMEMBERED:
                self._remembered[form] = pieces
        return pieces

    def _cut(self, form: str) -> Iterator[int]:
        for part in _split(self._normalise(form)):
            yield from self._match(part)

    def _match(self, part: str) -> list[int]:
        """Cut a part from left to right; if that fails, it is unknown as a whole."""
        pieces, begin = [], 0
        while begin < len(part) <= self._options.longest:
            prefix = CONTINUES if begin else ""
            for end in range(len(part), begin, -1):
                number = self._numbers.get(prefix + part[begin:end])
                if number is not None:
                    pieces.append(number)
                    begin = end
                    break
            else:
                return [self._numbers[UNKNOWN]]
        return pieces or [self._numbers[UNKNOWN]]

    def _normalise(self, form: str) -> str:
        options = self._options
        kept = "".join(" " if c.isspace() else c for c in form if not _is_dropped(c))
        if options.ideographs:
            kept = "".join(f" {c} " if _is_ideograph(c) else c for c in kept)
        if options.strip_accents:
            kept = "".join(c for c in unicodedata.normalize("NFD", kept) if unicodedata.category(c) != "Mn")
        return kept.lower() if options.lowercase else kept


def _split(text: str) -> Iterator[str]:
    """Split a text at spaces; punctuation characters are parts of their own."""
    part = ""
    for character in text:
        if character.isspace() or _is_punctuation(character):
            if part:
                yield part
            part = ""
            if not character.isspace():
                yield character
        else:
            part += character
    if part:
        yield part


def _is_dropped(character: str) -> bool:
    """Return whether a character is a control character, or stands for an error."""
    if character in "\t\n\r":
        return False
    return character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co")


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)


def _is_punctuation(character: str) -> bool:
    ascii_symbol = "!" <= character <= "~" and not character.isalnum()
    return ascii_symbol or unicodedata.category(character)[0] == "P"
