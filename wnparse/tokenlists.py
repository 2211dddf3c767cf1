"""Sentences of the ``conllu`` library that were made by hand: with few columns, or in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wnparse.errors import TreebankError

if TYPE_CHECKING:
    import conllu

OLDER_NAMES = ("upostag", "xpostag")  # which conllu knows as upos and xpos


def complete_tokens(tokens: conllu.TokenList, columns: Sequence[str], path: str) -> conllu.TokenList:
    """Give tokens all columns in their order, and numbers where none has any; TreebankError if one has others."""
    import conllu

    numbered = any("id" in token for token in tokens)
    rows = []
    for number, token in enumerate(tokens, 1):
        if unknown := set(token) - {*columns, *OLDER_NAMES}:
            message = f"token {number} has {', '.join(sorted(unknown))}; the columns are {', '.join(columns)}"
            raise TreebankError(message, path)
        row = {name: token.get(name) for name in columns}
        if not numbered:
            row["id"] = number
        row["deps"] = row["deps"] or None  # conllu does not write empty lists
        rows.append(conllu.Token(row))
    return conllu.TokenList(rows, tokens.metadata)
