"""The rows of embeddings that a network learns: one for each key that is frequent enough in the treebank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.neural import INPUT_COUNT, word_keys
from wnparse._core.tagger import look_up_table
from wnparse.neural.sizes import INPUTS
from wnparse.storage.tensors import Arrays
from wnparse.treebanks.sentence import Sentence

UNKNOWN = 0  # the first row of each input: for words of which no key is known
# How often a key must occur; the others are how the network learns of unknown words.
LEAST = {"form": 2, "lemma": 2, "upos": 1, "xpos": 1, "feats": 1, "affixes": 2}

Int64Array = npt.NDArray[np.int64]


class Bags(NamedTuple):
    """The rows of one input for the words of a sentence: those of token t are ``rows[begin[t]:begin[t + 1]]``."""

    rows: Int64Array  # at least one per token
    begin: Int64Array


class Vocabulary:
    """The rows of each input by key.

    Parameters
    ----------
    sentences : iterable of Sentence
        The treebank.
    used : sequence of str
        The inputs that are used.
    """

    def __init__(self, sentences: Iterable[Sentence], used: Sequence[str]) -> None:
        keys: list[list[npt.NDArray[np.uint64]]] = [[] for _ in INPUTS]
        for sentence in sentences:
            for collected, (own, _) in zip(keys, _split(sentence), strict=True):
                collected.append(own)
        self.keys: dict[str, npt.NDArray[np.uint64]] = {}  # of each input that is used, ascending; row i + 1
        for name, collected in zip(INPUTS, keys, strict=True):
            if name in used:
                distinct, counts = np.unique(np.concatenate(collected), return_counts=True)
                self.keys[name] = distinct[counts >= LEAST[name]]

    def rows(self, name: str) -> int:
        """Return the number of rows of an input that is used."""
        return len(self.keys[name]) + 1

    def look_up(self, sentence: Sentence) -> dict[str, Bags]:
        """Return the rows of the words of a sentence."""
        bags = {}
        for name, (keys, begin) in zip(INPUTS, _split(sentence), strict=True):
            if name in self.keys:
                bags[name] = _find_rows(self.keys[name], keys, begin)
        return bags

    def table(self) -> Arrays:
        """Return the look-up table of all keys (cext/neural/embeddings.hpp): arrays of keys and of rows."""
        keys, rows, first = [], [], 0
        for name in INPUTS:
            if name in self.keys:
                keys.append(self.keys[name])
                rows.append(first + 1 + np.arange(len(self.keys[name]), dtype=np.int32))
                first += len(self.keys[name]) + 1
        table = look_up_table(np.concatenate(keys), np.concatenate(rows))
        return dict(zip(("embeddings/keys", "embeddings/rows"), table, strict=True))


def _split(sentence: Sentence) -> list[tuple[npt.NDArray[np.uint64], Int64Array]]:
    """Return for each input the keys of all words, and where those of each word begin."""
    keys, begin = word_keys(sentence)
    counts = np.diff(begin).astype(np.int64).reshape(-1, INPUT_COUNT)
    owner = np.repeat(np.tile(np.arange(INPUT_COUNT), len(counts)), counts.ravel())
    return [(keys[owner == i], np.concatenate([[0], np.cumsum(counts[:, i])])) for i in range(INPUT_COUNT)]


def _find_rows(known: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64], begin: Int64Array) -> Bags:
    """Return the rows of keys; those that are not known are left out, and a word without any gets `UNKNOWN`."""
    places = np.searchsorted(known, keys)
    places[places == len(known)] = 0
    is_known = known[places] == keys if len(known) else np.zeros(len(keys), bool)
    words = len(begin) - 1
    owner = np.repeat(np.arange(words), np.diff(begin))[is_known]
    counts = np.bincount(owner, minlength=words)
    rows = np.insert(places[is_known] + 1, np.cumsum(counts)[counts == 0], UNKNOWN)
    return Bags(rows, np.concatenate([[0], np.cumsum(np.maximum(counts, 1))]))
