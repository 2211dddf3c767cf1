"""What a parse tells of itself in CoNLL-U: a confidence in MISC, rank and score as comments.

MISC is a list of ``Name=Value`` between bars, and comments are ``# name = value``
(https://universaldependencies.org/format.html). All trees of a sentence stay readable one by one: sent_id is
unique, and what begins a document or paragraph stands before the first tree alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wnparse.treebanks.writing import closing_of

CONFIDENCE = "HeadProb"


def with_confidence(misc: str, probability: float, name: str = CONFIDENCE) -> str:
    """MISC with the confidence of a head, or of what is named, among its items, in place of an older one."""
    return with_item(misc, name, f"{probability:.2f}")


def with_item(misc: str, name: str, value: str) -> str:
    """MISC with an item, in place of an older one of that name.

    It goes before the first item that follows it in the alphabet, so that a sorted column stays sorted; the others
    keep their order.
    """
    if misc == "_":
        return f"{name}={value}"
    items = [item for item in misc.split("|") if item.partition("=")[0] != name]
    place = next((i for i, item in enumerate(items) if item.lower() > name.lower()), len(items))
    items.insert(place, f"{name}={value}")
    return "|".join(items)


def with_comments(
    text: bytes, added: Sequence[bytes], kept: Callable[[list[bytes]], Iterable[bytes]] = lambda lines: lines
) -> bytes:
    """A sentence with comments added before its first word, closed by an empty line; `kept` filters its own."""
    lines = text.split(b"\n")
    first = next(i for i, line in enumerate(lines) if line[:1].isdigit())
    ending = b"\r" if lines[first].endswith(b"\r") else b""
    marked = b"\n".join([*kept(lines[:first]), *(comment + ending for comment in added), *lines[first:]])
    return marked + closing_of(marked)
