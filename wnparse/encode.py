"""From sentences to the hashes that the parser sees."""

from __future__ import annotations

from dataclasses import dataclass

from wnparse._core import tokens as core
from wnparse._core.tokens import Tokens
from wnparse.conllu import Sentence


@dataclass(frozen=True)
class Columns:
    """Which optional columns a model uses; the form and the universal tag always are."""

    lemma: bool = True
    xpos: bool = True
    feats: bool = True

    @property
    def unused(self) -> str:
        """The attributes of templates (see `wnparse.features`) that are not to be had."""
        return "".join(
            letters for used, letters in ((self.lemma, "L"), (self.xpos, "Q"), (self.feats, "MF")) if not used
        )


def encode(sentence: Sentence, columns: Columns) -> Tokens:
    """Hash the words of a sentence."""
    return encode_all([sentence], columns)[0]


def encode_all(sentences: list[Sentence], columns: Columns) -> list[Tokens]:
    """Hash the words of sentences."""
    return core.encode(sentences, columns.lemma, columns.xpos, columns.feats)


def filled_columns(sentences: list[Sentence]) -> Columns:
    """Tell which optional columns hold anything but ``_``."""

    def filled(name: str) -> bool:
        return any(value != "_" for sentence in sentences for value in sentence.column(name))

    return Columns(lemma=filled("lemma"), xpos=filled("xpos"), feats=filled("feats"))
