"""Names that a model holds: relations, tags, values of FEATS. How many there may be, and which can be written.

A name becomes a cell of CoNLL-U, so it cannot be empty or hold a tab or a line end. Labels are 15-bit numbers in
the tables of weights (cext/scorer/weights/frozen_label_weights.hpp).
"""

from __future__ import annotations

from collections.abc import Sequence

from wnparse._core.freezing import MOST_LABELS

LONGEST_NAME = 1_000  # characters
FORBIDDEN = {"\t": "a tab", "\n": "a line end", "\r": "a carriage return", "\0": "a NUL character"}


def fault_of_names(names: Sequence[str]) -> str | None:
    """Return what is wrong with names, each of which becomes a cell of CoNLL-U; None if all can be used.

    The names are searched as one text, because a tagger has many thousands of them.
    """
    if len(names) > MOST_LABELS:
        return f"{len(names):,} names; a model holds {MOST_LABELS:,}"
    distinct = set(names)
    if len(distinct) < len(names):
        return "the same name twice"
    return fault_of_texts(names) if "" not in distinct else "an empty name"


def fault_of_texts(texts: Sequence[str]) -> str | None:
    """Return what is wrong with texts that are written into cells of CoNLL-U; None if all can be used."""
    longest = max(map(len, texts), default=0)
    if longest > LONGEST_NAME:
        return f"a name of {longest:,} characters; a model holds names of up to {LONGEST_NAME:,}"
    joined = "".join(texts)
    forbidden = [description for character, description in FORBIDDEN.items() if character in joined]
    if forbidden:
        return f"a name with {forbidden[0]}"
    try:
        joined.encode()
    except UnicodeEncodeError:
        return "a name that is not valid Unicode"
    return None
