"""From sentences to the hashes that the parser sees."""

from __future__ import annotations

from dataclasses import dataclass

from wnparse._core import encode as core
from wnparse._core.parser import Tokens
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
    arrays = core.encode(sentence.raw, sentence.fields, columns.lemma, columns.xpos, columns.feats)
    return Tokens(*arrays)


def filled_columns(sentences: list[Sentence]) -> Columns:
    """Tell which optional columns hold anything but ``_``."""

    def filled(name: str) -> bool:
        return any(value != "_" for sentence in sentences for value in sentence.column(name))

    return Columns(lemma=filled("lemma"), xpos=filled("xpos"), feats=filled("feats"))
