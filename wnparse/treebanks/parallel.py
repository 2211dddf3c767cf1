"""Several treebanks of the same text, read in parallel, with an error that names the place where they differ.

Words are compared by FORM, without the spaces inside, as the CoNLL 2018 evaluator does. Multiword tokens, empty
nodes, comments and the other columns may differ. Sentences without words are ignored in every treebank.
`read_parallel` needs the same words in the same sentences; `read_groups` needs the same characters only.
"""

from __future__ import annotations

import contextlib
import itertools
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from wnparse.errors import TreebankError
from wnparse.treebanks.inputs import Treebank, as_sentences
from wnparse.treebanks.sentence import BadSentence, Sentence

Sentences = list[list[Sentence]]  # of each input
Inputs = list[Iterator[Sentence]]


class Group(NamedTuple):
    """Sentences of the same text; with the same words, there is one of each input."""

    inputs: list[list[Sentence]]
    same_words: bool

    @property
    def row(self) -> list[Sentence]:
        """The first sentence of each input."""
        return [sentences[0] for sentences in self.inputs]


class SurfaceToken(NamedTuple):
    """A token of the text: a word, or the words of a multiword token."""

    first: int  # word
    last: int
    form: str
    is_multiword: bool


def _with_words(source: Treebank) -> Iterator[Sentence]:
    return (sentence for sentence in as_sentences(source) if len(sentence) or isinstance(sentence, BadSentence))


def read_parallel(
    sources: Sequence[Treebank],
    names: Sequence[str],
    skip: Callable[[TreebankError], object] | None = None,
) -> Iterator[list[Sentence]]:
    """Yield the same sentence of each input, or raise at the first difference in words; `skip` as in `align`."""
    return (group.row for group in _read(sources, names, skip, _refuse))


def read_groups(
    sources: Sequence[Treebank],
    names: Sequence[str],
    skip: Callable[[TreebankError], object] | None = None,
) -> Iterator[Group]:
    """Yield groups of sentences with the same characters: for each input, as few sentences as possible.

    Inputs may have other sentences, tokens and words, as long as the characters of their tokens are the same.
    Sentences with the same words are the same, whatever their multiword tokens are. `skip` as in `align`.

    Raises
    ------
    TreebankError
        At the first character that differs, with both places.
    """
    return _read(sources, names, skip, _extend)


def _read(
    sources: Sequence[Treebank],
    names: Sequence[str],
    skip: Callable[[TreebankError], object] | None,
    join: Callable[[Sentences, Inputs, Sequence[str]], None],
) -> Iterator[Group]:
    """Yield groups of sentences; `join` is called with those that do not have the same words."""
    inputs = [_with_words(source) for source in sources]
    before: list[Sentence] = []
    for gold in inputs[0]:
        sentences = [[gold]]
        for index, system_input in enumerate(inputs[1:], 1):
            system = next(system_input, None)
            if system is None:
                raise _missing_error(gold, before[index : index + 1], names[index])
            sentences.append([system])
        bad = next((sentence for (sentence,) in sentences if isinstance(sentence, BadSentence)), None)
        if bad is None:
            same_words = all(_same_words(gold, system) for (system,) in sentences[1:])
            if not same_words:
                join(sentences, inputs, names)
            yield Group(sentences, same_words)
            before = [own[-1] for own in sentences]
        elif skip is None:
            raise bad.error
        else:
            skip(bad.error)
    for system_input in inputs[1:]:
        for system in system_input:
            raise _extra_error(system, before[:1], names[0])


def _refuse(sentences: Sentences, inputs: Inputs, names: Sequence[str]) -> None:
    """Raise an error at the first word that differs."""
    ((gold,), *others) = sentences
    for (system,), system_input in zip(others, inputs[1:], strict=True):
        if not _same_words(gold, system):
            raise _token_error(gold, system, inputs[0], system_input)


def _extend(sentences: Sentences, inputs: Inputs, names: Sequence[str]) -> None:
    """Add sentences to a group until all inputs have the same characters; raise at the first that differs."""
    texts = ["".join(token.form for token in surface_tokens(sentence)) for (sentence,) in sentences]
    while any(texts):
        for index, text in enumerate(texts):
            length = min(len(texts[0]), len(text))
            if text[:length] != texts[0][:length]:
                raise _character_error(sentences, texts, index, inputs)
        length = min(map(len, texts))
        texts = [text[length:] for text in texts]
        for index, text in enumerate(texts):
            if text or not any(texts):
                continue
            sentence = next(inputs[index], None)
            if sentence is None and index:
                raise _missing_error(sentences[0][-1], sentences[index][-1:], names[index])
            if sentence is None:
                other = next(number for number, rest in enumerate(texts) if rest)
                raise _extra_error(sentences[other][-1], sentences[0][-1:], names[0])
            if isinstance(sentence, BadSentence):
                raise sentence.error
            sentences[index].append(sentence)
            texts[index] = "".join(token.form for token in surface_tokens(sentence))


def surface_tokens(sentence: Sentence) -> list[SurfaceToken]:
    """Return the tokens of a sentence, multiword tokens and other words, as they are compared: without spaces."""
    forms = _forms(sentence)
    tokens, at = [], 1
    for first, last, form, _ in [*sentence.multiword_tokens, (len(forms) + 1, 0, "", "")]:
        tokens += [SurfaceToken(word, word, forms[word - 1], False) for word in range(at, first)]
        if last:
            tokens.append(SurfaceToken(first, last, _without_spaces(form), True))
        at = last + 1
    return tokens


def _forms(sentence: Sentence) -> list[str]:
    """Return the words as they are compared: without spaces (characters of category Zs)."""
    return [_without_spaces(form) for form in sentence.column("form")]


def _without_spaces(form: str) -> str:
    if form.isascii() and " " not in form:
        return form
    return "".join(letter for letter in form if unicodedata.category(letter) != "Zs")


def _same_words(gold: Sentence, system: Sentence) -> bool:
    """Return whether two sentences have the same words; bad sentences are not compared."""
    if isinstance(system, BadSentence) or gold.column("form") == system.column("form"):
        return True
    return _forms(gold) == _forms(system)


def _shown(sentence: Sentence) -> str:
    """Name a sentence by its id, or by its first words."""
    if isinstance(sentence, BadSentence):
        return "a bad sentence"
    name = sentence.sent_id
    return f"sentence {name}" if name else f"the sentence '{_short(' '.join(sentence.column('form')))}'"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _missing_error(gold: Sentence, before: list[Sentence], name: str) -> TreebankError:
    """Describe a system that ends too early, at the last line of the sentence before."""
    expected = f"{gold.path}:{gold.line_of(1)} has {_shown(gold)}"
    if not before:
        return TreebankError(f"no sentences; {expected}", name)
    message = f"the input ends after {_shown(before[0])}; {expected}"
    return TreebankError(message, before[0].path, before[0].line_of(len(before[0])))


def _extra_error(system: Sentence, before: list[Sentence], name: str) -> TreebankError:
    """Describe a system that continues after the end of gold."""
    if before:
        end = f"gold ends at {before[0].path}:{before[0].line_of(len(before[0]))}"
    else:
        end = f"{name} has no sentences"
    return TreebankError(f"{_shown(system)} is one too many; {end}", system.path, system.line_of(1))


def _token_error(
    gold: Sentence, system: Sentence, gold_input: Iterator[Sentence], system_input: Iterator[Sentence]
) -> TreebankError:
    """Describe the first word that differs, and what may have happened to the sentence."""
    gold_forms, system_forms = gold.column("form"), system.column("form")
    pairs = itertools.zip_longest(_forms(gold), _forms(system))
    word = next(i for i, (expected, actual) in enumerate(pairs, 1) if expected != actual)
    if word > len(system_forms):
        here = f"the sentence ends before word {word}"
    else:
        here = f"word {word} is '{_short(system_forms[word - 1])}'"
    if word > len(gold_forms):
        there = f"ends the sentence before word {word}"
    else:
        there = f"has '{_short(gold_forms[word - 1])}'"
    place = f"{gold.path}:{gold.line_of(min(word, len(gold)))}"
    hint = _hint(gold, system, _peek(gold_input), _peek(system_input))
    if not hint and word <= min(len(gold_forms), len(system_forms)):
        hint = _normalisation(_forms(gold)[word - 1], _forms(system)[word - 1])
    return TreebankError(f"{here}; {place} {there}{hint}", system.path, system.line_of(min(word, len(system))))


def _character_error(sentences: Sentences, texts: Sequence[str], index: int, inputs: Inputs) -> TreebankError:
    """Describe the first character of an input that differs from gold; `texts` are what is left of both."""
    pairs = zip(texts[0], texts[index], strict=False)
    same = next(i for i, (expected, actual) in enumerate(pairs) if expected != actual)
    (gold, gold_token), (system, system_token) = (
        _token_at(sentences[number], len(texts[number]) - same) for number in (0, index)
    )
    owns = sentences[0], sentences[index]
    following = [own[1] if len(own) > 1 else _peek(inputs[i]) for own, i in zip(owns, (0, index), strict=True)]
    hint = _hint(owns[0][0], owns[1][0], *following) or _normalisation(gold_token.form, system_token.form)
    here, there = (_short(token.form) for token in (system_token, gold_token))
    place = f"{gold.path}:{gold.line_of(gold_token.first)}"
    message = f"the text differs: '{here}' here; {place} has '{there}'{hint}"
    return TreebankError(message, system.path, system.line_of(system_token.first))


def _token_at(sentences: Sequence[Sentence], rest: int) -> tuple[Sentence, SurfaceToken]:
    """Return the token, and its sentence, that contains the character `rest` from the end."""
    for sentence in reversed(sentences):
        for token in reversed(surface_tokens(sentence)):
            rest -= len(token.form)
            if rest <= 0:
                return sentence, token
    raise AssertionError("the text is shorter")


def _peek(sentences: Iterator[Sentence]) -> Sentence | None:
    with contextlib.suppress(TreebankError):  # the difference is reported before errors in later sentences
        return next(sentences, None)
    return None


def _normalisation(expected: str, actual: str) -> str:
    """Describe two encodings of the same characters, which look alike."""
    if unicodedata.normalize("NFC", expected) != unicodedata.normalize("NFC", actual):
        return ""
    here, there = (
        next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)), "neither NFC nor NFD")
        for text in (actual, expected)
    )
    return f" (the same characters: {here} here, {there} there; normalise one of the files)"


def _hint(gold: Sentence, system: Sentence, gold_after: Sentence | None, system_after: Sentence | None) -> str:
    """Describe, from the next sentences, whether one is missing, one is too many, or two are exchanged."""
    missing = gold_after is not None and _forms(gold_after) == _forms(system)
    extra = system_after is not None and _forms(system_after) == _forms(gold)
    if missing and extra:
        return f" ({_shown(gold)} and the next are exchanged)"
    if missing:
        return f" ({_shown(gold)} is missing)"
    return f" ({_shown(system)} is not in gold)" if extra else ""
