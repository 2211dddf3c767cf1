"""The words of scores: what `decode` accepts as a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wnparse.treebanks.sentence import COLUMNS, Sentence, name_type

# Columns by the names that `Sentence.from_words` has for them; ID, HEAD and DEPS are not needed.
ARGUMENTS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats", "misc": "misc"}
EXPECTED = (
    "expected a Sentence, a conllu.TokenList, a list of pairs (form, upos), or a list of dicts with columns as "
    'keys, such as {"form": "dog", "upos": "NOUN"}'
)

SentenceLike = Sentence | Sequence[tuple[str, str | None]] | Sequence[Mapping[str, Any]]


def as_sentence(given: Any, where: str = "") -> Sentence:
    """Return a sentence of words and their columns.

    Raises
    ------
    TypeError
        If it is something else than EXPECTED describes.
    ValueError
        If a value cannot be a column of CoNLL-U.
    """
    if isinstance(given, Sentence):
        return given
    if hasattr(given, "serialize"):  # a conllu.TokenList, without importing the library
        return Sentence.from_tokenlist(given)
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"{where}the sentence is {name_type(given)}; {EXPECTED}")
    columns: dict[str, Any] = {name: [] for name in ARGUMENTS.values()}
    for i, word in enumerate(given):
        values = _read_word(word, f"{where}word {i + 1} of the sentence")
        for name, argument in ARGUMENTS.items():
            columns[argument].append(values.get(name))
    columns["forms"] = [form if form is not None else "_" for form in columns["forms"]]
    try:
        return Sentence.from_words(**columns)
    except ValueError as error:
        raise ValueError(f"{where}{error}") from None
    except TypeError as error:
        raise TypeError(f"{where}{error}") from None


def _read_word(word: Any, where: str) -> Mapping[str, Any]:
    """Return the columns of a word; their names are in lower case."""
    if isinstance(word, Mapping):
        columns = {str(name).lower(): value for name, value in word.items()}
        if unknown := columns.keys() - set(COLUMNS):
            raise TypeError(f"{where} has the key {min(unknown)!r}; expected columns: {', '.join(COLUMNS)}")
        return columns
    if isinstance(word, (tuple, list)) and len(word) == 2:
        return {"form": word[0], "upos": word[1]}
    raise TypeError(f"{where} is {name_type(word)}; {EXPECTED}")
