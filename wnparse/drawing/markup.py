"""HTML and SVG elements; every text that comes from data is escaped here."""

from __future__ import annotations

import re
from importlib import resources

from wnparse.drawing.cells import clusters

# What XML 1.0 cannot hold, even escaped; tabs and line ends do not occur in a column.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# Widths in em of a wide sans-serif face: too much room is better than letters that overlap.
_NARROW, _USUAL, _CAPITAL, _BROAD, _IDEOGRAPH = 0.4, 0.62, 0.74, 0.98, 1.05
_NARROW_LETTERS = frozenset("fijlrtI.,:;'`|!()[]{}/\\- ")
_BROAD_LETTERS = frozenset("mwMW@%œæŒÆ—…")


def escape(text: str) -> str:
    """Escape a text for elements and quoted attributes; characters that XML forbids become U+FFFD."""
    return _FORBIDDEN.sub("\ufffd", text).translate(_ENTITIES)


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element; `content` is markup, attribute values are escaped. A `_` in a name stands for `-`."""
    written_attributes = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    return f"<{name}{written_attributes}>{content}</{name}>"


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in a sans-serif face with a size in pixels."""
    width = 0.0
    for cluster, cells in clusters(text):
        letter = cluster[0]
        if cells == 2:
            width += _IDEOGRAPH
        elif letter in _BROAD_LETTERS:
            width += _BROAD
        elif letter in _NARROW_LETTERS:
            width += _NARROW
        elif cells:
            width += _CAPITAL if letter.isupper() else _USUAL
    return width * size


def wrap(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines that are at most `room` pixels wide, if its words are."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}"
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer.strip()
    return lines


def asset(name: str) -> str:
    """Read a style sheet or script that belongs to this package."""
    return resources.files("wnparse.drawing").joinpath(name).read_text("utf-8")
