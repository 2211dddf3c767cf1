"""From sentences to the hashes that the parser sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wnparse._core import tokens as core
from wnparse._core.tokens import Tokens
from wnparse.errors import TreebankError
from wnparse.treebanks.sentence import Sentence

ENOUGH = 1000  # words of an input that tell an empty column
FEW = 20  # words, of which none may have any FEATS by chance


@dataclass(frozen=True)
class UsedColumns:
    """Which optional columns a model uses; the form and the universal tag always are."""

    lemma: bool = True
    xpos: bool = True
    feats: bool = True

    @property
    def unused(self) -> str:
        """The attributes of templates (see `wnparse.parser.features`) that are not to be had."""
        return "".join(
            letters for used, letters in ((self.lemma, "L"), (self.xpos, "Q"), (self.feats, "MF")) if not used
        )


def encode(sentence: Sentence, columns: UsedColumns) -> Tokens:
    """Hash the words of a sentence."""
    return encode_all([sentence], columns)[0]


def encode_all(sentences: list[Sentence], columns: UsedColumns) -> list[Tokens]:
    """Hash the words of sentences."""
    return core.encode(sentences, columns.lemma, columns.xpos, columns.feats)


def is_filled(sentences: list[Sentence], column: str) -> bool:
    """Return whether a column holds anything but ``_``."""
    return any(value != "_" for sentence in sentences for value in sentence.column(column))


def filled_columns(sentences: list[Sentence]) -> UsedColumns:
    """Tell which optional columns hold anything but ``_``."""
    return UsedColumns(*(is_filled(sentences, column) for column in ("lemma", "xpos", "feats")))


def require_tags(sentence: Sentence) -> None:
    """Raise TreebankError if a sentence has words, and none of them has a UPOS tag."""
    if len(sentence) and all(tag == "_" for tag in sentence.column("upos")):
        raise TreebankError(
            "no word has a UPOS tag, which the model needs; tag the words first, or train with --tagger",
            sentence.path,
            sentence.line,
        )


def input_check(info: Mapping[str, Any], *, tagger: bool) -> Callable[[Sentence], object]:
    """Return what a model requires of each sentence: tags, unless it has a tagger or learned without UPOS."""
    needs_tags = not tagger and info.get("uses_upos", True)
    return require_tags if needs_tags else len


def watch_input(
    sentences: Iterable[Sentence], columns: UsedColumns, info: Mapping[str, Any], tell: Callable[[str], object]
) -> Iterator[Sentence]:
    """Pass on the sentences for a model without a tagger, checked by `input_check` and `watch_columns`."""
    check = input_check(info, tagger=False)

    def checked() -> Iterator[Sentence]:
        for sentence in sentences:
            check(sentence)
            yield sentence

    return watch_columns(checked(), columns, tell, "the sentences")


def watch_columns(
    sentences: Iterable[Sentence], columns: UsedColumns, tell: Callable[[str], object], name: str = ""
) -> Iterator[Sentence]:
    """Pass sentences on; tell once if columns that a model uses are empty in an input, or in its beginning.

    Parameters
    ----------
    sentences : iterable of Sentence
        Of one input after the other, by their paths.
    columns : UsedColumns
        Those that are used; `require_tags` takes care of UPOS.
    tell : callable
        Gets the message.
    name : str
        What all the sentences are, if their paths are not to be told apart.
    """
    used = {column for column, used in asdict(columns).items() if used}
    told, path, words, empty = False, name, 0, set(used)
    for sentence in sentences:
        if not name and sentence.path != path:
            told = told or _tell_empty(tell, path, words, empty)
            path, words, empty = sentence.path, 0, set(used)
        if empty and not told and len(sentence):
            words += len(sentence)
            empty = {column for column in empty if all(value == "_" for value in sentence.column(column))}
            told = words >= ENOUGH and _tell_empty(tell, path, words, empty)
        yield sentence
    if not told:
        _tell_empty(tell, path, words, empty)


def _tell_empty(tell: Callable[[str], object], path: str, words: int, empty: set[str]) -> bool:
    if words < FEW:
        empty = empty - {"feats"}
    if not words or not empty:
        return False
    names = " ".join(column.upper() for column in ("lemma", "xpos", "feats") if column in empty)
    first = "the first word" if words == 1 else f"the first {words:,} words"
    tell(f"{path}: empty in {first}, but used by the model: {names}; trees may be worse")
    return True
