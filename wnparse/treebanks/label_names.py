"""Checks that a model can hold the values of a column of a treebank (`wnparse.storage.names`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wnparse._core.freezing import MOST_LABELS as MOST_LABELS
from wnparse.errors import TreebankError
from wnparse.storage.names import fault_of_names

if TYPE_CHECKING:
    from wnparse.treebanks.sentence import Sentence


def check_column(sentences: Sequence[Sentence], column: str, kind: str, advice: str) -> None:
    """Raise TreebankError if a model cannot hold the values of a column, before anything is learned from them.

    Parameters
    ----------
    sentences : sequence of Sentence
        The treebank.
    column : str
        Its name: ``deprel``, ``upos`` and so on.
    kind : str
        What messages call its values.
    advice : str
        What to do if there are too many.
    """
    names = list(dict.fromkeys(name for sentence in sentences for name in sentence.column(column)))
    if len(names) > MOST_LABELS:
        raise TreebankError(f"{len(names):,} {kind}; a model holds {MOST_LABELS:,}: {advice}")
    if fault_of_names(names) is None:
        return
    for sentence in sentences:
        for word, name in enumerate(sentence.column(column), 1):
            if fault := fault_of_names([name]):
                raise TreebankError(
                    f"{kind}: {fault}; expected a name that a model can hold",
                    sentence.path,
                    sentence.line_of(word),
                )
