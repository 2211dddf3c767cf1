"""Trees as SVG: arcs above the words, a second tree below them, yields with gaps underlined.

Plain SVG 1.1 with a style sheet of its own; a viewer without scripts still shows each word's yield as a title.
Right-to-left sentences are the mirror image: x becomes width - x, and every text is centred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from wnparse.drawing.anatomy import Block
from wnparse.drawing.layout import (
    Arc,
    Extent,
    Inserted,
    Line,
    Metrics,
    Piece,
    Span,
    bracket,
    break_lines,
    levels,
    pieces,
)
from wnparse.drawing.markup import asset, element, escape, text_width
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
LONGEST_FORM = 60  # characters; the title has the rest
LONGEST_LABEL = 30
TITLE_HEIGHT = 26


@dataclass(frozen=True)
class Drawing:
    """A piece of SVG and its size in pixels."""

    markup: str
    width: int
    height: int


def draw_svg(picture: Picture, width: int) -> Drawing:
    """Draw a sentence in lines of so many pixels.

    Parameters
    ----------
    picture : Picture
        With a system's tree, that tree hangs below the words and all differences are marked.
    width : int
        Pixels; longer sentences go on below.
    """
    artist = _Artist(picture, width)
    return artist.draw()


def svg_element(drawing: Drawing, label: str) -> str:
    """Wrap a drawing as an element for a page."""
    size = f"0 0 {drawing.width} {drawing.height}"
    return (
        f'<svg class="tree" xmlns="http://www.w3.org/2000/svg" viewBox="{size}" width="{drawing.width}" '
        f'height="{drawing.height}" role="group" aria-label="{escape(label)}">{drawing.markup}</svg>'
    )


def svg_document(pictures: Iterable[Picture], width: int) -> str:
    """Draw sentences one below the other in a file of their own."""
    parts, height, widest = [], MARGIN, 0
    for picture in pictures:
        drawing = draw_svg(picture, width)
        heading = " / ".join(filter(None, [picture.title(), picture.comparison()]))
        parts.append(f'<text class="title" x="{MARGIN}" y="{height + 16}">{escape(heading)}</text>')
        height += TITLE_HEIGHT
        parts.append(f'<g transform="translate(0 {height})">{drawing.markup}</g>')
        height += drawing.height + BETWEEN_LINES
        widest = max(widest, drawing.width, ceil(text_width(heading, 14)) + 2 * MARGIN)
    paper = f'<rect class="paper" width="{widest}" height="{height}"/>'
    content = f"<style>{asset('picture.css')}</style>{paper}{''.join(parts)}"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg class="tree" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest} {height}" '
        f'width="{widest}" height="{height}">{content}</svg>\n'
    )


@dataclass(frozen=True)
class _Half:
    """The arcs on one side of the words."""

    arcs: list[Arc]
    classes: dict[int, str]  # by modifier
    side: int  # -1 above the words, 1 below
    name: str


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _half(tree: DrawnTree, side: int, different: frozenset[int], compared: bool) -> _Half:
    arcs, classes = [], {}
    for word, head in enumerate(tree.heads):
        if head < 0:
            continue
        label = _shorten(tree.relations[word], LONGEST_LABEL)
        arcs.append(Arc(head, word, label, ceil(text_width(label, LABEL))))
        names = ["crossing"] if word in tree.anatomy.crossing else []
        if word in different:
            names.append("only-first" if side < 0 else "only-second")
        elif compared and not names:
            names.append("compared")
        classes[word] = " ".join(names)
    return _Half(arcs, classes, side, "first" if side < 0 else "second")


class _Artist:
    """Draws one picture, line by line, from the top."""

    def __init__(self, picture: Picture, width: int) -> None:
        self.picture = picture
        self.metrics = Metrics(limit=width - 2 * MARGIN, spacing=12, port=5, padding=18, edge=14)
        compared = picture.system is not None
        self.halves = [_half(picture.tree, -1, picture.different, compared)]
        if picture.system:
            self.halves.append(_half(picture.system, 1, picture.different, compared))
        self.forms = [_shorten(form, LONGEST_FORM) for form in picture.forms]
        self.spans = [
            Span(token.first, token.last, label, ceil(text_width(label, TOKEN)) + self.metrics.padding)
            for token in picture.tokens
            for label in [_shorten(token.form, LONGEST_FORM)]
        ]
        self.empty_nodes = {node.name: node for node in picture.empty_nodes}
        self.extents = self._extents()
        arcs = [arc for half in self.halves for arc in half.arcs]
        self.lines = break_lines(self.extents, arcs, self.metrics, self.spans, self._inserted())
        self.width = max((line.width for line in self.lines), default=0) + 2 * MARGIN
        self.yield_kinds = yield_kinds(picture.tree)
        self.parts: list[str] = []

    def _extents(self) -> list[Extent]:
        tags = [f"{word} {tag}" for word, tag in enumerate(self.picture.tags)]
        widths = [
            max(text_width(form, FORM), text_width(tag, TAG), 4 * self.metrics.port)
            for form, tag in zip(self.forms, tags, strict=True)
        ]
        for half in self.halves:
            for arc in half.arcs:
                if arc.head == 0:
                    widths[arc.modifier] = max(widths[arc.modifier], arc.room)
        for span in self.spans:
            if span.first == span.last:
                widths[span.first] = max(widths[span.first], span.room)
        return [Extent(ceil(width / 2), ceil(width / 2)) for width in widths]

    def _inserted(self) -> list[Inserted]:
        found = []
        for node in self.empty_nodes.values():
            form, tag = _shorten(node.form, LONGEST_FORM), f"{node.name} {node.tag}"
            half = ceil(max(text_width(form, FORM), text_width(tag, TAG)) / 2)
            found.append(Inserted(node.name, node.after, Extent(half, half)))
        return found

    def x(self, place: float) -> float:
        """Turn a place in the line into a coordinate."""
        return self.width - MARGIN - place if self.picture.right_to_left else MARGIN + place

    def draw(self) -> Drawing:
        """Draw all lines."""
        height = 0
        for place, line in enumerate(self.lines):
            height = self._draw_line(line, height + (BETWEEN_LINES if place else 0))
        return Drawing("".join(self.parts), self.width, height)

    def _draw_line(self, line: Line, top: int) -> int:
        """Draw one line from this height on; return where it ends."""
        labels: list[str] = []
        above = top + self._height(line, self.halves[0])
        self._draw_half(line, self.halves[0], above, labels)
        bottom = self._draw_tokens(line, above + WORD_HEIGHT)
        if len(self.halves) > 1:
            self._draw_half(line, self.halves[1], bottom, labels)
        # Labels come last: their halo covers the lines that pass behind them.
        self.parts += labels
        self._draw_words(line, above)
        self._draw_empty_nodes(line, above)
        if len(self.halves) > 1:
            bottom += self._height(line, self.halves[1])
        return self._draw_yields(line, bottom)

    def _height(self, line: Line, half: _Half) -> int:
        heights = levels(pieces(line, half.arcs, self.metrics))
        rooted = any(arc.head == 0 and line.first <= arc.modifier <= line.last for arc in half.arcs)
        return MARGIN + STEM + LEVEL * (max(heights, default=0) + rooted)

    def _draw_half(self, line: Line, half: _Half, base: int, labels: list[str]) -> None:
        """Draw the arcs on one side of the words, whose edge on that side is at `base`."""
        found = pieces(line, half.arcs, self.metrics)
        heights = levels(found)
        for piece, level in zip(found, heights, strict=True):
            y = base + half.side * (STEM + LEVEL * (level - 1) + 4)
            self._draw_arc(piece, half, base, y)
            if piece.has_room(self.metrics):
                labels.append(self._label(piece.arc, half, (piece.start + piece.end) / 2, y))
        y = base + half.side * (STEM + LEVEL * max(heights, default=0) + 4)
        for arc in half.arcs:
            if arc.head == 0 and line.first <= arc.modifier <= line.last:
                centre = line.centres[arc.modifier]
                x = self.x(centre)
                path = f"M{x:g} {y:g}V{base:g}"
                self._add_arc(arc, half, [element("path", d=path, _class="arc")], (x, base))
                labels.append(self._label(arc, half, centre, y))

    def _draw_arc(self, piece: Piece, half: _Half, base: int, y: float) -> None:
        """Draw up from one end, along, and down to the other; where the arc goes on elsewhere, dots."""
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

    def _draw_words(self, line: Line, top: int) -> None:
        for word, centre in line.centres.items():
            x, extent = self.x(centre), self.extents[word]
            half_height = WORD_HEIGHT // 2 if self.picture.system else WORD_HEIGHT
            box = {"x": f"{x - extent.left - 4:g}", "width": extent.left + extent.right + 8, "height": half_height}
            parts = [element("title", escape(describe_word(self.picture, word)))]
            parts.append(element("rect", y=top, **box, _class="back first"))
            if self.picture.system:
                parts.append(element("rect", y=top + half_height, **box, _class="back second"))
            form = escape(self.forms[word])
            parts.append(element("text", form, x=f"{x:g}", y=top + 18, _class="form", direction=self._direction()))
            tag = escape(f"{word} {self.picture.tags[word]}".strip())
            parts.append(element("text", tag, x=f"{x:g}", y=top + 33, _class="tag"))
            names = "word different" if word in self.picture.different else "word"
            self.parts.append(element("g", "".join(parts), _class=names, data_word=word, tabindex=0))

    def _draw_empty_nodes(self, line: Line, top: int) -> None:
        for name, centre in line.inserted.items():
            node, x = self.empty_nodes[name], f"{self.x(centre):g}"
            parts = [element("title", escape(f"{name} {node.form} – an empty node"))]
            form = escape(_shorten(node.form, LONGEST_FORM))
            parts.append(element("text", form, x=x, y=top + 18, _class="form", direction=self._direction()))
            parts.append(element("text", escape(f"{name} {node.tag}".strip()), x=x, y=top + 33, _class="tag"))
            self.parts.append(element("g", "".join(parts), _class="empty"))

    def _draw_tokens(self, line: Line, top: int) -> int:
        """Bracket the words of each multiword token, its form on the bracket; return where that ends."""
        found = [(span, edges) for span in self.spans if (edges := bracket(line, span, self.extents))]
        y = top + TOKEN_HEIGHT / 2
        for span, edges in found:
            start, end = map(self.x, edges)
            path = f"M{start:g} {top:g}V{y:g}" if span.first >= line.first else f"M{start:g} {y:g}"
            path += f"H{end:g}" + (f"V{top:g}" if span.last <= line.last else "")
            parts = [element("title", escape(f"{span.first}-{span.last} {span.label} – a multiword token"))]
            parts.append(element("path", d=path, _class="bracket"))
            # As with arcs, what goes on in the next line has its label there.
            if span.last <= line.last:
                place = {"x": f"{(start + end) / 2:g}", "y": f"{y + 4:g}", "direction": self._direction()}
                parts.append(element("text", escape(span.label), **place, _class="token"))
            self.parts.append(element("g", "".join(parts), _class="multiword"))
        return top + TOKEN_HEIGHT if found else top

    def _direction(self) -> str:
        return "rtl" if self.picture.right_to_left else ""

    def _draw_yields(self, line: Line, top: int) -> int:
        """Underline the blocks of yields with gaps, a row each."""
        tree, row = self.picture.tree, top + MARGIN
        for word, kind in self.yield_kinds.items():
            blocks = tree.anatomy.blocks[word]
            if blocks[0][0] > line.last or blocks[-1][1] < line.first:
                continue
            y = row + YIELD_HEIGHT / 2
            start, end = self._edges(line, (blocks[0][0], blocks[-1][1]))
            parts = [element("title", escape(f"{word} {self.forms[word]}: {describe_blocks(blocks)}"))]
            parts.append(element("path", d=f"M{start:g} {y:g}H{end:g}", _class="gap"))
            for block in blocks:
                if block[1] >= line.first and block[0] <= line.last:
                    low, high = sorted(self._edges(line, block))
                    size = {"x": f"{low:g}", "width": f"{high - low:g}", "height": 5, "rx": 2}
                    parts.append(element("rect", y=f"{y - 2.5:g}", **size, _class="block"))
            if word in line.centres:
                x = f"{self.x(line.centres[word]):g}"
                parts.append(element("rect", x=float(x) - 9, y=y - 7, width=18, height=14, rx=7, _class="top"))
                parts.append(element("text", str(word), x=x, y=f"{y + 3.2:g}", _class="top-number"))
            self.parts.append(element("g", "".join(parts), _class=f"yield {kind}", data_word=word))
            row += YIELD_HEIGHT
        return row

    def _edges(self, line: Line, block: Block) -> tuple[float, float]:
        """The coordinates of a block's ends, or of the line's where it goes beyond."""
        first, last = block
        start = line.centres[first] - self.extents[first].left if first >= line.first else 0
        end = line.centres[last] + self.extents[last].right if last <= line.last else line.width
        return self.x(start), self.x(end)


def describe_blocks(blocks: Sequence[Block]) -> str:
    """Name a yield by its blocks."""
    words = sum(last - first + 1 for first, last in blocks)
    spans = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in blocks)
    if len(blocks) == 1:
        return f"yield of {words} {'word' if words == 1 else 'words'}, 1 block: {spans}"
    return f"yield of {words} words, {len(blocks)} blocks: {spans}"


def describe_word(picture: Picture, word: int) -> str:
    """Tell a word's head, relation and yield in each tree."""
    told = []
    for name, tree in (("above", picture.tree), ("below", picture.system)):
        if tree is None:
            continue
        head = tree.heads[word]
        above = "no head" if head < 0 else "root" if head == 0 else f"head {head} {picture.forms[head]}"
        relation = f" ({tree.relations[word]})" if tree.relations[word] else ""
        prefix = f"{name}: " if picture.system else ""
        told.append(f"{prefix}{above}{relation}, {describe_blocks(tree.anatomy.blocks[word])}")
    return f"{word} {picture.forms[word]} – " + "; ".join(told)
