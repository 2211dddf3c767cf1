"""Sentences from words and columns in Python: they are written as CoNLL-U, which the scanner then checks."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

EMPTY = "_"
Cell = str | Mapping[str, str] | None
Cells = Iterable[Cell] | None
Heads = Sequence[int | None] | npt.NDArray[np.integer]
# Tabs and line ends separate cells; surrogates are not characters.
_UNWRITABLE = re.compile("[\t\n\r\ud800-\udfff]")


def write_words(
    forms: Sequence[str], columns: Mapping[str, Cells], heads: Heads | None, comments: Mapping[str, str | None]
) -> bytes:
    """Write a sentence as CoNLL-U.

    Parameters
    ----------
    forms : sequence of str
        The words.
    columns : mapping
        The columns except HEAD, as the arguments of `Sentence.from_words` are called; None for an empty one.
    heads : sequence of int, optional
        n heads, or n + 1 with -1 for node 0; None and negative numbers are unknown heads.
    comments : mapping
        The comments; None for one that is left out.

    Raises
    ------
    TypeError, ValueError
        If a column has another length, or a value cannot be written.
    """
    if isinstance(forms, str):
        raise TypeError(f"the words are one str, {forms!r:.60}; expected a list of words")
    forms = list(forms)
    if "" in forms:
        raise ValueError(f"forms[{forms.index('')}] is empty; expected at least one character")
    rows = [range(1, len(forms) + 1), _write_cells("forms", forms, len(forms))]
    for name in ("lemmas", "upos", "xpos", "feats", "heads", "deprels", "deps", "misc"):
        values = _write_heads(heads) if name == "heads" else columns.get(name)
        rows.append([EMPTY] * len(forms) if values is None else _write_cells(name, values, len(forms)))
    lines = [f"# {name} = {_write_cell(name, value)}" for name, value in comments.items() if value is not None]
    lines += ["\t".join(map(str, row)) for row in zip(*rows, strict=True)]
    return "".join(f"{line}\n" for line in [*lines, ""]).encode()


def _write_cells(name: str, values: Iterable[Cell], words: int) -> list[str]:
    """Return the cells of a column; n + 1 values are those of nodes, of which node 0 is left out."""
    values = list(values)
    if len(values) == words + 1 and name in ("heads", "deprels") and values[0] in (EMPTY, "", None):
        del values[0]
    if len(values) != words:
        raise ValueError(f"{name} has {len(values)} values; expected {words}, one per word")
    return [_write_cell(f"{name}[{i}]", value) for i, value in enumerate(values)]


def _write_cell(place: str, value: Cell) -> str:
    if isinstance(value, Mapping):  # FEATS, in the order that Universal Dependencies requires, and MISC
        value = "|".join(f"{key}={value[key]}" for key in sorted(value, key=str.lower))
    if value is None or value == "":
        return EMPTY
    if not isinstance(value, str):
        raise TypeError(f"{place} is {value!r:.60}; expected a str")
    if _UNWRITABLE.search(value):
        raise ValueError(f"{place} is {value!r:.60}; expected text without tabs, line ends and surrogates")
    return value


def _write_heads(heads: Heads | None) -> list[str | None] | None:
    if heads is None:
        return None
    try:
        numbers = [-1 if head is None else operator.index(head) for head in heads]
    except TypeError:
        raise TypeError(f"the heads are {heads!r:.60}; expected one whole number or None per word") from None
    return [str(number) if number >= 0 else None for number in numbers]
