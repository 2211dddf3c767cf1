"""A slow reference of the feature keys and scores: templates read as words, one arc and one feature at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from wnparse.treebanks.sentence import Sentence

MASK = (1 << 64) - 1
ODD = 0x9E3779B97F4A7C15
ATOMS = "WLPQSTXZM"
COLUMN = {"L": "lemma", "P": "upos", "Q": "xpos", "M": "feats"}
RIGHT, LEFT = 0x6C62272E07BB0142, 0xAF63BD4C8601B7DF
COORDINATION = {"CCONJ", "CC", "cc", "Conj", "conj", "KON", "vg", "coord"}


def mix(x: int) -> int:
    x &= MASK
    for _ in range(2):
        x ^= x >> 32
        x = x * 0xD6E8FEB86659FD93 & MASK
    return x ^ x >> 32


def hash_text(text: str, seed: int) -> int:
    data = text.encode()
    value = mix(seed * ODD + len(data))
    while len(data) > 8:
        value = mix(value ^ int.from_bytes(data[:8], "little")) + ODD & MASK
        data = data[8:]
    return mix(value ^ int.from_bytes(data, "little"))


def shape(form: str) -> str:
    kinds = [
        "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else "-" if ord(c) > 127 else c
        for c in form
    ]
    return "".join(kind for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] != kind)


@lru_cache(maxsize=1000)
def columns(sentence: Sentence) -> dict[str, list[str]]:
    return {name: sentence.column(name) for name in ("form", "lemma", "upos", "xpos", "feats")}


@lru_cache(maxsize=100_000)
def atom(sentence: Sentence, token: int, letter: str) -> int:
    seed = ATOMS.index(letter)
    if token == 0:
        return hash_text("", 1000 + seed)
    form = columns(sentence)["form"][token - 1]
    low = form.lower()
    texts = {"W": low, "S": low[-3:], "T": low[-2:], "X": low[:3], "Z": shape(form)}
    text = texts[letter] if letter in texts else columns(sentence)[COLUMN[letter]][token - 1]
    return hash_text(text, seed)


@lru_cache(maxsize=10_000)
def morphs(sentence: Sentence, token: int) -> list[tuple[int, str]]:
    if token == 0:
        return [(hash_text("", 1009), "")]
    feats = columns(sentence)["feats"][token - 1]
    return [] if feats == "_" else [(hash_text(value, 9), value.split("=")[0]) for value in feats.split("|")]


@lru_cache(maxsize=100_000)
def side_hash(sentence: Sentence, token: int, words: tuple[str, ...], seed: int) -> int:
    key = mix(seed)
    for word in words:
        letter, offset = word[1], int(word[2:] or 0)
        place = ATOMS.index(letter) * 16 + offset + 8
        at = token + offset
        if offset and token == 0:
            value = place * ODD
        elif offset and at < 1:
            value = (place + 256) * ODD
        elif at > len(sentence):
            value = (place + 512) * ODD
        else:
            value = atom(sentence, at, letter) + place
        key = mix(key ^ value & MASK)
    return key


def distance_bin(d: int) -> int:
    return next(i for i, last in enumerate((1, 2, 3, 4, 6, 10, 15, 20, 30, 10**9)) if d <= last)


def word_class(form: str, tag: str) -> int:
    if not any(c.isalnum() for c in form):
        return 0
    return 1 if tag in COORDINATION else 2 if tag in ("AUX", "ww") or tag[:1] in ("V", "v") else -1


def keys(sentence: Sentence, number: int, template: str, h: int, m: int) -> Iterator[int]:
    """The keys of all features that a template makes of the arc h -> m."""
    words = template.split()
    sides = {side: tuple(w for w in words if re.match(rf"{side}[WLPQSTXZM]", w)) for side in "hm"}
    base = side_hash(sentence, h, sides["h"], 1) + side_hash(sentence, m, sides["m"], 2)
    base += mix(number + 12345) + (RIGHT if h < m else LEFT)
    if "d" in words:
        base += mix(distance_bin(abs(h - m)) + 77) | 1
    between = range(min(h, m) + 1, max(h, m))
    if "b" in words:
        for b in between:
            yield base + mix(atom(sentence, b, "P") + 3) & MASK
    elif "c" in words:
        forms, tags = columns(sentence)["form"], columns(sentence)["upos"]
        classes = [word_class(forms[b - 1], tags[b - 1]) for b in between]
        for kind in range(3):
            yield base + mix(kind * 100 + min(classes.count(kind), 6) + 5000) & MASK
    else:
        heads = morphs(sentence, h) if "hF" in words else [(None, None)]
        modifiers = morphs(sentence, m) if "mF" in words else [(None, None)]
        for value, name in heads:
            for other, other_name in modifiers:
                if "agree" in words and name != other_name:
                    continue
                key = base + (mix(value + 11) if value is not None else 0)
                yield key + (mix(other + 13) if other is not None else 0) & MASK
