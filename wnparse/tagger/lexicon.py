"""The lexicon of a tagger: which tags, classes and lemma scripts words were seen with, as tables of the core.

Frequent words keep to what they were seen with; others may have any tag of an open class, too. Words that were
seen once or twice are left out, as if they were unknown: the tagger learns from them what to do with such words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse._core.tagger import look_up_table
from wnparse._core.tagger_learner import MOST_OPEN, word_class_keys, word_tag_keys
from wnparse.storage.tensors import Arrays
from wnparse.tagger.bundles import Bundles, pack

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Limits:
    """How often a word must have been seen; chosen on development sets: docs/tagger.md."""

    seen: int = 3  # to be in the lexicon
    frequent: int = 50  # to keep to the tags that it was seen with
    frequent_class: int = 50  # with a tag, to keep to its classes
    open_share: float = 0.002  # of the words that were seen once, for a tag to be of an open class


@dataclass(frozen=True)
class Words:
    """The words that a lexicon is made of."""

    forms: UInt64Array
    lower: UInt64Array
    lemmas: UInt64Array  # lower-cased
    tags: Int32Array
    classes: Int32Array
    scripts: Int32Array


def make_lexicon(words: Words, tag_count: int, bundles: Bundles, limits: Limits) -> Arrays:
    """The tables of a lexicon: see tagger/lexicon.hpp."""
    tables = _tag_tables(words, tag_count, limits) | _class_tables(words, tag_count, limits)
    tables["known_lemmas/keys"], tables["known_lemmas/scripts"] = _script_table(words)
    tables["tag_values/begin"], tables["tag_values/values"] = bundles.value_lists(
        words.tags, words.classes, tag_count
    )
    return tables


def _tag_tables(words: Words, tag_count: int, limits: Limits) -> Arrays:
    """Tags of words, those that they may have and those that they were seen with; both are numbers of lists."""
    keys, word = np.unique(words.lower | np.uint64(1), return_inverse=True)
    counts = np.bincount(word, minlength=len(keys))
    once = words.tags[counts[word] == 1]
    shares = np.bincount(once, minlength=tag_count)
    open_tags = tuple(np.flatnonzero(shares > limits.open_share * max(len(once), 1)).tolist())
    everything = tuple(range(tag_count))
    # Of thousands of tags, none may be frequent: unknown words get the most frequent ones.
    commonest = tuple(sorted(np.argsort(-shares, kind="stable")[:MOST_OPEN].tolist()))
    numbered = [everything, open_tags or commonest]
    lists = {everything: 0, numbered[1]: 1}
    chosen, seen = np.full(len(keys), -1, np.int32), np.full(len(keys), -1, np.int32)
    for number, tags in _groups(word, words.tags):
        if counts[number] < limits.seen:
            continue
        may = tags if counts[number] >= limits.frequent else tuple(sorted({*tags, *open_tags}))
        for wanted, target in ((may, chosen), (tags, seen)):
            if wanted not in lists:
                lists[wanted] = len(numbered)
                numbered.append(wanted)
            target[number] = lists[wanted]
    stems, stem = np.unique(words.lemmas | np.uint64(1), return_inverse=True)
    stem_counts = np.bincount(stem, minlength=len(stems))
    stem_lists = np.full(len(stems), -1, np.int32)
    for number, tags in _groups(stem, words.tags):
        if stem_counts[number] < limits.seen:
            continue
        if tags not in lists:
            lists[tags] = len(numbered)
            numbered.append(tags)
        stem_lists[number] = lists[tags]
    kept = seen >= 0
    found: Arrays = {}
    found["words/keys"], found["words/tag_lists"] = look_up_table(keys[kept], chosen[kept])
    found["words/seen_tag_lists"] = look_up_table(keys[kept], seen[kept])[1]  # the same keys, in the same places
    kept = stem_lists >= 0
    found["stems/keys"], found["stems/tag_lists"] = look_up_table(stems[kept], stem_lists[kept])
    found["tag_lists/begin"], found["tag_lists/tags"] = pack(numbered)
    return found


def _class_tables(words: Words, tag_count: int, limits: Limits) -> Arrays:
    """Classes of tags, none of those that were not seen, of any tag, and of frequent words with a tag."""
    lists: list[tuple[int, ...]] = [()] * tag_count
    for tag, classes in _groups(words.tags, words.classes):
        lists[tag] = classes
    everything = tuple(np.unique(words.classes).tolist())
    lists.append(everything)
    keys, pair = np.unique(word_tag_keys(words.lower, words.tags), return_inverse=True)
    counts = np.bincount(pair, minlength=len(keys))
    frequent = counts >= limits.frequent_class
    numbers = np.full(len(keys), -1, np.int32)
    known: dict[tuple[int, ...], int] = {}
    kept = frequent[pair]
    for number, classes in _groups(pair[kept], words.classes[kept]):
        if classes not in known:
            known[classes] = len(lists)
            lists.append(classes)
        numbers[number] = known[classes]
    found: Arrays = {}
    found["word_classes/keys"], found["word_classes/class_lists"] = look_up_table(
        keys[frequent], numbers[frequent]
    )
    found["class_lists/begin"], found["class_lists/classes"] = pack(lists)
    return found


def _script_table(words: Words) -> tuple[UInt64Array, Int32Array]:
    """The commonest script of a form with a tag, and with its class where that has another."""
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
    """The commonest value of each key, the lowest of equals; keys ascend."""
    order = np.lexsort((values, keys))
    keys, values = keys[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]) | (values[1:] != values[:-1])]))
    counts = np.diff(np.append(starts, len(keys)))
    keys, values = keys[starts], values[starts]
    best = np.lexsort((values, -counts, keys))
    keys, values = keys[best], values[best]
    first = np.concatenate([[True], keys[1:] != keys[:-1]])
    return keys[first], values[first]


def _groups(owners: npt.NDArray[np.int64] | Int32Array, numbers: Int32Array) -> list[tuple[int, tuple[int, ...]]]:
    """The distinct numbers of each owner, both ascending."""
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
