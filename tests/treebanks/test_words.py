"""Sentences from words and columns, and words, columns and text of sentences."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import numpy as np
import pytest

import wnparse
from support.places import DATA
from support.treebanks import THREE_WORDS, sentences
from wnparse.treebanks.sentence import COLUMNS, Sentence, Word


def test_writes_all_columns() -> None:
    sentence = Sentence.from_words(
        ["The", "Dogs", "ran"],
        ["DET", "NOUN", "VERB"],
        [2, 3, 0],
        ["det", "nsubj", "root"],
        lemmas=["the", "dog", "run"],
        xpos=["DT", "NNS", "VBD"],
        feats=[{"Definite": "Def"}, {"Number": "Plur", "Case": "Nom"}, "Number=Plur|Tense=Past"],
    )
    assert sentence.raw.decode() == THREE_WORDS
    assert sentence.annotated and sentence.heads.tolist() == [-1, 2, 3, 0]


def test_columns_may_be_missing() -> None:
    sentence = Sentence.from_words(["a", "b"], [None, ""], [None, -1], sent_id="s", text="a b", misc=("A=1", None))
    assert (
        sentence.raw
        == b"# sent_id = s\n# text = a b\n1" + b"\ta" + b"\t_" * 7 + b"\tA=1\n2\tb" + b"\t_" * 8 + b"\n\n"
    )
    assert (sentence.sent_id, sentence.text, sentence.annotated) == ("s", "a b", False)
    for words in ([], ()):
        empty = Sentence.from_words(words)
        assert (len(empty), list(empty), empty.text, empty.words) == (0, [], "", [])


def test_takes_the_heads_and_labels_of_a_solution() -> None:
    scores, labels = np.array([[0, 0, 0], [1, 0, 5], [3, 2, 0]]), np.zeros((3, 3, 2))
    solution = wnparse.decode(scores, labels=(["root", "dep"], labels))
    sentence = Sentence.from_words(["a", "b"], heads=solution.heads, deprels=solution.labels)
    assert sentence.heads.tolist() == solution.heads.tolist() == [-1, 2, 0]
    assert ["", *sentence.column("deprel")] == solution.labels


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"forms": "The dog"}, TypeError, "'The dog'; expected a list of words"),
        ({"forms": ["a", ""]}, ValueError, r"forms\[1\] is empty"),
        ({"forms": ["a", 3]}, TypeError, r"forms\[1\] is 3; expected a str"),
        ({"forms": ["a\tb"]}, ValueError, r"forms\[0\] is .*tabs"),
        ({"forms": ["a"], "misc": ["b\n"]}, ValueError, r"misc\[0\] is .*line ends"),
        ({"forms": ["\udc80"]}, ValueError, "surrogates"),
        ({"forms": ["a"], "sent_id": "x\ny"}, ValueError, "sent_id is"),
        ({"forms": ["a", "b"], "upos": ["X"]}, ValueError, "upos has 1 values; expected 2"),
        ({"forms": ["a", "b"], "heads": [0]}, ValueError, "heads has 1 values; expected 2"),
        ({"forms": ["a", "b"], "heads": [0, 1, 1]}, ValueError, "heads has 3 values; expected 2"),
        ({"forms": ["a"], "heads": ["0"]}, TypeError, "expected one whole number"),
        ({"forms": ["a"], "heads": [0.5]}, TypeError, "expected one whole number"),
        ({"forms": ["a", "b"], "heads": [2, 1]}, wnparse.TreebankError, "cycle"),
        ({"forms": ["a"], "heads": [7]}, wnparse.TreebankError, "head 7 does not exist"),
        ({"forms": ["a\0"]}, wnparse.TreebankError, "NUL"),
    ],
)
def test_refuses_what_cannot_be_written(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        Sentence.from_words(**arguments)
    assert "\n" not in str(caught.value)


def test_any_words_can_be_read_again() -> None:
    forms = ["#", "_", "1-2", "a b", "=", "\xa0", "\ufeff", "\u2028", "é\u0301", "我"]
    sentence = Sentence.from_words(forms, misc=[{"SpaceAfter": "No"}] * len(forms))
    (read,) = wnparse.read(io.BytesIO(sentence.raw))
    assert [word.form for word in read] == sentence.column("form") == forms
    assert sentence.text == "".join(forms)


def test_words_have_the_columns() -> None:
    (sentence,) = sentences(THREE_WORDS)
    assert [sentence[0], sentence[1], sentence[-1]] == sentence.words == list(sentence) == sentence[:]
    word = sentence[1]
    assert word == Word(2, "Dogs", "dog", "NOUN", "NNS", "Case=Nom|Number=Plur", 3, "nsubj", "_", "_")
    assert word._fields == COLUMNS and (sentence[2].head, sentence[2].deprel) == (0, "root")
    with pytest.raises(IndexError):
        sentence[3]
    (other,) = sentences(THREE_WORDS.replace("\t2\tdet", "\t_\tdet"))
    assert [word.head for word in other] == [None, 3, 0]


def test_columns_are_found_in_any_case() -> None:
    (sentence,) = sentences(THREE_WORDS)
    for name in ("upos", "UPOS", "Upos"):
        assert sentence.column(name) == ["DET", "NOUN", "VERB"]
    for wrong in ("pos", "", 3, None):
        with pytest.raises(ValueError, match="expected one of id, form, lemma, upos, xpos, feats, head, deprel"):
            sentence.column(wrong)  # type: ignore[arg-type]


def test_text_comes_from_the_comment_or_from_the_tokens() -> None:
    rest = "\t_" * 7
    text = (
        f"1-2\tdel\t_{rest}\n1\tde\t_{rest}\n2\tel\t_{rest}\n3\tmar{rest}\tSpaceAfter=No\n3.1\tno\t_{rest}\n"
        f"4-5\tvámonos{rest}\tX=1|SpaceAfter=No\n4\tvamos\t_{rest}\n5\tnos\t_{rest}\n6\t!\t_{rest}\n\n"
    )
    (sentence,) = sentences(text)
    assert sentence.text == "del marvámonos!"
    assert sentences(f"# text = del mar\n{text}")[0].text == "del mar"
    for sentence in wnparse.read(DATA / "test.conllu"):  # its comments say what its tokens say
        lines = [line for line in sentence.raw.split(b"\n") if not line.startswith(b"# text =")]
        assert sentences(b"\n".join(lines))[0].text == sentence.text


def test_converts_to_dictionaries() -> None:
    (sentence,) = sentences(f"# sent_id = 7\n{THREE_WORDS}")
    stored = json.loads(json.dumps(sentence.to_dict()))
    assert stored["sent_id"] == "7" and stored["text"] == "The Dogs ran"
    assert [list(word) for word in stored["words"]] == [list(COLUMNS)] * 3
    assert [word["head"] for word in stored["words"]] == [2, 3, 0]


def test_converts_to_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    (sentence,) = sentences(THREE_WORDS.replace("\t2\tdet", "\t_\tdet"))
    table = sentence.to_pandas()
    assert list(table.columns) == list(COLUMNS[1:]) and list(table.index) == [1, 2, 3]
    assert table["form"].tolist() == ["The", "Dogs", "ran"]
    assert table["head"].isna().tolist() == [True, False, False] and table["head"][2] == 3
    together = pandas.concat([sentence.to_pandas(), Sentence.from_words([]).to_pandas()])
    assert len(together) == 3 and together["head"].dtype == "Int64"


@pytest.mark.parametrize(
    ("module", "convert"),
    [
        ("pandas", lambda sentence: sentence.to_pandas()),
        ("spacy.tokens", lambda sentence: sentence.to_spacy(None)),
    ],
)
def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, module: str, convert: Any) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match="pip install") as caught:
        convert(Sentence.from_words(["a"]))
    assert "\n" not in str(caught.value)
