"""Half-annotated trees: which words have a head and a relation, and which sentences are complete.

A word whose HEAD is ``_`` has no annotated arc, and its DEPREL does not count. A word whose DEPREL is ``_`` has no
annotated relation. A treebank in which every DEPREL is ``_`` has one relation of that name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse.errors import TreebankError
from wnparse.treebanks.sentence import Sentence, parse_sentence
from wnparse.wording import counted

NOTHING = "_"
FEW_TREES = 100  # complete trees that a half-annotated treebank needs for a shape to be derived from them


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

    @property
    def shows_shape(self) -> bool:
        """Whether enough trees are complete to derive constraints on their shape."""
        return self.complete == self.sentences or self.complete >= FEW_TREES

    def as_dict(self) -> dict[str, int]:
        """Return the figures that reports of half-annotated treebanks have in JSON."""
        return {
            "sentences": self.sentences,
            "complete_sentences": self.complete,
            "words": self.words,
            "heads": self.heads,
            "relations": self.relations,
        }

    def __str__(self) -> str:
        return (
            f"half-annotated: {self.heads:,} of {counted(self.words, 'word')} have a head and {self.relations:,} "
            f"a relation; {self.complete:,} of {counted(self.sentences, 'sentence')} are complete"
        )


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


def keep_completable(sentences: Iterable[Sentence], report: Callable[[str], object]) -> list[Sentence]:
    """Leave out half-annotated sentences whose given heads form a cycle, and report each of them."""
    completable = []
    for sentence in sentences:
        try:
            if not sentence.annotated:
                parse_sentence(sentence.raw, path=sentence.path, line=sentence.line, heads="given")
            completable.append(sentence)
        except TreebankError as error:
            report(f"{error}; the sentence is skipped")
    return completable


class AnnotationCounter:
    """Counts what is annotated in a treebank, one sentence at a time."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._named = False

    def add(self, sentence: Sentence) -> None:
        """Count one sentence; sentences without words do not count."""
        if not len(sentence):
            return
        has_head = sentence.heads[1:] >= 0
        has_name = np.array([relation != NOTHING for relation in sentence.column("deprel")], bool)
        self._named = self._named or bool(has_name.any())
        self._counts.update(
            sentences=1,
            words=len(sentence),
            complete=int(has_head.all()),
            started=int(has_head.any()),
            heads=int(has_head.sum()),
            relations=int((has_head & has_name).sum()),
            stray=int((has_name & ~has_head).sum()),
        )

    def merge(self, other: AnnotationCounter) -> None:
        """Add the counts of another treebank."""
        self._counts.update(other._counts)
        self._named = self._named or other._named

    def counts(self) -> Annotated:
        """Return the counts; in a treebank without any relation, a head is enough."""
        counts = dict(self._counts)
        if counts and not self._named:
            counts["relations"] = counts["heads"]
        return Annotated(**counts)


def count_annotated(sentences: Iterable[Sentence]) -> Annotated:
    """Count what is annotated in a treebank."""
    counter = AnnotationCounter()
    for sentence in sentences:
        counter.add(sentence)
    return counter.counts()
