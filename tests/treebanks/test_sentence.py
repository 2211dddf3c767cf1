"""Sentences from Python: paths and files of any kind, heads that are read-only, tokens made by hand."""

from __future__ import annotations

import copy
import gzip
import io
import pickle
import tempfile
from pathlib import Path
from typing import Any

import conllu
import numpy as np
import pytest

import wnparse
from support.places import DATA
from wnparse.treebanks.sentence import Sentence

PATH = DATA / "test.conllu"
RAW = PATH.read_bytes()
TEXT = RAW.decode()


@pytest.fixture
def sentence() -> Sentence:
    return next(iter(wnparse.read(PATH)))


def together(sentences: Any) -> bytes:
    return b"".join(sentence.raw for sentence in sentences)


def test_reads_paths_and_files() -> None:
    with PATH.open("rb") as binary, PATH.open(encoding="utf-8") as text:
        for source in (str(PATH), PATH, binary, text, io.BytesIO(RAW), io.StringIO(TEXT)):
            assert together(wnparse.read(source)) == RAW, source
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as named:
        named.write(TEXT)
        named.seek(0)
        assert together(wnparse.read(named)) == RAW


def test_reads_conllu_text() -> None:
    assert together(wnparse.read(TEXT)) == RAW
    assert [len(sentence) for sentence in wnparse.read("\n")] == [0]
    broken = TEXT[: TEXT.index("\n\n") + 2] + "1\ta\n\n"
    line = broken.count("\n") - 1
    with pytest.raises(wnparse.TreebankError, match=f"<text>:{line}: 2 columns"):
        list(wnparse.read(broken))
    with pytest.raises(wnparse.TreebankError, match=r"<text>:1: byte 0xed .*not UTF-8"):
        list(wnparse.read("# \ud800\n\n"))


@pytest.mark.parametrize("source", ["no/such.conllu", Path("no/such.conllu"), "1\tThe", ""])
def test_says_what_it_can_read_if_there_is_no_such_file(source: Any) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"no such file; expected a path, .*text with its line ends"
    ) as caught:
        wnparse.read(source)
    assert caught.value.filename == str(source)


def test_errors_of_text_files_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "latin"
    path.write_bytes("1\té\té\tX\t_\t_\t0\troot\t_\t_\n\n".encode("latin-1"))
    with path.open(encoding="utf-8") as text, pytest.raises(wnparse.TreebankError, match="open it in binary mode"):
        list(wnparse.read(text))
    message = "latin:1: byte 0xe9 at offset 2 is not UTF-8"
    with (
        path.open(encoding="utf-8", errors="surrogateescape") as text,
        pytest.raises(wnparse.TreebankError, match=message),
    ):
        list(wnparse.read(text))
    with path.open(encoding="latin-1") as text:
        assert next(iter(wnparse.read(text))).column("form") == ["é"]


@pytest.mark.parametrize("source", [5, None, b"a.conllu", ["a.conllu"]])
def test_refuses_other_sources(source: Any) -> None:
    with pytest.raises(TypeError, match="a path or an open file, not "):
        wnparse.read(source)


def test_writes_paths_and_files(tmp_path: Path) -> None:
    sentences = list(wnparse.read(PATH))
    for target in (str(tmp_path / "a"), tmp_path / "b"):
        wnparse.write(sentences, target)
        assert Path(target).read_bytes() == RAW
    wnparse.write(sentences, tmp_path / "c.gz")
    assert gzip.decompress((tmp_path / "c.gz").read_bytes()) == RAW
    binary, text = io.BytesIO(), io.StringIO()
    wnparse.write(sentences, binary)
    wnparse.write(sentences, text)
    assert binary.getvalue() == RAW
    assert text.getvalue() == TEXT
    with (tmp_path / "d").open("w", encoding="utf-8") as file:
        wnparse.write(sentences, file)
    assert (tmp_path / "d").read_bytes() == RAW


def test_may_overwrite_its_input_and_keeps_it_on_failure(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(RAW)
    wnparse.write(wnparse.read(path), path)
    assert path.read_bytes() == RAW
    with pytest.raises(TypeError, match=r"sentence 1: expected .*, not int 3"):
        wnparse.write([3], path)  # type: ignore[list-item]
    assert path.read_bytes() == RAW
    assert list(tmp_path.iterdir()) == [path]


def test_separates_sentences_when_writing() -> None:
    rows = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
    parts = [
        next(iter(wnparse.read(io.StringIO(text)))) for text in ("\ufeff" + rows, "\ufeff" + rows, rows + "\n")
    ]
    out = io.StringIO()
    wnparse.write(parts, out)
    assert out.getvalue() == f"\ufeff{rows}\n{rows}\n{rows}\n"


def test_writes_sentences_of_the_conllu_library(sentence: Sentence) -> None:
    out = io.BytesIO()
    wnparse.write([sentence.to_tokenlist(), sentence], out)
    assert out.getvalue() == 2 * sentence.raw


@pytest.mark.parametrize(
    "given, message",
    [
        ("a.conllu", "wnparse.read('a.conllu')"),
        (Path("a.conllu"), "wnparse.read('a.conllu')"),
        (io.StringIO(), "wnparse.read(file)"),
        (conllu.TokenList([{"form": "a"}]), "[sentence]"),
        (5, "not int 5"),
    ],
)
def test_arguments_that_are_not_sentences_raise_type_error(
    given: Any, message: str, sentence: Sentence, model: str
) -> None:
    loaded = wnparse.load(model)
    for call in (loaded.parse, lambda what: wnparse.write(what, io.BytesIO())):
        with pytest.raises(TypeError) as caught:
            call(given)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="not one sentence"):
        loaded.parse(sentence)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"expected a Sentence, a list of words, .*, not str 'a'"):
        list(loaded.parse(["a"]))  # type: ignore[list-item]


def test_refuses_unknown_columns(sentence: Sentence) -> None:
    with pytest.raises(ValueError, match=r"column .pos.; .*id, form"):
        sentence.column("pos")


def test_heads_are_read_only(sentence: Sentence) -> None:
    before = sentence.heads.tolist()
    with pytest.raises(ValueError, match="read-only"):
        sentence.heads[1] = 2
    with pytest.raises(AttributeError, match=r"read-only; sentence.with_tree\(heads\)"):
        sentence.heads = np.zeros(3, np.int32)
    copies = [sentence, pickle.loads(pickle.dumps(sentence)), copy.copy(sentence), copy.deepcopy(sentence)]
    for copied in [
        *copies,
        sentence.with_tree(sentence.heads),
        wnparse.Sentence.from_tokenlist(conllu.TokenList()),
    ]:
        assert not copied.heads.flags.writeable
    for copied in copies:
        assert (copied.raw, copied.heads.tolist(), copied.line) == (sentence.raw, before, sentence.line)
        assert copied.column("form") == sentence.column("form")
    other = sentence.with_tree([-1, 0] + [1] * (len(sentence) - 1))
    assert other.column("head")[:2] == ["0", "1"]


@pytest.mark.filterwarnings("ignore:the sentences. empty")
def test_accepts_tokens_with_few_columns(model: str) -> None:
    loaded = wnparse.load(model)
    bare: list[dict[str, Any]] = [{"form": "a", "upos": "X"}, {"form": "b"}]
    numbered = [{"id": number, **token} for number, token in enumerate(bare, 1)]
    older = [{"id": number, "form": "a", "upostag": "NOUN", "feats": {}, "deps": []} for number in (1, 2)]
    for tokens in (bare, numbered, older, [{"form": "a", "id": 1, "upos": "X", "misc": None, "head": None}]):
        (parsed,) = loaded.parse([conllu.TokenList(tokens)])
        assert sum(token["head"] == 0 for token in parsed) == 1
        assert [token["form"] for token in parsed] == [token["form"] for token in tokens]
        assert list(parsed[0]) == [
            "id",
            "form",
            "lemma",
            "upos",
            "xpos",
            "feats",
            "head",
            "deprel",
            "deps",
            "misc",
        ]
    assert wnparse.Sentence.from_tokenlist(conllu.TokenList(older)).column("upos") == ["NOUN", "NOUN"]
    with pytest.raises(wnparse.TreebankError, match="token 1 has gloss; expected"):
        list(loaded.parse([conllu.TokenList([{"form": "a", "gloss": "b"}])]))
