"""Text on the command line and in Python: tokenize, parse and tag."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.texts import SimpleTokenizer
from support.treebanks import sentences
from wnparse.parser.model import Model
from wnparse.treebanks.text_input import text_of

TEXT = "Did the children wash the dishes?  They don't.\n\nNo\tspace left.\r\n"


def give_tokenizer(tokenizer: SimpleTokenizer | None, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands load a model with this tokenizer."""
    loaded = replace(wnparse.load(path), tokenizer=tokenizer)
    for name in ("wnparse.cli.tokenize.load", "wnparse.cli.options.parsing.load"):
        monkeypatch.setattr(name, lambda path: loaded)


@pytest.fixture
def tokenizing(both: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model that also has a tokenizer: the commands load it with one."""
    give_tokenizer(SimpleTokenizer(), both, monkeypatch)
    return both


@pytest.fixture
def splitting(tokenizing: str) -> Model:
    return replace(wnparse.load(tokenizing), tokenizer=SimpleTokenizer())


def test_tokenize_writes_tokens_alone(wnparse_inside: Run, tokenizing: str) -> None:
    done = wnparse_inside("tokenize", "-m", tokenizing, "-", stdin=TEXT.encode())
    assert done.returncode == 0
    assert done.stderr.startswith(b"wnparse: 3 sentences, 15 words; ")
    written = sentences(done.stdout)
    assert text_of(written) == TEXT
    assert "# newdoc" in written[0].comments
    for line in done.stdout.decode().splitlines():
        if line and not line.startswith("#"):
            assert line.split("\t")[2:9] == ["_"] * 7
    assert b"\n2-3\tdon't\t" in done.stdout


@pytest.mark.parametrize("command", ["parse", "tag"])
def test_text_gets_tags_and_trees(wnparse_inside: Run, tokenizing: str, command: str) -> None:
    tokens = wnparse_inside("tokenize", "-m", tokenizing, "-", stdin=TEXT.encode()).stdout
    expected = wnparse_inside(command, "-m", tokenizing, "-", stdin=tokens)
    for options in ([], ["--jobs", "2"], ["--skip-bad"]):
        done = wnparse_inside(command, "-m", tokenizing, "--input", "text", *options, "-", stdin=TEXT.encode())
        assert done.returncode == 0, done.stderr
        assert done.stdout == expected.stdout
    assert text_of(sentences(done.stdout)) == TEXT
    assert all(sentence.annotated for sentence in sentences(done.stdout)) == (command == "parse")


def test_one_sentence_per_line(wnparse_inside: Run, tokenizing: str) -> None:
    text = b"One. Two?\n\nthree  four\n"
    for command in ("parse", "tag", "tokenize"):
        done = wnparse_inside(command, "-m", tokenizing, "--input", "sentences", stdin=text)
        assert done.returncode == 0, done.stderr
        output = sentences(done.stdout)
        assert [sentence.column("form") for sentence in output] == [["One", ".", "Two", "?"], ["three", "four"]]
        assert text_of(output) == text.decode()


def test_spaces_between_words(wnparse_inside: Run, both: str) -> None:
    text = "\ufeffLe  chat dort .\r\n\n# 2\n \u00a0\nIl\u00a0mange\tbien\n".encode()
    done = wnparse_inside("parse", "-m", both, "--input", "horizontal", stdin=text)
    assert done.returncode == 0, done.stderr
    output = sentences(done.stdout)
    assert [sentence.column("form") for sentence in output] == [
        ["Le", "chat", "dort", "."], ["#", "2"], ["Il", "mange", "bien"],
    ]  # fmt: skip
    assert [sentence.sent_id for sentence in output] == ["1", "2", "3"]
    assert "# text = Le chat dort ." in output[0].comments
    words = b"Le\nchat\ndort\n.\n\n#\n2\n\nIl\nmange\nbien\n"
    assert wnparse_inside("parse", "-m", both, "--input", "words", stdin=words).stdout == done.stdout


def test_bad_bytes_between_words(wnparse_inside: Run, both: str) -> None:
    done = wnparse_inside("tag", "-m", both, "--input", "horizontal", stdin=b"\xef\xbb\xbfa \xff\nb\n")
    assert done.returncode == 1
    assert done.stderr.startswith(b"wnparse: <stdin>:1: byte 0xff at offset 5 is not UTF-8")
    done = wnparse_inside("tag", "-m", both, "--input", "horizontal", "--skip-bad", stdin=b"a\n\0\nb c\n")
    assert [sentence.column("form") for sentence in sentences(done.stdout)] == [["a"], ["b", "c"]]


def test_the_refusal_of_spaces_names_other_formats(wnparse_inside: Run, both: str) -> None:
    done = wnparse_inside("tag", "-m", both, "--input", "words", stdin=b"a b\n")
    assert done.returncode == 1
    assert b"--input horizontal" in done.stderr


@pytest.mark.parametrize(
    "line",
    [["tokenize"], ["parse", "--input", "text"], ["tag", "--input", "text"], ["parse", "--input", "sentences"]],
)
def test_a_model_without_tokenizer_is_bad_usage(
    wnparse_inside: Run, both: str, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    give_tokenizer(None, both, monkeypatch)
    done = wnparse_inside(*line, "-m", both, "-", stdin=b"a")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1].startswith(f"wnparse: {both}: the model has no tokenizer".encode())
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("input_format", ["text", "sentences", "horizontal"])
def test_clusters_do_not_read_text(wnparse_inside: Run, both: str, input_format: str) -> None:
    pytest.importorskip("distributed")
    Path("a.txt").write_bytes(b"a\n")
    options = ["--cluster", "local:1", "--output-dir", "out", "--input", input_format]
    done = wnparse_inside("parse", "-m", both, *options, "a.txt")
    assert done.returncode == 2
    assert f"--cluster cannot read --input {input_format}".encode() in done.stderr


@pytest.mark.parametrize("command", ["tokenize", "parse", "tag"])
def test_bytes_that_are_not_utf_8_are_an_error(wnparse_inside: Run, tokenizing: str, command: str) -> None:
    Path("bad.txt").write_bytes(b"Good text.\n\nBad \xed\xa0\x80 text.\n")
    options = [] if command == "tokenize" else ["--input", "text"]
    done = wnparse_inside(command, "-q", "-m", tokenizing, *options, "bad.txt", "-o", "out.conllu")
    assert done.returncode == 1
    assert done.stderr == b"wnparse: bad.txt:3: byte 0xed at offset 16 is not UTF-8; expected a UTF-8 file\n"
    assert not Path("out.conllu").exists()


def test_many_files(wnparse_inside: Run, tokenizing: str) -> None:
    Path("a.txt").write_bytes(b"One. Two.\n")
    Path("b.txt.gz").write_bytes(gzip.compress(b"Three."))
    done = wnparse_inside("tokenize", "-q", "-m", tokenizing, "a.txt", "b.txt.gz")
    output = sentences(done.stdout)
    assert [sentence.sent_id for sentence in output] == ["1", "2", "3"]
    assert [sentence.comments[0] for sentence in output] == ["# newdoc id = a", "# sent_id = 2", "# newdoc id = b"]
    options = ["--output-dir", "out", "--resume"]
    for count in (0, 2):
        done = wnparse_inside("tokenize", "-m", tokenizing, "*.txt*", *options)
        assert done.returncode == 0, done.stderr
        assert (f"{count} of 2 outputs existed already".encode() in done.stderr) == bool(count)
    assert Path("out/a.txt").read_bytes() == output[0].raw + output[1].raw
    assert gzip.decompress(Path("out/b.txt.gz").read_bytes()).startswith(b"# newdoc id = b\n")
    for wrong in (["-o", "x", "--output-dir", "out"], ["--resume"]):
        assert wnparse_inside("tokenize", "-m", tokenizing, "a.txt", *wrong).returncode == 2


def test_the_report_and_summary_count_text(wnparse_inside: Run, tokenizing: str) -> None:
    options = ["--input", "text", "--summary", "s.json", "--report", "r.jsonl", "-"]
    wnparse_inside("parse", "-m", tokenizing, *options, stdin=TEXT.encode())
    assert json.loads(Path("s.json").read_text())["sentences"] == 3
    assert len(Path("r.jsonl").read_text().splitlines()) == 3


def test_the_output_is_valid(wnparse_inside: Run, tokenizing: str, tmp_path: Path) -> None:
    text = "\ufeff\n " + TEXT + "a\u00a0b c\0d e\u2028f | \\ _ #\n\n\n" + TEXT
    done = wnparse_inside("parse", "-m", tokenizing, "--input", "text", stdin=text.encode())
    (tmp_path / "out.conllu").write_bytes(done.stdout)
    command = ["udtools.cli", "--lang", "ud", "--level", "2", str(tmp_path / "out.conllu")]
    checked = subprocess.run([sys.executable, "-m", *command], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr.decode()[-2000:]


def test_sentences_are_written_while_text_arrives(
    tokenizing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A sentence is written as soon as the next one has begun, while the input waits."""
    from wnparse.cli.main import cli

    text_out, text_in = os.pipe()
    rows_out, rows_in = os.pipe()
    for name, mode, descriptor in (("stdin", "r", text_out), ("stdout", "w", rows_in)):
        monkeypatch.setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))
    arguments = ["tokenize", "-q", "-m", tokenizing, "-"]
    thread = threading.Thread(target=lambda: cli.main(arguments, standalone_mode=False))
    thread.start()
    with os.fdopen(text_in, "wb", 0) as text, os.fdopen(rows_out, "rb") as rows:
        text.write(b"One. Two.\n\n")
        first = list(itertools.takewhile(lambda line: line != b"\n", rows))
        assert first[3] == b"# text = One.\n"
        text.write(b"Three. Four\n\n")
        second = list(itertools.takewhile(lambda line: line != b"\n", rows))
        assert second[1] == b"# text = Two.\n"
        text.close()
        thread.join(10)
        sys.stdin.close()
        sys.stdout.close()
        assert rows.read().count(b"# text") == 2


def test_python_splits_text(splitting: Model) -> None:
    tokens = splitting.tokenize(TEXT)
    assert [sentence.comments[-1] for sentence in tokens] == [
        "# text = Did the children wash the dishes?", "# text = They don't.", "# text = No space left.",
    ]  # fmt: skip
    assert text_of(tokens) == TEXT
    assert splitting.tokenize("") == []
    trees = list(splitting.parse_text(TEXT))
    assert [sentence.raw for sentence in trees] == [sentence.raw for sentence in splitting.parse(tokens)]
    assert [sentence.raw for sentence in splitting.parse_text(TEXT, jobs=2, max_words=1)] == [
        sentence.raw for sentence in splitting.parse(tokens, max_words=1)
    ]


def test_python_refuses_what_is_not_text(splitting: Model) -> None:
    for method in ("tokenize", "parse_text"):
        with pytest.raises(ValueError, match="the model has no tokenizer"):
            getattr(replace(splitting, tokenizer=None), method)("a")
        with pytest.raises(ValueError, match="character 1 of the text is a surrogate"):
            getattr(splitting, method)("a\ud800")
        with pytest.raises(TypeError, match="expected a str, not bytes b'a'"):
            getattr(splitting, method)(b"a")


@pytest.mark.parametrize("command", [["tokenize"], ["parse", "--input", "text"], ["tag", "--input", "words"]])
def test_never_overwrites_its_text(
    wnparse_inside: Run, tokenizing: str, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "a.txt").write_text("Words\n")
    result = wnparse_inside(*command, "-m", tokenizing, "a.txt", "-o", "a.txt")
    assert (result.returncode, (tmp_path / "a.txt").read_text()) == (2, "Words\n")
    assert b"overwrite" in result.stderr
