"""Tables in HTML; one that is wider than a page continues below, so that no column is hidden or lost in print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from wnparse.drawing.markup import element, escape, text_width
from wnparse.drawing.page import WIDTH
from wnparse.reports.tables import Table

FONT = 14  # pixels, as in the style sheet
PADDING = 17  # of a cell, both sides


def html_table(table: Table) -> str:
    """Write a table for a page; if it is wider than the page, it continues in further tables below."""
    heading = element("h2", escape(table.title)) if table.title else ""
    return heading + "".join(_band(band) for band in bands(table, WIDTH))


def bands(table: Table, limit: float) -> list[Table]:
    """Cut a table into as few tables of at most `limit` pixels as possible, of about the same width.

    Columns that the headings group stay together, and every table begins with the columns that name its rows.
    """
    # Rows that have a name only extend over the columns of the others.
    columns = list(zip(*table.headings, *(row for row in table.rows if any(row[1:])), strict=True))
    widths = [_column_width(column, len(table.headings)) for column in columns]
    starts = list(range(1, len(columns)))  # of the groups: single columns unless the upper headings name groups
    if len(table.headings) > 1:
        starts = [place for place, name in enumerate(table.headings[0]) if name]
    first = starts[0] if starts else len(columns)
    ends = [*starts[1:], len(columns)]
    needed = [sum(widths[start:end]) for start, end in zip(starts, ends, strict=True)]
    cuts = _even_cuts(needed, limit - sum(widths[:first]))
    if len(cuts) <= 2:
        return [table]
    tables = []
    for low, high in pairwise(cuts):
        chosen = [*range(first), *range(starts[low], ends[high - 1])]
        headings, rows = ([[row[k] for k in chosen] for row in part] for part in (table.headings, table.rows))
        tables.append(Table(table.title, headings, rows))
    return tables


def _column_width(cells: Sequence[str], headings: int) -> float:
    """Estimate the width; headings break between words and after each part of a path, other cells do not."""
    parts = [part for cell in cells[:headings] for part in re.split("(?<=/)| ", cell)]
    return max(text_width(text, FONT) for text in [*parts, *cells[headings:]]) + PADDING


def _even_cuts(needed: Sequence[float], room: float) -> list[int]:
    """Return where to cut a row of widths: no part is wider than the room, unless it is a single width."""
    count = 1
    while True:
        # The same number in each part, or one more in the first ones.
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
    """Write the cells of a row; one that has a name only is a heading, which extends over the empty cells."""
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
