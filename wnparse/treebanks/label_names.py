"""Check that a model can hold the values of a column of a treebank."""

from __future__ import annotations

from collections.abc import Sequence

from wnparse._core.freezing import MOST_LABELS as MOST_LABELS
from wnparse.errors import TreebankError
from wnparse.storage.strict_json import check_names
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
        The name of its values for messages.
    advice : str
        Advice for the user if there are too many.
    """
    places: dict[str, tuple[Sentence, int]] = {}  # where each name is first
    for sentence in sentences:
        for word, name in enumerate(sentence.column(column), 1):
            if name not in places:
                places[name] = sentence, word
    if len(places) > MOST_LABELS:
        raise TreebankError(f"{len(places):,} {kind}; expected at most {MOST_LABELS:,}: {advice}")
    for name, (sentence, word) in places.items():
        try:
            check_names([name])
        except ValueError as error:
            raise TreebankError(
                f"{kind}: {error}; expected a name that a model can hold", sentence.path, sentence.line_of(word)
            ) from None
