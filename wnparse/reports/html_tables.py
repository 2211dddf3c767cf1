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
    heading += element("p", escape(table.note)) if table.note else ""
    return heading + "".join(_band(band) for band in bands(table, WIDTH))


def result(sentence: str) -> str:
    """Write the sentence that says what a report found."""
    return element("p", escape(sentence), _class="result")


def beside(tables: Sequence[str], charts: Sequence[str]) -> str:
    """Put plots next to tables; on narrow screens they are below."""
    plots = element("h2", "Plots") + element("div", "".join(charts), _class="charts")
    return element("div", element("div", "".join(tables)) + element("div", plots), _class="beside")


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
    if len(cuts) <= 2 or table.texts:  # long texts are cropped
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
    groups, *rest = table.headings if len(table.headings) > 1 else [[], *table.headings]  # there may be none
    head = _row(_spans(groups)) if groups else ""
    head += "".join(_row([(cell, 1) for cell in row], table.texts) for row in rest)
    body = "".join(element("tr", _cells(row, table.texts)) for row in table.rows)
    content = element("thead", head) + element("tbody", body)
    return element("div", element("table", content), _class="wide")


def _cells(row: Sequence[str], texts: int) -> str:
    """Write the cells of a row; one that has a name only is a heading, which extends over the empty cells."""
    if row[0] and not any(row[1:]):
        return element("td", escape(row[0]), colspan=len(row))
    figures = len(row) - texts
    cells = [element("td", escape(cell)) for cell in row[:figures]]
    return "".join([*cells, *(element("td", escape(cell), _class="words", dir="auto") for cell in row[figures:])])


def _row(cells: Sequence[tuple[str, int]], texts: int = 0) -> str:
    parts = [
        element(
            "th",
            escape(cell).replace("/", "/<wbr>"),
            scope="col",
            colspan=span if span > 1 else None,
            _class="words" if place >= len(cells) - texts else "",
        )
        for place, (cell, span) in enumerate(cells)
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
