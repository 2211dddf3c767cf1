"""Reading and writing CoNLL-U: byte for byte, and each kind of bad input with its line."""

from __future__ import annotations

import gzip
import io
import lzma
import os
from pathlib import Path

import conllu
import numpy as np
import pytest

import wnparse
from wnparse.errors import TreebankError
from wnparse.treebanks.inputs import as_sentences
from wnparse.treebanks.reader import Reader, read
from wnparse.treebanks.sentence import Sentence, parse_sentence
from wnparse.treebanks.writing import write

TREE = (
    "# sent_id = a-1\n# remark without equals\n# sent_id = twice\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
    "2\tle\tle\tDET\tDT\tA=b|C=d\t0\troot\t0:root|2.1:x\tUrl=a=b\n"
    "2.1\tmot\t_\tNOUN\t_\t_\t_\t_\t2:dep\t_\n"
    "3\t10\u00a0000\u00a0\t_\tNUM\t_\t_\t2\tnummod:gov\t_\t_\n\n"
)


def sentences(text: str | bytes, **options: object) -> list[Sentence]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), **options))  # type: ignore[arg-type]


def round_trip(data: bytes) -> bytes:
    stream = io.BytesIO()
    write(sentences(data), stream)
    return stream.getvalue()


def row(ident: object, head: object = 0, form: str = "w") -> str:
    return f"{ident}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"


def test_reads_columns_and_heads() -> None:
    (sentence,) = sentences(TREE)
    assert len(sentence) == 3
    assert sentence.heads.tolist() == [-1, 2, 0, 2]
    assert sentence.column("form") == ["de", "le", "10\u00a0000\u00a0"]
    assert sentence.column("deprel") == ["case", "root", "nummod:gov"]
    assert sentence.column("misc") == ["_", "Url=a=b", "_"]
    assert sentence.sent_id == "a-1"
    assert sentence.comments[1] == "# remark without equals"
    assert [sentence.line_of(word) for word in (1, 2, 3)] == [5, 6, 8]
    assert sentence.annotated


@pytest.mark.parametrize(
    "text",
    [
        TREE,
        TREE * 3,
        TREE.replace("\n", "\r\n") * 2,
        TREE.rstrip("\n"),
        TREE.rstrip("\n") + "\n",
        "\ufeff" + TREE,
        "\n\n" + TREE + "\n\n\n" + TREE + "\n",
        "# only a comment\n\n" + TREE,
        TREE + "# at the end",
        "0.1\tx" + "\t_" * 8 + "\n" + row(1),
        row(1) + "# in between\n" + row(2, 1),
        row(1, "_") + row(2, 0),
        row(1, 0, "\u2028x\x85\x0by"),
        "",
        "\n",
        "\r\n\r\n",
    ],
)
def test_writes_what_was_read(text: str) -> None:
    assert round_trip(text.encode()) == text.encode()


def test_reads_and_writes_every_treebank_byte_for_byte(treebanks: Path) -> None:
    files = sorted(treebanks.glob("*/*.conllu"))
    assert len(files) >= 20
    for path in files:
        stream = io.BytesIO()
        write(read(path), stream)
        assert stream.getvalue() == path.read_bytes(), path


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_reads_pieces_of_any_size(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wnparse.storage.files.PIECE", size)
    for text in (TREE * 2, TREE.replace("\n", "\r\n") + "\r\n" + row(1), "\n\n\n" + row(1)):
        assert round_trip(text.encode()) == text.encode()
        assert [s.line for s in sentences(text)] == [s.line for s in sentences(text)]


def test_a_sentence_comes_before_the_input_ends() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.served = 0

        def read1(self, size: int) -> bytes:
            self.served += 1
            return TREE.encode()

    pipe = Pipe()
    stream = read(pipe)  # type: ignore[arg-type]
    assert len(next(stream)) == 3
    assert pipe.served == 1


def test_reads_conll_x() -> None:
    text = "1\tHet\tde\tArt\tArt\tbep|zijd\t2\tdet\t_\t_\n2\tboek\tboek\tN\tN\t_\t0\tROOT\t0\tROOT\n\n"
    (sentence,) = sentences(text)
    assert sentence.heads.tolist() == [-1, 2, 0]
    assert round_trip(text.encode()) == text.encode()


def test_reads_compressed_files(tmp_path: Path) -> None:
    for name, compress in (("a.conllu.gz", gzip.compress), ("a.conllu.xz", lzma.compress)):
        (tmp_path / name).write_bytes(compress(TREE.encode()))
        assert [len(s) for s in read(tmp_path / name)] == [3]


@pytest.mark.parametrize("name, compress", [("a.gz", gzip.compress), ("a.xz", lzma.compress)])
def test_refuses_damaged_compressed_files(tmp_path: Path, name: str, compress: object) -> None:
    whole = compress((TREE * 5000).encode())  # type: ignore[operator]
    for data in (whole[: len(whole) // 2], whole[:30] + b"xxxx" + whole[34:], b"no such format", whole[:3]):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(TreebankError, match=rf"{name}:\d+: compressed data .*damaged"):
            list(read(path))


COLUMNS = "expected 10"
BAD = [
    ("1\tw\t_\t_\t_\t_\t0\t_\n", 1, "8 columns; expected 10"),
    ("1\tw\t_\t_\t_\t_\t0\t_\t_\n", 1, "9 columns; expected 10"),
    (row(1).replace("\n", "\t_\n"), 1, "11 columns; expected 10"),
    ("1" + "\t_" * 13 + "\n", 1, "14 columns; expected 10"),
    ("word\n", 1, "1 columns; expected 10"),
    (row(1).replace("\t", "  "), 1, "separated by spaces; expected 10 columns"),
    ("# c\n" + row(1) + "  \t\n" + row(2, 1), 3, "white space only"),
    (row(1) + row(3), 2, "id '3' at the place of word 2"),
    (row(1) + row(1), 2, "id '1' at the place of word 2"),
    (row(0), 1, "id '0' at the place of word 1"),
    (row(2), 1, "id '2' at the place of word 1"),
    (row("x"), 1, "id 'x'"),
    (row("-1"), 1, "id '-1'"),
    (row("01"), 1, "id '01'"),
    (row("1_2"), 1, "id '1_2'"),
    (row(""), 1, "id ''"),
    (row("99999999999999999999"), 1, "at the place of word 1"),
    (row(1) + row("2-1"), 2, "multiword token '2-1' before word 2"),
    (row(1) + row("1-2") + row(2, 1), 2, "multiword token '1-2'"),
    (row("1-2-3") + row(1), 1, "multiword token '1-2-3'"),
    (row("1-") + row(1), 1, "multiword token '1-'"),
    (row("1-3") + row(1) + row(2, 1), 1, "multiword token '1-3' ends after the last word"),
    (row("1-3") + row(1) + row("2-3") + row(2, 1) + row(3, 1), 3, "'2-3' overlaps the previous one"),
    (row(1) + row("2.1"), 2, "empty node '2.1' after word 1"),
    (row(1) + row("1.2"), 2, "empty node '1.2'"),
    (row("1.1", "_"), 1, "empty node '1.1' after word 0"),
    (row("0.1", "_"), 1, "only multiword tokens or empty nodes"),
    (row(1, ""), 1, "head '' is not a word id"),
    (row(1, "root"), 1, "head 'root' is not a word id"),
    (row(1, -1), 1, "head '-1' is not a word id"),
    (row(1, "1.0"), 1, "head '1.0' is not a word id"),
    (row(1, 0) + row(2, 31), 2, "head 31 does not exist"),
    (row(1, 0) + row(2, 2), 2, "word '2' is its own head"),
    (row(1, 2) + row(2, 1), 1, "cycle: 1 → 2 → 1;"),
    (row(1, 0) + row(2, 3) + row(3, 2), 2, "cycle: 2 → 3 → 2;"),
    (row(1, 4) + row(2, 5) + row(3, 2) + row(4, 0) + row(5, 3) + row(6, 2), 2, "cycle: 2 → 5 → 3 → 2;"),
    (row(1, 0) + "".join(row(i, i + 1) for i in range(2, 20)) + row(20, 2), 2, "→ 11 → ... → 2;"),
    (b"# caf\xe9\n" + row(1).encode(), 1, "byte 0xe9 at offset 5 is not UTF-8"),
    (row(1).encode() + b"\n" + row(1).encode() + b"2\t\xff\n", 4, "byte 0xff at offset 43 is not UTF-8"),
    (row(1, 0, "a\0b").encode(), 1, "NUL byte at offset 3"),
    (TREE.encode("utf-16"), 1, "the file is UTF-16"),
    (TREE.encode("utf-16-le"), 1, "NUL byte at offset 1"),
    (gzip.compress(b"x", mtime=0), 1, "compressed data"),
]


@pytest.mark.parametrize("text, line, message", BAD)
def test_bad_input_names_its_line(text: str | bytes, line: int, message: str) -> None:
    with pytest.raises(TreebankError) as caught:
        sentences(text)
    assert caught.value.line == line
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"<stream>:{line}: ")
    assert "\n" not in str(caught.value)


def test_counts_lines_across_sentences() -> None:
    for newline in ("\n", "\r\n"):
        text = (TREE * 3 + row(1, 5)).replace("\n", newline)
        with pytest.raises(TreebankError) as caught:
            sentences(text)
        assert caught.value.line == 3 * TREE.count("\n") + 1


def test_skip_bad_keeps_the_other_sentences() -> None:
    text = row(1) + "\n" + row(2) + "\n" + row(1, 0, "good") + "\n" + "1\t\udcff\n\n" + row(1)
    errors: list[TreebankError] = []
    good = sentences(text.encode("utf-8", "surrogateescape"), skip=errors.append)
    assert [s.column("form") for s in good] == [["w"], ["good"], ["w"]]
    assert [error.line for error in errors] == [3, 7]


def test_reads_missing_heads() -> None:
    raw = row(1, "_") + row(2, "_")
    (sentence,) = sentences(raw)
    assert sentence.heads.tolist() == [-1, -1, -1]
    assert not sentence.annotated
    with pytest.raises(TreebankError, match=r":5: .*head is _"):
        sentences(row(1) + row(2, 1) + "\n" + row(1) + row(2, "_"), heads="required")
    with pytest.raises(TreebankError, match=r":2: .*head is _"):
        sentences("# c\n" + raw, heads="required")


def test_accepts_several_roots() -> None:
    assert sentences(row(1) + row(2))[0].heads.tolist() == [-1, 0, 0]


def test_a_tree_changes_head_and_deprel_only() -> None:
    for text in (TREE, TREE.replace("\n", "\r\n"), TREE.rstrip("\n"), "\ufeff" + TREE):
        (sentence,) = sentences(text)
        parsed = sentence.with_tree(np.array([-1, 0, 1, 1], np.int32), ["", "root", "x:y", "ç"])
        assert parsed.heads.tolist() == [-1, 0, 1, 1]
        assert parsed.column("deprel") == ["root", "x:y", "ç"]
        restored = parsed.with_tree(sentence.heads, ["", *sentence.column("deprel")])
        assert restored.raw == sentence.raw == text.encode()
        partial = sentence.with_tree(np.array([-1, 0, 1, -1], np.int32))
        expected = text.replace("2\tcase", "0\tcase").replace("0\troot", "1\troot")
        assert partial.raw.decode() == expected.replace("2\tnummod", "_\tnummod")
    with pytest.raises(ValueError, match="3 words"):
        sentence.with_tree(np.array([-1, 0], np.int32))


@pytest.mark.parametrize("relation", ["", "a\tb", "a\nb", "x\t_\t_\n2\tb\t_\tX\t_\t_\t1\tq"])
def test_a_relation_that_cannot_be_written_is_refused(relation: str) -> None:
    (sentence,) = sentences(row(1))
    with pytest.raises(ValueError, match=r"relation of word 1 is '.*'"):
        sentence.with_tree([-1, 0], ["", relation])
    assert sentence.with_tree([-1, 0], ["", "_"]).column("deprel") == ["_"]


def test_works_with_the_conllu_library() -> None:
    tokens = next(iter(conllu.parse_incr(io.StringIO(TREE))))
    (sentence,) = as_sentences([tokens])
    assert sentence.heads.tolist() == [-1, 2, 0, 2]
    back = sentence.to_tokenlist()
    assert [token["id"] for token in back] == [(1, "-", 2), 1, 2, (2, ".", 1), 3]
    assert back.serialize() == tokens.serialize()
    assert list(as_sentences([sentence])) == [sentence]


@pytest.mark.parametrize("head", ["x", "１", "9" * 5000, "1.0"])
def test_refuses_a_sentence_that_the_conllu_library_cannot_read(head: str) -> None:
    (sentence,) = sentences("# c\n\n" + row(1, head), heads="ignored")[1:]
    with pytest.raises(TreebankError, match=r"^<stream>:3: the conllu library cannot read"):
        sentence.to_tokenlist()


def test_a_file_without_its_last_newline_does_not_run_into_the_next(tmp_path: Path) -> None:
    for end in ("", "\n"):
        (tmp_path / "a").write_text("\ufeff" + row(1).rstrip("\n") + end)
        stream = io.BytesIO()
        write(Reader([str(tmp_path / "a")] * 2), stream)
        assert stream.getvalue().decode() == "\ufeff" + row(1) + "\n" + row(1).rstrip("\n") + end


@pytest.mark.parametrize("end", ["", "\r", "\r\n", "\r\n\r", "\r\n\r\n"])
def test_a_file_that_ends_within_a_line_end_does_not_run_into_the_next(tmp_path: Path, end: str) -> None:
    lines = row(1).rstrip("\n") + end
    (tmp_path / "a").write_bytes(lines.encode())
    stream = io.BytesIO()
    write(Reader([str(tmp_path / "a")] * 2), stream)
    newline = "\r\n" if end else "\n"
    assert stream.getvalue().decode() == row(1).rstrip("\n") + 2 * newline + lines


def test_does_not_wait_for_sentences_in_the_buffer() -> None:
    reading, writing = os.pipe()
    waited = []
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        pipe.write(TREE.encode() * 2 + b"\n# the next")
        reader = Reader([stream], waiting=lambda: waited.append(1))
        assert [len(next(reader)), reader.at_hand()] == [3, True]
        assert [len(next(reader)), reader.at_hand()] == [3, False]
        assert not waited
        pipe.write(b" one\n" + TREE.encode())
        third = next(reader)
        assert [third.comments[0], len(third), reader.at_hand()] == ["# the next one", 3, False]
        assert waited == [1]
        pipe.close()
        assert list(reader) == []


def test_reads_any_object_with_a_read_method() -> None:
    class Stream:
        def __init__(self) -> None:
            self.pieces = [TREE.encode()[:40], TREE.encode()[40:], b""]

        def read(self, size: int) -> bytes:
            assert size > 0
            return self.pieces.pop(0)

    assert [len(sentence) for sentence in Reader([Stream()])] == [3]  # type: ignore[list-item]


def test_nothing_is_lost_before_an_error() -> None:
    reader = Reader([io.BytesIO(TREE.encode() * 2 + b"1\tw\n\n" + TREE.encode())])
    assert len(next(reader)) == len(next(reader)) == 3
    assert not reader.at_hand()
    with pytest.raises(TreebankError, match="2 columns"):
        next(reader)


def test_parse_sentence_takes_one_sentence() -> None:
    assert len(parse_sentence(b"")) == 0
    assert len(parse_sentence(TREE.encode())) == 3
    with pytest.raises(TreebankError, match="more than one sentence"):
        parse_sentence(TREE.encode() * 2)


def test_exports_public_names() -> None:
    assert wnparse.read is read
    assert wnparse.Sentence is Sentence
    with pytest.raises(AttributeError, match="no_such_name"):
        wnparse.no_such_name  # noqa: B018


def test_a_giant_sentence_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wnparse.treebanks.reader.LONGEST_SENTENCE", 1 << 20)
    with pytest.raises(TreebankError, match="a sentence of more than 1 MiB"):
        sentences("# " + "x" * (3 << 20))
