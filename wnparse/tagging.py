"""A tagger: UPOS, XPOS, FEATS and LEMMA of words that lack them.

What is to be filled: a word whose UPOS is ``_`` gets what it lacks, and a column that is empty in a whole sentence
is filled; everything else stays and is taken for granted. The core does the work (cext/tagger), many sentences a
call, without the interpreter lock.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core import tagger as core
from wnparse._core.conllu import replace_misc
from wnparse.conllu import Sentence, as_sentence, parse_sentence
from wnparse.marks import with_confidence
from wnparse.streams import in_chunks
from wnparse.tensors import Arrays

COLUMNS = ("lemma", "upos", "xpos", "feats")
CONFIDENCE = "TagProb"
PREFIX = "tagger_"  # of its arrays in a model file
FARTHEST = 1.0  # how far behind the best tags others may be, in the logarithm of the odds


class Tagging(NamedTuple):
    """A sentence with tags, and how likely these are."""

    sentence: Sentence
    odds: float  # beside the best ones: their logarithm, 0 for these


@dataclass(frozen=True, eq=False, repr=False)
class Tagger:
    """A trained tagger.

    Attributes
    ----------
    arrays : dict
        Tables of weights and the lexicon: see `wnparse._core.tagger.Tagger`.
    names : dict
        Lists of tags, fine tags, bundles of FEATS, their values, and lemma scripts.
    columns : list of str
        The columns that it fills.
    atom_count, open_scripts, beam, drop, threshold : int
        How classes are counted, how many scripts are rules, how wide the search is, how far behind the best a
        sequence of tags may be, how much better a bundle that was never seen must be.
    info : dict
        Training options and figures.
    """

    arrays: Arrays
    names: dict[str, list[str]]
    columns: list[str]
    atom_count: int
    open_scripts: int
    beam: int
    drop: int
    threshold: int
    info: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def core(self) -> core.Tagger:
        """The tagger at work; threads may share it."""
        filled = [column in self.columns for column in COLUMNS]
        return core.Tagger(
            self.arrays,
            self.names,
            filled,
            self.atom_count,
            self.open_scripts,
            self.beam,
            self.drop,
            self.threshold,
        )

    @property
    def size(self) -> int:
        """Bytes of its tables."""
        return sum(int(table.nbytes) for table in self.arrays.values())

    def tag(
        self, sentences: Sequence[Sentence], *, retag: bool = False, confidence: bool = False
    ) -> list[Sentence]:
        """Sentences with their columns filled; those that lack nothing are passed on as they are.

        Parameters
        ----------
        sentences : sequence of Sentence
            With or without tags.
        retag : bool
            Whether tags that are given are replaced.
        confidence : bool
            Whether MISC gets ``TagProb``, the probability of each UPOS that was filled in.
        """
        given = list(sentences)
        found = self.core.tag(given, retag, self.sharpness if confidence else 0.0)
        return [
            _filled(sentence, ways[0]) if ways else sentence for sentence, ways in zip(given, found, strict=True)
        ]

    def tag_raw(
        self, sentences: Sequence[Sentence], *, retag: bool = False, confidence: bool = False
    ) -> list[bytes]:
        """The bytes of what `tag` gives: sooner, for who only writes them."""
        if confidence:
            return [sentence.raw for sentence in self.tag(sentences, retag=retag, confidence=True)]
        given = list(sentences)
        found = self.core.tag(given, retag)
        return [ways[0][0] if ways else sentence.raw for sentence, ways in zip(given, found, strict=True)]

    def alternatives(
        self, sentences: Sequence[Sentence], count: int, *, retag: bool = False, confidence: bool = False
    ) -> list[list[Tagging]]:
        """Each sentence with the best tags, and up to `count` - 1 times more with others, by falling odds.

        Others are the best sequences that have another tag of some word, of those whose odds are close
        (`FARTHEST`); see cext/tagger/tag_lattice.hpp. What lacks no tag has no others.
        """
        given = list(sentences)
        sharpness = self.sharpness
        gap = min(round(FARTHEST / sharpness), self.drop)
        found = self.core.tag(given, retag, sharpness if confidence else 0.0, count, gap)
        return [
            [Tagging(_filled(sentence, each), -sharpness * each[3]) for each in ways] or [Tagging(sentence, 0.0)]
            for sentence, ways in zip(given, found, strict=True)
        ]

    @property
    def sharpness(self) -> float:
        """What scores are multiplied by to become logarithms of probabilities, but for a constant."""
        return float(self.info.get("sharpness", 1.0)) * float(self.info["scales"]["tag"])

    def describe(self) -> dict[str, Any]:
        """What it fills, and how much it knows of that."""
        return {
            "columns": self.columns,
            "tags": len(self.names["tags"]),
            "fine_tags": len(self.names["fine_tags"]),
            "bundles": len(self.names["bundles"]),
            "lemma_scripts": len(self.names["scripts"]),
            **self.info,
        }

    def header(self) -> dict[str, Any]:
        """What a model file says of it beside its arrays."""
        return {
            "names": self.names,
            "columns": self.columns,
            "atom_count": self.atom_count,
            "open_scripts": self.open_scripts,
            "beam": self.beam,
            "drop": self.drop,
            "threshold": self.threshold,
            "info": self.info,
        }

    def stored(self) -> Arrays:
        """Its arrays as a model file names them."""
        return {PREFIX + name: array for name, array in self.arrays.items()}

    @classmethod
    def of(cls, arrays: Arrays, header: dict[str, Any]) -> Tagger:
        """The tagger of a model file."""
        own = {name.removeprefix(PREFIX): array for name, array in arrays.items() if name.startswith(PREFIX)}
        return cls(arrays=own, **header)


def tag_stream(
    tagger: Tagger, sentences: Iterable[Any], retag: bool, confidence: bool, jobs: int
) -> Iterator[Any]:
    """Sentences, or token lists, with their columns filled, in their order."""
    waiting: deque[Any] = deque()

    def feed() -> Iterator[Sentence]:
        for number, given in enumerate(sentences, 1):
            waiting.append(given)
            yield as_sentence(given, number)

    def work(chunk: list[Sentence]) -> list[Sentence]:
        return tagger.tag(chunk, retag=retag, confidence=confidence)

    together = jobs > 1 or isinstance(sentences, Sequence)
    for tagged in in_chunks(feed(), work, jobs, lambda: together):
        yield tagged if isinstance(waiting.popleft(), Sentence) else tagged.to_tokenlist()


def _filled(sentence: Sentence, found: tuple[bytes, npt.NDArray[np.int32], list[float] | None, int]) -> Sentence:
    """A sentence with its columns filled."""
    raw, fields, chances, _ = found
    tagged = sentence.with_columns(raw, fields)
    return _with_confidence(tagged, chances) if chances else tagged


def _with_confidence(sentence: Sentence, chances: list[float]) -> Sentence:
    """A sentence with the probabilities of its tags in MISC; those below 0 are not known."""
    miscs = ["_"]
    for misc, chance in zip(sentence.column("misc"), chances[1:], strict=True):
        miscs.append(misc if chance < 0 else with_confidence(misc, chance, CONFIDENCE))
    raw = replace_misc(sentence.raw, sentence.fields, miscs)
    return sentence.with_columns(raw, parse_sentence(raw, heads="ignored").fields)
