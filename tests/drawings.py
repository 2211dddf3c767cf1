"""Sentences for the tests of drawings, and a reader of drawings: it follows the lines back to the heads."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from wnparse.conllu import Sentence, parse_sentence
from wnparse.drawing.cells import clusters

LABELS = ("a", "det", "nsubj", "acl:relcl")


def conllu(
    forms: Sequence[str], heads: Sequence[int], labels: Sequence[str] = (), *, sent_id: str = "", tag: str = "X"
) -> bytes:
    """One sentence; heads without that of node 0, a negative one is missing."""
    lines = [f"# sent_id = {sent_id}"] if sent_id else []
    for word, (form, head) in enumerate(zip(forms, heads, strict=True), 1):
        label = labels[word - 1] if labels else "root" if head == 0 else "dep"
        shown = "_" if head < 0 else str(head)
        lines.append(f"{word}\t{form}\t_\t{tag}\t_\t_\t{shown}\t{label}\t_\t_")
    return ("\n".join(lines) + "\n\n").encode()


def sentence(forms: Sequence[str] | str, heads: Sequence[int], labels: Sequence[str] | str = ()) -> Sentence:
    forms = forms.split() if isinstance(forms, str) else forms
    labels = labels.split() if isinstance(labels, str) else labels
    return parse_sentence(conllu(forms, heads, labels), path="t.conllu")


@st.composite
def trees(draw: st.DrawFn, most: int = 12, least: int = 1) -> list[int]:
    """Heads of a random tree, without that of node 0: words in random order, each below one before it."""
    n = draw(st.integers(least, most))
    order = [0, *draw(st.permutations(range(1, n + 1)))]
    heads = [0] * (n + 1)
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    return heads[1:]


def pairs(most: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    """Two trees over the same words."""
    return st.integers(1, most).flatmap(lambda n: st.tuples(trees(n, n), trees(n, n)))


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
    found = []
    for column in centres:
        row = bottom - 1
        while row >= 0 and at(cells, row, column) == "│":
            row -= 1
        corner = at(cells, row, column)
        if corner not in ("┌", "┐"):
            assert row == 0, f"the stem in column {column} ends at {corner!r} in row {row}"
            found.append((0, "".join(cells[0][_start(cells[0], column) : _end(cells[0], column)])))
            continue
        step, ends = (-1, "┌├") if corner == "┐" else (1, "┐┤")
        port, letters = column + step, ""
        while at(cells, row, port) not in tuple(ends):
            letters += at(cells, row, port).strip("─│")
            assert at(cells, row, port) != " ", f"the arc from column {column} breaks off in row {row}"
            port += step
        found.append((centres.index(port + step) + 1, letters[::step]))
    return found


def _start(cells: list[str], column: int) -> int:
    while column > 0 and cells[column - 1] != " ":
        column -= 1
    return column


def _end(cells: list[str], column: int) -> int:
    while column < len(cells) and cells[column] != " ":
        column += 1
    return column
