"""What functions accept as sentences, and results of the same type.

A `Sentence`, a `conllu.TokenList` and a list of words are one sentence each; a Doc of spaCy has several.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from wnparse.treebanks.sentence import Sentence, name_type
from wnparse.treebanks.spacy_docs import cut, fill, is_doc, read_words

if TYPE_CHECKING:
    import conllu

    from wnparse.treebanks.text_input import TextSplitter


class SpacyDoc(Protocol):
    """What type checkers recognise a Doc of spaCy by, which may not be installed."""

    def has_annotation(self, attr: int | str, *, require_complete: bool = ...) -> bool:
        """Return whether a token has a value of an attribute."""


Words = list[str] | tuple[str, ...]
Treebank = Iterable["Sentence | conllu.TokenList | SpacyDoc | Words"]
Result = TypeVar("Result")


class Input(NamedTuple):
    """One input, and its sentences."""

    given: Any
    sentences: list[Sentence]
    words: list[Any] | None = None  # of a Doc: the tokens of each sentence

    def like(self, results: list[Sentence]) -> Any:
        """Return its sentences with new tags or trees, in the type of the input."""
        if self.words is not None:
            doc = self.given.copy()
            fill(doc, self.words, results)
            return doc
        (result,) = results
        if not _is_tokenlist(self.given):
            return result
        if not len(result):
            return self.given
        tokens: Any = result.to_tokenlist()
        tokens.parse = result.parse
        return tokens


def check_sentences(source: object) -> None:
    """Raise TypeError, in one line, if this is not an iterable of sentences, but a path, file or sentence."""
    if isinstance(source, (str, os.PathLike)):
        message = f"expected sentences, not a path; read them with wnparse.read({os.fspath(source)!r:.60})"
    elif hasattr(source, "read"):
        message = "expected sentences, not a file; read them with wnparse.read(file)"
    elif isinstance(source, Sentence) or _is_tokenlist(source):
        message = "expected an iterable of sentences, not one sentence; put it into a list, [sentence]"
    elif is_doc(source):
        message = "expected an iterable of sentences or Docs, not one Doc; put it into a list, [doc]"
    elif not isinstance(source, Iterable):
        message = f"expected an iterable of sentences, not {name_type(source)}"
    else:
        return
    raise TypeError(message)


def as_sentences(source: Treebank) -> Iterator[Sentence]:
    """Yield the sentences of all inputs; see `as_inputs`."""
    return (sentence for one in as_inputs(source) for sentence in one.sentences)


def as_inputs(source: Treebank, splitter: TextSplitter | None = None) -> Iterator[Input]:
    """Yield inputs with their sentences; TypeError if one cannot be converted.

    Parameters
    ----------
    source : iterable of Sentence, conllu.TokenList, lists of words or Docs of spaCy
        The inputs.
    splitter : TextSplitter, optional
        Finds the sentences of a Doc that has no sentence starts. Without it, such a Doc is one sentence.
    """
    check_sentences(source)
    return (_as_input(given, number, splitter) for number, given in enumerate(source, 1))


def _as_input(given: Any, number: int, splitter: TextSplitter | None) -> Input:
    if isinstance(given, Sentence):
        return Input(given, [given])
    if _is_tokenlist(given):
        return Input(given, [Sentence.from_tokenlist(given, f"<conllu sentence {number}>")])
    if is_doc(given):
        words = cut(given, splitter)
        return Input(given, [Sentence.from_words(**read_words(tokens)) for tokens in words], words)
    if isinstance(given, (list, tuple)) and all(isinstance(form, str) for form in given):
        try:
            return Input(given, [Sentence.from_words(given)])
        except ValueError as error:
            raise ValueError(f"sentence {number}: {error}") from None
    expected = "expected a Sentence, a list of words, a conllu.TokenList or a Doc of spaCy"
    raise TypeError(f"sentence {number}: {expected}, not {name_type(given)}")


def _is_tokenlist(value: object) -> bool:
    return hasattr(value, "serialize")  # without importing the library


def regroup(
    inputs: Iterable[Input], work: Callable[[Iterator[Sentence]], Iterator[Result]]
) -> Iterator[tuple[Input, list[Result]]]:
    """Yield each input with the results of its sentences; `work` gets the sentences of all inputs in a stream."""
    originals, copies = itertools.tee(inputs)
    results = work(sentence for one in copies for sentence in one.sentences)
    for one in originals:
        yield one, list(itertools.islice(results, len(one.sentences)))
    for _ in results:  # an error of the inputs comes after the results of those before it
        pass
