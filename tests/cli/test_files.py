"""Files from the shell: where two inputs meet."""

from __future__ import annotations

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import sentences
from wnparse.confidence import Calibration
from wnparse.conllu import read, write
from wnparse.files import BOM
from wnparse.model import load

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
    return [each.sent_id.removesuffix("-rank2") for each in sentences(data) if each.sent_id]  # type: ignore[union-attr]


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
    write((each for part in parts for each in read(io.BytesIO(part))), stream)
    assert ids(stream.getvalue()) == [*ids(ENDS[end]), "2", "1"]
    assert BOM not in stream.getvalue()[1:]


@pytest.mark.parametrize("end", ENDS)
def test_other_commands_keep_the_sentences_of_files_apart(wnparse_inside: Run, tmp_path: Path, end: str) -> None:
    (tmp_path / "a").write_bytes(ENDS[end])
    (tmp_path / "b").write_bytes(BOM + ONE[:-2])
    expected = len(ids(ENDS[end])) + 2
    stats = json.loads(wnparse_inside("stats", "a", "b", "-", "--json", stdin=ONE).stdout)
    assert stats["all"]["sentences"] == expected
    assert wnparse_inside("train", "a", "b", "-", "-o", "m", "--epochs", "1", stdin=ONE).returncode == 0
    assert json.loads(wnparse_inside("info", "m", "--json").stdout)["treebank"]["sentences"] == expected
