"""Half-annotated trees: which words have a head and a relation, and which sentences are complete.

A word whose HEAD is ``_`` has no annotated arc, and its DEPREL does not count. A word whose DEPREL is ``_`` has no
annotated relation. A treebank in which every DEPREL is ``_`` has one relation of that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse.treebanks.sentence import Sentence

NOTHING = "_"


@dataclass(frozen=True)
class Annotated:
    """How much of a treebank is annotated; sentences without words do not count."""

    sentences: int = 0
    words: int = 0
    complete: int = 0  # sentences in which every word has a head
    started: int = 0  # sentences in which at least one word has a head
    heads: int = 0  # words with a head
    relations: int = 0  # words with a head and a relation
    stray: int = 0  # words with a relation but without a head

    @property
    def partial(self) -> bool:
        """Whether any head or relation is missing."""
        return self.relations < self.words


def has_relations(sentences: Iterable[Sentence]) -> bool:
    """Return whether any word has a DEPREL other than ``_``."""
    return any(relation != NOTHING for sentence in sentences for relation in sentence.column("deprel"))


def annotated_relations(sentence: Sentence, named: bool = True) -> npt.NDArray[np.bool_]:
    """Return which words have a head and a relation, bool[n].

    Parameters
    ----------
    sentence : Sentence
    named : bool
        Whether the treebank names relations at all; if not, a head is enough.
    """
    annotated: npt.NDArray[np.bool_] = sentence.heads[1:] >= 0
    if named:
        annotated &= np.array([relation != NOTHING for relation in sentence.column("deprel")], bool)
    return annotated


def count_annotated(sentences: Sequence[Sentence]) -> Annotated:
    """Count what is annotated in a treebank."""
    named = has_relations(sentences)
    words = complete = started = heads = relations = stray = count = 0
    for sentence in sentences:
        if not len(sentence):
            continue
        has_head, has_relation = sentence.heads[1:] >= 0, annotated_relations(sentence, named)
        count += 1
        words += len(sentence)
        complete += sentence.annotated
        started += bool(has_head.any())
        heads += int(has_head.sum())
        relations += int(has_relation.sum())
        if not has_head.all():
            names = sentence.column("deprel")
            stray += sum(names[word] != NOTHING for word in np.flatnonzero(~has_head).tolist())
    return Annotated(count, words, complete, started, heads, relations, stray)
