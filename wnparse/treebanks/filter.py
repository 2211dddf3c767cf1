"""Picking sentences of a treebank: by number, id, structure, words, or differences from another file.

One pass over a stream, which ends as soon as nothing further can match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wnparse import trees
from wnparse.errors import TreebankError
from wnparse.treebanks.parallel import read_parallel
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.ud import universal_part

NAMED_IN_MESSAGES = 3


@dataclass(frozen=True)
class Interval:
    """Whole numbers from first to last, or without end."""

    first: int
    last: int | None

    def __contains__(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first}-"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True)
class WordFilter:
    """What a word must be: one of the values of each column that has any.

    Attributes
    ----------
    forms, lemmas : collection of str
        Compared without regard to case.
    upos : collection of str
        UPOS tags.
    relations : collection of str
        A relation without a subtype includes its subtypes.
    """

    forms: Collection[str] = ()
    lemmas: Collection[str] = ()
    upos: Collection[str] = ()
    relations: Collection[str] = ()

    def __bool__(self) -> bool:
        return any((self.forms, self.lemmas, self.upos, self.relations))

    def words(self, sentence: Sentence) -> list[int]:
        """Return the words that meet all conditions, counted from 1."""
        words = list(range(1, len(sentence) + 1))
        for column, wanted in (("form", self.forms), ("lemma", self.lemmas)):
            if wanted:
                folded, values = set(map(str.casefold, wanted)), sentence.column(column)
                words = [word for word in words if values[word - 1].casefold() in folded]
        if self.upos:
            tags = sentence.column("upos")
            words = [word for word in words if tags[word - 1] in self.upos]
        if self.relations:
            wanted, names = set(self.relations), sentence.column("deprel")
            words = [word for word in words if wanted & {names[word - 1], universal_part(names[word - 1])}]
        return words


@dataclass(frozen=True)
class SentenceFilter:
    """What a sentence must be to be picked: all of the conditions that are given.

    Attributes
    ----------
    numbers : sequence of Interval
        Its number among the sentences with words, from 1, is in one of them.
    sent_ids : collection of str
        Its id is one of these.
    block_degrees : Interval, optional
        The block degree of its tree is in this interval.
    ill_nested : bool
        Its tree is ill-nested.
    words : WordFilter
        One of its words meets these conditions.
    """

    numbers: Sequence[Interval] = ()
    sent_ids: Collection[str] = ()
    block_degrees: Interval | None = None
    ill_nested: bool = False
    words: WordFilter = WordFilter()

    def matches(self, sentence: Sentence, number: int) -> bool:
        """Return whether a sentence is picked; without a full tree it has no structure to match."""
        if self.numbers and not any(number in interval for interval in self.numbers):
            return False
        if self.sent_ids and sentence.sent_id not in self.sent_ids:
            return False
        if self.words and not self.words.words(sentence):
            return False
        if not self.ill_nested and self.block_degrees is None:
            return True
        if not sentence.annotated:
            return False
        structure = trees.structure(sentence.heads)
        if self.ill_nested and structure.well_nested:
            return False
        return self.block_degrees is None or structure.block_degree in self.block_degrees

    @property
    def last_number(self) -> int | None:
        """The number after which nothing matches; None if there is none."""
        ends = [interval.last for interval in self.numbers]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None


@dataclass(frozen=True)
class Selected:
    """A sentence that was picked."""

    number: int
    sentence: Sentence
    system: Sentence | None  # the same sentence in the other file, if there is one


def select(
    sentences: Iterable[Sentence],
    selection: SentenceFilter,
    system: Iterable[Sentence] | None = None,
    names: Sequence[str] = ("the input", "the system"),
) -> Iterator[Selected]:
    """Yield the sentences that a selection picks, in the order of the file.

    Parameters
    ----------
    sentences : iterable of Sentence
        The sentences; those without words are ignored.
    selection : SentenceFilter
        The conditions; they concern the trees of `sentences`.
    system : iterable of Sentence, optional
        Trees over the same words. Only sentences in which a head or a relation differs are picked.
    names : sequence of str
        The names of both inputs for messages.

    Raises
    ------
    TreebankError
        If a sentence with a requested number or id does not exist, or if the words differ.
    """
    inputs = [sentences] if system is None else [sentences, system]
    missing = set(selection.sent_ids)
    number = 0
    for number, row in enumerate(read_parallel(inputs, names), 1):
        missing.discard(row[0].sent_id or "")
        if selection.matches(row[0], number) and (system is None or _differs(*row)):
            yield Selected(number, row[0], row[1] if system is not None else None)
        if number == selection.last_number or (selection.sent_ids and not missing):
            return
    _refuse_missing(selection, missing, number, names[0])


def _differs(first: Sentence, second: Sentence) -> bool:
    if first.heads.tolist() != second.heads.tolist():
        return True
    return first.column("deprel") != second.column("deprel")


def _refuse_missing(selection: SentenceFilter, missing: set[str], count: int, name: str) -> None:
    """Raise TreebankError for requested sentences that do not exist."""
    held = "1 sentence" if count == 1 else f"{count} sentences"
    for interval in selection.numbers:
        if interval.first > count:
            raise TreebankError(f"there is no sentence {interval}; the input has {held}", name)
    if missing:
        shown = ", ".join(f"'{name}'" for name in sorted(missing)[:NAMED_IN_MESSAGES])
        raise TreebankError(
            f"no sentence with sent_id {shown} among {held}; expected the value of a comment '# sent_id = ...'",
            name,
        )
