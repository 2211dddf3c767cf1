"""Words of two analyses of the same text, aligned by its characters, whatever their tokens and sentences are.

As in the CoNLL 2018 shared task (Zeman et al. 2018, *CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to
Universal Dependencies*, section 5): two words are the same if they have the same characters of the text. The words
of a multiword token have no characters of their own. Where multiword tokens of either side overlap with tokens of
the other, the words of both sides are aligned by the longest common subsequence of their forms, in lower case.
O(words), and O(n m) for n and m words of overlapping tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wnparse.treebanks.parallel import surface_tokens
from wnparse.treebanks.sentence import Sentence

Span = tuple[int, int]  # the first character, and the one after the last


class Word(NamedTuple):
    """A word with the characters of its token."""

    begin: int
    end: int
    form: str  # as it is compared with words of multiword tokens
    in_multiword: bool


class Text(NamedTuple):
    """Sentences, tokens and words as places in a text without spaces."""

    sentences: list[Span]
    tokens: list[Span]
    words: list[Word]


def locate(sentences: Sequence[Sentence]) -> Text:
    """Find the places of the sentences, tokens and words of a text."""
    text, at = Text([], [], []), 0
    for sentence in sentences:
        begin, forms = at, sentence.column("form")
        for first, last, form, is_multiword in surface_tokens(sentence):
            end = at + len(form)
            text.tokens.append((at, end))
            names = forms[first - 1 : last] if is_multiword else [form]
            text.words.extend(Word(at, end, name.lower(), is_multiword) for name in names)
            at = end
        text.sentences.append((begin, at))
    return text


def align_words(gold: Sequence[Word], system: Sequence[Word]) -> list[int]:
    """Return, for each word of the system, the index of the same word in gold; -1 if there is none."""
    aligned = [-1] * len(system)
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].in_multiword or system[s].in_multiword:
            gold_begin, system_begin, g, s = _find_overlap(gold, system, g, s)
            for i, j in _longest_common_subsequence(gold[gold_begin:g], system[system_begin:s]):
                aligned[system_begin + j] = gold_begin + i
        elif gold[g][:2] == system[s][:2]:
            aligned[s] = g
            g, s = g + 1, s + 1
        elif gold[g].begin <= system[s].begin:
            g += 1
        else:
            s += 1
    return aligned


def _find_overlap(gold: Sequence[Word], system: Sequence[Word], g: int, s: int) -> tuple[int, int, int, int]:
    """Return where the words of overlapping tokens begin in gold and in the system, and where they end.

    Word g of gold or word s of the system is one of a multiword token.
    """
    if gold[g].in_multiword:
        end = gold[g].end
        s += not system[s].in_multiword and system[s].begin < gold[g].begin
    else:
        end = system[s].end
        g += gold[g].begin < system[s].begin
    gold_begin, system_begin = g, s

    def is_beyond(words: Sequence[Word], i: int) -> bool:
        if i >= len(words):
            return True
        return words[i].begin >= end if words[i].in_multiword else words[i].end > end

    while not (is_beyond(gold, g) and is_beyond(system, s)):
        if g < len(gold) and (s >= len(system) or gold[g].begin <= system[s].begin):
            word, g = gold[g], g + 1
        else:
            word, s = system[s], s + 1
        if word.in_multiword:
            end = max(end, word.end)
    return gold_begin, system_begin, g, s


def _longest_common_subsequence(gold: Sequence[Word], system: Sequence[Word]) -> list[tuple[int, int]]:
    """Return pairs of words with the same form; of several longest subsequences, the first."""
    # lengths[i, j] = the length for gold[i:] and system[j:]
    lengths = np.zeros((len(gold) + 1, len(system) + 1), np.int32)
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(system))):
            is_same = gold[i].form == system[j].form
            lengths[i, j] = max(lengths[i + 1, j + 1] + is_same, lengths[i + 1, j], lengths[i, j + 1])
    pairs, i, j = [], 0, 0
    while i < len(gold) and j < len(system):
        if gold[i].form == system[j].form:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i, j] == lengths[i + 1, j]:
            i += 1
        else:
            j += 1
    return pairs


def count_same(gold: Sequence[Span], system: Sequence[Span]) -> int:
    """Count the sentences or tokens that have the same characters on both sides.

    Spans of a side follow each other; one without characters, whose form is white space, matches nothing.
    """
    return len({span for span in gold if span[0] < span[1]} & set(system))
