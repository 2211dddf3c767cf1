"""Tables as data, so that the terminal and the page show the same cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """The cells of a table as text; the first column names the rows."""

    title: str
    headings: list[list[str]]  # one row, or two: the upper one names groups of columns, at the first of each
    rows: list[list[str]]
    texts: int = 0  # the last columns that are texts, and not figures
    note: str = ""  # below the title on a page

    @property
    def lines(self) -> list[list[str]]:
        """The headings and the rows."""
        return [*self.headings, *self.rows]
