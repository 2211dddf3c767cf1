"""A tokenizer without learning, for tests of what is around it."""

from __future__ import annotations

import re
from typing import NamedTuple

MULTIWORD = {"zum": ("zu", "dem"), "don't": ("do", "n't")}
_TOKEN = re.compile(r"\w+'\w+|\w+|[^\w\s]")


class Token(NamedTuple):
    """Offsets of a token, and its words if it is a multiword token."""

    begin: int
    end: int
    words: tuple[str, ...] | None


class SimpleTokenizer:
    """Splits at white space and punctuation; a sentence ends after a full stop or the like."""

    def split(self, text: str) -> list[list[Token]]:
        """Split a paragraph."""
        sentences: list[list[Token]] = [[]]
        for token in self.split_sentence(text):
            sentences[-1].append(token)
            if text[token.begin] in ".!?。":
                sentences.append([])
        return [tokens for tokens in sentences if tokens]

    def split_sentence(self, text: str) -> list[Token]:
        """Split a sentence."""
        return [Token(*match.span(), MULTIWORD.get(match[0].lower())) for match in _TOKEN.finditer(text)]
