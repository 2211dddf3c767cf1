"""Features of arcs and of parts of two arcs, hashed, after Martins et al. 2009, section 4.

Arcs have those of McDonald et al. 2005: words, tags and morphology of head and modifier, the tags around and
between them, each alone and with direction and distance. Parts of higher order have simple ones of the words,
tags and morphology of the words that they join. A part's features are a row of places in the weights; place 0 is
that of no feature, whose weight stays 0.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.treebanks.sentence import Sentence

SIZE = 1 << 20  # weights
BETWEEN = 8  # tags between head and modifier that are told apart
EDGES = np.array([2, 3, 4, 5, 7, 11])  # distances at which a new bucket begins
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Codes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]


def _key(template: int, *codes: Any) -> Codes:
    """Mix codes to one, element by element."""
    mixed: Codes = np.full(np.broadcast(*codes).shape, template + 1, np.uint64)
    for code in codes:
        mixed = (mixed ^ code.astype(np.uint64)) * _PRIME
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _places(keys: list[Codes]) -> Places:
    """Keys as places of weights, a row for each part."""
    places: Places = (np.stack(keys, -1) % np.uint64(SIZE - 1) + np.uint64(1)).astype(np.int32)
    return places


class SentenceCodes:
    """The codes of a sentence's words: node 0 first, and a last one for what is beyond both ends."""

    def __init__(self, sentence: Sentence) -> None:
        def codes(name: str) -> Codes:
            texts = ["<root>", *sentence.column(name), "<none>"]
            return np.array([zlib.crc32(f"{name} {text}".encode()) for text in texts], np.uint64)

        self.n = len(sentence)
        self.word, self.tag, self.morphology = codes("form"), codes("upos"), codes("feats")

    def arcs(self, heads: npt.NDArray[np.int64], modifiers: npt.NDArray[np.int64]) -> Places:
        """The features of arcs."""
        word, tag, morphology = self.word, self.tag, self.morphology
        w, p, f = word[heads], tag[heads], morphology[heads]
        v, q, g = word[modifiers], tag[modifiers], morphology[modifiers]
        before, after = tag[heads - 1], tag[heads + 1]  # of node 0 the first is beyond the end
        left, right = tag[modifiers - 1], tag[modifiers + 1]
        joined: list[tuple[Codes, ...]] = [
            (w,), (p,), (w, p), (v,), (q,), (v, q), (w, p, v, q), (p, v, q), (w, v, q), (w, p, q), (w, p, v),
            (w, v), (p, q), (p, after, left, q), (before, p, left, q), (p, after, q, right), (before, p, q, right),
            (f, g), (p, g), (f, q), (p, f, q, g),
        ]  # fmt: skip
        distance = self._distance(heads, modifiers)
        keys = [_key(place, *codes) for place, codes in enumerate(joined)]
        keys += [_key(100 + place, *codes, distance) for place, codes in enumerate(joined)]
        return np.hstack([_places(keys), self._between(heads, modifiers, distance)])

    def _distance(self, heads: npt.NDArray[np.int64], modifiers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Buckets of distance, with the direction."""
        bucket = np.searchsorted(EDGES, np.abs(heads - modifiers), side="right")
        coded: npt.NDArray[np.int64] = 2 * bucket + (heads < modifiers)
        return coded

    def _between(self, heads: Any, modifiers: Any, distance: Any) -> Places:
        """The tags between head and modifier, each once; where there are fewer, no feature."""
        tags, known = np.unique(self.tag[: self.n + 1], return_inverse=True)
        # counts[i, t]: how many of the nodes before i have tag t
        counts = np.vstack([np.zeros(len(tags), np.int64), np.cumsum(np.eye(len(tags))[known], axis=0)])
        low, high = np.minimum(heads, modifiers), np.maximum(heads, modifiers)
        inside = counts[high] - counts[low + 1] > 0
        order = np.argsort(~inside, axis=1, kind="stable")[:, :BETWEEN]
        shown = np.take_along_axis(inside, order, axis=1)
        p, q = self.tag[heads][:, None], self.tag[modifiers][:, None]
        right = (heads < modifiers)[:, None]
        places = _places([_key(200, p, tags[order], q, right)])[..., 0]
        return np.where(shown, places, 0).astype(np.int32)

    def triples(self, kind: int, rows: Iterable[tuple[int, ...]]) -> Places:
        """The features of siblings, grandparents or consecutive siblings, by the kind's number."""
        i, j, k = np.array(list(rows), np.int64).reshape(-1, 3).T
        side = 4 * (j < i) + 2 * (k < i) + (k < j)
        word, tag, morphology = self.word, self.tag, self.morphology
        joined: list[tuple[Codes, ...]] = [
            (tag[i], tag[j], tag[k]), (tag[j], tag[k]), (tag[i], tag[k]), (word[j], word[k]),
            (word[i], tag[j], tag[k]), (tag[i], word[j], tag[k]), (tag[i], tag[j], word[k]),
            (morphology[j], morphology[k]), (tag[i], morphology[j], morphology[k]),
        ]  # fmt: skip
        return _places([_key(1000 * kind + place, *codes, side) for place, codes in enumerate(joined)])

    def pairs(self, kind: int, rows: Iterable[tuple[int, ...]]) -> Places:
        """The features of first children or of non-projective arcs."""
        i, j = np.array(list(rows), np.int64).reshape(-1, 2).T
        word, tag, distance = self.word, self.tag, self._distance(i, j)
        right = (i < j).astype(np.int64)
        joined: list[tuple[Any, ...]] = [
            (right,), (distance,), (tag[i], right), (tag[j], right), (tag[i], tag[j], right),
            (word[i], tag[j], right), (tag[i], word[j], right), (tag[i], tag[j], distance),
        ]  # fmt: skip
        return _places([_key(1000 * kind + place, *codes) for place, codes in enumerate(joined)])

    def valency(self, kind: int, rows: Iterable[tuple[int, ...]]) -> Places:
        """The features of a word with so many children."""
        i, count = np.array(list(rows), np.int64).reshape(-1, 2).T
        word, tag, morphology = self.word, self.tag, self.morphology
        joined: list[tuple[Any, ...]] = [
            (count,), (tag[i], count), (word[i], count), (tag[i], morphology[i], count),
            (tag[i - 1], tag[i], count), (tag[i], tag[i + 1], count),
        ]  # fmt: skip
        return _places([_key(1000 * kind + place, *codes) for place, codes in enumerate(joined)])
