"""Folds of a treebank, for cross-validation and jack-knifing.

Sentences of one document share words, names and style, so that a model of the rest of a document would do better
on a sentence than on one from elsewhere. Documents, from ``# newdoc`` to the next one or the end of the file, are
therefore not split. Each, the longest first (Graham 1969, *Bounds on Multiprocessing Timing Anomalies*), goes to
the fold that has the fewest sentences so far; ties go by the order of documents and of folds. A sentence without a
document is a unit, so that sentence i of a treebank without documents belongs to fold i modulo k.
O(sentences log sentences).
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

LARGEST = 2.0  # times its share: a larger fold would leave too little training data

Int32Array = npt.NDArray[np.int32]

# Some treebanks write newdoc_id.
_NEWDOC = re.compile(rb"^(?:\xef\xbb\xbf)?#[ \t]*newdoc(?=[\s=_]|\Z)", re.MULTILINE)


def split_folds(sentences: Sequence[Sentence], folds: int) -> Int32Array:
    """Return the fold of each sentence, from 0; documents are not split.

    If there are too few documents, or one is so long that a fold would have more than twice the mean size,
    documents are split.

    Parameters
    ----------
    sentences : sequence of Sentence
        In the order of their treebank.
    folds : int
        Number of folds; none of them is empty.

    Raises
    ------
    TreebankError
        If there are fewer sentences than folds.
    """
    if len(sentences) < folds:
        count = f"{len(sentences)} {plural(len(sentences), 'sentence')}"
        raise TreebankError(f"{count} cannot be split into {folds} folds; expected more sentences, or fewer folds")
    fold_of = deal(document_lengths(sentences), folds)
    sizes = np.bincount(fold_of, minlength=folds)
    share = math.ceil(len(sentences) / folds)
    return fold_of if sizes.min() and sizes.max() <= LARGEST * share else deal([1] * len(sentences), folds)


def document_lengths(sentences: Sequence[Sentence]) -> list[int]:
    """Count the sentences of each document; a sentence that belongs to none counts as one."""
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
    """Return the fold of each sentence, from 0; units of so many sentences are not split."""
    sizes = [(0, fold) for fold in range(folds)]
    chosen = np.empty(len(units), np.int32)
    for number in sorted(range(len(units)), key=lambda number: -units[number]):  # equal ones keep their order
        size, chosen[number] = sizes[0]
        heapq.heapreplace(sizes, (size + units[number], int(chosen[number])))
    return np.repeat(chosen, units)
