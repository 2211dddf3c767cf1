"""A tagger: UPOS, XPOS, FEATS and LEMMA of words that lack them.

What is to be filled: a word whose UPOS is ``_`` gets what it lacks, and a column that is empty in a whole sentence
is filled; everything else stays and is taken for granted. The core does the work (cext/tagger), many sentences a
call, without the interpreter lock.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wnparse._core import tagger as core
from wnparse.conllu import Sentence
from wnparse.tensors import Arrays

COLUMNS = ("lemma", "upos", "xpos", "feats")
PREFIX = "tagger_"  # of its arrays in a model file


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
    atom_count, open_scripts, beam, threshold : int
        How classes are counted, how many scripts are rules, how wide the search is, how much better a bundle that
        was never seen must be.
    info : dict
        Training options and figures.
    """

    arrays: Arrays
    names: dict[str, list[str]]
    columns: list[str]
    atom_count: int
    open_scripts: int
    beam: int
    threshold: int
    info: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def core(self) -> core.Tagger:
        """The tagger at work; threads may share it."""
        filled = [column in self.columns for column in COLUMNS]
        return core.Tagger(
            self.arrays, self.names, filled, self.atom_count, self.open_scripts, self.beam, self.threshold
        )

    @property
    def size(self) -> int:
        """Bytes of its tables."""
        return sum(int(table.nbytes) for table in self.arrays.values())

    def tag(self, sentences: Sequence[Sentence], *, retag: bool = False) -> list[Sentence]:
        """Sentences with their columns filled; those that lack nothing are passed on as they are."""
        given = list(sentences)
        found = self.core.tag(given, retag)
        return [
            sentence if each is None else sentence.with_columns(each[0], each[1])
            for sentence, each in zip(given, found, strict=True)
        ]

    def header(self) -> dict[str, Any]:
        """What a model file says of it beside its arrays."""
        return {
            "names": self.names,
            "columns": self.columns,
            "atom_count": self.atom_count,
            "open_scripts": self.open_scripts,
            "beam": self.beam,
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
