"""What a sentence has beside its words: multiword tokens, as they are written, and empty nodes."""

from __future__ import annotations

from dataclasses import dataclass

from wnparse.storage.files import BOM
from wnparse.treebanks.sentence import Sentence

NO_VALUE = "_"


@dataclass(frozen=True)
class Token:
    """A multiword token: some words that are written as one."""

    first: int
    last: int
    form: str

    @property
    def name(self) -> str:
        """Its id."""
        return f"{self.first}-{self.last}"


@dataclass(frozen=True)
class EmptyNode:
    """A node that stands for nothing written, such as an elided verb."""

    name: str  # its id, such as 5.1
    after: int  # the word that it follows; 0 before the first
    form: str
    tag: str


def surface(sentence: Sentence) -> tuple[list[Token], list[EmptyNode]]:
    """Find multiword tokens and empty nodes, in their order; the reader has seen that they make sense."""
    tokens, nodes = [], []
    for line in sentence.raw.removeprefix(BOM).decode().split("\n"):
        name, *cells = line.rstrip("\r").split("\t")
        if len(cells) < 3 or name.startswith("#") or name.isdecimal():
            continue
        form, lemma, tag = cells[:3]
        if "-" in name:
            first, _, last = name.partition("-")
            tokens.append(Token(int(first), int(last), form))
        else:
            shown = lemma if form == NO_VALUE else form
            nodes.append(EmptyNode(name, int(name.partition(".")[0]), shown, "" if tag == NO_VALUE else tag))
    return tokens, nodes
