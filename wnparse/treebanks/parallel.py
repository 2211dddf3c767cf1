"""Several treebanks over the same words, read in parallel, with an error that names the place where they differ.

Words are compared by FORM, without the spaces inside, as the CoNLL 2018 evaluator does. Multiword tokens, empty
nodes, comments and the other columns may differ. Sentences without words are ignored in every treebank.
"""

from __future__ import annotations

import contextlib
import itertools
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from wnparse.errors import TreebankError
from wnparse.treebanks.inputs import Treebank, as_sentences
from wnparse.treebanks.sentence import BadSentence, Sentence


def _with_words(source: Treebank) -> Iterator[Sentence]:
    return (sentence for sentence in as_sentences(source) if len(sentence) or isinstance(sentence, BadSentence))


def read_parallel(
    sources: Sequence[Treebank],
    names: Sequence[str],
    skip: Callable[[TreebankError], object] | None = None,
) -> Iterator[list[Sentence]]:
    """Yield the same sentence of each input, or raise at the first difference in words; `skip` as in `align`."""
    inputs = [_with_words(source) for source in sources]
    before: list[Sentence] = []
    for gold in inputs[0]:
        row = [gold]
        for index, system_input in enumerate(inputs[1:], 1):
            system = next(system_input, None)
            if system is None:
                raise _missing_error(gold, before[index : index + 1], names[index])
            if not isinstance(gold, BadSentence) and not _same_words(gold, system):
                raise _token_error(gold, system, inputs[0], system_input)
            row.append(system)
        bad = next((sentence for sentence in row if isinstance(sentence, BadSentence)), None)
        if bad is None:
            yield row
            before = row
        elif skip is None:
            raise bad.error
        else:
            skip(bad.error)
    for system_input in inputs[1:]:
        for system in system_input:
            raise _extra_error(system, before[:1], names[0])


def _forms(sentence: Sentence) -> list[str]:
    """Return the words as they are compared: without spaces (characters of category Zs)."""
    return [
        form if form.isascii() and " " not in form else "".join(c for c in form if unicodedata.category(c) != "Zs")
        for form in sentence.column("form")
    ]


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
