"""Where words and arcs stand: lines, columns and levels, in whatever unit the caller measures.

Words are set from left to right, each as near to the last as its width, and the labels of the arcs that end at
it, allow: O(n + arcs). A line that is full goes on below; an arc between two lines is drawn in pieces. An arc
lies above those that it contains, and beside or above those that it overlaps: O(arcs^2) a line.

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
class Metrics:
    """The distances of a drawing."""

    limit: int  # width of a line
    spacing: int  # between two words
    port: int  # from the centre of a word to where its arcs to modifiers begin
    padding: int  # beside a label, in all
    edge: int  # room left at the ends of broken lines for arcs that go on


@dataclass(frozen=True)
class Line:
    """Some consecutive words, and where they stand."""

    centres: dict[int, int]  # by word
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


def break_lines(extents: Sequence[Extent], arcs: Sequence[Arc], metrics: Metrics) -> list[Line]:
    """Set the words 1..n in lines; `extents` has n + 1 of them, the first unused."""
    ending: list[list[Arc]] = [[] for _ in extents]
    for arc in arcs:
        if arc.left > 0:
            ending[arc.right].append(arc)
    lines = _set_words(extents, ending, replace(metrics, edge=0))
    return lines if len(lines) <= 1 else _set_words(extents, ending, metrics)


def _set_words(extents: Sequence[Extent], ending: list[list[Arc]], metrics: Metrics) -> list[Line]:
    """Fill each line before the next is begun; only a single word may go beyond the limit."""
    lines: list[Line] = []
    centres: dict[int, int] = {}

    def finish() -> None:
        first, last = min(centres), max(centres)
        width = centres[last] + extents[last].right + metrics.edge
        lines.append(Line(dict(centres), width, first, last))
        centres.clear()

    for word in range(1, len(extents)):
        centre = _centre(word, centres, extents, ending[word], metrics)
        if centres and centre + extents[word].right + metrics.edge > metrics.limit:
            finish()
            centre = _centre(word, centres, extents, ending[word], metrics)
        centres[word] = centre
    if centres:
        finish()
    return lines


def _centre(
    word: int, centres: dict[int, int], extents: Sequence[Extent], ending: list[Arc], metrics: Metrics
) -> int:
    """The leftmost centre at which a word and the labels of the arcs that end there have room."""
    own = extents[word]
    if centres:
        centre = centres[word - 1] + extents[word - 1].right + metrics.spacing + own.left
    else:
        centre = metrics.edge + own.left
    for arc in ending:
        # A label needs its room between the two ports, one of which is the head's.
        needed = arc.room + metrics.padding + metrics.port
        centre = max(centre, centres.get(arc.left, -metrics.port) + needed)
    # What cannot fit a line of its own loses room for its label rather than for itself.
    return centre if centres else min(centre, max(metrics.limit - metrics.edge - own.right, own.left))


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
