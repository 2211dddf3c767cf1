"""Gold and system trees of the same text, read in parallel; those over the same words into flat arrays; O(words).

Inputs are streams: only one group of sentences is in memory at a time, and of each tree only what is counted.
`wnparse.treebanks.parallel` describes how words are compared.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core import trees as core
from wnparse.errors import TreebankError
from wnparse.treebanks.inputs import Treebank
from wnparse.treebanks.parallel import Group, read_groups
from wnparse.treebanks.partial import NOTHING, Annotated, AnnotationCounter
from wnparse.treebanks.sentence import Sentence

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
# Called with sentences of gold and each system, and one byte per word of gold: 0 if its tags are ignored, else 1.
Watcher = Callable[[Group, bytes], object]


class Trees(NamedTuple):
    """The trees of one input; the words of all sentences follow each other in one array.

    Words are those of sentences that have the same words in all inputs. The structure is that of all sentences in
    which every word has a head.
    """

    heads: Int32Array  # int32[words], 0 for a root, -1 if the word has no head
    relations: Int32Array  # int32[words], index into Alignment.relations
    nonprojective: BoolArray  # bool[words], whether the arc into the word is; False in incomplete sentences
    block_degrees: Int32Array  # int32[complete sentences]
    well_nested: BoolArray  # bool[complete sentences]
    roots: Int32Array  # int32[complete sentences], number of roots
    annotated: Annotated


class Alignment(NamedTuple):
    """Gold and systems, over the sentences that have the same words in all of them."""

    gold: Trees
    systems: list[Trees]
    lengths: Int64Array  # int64[sentences], words in each
    scored: (
        BoolArray  # bool[words], whether the word counts: it has a gold head, and its gold tags are not ignored
    )
    named: BoolArray  # bool[words], whether its relation counts: gold names it, or no relation at all
    relations: list[str]  # every relation seen, subtypes included
    same_words: bool  # whether all sentences have the same words

    @property
    def sentences(self) -> Int64Array:
        """The sentence of each word, int64[words]."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def positions(self) -> Int64Array:
        """The position of each word in its sentence, from 1; int64[words]."""
        starts = np.cumsum(self.lengths) - self.lengths
        return np.arange(1, self.lengths.sum() + 1) - np.repeat(starts, self.lengths)


_NO_TREE = (0, False, 0, 0, 0)  # the structure of an incomplete tree


class _Gatherer:
    """Collects the trees of one input in machine arrays: lists of Python integers are ten times larger."""

    def __init__(self, relation_ids: Callable[[str], int]) -> None:
        self.relation_ids = relation_ids
        self.heads, self.relations = array("i"), array("i")
        self.nonprojective = bytearray()
        self.block_degrees, self.well_nested, self.roots = array("i"), bytearray(), array("i")
        self.annotation = AnnotationCounter()

    def add(self, sentence: Sentence, same_words: bool) -> None:
        heads, relations = sentence.heads, list(map(self.relation_ids, sentence.column("deprel")))
        self.annotation.add(sentence)
        block_degree, well_nested, _, crossed, roots = core.measure(heads) if sentence.annotated else _NO_TREE
        if same_words:
            self.heads.frombytes(heads[1:].tobytes())
            self.relations.extend(relations)
            self.nonprojective += (core.edge_degrees(heads)[1:] > 0).tobytes() if crossed else bytes(len(sentence))
        if not sentence.annotated:
            return
        self.block_degrees.append(block_degree)
        self.well_nested.append(well_nested)
        self.roots.append(roots)

    def trees(self) -> Trees:
        return Trees(
            np.frombuffer(self.heads, np.int32),
            np.frombuffer(self.relations, np.int32),
            np.frombuffer(self.nonprojective, np.bool_),
            np.frombuffer(self.block_degrees, np.int32),
            np.frombuffer(self.well_nested, np.bool_),
            np.frombuffer(self.roots, np.int32),
            self.annotation.counts(),
        )


def align(
    gold: Treebank,
    systems: Sequence[Treebank],
    *,
    ignore_upos: Collection[str] = (),
    ignore_xpos: Collection[str] = (),
    names: Sequence[str] = (),
    watchers: Sequence[Watcher] = (),
    skip: Callable[[TreebankError], object] | None = None,
) -> Alignment:
    """Read gold and system trees side by side.

    Parameters
    ----------
    gold : iterable of Sentence or conllu.TokenList
        The trees to compare with.
    systems : sequence of such iterables
        Trees over the same text.
    ignore_upos, ignore_xpos : collection of str
        A word is not scored if its tag in gold is one of these.
    names : sequence of str
        Names of gold and the systems for messages about inputs without sentences.
    watchers : sequence of callables
        Called with each group of sentences as it is read.
    skip : callable, optional
        Called with the error of a `BadSentence` in any input; that sentence is then left out of all of them.

    Raises
    ------
    TreebankError
        At the first character that differs, with both places.
    """
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__  # the next relation gets the next number
    gatherers = [_Gatherer(ids.__getitem__) for _ in range(1 + len(systems))]
    upos, xpos = frozenset(ignore_upos), frozenset(ignore_xpos)
    scored, lengths = bytearray(), array("q")
    default = ["gold", *(f"system {number}" for number in range(1, len(systems) + 1))]
    same_words = True
    for group in read_groups([gold, *systems], names or default, skip):
        for gatherer, sentences in zip(gatherers, group.inputs, strict=True):
            for sentence in sentences:
                gatherer.add(sentence, group.same_words)
        flags = b"".join(_scored(sentence, upos, xpos) for sentence in group.inputs[0])
        if group.same_words:
            lengths.append(len(flags))
            scored += flags
        same_words = same_words and group.same_words
        for watch in watchers:
            watch(group, flags)
    trees = gatherers[0].trees()
    named = trees.relations != ids.get(NOTHING, -1)
    return Alignment(
        trees,
        [gatherer.trees() for gatherer in gatherers[1:]],
        np.frombuffer(lengths, np.int64),
        np.frombuffer(scored, np.bool_) & (trees.heads >= 0),
        named if named.any() or not same_words else ~named,
        list(ids),
        same_words,
    )


def _scored(gold: Sentence, ignore_upos: frozenset[str], ignore_xpos: frozenset[str]) -> bytes:
    """Return one byte per word: 0 if its tags are ignored, else 1."""
    if not ignore_upos and not ignore_xpos:
        return b"\1" * len(gold)
    tags = zip(gold.column("upos"), gold.column("xpos"), strict=True)
    return bytes(upos not in ignore_upos and xpos not in ignore_xpos for upos, xpos in tags)
