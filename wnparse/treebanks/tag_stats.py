"""Counts of tags, features, relations, forms and lemmas, by the definitions of UD's ``stats.xml``.

Words are syntactic words, without empty nodes. A multiword token counts as one token instead of its words. In
lists of forms and lemmas, one with capital letters counts as its lower-case variant if that occurs as well
(``The`` as ``the``). A feature is counted with its whole value: ``PronType=Int,Rel`` is one feature.

One pass, O(words); memory grows with the number of different words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.ud import universal_part

MOST_EXAMPLES = 5  # forms and lemmas in a report
COLUMNS = ("form", "lemma", "upos", "feats", "deprel")


@dataclass
class TagCount:
    """How often a tag, relation or feature occurs, and with which words."""

    count: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    lemmas: Counter[str] = field(default_factory=Counter)
    upos: Counter[str] = field(default_factory=Counter)

    def add(self, form: str, lemma: str, upos: str, count: int) -> None:
        """Count a word that occurs so many times."""
        self.count += count
        self.forms[form] += count  # also "_", which a word may be
        for values, value in ((self.lemmas, lemma), (self.upos, upos)):
            if value != NOTHING:
                values[value] += count

    def as_dict(self, words: int) -> dict[str, Any]:
        """Return the figures of a treebank with so many words."""
        return {
            "count": self.count,
            "percent": 100.0 * self.count / words,
            "forms": dict(most_frequent(self.forms)),
            "lemmas": dict(most_frequent(self.lemmas)),
        }


def fold_case(counts: Mapping[str, int]) -> Counter[str]:
    """Add what has capital letters to its lower-case variant, if that occurs as well."""
    folded: Counter[str] = Counter()
    for text, count in counts.items():
        lower = text.lower()
        folded[lower if lower in counts else text] += count
    return folded


def most_frequent(counts: Mapping[str, int], most: int = MOST_EXAMPLES) -> list[tuple[str, int]]:
    """Return the most frequent forms or lemmas with their counts, whatever their case; of equals the first."""
    return sorted(fold_case(counts).items(), key=lambda item: (-item[1], item[0]))[:most]


@dataclass
class TagStats:
    """Counts over all sentences of a treebank, also those without heads; `merge` adds another's.

    Attributes
    ----------
    sentences : int
        Sentences with at least one word.
    words : Counter
        Words by form, lemma, UPOS, FEATS and DEPREL.
    multiword_tokens : Counter
        Multiword tokens by form.
    inside : int
        Words that are part of a multiword token.
    """

    sentences: int = 0
    words: Counter[tuple[str, ...]] = field(default_factory=Counter)
    multiword_tokens: Counter[str] = field(default_factory=Counter)
    inside: int = 0

    def add(self, sentence: Sentence) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.words.update(zip(*map(sentence.column, COLUMNS), strict=True))
        for first, last, form, *_ in sentence.multiword_tokens:
            self.multiword_tokens[form] += 1
            self.inside += last - first + 1

    def merge(self, other: TagStats) -> None:
        """Add the counts of another treebank."""
        self.sentences += other.sentences
        self.words += other.words
        self.multiword_tokens += other.multiword_tokens
        self.inside += other.inside

    @property
    def tokens(self) -> int:
        """Multiword tokens, and words outside of them."""
        return self.words.total() - self.inside + self.multiword_tokens.total()

    def upos(self) -> dict[str, TagCount]:
        """Return the count of each UPOS, the most frequent first."""
        return _by_frequency(self._count("upos"))

    def relations(self) -> dict[str, TagCount]:
        """Return the count of each DEPREL, the most frequent relations first, each followed by its subtypes."""
        counts = _by_frequency(self._count("deprel"))
        totals: Counter[str] = Counter()
        for name, count in counts.items():
            totals[universal_part(name)] += count.count
        return dict(
            sorted(
                counts.items(),
                key=lambda item: (-totals[universal_part(item[0])], universal_part(item[0]), ":" in item[0]),
            )
        )

    def features(self) -> dict[str, TagCount]:
        """Return the count of each feature with its value, such as ``Case=Nom``, in alphabetical order."""
        counts = self._count("feats", separator="|")
        return dict(sorted(counts.items(), key=lambda item: (item[0].lower(), item[0])))

    def _count(self, column: str, separator: str | None = None) -> dict[str, TagCount]:
        """Count the values of a column, or the parts of each value between separators."""
        counts: dict[str, TagCount] = {}
        place = COLUMNS.index(column)
        for values, count in self.words.items():
            form, lemma, upos, *_ = values
            for name in values[place].split(separator) if separator else [values[place]]:
                if name != NOTHING:
                    counts.setdefault(name, TagCount()).add(form, lemma, upos, count)
        return counts

    def _different(self, column: str) -> int:
        """Return the number of different forms or lemmas; a form may be "_", but a lemma "_" is missing."""
        place = COLUMNS.index(column)
        missing = set() if column == "form" else {NOTHING}
        return len(fold_case(dict.fromkeys({values[place] for values in self.words} - missing, 1)))

    def as_dict(self) -> dict[str, Any]:
        """Return all figures under the keys that docs/reference/json.md documents."""
        words = self.words.total()
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "words": words,
            "multiword_tokens": self.multiword_tokens.total(),
            "different_forms": self._different("form"),
            "different_lemmas": self._different("lemma"),
            "different_multiword_tokens": len(fold_case(self.multiword_tokens)),
            "upos": {name: count.as_dict(words) for name, count in self.upos().items()},
            "deprel": {name: count.as_dict(words) for name, count in self.relations().items()},
            "feats": {
                name: {**count.as_dict(words), "upos": dict(count.upos.most_common())}
                for name, count in self.features().items()
            },
        }


def _by_frequency(counts: dict[str, TagCount]) -> dict[str, TagCount]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1].count, item[0])))


def count_tags(sentences: Iterable[Sentence]) -> TagStats:
    """Count the tags, features and relations of a treebank; sentences without words do not count."""
    counts = TagStats()
    for sentence in sentences:
        if len(sentence):
            counts.add(sentence)
    return counts
