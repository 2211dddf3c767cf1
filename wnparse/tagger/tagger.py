"""A tagger: UPOS, XPOS, FEATS and LEMMA of words that lack them.

All missing columns of a word whose UPOS is ``_`` are filled, and so are columns that are empty in a whole
sentence. Other values are kept and assumed to be right. The core (cext/tagger) tags many sentences per call,
without the interpreter lock.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from wnparse._core import tagger as core
from wnparse._core.conllu import replace_misc
from wnparse.storage import strict_json
from wnparse.storage.quantise import SCALES
from wnparse.storage.strict_json import Reader, check_depth, partial_table, table, texts, whole
from wnparse.storage.tensors import Arrays, take
from wnparse.treebanks.annotations import with_confidence
from wnparse.treebanks.label_names import MOST_LABELS
from wnparse.treebanks.sentence import Sentence, parse_sentence
from wnparse.wording import shown

COLUMNS = ("lemma", "upos", "xpos", "feats")
CONFIDENCE = "TagProb"
PREFIX = "tagger/"  # of its arrays in a model file
# Its arrays, all of one dimension. `wnparse._core.tagger` checks what they must hold; with T tags, C classes,
# A atoms, V values of FEATS, and tables of 2^b slots:
ARRAYS: dict[str, Any] = {
    # Weights of tags, of atoms and classes, of lemma scripts: cext/scorer/weights/frozen_label_weights.hpp.
    **{
        f"{stage}/{name}": dtype
        for stage in ("tags", "classes", "lemmas")
        for name, dtype in (("fingerprints", np.uint16), ("places", np.uint32), ("rows", np.uint32))
    },
    # Look-up tables, [2^b] each: cext/tagger/lookup_table.hpp. A number that names nothing counts as none.
    "words/keys": np.uint64,  # hashes of lower-cased forms
    "words/tag_lists": np.int32,  # the list of tags that a word may have
    "words/seen_tag_lists": np.int32,  # the list of tags that it was seen with; only a feature, never an index
    "stems/keys": np.uint64,  # hashes of lower-cased lemmas
    "stems/tag_lists": np.int32,  # the list of tags of their forms; only a feature, never an index
    "word_classes/keys": np.uint64,  # hashes of a lower-cased form and a tag
    "word_classes/class_lists": np.int32,  # the list of classes that the word may have
    "known_lemmas/keys": np.uint64,  # hashes of a form and a tag, and of both with a class
    "known_lemmas/scripts": np.int32,  # number of the lemma script
    # Lists: `begin` [lists + 1] rises from 0; numbers rise within a list.
    "tag_lists/begin": np.int32,  # at least 2 lists, not empty: 0 of all tags, 1 of open classes
    "tag_lists/tags": np.int32,  # 0..T - 1
    "class_lists/begin": np.int32,  # at least T + 1 lists, not empty: of each tag, T of all classes
    "class_lists/classes": np.int32,  # 0..C - 1
    "class_atoms/begin": np.int32,  # C lists, not empty
    "class_atoms/atoms": np.int32,  # 0..A - 1
    "tag_values/begin": np.int32,  # T + 1 lists, of each tag and of all
    "tag_values/values": np.int32,  # 0..V - 1
    "class_fine_tags": np.int32,  # [C] 0..A - V - 1
    "class_bundles": np.int32,  # [C] number of the bundle of FEATS
    "atom_attributes": np.int32,  # [A] values of one attribute have one number, any
}
MOST_BEAM = 64
LARGEST_SCORE = 1 << 30  # that sums of weights are compared with
FARTHEST = 1.0  # how far behind the best tags others may be, in the logarithm of the odds


class Tagging(NamedTuple):
    """A sentence with tags, and how likely these are."""

    sentence: Sentence
    odds: float  # log odds, compared with the best sequence, which has 0


@dataclass(frozen=True, eq=False, repr=False)
class Tagger:
    """A trained tagger.

    Attributes
    ----------
    arrays : dict
        Tables of weights, the lexicon and classes: see `ARRAYS`.
    names : dict
        Lists of tags, fine tags, bundles of FEATS, their values, and lemma scripts. Atoms, of which classes
        consist, are the values and behind them the fine tags.
    columns : list of str
        The columns that it fills; UPOS is one of them.
    open_scripts, beam, drop, threshold : int
        How many scripts are rules, the first ones; how wide the search is, how far behind the best a sequence of
        tags may be, how much better a bundle that was never seen must be.
    scale : float
        What a weight of 1 of the tags stands for.
    inverse_temperature : float
        What scores of tags are multiplied by to become logarithms of probabilities, but for a constant.
    info : dict
        Training options and figures.
    """

    arrays: Arrays
    names: dict[str, list[str]]
    columns: list[str]
    open_scripts: int
    beam: int
    drop: int
    threshold: int
    scale: float
    inverse_temperature: float = 1.0
    info: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def core(self) -> core.Tagger:
        """The compiled tagger; threads may share it."""
        filled = [column in self.columns for column in COLUMNS]
        return core.Tagger(
            self.arrays, self.names, filled, self.open_scripts, self.beam, self.drop, self.threshold
        )

    @property
    def size(self) -> int:
        """Bytes of its tables."""
        return sum(int(table.nbytes) for table in self.arrays.values())

    def tag(
        self, sentences: Sequence[Sentence], *, retag: bool = False, confidence: bool = False
    ) -> list[Sentence]:
        """Fill the columns of sentences; those that lack nothing are returned unchanged.

        Parameters
        ----------
        sentences : sequence of Sentence
            With or without tags.
        retag : bool
            Whether tags that are given are replaced.
        confidence : bool
            Whether MISC gets ``TagProb``, the probability of each UPOS that was filled in.
        """
        best = self.alternatives(sentences, 1, retag=retag, confidence=confidence)
        return [taggings[0].sentence for taggings in best]

    def tag_raw(
        self, sentences: Sequence[Sentence], *, retag: bool = False, confidence: bool = False
    ) -> list[bytes]:
        """Return the bytes of the sentences that `tag` returns; faster if they are only written."""
        if confidence:
            return [sentence.raw for sentence in self.tag(sentences, retag=retag, confidence=True)]
        given = list(sentences)
        results = self.core.tag(given, retag)
        return [
            sequences[0][0] if sequences else sentence.raw
            for sentence, sequences in zip(given, results, strict=True)
        ]

    def alternatives(
        self, sentences: Sequence[Sentence], count: int, *, retag: bool = False, confidence: bool = False
    ) -> list[list[Tagging]]:
        """Return each sentence with the best tags, and up to `count` - 1 other tag sequences, by falling odds.

        Others are the best sequences that differ in the tag of some word and whose odds are close (`FARTHEST`);
        see cext/tagger/tag_lattice.hpp. Sentences whose tags are all given have no others.
        """
        given = list(sentences)
        factor = self.unit_inverse_temperature
        gap = min(round(FARTHEST / factor), self.drop)
        results = self.core.tag(given, retag, factor if confidence else 0.0, count, gap)
        alternatives = []
        for sentence, sequences in zip(given, results, strict=True):
            taggings = []
            for raw, fields, probabilities, behind in sequences:
                tagged = sentence.with_columns(raw, fields)
                if probabilities:
                    tagged = _with_confidence(tagged, probabilities)
                taggings.append(Tagging(tagged, -factor * behind))
            alternatives.append(taggings or [Tagging(sentence, 0.0)])
        return alternatives

    @property
    def unit_inverse_temperature(self) -> float:
        """The inverse temperature of scores in units of the scale, as the core has them."""
        return self.inverse_temperature * self.scale

    def figures(self) -> dict[str, Any]:
        """Return its columns and the sizes of its inventories, with training options and figures."""
        facts: dict[str, Any] = {
            "columns": self.columns,
            "tags": len(self.names["tags"]),
            "fine_tags": len(self.names["fine_tags"]),
            "bundles": len(self.names["bundles"]),
            "lemma_scripts": len(self.names["scripts"]),
            "inverse_temperature": self.inverse_temperature,
        }
        return {**facts, **self.info, **facts}  # a forged file may have anything in its info

    def header(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {name: getattr(self, name) for name in HEADER}

    @staticmethod
    def read_header(value: Any) -> dict[str, Any]:
        """Check and read its entry in the header of a model file."""
        header = table(**HEADER)(value)
        check_depth(header["info"])
        return header

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: self.arrays[name] for name in ARRAYS}

    @classmethod
    def of(cls, arrays: Arrays, header: dict[str, Any]) -> Tagger:
        """Make the tagger of a model file; ValueError if arrays and header do not fit together."""
        tagger = cls(arrays=take(arrays, PREFIX, ARRAYS), **header)
        tagger.core  # noqa: B018 -- the core checks the arrays when it is given them
        return tagger


def _columns(value: Any) -> list[str]:
    columns = texts(value)
    if "upos" not in columns or len(set(columns)) < len(columns) or not set(columns) <= set(COLUMNS):
        raise ValueError(f"{shown(str(columns))}; expected upos and others of {', '.join(COLUMNS)}")
    return columns


# The keys of its header, each with what reads it.
HEADER: dict[str, Reader] = {
    "names": table(**dict.fromkeys(("tags", "fine_tags", "bundles", "values"), strict_json.names), scripts=texts),
    "columns": _columns,
    "open_scripts": whole(1, MOST_LABELS),
    "beam": whole(1, MOST_BEAM),
    "drop": whole(0, LARGEST_SCORE),
    "threshold": whole(0, LARGEST_SCORE),
    "scale": strict_json.number(*SCALES),
    "inverse_temperature": strict_json.number(1e-12, 1e12),
    "info": partial_table(),
}


def _with_confidence(sentence: Sentence, probabilities: list[float]) -> Sentence:
    """Write the probabilities of tags into MISC; those below 0 are not known."""
    miscs = ["_"]
    for misc, probability in zip(sentence.column("misc"), probabilities[1:], strict=True):
        miscs.append(misc if probability < 0 else with_confidence(misc, probability, CONFIDENCE))
    raw = replace_misc(sentence.raw, sentence.fields, miscs)
    return sentence.with_columns(raw, parse_sentence(raw, heads="ignored").fields)
