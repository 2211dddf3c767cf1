"""Trees as SVG: arcs above the words, a second tree below them, yields with gaps underlined.

Plain SVG 1.1 with its own style sheet; a viewer without scripts still shows the yield of each word as a title.
Right-to-left sentences are mirrored: x becomes width - x, and every text is centred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from wnparse.drawing.captions import describe_blocks, describe_word
from wnparse.drawing.layout import (
    Arc,
    Extent,
    Inserted,
    Line,
    LineArcs,
    Metrics,
    Piece,
    Span,
    arcs_in,
    break_lines,
    edges,
    widen,
    yield_edges,
)
from wnparse.drawing.markup import asset, element, escape, text_width, wrap
from wnparse.drawing.picture import DrawnTree, Picture, yield_kinds

FORM, TAG, LABEL, TOKEN = 15, 10, 11, 12  # font sizes, pixels
LEVEL = 19  # between two arcs
STEM = 20  # from the words to the lowest arc
RADIUS = 6
TIP = 5
WORD_HEIGHT = 40
TOKEN_HEIGHT = 19
YIELD_HEIGHT = 17
MARGIN = 6
BETWEEN_LINES = 26
LONGEST_FORM = 60  # characters; the title has the whole form
LONGEST_LABEL = 30
CAPTION_HEIGHT = 20
CAPTION_SIZE = 14  # wide enough for titles, which are bold
LEAST_CAPTION = 560  # pixels; captions are broken at the width of the tree, but not below this
ENDLESS = 1 << 30


class Drawing(NamedTuple):
    """A piece of SVG and its size in pixels."""

    markup: str
    width: int
    height: int


def draw_svg(picture: Picture, width: int | None = None) -> Drawing:
    """Draw a sentence.

    Parameters
    ----------
    picture : Picture
        If it has a system's tree, the arcs that differ are drawn below the words, and common arcs are pale.
    width : int, optional
        Pixels per line; longer sentences continue below. By default, each sentence is one line.
    """
    return _Artist(picture, width or ENDLESS).draw()


def _svg(content: str, width: int, height: int, **attributes: object) -> str:
    box = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return element("svg", content, _class="tree", xmlns="http://www.w3.org/2000/svg", **box, **attributes)


def svg_element(drawing: Drawing, label: str) -> str:
    """Wrap a drawing as an element for a page."""
    return _svg(*drawing, role="group", aria_label=label)


def svg_document(pictures: Iterable[Picture], width: int | None = None, *, captions: bool = True) -> str:
    """Return a file with sentences one below the other."""
    with_captions = ((picture.captions() if captions else [], picture) for picture in pictures)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg_figure(with_captions, width)}\n'


def svg_figure(pictures: Iterable[tuple[Sequence[str], Picture]], width: int | None) -> str:
    """Draw sentences one below the other, each below its captions, as one element."""
    parts, height, widest = [], MARGIN, 0
    for captions, picture in pictures:
        drawing = draw_svg(picture, width)
        for place, caption in enumerate(captions):
            for line in wrap(caption, CAPTION_SIZE, max(drawing.width, LEAST_CAPTION) - 2 * MARGIN):
                name = "caption" if place else "title"
                parts.append(element("text", escape(line), x=MARGIN, y=height + 16, _class=name))
                height += CAPTION_HEIGHT
                widest = max(widest, ceil(text_width(line, CAPTION_SIZE)) + 2 * MARGIN)
        height += MARGIN * bool(captions)
        parts.append(f'<g transform="translate(0 {height})">{drawing.markup}</g>')
        height += drawing.height + BETWEEN_LINES
        widest = max(widest, drawing.width)
    paper = f'<rect class="paper" width="{widest}" height="{height}"/>'
    content = f"<style>{asset('picture.css')}</style>{paper}{''.join(parts)}"
    return _svg(content, widest, height)


class _Half(NamedTuple):
    """The arcs on one side of the words."""

    arcs: list[Arc]
    classes: dict[int, str]  # by modifier
    side: int  # -1 above the words, 1 below
    name: str


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _width(form: str, tag: str) -> int:
    return ceil(max(text_width(form, FORM), text_width(tag, TAG)))


def _centred_extent(width: int) -> Extent:
    return Extent(ceil(width / 2), ceil(width / 2))


def _half(picture: Picture, tree: DrawnTree, side: int) -> _Half:
    """Collect the arcs above the words, or those that differ below them."""
    arcs, classes, different = [], {}, picture.different
    for word, head in enumerate(tree.heads):
        differs = word in different
        if head < 0 or (side > 0 and not differs):
            continue
        label = _shorten(tree.relations[word], LONGEST_LABEL)
        arcs.append(Arc(head, word, label, ceil(text_width(label, LABEL))))
        if differs:
            name = "only-first" if side < 0 else "only-second"
        elif picture.system:
            name = "compared"
        else:
            name = "crossing" if word in tree.anatomy.crossing else ""
        classes[word] = "broken" if side < 0 and word in picture.broken else name
    return _Half(arcs, classes, side, "first" if side < 0 else "second")


class _Artist:
    """Draws one picture, line by line, from the top."""

    def __init__(self, picture: Picture, width: int) -> None:
        self.picture = picture
        self.different = picture.different
        self.direction = "rtl" if picture.right_to_left else ""
        self.metrics = Metrics(limit=width - 2 * MARGIN, spacing=12, port=5, padding=18, edge=14)
        self.halves = [_half(picture, tree, side) for tree, side in zip(picture.trees, (-1, 1), strict=False)]
        self.texts = [
            (_shorten(form, LONGEST_FORM), f"{word} {tag}")
            for word, (form, tag) in enumerate(zip(picture.forms, picture.tags, strict=True))
        ]
        self.node_texts = {
            node.name: (_shorten(node.form, LONGEST_FORM), f"{node.name} {node.tag}")
            for node in picture.empty_nodes
        }
        self.spans = [
            Span(token.first, token.last, label, ceil(text_width(label, TOKEN)) + self.metrics.padding)
            for token in picture.tokens
            for label in [_shorten(token.form, LONGEST_FORM)]
        ]
        arcs = [arc for half in self.halves for arc in half.arcs]
        widths = [max(_width(*texts), 4 * self.metrics.port) for texts in self.texts]
        self.extents = [_centred_extent(wide) for wide in widen(widths, arcs, self.spans)]
        inserted = [
            Inserted(node.name, node.after, _centred_extent(_width(*self.node_texts[node.name])))
            for node in picture.empty_nodes
        ]
        self.lines = break_lines(self.extents, arcs, self.metrics, self.spans, inserted)
        self.width = max((line.width for line in self.lines), default=0) + 2 * MARGIN
        self.yield_kinds = yield_kinds(picture.tree)
        self.parts: list[str] = []

    def x(self, position: float) -> float:
        """Return the coordinate of a position in the line."""
        return self.width - MARGIN - position if self.picture.right_to_left else MARGIN + position

    def draw(self) -> Drawing:
        height = 0
        for number, line in enumerate(self.lines):
            height = self._draw_line(line, height + (BETWEEN_LINES if number else 0))
        return Drawing("".join(self.parts), self.width, height)

    def _draw_line(self, line: Line, top: int) -> int:
        """Draw one line from this height on; return where it ends."""
        labels: list[str] = []
        arcs = [arcs_in(line, half.arcs, self.metrics) for half in self.halves]
        heights = [MARGIN + STEM + LEVEL * (half_arcs.top + bool(half_arcs.roots)) for half_arcs in arcs]
        above = top + heights[0]
        self._draw_half(line, arcs[0], self.halves[0], above, labels)
        bottom = self._draw_tokens(line, above + WORD_HEIGHT)
        if len(self.halves) > 1:
            self._draw_half(line, arcs[1], self.halves[1], bottom, labels)
            bottom += heights[1] if arcs[1].pieces or arcs[1].roots else 0
        # Labels come last: their halo covers the lines that pass behind them.
        self.parts += labels
        self._draw_words(line, above)
        self._draw_empty_nodes(line, above)
        return self._draw_yields(line, bottom)

    def _draw_half(self, line: Line, arcs: LineArcs, half: _Half, base: int, labels: list[str]) -> None:
        """Draw the arcs on one side of the words, whose edge on that side is at `base`."""
        for piece, level in arcs.pieces:
            y = base + half.side * (STEM + LEVEL * (level - 1) + 4)
            self._draw_arc(piece, half, base, y)
            if piece.has_room(self.metrics):
                labels.append(self._label(piece.arc, half, (piece.start + piece.end) / 2, y))
        y = base + half.side * (STEM + LEVEL * arcs.top + 4)
        for arc in arcs.roots:
            centre = line.centres[arc.modifier]
            x = self.x(centre)
            path = f"M{x:g} {y:g}V{base:g}"
            self._add_arc(arc, half, [element("path", d=path, _class="arc")], (x, base))
            labels.append(self._label(arc, half, centre, y))

    def _draw_arc(self, piece: Piece, half: _Half, base: int, y: float) -> None:
        """Draw up from one end, along, and down to the other; dots where the arc continues in another line."""
        start, end = self.x(piece.start), self.x(piece.end)
        turn = RADIUS if end > start else -RADIUS
        corner = y - half.side * RADIUS
        left = f"M{start:g} {y:g}H{start + 2 * turn:g}"
        right = f"M{end - 2 * turn:g} {y:g}H{end:g}"
        path = []
        if piece.opens_left:
            path.append(f"M{start + 2 * turn:g} {y:g}")
        else:
            path.append(f"M{start:g} {base:g}V{corner:g}Q{start:g} {y:g} {start + turn:g} {y:g}")
        if piece.opens_right:
            path.append(f"H{end - 2 * turn:g}")
        else:
            path.append(f"H{end - turn:g}Q{end:g} {y:g} {end:g} {corner:g}V{base:g}")
        strokes = [element("path", d="".join(path), _class="arc")]
        strokes += [element("path", d=left, _class="arc more")] if piece.opens_left else []
        strokes += [element("path", d=right, _class="arc more")] if piece.opens_right else []
        at_left = piece.arc.modifier == piece.arc.left
        hidden = piece.opens_left if at_left else piece.opens_right
        tip = None if hidden else ((start if at_left else end), base)
        self._add_arc(piece.arc, half, strokes, tip)

    def _add_arc(self, arc: Arc, half: _Half, strokes: list[str], tip: tuple[float, float] | None) -> None:
        if tip:
            x, y = tip
            back = y + half.side * 2 * TIP
            outline = f"M{x:g} {y:g}L{x - TIP + 1:g} {back:g}H{x + TIP - 1:g}Z"
            strokes.append(element("path", d=outline, _class="tip"))
        names = " ".join(filter(None, [half.name, half.classes[arc.modifier]]))
        self.parts.append(element("g", "".join(strokes), _class=f"edge {names}", data_modifier=arc.modifier))

    def _label(self, arc: Arc, half: _Half, place: float, y: float) -> str:
        names = " ".join(filter(None, ["label", half.name, half.classes[arc.modifier]]))
        x = f"{self.x(place):g}"
        return element("text", escape(arc.label), x=x, y=f"{y + 4:g}", _class=names, data_modifier=arc.modifier)

    def _texts(self, texts: tuple[str, str], x: float, top: int) -> list[str]:
        """Return the elements of a form and the tag below it."""
        form, tag = texts
        return [
            element("text", escape(form), x=f"{x:g}", y=top + 18, _class="form", direction=self.direction),
            element("text", escape(tag.strip()), x=f"{x:g}", y=top + 33, _class="tag"),
        ]

    def _draw_words(self, line: Line, top: int) -> None:
        for word, centre in line.centres.items():
            x, extent = self.x(centre), self.extents[word]
            half_height = WORD_HEIGHT // len(self.halves)
            box = {"x": f"{x - extent.left - 4:g}", "width": extent.left + extent.right + 8, "height": half_height}
            parts = [element("title", escape(describe_word(self.picture, word)))]
            for number, half in enumerate(self.halves):
                parts.append(element("rect", y=top + number * half_height, **box, _class=f"back {half.name}"))
            parts += self._texts(self.texts[word], x, top)
            names = "word different" if word in self.different else "word"
            names += " marked" if word in self.picture.marked else ""
            self.parts.append(element("g", "".join(parts), _class=names, data_word=word, tabindex=0))

    def _draw_empty_nodes(self, line: Line, top: int) -> None:
        for node in self.picture.empty_nodes:
            if node.name in line.inserted:
                parts = [element("title", escape(f"{node.name} {node.form} – an empty node"))]
                parts += self._texts(self.node_texts[node.name], self.x(line.inserted[node.name]), top)
                self.parts.append(element("g", "".join(parts), _class="empty"))

    def _draw_tokens(self, line: Line, top: int) -> int:
        """Draw a bracket with its form below each multiword token; return where the brackets end."""
        y, bottom = top + TOKEN_HEIGHT / 2, top
        for span in self.spans:
            ends = edges(line, span.first, span.last, self.extents)
            if ends is None:
                continue
            start, end = map(self.x, ends)
            path = f"M{start:g} {top:g}V{y:g}" if span.first >= line.first else f"M{start:g} {y:g}"
            path += f"H{end:g}" + (f"V{top:g}" if span.last <= line.last else "")
            parts = [element("title", escape(f"{span.first}-{span.last} {span.label} – a multiword token"))]
            parts.append(element("path", d=path, _class="bracket"))
            # As with arcs, the label of a bracket that continues in the next line is there.
            if span.last <= line.last:
                place = {"x": f"{(start + end) / 2:g}", "y": f"{y + 4:g}", "direction": self.direction}
                parts.append(element("text", escape(span.label), **place, _class="token"))
            self.parts.append(element("g", "".join(parts), _class="multiword"))
            bottom = top + TOKEN_HEIGHT
        return bottom

    def _draw_yields(self, line: Line, top: int) -> int:
        """Underline the blocks of yields with gaps, one row per yield; return where the rows end."""
        row = top + MARGIN
        for word, kind in self.yield_kinds.items():
            blocks = self.picture.tree.anatomy.blocks[word]
            ends = yield_edges(line, blocks, self.extents)
            if ends is None:
                continue
            y = row + YIELD_HEIGHT / 2
            start, end = map(self.x, ends[0])
            parts = [element("title", escape(f"{word} {self.texts[word][0]}: {describe_blocks(blocks)}"))]
            parts.append(element("path", d=f"M{start:g} {y:g}H{end:g}", _class="gap"))
            for block in ends[1]:
                low, high = sorted(map(self.x, block))
                size = {"x": f"{low:g}", "width": f"{high - low:g}", "height": 5, "rx": 2}
                parts.append(element("rect", y=f"{y - 2.5:g}", **size, _class="block"))
            if word in line.centres:
                x = f"{self.x(line.centres[word]):g}"
                parts.append(element("rect", x=float(x) - 9, y=y - 7, width=18, height=14, rx=7, _class="top"))
                parts.append(element("text", str(word), x=x, y=f"{y + 3.2:g}", _class="top-number"))
            self.parts.append(element("g", "".join(parts), _class=f"yield {kind}", data_word=word))
            row += YIELD_HEIGHT
        return row
