"""Annotations of parses in CoNLL-U: a confidence in MISC, rank and score as comments.

MISC is a list of ``Name=Value`` between bars, and comments are ``# name = value``
(https://universaldependencies.org/format.html). All trees of a sentence stay readable one by one: sent_id is
unique, and the comments that begin a document or paragraph are before the first tree only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wnparse.treebanks.writing import closing_of

CONFIDENCE = "HeadProb"


def with_confidence(misc: str, probability: float, name: str = CONFIDENCE) -> str:
    """Return MISC with a confidence, by default that of the head; it replaces an older one."""
    return with_item(misc, name, f"{probability:.2f}")


def with_item(misc: str, name: str, value: str) -> str:
    """Return MISC with an item, which replaces an older one of that name.

    The item is inserted before the first one that follows it in the alphabet, so that a sorted column stays
    sorted. The other items keep their order.
    """
    if misc == "_":
        return f"{name}={value}"
    items = [item for item in misc.split("|") if item.partition("=")[0] != name]
    place = next((i for i, item in enumerate(items) if item.lower() > name.lower()), len(items))
    items.insert(place, f"{name}={value}")
    return "|".join(items)


def with_comments(
    text: bytes, added: Sequence[bytes], keep: Callable[[list[bytes]], Iterable[bytes]] = lambda lines: lines
) -> bytes:
    """Return a sentence with comments before its first word, and an empty line; `keep` filters its old ones."""
    lines = text.split(b"\n")
    first = next(i for i, line in enumerate(lines) if line[:1].isdigit())
    ending = b"\r" if lines[first].endswith(b"\r") else b""
    marked = b"\n".join([*keep(lines[:first]), *(comment + ending for comment in added), *lines[first:]])
    return marked + closing_of(marked)
