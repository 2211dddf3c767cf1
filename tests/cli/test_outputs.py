"""One output per input in a folder, resumed runs, and the summary of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import first_sentences

NAMES = ["a.conllu", "b.conllu"]


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    for name, part in zip(NAMES, ("dev", "test"), strict=True):
        (tmp_path / name).write_bytes(first_sentences(part, 8))
    return NAMES


@pytest.mark.parametrize("command", ["parse", "tag"])
def test_each_input_has_its_output(
    wnparse_inside: Run, both: str, corpus: list[str], tmp_path: Path, command: str
) -> None:
    result = wnparse_inside(command, "-m", both, "--output-dir", "out", "--jobs", "auto", "*.conllu")
    assert (result.returncode, result.stdout) == (0, b"")
    for name in corpus:
        alone = wnparse_inside(command, "-m", both, name).stdout
        assert (tmp_path / "out" / name).read_bytes() == alone


def test_inputs_of_one_name_are_refused_before_any_work(
    wnparse_inside: Run, model: str, corpus: list[str], tmp_path: Path
) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / corpus[0]).write_bytes(first_sentences("test", 3))
    result = wnparse_inside("parse", "-m", model, "--output-dir", "out", corpus[0], f"more/{corpus[0]}")
    assert result.returncode == 2
    assert b"more/a.conllu" in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert not (tmp_path / "out").exists()


def parsed_words(run: Run, model: str, *arguments: str) -> int:
    result = run("parse", "-m", model, "--output-dir", "out", *arguments, "--summary", "summary.json")
    assert result.returncode == 0, result.stderr
    return int(json.loads(Path("summary.json").read_text())["words"])


def test_a_run_is_resumed_only_where_nothing_has_changed(
    wnparse_inside: Run, model: str, corpus: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = parsed_words(wnparse_inside, model, *corpus, "--resume")
    outputs = [(tmp_path / "out" / name).read_bytes() for name in corpus]
    assert whole > 0
    assert parsed_words(wnparse_inside, model, *corpus, "--resume", "--jobs", "2") == 0
    assert parsed_words(wnparse_inside, model, *corpus) == whole  # without the option, all is done again
    (tmp_path / "out" / corpus[0]).write_bytes(outputs[0][:-100])
    assert 0 < parsed_words(wnparse_inside, model, *corpus, "--resume") < whole
    assert [(tmp_path / "out" / name).read_bytes() for name in corpus] == outputs
    (tmp_path / corpus[1]).write_bytes(first_sentences("dev", 2))
    assert 0 < parsed_words(wnparse_inside, model, *corpus, "--resume") < whole
    assert parsed_words(wnparse_inside, model, *corpus, "--resume", "--decoder", "msa") > 0
    (tmp_path / "out" / ".wnparse" / "outputs" / f"{corpus[0]}.json").write_text("{")
    assert parsed_words(wnparse_inside, model, *corpus, "--resume", "--decoder", "msa") > 0


def test_the_summary_is_one_object(wnparse_inside: Run, model: str, corpus: list[str], tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_bytes(b"1\tx\n\n" + first_sentences("dev", 2))
    wnparse_inside("parse", "-m", model, *corpus, "bad.conllu", "--skip-bad", "--summary", "s.json", "-q")
    summary = json.loads((tmp_path / "s.json").read_text())
    assert list(summary) == [
        *("sentences", "words", "seconds", "words_per_second", "certified", "relaxed", "skipped")
    ]
    assert (summary["sentences"], summary["certified"], summary["skipped"]) == (18, 18, 1)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (["a.conllu", "--resume"], b"--output-dir"),
        (["a.conllu", "-o", "x", "--output-dir", "out"], b"--output-dir"),
        (["--output-dir", "out"], b"files"),
        (["-", "--output-dir", "out"], b"standard input"),
        (["a.conllu", "--output-dir", "a.conllu"], b"a.conllu"),
        (["a.conllu", "--cluster", "local:1"], b"--output-dir"),
        (["none*", "--output-dir", "out"], b"none*"),
    ],
)
def test_contradictory_options_are_bad_usage(
    wnparse_inside: Run, model: str, corpus: list[str], line: list[str], word: bytes
) -> None:
    result = wnparse_inside("parse", "-m", model, *line)
    assert result.returncode == 2
    assert word in result.stderr
    assert result.stderr.count(b"\n") == 1
