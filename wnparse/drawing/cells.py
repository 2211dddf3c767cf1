"""The number of terminal cells that a text takes, after `wnparse.wording.visible`.

Wide characters (UAX #11: W and F) take two cells, combining and invisible ones none; spacing marks take one, as
in the C library.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

ZERO_WIDTH_JOINER = "\u200d"
EMOJI_PRESENTATION = "\ufe0f"
LEFT_TO_RIGHT_MARK = "\u200e"
SKIN_TONES = range(0x1F3FB, 0x1F400)
# Vowels and final consonants that join the syllable before them.
CONJOINING_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
ELLIPSIS = "…"


@cache
def _character_width(character: str) -> int:
    code = ord(character)
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or any(code in jamo for jamo in CONJOINING_JAMO):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Split a text into what is in one or two cells, each with the number of cells."""
    cluster, width, joined = "", 0, False
    for character in text:
        own = 0 if joined or (ord(character) in SKIN_TONES and width == 2) else _character_width(character)
        if own and cluster:
            yield cluster, width
            cluster, width = "", 0
        cluster += character
        width = max(width, own, 2 if character == EMOJI_PRESENTATION and width else 0)
        joined = character == ZERO_WIDTH_JOINER
    if cluster:
        yield cluster, width


def cell_width(text: str) -> int:
    """Count the cells of a text."""
    return len(text) if text.isascii() else sum(width for _, width in clusters(text))


def crop(text: str, limit: int) -> str:
    """Shorten a text to a number of cells, the last of which is an ellipsis."""
    if cell_width(text) <= limit:
        return text
    cropped, used = "", 0
    for cluster, width in clusters(text):
        if used + width > limit - 1:
            break
        cropped += cluster
        used += width
    return cropped + ELLIPSIS if limit > 0 else ""


def is_right_to_left(text: str) -> bool:
    """Return whether the first strong character of a text is Arabic, Hebrew or the like (UAX #9, P2)."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False
