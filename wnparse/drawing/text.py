"""Trees in a terminal: arcs of box-drawing characters above the words, a second tree's differences below.

Where two arcs cross, the vertical line passes over the horizontal one: ``─│─`` crosses, ``├``, ``┤`` join.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from wnparse.drawing.canvas import Canvas, styled
from wnparse.drawing.cells import LEFT_TO_RIGHT_MARK, cell_width, crop, is_right_to_left, printable
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
from wnparse.drawing.picture import DrawnTree, Picture, yield_kinds

NARROWEST = 20
SMALLEST_WORD = 3  # a cell for each port
YIELD_STYLES = {"first": "first yield", "second": "second yield", "other": "yield"}
GOES_ON = "┄"
BRACKET = 4  # cells beside the form of a multiword token: two corners, two rules


@dataclass(frozen=True)
class Half:
    """The arcs on one side of the words."""

    arcs: list[Arc]  # those from the root included
    styles: Mapping[int, str]  # by modifier


def draw(picture: Picture, *, width: int = 80, colour: bool = False, tags: bool = False) -> str:
    """Draw a sentence in lines of text that end with a newline.

    Parameters
    ----------
    picture : Picture
        With a system's tree, that tree's differences hang below the words.
    width : int
        Cells in a line; longer sentences go on below.
    colour : bool
        Whether to colour crossing arcs, differences and yields with gaps.
    tags : bool
        Whether to write UPOS below each word.
    """
    width = max(width, NARROWEST)
    metrics = Metrics(limit=width, spacing=1, port=1, padding=3, edge=2)
    longest = width - 2 * metrics.edge
    columns = [picture.forms, picture.tags] if tags else [picture.forms]
    rows = [[crop(printable(text), longest) for text in texts] for texts in columns]
    spans = _spans(picture, longest)
    nodes = _nodes(picture, longest, tags)
    above = _half(picture.tree, width, picture.different, "gold")
    below = Half([], {})
    if picture.system:
        whole = _half(picture.system, width, picture.different, "system")
        below = Half([arc for arc in whole.arcs if arc.modifier in picture.different], whole.styles)
    arcs = [*above.arcs, *below.arcs]
    extents = _extents(rows, arcs, spans)
    inserted = [Inserted(node.name, node.after, _extent(nodes[node.name])) for node in picture.empty_nodes]
    kinds = yield_kinds(picture.tree)
    parts = [_heading(picture, width, colour)]
    for place, line in enumerate(break_lines(extents, arcs, metrics, spans, inserted)):
        canvases = [_arcs(line, above, metrics), _words(line, rows, nodes), _tokens(line, spans, extents)]
        if below.arcs:
            canvases.append(_arcs(line, below, metrics).flipped())
        canvases.append(_yields(line, picture.tree, kinds, extents))
        if place:
            parts.append("")
        parts += [text for canvas in canvases for text in canvas.lines(colour)]
    return "\n".join(parts) + "\n"


def _half(tree: DrawnTree, width: int, different: Collection[int], style: str) -> Half:
    arcs = []
    for word, head in enumerate(tree.heads):
        if head >= 0:
            label = crop(printable(tree.relations[word]), width // 2)
            arcs.append(Arc(head, word, label, cell_width(label)))
    styles = dict.fromkeys(tree.anatomy.crossing, "crossing") | dict.fromkeys(different, style)
    return Half(arcs, styles)


def _spans(picture: Picture, longest: int) -> list[Span]:
    """Multiword tokens as brackets below their words."""
    spans = []
    for token in picture.tokens:
        label = crop(printable(token.form), longest - BRACKET)
        spans.append(Span(token.first, token.last, label, cell_width(label) + BRACKET))
    return spans


def _nodes(picture: Picture, longest: int, tags: bool) -> dict[str, list[str]]:
    """What is written for each empty node; parentheses tell it from a word where there are no colours."""
    return {
        node.name: [f"({crop(printable(node.form), longest - 2)})", *[crop(printable(node.tag), longest)] * tags]
        for node in picture.empty_nodes
    }


def _extent(texts: list[str]) -> Extent:
    width = max(map(cell_width, texts))
    return Extent(width // 2, width - width // 2)


def _extents(rows: list[list[str]], arcs: list[Arc], spans: list[Span]) -> list[Extent]:
    """Centre each word, and above a root its label, at a cell."""
    widths = [max(SMALLEST_WORD, *(cell_width(row[word]) for row in rows)) for word in range(len(rows[0]))]
    for arc in arcs:
        if arc.head == 0:
            widths[arc.modifier] = max(widths[arc.modifier], arc.room)
    for span in spans:
        if span.first == span.last:
            widths[span.first] = max(widths[span.first], span.room)
    return [Extent(width // 2, width - width // 2) for width in widths]


def _heading(picture: Picture, width: int, colour: bool) -> str:
    texts = [f"{picture.title()} ({picture.tree.place})"]
    if picture.system:
        texts.append(f"below: {picture.comparison()} ({picture.system.place})")
    texts += picture.notes
    lines = [line for text in texts for line in textwrap.wrap(printable(text), width, subsequent_indent="  ")]
    return "\n".join(styled(line, "heading", colour) for line in lines)


def _arcs(line: Line, half: Half, metrics: Metrics) -> Canvas:
    """Draw the arcs of one line above its words: a row of arrowheads, one a level, one for roots."""
    found = pieces(line, half.arcs, metrics)
    heights = levels(found)
    roots = [arc for arc in half.arcs if arc.head == 0 and line.first <= arc.modifier <= line.last]
    top = max(heights, default=0) + bool(roots)
    if not found and not roots:
        return Canvas(0, 0)
    canvas = Canvas(top + 1, line.width)
    drawn = [
        (piece, top - height, half.styles.get(piece.arc.modifier, ""))
        for piece, height in zip(found, heights, strict=True)
    ]
    for piece, row, style in drawn:
        _draw_span(canvas, row, piece, style)
    # The highest first: where arcs share a stem, the lower ones join it.
    for piece, row, style in sorted(drawn, key=lambda item: item[1]):
        _draw_stems(canvas, row, piece, style)
    for arc in roots:
        _draw_root(canvas, line.centres[arc.modifier], arc, half.styles.get(arc.modifier, "root"))
    for piece, row, style in drawn:
        _draw_label(canvas, row, piece, style)
    return canvas


def _draw_span(canvas: Canvas, row: int, piece: Piece, style: str) -> None:
    canvas.rule(row, piece.start, piece.end, "─", style)
    if piece.opens_left:
        canvas.put(row, piece.start, GOES_ON, style)
    if piece.opens_right:
        canvas.put(row, piece.end, GOES_ON, style)


def _draw_stems(canvas: Canvas, row: int, piece: Piece, style: str) -> None:
    bottom = len(canvas.cells) - 1
    for column, open_end, word, corners in (
        (piece.start, piece.opens_left, piece.arc.left, "┌├"),
        (piece.end, piece.opens_right, piece.arc.right, "┐┤"),
    ):
        if open_end:
            continue
        joins = row > 0 and canvas.cells[row - 1][column] in "│┌┐├┤" and word == piece.arc.head
        canvas.put(row, column, corners[joins], style)
        canvas.stem(column, row + 1, bottom, style)
        if word == piece.arc.modifier:
            canvas.put(bottom, column, "▼", style)


def _draw_root(canvas: Canvas, column: int, arc: Arc, style: str) -> None:
    canvas.put(0, column - arc.room // 2, arc.label, style)
    bottom = len(canvas.cells) - 1
    canvas.stem(column, 1, bottom, style)
    canvas.put(bottom, column, "▼", style)


def _draw_label(canvas: Canvas, row: int, piece: Piece, style: str) -> None:
    """Write the label on the free stretch nearest to the middle, shortened if none is long enough."""
    stretches = []
    start = piece.start
    for column in range(piece.start, piece.end + 2):
        if column > piece.end or canvas.cells[row][column] != "─":
            stretches.append((start, column - start))
            start = column + 1
    middle = (piece.start + piece.end) / 2
    start, length = max(
        (min(length, piece.arc.room), -abs(start + length / 2 - middle), (start, length))
        for start, length in stretches
    )[2]
    label = crop(piece.arc.label, length)
    canvas.put(row, start + (length - cell_width(label)) // 2, label, style)


def _words(line: Line, rows: list[list[str]], nodes: Mapping[str, list[str]]) -> Canvas:
    """Write forms, and tags if wanted, each centred."""
    canvas = Canvas(len(rows), line.width)
    for row, texts in enumerate(rows):
        for word, centre in line.centres.items():
            _centred(canvas, row, centre, texts[word], "tag" if row else "")
        for name, centre in line.inserted.items():
            _centred(canvas, row, centre, nodes[name][row], "tag")
    return canvas


def _centred(canvas: Canvas, row: int, centre: int, text: str, style: str) -> None:
    """Write a text; a mark keeps right-to-left words in their columns."""
    start = centre - cell_width(text) // 2
    canvas.put(row, start, text + LEFT_TO_RIGHT_MARK if is_right_to_left(text) else text, style)


def _tokens(line: Line, spans: list[Span], extents: list[Extent]) -> Canvas:
    """Draw a bracket below the words of each multiword token, its form on it; in two lines, on the second."""
    found = [(span, edges) for span in spans if (edges := bracket(line, span, extents))]
    canvas = Canvas(bool(found), line.width)
    for span, (start, after) in found:
        end = after - 1
        canvas.rule(0, start, end, "─", "tag")
        canvas.put(0, start, "└" if span.first >= line.first else GOES_ON, "tag")
        canvas.put(0, end, "┘" if span.last <= line.last else GOES_ON, "tag")
        if span.last <= line.last:
            label = crop(span.label, end - start - 1)
            middle = (start + 1 + end) // 2
            _centred(canvas, 0, middle, label, "")
    return canvas


def _yields(line: Line, tree: DrawnTree, kinds: Mapping[int, str], extents: list[Extent]) -> Canvas:
    """Underline the blocks of yields with gaps, a row each: those that interleave first."""
    rows = [word for word in kinds if _touches(tree.anatomy.blocks[word], line)]
    canvas = Canvas(len(rows), line.width)
    for row, word in enumerate(rows):
        blocks, style = tree.anatomy.blocks[word], YIELD_STYLES[kinds[word]]
        start = _edge(line, blocks[0][0], extents)[0]
        end = _edge(line, blocks[-1][1], extents)[1]
        canvas.rule(row, start, end, GOES_ON, style)
        for first, last in blocks:
            if last >= line.first and first <= line.last:
                start, end = _edge(line, first, extents)[0], _edge(line, last, extents)[1]
                canvas.rule(row, start, end, "━", style)
        if word in line.centres:
            canvas.put(row, line.centres[word], "●", style)
    return canvas


def _touches(blocks: list[tuple[int, int]], line: Line) -> bool:
    return blocks[0][0] <= line.last and blocks[-1][1] >= line.first


def _edge(line: Line, word: int, extents: list[Extent]) -> tuple[int, int]:
    """The cells of a word, or the edge of the line beyond which it lies."""
    if word < line.first:
        return 0, -1
    if word > line.last:
        return line.width, line.width - 1
    return line.centres[word] - extents[word].left, line.centres[word] + extents[word].right - 1
