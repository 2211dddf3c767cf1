"""Results of a parser for a sentence: `Parsed` has a `Parse` for each tree, and the output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wnparse.treebanks.parse import Parse
from wnparse.treebanks.sentence import Sentence, parse_sentence


class Timings(NamedTuple):
    """Seconds per step of parsing a sentence."""

    features: float = 0.0  # hashing its words, choosing and scoring arcs
    decoding: float = 0.0  # and confidence
    labels: float = 0.0  # scoring and choosing them


class Parsed(NamedTuple):
    """One sentence of the output."""

    sentence: Sentence
    raws: tuple[bytes, ...]  # what to write: the sentence with each of its trees
    parses: tuple[Parse, ...] = ()  # in falling score; none if it has no words, or could not be parsed
    seconds: float = 0.0
    fallback: str = ""  # what had to be relaxed
    pruned: bool = False  # whether a first pass dropped arcs, so that score and bound concern the others
    timings: Timings = Timings()  # seconds per step
    alternatives: tuple[tuple[Parsed, float], ...] = ()  # the trees and the log odds of several tag sequences

    @property
    def raw(self) -> bytes:
        """The bytes of all trees."""
        return self.raws[0] if len(self.raws) == 1 else b"".join(self.raws)

    def trees(self) -> Iterator[Sentence]:
        """Yield its trees, each with its Parse; a sentence without words is yielded as it is."""
        if not len(self.sentence):
            yield self.sentence
            return
        for raw, parse in zip(self.raws, self.parses or (None,), strict=True):
            tree = parse_sentence(raw, path=self.sentence.path, line=self.sentence.line)
            tree.parse = parse
            yield tree

    @property
    def parse(self) -> Parse | None:
        """The best tree, if there is one."""
        return self.parses[0] if self.parses else None

    @property
    def relaxed(self) -> str:
        """What was relaxed for the best tree."""
        return self.parses[0].fallback if self.parses else self.fallback

    @property
    def complete(self) -> bool:
        """Whether it has all trees that were requested, or all that exist."""
        return all(parse.complete for parse in self.parses)
