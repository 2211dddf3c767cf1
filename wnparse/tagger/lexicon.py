"""The lexicon of a tagger: the tags, classes and lemma scripts that words were seen with, as tables of the core.

Frequent words can have only what they were seen with; others may have any tag of an open class, too. Words that
were seen once or twice are left out, as if they were unknown: the tagger learns from them how to tag such words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.tagger import look_up_table
from wnparse._core.tagger_learner import MOST_OPEN, word_class_keys, word_tag_keys
from wnparse.storage.tensors import Arrays
from wnparse.tagger.bundles import Bundles, pack

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]
Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Limits:
    """How often a word must have been seen; chosen on development sets: docs/lab/tagging.md."""

    seen: int = 3  # to be in the lexicon
    frequent: int = 50  # to have only the tags that it was seen with
    frequent_class: int = 50  # with a tag, to have only the classes that it was seen with
    open_share: float = 0.002  # of the words that were seen once, for a tag to be of an open class


class LexiconWords(NamedTuple):
    """The words that a lexicon is made of."""

    forms: UInt64Array
    lower: UInt64Array
    lemmas: UInt64Array  # lower-cased
    tags: Int32Array
    classes: Int32Array
    scripts: Int32Array

    def select(self, numbers: Int32Array) -> LexiconWords:
        """Return some of the words."""
        return LexiconWords._make(column[numbers] for column in self)


def _number_of(wanted: Numbers, lists: list[Numbers], numbers: dict[Numbers, int]) -> int:
    """Return the number of a list, which is added if it is new."""
    if wanted not in numbers:
        numbers[wanted] = len(lists)
        lists.append(wanted)
    return numbers[wanted]


def make_lexicon(words: LexiconWords, tag_count: int, bundles: Bundles, limits: Limits) -> Arrays:
    """Make the tables of a lexicon: see tagger/lexicon.hpp."""
    tables = _tag_tables(words, tag_count, limits) | _class_tables(words, tag_count, limits)
    tables["known_lemmas/keys"], tables["known_lemmas/scripts"] = _script_table(words)
    tables["tag_values/begin"], tables["tag_values/values"] = bundles.value_lists(
        words.tags, words.classes, tag_count
    )
    return tables


def _tag_tables(words: LexiconWords, tag_count: int, limits: Limits) -> Arrays:
    """Return the tags that words may have, and those that they were seen with; both are numbers of lists."""
    keys, word = np.unique(words.lower | np.uint64(1), return_inverse=True)
    counts = np.bincount(word, minlength=len(keys))
    once = words.tags[counts[word] == 1]
    shares = np.bincount(once, minlength=tag_count)
    open_tags = tuple(np.flatnonzero(shares > limits.open_share * max(len(once), 1)).tolist())
    everything = tuple(range(tag_count))
    # Of thousands of tags, none may be frequent: unknown words get the most frequent ones.
    commonest = tuple(sorted(np.argsort(-shares, kind="stable")[:MOST_OPEN].tolist()))
    lists = [everything, open_tags or commonest]
    numbers = {everything: 0, lists[1]: 1}
    allowed, seen = np.full(len(keys), -1, np.int32), np.full(len(keys), -1, np.int32)
    for number, tags in _groups(word, words.tags):
        if counts[number] >= limits.seen:
            frequent = counts[number] >= limits.frequent
            tags_allowed = tags if frequent else tuple(sorted({*tags, *open_tags}))
            allowed[number] = _number_of(tags_allowed, lists, numbers)
            seen[number] = _number_of(tags, lists, numbers)
    stems, stem = np.unique(words.lemmas | np.uint64(1), return_inverse=True)
    stem_counts = np.bincount(stem, minlength=len(stems))
    stem_lists = np.full(len(stems), -1, np.int32)
    for number, tags in _groups(stem, words.tags):
        if stem_counts[number] >= limits.seen:
            stem_lists[number] = _number_of(tags, lists, numbers)
    known, known_stems = seen >= 0, stem_lists >= 0
    tables: Arrays = {}
    tables["words/keys"], tables["words/tag_lists"] = look_up_table(keys[known], allowed[known])
    tables["words/seen_tag_lists"] = look_up_table(keys[known], seen[known])[1]  # the same keys and places
    tables["stems/keys"], tables["stems/tag_lists"] = look_up_table(stems[known_stems], stem_lists[known_stems])
    tables["tag_lists/begin"], tables["tag_lists/tags"] = pack(lists)
    return tables


def _class_tables(words: LexiconWords, tag_count: int, limits: Limits) -> Arrays:
    """Return the classes of each tag, none if it was not seen, of any tag, and of frequent words with a tag."""
    lists: list[Numbers] = [()] * tag_count
    for tag, classes in _groups(words.tags, words.classes):
        lists[tag] = classes
    lists.append(tuple(np.unique(words.classes).tolist()))
    known: dict[Numbers, int] = {}
    keys, pair = np.unique(word_tag_keys(words.lower, words.tags), return_inverse=True)
    counts = np.bincount(pair, minlength=len(keys))
    frequent = counts >= limits.frequent_class
    numbers = np.full(len(keys), -1, np.int32)
    is_frequent = frequent[pair]
    for number, classes in _groups(pair[is_frequent], words.classes[is_frequent]):
        numbers[number] = _number_of(classes, lists, known)
    tables: Arrays = {}
    tables["word_classes/keys"], tables["word_classes/class_lists"] = look_up_table(
        keys[frequent], numbers[frequent]
    )
    tables["class_lists/begin"], tables["class_lists/classes"] = pack(lists)
    return tables


def _script_table(words: LexiconWords) -> tuple[UInt64Array, Int32Array]:
    """Return the commonest script of a form with a tag, and with its class where that has another."""
    plain, usual = _majority(word_tag_keys(words.forms, words.tags), words.scripts)
    exact_keys = word_class_keys(words.forms, words.tags, words.classes)
    exact, chosen = _majority(exact_keys, words.scripts)
    of_plain = dict(zip(plain.tolist(), usual.tolist(), strict=True))
    first = np.unique(exact_keys, return_index=True)[1]
    parents = word_tag_keys(words.forms[first], words.tags[first]).tolist()
    other = np.array([of_plain[parent] != script for parent, script in zip(parents, chosen.tolist(), strict=True)])
    keys = np.concatenate([plain, exact[other]])
    return look_up_table(keys, np.concatenate([usual, chosen[other]]).astype(np.int32))


def _majority(keys: UInt64Array, values: Int32Array) -> tuple[UInt64Array, Int32Array]:
    """Return the commonest value of each key, the lowest of equals; keys ascend."""
    order = np.lexsort((values, keys))
    keys, values = keys[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]) | (values[1:] != values[:-1])]))
    counts = np.diff(np.append(starts, len(keys)))
    keys, values = keys[starts], values[starts]
    best = np.lexsort((values, -counts, keys))
    keys, values = keys[best], values[best]
    first = np.concatenate([[True], keys[1:] != keys[:-1]])
    return keys[first], values[first]


def _groups(owners: npt.NDArray[np.int64] | Int32Array, numbers: Int32Array) -> list[tuple[int, Numbers]]:
    """Return the distinct numbers of each owner, both ascending."""
    if not len(owners):
        return []
    pairs = np.unique(owners.astype(np.int64) << 32 | numbers)
    owner, number = pairs >> 32, pairs & 0xFFFFFFFF
    starts = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    ends = [*starts[1:].tolist(), len(pairs)]
    listed = number.tolist()
    return [
        (int(owner[start]), tuple(listed[start:end])) for start, end in zip(starts.tolist(), ends, strict=True)
    ]
