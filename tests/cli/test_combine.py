"""``wnparse combine`` through the shell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import conllu

WORDS = ["a", "b", "c"]
FIRST = conllu(WORDS, [2, 0, 2], ["nsubj", "root", "nsubj"], sent_id="s")
SECOND = conllu(WORDS, [2, 0, 2], ["nsubj", "root", "obj"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "first").write_bytes(FIRST)
    (tmp_path / "second").write_bytes(SECOND)
    (tmp_path / "bad").write_bytes(b"1\ta\n\n" + SECOND)
    never = '[[rule]]\nname = "never"\nreason = "r"\nforbid = { relation = "*" }\nhead = { root = true }\n'
    (tmp_path / "never.toml").write_text(never)
    return tmp_path


def test_combines_trees_by_voting(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("combine", "first", "second", "second")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"# sent_id = s\n" + SECOND
    assert wnparse_inside("combine", "first", "second").stdout == FIRST
    assert wnparse_inside("combine", "first", "second", "-w", "1,2").stdout == b"# sent_id = s\n" + SECOND
    assert wnparse_inside("combine", "-", stdin=FIRST).stdout == FIRST
    assert wnparse_inside("combine", "-", stdin=b"").stdout == b""


def test_a_repaired_tree_does_not_overwrite_an_input(wnparse_inside: Run, folder: Path) -> None:
    before = (folder / "first").read_bytes()
    result = wnparse_inside("combine", "first", "second", "--rules", "ud", "-o", "first")
    assert result.returncode == 2
    assert (folder / "first").read_bytes() == before
    result = wnparse_inside("combine", "first", "second", "--rules", "ud", "-o", "repaired")
    assert (result.returncode, result.stderr) == (0, b"")
    assert (folder / "repaired").read_bytes() == b"# sent_id = s\n" + SECOND


def test_weights_come_from_a_development_set(wnparse_inside: Run, folder: Path) -> None:
    dev = ["--dev", "second", "--dev-system", "first", "--dev-system", "second"]
    result = wnparse_inside("combine", "first", "second", *dev)
    assert result.stdout == b"# sent_id = s\n" + SECOND
    assert re.fullmatch(rb"right on second.*: 66\.67, 100\.00 %\n", result.stderr)


def test_warns_if_no_tree_obeys_the_rules(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("combine", "first", "--rules", "never.toml")
    assert (result.returncode, result.stdout) == (0, FIRST)
    assert re.fullmatch(rb"wnparse: .*\b1 sentence\b.*first:1, breaks never;.*: nsubj, root\n", result.stderr)
    assert wnparse_inside("combine", "first", "--rules", "never.toml", "--strict").returncode == 1


def test_names_relations_that_rules_need_and_no_file_has(wnparse_inside: Run, folder: Path) -> None:
    (folder / "other").write_bytes(SECOND.replace(b"root", b"ROOT"))
    result = wnparse_inside("combine", "other", "--rules", "ud", "--strict")
    assert result.returncode == 1
    assert re.search(rb"other:1, breaks 0-is-not-root;.*: ROOT, nsubj, obj\n$", result.stderr)


def test_reports_and_skips_bad_sentences(wnparse_inside: Run, folder: Path) -> None:
    (folder / "two").write_bytes(FIRST + FIRST)
    assert wnparse_inside("combine", "two", "bad").returncode == 1
    result = wnparse_inside("combine", "two", "bad", "--skip-bad")
    assert result.stdout == FIRST
    assert re.match(b"wnparse: skipped 1 .*bad:1: ", result.stderr)


@pytest.mark.parametrize(
    "options, status, message",
    [
        (["-w", "1"], 2, b"1 weight for 2 SYSTEMs"),
        (["-w", "1,x"], 2, b"'1,x'"),
        (["-w", "1,-1"], 2, b"'1,-1'"),
        (["-w", "1,nan"], 2, b"'1,nan'"),
        (["--dev", "first"], 2, b"--dev and --dev-system"),
        (["--dev-system", "first"], 2, b"--dev and --dev-system"),
        (["--dev", "first", "--dev-system", "first"], 2, b"1 --dev-system for 2"),
        (["-w", "1,1", "--dev", "first", "--dev-system", "first"], 2, b"-w and --dev"),
        (["--rules", "bad"], 1, b"bad:1: not TOML"),
        (["--rules", "absent"], 2, b"none, ud, ud1"),
        (["bad"], 1, b"bad:1: 2 columns"),
    ],
)
def test_refuses_bad_arguments_and_files(
    wnparse_inside: Run, folder: Path, options: list[str], status: int, message: bytes
) -> None:
    result = wnparse_inside("combine", "first", "second", *options, "-o", "out")
    assert result.returncode == status
    assert message in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert not (folder / "out").exists()
