"""``wnparse combine`` through the shell."""

from __future__ import annotations

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


def test_combine(wnparse_inside: Run, folder: Path) -> None:
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


def test_weights_from_a_development_set(wnparse_inside: Run, folder: Path) -> None:
    dev = ["--dev", "second", "--dev-system", "first", "--dev-system", "second"]
    result = wnparse_inside("combine", "first", "second", *dev)
    assert result.stdout == b"# sent_id = s\n" + SECOND
    assert result.stderr == b"right on second, head and relation: 66.67, 100.00 %\n"


def test_rules_that_no_tree_obeys(wnparse_inside: Run, folder: Path) -> None:
    told = (
        b"wnparse: no tree of 1 sentence satisfies all rules; the first, first:1, breaks never; "
        b"trees get only the relations of the SYSTEMs: nsubj, root\n"
    )
    result = wnparse_inside("combine", "first", "--rules", "never.toml")
    assert (result.returncode, result.stdout, result.stderr) == (0, FIRST, told)
    assert wnparse_inside("combine", "first", "--rules", "never.toml", "--strict").returncode == 1


def test_rules_that_need_a_relation_which_no_file_has(wnparse_inside: Run, folder: Path) -> None:
    (folder / "other").write_bytes(SECOND.replace(b"root", b"ROOT"))
    result = wnparse_inside("combine", "other", "--rules", "ud", "--strict")
    assert result.returncode == 1
    assert result.stderr.endswith(
        b"other:1, breaks 0-is-not-root; trees get only the relations of the SYSTEMs: ROOT, nsubj, obj\n"
    )


def test_bad_sentences(wnparse_inside: Run, folder: Path) -> None:
    (folder / "two").write_bytes(FIRST + FIRST)
    assert wnparse_inside("combine", "two", "bad").returncode == 1
    result = wnparse_inside("combine", "two", "bad", "--skip-bad")
    assert result.stdout == FIRST
    assert result.stderr.startswith(b"wnparse: skipped 1 bad sentence; the first: bad:1: ")


@pytest.mark.parametrize(
    "options, status, message",
    [
        (["-w", "1"], 2, b"-w has 1 weight for 2 SYSTEMs; expected as many."),
        (["-w", "1,x"], 2, b"'1,x'"),
        (["-w", "1,-1"], 2, b"'1,-1'"),
        (["-w", "1,nan"], 2, b"'1,nan'"),
        (["--dev", "first"], 2, b"--dev and --dev-system go together; expected both."),
        (["--dev-system", "first"], 2, b"--dev and --dev-system go together; expected both."),
        (["--dev", "first", "--dev-system", "first"], 2, b"1 --dev-system for 2 SYSTEMs; expected as many."),
        (["-w", "1,1", "--dev", "first", "--dev-system", "first"], 2, b"-w and --dev both say"),
        (["--rules", "bad"], 1, b"bad:1: not TOML"),
        (["--rules", "absent"], 2, b"expected none, ud, ud1"),
        (["bad"], 1, b"bad:1: 2 columns; expected 10"),
    ],
)
def test_what_is_refused(
    wnparse_inside: Run, folder: Path, options: list[str], status: int, message: bytes
) -> None:
    result = wnparse_inside("combine", "first", "second", *options, "-o", "out")
    assert result.returncode == status
    assert message in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert not (folder / "out").exists()
