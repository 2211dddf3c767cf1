"""Whatever is a sentence is accepted as one, results have its type, and streams are not held back."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import conllu
import pytest

import wnparse
from support.places import DATA
from support.treebanks import sentences
from wnparse.parser.model import Model
from wnparse.treebanks.inputs import Input, as_inputs, as_sentences, regroup
from wnparse.treebanks.sentence import Sentence

WORDS = [["The", "dog", "barks", "."], ("It", "sleeps", ".")]


@pytest.fixture(scope="module")
def loaded(both: str) -> Model:
    """A model that tags and parses."""
    return wnparse.load(both)


def test_lists_of_words_become_sentences(loaded: Model) -> None:
    trees = list(loaded.parse(WORDS))
    assert [tree.column("form") for tree in trees] == [list(words) for words in WORDS]
    assert all(tree.annotated and tree.parse is not None and "_" not in tree.column("upos") for tree in trees)
    given = [Sentence.from_words(words) for words in WORDS]
    assert [tree.raw for tree in trees] == [tree.raw for tree in loaded.parse(given)]
    tagged = [sentence.raw for sentence in loaded.tag(WORDS)]
    assert tagged == [sentence.raw for sentence in loaded.tag(given)] and b"NOUN" in tagged[0]
    assert [[len(tree) for tree in ranking] for ranking in loaded.parse(WORDS, k=2)] == [[4, 4], [3, 3]]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_have_the_types_of_their_inputs(loaded: Model, jobs: int) -> None:
    sentence = Sentence.from_words(WORDS[0])
    mixed: list[Any] = [WORDS[0], sentence, sentence.to_tokenlist(), [], conllu.TokenList(), *sentences("# a\n\n")]
    results = list(loaded.parse(mixed, jobs=jobs))
    assert list(map(type, results)) == [Sentence, Sentence, conllu.TokenList, Sentence, conllu.TokenList, Sentence]
    assert results[0].raw == results[1].raw == results[2].serialize().encode()
    assert [len(result) for result in results] == [4, 4, 4, 0, 0, 0]
    assert results[2].parse.score == results[0].parse.score
    assert results[4] is mixed[4] and results[5] is mixed[5]
    tagged = list(loaded.tag(mixed, jobs=jobs))
    assert list(map(type, tagged)) == list(map(type, results)) and tagged[0].raw == tagged[1].raw
    assert [len(ranking) for ranking in loaded.parse(mixed, k=2, jobs=jobs)] == [2, 2, 2, 1, 1, 1]


def test_lists_of_words_are_accepted_wherever_sentences_are() -> None:
    out = io.BytesIO()
    wnparse.write(WORDS, out)
    assert [sentence.column("form") for sentence in wnparse.read(io.BytesIO(out.getvalue()))] == list(
        map(list, WORDS)
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("The dog", r"expected sentences, not a path; read them with wnparse.read\('The dog'\)"),
        (["The dog"], "sentence 1: expected a Sentence, a list of words, .*, not str 'The dog'"),
        (["The", "dog"], "sentence 1: expected .*, not str 'The'"),
        ([["The", "dog"], "dog"], "sentence 2: expected .*, not str 'dog'"),
        ([["The", 3]], r"sentence 1: expected .*, not list \['The', 3\]"),
        ([None], "sentence 1: expected .*, not NoneType None"),
        (Sentence.from_words(["a"]), r"not one sentence; put it into a list, \[sentence\]"),
        (Sentence.from_words(["a"])[:], "sentence 1: expected .*, not Word"),
        (conllu.TokenList(), r"not one sentence; put it into a list, \[sentence\]"),
        (3, "expected an iterable of sentences, not int 3"),
    ],
)
def test_refuses_what_is_not_a_sentence(loaded: Model, source: Any, message: str) -> None:
    for call in (loaded.parse, loaded.tag, lambda given: wnparse.write(given, io.BytesIO())):
        with pytest.raises(TypeError, match=message) as caught:
            list(call(source) or ())
        assert "\n" not in str(caught.value)


def test_errors_of_words_name_the_sentence() -> None:
    with pytest.raises(ValueError, match=r"sentence 2: forms\[1\] is empty"):
        list(as_sentences([["a"], ["b", ""]]))


def test_sentences_before_an_error_are_parsed(loaded: Model) -> None:
    def broken() -> Iterator[Any]:
        yield from WORDS
        raise OSError("gone")

    for jobs in (1, 2):
        for source in (broken(), [*WORDS, 3]):
            results: list[int] = []
            with pytest.raises((OSError, TypeError)):
                results.extend(map(len, loaded.parse(source, jobs=jobs)))
            assert results == [4, 3]


def test_nothing_is_held_back(loaded: Model) -> None:
    taken = []

    def one_by_one() -> Iterator[list[str]]:
        for words in (["a"], [], ["b", "c"]):
            taken.append(words)
            yield words

    for call in (loaded.parse, loaded.tag):
        taken.clear()
        stream: Iterator[Sentence] = call(one_by_one())
        assert [(len(sentence), len(taken)) for sentence in stream] == [(1, 1), (0, 2), (2, 3)]


def test_inputs_of_several_sentences_get_their_results() -> None:
    given = list(wnparse.read(DATA / "dev.conllu"))[:6]
    inputs = [
        Input(name, given[begin:end]) for name, begin, end in (("a", 0, 0), ("b", 0, 4), ("c", 4, 4), ("d", 4, 6))
    ]
    results = [(one.given, lengths) for one, lengths in regroup(inputs, lambda stream: map(len, stream))]
    lengths = [len(sentence) for sentence in given]
    assert results == [("a", []), ("b", lengths[:4]), ("c", []), ("d", lengths[4:])]
    assert [one.sentences for one in as_inputs(given)] == [[sentence] for sentence in given]
