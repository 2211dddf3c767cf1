"""Plain text as input: the CoNLL-U it becomes, from which the text can be rebuilt, and errors."""

from __future__ import annotations

import gzip
import io
import itertools
import lzma
import random
import re
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from campaigns.text_checks import CarelessTokenizer, PieceStream
from support.texts import SimpleTokenizer
from support.treebanks import sentences
from wnparse.errors import TreebankError
from wnparse.treebanks import text_input
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.text_input import TextSource, TextSplitter, open_texts, text_of

# What text may contain: white space of all kinds, controls, joiners, combining marks, right-to-left, emoji.
ODD = [
    *("\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\t", " ", "  ", "\0", "\x0b", "\x0c", "\x1b", "\x1c", "\x1f"),
    *("\x7f", "\x85", "\xa0", "\xad", "\u200b", "\u200d", "\u200e", "\u202e", "\u2028", "\u2029", "\u3000"),
    *("\ufeff", "\ufffe", "e\u0301", "\u0301", "שלום", "مرحبا", "日本語。", "👩‍👩‍👧", "🇹🇷", "\U0010ffff", "𝒳"),
    *("|", "\\", "\\s", "\\u0000", "_", "#", "# text = x", "1-2", "=", "SpaceAfter=No", "don't", "zum"),
    *(".", "?", "Hello", "a", "-"),
]
texts = st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=5)), max_size=40).map("".join)


def source_of(text: str | bytes, tokenizer: TextSplitter | None = None, **options: Any) -> TextSource:
    data = text.encode() if isinstance(text, str) else text
    return TextSource(io.BytesIO(data), itertools.count(1), tokenizer or SimpleTokenizer(), **options)


def read_text(text: str | bytes, tokenizer: TextSplitter | None = None, **options: Any) -> list[Sentence]:
    return list(Reader([source_of(text, tokenizer, **options)]))


def rows(sentence: Sentence) -> list[tuple[str, str, str]]:
    """ID, FORM and MISC of each row."""
    lines = [line.split("\t") for line in sentence.raw.decode().split("\n") if line and line[0] != "#"]
    return [(columns[0], columns[1], columns[9]) for columns in lines]


def test_text_becomes_conllu() -> None:
    output = read_text("Ich gehe zum Arzt.  Und du?\r\nJa\n \nNeuer Absatz")
    empty = "\t_" * 7
    assert b"".join(sentence.raw for sentence in output).decode() == (
        f"# newdoc\n# newpar\n# sent_id = 1\n# text = Ich gehe zum Arzt.\n1\tIch{empty}\t_\n2\tgehe{empty}\t_\n"
        f"3-4\tzum{empty}\t_\n3\tzu{empty}\t_\n4\tdem{empty}\t_\n5\tArzt{empty}\tSpaceAfter=No\n"
        f"6\t.{empty}\tSpacesAfter=\\s\\s\n\n"
        f"# sent_id = 2\n# text = Und du?\n1\tUnd{empty}\t_\n2\tdu{empty}\tSpaceAfter=No\n"
        f"3\t?{empty}\tSpacesAfter=\\r\\n\n\n"
        f"# sent_id = 3\n# text = Ja\n1\tJa{empty}\tSpacesAfter=\\n\\s\\n\n\n"
        f"# newpar\n# sent_id = 4\n# text = Neuer Absatz\n1\tNeuer{empty}\t_\n2\tAbsatz{empty}\tSpaceAfter=No\n\n"
    )
    assert [sentence.line for sentence in output] == [1, 1, 2, 4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a", [("1", "a", "SpaceAfter=No|SpacesBefore=\\s")]),
        ("\n\n a ", [("1", "a", "SpacesBefore=\\n\\n\\s")]),
        ("\ufeffa ", [("1", "a", "SpacesBefore=\\ufeff")]),
        ("\ufeff\r\na\r\n", [("1", "a", "SpacesAfter=\\r\\n|SpacesBefore=\\ufeff\\r\\n")]),
        (
            "a\tb\u00a0c",
            [("1", "a", "SpacesAfter=\\t"), ("2", "b", "SpacesAfter=\\u00a0"), ("3", "c", "SpaceAfter=No")],
        ),
        ("a\0b ", [("1", "a", "SpacesAfter=\\u0000"), ("2", "b", "_")]),
        ("a\x0c\x85\u2028\u2029b ", [("1", "a", "SpacesAfter=\\u000c\\u0085\\u2028\\u2029"), ("2", "b", "_")]),
        ("a\rb\r", [("1", "a", "SpacesAfter=\\r"), ("2", "b", "SpacesAfter=\\r")]),
    ],
)
def test_gaps_are_in_misc(text: str, expected: list[tuple[str, str, str]]) -> None:
    (sentence,) = read_text(text)
    assert rows(sentence) == expected
    assert text_of([sentence]) == text


def test_characters_that_are_not_white_space_stay_in_forms() -> None:
    for word in ("a\x1bb", "\u200b", "\u202eabc", "👩‍👩‍👧", "🇹🇷", "x\ufeffy", "e\u0301", "\u00e9"):
        output = read_text(f"{word} x")
        assert "".join(output[0].column("form")) == f"{word}x"
        assert text_of(output) == f"{word} x"


class OneToken:
    """A tokenizer that finds one token from the first to the last character that is not white space."""

    def split(self, text: str) -> list[list[tuple[int, int, None]]]:
        tokens = self.split_sentence(text)
        return [tokens] if tokens else []

    def split_sentence(self, text: str) -> list[tuple[int, int, None]]:
        begin = len(text) - len(text.lstrip())
        return [(begin, len(text.rstrip()), None)] if text.strip() else []


@pytest.mark.parametrize(
    ("text", "form", "misc"),
    [
        ("New York ", "New York", "_"),
        ("10\u00a0000 ", "10\u00a0000", "_"),
        ("New  York ", "New York", "SpacesInToken=New\\s\\sYork"),
        ("New\nYork ", "New York", "SpacesInToken=New\\nYork"),
        ("a\0|b", "a |b", "SpaceAfter=No|SpacesInToken=a\\u0000\\pb"),
        ("a\tb\u00a0c\n", "a b c", "SpacesAfter=\\n|SpacesInToken=a\\tb\\u00a0c"),
    ],
)
def test_white_space_in_tokens_is_kept(text: str, form: str, misc: str) -> None:
    output = read_text(text, OneToken())
    assert rows(output[0]) == [("1", form, misc)]
    assert f"# text = {form}" in output[0].comments
    assert text_of(output) == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_blank_line_ends_a_paragraph(end: str) -> None:
    text = f"a{end}b{end}{end}c{end} \t{end}{end}d\u2029e\x0c\x0cf{end}"
    output = read_text(text)
    assert [sentence.column("form") for sentence in output] == [["a", "b"], ["c"], ["d", "e", "f"]]
    assert [sentence.comments.count("# newpar") for sentence in output] == [1, 1, 1]
    assert [sentence.comments.count("# newdoc") for sentence in output] == [1, 0, 0]
    assert text_of(output) == text


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff", "\0\0\n"])
def test_text_without_tokens_has_no_sentences(text: str) -> None:
    assert read_text(text) == []
    assert read_text(text, lines=True) == []


@given(texts, st.integers(0, 10))
@example("\ufeff\r\n\0# text = x\r\r\n\u2028a.\u0085b", 0)
@settings(deadline=None)
def test_the_text_can_be_rebuilt(text: str, seed: int) -> None:
    for tokenizer in (SimpleTokenizer(), CarelessTokenizer(seed)):
        output = read_text(text, tokenizer)
        assert text_of(output) == (text if output else "")
        written = b"".join(sentence.raw for sentence in output)
        again = sentences(written)
        assert [sentence.raw for sentence in again] == [sentence.raw for sentence in output]
        assert len(written.decode().splitlines()) == written.count(b"\n")  # no other line ends
        assert not re.search(
            r"[\0\t\r\n]", "".join(form for sentence in output for form in sentence.column("form"))
        )


@given(texts, st.integers(0, 10), st.integers(1, 7))
@settings(deadline=None)
def test_the_output_does_not_depend_on_how_text_arrives(text: str, seed: int, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_input, "BLOCK", 8)
        patch.setattr(text_input, "LONGEST_LINE", 16)
        for lines in (False, True):
            tokenizer = CarelessTokenizer(seed)
            whole = read_text(text, tokenizer, lines=lines)
            stream = PieceStream(text.encode(), size)
            parts = list(Reader([TextSource(stream, itertools.count(1), tokenizer, lines=lines)]))
            assert [sentence.raw for sentence in parts] == [sentence.raw for sentence in whole]
            assert [sentence.line for sentence in parts] == [sentence.line for sentence in whole]


@given(texts)
@settings(deadline=None)
def test_short_blocks_give_the_same_text(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_input, "BLOCK", 4)
        patch.setattr(text_input, "LONGEST_LINE", 8)
        for tokenizer in (SimpleTokenizer(), CarelessTokenizer(1)):
            output = read_text(text, tokenizer)
            assert text_of(output) == (text if output else "")


def test_blocks_split_as_the_whole_paragraph() -> None:
    rng = random.Random(1)
    words = ["Hello", "there", "you", "don't", ",", "zum", "x"]
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 12))) + rng.choice(["", ".", "?"]) for _ in range(3000)]
    text = "\n".join(lines)
    whole = [[text[begin:end] for begin, end, _ in tokens] for tokens in SimpleTokenizer().split(text)]
    output = read_text(text)
    assert [[form for _, form, _ in tokens_of(sentence)] for sentence in output] == whole
    assert text_of(output) == text


def tokens_of(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """The rows that are not words of a multiword token."""
    last = 0
    for row in rows(sentence):
        first, _, end = row[0].partition("-")
        if end:
            last = int(end)
        elif int(first) <= last:
            continue
        yield row


@pytest.mark.parametrize(
    ("data", "offset", "line"),
    [
        (b"\xff", 0, 1),
        (b"abc\xffdef", 3, 1),
        (b"a.\nb.\n\nc \xc3", 9, 4),
        (b"\xef\xbb\xbfa\n\xed\xa0\x80", 5, 2),
        (b"a" * 300_000 + b"\n\xf5", 300_001, 2),
        ("é".encode() * 200_000 + b"\xe9\n", 400_000, 1),
    ],
)
def test_bytes_that_are_not_utf_8_are_an_error(data: bytes, offset: int, line: int) -> None:
    for size in (len(data), 1 if len(data) < 100 else 4001):
        source = TextSource(PieceStream(data, size), itertools.count(1), SimpleTokenizer())
        with pytest.raises(TreebankError, match=f"<text>:{line}: byte 0x.. at offset {offset} is not UTF-8"):
            list(Reader([source]))


def test_sentences_before_an_error_are_returned() -> None:
    reader = Reader([source_of(b"One. Two.\n\nThree.\n\nFour.\n\n\xff")])
    assert [sentence.column("form")[0] for sentence in itertools.islice(reader, 3)] == ["One", "Two", "Three"]
    with pytest.raises(TreebankError):
        next(reader)


@pytest.mark.parametrize(
    ("data", "message"),
    [("a\n".encode("utf-16"), "the file is UTF-16"), (gzip.compress(b"a\n", mtime=0), "compressed data")],
)
def test_refuses_other_formats(data: bytes, message: str) -> None:
    with pytest.raises(TreebankError, match=f":1: {message}"):
        read_text(data)


def test_documents_have_the_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.b.txt").write_text("a. b.\n", encoding="utf-8")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"c."))
    (tmp_path / "d.xz").write_bytes(lzma.compress(b"d."))
    (tmp_path / "e\nf").write_bytes(b"e.")
    paths = [str(tmp_path / name) for name in ("a.b.txt", "c.txt.gz", "d.xz", "e\nf")]
    output = list(Reader(open_texts(paths, SimpleTokenizer())))
    documents = [comment for sentence in output for comment in sentence.comments if "newdoc" in comment]
    assert documents == ["# newdoc id = a.b", "# newdoc id = c", "# newdoc id = d", "# newdoc id = e f"]
    assert [sentence.sent_id for sentence in output] == ["1", "2", "3", "4", "5"]


def test_a_line_can_be_a_sentence() -> None:
    output = read_text("One. Two\n\n \nThree  don't\r\nfour", lines=True)
    assert [sentence.column("form") for sentence in output] == [
        ["One", ".", "Two"], ["Three", "do", "n't"], ["four"],
    ]  # fmt: skip
    assert ["# newpar" in sentence.comments for sentence in output] == [True, True, False]
    assert [sentence.line for sentence in output] == [1, 4, 5]
    assert rows(output[1])[0] == ("1", "Three", "SpacesAfter=\\s\\s|SpacesBefore=\\n\\s\\n")
    assert text_of(output) == "One. Two\n\n \nThree  don't\r\nfour"


@given(texts)
@settings(deadline=None)
def test_lines_that_are_sentences_can_be_rebuilt(text: str) -> None:
    output = text_of(read_text(text, lines=True))
    assert text.startswith(output)
    assert not text[len(output) :].replace("\0", " ").replace("\ufeff", " ").strip()


def test_a_long_stretch_of_white_space_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_input, "LONGEST_GAP", 1 << 20)
    with pytest.raises(TreebankError, match=r"<text>:\d+: more than 1 Mi characters of white space"):
        read_text("a" + " \n" * (1 << 20))


HOSTILE = {
    "one word": "a",
    "no spaces": "ab,",
    "sentences without spaces": "日本語です。",
    "one line": "Hello there. ",
    "no sentence ends": "word\n",
    "carriage returns": "a\r",
    "paragraphs": "a\n\n",
    "blank lines": "\n",
    "NUL": "\0",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_is_linear(kind: str) -> None:
    def measure(size: int) -> float:
        text = "x. " + HOSTILE[kind] * (size // len(HOSTILE[kind])) + " y"
        start = time.process_time()
        output = read_text(text)
        elapsed = time.process_time() - start
        assert text_of(output) == text
        return elapsed

    measure(1000)
    short = min(measure(50_000) for _ in range(3))
    assert measure(200_000) < 12 * short + 0.1  # three times as long as linear


def test_memory_is_bounded() -> None:
    class Endless(io.RawIOBase):
        """Ten megabytes of a paragraph without end."""

        left = 10_000_000

        def read1(self, size: int) -> bytes:
            piece = (b"abc" * 20_000)[: min(self.left, 60_000)]
            self.left -= len(piece)
            return piece

        read = read1

    tracemalloc.start()
    stream: Any = Endless()
    count = sum(1 for _ in Reader([TextSource(stream, itertools.count(1), SimpleTokenizer())]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count >= 70
    assert peak < 8_000_000


@pytest.mark.slow
def test_ten_megabytes_without_a_space() -> None:
    text = "a" * 10_000_000
    start = time.process_time()
    output = read_text(text)
    assert time.process_time() - start < 5
    assert text_of(output) == text
