"""Treebanks cut into folds: for cross-validation, and for jack-knifing, where each part is treated by the others.

Sentences of one document share words, names and habits, so that a model of the rest of a document knows more of a
sentence than it would know of one from elsewhere. Documents, which ``# newdoc`` begins and the next one or the end
of the file ends, are therefore kept whole. Each, the longest first (Graham 1969, *Bounds on Multiprocessing Timing
Anomalies*), goes to the fold that has the fewest sentences so far; ties go by the order of documents and of folds.
Sentences without a document go by themselves, so that sentence i of a treebank without any belongs to fold i
modulo k. O(sentences log sentences).
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wnparse.errors import TreebankError
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural

LARGEST = 2.0  # times its share: a fold that would hold more leaves too little to the models that shall treat it

Int32Array = npt.NDArray[np.int32]

# Some treebanks write newdoc_id.
_NEWDOC = re.compile(rb"^(?:\xef\xbb\xbf)?#[ \t]*newdoc(?=[\s=_]|\Z)", re.MULTILINE)


def split_folds(sentences: Sequence[Sentence], folds: int) -> Int32Array:
    """The fold of each sentence, from 0; documents are kept whole.

    They are not if there are too few of them, or one is so long that a fold would hold more than twice its share.

    Parameters
    ----------
    sentences : sequence of Sentence
        In the order of their treebank.
    folds : int
        How many; none is empty.

    Raises
    ------
    TreebankError
        If there are fewer sentences than folds.
    """
    if len(sentences) < folds:
        told = f"{len(sentences)} {plural(len(sentences), 'sentence')}"
        raise TreebankError(f"{told} cannot be cut into {folds} folds; expected more, or fewer --folds")
    found = deal(document_lengths(sentences), folds)
    sizes = np.bincount(found, minlength=folds)
    share = math.ceil(len(sentences) / folds)
    return found if sizes.min() and sizes.max() <= LARGEST * share else deal([1] * len(sentences), folds)


def document_lengths(sentences: Sequence[Sentence]) -> list[int]:
    """How many sentences each document has; one that belongs to none is one of its own."""
    lengths: list[int] = []
    inside, path = False, None
    for sentence in sentences:
        begins = _NEWDOC.search(sentence.raw)
        inside = bool(begins) or (inside and sentence.path == path)
        if begins or not inside:
            lengths.append(1)
        else:
            lengths[-1] += 1
        path = sentence.path
    return lengths


def deal(units: Sequence[int], folds: int) -> Int32Array:
    """The fold of each sentence, from 0, where units of so many sentences are kept whole."""
    sizes = [(0, fold) for fold in range(folds)]
    chosen = np.empty(len(units), np.int32)
    for number in sorted(range(len(units)), key=lambda number: -units[number]):  # equal ones keep their order
        size, chosen[number] = sizes[0]
        heapq.heapreplace(sizes, (size + units[number], int(chosen[number])))
    return np.repeat(chosen, units)
