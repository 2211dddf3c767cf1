"""Tokenizers without learning, for tests of what is around them."""

from __future__ import annotations

import itertools
import random
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


class CarelessTokenizer:
    """Ends tokens and sentences anywhere, in a way that depends on the text: also within words and white space.

    A token begins and ends with a character that is not white space. Other characters may be in no token.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def split(self, text: str) -> list[list[Token]]:
        """Split a paragraph."""
        rng = random.Random(f"{self._seed} {text}")
        sentences: list[list[Token]] = [[]]
        for token in self.split_sentence(text):
            sentences[-1].append(token)
            if rng.random() < 0.3:
                sentences.append([])
        return sentences

    def split_sentence(self, text: str) -> list[Token]:
        """Split a sentence."""
        rng = random.Random(f"{self._seed} {text}")
        bounds = sorted({rng.randint(0, len(text)) for _ in range(rng.randint(2, 12))})
        tokens = []
        for begin, end in itertools.pairwise(bounds):
            stretch = text[begin:end]
            if (stripped := stretch.strip()) and rng.random() < 0.9:
                at = begin + stretch.index(stripped)
                words = rng.choice([None, None, ("one", "two", "three")])
                tokens.append(Token(at, at + len(stripped), words))
        return tokens
