"""Scripts that make the words of a multiword token from its form: *dámelo* becomes *da*, *me*, *lo*.

One of the words is made from the form: what stands at its front and back is removed, and something else is added.
The others are constants. A script that removes the whole form is only for that form. Scripts are made for forms in
lower case; the letters that stay have the case of the form, and `Casing` says how other words are written.
"""

from __future__ import annotations

import functools
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from wnparse.storage.strict_json import flag, table

ACUTE = "\u0301"
SEPARATOR = "\t"
LONGEST_SCRIPT = 1000


class SplitScript(NamedTuple):
    """How words are made from a form."""

    front: str  # what is removed
    back: str
    place: int  # of the word that is made from the form
    is_plain: bool  # whether acute accents of what stays are removed
    front_added: str
    back_added: str
    others: tuple[str, ...]  # the other words

    def text(self) -> str:
        """Return the script as a model file has it."""
        return SEPARATOR.join([*self[:2], str(self.place), "'" if self.is_plain else "", *self[4:6], *self.others])

    @property
    def is_whole(self) -> bool:
        """Whether it removes the whole form."""
        return self.place < 0

    def apply(self, form: str, casing: Casing) -> tuple[str, ...]:
        """Return the words of a form."""
        is_upper = casing.upper and len(form) > 1 and form.upper() == form != form.lower()

        def recase(text: str) -> str:
            return text.upper() if is_upper else text

        words = [recase(word) for word in self.others]
        if not self.is_whole:
            stays = form[len(self.front) : len(form) - len(self.back)]
            made = recase(self.front_added) + (_plain(stays) if self.is_plain else stays) + recase(self.back_added)
            words.insert(self.place, made)
        if (
            casing.title
            and words
            and form[:1] != form[:1].lower()
            and (self.place != 0 or self.front or self.front_added)
        ):
            words[0] = words[0][:1].upper() + words[0][1:]
        return tuple(word for word in words if word) or (form,)


@dataclass(frozen=True)
class Casing:
    """How words of multiword tokens are written that the form does not have."""

    title: bool = False  # whether the first word of a capitalised form is capitalised
    upper: bool = False  # whether the words of a form in capitals are in capitals

    @staticmethod
    def read(value: Any) -> Casing:
        """Read the entry of a header."""
        return Casing(**table(title=flag, upper=flag)(value))


def lower_case(text: str) -> str:
    """Return a text in lower case, character by character."""
    return "".join(character.lower()[0] for character in text)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).replace(ACUTE, ""))


def parse_script(text: str) -> SplitScript:
    """Read a script of a model file; ValueError if it is none."""
    front, back, place, plain, front_added, back_added, *others = [*text.split(SEPARATOR), *[""] * 6]
    words = others[: len(others) - 6]
    is_place = place == "-1" or (place.isascii() and place.isdigit() and int(place) <= len(words))
    is_safe = len(text) <= LONGEST_SCRIPT and not set(text) & set("\n\r\0")
    if not (is_place and is_safe and plain in ("", "'") and words and all(words)):
        raise ValueError(f"{text[:40]!r} is not a script of a multiword token")
    return SplitScript(front, back, int(place), bool(plain), front_added, back_added, tuple(words))


def make_script(form: str, words: tuple[str, ...], place: int) -> SplitScript:
    """Return the script that makes words from a form: the one at `place`, or from the end, has its letters."""
    form, lowered = lower_case(form), [lower_case(word) for word in words]
    place %= len(words)
    word = lowered[place]
    begin, at, size = _common_part(form, word)
    plain_begin, plain_at, plain_size = _common_part(_plain(form), word)
    is_plain = plain_size > size and len(_plain(form)) == len(form)
    if is_plain:
        begin, at, size = plain_begin, plain_at, plain_size
    if not size:
        return SplitScript(form, "", -1, False, "", "", tuple(lowered))
    others = tuple(lowered[:place] + lowered[place + 1 :])
    front, back = form[:begin], form[begin + size :]
    return SplitScript(front, back, place, is_plain, word[:at], word[at + size :], others)


@functools.lru_cache(maxsize=4096)
def _common_part(form: str, word: str) -> tuple[int, int, int]:
    """Return where the longest common part begins in form and word, and its length; the first of several."""
    for size in range(min(len(form), len(word)), 0, -1):
        for at in range(len(word) - size + 1):
            begin = form.find(word[at : at + size])
            if begin >= 0:
                return begin, at, size
    return 0, 0, 0


def choose_place(splits: Iterable[tuple[str, tuple[str, ...]]]) -> int:
    """Return whether the first (0) or the last word (-1) is made from the form: which needs fewer scripts."""
    pairs = set(splits)
    counts = {place: len({make_script(form, words, place) for form, words in pairs}) for place in (0, -1)}
    return min((0, -1), key=lambda place: (counts[place], -place))


def learn_casing(splits: Iterable[tuple[str, tuple[str, ...]]]) -> Casing:
    """Return how a treebank writes the words of capitalised forms, and of forms in capitals."""
    counts: Counter[tuple[str, bool]] = Counter()
    for form, words in splits:
        if len(form) > 1 and form.upper() == form != form.lower():
            counts["upper", all(word == word.upper() for word in words)] += 1
        elif form[:1] != form[:1].lower():
            counts["title", words[0][:1] != words[0][:1].lower()] += 1
    return Casing(**{name: counts[name, True] > counts[name, False] for name in ("title", "upper")})
