"""Parts of messages: file names, nouns and values as text for people."""

from __future__ import annotations

import unicodedata

# Controls, line separators, characters that change the direction of text, and replacements of undecodable bytes.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Joiners that words of some scripts are spelled with.
_SPELLING = frozenset("\u200c\u200d")
# Marks, embeddings, overrides and isolates, which would reorder the rest of the line.
_DIRECTION_CONTROLS = frozenset({0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)})
_SOFT_HYPHEN = 0xAD


def readable(name: str) -> str:
    r"""Return the name of a file as UTF-8 text, whatever the locale; bytes that are not UTF-8 become ``\xe9``."""
    if name.isprintable():
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # surrogates that do not stand for bytes
        return name.encode("utf-8", "backslashreplace").decode()


def printable(text: str) -> str:
    r"""Return a text in one line without control characters, which become ``\x1b``, ``\n`` and so on."""
    if text.isprintable():
        return text
    text = readable(text)
    return "".join(_escape(character) for character in text)


def _escape(character: str) -> str:
    if character in _SPELLING or unicodedata.category(character) not in _UNPRINTABLE:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode()


def visible(text: str) -> str:
    """Replace each character that would move the cursor or reorder the line by one that is visible, or nothing."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    code, category = ord(character), unicodedata.category(character)
    if code in _DIRECTION_CONTROLS:
        return ""
    if code == _SOFT_HYPHEN:
        return "-"
    if category == "Cc":
        return chr(0x2400 + code) if code < 0x20 else "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\ufffd"
    return "\N{SYMBOL FOR NEWLINE}" if category in ("Zl", "Zp") else character


def plural(count: int, noun: str) -> str:
    """Return a noun in the number that a count needs: ``sentence`` for 1, otherwise ``sentences``."""
    return noun if count == 1 else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """Return a count and its noun: ``1 sentence``, ``2,000 sentences``."""
    return f"{count:,} {plural(count, noun)}"


def shown(value: object) -> str:
    """Return a value as messages name it, shortened."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 128:  # Python refuses to show some thousands of digits
        return "a huge number"
    return shorten(repr(value) if isinstance(value, str) else str(value), 40)


def shorten(text: str, most: int) -> str:
    """Cut a text to at most so many characters, of which the last are ``...``."""
    return text if len(text) <= most else text[: most - 3] + "..."
