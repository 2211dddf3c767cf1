"""A grid of terminal cells that is written to in any order and read line by line."""

from __future__ import annotations

from wnparse.drawing.cells import clusters

# Select Graphic Rendition codes; every difference in colour is one in shape or place too.
STYLES = {
    "crossing": "1;35",
    "gold": "1;36",
    "system": "1;31",
    "broken": "1;31",
    "marked": "1;33",
    "tag": "2",
    "root": "1",
    "heading": "1",
    "yield": "32",
    "first yield": "36",
    "second yield": "33",
}
BLANK = " "
UPSIDE_DOWN = str.maketrans("┌┐└┘▼", "└┘┌┐▲")


def styled(text: str, style: str, colour: bool) -> str:
    """Return a text with the escape codes of a style if `colour`."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if colour and style and text else text


class Canvas:
    """Cells in rows, from the top; a wide character fills its cell and empties the next."""

    def __init__(self, height: int, width: int) -> None:
        self.cells = [[BLANK] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text; characters beyond the edges are left out."""
        for cluster, width in clusters(text):
            if column >= 0 and column + width <= len(self.cells[row]):
                # A mark without its own letter joins the cell before it.
                target = column if width else max(column - 1, 0)
                self.cells[row][target] = cluster if width else self.cells[row][target] + cluster
                self.styles[row][target] = style
                if width == 2:
                    self.cells[row][column + 1] = ""
                    self.styles[row][column + 1] = style
            column += width

    def rule(self, row: int, start: int, end: int, cell: str, style: str) -> None:
        """Fill the cells of a row from start to end, both included."""
        self.cells[row][start : end + 1] = [cell] * (end - start + 1)
        self.styles[row][start : end + 1] = [style] * (end - start + 1)

    def stem(self, column: int, top: int, bottom: int, style: str) -> None:
        """Draw a vertical line from one row to another, both included, over whatever is there."""
        for row in range(top, bottom + 1):
            self.cells[row][column] = "│"
            self.styles[row][column] = style

    def flipped(self) -> Canvas:
        """Return the canvas upside down, for arcs below their words."""
        other = Canvas(0, 0)
        other.cells = [[cell.translate(UPSIDE_DOWN) for cell in row] for row in reversed(self.cells)]
        other.styles = list(reversed(self.styles))
        return other

    def lines(self, colour: bool) -> list[str]:
        """Return the rows as text, without blanks at their ends."""
        return [self._line(cells, styles, colour) for cells, styles in zip(self.cells, self.styles, strict=True)]

    @staticmethod
    def _line(cells: list[str], styles: list[str], colour: bool) -> str:
        text, run, style = "", "", ""
        for cell, cell_style in zip(cells, styles, strict=True):
            # A blank looks the same in every style.
            if cell_style != style and cell != BLANK:
                text, run, style = text + styled(run, style, colour), "", cell_style
            run += cell
        return text + styled(run.rstrip(BLANK), style, colour)
