"""Positions of words and arcs: lines, columns and levels, in any unit that the caller chooses.

Words are placed from left to right, each as near to the last as its width and the labels of the arcs that end at
it allow: O(n + arcs). A full line continues below; an arc between two lines is drawn in pieces. An arc is above
those that it contains, and next to or above those that it overlaps: O(arcs^2) per line.

Other things than words may be inserted between words. Words that are written as one stay in one line if they fit.

A word has three ports: the arc from its head ends at its centre, the arcs to its modifiers begin next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Arc(NamedTuple):
    """An arc between two words, or from the root (head 0)."""

    head: int
    modifier: int
    label: str
    room: int  # width of the label

    @property
    def left(self) -> int:
        """The word at its left end; 0 for the root."""
        return min(self.head, self.modifier)

    @property
    def right(self) -> int:
        """The word at its right end."""
        return max(self.head, self.modifier)


class Extent(NamedTuple):
    """The width of a word on either side of its centre; a cell at the centre counts as right of it."""

    left: int
    right: int


class Span(NamedTuple):
    """A bracket below some words that are written as one."""

    first: int
    last: int
    label: str
    room: int  # width of label and bracket


class Inserted(NamedTuple):
    """Something between two words that has no arcs."""

    name: str
    after: int  # the word before it; 0 at the beginning of the sentence
    extent: Extent


class Metrics(NamedTuple):
    """The distances of a drawing."""

    limit: int  # width of a line
    spacing: int  # between two words
    port: int  # from the centre of a word to where its arcs to modifiers begin
    padding: int  # on both sides of a label together
    edge: int  # free width at the ends of broken lines, for arcs that continue


class Line(NamedTuple):
    """Some consecutive words and their positions; without words, `first` is `last` + 1."""

    centres: dict[int, int]  # by word
    inserted: dict[str, int]  # centres of inserted things, by name
    width: int
    first: int
    last: int


class Piece(NamedTuple):
    """The part of an arc that is in one line."""

    arc: Arc
    start: int
    end: int
    opens_left: bool  # whether the arc continues in the line before
    opens_right: bool  # or in the line after

    def has_room(self, metrics: Metrics) -> bool:
        """Whether the label fits; if it does not fit at the end of a line, it is at the other end of the arc."""
        return not self.opens_right or self.end - self.start >= self.arc.room + metrics.padding


class LineArcs(NamedTuple):
    """The arcs of a line."""

    pieces: list[tuple[Piece, int]]  # of arcs between words, each with its level, from 1
    roots: list[Arc]  # from the root
    top: int  # the highest level of a piece


def widen(widths: Sequence[int], arcs: Sequence[Arc], spans: Sequence[Span]) -> list[int]:
    """Return the widths of words with enough room for the labels of roots and of brackets below a single word."""
    widened = list(widths)
    for arc in arcs:
        if arc.head == 0:
            widened[arc.modifier] = max(widened[arc.modifier], arc.room)
    for span in spans:
        if span.first == span.last:
            widened[span.first] = max(widened[span.first], span.room)
    return widened


def break_lines(
    extents: Sequence[Extent],
    arcs: Sequence[Arc],
    metrics: Metrics,
    spans: Sequence[Span] = (),
    inserted: Sequence[Inserted] = (),
) -> list[Line]:
    """Place the words 1..n in lines; `extents` has n + 1 items, the first of which is not used."""
    typesetter = _Typesetter(extents, arcs, metrics._replace(edge=0), spans, inserted)
    lines = typesetter.lines()
    if len(lines) > 1:
        typesetter.metrics = metrics  # with edges, where arcs continue in the next line
        lines = typesetter.lines()
    return lines


@dataclass
class _Typesetter:
    """Fills each line before it begins the next; only a single word may be wider than the limit."""

    extents: Sequence[Extent]
    arcs: Sequence[Arc]
    metrics: Metrics
    spans: Sequence[Span]
    inserted: Sequence[Inserted]

    def __post_init__(self) -> None:
        self.ending: list[list[Arc]] = [[] for _ in self.extents]
        for arc in self.arcs:
            if arc.left > 0:
                self.ending[arc.right].append(arc)
        self.span_of = {word: span for span in self.spans for word in range(span.first, span.last + 1)}
        self.items: list[int | Inserted] = [*range(1, len(self.extents)), *self.inserted]
        # A word comes before what is inserted after it; what is inserted keeps its order.
        self.items.sort(key=lambda item: item if isinstance(item, int) else item.after + 0.5)

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        start = last = 0
        while start < len(self.items):
            centres, end, start = self._line(start)
            words = {item: centre for item, centre in centres.items() if isinstance(item, int)}
            others = {item.name: centre for item, centre in centres.items() if isinstance(item, Inserted)}
            first, last = last + 1, last + len(words)
            lines.append(Line(words, others, end + self.metrics.edge, first, last))
        return lines

    def _line(self, start: int) -> tuple[dict[int | Inserted, int], int, int]:
        """Fill one line; return the centres, where it ends, and the index of the first item of the next."""
        centres: dict[int | Inserted, int] = {}
        ends = [0]
        for place in range(start, len(self.items)):
            item = self.items[place]
            centre = self._centre(item, centres, ends[-1])
            end = centre + self._extent(item).right
            if centres and end + self.metrics.edge > self.metrics.limit:
                after = self._break_before(start, place)
                return {item: centres[item] for item in self.items[start:after]}, ends[after - start], after
            centres[item] = centre
            ends.append(end)
        return centres, ends[-1], len(self.items)

    def _break_before(self, start: int, place: int) -> int:
        """Return where to end a line that has no room for an item: not among words that are written as one."""
        item = self.items[place]
        span = self.span_of.get(item if isinstance(item, int) else item.after)
        if span is None or (not isinstance(item, int) and item.after == span.last):
            return place
        first = self.items.index(span.first, 0, place + 1)
        return first if first > start else place

    def _extent(self, item: int | Inserted) -> Extent:
        return self.extents[item] if isinstance(item, int) else item.extent

    def _centre(self, item: int | Inserted, centres: dict[int | Inserted, int], end: int) -> int:
        """Return the leftmost centre at which a word and the labels of the arcs that end there have room."""
        own, metrics = self._extent(item), self.metrics
        centre = (end + metrics.spacing if centres else metrics.edge) + own.left
        if isinstance(item, Inserted):
            return centre
        for arc in self.ending[item]:
            # A label needs its room between the two ports, one of which is the head's.
            needed = arc.room + metrics.padding + metrics.port
            centre = max(centre, centres.get(arc.left, -metrics.port) + needed)
        span = self.span_of.get(item)
        if span and span.first < span.last == item:
            begin = centres[span.first] - self.extents[span.first].left if span.first in centres else 0
            centre = max(centre, begin + span.room - own.right)
        # If the line is too short for a word and its labels, the labels lose room.
        return centre if centres else min(centre, max(metrics.limit - metrics.edge - own.right, own.left))


def edges(line: Line, first: int, last: int, extents: Sequence[Extent]) -> tuple[int, int] | None:
    """Return where the words from `first` to `last` begin and end in a line; None if none of them is there."""
    if last < line.first or first > line.last:
        return None
    start = line.centres[first] - extents[first].left if first >= line.first else 0
    end = line.centres[last] + extents[last].right if last <= line.last else line.width
    return start, end


def yield_edges(
    line: Line, blocks: Sequence[tuple[int, int]], extents: Sequence[Extent]
) -> tuple[tuple[int, int], list[tuple[int, int]]] | None:
    """Return where a yield begins and ends in a line, and where its blocks do; None if it is not in the line."""
    whole = edges(line, blocks[0][0], blocks[-1][1], extents)
    if whole is None:
        return None
    return whole, [ends for first, last in blocks if (ends := edges(line, first, last, extents))]


def arcs_in(line: Line, arcs: Sequence[Arc], metrics: Metrics) -> LineArcs:
    """Cut arcs to a line, and give the pieces levels."""
    pieces, roots = [], []
    for arc in arcs:
        if arc.right < line.first or arc.left > line.last:
            continue
        if arc.head == 0:
            if arc.modifier <= line.last:
                roots.append(arc)
            continue
        opens_left, opens_right = arc.left < line.first, arc.right > line.last
        start = 0 if opens_left else line.centres[arc.left] + metrics.port * (arc.left == arc.head)
        end = line.width - 1 if opens_right else line.centres[arc.right] - metrics.port * (arc.right == arc.head)
        pieces.append(Piece(arc, start, end, opens_left, opens_right))
    levels = _levels(pieces)
    return LineArcs(list(zip(pieces, levels, strict=True)), roots, max(levels, default=0))


def _levels(pieces: Sequence[Piece]) -> list[int]:
    """Return the level of each piece, from 1: above those that it contains, and touching none of its level."""
    levels = [0] * len(pieces)
    order = sorted(range(len(pieces)), key=lambda index: (pieces[index].end - pieces[index].start, index))
    for place, index in enumerate(order):
        piece = pieces[index]
        overlapping = [
            other
            for other in order[:place]
            if pieces[other].start <= piece.end and piece.start <= pieces[other].end
        ]
        contained = (
            levels[other]
            for other in overlapping
            if piece.start <= pieces[other].start and pieces[other].end <= piece.end
        )
        level = 1 + max(contained, default=0)
        taken = {levels[other] for other in overlapping}
        while level in taken:
            level += 1
        levels[index] = level
    return levels
