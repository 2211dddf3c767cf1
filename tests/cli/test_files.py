"""Files from the shell: where two inputs meet, outputs that are inputs, read-only ones."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import sentences
from wnparse.parser.confidence import Calibration
from wnparse.parser.model import load
from wnparse.storage.files import BOM
from wnparse.treebanks.reader import read
from wnparse.treebanks.writing import write

QUICK = ["--epochs", "1", "--order", "1", "--only", "parser"]
ONE = b"# sent_id = 1\n1\tone\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
TWO = b"# sent_id = 2\n1\ttwo\t_\tX\t_\t_\t0\troot\t_\t_\n1.1\tgap\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
ENDS = {
    "closed": ONE + TWO,
    "no blank line": (ONE + TWO)[:-1],
    "no newline": (ONE + TWO)[:-2],
    "crlf": (ONE + TWO).replace(b"\n", b"\r\n")[:-2],
    "bom": BOM + (ONE + TWO)[:-1],
    "comment": ONE + TWO + b"# the end",
    "empty": b"",
    "bom alone": BOM,
    "blank lines": b"\n\n",
}


@pytest.fixture(scope="session")
def calibrated_model(model: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("calibrated") / "m.wnp")
    replace(load(model), calibration=Calibration(100.0, 100.0)).save(path)
    return path


def ids(data: bytes) -> list[str]:
    return [sentence.sent_id.removesuffix("-rank2") for sentence in sentences(data) if sentence.sent_id]  # type: ignore[union-attr]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("options", [[], ["--jobs", "2"], ["--k-best", "2"], ["--confidence"], ["--drop-deps"]])
def test_parse_keeps_the_sentences_of_files_apart(
    wnparse_inside: Run, calibrated_model: str, tmp_path: Path, end: str, options: list[str]
) -> None:
    (tmp_path / "a").write_bytes(ENDS[end])
    (tmp_path / "b.gz").write_bytes(gzip.compress(BOM + TWO[:-1]))
    (tmp_path / "c").write_bytes(BOM + ONE)
    result = wnparse_inside("parse", "-m", calibrated_model, "a", "b.gz", "c", "-", *options, stdin=TWO[:-1])
    assert result.returncode == 0, result.stderr
    assert ids(result.stdout) == [*ids(ENDS[end]), "2", "1", "2"]
    assert result.stdout.count(BOM) == ENDS[end].startswith(BOM) or end in ("empty", "blank lines")
    assert BOM not in result.stdout[1:]
    if options == ["--drop-deps"]:
        assert b"gap" not in result.stdout


@pytest.mark.parametrize("end", ENDS)
def test_python_keeps_the_sentences_of_files_apart(end: str) -> None:
    stream = io.BytesIO()
    parts = [ENDS[end], BOM + TWO[:-1], BOM + ONE]
    write((sentence for part in parts for sentence in read(io.BytesIO(part))), stream)
    assert ids(stream.getvalue()) == [*ids(ENDS[end]), "2", "1"]
    assert BOM not in stream.getvalue()[1:]


@pytest.mark.parametrize("end", ENDS)
def test_other_commands_keep_the_sentences_of_files_apart(wnparse_inside: Run, tmp_path: Path, end: str) -> None:
    (tmp_path / "a").write_bytes(ENDS[end])
    (tmp_path / "b").write_bytes(BOM + ONE[:-2])
    expected = len(ids(ENDS[end])) + 2
    stats = json.loads(wnparse_inside("stats", "a", "b", "-", "--json", stdin=ONE).stdout)
    assert stats["all"]["sentences"] == expected
    assert wnparse_inside("train", "a", "b", "-", "-o", "m", *QUICK, stdin=ONE).returncode == 0
    assert json.loads(wnparse_inside("info", "m", "--json").stdout)["treebank"]["sentences"] == expected


OVERWRITING = [
    ["train", "t", "-o", "t"],
    ["train", "u", "t", "-o", "m", "--log", "t"],
    ["train", "u", "--dev", "t", "-o", "t"],
    ["train", "u", "--dev", "t", "-o", "m", "--log", "link"],
    ["train", "u", "-o", "m", "--log", "m"],
    ["train", "u", "-o", "c/best.wnp", "--checkpoint", "c"],
    ["train", "c/state.wnp", "-o", "m", "--checkpoint", "c"],
    ["parse", "-m", "model", "t", "-o", "model"],
    ["parse", "-m", "model", "t", "--report", "model"],
    ["parse", "-m", "model", "t", "--report", "t"],
    ["parse", "-m", "model", "u", "t", "--report", "hard"],
    ["parse", "-m", "model", "t", "-o", "t", "--report", "link"],
    ["parse", "-m", "model", "t", "-o", "p", "--report", "p"],
    ["parse", "-m", "model", "t", "-o", "new", "--report", "../here/new"],
    ["parse", "-m", "model", "t", "-o", "-", "--report", "-"],
    ["parse", "-m", "model", "t", "--report", "-"],
    ["stats", "u", "t", "-o", "t"],
    ["stats", "t", "--html", "link"],
    ["stats", "t", "-o", "p", "--html", "p"],
    ["eval", "t", "u", "-o", "t"],
    ["eval", "u", "t", "--html", "hard"],
    ["eval", "u", "t", "-o", "p", "--html", "p"],
    ["show", "t", "-o", "t"],
    ["show", "t", "--html", "t"],
    ["show", "u", "--differs-from", "t", "--svg", "t"],
    ["show", "t", "--svg", "p", "--html", "p"],
]


@pytest.fixture
def here(tmp_path: Path, model: str) -> Path:
    """A folder with treebanks, links to one, a model, an older file and a folder like that of a checkpoint."""
    folder = tmp_path / "here"
    (folder / "c").mkdir(parents=True)
    for name in ("t", "u", "p", "c/state.wnp"):
        (folder / name).write_bytes(ONE + TWO)
    (folder / "link").symlink_to("t")
    (folder / "hard").hardlink_to(folder / "t")
    (folder / "model").write_bytes(Path(model).read_bytes())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("arguments", OVERWRITING, ids=" ".join)
def test_no_output_overwrites_an_input_or_another_output(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(here)
    before = contents(here)
    result = wnparse_inside(*arguments)
    assert result.returncode == 2
    assert b"overwrite an input" in result.stderr or b"are the same file" in result.stderr
    assert result.stdout == b""
    assert contents(here) == before


def test_parse_may_replace_its_input(wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    expected = wnparse_inside("parse", "-m", "model", "u", "t").stdout
    assert wnparse_inside("parse", "-m", "model", "u", "t", "-o", "link").returncode == 0
    assert (here / "t").read_bytes() == expected
    assert (here / "link").is_symlink()


def test_dev_null_may_be_named_twice(wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    assert wnparse_inside("parse", "-m", "model", "t", "-o", os.devnull, "--report", os.devnull).returncode == 0


def test_redirections_are_outputs_too(here: Path) -> None:
    def shell(line: str) -> int:
        command = line.replace("wnparse", f"{sys.executable} -m wnparse", 1)
        return subprocess.run(["bash", "-c", command], cwd=here, capture_output=True, check=False).returncode

    before = contents(here)
    assert shell("wnparse parse -m model t >> t") == 2
    assert shell("wnparse parse -m model --report t < t") == 2
    assert shell("wnparse stats -o t < t") == 2
    assert shell("wnparse parse -m model u --report p >> p") == 2
    assert contents(here) == before
    assert shell("wnparse parse -m model -o t < t") == 0


READ_ONLY = [
    ["train", "t", "-o", "p"],
    ["train", "t", "-o", "m", "--log", "p"],
    ["parse", "-m", "model", "t", "-o", "p"],
    ["parse", "-m", "model", "t", "--report", "p"],
    ["stats", "t", "-o", "p"],
    ["eval", "t", "u", "--html", "p"],
    ["show", "t", "--svg", "p"],
]


@pytest.mark.parametrize("arguments", READ_ONLY, ids=" ".join)
def test_a_read_only_file_is_not_replaced(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(here)
    (here / "p").chmod(0o444)
    before = contents(here)
    result = wnparse_inside(*arguments)
    assert result.returncode == 2
    assert b"file 'p' is read-only" in result.stderr
    assert contents(here) == before


def test_python_does_not_replace_a_read_only_model(here: Path) -> None:
    (here / "p").chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        load(str(here / "model")).save(str(here / "p"))
    assert (here / "p").read_bytes() == ONE + TWO


needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@needs_full_disk
@pytest.mark.parametrize("name", ["/dev/full", "r"])
def test_parses_on_if_the_report_cannot_be_written(model: str, raw: bytes, tmp_path: Path, name: str) -> None:
    """A device that is always full, and a disk that becomes full while the report is written."""
    limit = "" if name == "/dev/full" else "ulimit -f 1; "
    command = f"{limit}{sys.executable} -m wnparse parse -m {model} --report {name}"
    result = subprocess.run(["bash", "-c", command], input=raw * 9, capture_output=True, cwd=tmp_path, check=False)
    assert result.returncode == 1
    assert len(sentences(result.stdout)) == 40 * 9
    assert all(sentence.annotated for sentence in sentences(result.stdout))
    reason = "No space left on device" if name == "/dev/full" else "File too large"
    assert result.stderr.decode().count(f"wnparse: {name}: {reason}; the work goes on without it\n") == 1
    assert not list(tmp_path.iterdir())


@needs_full_disk
@pytest.mark.parametrize(
    "command, name",
    [
        ("stats t -o /dev/full", "/dev/full"),
        ("stats t --html /dev/full", "/dev/full"),
        ("eval t t > /dev/full", "standard output"),
        ("show t --svg /dev/full", "/dev/full"),
        ("info model > /dev/full", "standard output"),
        ("parse -m model t > /dev/full", "standard output"),
        ("parse -m model t -o full.gz", "full.gz"),
    ],
)
def test_messages_of_a_full_disk_name_the_file(here: Path, command: str, name: str) -> None:
    (here / "full.gz").symlink_to("/dev/full")
    line = f"{sys.executable} -m wnparse {command}"
    result = subprocess.run(["bash", "-c", line], cwd=here, capture_output=True, check=False)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].decode() == f"wnparse: {name}: No space left on device"


def test_a_disk_that_becomes_full_is_named(here: Path) -> None:
    for name in ("out", "out.gz", "out.xz"):
        line = f"ulimit -f 0; {sys.executable} -m wnparse parse -m model t -o {name}"
        result = subprocess.run(["bash", "-c", line], cwd=here, capture_output=True, check=False)
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1].decode() == f"wnparse: {name}: File too large"
    assert not [path for path in here.iterdir() if path.name.startswith(("out", ".out"))]
