"""``wnparse parse --cluster`` writes, file by file, what ``wnparse parse`` writes."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.commands import Run
from support.places import DATA
from support.treebanks import first_sentences

Share = Callable[..., "tuple[int, str]"]


@pytest.fixture
def share(wnparse_inside: Run, model: str, shared_cluster: str) -> Share:
    """Run ``wnparse parse --cluster`` on some files into the folder ``out``; exit status and messages."""

    def run(*arguments: str) -> tuple[int, str]:
        result = wnparse_inside(
            "parse", "--cluster", shared_cluster, "-m", model, "--output-dir", "out", *arguments
        )
        assert result.stdout == b""
        return result.returncode, result.stderr.decode()

    return run


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    """Files of many kinds: large, small, compressed, without a blank line at the end, without words."""
    text = (DATA / "test.conllu").read_bytes()
    some = first_sentences("test", 30)
    files = {
        "large.conllu": text,
        "windows.conllu": b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
        "blank.conllu": b"\n\n" + some.replace(b"\n\n", b"\n\n\n\n") + b"\n\n",
        "unfinished.conllu": some.rstrip(b"\n"),
        "empty.conllu": b"",
        "comments.conllu": b"# nothing\n\n# else",
        "small.conllu.gz": gzip.compress(some),
        "small.conllu.xz": lzma.compress(some),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    return list(files)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def assert_same(folder: Path, names: list[str], run: Run, *options: str, command: str = "parse") -> None:
    for name in names:
        alone = run(command, "-q", name, "-o", f"alone-{name}", *options)
        assert alone.returncode == 0, alone.stderr
        assert (folder / "out" / name).read_bytes() == (folder / f"alone-{name}").read_bytes(), name


def test_outputs_are_those_of_one_machine(
    share: Share, corpus: list[str], wnparse_inside: Run, model: str, tmp_path: Path
) -> None:
    status, messages = share(*corpus, "--task-words", "300", "--report", "report")
    assert status == 0, messages
    assert_same(tmp_path, corpus, wnparse_inside, "-m", model)
    assert names_in(tmp_path / "out") == sorted([".wnparse", *corpus])
    assert names_in(tmp_path / "out" / ".wnparse") == ["done.jsonl", "lock", "manifest.json"]
    tasks = int(re.search(r"(\d+) tasks", messages)[1])  # type: ignore[index]
    assert tasks > 2 * 4693 // 300
    assert "words/s" in messages
    assert "dashboard http://" in messages
    assert "slowest tasks: " in messages
    assert messages.count("wnparse: tcp://127.0.0.1:") >= 1
    alone = wnparse_inside("parse", "-m", model, *corpus, "--report", "alone")
    assert len(alone.stdout) > 0
    reports = [
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()] for name in ("report", "alone")
    ]
    for line in (*reports[0], *reports[1]):
        line.pop("microseconds")
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    "options",
    [
        ["--k-best", "3", "--decoder", "msa"],
        ["--rules", "ud", "--drop-deps", "--jobs", "2"],
        ["--keep-heads", "--block-degree", "1"],
        ["--keep-fixed"],
    ],
)
def test_options_give_the_same_as_on_one_machine(
    share: Share, corpus: list[str], wnparse_inside: Run, model: str, tmp_path: Path, options: list[str]
) -> None:
    names = [name for name in corpus if name not in ("large.conllu", "windows.conllu")]
    status, messages = share(*names, "--task-words", "100", *options)
    assert status == 0, messages
    assert_same(tmp_path, names, wnparse_inside, "-m", model, *options)


def test_parses_plain_words(
    wnparse_inside: Run, tagging_model: str, shared_cluster: str, raw: bytes, tmp_path: Path
) -> None:
    words = re.sub(rb"(?m)^\d+\t([^\t]*)\t.*$", rb"\1", re.sub(rb"(?m)^\d+[-.].*\n", b"", raw))
    (tmp_path / "words").write_bytes(re.sub(rb"(?m)^#.*\n", b"", words))
    odd = b"\xef\xbb\xbf# text\n" + words.replace(b"\n\n", b"\n \n\n# alone\n\n# too\n\n")
    (tmp_path / "odd").write_bytes(odd)
    mixed = re.sub(rb"(?m)^# sent_id.*\n", b"", odd).replace(b"\n", b"\r\n", odd.count(b"\n") // 2)
    (tmp_path / "mixed").write_bytes(mixed)
    for command in ("parse", "tag"):
        arguments = ["-m", tagging_model, "--input", "words", "--confidence"]
        folder = ["--output-dir", "out", "--task-words", "50"]
        result = wnparse_inside(command, "--cluster", shared_cluster, "words", "odd", "mixed", *folder, *arguments)
        assert result.returncode == 0, result.stderr
        assert_same(tmp_path, ["words", "odd", "mixed"], wnparse_inside, *arguments, command=command)
        for path in (tmp_path / "out").rglob("*"):
            if path.is_file():
                path.unlink()


def test_reads_lists_and_patterns(share: Share, raw: bytes, tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / f"{folder}.conllu").write_bytes(raw)
    (tmp_path / "in" / "y.conllu").write_bytes(raw)
    (tmp_path / "list.txt").write_text("in/y.conllu\n\nin/[bc]/*.conllu\n")
    status, messages = share("in/a/a.conllu", "@list.txt")
    assert status == 0, messages
    assert "4 files, 1 task" in messages
    outputs = sorted(path.name for path in (tmp_path / "out").rglob("*.conllu"))
    assert outputs == ["a.conllu", "b.conllu", "c.conllu", "y.conllu"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x", "x"], "'x' and 'x' would both be written to out/x"),
        (["x", "./x"], "'x' and './x' would both be written to out/x"),
        (["absent"], "file 'absent' does not exist"),
        (["*.none"], "no file matches '*.none'"),
        (["@absent"], "list 'absent' does not exist"),
        (["@list"], "list:2: file 'absent' does not exist"),
        (["/dev/null"], "'/dev/null' can be read only once"),
        (["-"], "standard input cannot"),
        ([], "--output-dir needs files"),
        (["d"], "'d' is a directory"),
        (
            ["d/out/x", "--output-dir", "d/out"],
            "d/out/x would overwrite an input",
        ),
        (["x", "--output-dir", "x"], "Invalid value for '--output-dir': Directory 'x' is a file."),
        (
            ["x", "--output-dir", "absent/out"],
            "Invalid value for '--output-dir': directory '{}/absent' does not exist",
        ),
        (["x", "--report", "x"], "--report x would overwrite an input"),
        (["x", "--cluster", "nowhere"], "'nowhere' is not a cluster"),
        (["x", "--cluster", "file:none"], "scheduler file 'none' does not exist"),
    ],
)
def test_reports_bad_usage_before_any_work(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "d" / "out").mkdir(parents=True)
    for name in ("x", "d/out/x"):
        (tmp_path / name).write_bytes(raw)
    (tmp_path / "list").write_text("x\nabsent\n")
    result = wnparse_inside("parse", "--cluster", "local:1", "-m", model, "--output-dir", "out", *arguments)
    assert result.returncode == 2
    assert result.stderr.decode().splitlines()[-1].startswith("wnparse: " + message.format(tmp_path))
    assert not (tmp_path / "out" / ".wnparse").exists()


def test_refuses_task_words_without_a_cluster(wnparse_inside: Run, model: str) -> None:
    result = wnparse_inside("parse", "-m", model, "--task-words", "9", stdin=b"")
    assert result.returncode == 2
    assert re.fullmatch(b"wnparse: --task-words needs --cluster.*\n", result.stderr)


BAD = b"1\tfoo\t_\n\n"


def test_reports_or_skips_bad_sentences(
    share: Share, model: str, wnparse_inside: Run, raw: bytes, tmp_path: Path
) -> None:
    (tmp_path / "good").write_bytes(raw)
    (tmp_path / "bad").write_bytes(raw + BAD + raw + BAD + b"\n\n" + raw)
    for options in ([], ["--skip-bad"]):
        alone = wnparse_inside("parse", "-m", model, "bad", "-o", "alone", *options).stderr.decode()
        expected = next(line for line in alone.splitlines() if "bad" in line)
        status, messages = share("good", "bad", "--task-words", "60", *options)
        assert status == (0 if options else 1)
        assert expected in messages.splitlines()
        assert (tmp_path / "out" / "good").exists()
        assert (tmp_path / "out" / "bad").exists() == bool(options)
    assert (tmp_path / "out" / "bad").read_bytes() == (tmp_path / "alone").read_bytes()


def test_summarises_warnings(share: Share, model: str, wnparse_inside: Run, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(raw)
    options = ["--max-words", "10", "--time-limit", "100"]
    alone = wnparse_inside("parse", "-m", model, "x", *options).stderr.decode()
    losses = re.findall(r"x:\d+: not parsed: .*", alone)
    assert len(losses) > 5
    status, messages = share("x", "--task-words", "60", *options, "--strict")
    assert status == 1
    assert (tmp_path / "out" / ".wnparse" / "warnings.txt").read_text().splitlines() == losses
    assert f"wnparse: {losses[0].split(': ')[0]}" in messages
    assert "--time-limit" in messages
    assert re.search(r"not proved optimal; .*: x:\d", messages)


def test_another_command_is_refused(share: Share, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(raw)
    assert share("x")[0] == 0
    made = (tmp_path / "out" / "x").stat()
    status, messages = share("x", "--jobs", "2")
    assert status == 0
    assert "exist already" in messages
    assert (tmp_path / "out" / "x").stat() == made
    status, messages = share("x", "--k-best", "2")
    assert status == 2
    assert re.search("out: .*different settings: --k-best .*2", messages)
    (tmp_path / "y").write_bytes(raw)
    assert "the number of inputs was 1, is 2" in share("x", "y")[1]
    (tmp_path / "x").write_bytes(raw + raw)
    status, messages = share("x")
    assert status == 2
    assert f"{tmp_path / 'x'} has changed" in messages


def test_does_not_replace_existing_files(share: Share, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(raw)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x").write_bytes(b"mine")
    status, messages = share("x")
    assert status == 2
    assert "out/x: the file exists already" in messages
    assert (tmp_path / "out" / "x").read_bytes() == b"mine"
    (tmp_path / "out" / "x").unlink()
    assert share("x")[0] == 0
    (tmp_path / "out" / "x").unlink()
    assert share("x")[0] == 0  # made again
    assert (tmp_path / "out" / "x").exists()
