"""Input with one word per line: the CoNLL-U it becomes, and errors."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

import wnparse
from support.commands import Run, train_model
from support.treebanks import first_sentences, sentences
from wnparse.errors import TreebankError
from wnparse.storage.files import FilePart
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import WordSource, count_sentences, find_joined, have_spaces, split_lines


def words_of(text: bytes) -> bytes:
    """The forms of sentences, one per line."""
    return b"".join(
        "".join(f"{form}\n" for form in sentence.column("form")).encode() + b"\n" for sentence in sentences(text)
    )


def words_as_rows(text: bytes) -> bytes:
    """Sentences of which only the forms are known, as CoNLL-U."""
    rows = []
    for number, sentence in enumerate(sentences(text), 1):
        forms = sentence.column("form")
        rows += [f"# sent_id = {number}", f"# text = {' '.join(forms)}"]
        rows += [f"{i}\t{form}" + "\t_" * 8 for i, form in enumerate(forms, 1)]
        rows.append("")
    return "".join(row + "\n" for row in rows).encode()


@pytest.fixture(scope="session")
def spaced_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tagger of a treebank in which some words contain a space."""
    folder = tmp_path_factory.mktemp("spaced")
    (folder / "t.conllu").write_bytes(first_sentences("dev", 20).replace(b"\tle\t", b"\tle le\t"))
    return str(train_model(folder, str(folder / "t.conllu"), "--only", "tagger"))


def read_words(
    folder: Path, text: bytes, *, spaces: bool = False, skip: list[TreebankError] | None = None
) -> bytes:
    """Return the CoNLL-U of a text of words."""
    path = folder / "words.txt"
    path.write_bytes(text)
    source = WordSource(str(path), itertools.count(1), spaces=spaces)
    reader = Reader([source], skip=None if skip is None else skip.append)
    return b"".join(sentence.raw for sentence in reader)


def row(number: int, form: str, misc: str = "_") -> str:
    return f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}"


def text_of(*lines: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


def test_plain_words_give_the_same_as_rows(wnparse_inside: Run, only_tags: str, bare: bytes) -> None:
    done = wnparse_inside("tag", "-m", only_tags, "--input", "words", "-", stdin=words_of(bare))
    expected = b"".join(sentence.raw for sentence in wnparse.load(only_tags).tag(sentences(words_as_rows(bare))))
    assert done.stdout == expected


def test_comments_within_a_sentence_move_above_it(tmp_path: Path) -> None:
    text = read_words(tmp_path, b"# first\na\n# within\nb\n# last\n\nc\n")
    assert text == text_of(
        *("# first", "# within", "# last", "# sent_id = 1", "# text = a b", row(1, "a"), row(2, "b"), ""),
        *("# sent_id = 2", "# text = c", row(1, "c"), ""),
    )


def test_comments_without_words_belong_to_the_next_sentence(tmp_path: Path) -> None:
    text = read_words(tmp_path, b"\n# newdoc\n\n\n# newpar\n\n  \na\n\n\n\nb\n")
    assert text == text_of(
        *("# newdoc", "# newpar", "# sent_id = 1", "# text = a", row(1, "a"), ""),
        *("# sent_id = 2", "# text = b", row(1, "b"), ""),
    )


def test_keeps_comments_at_the_end(tmp_path: Path) -> None:
    assert read_words(tmp_path, b"a\n\n# the end").endswith(b"\n\n# the end\n\n")
    assert read_words(tmp_path, b"# all\n\n# there is\n") == b"# all\n# there is\n\n"


def test_given_ids_and_texts_stay(tmp_path: Path) -> None:
    text = "# sent_id = x-7\n# text = (a b).\n(\na\nb\n# source = y\n)\n.\n"
    assert read_words(tmp_path, text.encode()) == text_of(
        *("# sent_id = x-7", "# text = (a b).", "# source = y"),
        *(row(1, "(", "SpaceAfter=No"), row(2, "a"), row(3, "b", "SpaceAfter=No"), row(4, ")", "SpaceAfter=No")),
        *(row(5, "."), ""),
    )
    other = read_words(tmp_path, b"# text = something else\na\n")
    assert other == text_of("# text = something else", "# sent_id = 1", row(1, "a"), "")


@pytest.mark.parametrize(
    ("text", "words", "joined"),
    [
        ("a b", ["a", "b"], [False, False]),
        ("ab", ["a", "b"], [True, False]),
        ("a  b", ["a", "b"], [False, False]),
        ("New York.", ["New York", "."], [True, False]),
        ("ab", ["a", "c"], None),
        ("abc", ["a", "b"], None),
        ("", ["a"], None),
    ],
)
def test_finds_where_words_are_joined(text: str, words: list[str], joined: list[bool] | None) -> None:
    assert find_joined(text, words) == joined


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("closed", [True, False])
def test_line_ends_are_those_of_the_first_line(tmp_path: Path, end: str, closed: bool) -> None:
    text = text_of("# c", "a", "", "b", "# d", end=end)
    other = "\r\n" if end == "\n" else "\n"
    for given in (text, text[: -len(end)], text.replace(b"b" + end.encode(), b"b" + other.encode())):
        output = read_words(tmp_path, given + end.encode() * closed)
        assert output.count(b"\n") == output.count(end.encode()) == 10
        assert output.count(b"\r") == (10 if end == "\r\n" else 0)


def test_reads_a_byte_order_mark_number_signs_and_spaces(tmp_path: Path) -> None:
    text = read_words(tmp_path, b"\xef\xbb\xbf# c\n#\n #x \n#y\n")
    forms = ["#", "#x", "#y"]
    rows = [row(number, form) for number, form in enumerate(forms, 1)]
    assert text == text_of("# c", "# sent_id = 1", "# text = # #x #y", *rows, "")


BAD = [
    (b"a\nb\tc\n", ":2: a tab within a word"),
    (b"a\n  \xff\n", ":2: byte 0xff at offset 4 is not UTF-8"),
    (b"a\n# \xff\n", ":2: byte 0xff at offset 4 is not UTF-8"),
    (b"a\n\nb\0\n", ":3: NUL byte at offset 4"),
    (b"a\n\nNew York\n", ":3: 'New York' contains a space"),
    ("a\u00a0b\n".encode(), ":1: 'a\u00a0b' contains a space"),
    ("a\n\u00a0\n".encode(), ":2: '\u00a0' contains a space"),
    ("a\u2028b\n".encode(), ":1: 'a\u2028b' contains a space"),
    (b"a\rb\rc\n", ":1: 'a\rb\rc' contains a space"),
    ("a\n".encode("utf-16"), ":1: the file is UTF-16"),
    (gzip.compress(b"a\n", mtime=0), ":1: compressed data"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_refuses_bad_words(tmp_path: Path, text: bytes, message: str) -> None:
    with pytest.raises(TreebankError) as caught:
        read_words(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'words.txt'}{message}")


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_sentences_can_be_skipped(tmp_path: Path, text: bytes, message: str) -> None:
    skipped: list[TreebankError] = []
    if ": the file is" in message or ": compressed" in message:  # all of the file is bad
        with pytest.raises(TreebankError):
            read_words(tmp_path, text, skip=skipped)
        return
    output = read_words(tmp_path, b"x\n\n" + text + b"more\n\ny\n", skip=skipped)
    assert len(skipped) == 1
    numbers = [sentence.sent_id for sentence in sentences(output)]
    assert numbers == (["1", "2", "4"] if b"\n\n" in text else ["1", "3"])
    assert [sentence.column("form") for sentence in sentences(output)][-1] == ["y"]


def test_accepts_words_with_spaces_if_the_training_data_has_them(tmp_path: Path) -> None:
    output = read_words(tmp_path, "New York\n10\u00a0000\n".encode(), spaces=True)
    assert output == text_of(
        "# sent_id = 1", "# text = New York 10\u00a0000", row(1, "New York"), row(2, "10\u00a0000"), ""
    )
    for word in ("a  b", "a\u2028b", "a\x0bb", "\u00a0", "\u00a0a", "a\x1fb"):
        with pytest.raises(TreebankError, match=r":1: .*white space"):
            read_words(tmp_path, f"{word}\n".encode(), spaces=True)


def test_a_model_stores_whether_words_have_spaces(
    wnparse_inside: Run, only_tags: str, both: str, spaced_model: str, few: Path, tmp_path: Path
) -> None:
    for command, model in (("tag", only_tags), ("parse", both)):
        assert json.loads(wnparse_inside("info", model, "--json").stdout)["words_with_spaces"] is False
        done = wnparse_inside(command, "-m", model, "--input", "words", stdin=b"a\nNew York\n")
        assert done.returncode == 1
        assert done.stdout == b""
        assert done.stderr.splitlines()[-1].startswith(b"wnparse: <stdin>:2: 'New York' contains a space")
    assert wnparse.load(spaced_model).info["words_with_spaces"] is True
    done = wnparse_inside("tag", "-m", spaced_model, "--input", "words", stdin=b"a\nNew York\n")
    assert done.returncode == 0
    assert b"\n2\tNew York\t" in done.stdout
    spaced = [sentence for sentence in wnparse.read(few) if len(sentence)][:9]
    assert not have_spaces(spaced)
    text = b"".join(sentence.raw for sentence in spaced).replace(b"\tle\t", b"\tl e\t")
    assert wnparse.train(sentences(text), epochs=1, order=1, only="parser").info["words_with_spaces"] is (
        b"\tl e\t" in text
    )


def test_the_output_is_valid(wnparse_inside: Run, both: str, bare: bytes, tmp_path: Path) -> None:
    text = b"# newdoc\n\n" + words_of(bare).replace(b"\n\n", b"\n# note\n\n\n", 3) + b"# text = (x).\n(\nx\n)\n.\n"
    (tmp_path / "words").write_bytes(text)
    for options in ([], ["--k-best", "2"], ["--confidence"]):
        done = wnparse_inside("parse", "-m", both, "--input", "words", "words", "-", *options, stdin=text)
        assert done.returncode == 0, done.stderr
        (tmp_path / "out.conllu").write_bytes(done.stdout)
        command = [
            sys.executable,
            "-m",
            "udtools.cli",
            "--lang",
            "ud",
            "--level",
            "2",
            str(tmp_path / "out.conllu"),
        ]
        checked = subprocess.run(command, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stderr.decode()[-2000:]


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_reads_the_last_sentence_completely(wnparse_inside: Run, only_tags: str, end: bytes) -> None:
    done = wnparse_inside("tag", "-m", only_tags, "--input", "words", "-", stdin=b"le\n\nex" + end)
    assert done.stdout.endswith(b"\n\n")
    assert done.stdout.count(b"\n\n") == 2
    assert wnparse_inside("tag", "-m", only_tags, "--input", "words", "-", stdin=b"").stdout == b""


def test_reads_one_sentence_at_a_time(only_tags: str, tmp_path: Path) -> None:
    """Each sentence is tagged when it is there, before the next is."""
    command = [sys.executable, "-m", "wnparse", "tag", "-q", "-m", only_tags, "--input", "words", "-"]
    # In another folder, so that what is installed is tested.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin and process.stdout
        for word in (b"le", b"ex"):
            process.stdin.write(word + b"\n \n")
            process.stdin.flush()
            lines = [process.stdout.readline() for _ in range(4)]
            assert lines[1] == b"# text = " + word + b"\n"
            assert lines[2].startswith(b"1\t" + word)
            assert lines[3] == b"\n"
        process.stdin.close()
        assert isinstance(process.stdout, io.BufferedReader)
        assert process.stdout.read() == b""


def test_parts_of_a_file_are_numbered_as_the_whole(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf# c\r\n\r\na\r\n\r\nb\r\nb\r\n# d\r\n \r\nx y\r\n\r\n# e\r\n\r\nz\r\n"
    whole = read_words(tmp_path, text, skip=[])
    path = str(tmp_path / "words.txt")
    for cut in range(1, len(text)):
        lines = split_lines(text[:cut])
        # Parts begin behind a blank line that follows a sentence with words.
        if not text[:cut].endswith(b"\r\n\r\n") or lines[-2].startswith((b"#", b"\xef")):
            continue
        first = 1 + count_sentences(split_lines(text[len(b"\xef\xbb\xbf") : cut]))
        output = b""
        for begin, end, number in ((0, cut, 1), (cut, len(text), first)):
            part = FilePart(path, path, begin, end)
            skipped: list[TreebankError] = []
            output += b"".join(
                sentence.raw
                for sentence in Reader([WordSource(part, itertools.count(number))], skip=skipped.append)
            )
            part.close()
        assert output == whole


def test_lines_of_sentences_and_errors_are_those_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_bytes(b"\n\na\n# c\nb\n\n# d\n\nc\n\ne\n")
    sentences_read: list[Sentence] = list(Reader([WordSource(str(path), itertools.count(1))]))
    assert [sentence.line for sentence in sentences_read] == [3, 7, 11]


def test_refuses_lines_and_sentences_that_are_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wnparse.treebanks.reader.LONGEST_SENTENCE", 1 << 20)
    with pytest.raises(TreebankError, match=":1: a line of more than 1 MiB"):
        read_words(tmp_path, b"a" * (1 << 21))
    with pytest.raises(TreebankError, match=":524289: a sentence of more than 1 MiB"):
        read_words(tmp_path, b"a\n" * (1 << 20))
