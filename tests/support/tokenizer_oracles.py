"""A slow reference of a tokenizer: features as lists of keys, scores as sums over buckets, place by place."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise

from support.feature_oracles import MASK, ODD, mix
from wnparse.tokenizer.split_scripts import parse_script
from wnparse.tokenizer.tokenizer import Token, Tokenizer

FACTOR = 0xD6E8FEB86659FD93
SPACE, UPPER, LOWER, LETTER, UNSPACED, DIGIT, MARK, STOP, FINAL, COMMA, APOSTROPHE, QUOTE = range(1, 13)
OPEN, CLOSE, DASH, PUNCTUATION, SYMBOL, OTHER = range(13, 19)
CATEGORY = {
    "Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lm": LETTER, "Lo": LETTER, "Ps": OPEN, "Pe": CLOSE, "Pi": QUOTE,
    "Pf": QUOTE, "Pd": DASH, "Pc": PUNCTUATION, "Po": PUNCTUATION, "Nd": DIGIT, "Nl": DIGIT, "No": DIGIT,
    "Zs": SPACE, "Zl": SPACE, "Zp": SPACE,
}  # fmt: skip
UNSPACED_NAMES = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "THAI",
    "LAO",
    "TIBETAN",
    "MYANMAR",
    "KHMER",
)


def kind_of(character: str) -> int:
    """The kind of a character."""
    if character.isspace():
        return SPACE
    for characters, kind in (
        (".", STOP),
        ("!?…。！？｡؟۔।॥‼⁇⁈⁉", FINAL),
        (",;:、，；：،؛", COMMA),
        ("'’ʼ", APOSTROPHE),
        ('"„‚', QUOTE),
    ):
        if character in characters:
            return kind
    category = unicodedata.category(character)
    kind = CATEGORY.get(category, {"M": MARK, "S": SYMBOL}.get(category[0], OTHER))
    is_unspaced = unicodedata.name(character, "").startswith(UNSPACED_NAMES)
    return UNSPACED if kind == LETTER and is_unspaced else kind


def extend(value: int, added: int) -> int:
    value = (value + added + 1) * FACTOR & MASK
    return value ^ value >> 32


def hash_numbers(numbers: list[int]) -> int:
    value = 0
    for number in numbers:
        value = extend(value, number)
    return value


def hash_runs(numbers: list[int]) -> int:
    return hash_numbers([number for number, _ in groupby(numbers)])


def bucket(distance: int) -> int:
    if distance <= 6:
        return distance
    return next((7 + i for i, most in enumerate((9, 14, 20, 30, 50)) if distance <= most), 12)


@dataclass
class Fact:
    """A token."""

    begin: int = 0
    end: int = 0
    lower: int = 0
    shape: int = 0
    token_class: int = 0
    status: int = 0
    space: bool = False


class TokenizerOracle:
    """Splits as a tokenizer does."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        arrays = tokenizer.arrays
        self.slots = {name: arrays[f"{name}/slots"].tolist() for name in ("breaks", "sentences", "multiwords")}
        self.tables = {
            name: dict(zip(arrays[f"{name}/keys"].tolist(), arrays[f"{name}/{numbers}"].tolist(), strict=True))
            for name, numbers in (
                ("words", "status"),
                ("script_words", "script_lists"),
                ("affixes", "script_lists"),
            )
        }
        begin, numbers = arrays["script_lists/begin"].tolist(), arrays["script_lists/scripts"].tolist()
        self.lists = [numbers[first:last] for first, last in pairwise(begin)]
        self.break_pairs, self.sentence_pairs = arrays["break_pairs"].tolist(), arrays["sentence_pairs"].tolist()
        lengths = arrays["affix_lengths"].tolist()
        self.lengths = list(zip(lengths[::2], lengths[1::2], strict=True))
        self.affixes = [(0, 0), *((len(s.front), len(s.back)) for s in map(parse_script, tokenizer.scripts))]

    def weight(self, name: str, key: int) -> int:
        slots = self.slots[name]
        bits = (len(slots) // 4).bit_length() - 1
        first = (key >> (64 - bits)) * 4
        found = [slot for slot in slots[first : first + 4] if slot & 0xFFFF == key & 0xFFFF]
        return sum(((slot >> 16) ^ 0x8000) - 0x8000 for slot in found)

    def score(self, name: str, keys: list[int]) -> int:
        return sum(self.weight(name, key) for key in keys)

    def status(self, value: int, missing: int) -> int:
        return self.tables["words"].get(mix(value) | 1, missing)

    def split(self, text: str, *, one_sentence: bool = False) -> list[list[Token]]:
        """The sentences of a text."""
        self.text = text
        self.low = [ord(character.lower()[0]) for character in text]
        self.kinds = [kind_of(character) for character in text]
        facts = [self.fact(begin, end) for begin, end in self.tokens()]
        ends = [len(facts) - 1] if one_sentence else self.sentence_ends(facts)
        words = [self.words(facts, k) for k in range(len(facts))]
        sentences, first = [], 0
        for end in ends if facts else []:
            sentences.append([Token(facts[k].begin, facts[k].end, words[k]) for k in range(first, end + 1)])
            first = end + 1
        return sentences

    def tokens(self) -> list[tuple[int, int]]:
        found, i = [], 0
        while i < len(self.text):
            if self.kinds[i] == SPACE:
                i += 1
                continue
            last = i
            while last < len(self.text) and self.kinds[last] != SPACE:
                last += 1
            token = first = i
            for place in range(first + 1, last):
                left, right = self.kinds[place - 1 : place + 1]
                if not self.break_pairs[left] >> right & 1:
                    continue
                if self.score("breaks", self.break_keys(first, last, token, place)) > 0:
                    found.append((token, place))
                    token = place
            found.append((token, last))
            i = last
        return found

    def break_keys(self, first: int, last: int, token: int, i: int) -> list[int]:
        low, kinds = self.low, self.kinds

        def char(k: int) -> int:
            return low[k] if first <= k < last else 0

        def kind(k: int) -> int:
            return kinds[k] if first <= k < last else 0

        after_space = next((kinds[k] for k in range(last, len(low)) if kinds[k] != SPACE), 0)
        stretch = "".join(map(chr, low[first:last]))
        marks = ("@" in stretch) + 2 * ("//" in stretch or "www." in stretch) + 4 * (DIGIT in kinds[first:last])
        before, at = char(i - 1), char(i)
        pair = kind(i - 1) << 5 | kind(i)
        pairs = kind(i - 2) << 15 | pair << 5 | kind(i + 1)
        window = kind(i - 3) << 25 | pairs << 5 | kind(i + 2)
        characters = before << 21 | at
        rest, length = last - i, i - token
        rest_hash = hash_numbers(low[i : min(last, i + 16)])
        run_end = i + 1
        while run_end < min(last, i + 16) and UPPER <= kinds[run_end] <= MARK:
            run_end += 1
        next_run = hash_numbers(low[i:run_end])
        rest_shape = hash_runs(kinds[i : min(last, i + 8)])
        final = 1 + after_space if rest == 1 else 0
        so_far, shape = hash_numbers(low[token:i]), hash_runs(kinds[token:i])
        run_begin = i
        while run_begin > token and UPPER <= kinds[run_begin - 1] <= MARK:
            run_begin -= 1
        run = hash_numbers(low[run_begin:i])
        known = self.status(so_far, -1) + 1
        left = right = 0
        while left < 3 and i - 1 - left > token and low[i - 2 - left] == low[i - 1]:
            left += 1
        while right < 3 and i + 1 + right < last and low[i + 1 + right] == low[i]:
            right += 1
        repeats = (left << 2 | right) << 1 | (low[i] == low[i - 1])
        values = [
            0, before, at, characters, char(i - 2) << 21 | before, at << 21 | char(i + 1),
            char(i - 2) << 42 | characters, (characters << 21 | char(i + 1)) + 1,
            extend(characters, char(i - 2) << 21 | char(i + 1)), window, pairs, pair,
            before << 15 | kind(i) << 10 | kind(i + 1) << 5 | kind(i + 2),
            at << 15 | kind(i - 3) << 10 | kind(i - 2) << 5 | kind(i - 1),
            extend(so_far, at), extend(so_far, rest_hash), extend(rest_hash, kind(i - 1)),
            extend(shape, at << 5 | kind(i + 1)), extend(shape, rest_shape), min(length, 5) << 20 | pairs,
            (at << 5 | final) << 3 | min(rest, 4), extend(so_far, final << 5 | kind(i)),
            marks << 42 | characters, known << 42 | characters, repeats << 21 | at, extend(next_run, kind(i - 1)),
            extend(run, at << 5 | kind(i + 1)), known << 32 | final << 10 | pair,
            extend(shape, final << 5 | kind(i)),
        ]  # fmt: skip
        return [mix(value + number * ODD) for number, value in enumerate(values, 1)]

    def fact(self, begin: int, end: int) -> Fact:
        kinds = self.kinds[begin:end]
        fact = Fact(begin, end, hash_numbers(self.low[begin:end]), mix(hash_runs(kinds)) & 0xFFFFFFFF)
        first = kinds[0]
        if end - begin > 1 and UPPER <= first <= MARK and kinds[-1] == STOP:
            fact.token_class = 7
        elif first == STOP and end - begin > 1:
            fact.token_class = FINAL
        elif first > MARK:
            fact.token_class = first
        elif first == UPPER:
            fact.token_class = 3 if LOWER not in kinds and end - begin > 1 else 2
        else:
            fact.token_class = {LOWER: 1, DIGIT: 6, UNSPACED: 5}.get(first, 4)
        fact.status = max(self.status(fact.lower, 0), 0)
        fact.space = end == len(self.text) or self.kinds[end] == SPACE
        return fact

    def sentence_ends(self, facts: list[Fact]) -> list[int]:
        ends, first = [], 0
        for k, fact in enumerate(facts):
            if k + 1 < len(facts):
                row = self.sentence_pairs[32 * fact.space + fact.token_class]
                if not row >> facts[k + 1].token_class & 1:
                    continue
                if self.score("sentences", self.sentence_keys(facts, k, first)) <= 0:
                    continue
            ends.append(k)
            first = k + 1
        return ends

    def sentence_keys(self, facts: list[Fact], k: int, start: int) -> list[int]:
        def at(place: int) -> Fact:
            return facts[place] if 0 <= place < len(facts) else Fact()

        before2, before, token, following, following2, first = (
            at(place) for place in (k - 2, k - 1, k, k + 1, k + 2, start)
        )
        classes = token.token_class << 5 | following.token_class
        around = before.token_class << 15 | classes << 5 | following2.token_class
        space, distance, left = int(token.space), bucket(k + 1 - start), bucket(len(facts) - 1 - k)
        finals = [j - k for j in range(k + 1, len(facts)) if facts[j].token_class in (STOP, FINAL)]
        to_final, starts = bucket(min([40, *finals])), int(start == 0)
        next_status = following.status << 5 | following.token_class
        status = next_status << 5 | token.token_class
        brackets = quotes = lower_words = 0
        for fact in facts[start : k + 1]:
            brackets += fact.token_class == OPEN
            brackets -= fact.token_class == CLOSE and brackets > 0
            quotes ^= fact.token_class == QUOTE
            lower_words += fact.token_class == 1
        is_open, lower_words = min(brackets, 2) << 1 | quotes, min(lower_words, 3)

        def suffix(fact: Fact, size: int) -> int:
            return hash_numbers(self.low[max(fact.begin, fact.end - size) : fact.end])

        values = [
            space, token.lower, following.lower, extend(following.lower, following.token_class),
            extend(token.lower, following.lower), extend(before.lower, token.lower),
            extend(token.lower, following.shape), extend(token.shape, following.shape),
            extend(extend(token.lower, before.shape), following.shape), classes << 1 | space,
            classes << 5 | following2.token_class, around, before2.token_class << 20 | around, status,
            extend(token.lower, next_status), token.status << 10 | classes,
            (before.status << 10 | classes) << 4 | min(before.end - before.begin, 7),
            extend(following.lower, following2.lower), distance << 10 | classes,
            extend(token.lower, is_open << 5 | following.token_class), is_open << 14 | distance << 10 | classes,
            extend(token.shape, min(token.end - token.begin, 9) << 5 | following.token_class),
            extend(first.lower, classes), left << 10 | classes, extend(suffix(token, 3), following.token_class),
            extend(extend(before.lower, token.lower), following.token_class),
            (starts << 4 | distance) << 10 | classes, (lower_words << 4 | distance) << 10 | classes,
            (to_final << 4 | distance) << 10 | classes,
            (following2.status << 5 | following2.token_class) << 20 | status, to_final << 20 | status,
            (starts << 4 | left) << 14 | distance << 10 | classes, extend(following.lower, token.token_class),
            extend(following.lower, before.token_class << 5 | token.token_class),
            extend(extend(before.lower, next_status), token.lower),
            extend(extend(suffix(before, 3), token.lower), following.token_class),
            extend(suffix(before, 2), classes), (starts << 4 | distance) << 20 | status,
            extend(following.lower, starts << 5 | token.token_class),
            (starts << 5 | following2.token_class) << 20 | status,
            extend(hash_numbers(self.low[following.begin : min(following.end, following.begin + 3)]), classes),
            before.token_class << 20 | status, (lower_words << 1 | starts) << 20 | status,
            extend(following.lower, to_final << 5 | token.token_class),
        ]  # fmt: skip
        return [mix(value + (64 + number) * ODD) for number, value in enumerate(values, 1)]

    def candidates(self, token: Fact) -> tuple[list[int], bool]:
        number = self.tables["script_words"].get(mix(token.lower) | 1, -1)
        length = token.end - token.begin
        if number >= 0:
            scripts = [script for script in self.lists[number] if script and sum(self.affixes[script]) <= length]
            return scripts, 0 in self.lists[number] or not scripts
        found: list[int] = []
        if token.status == 0 and token.token_class <= 7:
            for front, back in self.lengths:
                if front + back >= length:
                    continue
                removed = [self.low[token.begin : token.begin + front], self.low[token.end - back : token.end]]
                key = mix(mix(hash_numbers(removed[0])) + hash_numbers(removed[1])) | 1
                number = self.tables["affixes"].get(key, -1)
                found += [script for script in self.lists[number] if script] if number >= 0 else []
        return found, True

    def words(self, facts: list[Fact], k: int) -> tuple[str, ...] | None:
        scripts, may_be_one = self.candidates(facts[k])
        scores = {script: self.score("multiwords", self.script_keys(facts, k, script)) for script in scripts}
        best, chosen = (0, 0) if may_be_one else (-(1 << 40), -1)
        for script in scripts:
            if scores[script] > best:
                best, chosen = scores[script], script
        if not chosen:
            return None
        form = self.text[facts[k].begin : facts[k].end]
        return parse_script(self.tokenizer.scripts[chosen - 1]).apply(form, self.tokenizer.casing)

    def script_keys(self, facts: list[Fact], k: int, script: int) -> list[int]:
        token = facts[k]
        before = facts[k - 1] if k else Fact()
        following = facts[k + 1] if k + 1 < len(facts) else Fact()
        front, back = self.affixes[script]
        first, last = token.begin + front, token.end - back
        rest = hash_numbers(self.low[first:last])
        known = self.status(rest, -1) + 1
        classes = before.token_class << 5 | following.token_class
        values = {1: 0, 2: token.lower, 3: rest, 4: known, 5: min(last - first, 6), 6: token.shape}
        for size in range(1, min(5, last - first) + 1):
            values[6 + size] = hash_numbers(self.low[last - size : last][::-1])
        values |= {
            12: before.lower, 13: following.lower, 14: classes, 15: extend(token.lower, before.lower),
            16: extend(token.lower, following.lower), 17: extend(token.lower, token.token_class),
            18: hash_numbers(self.low[token.begin : min(token.end, token.begin + 3)]),
            19: known << 32 | token.token_class << 5 | following.token_class, 20: extend(token.lower, classes),
        }  # fmt: skip
        base = script * FACTOR
        return [mix(mix(value + (128 + number) * ODD) + base) for number, value in values.items()]
