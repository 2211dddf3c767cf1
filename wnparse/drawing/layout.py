"""Where words and arcs stand: lines, columns and levels, in whatever unit the caller measures.

Words are set from left to right, each as near to the last as its width, and the labels of the arcs that end at
it, allow: O(n + arcs). A line that is full goes on below; an arc between two lines is drawn in pieces. An arc
lies above those that it contains, and beside or above those that it overlaps: O(arcs^2) a line.

Between words, what is no word may be inserted. Words that are written as one stay in one line if they fit.

A word has three ports: its arc from its head ends at its centre, those to its modifiers begin beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Arc:
    """An arc between two words, or from the root (head 0)."""

    head: int
    modifier: int
    label: str
    room: int  # what the label needs

    @property
    def left(self) -> int:
        """The word at its left end; 0 for the root."""
        return min(self.head, self.modifier)

    @property
    def right(self) -> int:
        """The word at its right end."""
        return max(self.head, self.modifier)


@dataclass(frozen=True)
class Extent:
    """What a word takes on either side of its centre; a cell at the centre counts as right of it."""

    left: int
    right: int


@dataclass(frozen=True)
class Span:
    """A bracket below some words that are written as one."""

    first: int
    last: int
    label: str
    room: int  # what label and bracket need


@dataclass(frozen=True)
class Inserted:
    """Something between two words that no arc goes to."""

    name: str
    after: int  # the word before it; 0 for what comes before the first
    extent: Extent


@dataclass(frozen=True)
class Metrics:
    """The distances of a drawing."""

    limit: int  # width of a line
    spacing: int  # between two words
    port: int  # from the centre of a word to where its arcs to modifiers begin
    padding: int  # beside a label, in all
    edge: int  # room left at the ends of broken lines for arcs that go on


@dataclass(frozen=True)
class Line:
    """Some consecutive words, and where they stand; without any, `first` is one more than `last`."""

    centres: dict[int, int]  # by word
    inserted: dict[str, int]  # centres of what is no word, by name
    width: int
    first: int
    last: int


@dataclass(frozen=True)
class Piece:
    """As much of an arc as one line holds."""

    arc: Arc
    start: int
    end: int
    opens_left: bool  # whether it goes on in the line before
    opens_right: bool  # or in the line after

    def has_room(self, metrics: Metrics) -> bool:
        """Whether the label fits; at the end of a line it may not, and then stands at the arc's other end."""
        return not self.opens_right or self.end - self.start >= self.arc.room + metrics.padding


def break_lines(
    extents: Sequence[Extent],
    arcs: Sequence[Arc],
    metrics: Metrics,
    spans: Sequence[Span] = (),
    inserted: Sequence[Inserted] = (),
) -> list[Line]:
    """Set the words 1..n in lines; `extents` has n + 1 of them, the first unused."""
    lines = _Setter(extents, arcs, replace(metrics, edge=0), spans, inserted).lines()
    return lines if len(lines) <= 1 else _Setter(extents, arcs, metrics, spans, inserted).lines()


class _Setter:
    """Fills each line before the next is begun; only a single word may go beyond the limit."""

    def __init__(
        self,
        extents: Sequence[Extent],
        arcs: Sequence[Arc],
        metrics: Metrics,
        spans: Sequence[Span],
        inserted: Sequence[Inserted],
    ) -> None:
        self.extents = extents
        self.metrics = metrics
        self.ending: list[list[Arc]] = [[] for _ in extents]
        for arc in arcs:
            if arc.left > 0:
                self.ending[arc.right].append(arc)
        self.span_of = {word: span for span in spans for word in range(span.first, span.last + 1)}
        self.items: list[int | Inserted] = [*range(1, len(extents)), *inserted]
        # A word comes before what is inserted after it; what is inserted keeps its order.
        self.items.sort(key=lambda item: item if isinstance(item, int) else item.after + 0.5)

    def lines(self) -> list[Line]:
        """Set everything."""
        found: list[Line] = []
        start = last = 0
        while start < len(self.items):
            centres, end, start = self._line(start)
            words = {item: centre for item, centre in centres.items() if isinstance(item, int)}
            others = {item.name: centre for item, centre in centres.items() if isinstance(item, Inserted)}
            first, last = last + 1, last + len(words)
            found.append(Line(words, others, end + self.metrics.edge, first, last))
        return found

    def _line(self, start: int) -> tuple[dict[int | Inserted, int], int, int]:
        """Set one line; return the centres, where it ends, and the place of the first item of the next."""
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
        """Where to end a line that has no room for an item: not among words that are written as one."""
        item = self.items[place]
        span = self.span_of.get(item if isinstance(item, int) else item.after)
        if span is None or (not isinstance(item, int) and item.after == span.last):
            return place
        first = self.items.index(span.first, 0, place + 1)
        return first if first > start else place

    def _extent(self, item: int | Inserted) -> Extent:
        return self.extents[item] if isinstance(item, int) else item.extent

    def _centre(self, item: int | Inserted, centres: dict[int | Inserted, int], end: int) -> int:
        """The leftmost centre at which a word and the labels of what ends there have room."""
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
        # What cannot fit a line of its own loses room for its label rather than for itself.
        return centre if centres else min(centre, max(metrics.limit - metrics.edge - own.right, own.left))


def bracket(line: Line, span: Span, extents: Sequence[Extent]) -> tuple[int, int] | None:
    """Where the bracket of a span begins and ends in a line, or None; beyond the words, at the line's edges."""
    if span.last < line.first or span.first > line.last:
        return None
    start = line.centres[span.first] - extents[span.first].left if span.first >= line.first else 0
    end = line.centres[span.last] + extents[span.last].right if span.last <= line.last else line.width
    return start, end


def pieces(line: Line, arcs: Sequence[Arc], metrics: Metrics) -> list[Piece]:
    """Cut the arcs between words to what a line holds of them."""
    found = []
    for arc in arcs:
        if arc.head <= 0 or arc.right < line.first or arc.left > line.last:
            continue
        opens_left, opens_right = arc.left < line.first, arc.right > line.last
        start = 0 if opens_left else line.centres[arc.left] + metrics.port * (arc.left == arc.head)
        end = line.width - 1 if opens_right else line.centres[arc.right] - metrics.port * (arc.right == arc.head)
        found.append(Piece(arc, start, end, opens_left, opens_right))
    return found


def levels(found: Sequence[Piece]) -> list[int]:
    """The height of each piece, from 1: above what it contains, and touching nothing of the same height."""
    result = [0] * len(found)
    order = sorted(range(len(found)), key=lambda index: (found[index].end - found[index].start, index))
    for place, index in enumerate(order):
        piece = found[index]
        over = [other for other in order[:place] if _overlap(found[other], piece)]
        contained = (result[other] for other in over if _contains(piece, found[other]))
        level = 1 + max(contained, default=0)
        taken = {result[other] for other in over}
        while level in taken:
            level += 1
        result[index] = level
    return result


def _overlap(first: Piece, second: Piece) -> bool:
    return first.start <= second.end and second.start <= first.end


def _contains(outer: Piece, inner: Piece) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
