"""Tables as data: the terminal and the page show the same cells."""

from __future__ import annotations

from dataclasses import dataclass


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
