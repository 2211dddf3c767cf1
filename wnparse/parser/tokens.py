"""Conversion of sentences to the hashes that the parser reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wnparse._core import tokens as core
from wnparse._core.tokens import Tokens
from wnparse.errors import TreebankError
from wnparse.treebanks.fixed import keep_only_fixed
from wnparse.treebanks.sentence import Sentence

ENOUGH = 1000  # words of an input after which a column counts as empty
FEW = 20  # words, of which none may happen to have FEATS


@dataclass(frozen=True)
class UsedColumns:
    """The optional columns that a model uses; it always uses the form and the universal tag."""

    lemma: bool = True
    xpos: bool = True
    feats: bool = True

    @property
    def unused(self) -> str:
        """The attributes of templates (see `wnparse.parser.features`) that are not available."""
        return "".join(
            letters for used, letters in ((self.lemma, "L"), (self.xpos, "Q"), (self.feats, "MF")) if not used
        )


def encode(sentence: Sentence, columns: UsedColumns) -> Tokens:
    """Hash the words of a sentence."""
    return encode_all([sentence], columns)[0]


def encode_all(sentences: list[Sentence], columns: UsedColumns) -> list[Tokens]:
    """Hash the words of sentences."""
    return core.encode(sentences, columns.lemma, columns.xpos, columns.feats)


def require_tags(sentence: Sentence) -> None:
    """Raise TreebankError if a sentence has words, and none of them has a UPOS tag."""
    if len(sentence) and all(tag == "_" for tag in sentence.column("upos")):
        raise TreebankError(
            "no word has a UPOS tag, which the model needs; tag the words first, or train without --only parser",
            sentence.path,
            sentence.line,
        )


def input_check(
    info: Mapping[str, Any], *, tagger: bool, keep_fixed: bool = False
) -> Callable[[Sentence], object]:
    """Return a check of sentences: they need tags, unless the model has a tagger or was trained without UPOS.

    If fixed words are kept, their heads must be part of a tree.
    """
    needs_tags = not tagger and info.get("uses_upos", True)
    check: Callable[[Sentence], object] = require_tags if needs_tags else len

    def check_both(sentence: Sentence) -> None:
        check(sentence)
        keep_only_fixed(sentence)

    return check_both if keep_fixed else check


def watch_input(
    sentences: Iterable[Sentence], columns: UsedColumns, info: Mapping[str, Any], warn: Callable[[str], object]
) -> Iterator[Sentence]:
    """Pass on the sentences for a model without a tagger, checked by `input_check` and `watch_columns`."""
    check = input_check(info, tagger=False)

    def checked() -> Iterator[Sentence]:
        for sentence in sentences:
            check(sentence)
            yield sentence

    return watch_columns(checked(), columns, warn, "the sentences")


def watch_columns(
    sentences: Iterable[Sentence], columns: UsedColumns, warn: Callable[[str], object], name: str = ""
) -> Iterator[Sentence]:
    """Pass sentences on; warn once if columns that a model uses are empty in an input, or in its beginning.

    Parameters
    ----------
    sentences : iterable of Sentence
        Sentences of one input after the other; their paths distinguish the inputs.
    columns : UsedColumns
        The columns that are used; `require_tags` checks UPOS.
    warn : callable
        Called with the message.
    name : str
        Name of all the sentences, if they count as one input whatever their paths.
    """
    used = {column for column, used in asdict(columns).items() if used}
    warned, path, words, empty = False, name, 0, set(used)
    for sentence in sentences:
        if not name and sentence.path != path:
            warned = warned or _warn_if_empty(warn, path, words, empty)
            path, words, empty = sentence.path, 0, set(used)
        if empty and not warned and len(sentence):
            words += len(sentence)
            empty = {column for column in empty if all(value == "_" for value in sentence.column(column))}
            warned = words >= ENOUGH and _warn_if_empty(warn, path, words, empty)
        yield sentence
    if not warned:
        _warn_if_empty(warn, path, words, empty)


def _warn_if_empty(warn: Callable[[str], object], path: str, words: int, empty: set[str]) -> bool:
    if words < FEW:
        empty = empty - {"feats"}
    if not words or not empty:
        return False
    names = " ".join(column.upper() for column in ("lemma", "xpos", "feats") if column in empty)
    first = "the first word" if words == 1 else f"the first {words:,} words"
    warn(f"{path}: empty in {first}, but used by the model: {names}; trees may be worse")
    return True
