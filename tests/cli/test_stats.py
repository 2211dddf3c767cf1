"""``wnparse stats`` from the shell: forms of output, several inputs, bad input, exit codes."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import FIVE_TREES, treebank_of
from wnparse.cli.common import histogram, table


@pytest.fixture
def sample(tmp_path: Path) -> str:
    (tmp_path / "a.conllu").write_bytes(treebank_of(FIVE_TREES))
    return "a.conllu"


def test_prints_a_table(wnparse_command: Run, sample: str) -> None:
    result = wnparse_command("stats", sample)
    assert (result.returncode, result.stderr) == (0, b"")
    lines = re.sub(" +", " ", result.stdout.decode()).splitlines()
    for line in ("sentences 5", "length, mean 3.20", "multi-root sentences % 40.00", " 2 40.00 / 20.00"):
        assert line in lines
    assert lines[-1] == "constraints that cover at least 99 %: block degree <= 2 (100.00 %)"


def test_reads_several_files_and_stdin(wnparse_command: Run, sample: str, tmp_path: Path) -> None:
    (tmp_path / "b.conllu.gz").write_bytes(gzip.compress(treebank_of(FIVE_TREES[:2])))
    result = wnparse_command("stats", sample, "b.conllu.gz", "-", "--json", stdin=treebank_of(FIVE_TREES))
    report = json.loads(result.stdout)
    assert [part["name"] for part in report["files"]] == ["a.conllu", "b.conllu.gz", "<stdin>"]
    assert [part["sentences"] for part in report["files"]] == [5, 2, 5]
    assert report["all"]["sentences"] == 12
    heading = wnparse_command("stats", sample, "b.conllu.gz").stdout.decode().splitlines()[0]
    assert heading.split() == ["a.conllu", "b.conllu.gz", "all"]


def test_reads_standard_input_without_arguments(wnparse_command: Run) -> None:
    result = wnparse_command("stats", stdin=treebank_of(FIVE_TREES))
    assert result.stdout.startswith(b"                     ")
    assert b"<stdin>" in result.stdout


def test_prints_coverage(wnparse_command: Run, sample: str) -> None:
    choice = json.loads(wnparse_command("stats", "--json", "--coverage", "80", sample).stdout)["all"]["choice"]
    assert choice == {"block_degree": 2, "well_nested": True, "coverage": 80.0, "required": 80.0}
    for bad in ("0", "101", "x"):
        assert wnparse_command("stats", "--coverage", bad, sample).returncode == 2


def test_no_text_can_control_the_terminal(wnparse_command: Run, tmp_path: Path) -> None:
    """Not forms and ids in examples, nor names of files in tables."""
    text = treebank_of(FIVE_TREES).replace(b"\tw", b"\t\x1b[2J\xc2\x9bw")
    assert text.count(b"\x1b") > 10
    (tmp_path / "a\x1b[31m.conllu").write_bytes(b"# sent_id = \x07\n" + text)
    for options in ([], ["--json"], ["--examples", "3"]):
        result = wnparse_command("stats", "a\x1b[31m.conllu", *options)
        assert result.returncode == 0
        assert not {0x1B, 0x07} & set(result.stdout)
        assert b"\xc2\x9b" not in result.stdout
    assert b"\\x1b[2J\\x9bw" in result.stdout
    compared = wnparse_command("eval", *["a\x1b[31m.conllu"] * 2, "--by", "relation")
    assert compared.stdout.count(b"a\\x1b[31m.conllu") > 1
    assert b"\x1b" not in compared.stdout


def test_prints_examples(wnparse_command: Run, sample: str) -> None:
    text = wnparse_command("stats", "--examples", "3", sample).stdout.decode()
    assert "block degree 2, ill-nested: (no sent_id) at a.conllu:11; yields of words 1 and 2 interleave" in text
    assert "  [w] {w} [w] {w}" in text


def test_skips_bad_sentences(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_bytes(treebank_of([[0], [1], [0, 7], [0]]))
    stopped = wnparse_command("stats", "bad.conllu")
    assert (stopped.returncode, stopped.stdout) == (1, b"")
    assert re.fullmatch(b"wnparse: bad.conllu:3: word '1' is its own head.*\n", stopped.stderr)
    skipped = wnparse_command("stats", "--skip-bad", "--json", "bad.conllu")
    assert skipped.returncode == 0
    assert json.loads(skipped.stdout)["skipped"] == 2
    assert re.match(b"wnparse: skipped 2 .*bad.conllu:3: word '1'", skipped.stderr)


def test_reports_empty_input(wnparse_command: Run) -> None:
    result = wnparse_command("stats")
    assert (result.returncode, result.stdout) == (0, b"")
    assert json.loads(wnparse_command("stats", "--json").stdout)["all"]["sentences"] == 0


def test_reports_bad_usage(wnparse_command: Run, sample: str, tmp_path: Path) -> None:
    for arguments in (["missing.conllu"], ["."], ["--no-such-option"], ["-", "-"], [sample, "-o", "no/such/x"]):
        result = wnparse_command("stats", *arguments)
        assert result.returncode in (1, 2), arguments
        assert result.returncode == 2 or arguments[0] == sample
        assert b"Traceback" not in result.stderr


def test_output_appears_whole_or_not_at_all(wnparse_command: Run, sample: str, tmp_path: Path) -> None:
    assert wnparse_command("stats", sample, "-o", "out.txt").returncode == 0
    assert b"sentences" in (tmp_path / "out.txt").read_bytes()
    (tmp_path / "bad.conllu").write_bytes(treebank_of([[1]]))
    before = (tmp_path / "out.txt").read_bytes()
    assert wnparse_command("stats", "bad.conllu", "-o", "out.txt").returncode == 1
    assert (tmp_path / "out.txt").read_bytes() == before
    assert not list(tmp_path.glob(".out*"))


def test_reports_a_full_disk_but_not_a_closed_pipe(wnparse_command: Run, sample: str) -> None:
    full = wnparse_command("stats", sample, "-o", "/dev/full")
    assert full.returncode == 1
    assert full.stderr == b"wnparse: /dev/full: No space left on device\n"


def test_prints_help_version_and_completion(wnparse_command: Run) -> None:
    assert wnparse_command("--version").stdout.startswith(b"wnparse, version ")
    assert b"Examples:" in wnparse_command("stats", "--help").stdout
    assert wnparse_command("no-such-command").returncode == 2


def test_prints_a_table_and_a_histogram() -> None:
    assert table([["", "a"], ["long", "1.00"]]) == "           a\n  long  1.00"
    assert histogram([("1", 100.0), ("12", 0.0)], width=4).splitlines()[1] == "  12    0.00"


@pytest.mark.parametrize(("closed", "status"), [(">&-", 1), ("2>&-", 0), ("<&-", 0), ("- <&-", 1)])
def test_tolerates_streams_that_the_caller_has_closed(
    sample: str, tmp_path: Path, closed: str, status: int
) -> None:
    source = "" if closed.startswith("-") else sample
    command = f"{sys.executable} -m wnparse stats {source} {closed}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, cwd=tmp_path, check=False)
    assert result.returncode == status
    name = b"standard output: " if closed == ">&-" else b""
    assert result.stderr == (b"wnparse: %sBad file descriptor\n" % name if status else b"")
