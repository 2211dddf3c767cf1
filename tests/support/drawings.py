"""A reader of drawings in a terminal: it follows the lines back to the heads."""

from __future__ import annotations

from wnparse.drawing.cells import clusters

LABELS = ("a", "det", "nsubj", "acl:relcl")


def grid(text: str) -> list[list[str]]:
    """Cells of each line; the second one of a wide character is empty."""
    lines = []
    for line in text.splitlines():
        cells: list[str] = []
        for cluster, width in clusters(line):
            cells += [cluster, *[""] * (width - 1)]
        lines.append(cells)
    return lines


def at(cells: list[list[str]], row: int, column: int) -> str:
    return cells[row][column] if 0 <= row < len(cells) and 0 <= column < len(cells[row]) else " "


def read_back(cells: list[list[str]]) -> list[tuple[int, str]]:
    """Heads and labels of a drawing in one line, from its rows of arcs alone (arrowheads in the last)."""
    bottom = len(cells) - 1
    centres = [column for column, cell in enumerate(cells[bottom]) if cell == "▼"]
    arcs = []
    for column in centres:
        row = bottom - 1
        while row >= 0 and at(cells, row, column) == "│":
            row -= 1
        corner = at(cells, row, column)
        if corner not in ("┌", "┐"):
            assert row == 0, f"the stem in column {column} ends at {corner!r} in row {row}"
            arcs.append((0, "".join(cells[0][_start(cells[0], column) : _end(cells[0], column)])))
            continue
        step, ends = (-1, "┌├") if corner == "┐" else (1, "┐┤")
        port, letters = column + step, ""
        while at(cells, row, port) not in tuple(ends):
            letters += at(cells, row, port).strip("─│")
            assert at(cells, row, port) != " ", f"the arc from column {column} breaks off in row {row}"
            port += step
        arcs.append((centres.index(port + step) + 1, letters[::step]))
    return arcs


def _start(cells: list[str], column: int) -> int:
    while column > 0 and cells[column - 1] != " ":
        column -= 1
    return column


def _end(cells: list[str], column: int) -> int:
    while column < len(cells) and cells[column] != " ":
        column += 1
    return column
