"""``wnparse train --checkpoint``: existing checkpoints, missing ones, and those of other runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import first_sentences

TRAIN = ["train", "t", "-o", "m", "--order", "1", "--only", "parser", "--checkpoint", "c", "--epochs"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t").write_bytes(first_sentences("dev", 20))
    (tmp_path / "d").write_bytes(first_sentences("test", 5))
    (tmp_path / "e").write_bytes(first_sentences("test", 6))
    return tmp_path


def states(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "c").iterdir())]


def test_a_checkpoint_is_not_overwritten(wnparse_inside: Run, folder: Path) -> None:
    assert wnparse_inside(*TRAIN, "2").returncode == 0
    before = states(folder)
    (folder / "m").unlink()
    result = wnparse_inside(*TRAIN, "1")
    assert result.returncode == 2
    assert b"a checkpoint of epoch 2" in result.stderr
    assert states(folder) == before
    assert not (folder / "m").exists()
    (folder / "c" / "state.wnp").write_bytes(b"something else")
    assert b"state.wnp" in wnparse_inside(*TRAIN, "1").stderr


def test_resume_starts_from_scratch_without_a_checkpoint(wnparse_inside: Run, folder: Path) -> None:
    first = wnparse_inside(*TRAIN, "2", "--resume")
    assert first.returncode == 0
    assert b"c: no checkpoint yet" in first.stderr
    model = (folder / "m").read_bytes()
    again = wnparse_inside(*TRAIN, "2", "--resume")
    assert again.returncode == 0
    assert b"no checkpoint" not in again.stderr
    assert (folder / "m").read_bytes() == model
    assert (
        wnparse_inside("train", "t", "-o", "plain", "--epochs", "2", "--order", "1", "--only", "parser").returncode
        == 0
    )
    assert (folder / "plain").read_bytes() == model


@pytest.mark.parametrize("before, after", [("d", "e"), ("d", ""), ("", "d")])
def test_another_development_set_is_refused(wnparse_inside: Run, folder: Path, before: str, after: str) -> None:
    dev, other = (["--dev", name] if name else [] for name in (before, after))
    assert wnparse_inside(*TRAIN, "1", *dev).returncode == 0
    result = wnparse_inside(*TRAIN, "2", *other, "--resume")
    assert result.returncode == 1
    message = result.stderr.splitlines()[-1]
    assert b"c/state.wnp: " in message
    assert b"another development set" in message
    assert wnparse_inside(*TRAIN, "2", *dev, "--resume").returncode == 0


@pytest.mark.parametrize("changed_file", ["t", "d"])
def test_refuses_to_resume_with_other_relations(wnparse_inside: Run, folder: Path, changed_file: str) -> None:
    """Two relations change places, in the training data or in the development set."""
    relations = first_sentences("dev", 20)
    changed = (
        relations.replace(b"\tnsubj\t", b"\tx\t").replace(b"\tobj\t", b"\tnsubj\t").replace(b"\tx\t", b"\tobj\t")
    )
    assert changed != relations
    (folder / "d").write_bytes(relations)
    assert wnparse_inside(*TRAIN, "1", "--dev", "d").returncode == 0
    (folder / changed_file).write_bytes(changed)
    assert wnparse_inside(*TRAIN, "2", "--dev", "d", "--resume").returncode == 1
