"""Trees in a terminal: arcs of box-drawing characters above the words, a second tree's differences below.

Where two arcs cross, the vertical line passes over the horizontal one: ``─│─`` crosses, ``├``, ``┤`` join.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from typing import NamedTuple

from wnparse.drawing.canvas import Canvas, styled
from wnparse.drawing.cells import LEFT_TO_RIGHT_MARK, cell_width, crop, is_right_to_left
from wnparse.drawing.layout import (
    Arc,
    Extent,
    Inserted,
    Line,
    Metrics,
    Piece,
    Span,
    arcs_in,
    break_lines,
    edges,
    widen,
    yield_edges,
)
from wnparse.drawing.picture import DrawnTree, Picture, yield_kinds
from wnparse.wording import visible

NARROWEST = 20
SMALLEST_WORD = 3  # a cell for each port
YIELD_STYLES = {"first": "first yield", "second": "second yield", "other": "yield"}
CONTINUES = "┄"
BRACKET = 4  # cells around the form of a multiword token: two corners, two rules


class Half(NamedTuple):
    """The arcs on one side of the words."""

    arcs: list[Arc]  # those from the root included
    styles: dict[int, str]  # by modifier


def draw(
    picture: Picture, *, width: int = 80, colour: bool = False, tags: bool = False, captions: bool = True
) -> str:
    """Draw a sentence in lines of text that end with a newline.

    Parameters
    ----------
    picture : Picture
        If it has a system's tree, its differences are drawn below the words.
    width : int
        Cells per line; longer sentences continue below.
    colour : bool
        Whether to colour crossing arcs, differences and yields with gaps.
    tags : bool
        Whether to write UPOS below each word.
    captions : bool
        Whether to write the title, and notes, above the tree.
    """
    width = max(width, NARROWEST)
    metrics = Metrics(limit=width, spacing=1, port=1, padding=3, edge=2)
    longest = width - 2 * metrics.edge
    columns = [picture.forms, picture.tags] if tags else [picture.forms]
    rows = [[crop(visible(text), longest) for text in texts] for texts in columns]
    spans = _token_spans(picture, longest)
    nodes = _nodes(picture, longest, tags)
    above = _half(picture.tree, width, picture.different, "gold")
    above.styles.update(dict.fromkeys(picture.broken, "broken"))
    below = Half([], {})
    if picture.system:
        whole = _half(picture.system, width, picture.different, "system")
        below = Half([arc for arc in whole.arcs if arc.modifier in picture.different], whole.styles)
    arcs = [*above.arcs, *below.arcs]
    widths = [max(SMALLEST_WORD, *map(cell_width, texts)) for texts in zip(*rows, strict=True)]
    extents = [_centred_extent(cells) for cells in widen(widths, arcs, spans)]
    inserted = [
        Inserted(node.name, node.after, _centred_extent(max(map(cell_width, nodes[node.name]))))
        for node in picture.empty_nodes
    ]
    kinds = yield_kinds(picture.tree)
    parts = [_heading(picture, width, colour)] if captions else []
    for place, line in enumerate(break_lines(extents, arcs, metrics, spans, inserted)):
        canvases = [
            _arcs(line, above, metrics),
            _words(line, rows, nodes, picture.marked),
            _tokens(line, spans, extents),
        ]
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
            label = crop(visible(tree.relations[word]), width // 2)
            arcs.append(Arc(head, word, label, cell_width(label)))
    styles = dict.fromkeys(tree.anatomy.crossing, "crossing") | dict.fromkeys(different, style)
    return Half(arcs, styles)


def _token_spans(picture: Picture, longest: int) -> list[Span]:
    spans = []
    for token in picture.tokens:
        label = crop(visible(token.form), longest - BRACKET)
        spans.append(Span(token.first, token.last, label, cell_width(label) + BRACKET))
    return spans


def _nodes(picture: Picture, longest: int, tags: bool) -> dict[str, list[str]]:
    """Return the form and tag of each empty node; parentheses distinguish it from a word without colours."""
    return {
        node.name: [f"({crop(visible(node.form), longest - 2)})", *[crop(visible(node.tag), longest)] * tags]
        for node in picture.empty_nodes
    }


def _centred_extent(width: int) -> Extent:
    return Extent(width // 2, width - width // 2)


def _heading(picture: Picture, width: int, colour: bool) -> str:
    texts = [f"{picture.title()} ({picture.tree.place})"]
    if picture.system:
        texts.append(f"below: {picture.comparison()} ({picture.system.place})")
    texts += picture.notes
    lines = [line for text in texts for line in textwrap.wrap(visible(text), width, subsequent_indent="  ")]
    return "\n".join(styled(line, "heading", colour) for line in lines)


def _arcs(line: Line, half: Half, metrics: Metrics) -> Canvas:
    """Draw the arcs of one line above its words: a row of arrowheads, one per level, one for roots."""
    pieces, roots, levels = arcs_in(line, half.arcs, metrics)
    top = levels + bool(roots)
    if not top:
        return Canvas(0, 0)
    canvas = Canvas(top + 1, line.width)
    drawn = [(piece, top - level, half.styles.get(piece.arc.modifier, "")) for piece, level in pieces]
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
        canvas.put(row, piece.start, CONTINUES, style)
    if piece.opens_right:
        canvas.put(row, piece.end, CONTINUES, style)


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
    """Write the label on the free stretch nearest to the middle, shortened if no stretch is long enough."""
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


def _words(line: Line, rows: list[list[str]], nodes: Mapping[str, list[str]], marked: Collection[int]) -> Canvas:
    """Write the rows of forms and tags, each text centred."""
    canvas = Canvas(len(rows), line.width)
    for row, texts in enumerate(rows):
        for word, centre in line.centres.items():
            _centred(canvas, row, centre, texts[word], "tag" if row else "marked" if word in marked else "")
        for name, centre in line.inserted.items():
            _centred(canvas, row, centre, nodes[name][row], "tag")
    return canvas


def _centred(canvas: Canvas, row: int, centre: int, text: str, style: str) -> None:
    """Write a centred text; a mark keeps right-to-left words in their columns."""
    start = centre - cell_width(text) // 2
    canvas.put(row, start, text + LEFT_TO_RIGHT_MARK if is_right_to_left(text) else text, style)


def _tokens(line: Line, spans: list[Span], extents: list[Extent]) -> Canvas:
    """Draw a bracket with its form below each multiword token; the form is in the line where the token ends."""
    brackets = [(span, ends) for span in spans if (ends := edges(line, span.first, span.last, extents))]
    canvas = Canvas(bool(brackets), line.width)
    for span, (start, after) in brackets:
        end = after - 1
        canvas.rule(0, start, end, "─", "tag")
        canvas.put(0, start, "└" if span.first >= line.first else CONTINUES, "tag")
        canvas.put(0, end, "┘" if span.last <= line.last else CONTINUES, "tag")
        if span.last <= line.last:
            label = crop(span.label, end - start - 1)
            middle = (start + 1 + end) // 2
            _centred(canvas, 0, middle, label, "")
    return canvas


def _yields(line: Line, tree: DrawnTree, kinds: Mapping[int, str], extents: list[Extent]) -> Canvas:
    """Underline the blocks of yields with gaps, one row per yield: those that interleave first."""
    drawn = [(word, ends) for word in kinds if (ends := yield_edges(line, tree.anatomy.blocks[word], extents))]
    canvas = Canvas(len(drawn), line.width)
    for row, (word, (whole, blocks)) in enumerate(drawn):
        style = YIELD_STYLES[kinds[word]]
        canvas.rule(row, whole[0], whole[1] - 1, CONTINUES, style)
        for start, end in blocks:
            canvas.rule(row, start, end - 1, "━", style)
        if word in line.centres:
            canvas.put(row, line.centres[word], "●", style)
    return canvas
