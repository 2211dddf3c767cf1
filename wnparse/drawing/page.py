"""Pages: one self-contained HTML file that loads nothing from elsewhere.

A Content Security Policy ensures this: the only script that may run is the one of this package, known by its hash.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence

from wnparse import __version__
from wnparse.drawing.markup import asset, element, escape
from wnparse.drawing.names import title_of
from wnparse.drawing.picture import PAGE_WIDTH, DrawnTree, Picture
from wnparse.drawing.svg import draw_svg, svg_element

MOST_LISTED_OPENLY = 30
WIDTH = PAGE_WIDTH
FRAME = 34  # pixels that a figure's border and padding take from the width of a picture

# Samples of what the legend explains, drawn with the classes of the pictures themselves.
_STROKE = '<path class="arc" d="M2 8H34"/>'
_LEGEND = {
    "crossing": (f'<g class="crossing">{_STROKE}</g>', "arcs that cross"),
    "broken": (f'<g class="broken">{_STROKE}</g>', "arcs that break a rule"),
    "gold": (f'<g class="only-first">{_STROKE}</g>', "above: arcs of the first file only"),
    "system": (f'<g class="only-second">{_STROKE}</g>', "below: arcs of the second file only"),
    "annotated": (f'<g class="only-first">{_STROKE}</g>', "above: annotated arcs that may be errors"),
    "expected": (f'<g class="only-second">{_STROKE}</g>', "below: arcs that models expect instead"),
    "other": (
        '<path class="gap" d="M2 8H34"/><rect class="block" x="2" y="5.5" width="10" height="5" rx="2"/>'
        '<rect class="block" x="24" y="5.5" width="10" height="5" rx="2"/>',
        "discontinuous yield (labelled with its word)",
    ),
    "pair": (
        '<g class="first"><rect class="block" x="2" y="2.5" width="14" height="5" rx="2"/></g>'
        '<g class="second"><rect class="block" x="20" y="8.5" width="14" height="5" rx="2"/></g>',
        "two yields that interleave",
    ),
    "marked": (
        '<g class="word marked"><rect class="back" x="2" y="2" width="32" height="12"/></g>',
        "words to look at",
    ),
    "token": ('<path class="bracket" d="M3 4V10H33V4"/>', "words that are written as one"),
    "empty": ('<g class="empty"><text class="form" x="18" y="12">node</text></g>', "an empty node"),
}


def page(title: str, body: Iterable[str], width: int = WIDTH) -> str:
    """Return a page of parts, which are markup; `width` is that of the widest part in pixels."""
    script, style = asset("page.js"), asset("picture.css") + asset("page.css")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta name="generator" content="wnparse {__version__}">\n',
            f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n",
            f'<body style="--width: {width}px">\n',
            *(f"{part}\n" for part in body),
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


def picture_page(pictures: Sequence[Picture], width: int | None = None, *, captions: bool = True) -> str:
    """Return a page of sentences of the same file or files."""
    width = width or WIDTH
    files = dict.fromkeys(tree.place.rpartition(":")[0] for picture in pictures for tree in picture.trees)
    names = list(filter(None, files))
    if not pictures:
        return page("No sentence to show", [element("h1", "No sentence to show")], width)
    figures = (figure(picture, width, named=False, captions=captions) for picture in pictures)
    body = [element("h1", "Trees"), file_list(names), legend(pictures), _contents(pictures), *figures]
    return page(f"Trees of {title_of(names)}", body, width)


def file_list(names: Iterable[str]) -> str:
    """Write the names of the files that a page is about."""
    return element("ul", "".join(element("li", escape(name)) for name in names), _class="files quiet")


def _contents(pictures: Sequence[Picture]) -> str:
    if len(pictures) < 2:
        return ""
    items = [
        element("li", element("a", escape(f"{p.number} {p.sent_id}".strip()), href=f"#{anchor(p)}"))
        for p in pictures
    ]
    summary = element("summary", f"{len(items)} sentences")
    attributes = {"open": "open"} if len(items) <= MOST_LISTED_OPENLY else {}
    details = element("details", summary + element("ul", "".join(items)), **attributes)
    return element("nav", details, aria_label="Sentences")


def anchor(picture: Picture, prefix: str = "s") -> str:
    """Return the id of a picture in its page."""
    return f"{prefix}{picture.number}"


def figure(picture: Picture, width: int, prefix: str = "s", *, named: bool = True, captions: bool = True) -> str:
    """Return a picture with its captions, and a line that describes the word under the mouse.

    Parameters
    ----------
    picture : Picture
        A sentence.
    width : int
        Pixels, with the frame.
    prefix : str
        The beginning of its id.
    named : bool
        Whether captions name the file, and not only the line.
    captions : bool
        Whether there are captions.
    """
    name = anchor(picture, prefix)
    parts = []
    if captions:
        link = element("a", escape(picture.title()), href=f"#{name}")
        parts.append(element("figcaption", f"{link} {_place(picture.tree, named)}"))
        if picture.system:
            parts.append(element("p", f"{escape(picture.comparison())} {_place(picture.system, named)}"))
        parts += [element("p", escape(note), _class="note") for note in picture.notes]
    if picture.text:
        parts.append(element("p", escape(picture.text), _class="text", dir="auto"))
    drawing = svg_element(draw_svg(picture, width - FRAME), picture.title())
    parts.append(element("div", drawing, _class="wide mirrored" if picture.right_to_left else "wide"))
    parts.append(element("output", "", _class="info", aria_live="polite"))
    return element(
        "figure",
        "".join(parts),
        id=name,
        _class="sentence",
        **{
            name: " ".join(map(str, tree.heads))
            for name, tree in zip(("data_first", "data_second"), picture.trees, strict=False)
        },
    )


def _place(tree: DrawnTree, named: bool) -> str:
    """Return the file and line of a tree, or its line."""
    _, colon, line = tree.place.rpartition(":")
    return element("span", escape(f"line {line}" if colon and not named else tree.place), _class="quiet")


def legend(pictures: Sequence[Picture]) -> str:
    """Explain the marks that the pictures of a page have, and no others."""
    marks = {mark for picture in pictures for mark, occurs in _marks(picture).items() if occurs}
    items = [
        element("li", f'<svg class="tree" width="36" height="16" aria-hidden="true">{sample}</svg>{escape(text)}')
        for mark, (sample, text) in _LEGEND.items()
        if mark in marks
    ]
    items.append(element("li", "Hover over a word, or click it, to see its yield and blocks."))
    return element("ul", "".join(items), _class="legend")


def _marks(picture: Picture) -> dict[str, object]:
    anatomy, suspected = picture.tree.anatomy, picture.is_proposal
    return {
        "crossing": anatomy.crossing and picture.system is None,
        "broken": picture.broken,
        **dict.fromkeys(("gold", "system"), picture.system and not suspected),
        **dict.fromkeys(("annotated", "expected"), picture.system and suspected),
        "pair": anatomy.interleaving,
        "other": anatomy.gapped,
        "marked": picture.marked,
        "token": picture.tokens,
        "empty": picture.empty_nodes,
    }
