"""Learning a tokenizer: token ends, then sentence ends, then the words of multiword tokens.

Each stage is a separate averaged perceptron (cext/tokenizer/tokenizer_learner.hpp). Passages of
a few sentences are shuffled in each
epoch by a generator that depends on seed and epoch alone.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.tagger import look_up_table
from wnparse._core.tokenizer import PAIRS, STAGES, TokenizerLearner, affix_keys, form_keys
from wnparse.storage.quantise import quantise
from wnparse.storage.tensors import Arrays
from wnparse.tokenizer.split_scripts import SplitScript, choose_place, learn_casing, lower_case, make_script
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.tokenizer.treebank_text import (
    Paragraph,
    describes_text,
    join_paragraphs,
    read_sentence_text,
)
from wnparse.treebanks.sentence import Sentence

STRETCH = 256  # passages that are learned from before it may be stopped
LEAST_USE = 0.02  # share of the tokens of a form that a script must have
SEEN = 3  # times that a word must occur to be known
LONGEST_AFFIX, MOST_AFFIXES = 16, 256  # what scripts of unknown words may remove; kinds of lengths of it
LOWER, CAPITAL, UPPER = 1, 2, 3  # classes of tokens: cext/tokenizer/token_facts.hpp
WORD_KINDS = range(2, 8)  # letters, digits and marks: cext/tokenizer/characters.hpp
SPACE, UNSPACED, STOP, FINAL = 1, 5, 8, 9


@dataclass(frozen=True)
class TokenizerOptions:
    """How a tokenizer is learned; defaults were chosen on development sets: docs/lab/tokenizer.md."""

    epochs: int = 10
    seed: int = 1
    break_margin: float = 20.0
    sentence_margin: float = 40.0
    script_margin: float = 20.0
    passage: int = 1  # sentences in a row that are learned from together
    least: float = 0.05  # smaller weights are left out
    least_share: float = 0.0005  # of the places between two kinds or classes at which something must end


class TokenizerLessons:
    """A treebank as a tokenizer learns from it."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        texts = [read_sentence_text(sentence) for sentence in sentences]
        self.describes_text = describes_text(texts)
        self.paragraphs: list[Paragraph] = join_paragraphs(texts) if self.describes_text else []

    @property
    def token_count(self) -> int:
        """Number of tokens."""
        return sum(len(paragraph.begins) for paragraph in self.paragraphs)


class _Scripts:
    """The scripts of the multiword tokens of a treebank."""

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self.forms = [
            [paragraph.text[begin:end] for begin, end in zip(paragraph.begins, paragraph.ends, strict=True)]
            for paragraph in paragraphs
        ]
        splits = [
            (form, words)
            for forms, paragraph in zip(self.forms, paragraphs, strict=True)
            for form, words in zip(forms, paragraph.words, strict=True)
            if words is not None and len(words) > 1
        ]
        place = choose_place(splits)
        self.casing = learn_casing(splits)
        made = {split: make_script(*split, place) for split in dict.fromkeys(splits)}
        counts = Counter(made[split] for split in splits)
        self.scripts: list[SplitScript] = sorted(counts, key=lambda script: (-counts[script], script))
        numbers = {script: number for number, script in enumerate(self.scripts, 1)}
        self.of_token = [
            [numbers[made[form, words]] if words and len(words) > 1 else 0
             for form, words in zip(forms, paragraph.words, strict=True)]
            for forms, paragraph in zip(self.forms, paragraphs, strict=True)
        ]  # fmt: skip

    def tables(self, least_count: int) -> Arrays:
        """Return the lists of scripts of forms that occur so often, and of affixes."""
        seen: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for forms, numbers in zip(self.forms, self.of_token, strict=True):
            for form, number in zip(forms, numbers, strict=True):
                seen[lower_case(form)][number] += 1
        with_scripts = {form: counts for form, counts in seen.items() if set(counts) != {0}}
        forms_of: defaultdict[int, set[str]] = defaultdict(set)
        for form, counts in with_scripts.items():
            for number in counts:
                forms_of[number].add(form)
        lists: dict[tuple[int, ...], int] = {}

        def list_of(counts: Counter[int]) -> int:
            usual = sorted(number for number, count in counts.items() if count >= LEAST_USE * counts.total())
            return lists.setdefault(tuple(usual), len(lists))

        of_form = {form: list_of(counts) for form, counts in with_scripts.items() if counts.total() >= least_count}
        by_affix: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, script in enumerate(self.scripts, 1):
            if len(forms_of[number]) > 1 and not script.is_whole and max(map(len, script[:2])) <= LONGEST_AFFIX:
                by_affix[script[:2]].append(number)
        lengths = Counter((len(front), len(back)) for front, back in by_affix)
        usual = sorted(length for length, _ in lengths.most_common(MOST_AFFIXES))
        of_affix = {affix: lists.setdefault(tuple(numbers), len(lists)) for affix, numbers in by_affix.items()}
        begin = np.cumsum([0, *map(len, lists)]).astype(np.int32)
        return {
            **_look_up("script_words", "script_lists", form_keys(list(of_form)), list(of_form.values())),
            **_look_up("affixes", "script_lists", affix_keys(list(of_affix)), list(of_affix.values())),
            "script_lists/begin": begin,
            "script_lists/scripts": np.array([n for numbers in lists for n in numbers] or [0], np.int32),
            "affix_lengths": np.array(usual or [(0, 0)], np.int32).reshape(-1),
            "script_affixes": np.array(
                [0, 0] + [len(affix) for script in self.scripts for affix in script[:2]], np.int32
            ),
        }


def _look_up(name: str, numbers: str, keys: Any, values: Sequence[int]) -> Arrays:
    table = look_up_table(np.asarray(keys, np.uint64), np.array(values, np.int32))
    return {f"{name}/keys": table[0], f"{name}/{numbers}": table[1]}


def learn_tokenizer(
    lessons: TokenizerLessons, options: TokenizerOptions, *, stop: Callable[[], bool] = lambda: False
) -> Tokenizer | None:
    """Learn a tokenizer from a treebank that describes its text; None if it was stopped."""
    scripts = _Scripts(lessons.paragraphs)
    learner = TokenizerLearner(options.break_margin, options.sentence_margin, options.script_margin)
    for paragraph, numbers in zip(lessons.paragraphs, scripts.of_token, strict=True):
        begins, ends, number_array = (np.array(a, np.int32) for a in (paragraph.begins, paragraph.ends, numbers))
        learner.add(paragraph.text, begins, ends, number_array, np.array(paragraph.last, np.uint8))
    common = _known_words(*learner.token_facts()) | _possible_pairs(*learner.pair_counts(), options.least_share)
    # Of rare forms it learns how to split forms that it does not know.
    learner.use(common | scripts.tables(SEEN), len(scripts.scripts) + 1)
    passages = learner.cut(options.passage)
    for stage in STAGES:
        for epoch in range(options.epochs):
            order = list(range(passages))
            random.Random(f"{options.seed} {stage} {epoch}").shuffle(order)
            for start in range(0, len(order), STRETCH):
                if stop():
                    return None
                learner.learn(stage, np.array(order[start : start + STRETCH], np.int32))
    arrays = common | scripts.tables(1)
    for stage in STAGES:
        tables, _ = quantise(learner.averaged(stage), least=options.least)
        arrays |= {f"{stage}/{name}": array for name, array in tables.items()}
    return Tokenizer(
        arrays=arrays,
        scripts=[script.text() for script in scripts.scripts],
        casing=scripts.casing,
        info={"options": asdict(options), "tokens": lessons.token_count, "paragraphs": len(lessons.paragraphs)},
    )


def _known_words(
    keys: npt.NDArray[np.uint64], classes: npt.NDArray[np.uint8], first: npt.NDArray[np.uint8]
) -> Arrays:
    """Return the status of words that occur several times: how they are written, and where they stand."""
    unique, inverse = np.unique(keys, return_inverse=True)

    def count(chosen: Any) -> Any:
        return np.bincount(inverse[chosen], minlength=len(unique))

    total, initial = count(slice(None)), count(first == 1)
    lower = count((first == 0) & (classes == LOWER))
    capital = count((first == 0) & ((classes == CAPITAL) | (classes == UPPER)))
    share = lower / np.maximum(lower + capital, 1)
    written = np.where(lower + capital == 0, 0, np.where(share > 0.9, 1, np.where(share < 0.1, 2, 3)))
    begins = np.digitize(initial / total, [0.05, 0.3])
    known = total >= SEEN
    return _look_up("words", "status", unique[known], (1 + 3 * written + begins)[known])


def _possible_pairs(breaks: Any, ends: Any, least_share: float) -> Arrays:
    """Return where tokens and sentences may end: at pairs where they did, and some that never occurred."""
    kinds = np.arange(PAIRS)
    is_word = np.isin(kinds, WORD_KINDS)
    outside = (kinds <= SPACE)[:, None] | (kinds <= SPACE)
    unknown_break = ~(is_word[:, None] & is_word) | (kinds == UNSPACED)[:, None] | (kinds == UNSPACED)
    may_break = np.where(breaks[0] > 0, breaks[1] > least_share * breaks[0], unknown_break & ~outside)
    unknown_end = np.broadcast_to(np.isin(kinds, (STOP, FINAL))[:, None], (PAIRS, PAIRS))
    may_end = np.where(ends[0] > 0, ends[1] > least_share * ends[0], unknown_end)
    return {"break_pairs": _pack_bits(may_break), "sentence_pairs": _pack_bits(may_end.reshape(2 * PAIRS, PAIRS))}


def _pack_bits(rows: Any) -> npt.NDArray[np.uint32]:
    """Return each row of 32 flags as a number."""
    packed = (rows.astype(np.uint64) << np.arange(PAIRS, dtype=np.uint64)).sum(axis=1)
    return np.asarray(packed, np.uint32)
