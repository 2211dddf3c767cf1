"""Tables as data: the terminal and the page show the same cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wnparse.drawing.markup import element, escape


@dataclass(frozen=True)
class Table:
    """Cells as text; the first column names the rows."""

    title: str
    headings: list[list[str]]  # one row, or two: the upper names groups of columns, each at its first
    rows: list[list[str]]

    @property
    def lines(self) -> list[list[str]]:
        """All rows, headings first."""
        return [*self.headings, *self.rows]


def html_table(table: Table, *, title: bool = True) -> str:
    """Write a table for a page; what is wider than the page scrolls."""
    groups, *rest = table.headings if len(table.headings) > 1 else [[], *table.headings]
    head = _row(_spans(groups)) if groups else ""
    head += "".join(_row([(cell, 1) for cell in row]) for row in rest)
    body = "".join(element("tr", "".join(element("td", escape(cell)) for cell in row)) for row in table.rows)
    heading = element("h2", escape(table.title)) if title and table.title else ""
    content = element("thead", head) + element("tbody", body)
    return heading + element("div", element("table", content), _class="wide")


def _row(cells: Sequence[tuple[str, int]]) -> str:
    parts = [element("th", escape(cell), scope="col", colspan=span if span > 1 else None) for cell, span in cells]
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


def short_names(names: list[str]) -> list[str]:
    """The last parts of the paths, as many as tell them apart."""
    for parts in range(1, max(name.count("/") for name in names) + 2):
        short = ["/".join(name.split("/")[-parts:]) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return names
