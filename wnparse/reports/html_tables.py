"""Tables of a page: what is wider than a page goes on below, so that nothing is out of sight or lost in print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from wnparse.drawing.markup import element, escape, text_width
from wnparse.drawing.page import WIDTH
from wnparse.reports.tables import Table

FONT = 14  # pixels, as the style sheet has it
PADDING = 17  # of a cell, both sides


def html_table(table: Table, *, title: bool = True) -> str:
    """Write a table for a page; one that is wider than the page goes on in further tables below."""
    heading = element("h2", escape(table.title)) if title and table.title else ""
    return heading + "".join(_band(band) for band in bands(table, WIDTH))


def bands(table: Table, limit: float) -> list[Table]:
    """Cut a table into tables of so many pixels, as few and as even as can be.

    Columns that the headings group stay together, and every table begins with the columns that name its rows.
    """
    # Rows that have a name only spread over the others' columns.
    columns = list(zip(*table.headings, *(row for row in table.rows if any(row[1:])), strict=True))
    groups = table.headings[0] if len(table.headings) > 1 else _apart(table)
    starts = [place for place, name in enumerate(groups) if name]
    widths = [_column_width(column, len(table.headings)) for column in columns]
    first = starts[0] if starts else len(groups)
    ends = [*starts[1:], len(groups)]
    needed = [sum(widths[start:end]) for start, end in zip(starts, ends, strict=True)]
    room = limit - sum(widths[:first])
    cuts = _even_cuts(needed, room)
    if len(cuts) <= 2:
        return [table]
    found = []
    for low, high in pairwise(cuts):
        kept = [*range(first), *range(starts[low], ends[high - 1])]
        headings, rows = ([[row[k] for k in kept] for row in part] for part in (table.headings, table.rows))
        found.append(Table(table.title, headings, rows))
    return found


def _apart(table: Table) -> list[str]:
    """Groups of one column each, whatever their headings; the first column names the rows."""
    return ["", *["apart"] * (len(table.headings[0]) - 1)]


def _column_width(cells: Sequence[str], headings: int) -> float:
    """Headings break between words and after each part of a path, other cells do not."""
    parts = [part for cell in cells[:headings] for part in re.split("(?<=/)| ", cell)]
    return max(text_width(text, FONT) for text in [*parts, *cells[headings:]]) + PADDING


def _even_cuts(needed: Sequence[float], room: float) -> list[int]:
    """Where to cut a row of widths: no stretch wider than there is room, unless it has one part only."""
    count = 1
    while True:
        # The same number in each, the first ones one more.
        cuts = [-(-len(needed) * place // count) for place in range(count + 1)]
        if count >= len(needed) or all(sum(needed[low:high]) <= room for low, high in pairwise(cuts)):
            return cuts
        count += 1


def _band(table: Table) -> str:
    groups, *rest = table.headings if len(table.headings) > 1 else [[], *table.headings]
    head = _row(_spans(groups)) if groups else ""
    head += "".join(_row([(cell, 1) for cell in row]) for row in rest)
    body = "".join(element("tr", _cells(row)) for row in table.rows)
    content = element("thead", head) + element("tbody", body)
    return element("div", element("table", content), _class="wide")


def _cells(row: Sequence[str]) -> str:
    """A row that has a name only is a heading, and takes the room of the empty cells too."""
    if row[0] and not any(row[1:]):
        return element("td", escape(row[0]), colspan=len(row))
    return "".join(element("td", escape(cell)) for cell in row)


def _row(cells: Sequence[tuple[str, int]]) -> str:
    parts = [
        element("th", escape(cell).replace("/", "/<wbr>"), scope="col", colspan=span if span > 1 else None)
        for cell, span in cells
    ]
    return element("tr", "".join(parts))


def _spans(cells: list[str]) -> list[tuple[str, int]]:
    """Join each group's name with the empty cells after it."""
    spans: list[tuple[str, int]] = []
    for cell in cells:
        if cell or not spans or not spans[-1][0]:
            spans.append((cell, 1))
        else:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
    return spans
