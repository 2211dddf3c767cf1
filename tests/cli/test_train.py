"""``wnparse train``: options, learners, bad input, logs, full disks, missing folders, Ctrl-C and resumption."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from support.treebanks import blanked, columns, first_sentences
from wnparse.training.learners import LEARNERS

QUICK = ("--order", "1", "--only", "parser")
full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def treebank(tmp_path: Path) -> str:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 30))
    return "t.conllu"


def epochs(path: Path) -> list[int]:
    return [json.loads(line)["epoch"] for line in path.read_text().splitlines()]


def test_a_resumed_log_holds_each_epoch_once(wnparse_command: Run, treebank: str, tmp_path: Path) -> None:
    arguments = ["train", treebank, "-o", "m", *QUICK, "--log", "log", "--checkpoint", "c", "--epochs"]
    (tmp_path / "log").write_text("of an earlier run\n")
    assert wnparse_command(*arguments, "2").returncode == 0
    assert epochs(tmp_path / "log") == [1, 2]
    with (tmp_path / "log").open("a") as log:
        log.write('{"epoch": 3}\n{"epo')  # the run was killed between log and checkpoint, and while it wrote
    assert wnparse_command(*arguments, "4", "--resume").returncode == 0
    assert epochs(tmp_path / "log") == [1, 2, 3, 4]
    assert {"updates", "train_uas", "seconds", "words_per_second"} <= json.loads(
        (tmp_path / "log").read_text().splitlines()[2]
    ).keys()


def test_bad_data_does_not_change_an_old_log(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("old\n")
    (tmp_path / "bad").write_text("1\tw\n\n")
    assert wnparse_command("train", "bad", "-o", "m", "--log", "log").returncode == 1
    assert (tmp_path / "log").read_text() == "old\n"


@full_disk
def test_saves_the_model_if_the_log_cannot_be_written(wnparse_command: Run, treebank: str, tmp_path: Path) -> None:
    result = wnparse_command("train", treebank, "-o", "m", "--log", "/dev/full", "--epochs", "2", *QUICK)
    assert result.returncode == 1
    assert result.stderr.count(b"wnparse: /dev/full: No space left on device; ") == 2
    assert wnparse_command("info", "m").returncode == 0


@full_disk
def test_reports_a_full_disk_in_one_line(wnparse_command: Run, treebank: str) -> None:
    result = wnparse_command("train", treebank, "-o", "/dev/full", "--epochs", "1", *QUICK)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(b"wnparse: /dev/full: No space left on device")


def test_no_half_model_is_left(treebank: str, tmp_path: Path) -> None:
    """The disk is full in the middle of the model and of the checkpoint."""
    command = [sys.executable, "-m", "wnparse", "train", treebank, "--epochs", "1", *QUICK]
    result = subprocess.run(
        [*command, "-o", "m", "--checkpoint", "c", "--log", "log"],
        capture_output=True,
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
        check=False,
    )
    assert result.returncode == 1
    assert b"wnparse: c: File too large; " in result.stderr
    assert result.stderr.splitlines()[-1].startswith(b"wnparse: m: File too large")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["c", "log", "t.conllu"]
    assert epochs(tmp_path / "log") == [1]


@pytest.mark.parametrize("option", ["-o", "--log"])
def test_reports_a_missing_folder_before_training(wnparse_command: Run, treebank: str, option: str) -> None:
    result = wnparse_command("train", treebank, "-o", "m", option, "nowhere/file")
    assert result.returncode == 2
    assert b"nowhere' does not exist; create it first" in result.stderr
    assert b"epoch" not in result.stderr


def test_ctrl_c_in_the_first_epoch_writes_no_model(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wnparse", "train", str(DATA / "train.conllu"), "-o", "m", "--only", "parser"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr
        lines = [process.stderr.readline() for _ in range(3)]
        assert lines[2].startswith(b"rules of the treebank: ")
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.endswith(b": no model written\n") and rest.count(b"\n") == 1
    assert not list(tmp_path.iterdir())


def test_takes_training_options(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 30))
    options = ["--unlabelled", "--no-lemma", "--no-xpos", "--no-feats", "--epochs", "2", "--seed", "7"]
    result = wnparse_command("train", "t", "--dev", "t", "-o", "m", "--log", "l.jsonl", *QUICK, *options)
    assert result.returncode == 0
    assert result.stderr.count(b"dev UAS") == 2
    data = json.loads(wnparse_command("info", "m", "--json").stdout)
    assert data["columns"] == ["form", "upos"]
    assert data["labels"] == []
    assert [json.loads(line)["epoch"] for line in (tmp_path / "l.jsonl").read_text().splitlines()] == [1, 2]
    parsed = wnparse_command("parse", "-m", "m", "t").stdout
    assert columns(parsed, 6, 7) == columns((tmp_path / "t").read_bytes(), 6, 7)
    assert {row[7] for row in columns(parsed) if row[0].isdigit()} == {b"_"}


def test_refuses_bad_training_data(wnparse_command: Run, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(raw)
    result = wnparse_command("train", "raw", "-o", "m")
    assert result.returncode == 1
    assert re.match(rb"wnparse: raw:6: .*head", result.stderr)
    assert wnparse_command("train", os.devnull, "-o", "m").returncode in (1, 2)
    (tmp_path / "empty").touch()
    assert b"no sentences to train on" in wnparse_command("train", "empty", "-o", "m").stderr
    assert wnparse_command("train", str(DATA / "dev.conllu"), "-o", "m", "--resume").returncode == 2
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("learner", ["perceptron", "mira-kbest"])  # tests/parser resumes all learners
def test_an_interrupted_run_keeps_its_best_model_and_can_be_resumed(
    wnparse_command: Run, tmp_path: Path, learner: str
) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 100))
    (tmp_path / "dev").write_bytes(first_sentences("test", 40))
    arguments = [
        "t",
        "--only",
        "parser",
        "--learner",
        learner,
        "--dev",
        "dev",
        "--epochs",
        "6",
        "--checkpoint",
        "c",
    ]
    assert wnparse_command("train", *arguments, "-o", "whole").returncode == 0
    command = [sys.executable, "-m", "wnparse", "train", *arguments[:-1], "d", "-o", "part"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(b"epoch  2"):
                break
        time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert b"Traceback" not in rest
    assert (tmp_path / "part").exists()
    resumed = wnparse_command("train", *arguments[:-1], "d", "-o", "part", "--resume")
    assert resumed.returncode == 0
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()


FLAGS_AND_DESCRIPTIONS: dict[str, tuple[list[str], str]] = {
    "perceptron": ([], "perceptron, margin 150"),
    "mira": ([], "mira, max step 0.01"),
    "mira-kbest": (["--learner-trees", "3", "--max-step", "0.5"], "mira-kbest, max step 0.5, learner trees 3"),
    "mira-factored": (["--unlabelled"], "mira-factored, max step 0.01"),
    "pa": (["--max-step", "0.002"], "pa, max step 0.002"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_model_stores_its_learner(wnparse_inside: Run, tmp_path: Path, name: str) -> None:
    flags, shown = FLAGS_AND_DESCRIPTIONS[name]
    (tmp_path / "t").write_bytes(first_sentences("dev", 20))
    settings = ["--learner", name, *flags, "--epochs", "1", "--log", "log"]
    arguments = ["train", "t", "--only", "parser", *settings, "-o"]
    result = wnparse_inside(*arguments, "m")
    assert result.returncode == 0
    notice = f"learner '{name}' supports order 1"
    assert (notice.encode() in result.stderr) == (LEARNERS[name].order == 1)
    assert f"order        {LEARNERS[name].order}\n".encode() in wnparse_inside("info", "m").stdout
    assert json.loads((tmp_path / "log").read_text())["updates"] > 0
    assert wnparse_inside(*arguments, "again").returncode == 0
    assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()
    assert f"learner      {shown}\n".encode() in wnparse_inside("info", "m").stdout
    options = json.loads(wnparse_inside("info", "m", "--json").stdout)["options"]
    assert options["learner"] == name
    assert ("learner_trees" in options) == LEARNERS[name].ranks


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--learner-trees", "3"], b"learner_trees; these do: mira-kbest"),
        (["--learner", "mira", "--learner-trees", "3"], b"learner_trees; these do: mira-kbest"),
        (["--max-step", "1"], b"max_step; these do: mira, "),
        (["--learner", "pa", "--margin", "9"], b"margin; these do: perceptron"),
        (["--learner", "mira", "--max-step", "0"], b"'--max-step'"),
        (["--learner", "mira", "--max-step", "nan"], b"'--max-step'"),
        (["--learner", "mira-kbest", "--learner-trees", "0"], b"'--learner-trees'"),
        (["--learner", "mira-kbest", "--decoder", "lr"], b"decoder 'lr' finds one"),
        (["--learner", "mirror"], b"'mirror' is not one of"),
        (["--learner", "mira-kbest", "--order", "2"], b"order 2: perceptron, mira, pa"),
    ],
)
def test_refuses_contradictory_options(
    wnparse_inside: Run, tmp_path: Path, options: list[str], message: bytes
) -> None:
    result = wnparse_inside("train", str(DATA / "dev.conllu"), "-o", "m", *options)
    assert result.returncode == 2
    assert message in result.stderr.splitlines()[-1]
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("options", "notice"),
    [
        ([], "UPOS is not scored, and the confidence of tags is not calibrated"),
        (["--only", "tagger"], "UPOS is not scored, and the confidence of tags is not calibrated"),
        (["--only", "parser"], "which the parser needs: the development set is not used; tag it first"),
    ],
)
def test_a_development_set_without_tags(
    wnparse_inside: Run, treebank: str, tmp_path: Path, options: list[str], notice: str
) -> None:
    dev, model = tmp_path / "dev.conllu", tmp_path / "m.wnp"
    dev.write_bytes(blanked(Path(treebank).read_bytes(), 3))
    command = ["train", treebank, "--dev", str(dev), "-o", str(model), "--epochs", "1", "--order", "1", *options]
    messages = wnparse_inside(*command).stderr.decode()
    assert messages.count("no word of the development set has a UPOS tag") == messages.count(notice) == 1
    assert "dev UPOS" not in messages and "on gold tags" not in messages
    assert ("dev UAS" in messages) == (not options)
    trained = wnparse.load(model)
    assert trained.tagger is None or trained.tagger.inverse_temperature == 1
    assert (trained.calibration is None) == bool(options)


def test_a_treebank_without_tags_needs_no_tagged_development_set(
    wnparse_inside: Run, treebank: str, tmp_path: Path
) -> None:
    untagged = tmp_path / "untagged.conllu"
    untagged.write_bytes(blanked(Path(treebank).read_bytes(), 3))
    command = ["train", str(untagged), "--dev", str(untagged), "-o", str(tmp_path / "m.wnp"), "--epochs", "1"]
    messages = wnparse_inside(*command).stderr.decode()
    assert "dev UAS" in messages and "of the development set" not in messages
