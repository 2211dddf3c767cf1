"""Gold and system trees of the same tokens, read side by side into flat arrays; O(words).

Inputs are streams: one sentence of each is held at a time, and of each tree only what evaluation counts.
Words are compared by FORM, without the spaces inside, as the CoNLL 2018 evaluator does. Multiword tokens, empty
nodes, comments and the other columns may differ: they are no part of a tree. Sentences without words are passed
over on every side.
"""

from __future__ import annotations

import contextlib
import itertools
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse._core import trees as core
from wnparse.conllu import BadSentence, Sentence, as_sentences
from wnparse.errors import TreebankError

if TYPE_CHECKING:
    import conllu

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Treebank = Iterable["Sentence | conllu.TokenList"]
# Called with the same sentence of gold and each system, and which of its words are scored, a byte each.
Watcher = Callable[["list[Sentence]", bytes], object]


@dataclass(frozen=True)
class Trees:
    """The trees of one input; words of all sentences stand in one row."""

    heads: Int32Array  # int32[words], 0 for a root
    relations: Int32Array  # int32[words], index into Alignment.relations
    nonprojective: BoolArray  # bool[words], whether the arc into the word is
    block_degrees: Int32Array  # int32[sentences]
    well_nested: BoolArray  # bool[sentences]
    roots: Int32Array  # int32[sentences], how many


@dataclass(frozen=True)
class Alignment:
    """Gold and systems over the same words."""

    gold: Trees
    systems: list[Trees]
    lengths: Int64Array  # int64[sentences], words in each
    scored: BoolArray  # bool[words], whether the word counts: its gold tags are not ignored
    relations: list[str]  # every relation seen, subtypes included

    @property
    def sentences(self) -> Int64Array:
        """The sentence of each word, int64[words]."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def positions(self) -> Int64Array:
        """The place of each word in its sentence, from 1; int64[words]."""
        starts = np.cumsum(self.lengths) - self.lengths
        return np.arange(1, self.lengths.sum() + 1) - np.repeat(starts, self.lengths)


class _Gatherer:
    """Collects the trees of one input in machine arrays: lists of Python integers are ten times larger."""

    def __init__(self, relation_ids: Callable[[str], int]) -> None:
        self.relation_ids = relation_ids
        self.heads, self.relations = array("i"), array("i")
        self.nonprojective = bytearray()
        self.block_degrees, self.well_nested, self.roots = array("i"), bytearray(), array("i")

    def add(self, sentence: Sentence) -> None:
        heads = sentence.heads
        try:
            block_degree, well_nested, _, crossed, roots = core.measure(heads)
        except ValueError:
            message = "a word without head; expected a full tree"
            raise TreebankError(message, sentence.path, sentence.line) from None
        self.heads.frombytes(heads[1:].tobytes())
        self.relations.extend(map(self.relation_ids, sentence.column("deprel")))
        arcs = (core.edge_degrees(heads)[1:] > 0).tobytes() if crossed else bytes(len(sentence))
        self.nonprojective += arcs
        self.block_degrees.append(block_degree)
        self.well_nested.append(well_nested)
        self.roots.append(roots)

    def trees(self) -> Trees:
        return Trees(
            np.frombuffer(self.heads, np.int32),
            np.frombuffer(self.relations, np.int32),
            np.frombuffer(self.nonprojective, np.bool_),
            np.frombuffer(self.block_degrees, np.int32),
            np.frombuffer(self.well_nested, np.bool_),
            np.frombuffer(self.roots, np.int32),
        )


def align(
    gold: Treebank,
    systems: Sequence[Treebank],
    *,
    ignore_upos: Collection[str] = (),
    ignore_xpos: Collection[str] = (),
    names: Sequence[str] = (),
    watch: Watcher | None = None,
    skip: Callable[[TreebankError], object] | None = None,
) -> Alignment:
    """Read gold and system trees side by side.

    Parameters
    ----------
    gold : iterable of Sentence or conllu.TokenList
        The trees to compare with.
    systems : sequence of such iterables
        Trees over the same words in the same order.
    ignore_upos, ignore_xpos : collection of str
        A word is not scored if its tag in gold is one of these.
    names : sequence of str
        What messages call gold and the systems where they have no sentence to name.
    watch : callable, optional
        Sees each sentence as it passes; nothing else of it is kept.
    skip : callable, optional
        Called with the error of a `BadSentence` in any input; that sentence is then left out of all of them.

    Raises
    ------
    TreebankError
        At the first word or sentence that differs, with both places; at a word without head.
    """
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__  # the next relation gets the next number
    gatherers = [_Gatherer(ids.__getitem__) for _ in range(1 + len(systems))]
    upos, xpos = frozenset(ignore_upos), frozenset(ignore_xpos)
    scored, lengths = bytearray(), array("q")
    default = ["gold", *(f"system {number}" for number in range(1, len(systems) + 1))]
    for sentences in rows([gold, *systems], names or default, skip):
        for gatherer, sentence in zip(gatherers, sentences, strict=True):
            gatherer.add(sentence)
        lengths.append(len(sentences[0]))
        flags = _scored(sentences[0], upos, xpos)
        scored += flags
        if watch:
            watch(sentences, flags)
    return Alignment(
        gatherers[0].trees(),
        [gatherer.trees() for gatherer in gatherers[1:]],
        np.frombuffer(lengths, np.int64),
        np.frombuffer(scored, np.bool_),
        list(ids),
    )


def _scored(gold: Sentence, ignore_upos: frozenset[str], ignore_xpos: frozenset[str]) -> bytes:
    """Return a byte for each word: 0 if its tags are ignored, else 1."""
    if not ignore_upos and not ignore_xpos:
        return b"\1" * len(gold)
    tags = zip(gold.column("upos"), gold.column("xpos"), strict=True)
    return bytes(upos not in ignore_upos and xpos not in ignore_xpos for upos, xpos in tags)


def _with_words(source: Treebank) -> Iterator[Sentence]:
    return (sentence for sentence in as_sentences(source) if len(sentence) or isinstance(sentence, BadSentence))


def rows(
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
    """The words as they are compared: without spaces, any character of category Zs."""
    return [
        form if form.isascii() and " " not in form else "".join(c for c in form if unicodedata.category(c) != "Zs")
        for form in sentence.column("form")
    ]


def _same_words(gold: Sentence, system: Sentence) -> bool:
    """Whether two sentences have the same words; one that is bad is not compared."""
    if isinstance(system, BadSentence) or gold.column("form") == system.column("form"):
        return True
    return _forms(gold) == _forms(system)


def _shown(sentence: Sentence) -> str:
    """Name a sentence by its id, or by how it begins."""
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
    """Describe a system that goes on where gold ends."""
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
    word = next(i for i, (expected, found) in enumerate(pairs, 1) if expected != found)
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
    with contextlib.suppress(TreebankError):  # the difference comes before whatever is wrong further on
        return next(sentences, None)
    return None


def _normalisation(expected: str, found: str) -> str:
    """Tell two spellings of the same characters apart, which look alike."""
    if unicodedata.normalize("NFC", expected) != unicodedata.normalize("NFC", found):
        return ""
    here, there = (
        next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)), "neither NFC nor NFD")
        for text in (found, expected)
    )
    return f" (the same characters: {here} here, {there} there; normalise one of the files)"


def _hint(gold: Sentence, system: Sentence, gold_after: Sentence | None, system_after: Sentence | None) -> str:
    """Tell by the next sentences whether one is missing, one is too many, or two are exchanged."""
    missing = gold_after is not None and _forms(gold_after) == _forms(system)
    extra = system_after is not None and _forms(system_after) == _forms(gold)
    if missing and extra:
        return f" ({_shown(gold)} and the next are exchanged)"
    if missing:
        return f" ({_shown(gold)} is missing)"
    return f" ({_shown(system)} is not in gold)" if extra else ""
