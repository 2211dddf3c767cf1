"""Messages on standard error, and exit statuses."""

from __future__ import annotations

import json
import math
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from support.treebanks import blanked, first_sentences
from wnparse.cli.main import COMMANDS, cli
from wnparse.wording import plural, printable

QUICK = ["--epochs", "1", "--order", "1", "--only", "parser"]
GOOD = first_sentences("dev", 30)
BAD = b"1\tw\t_\tX\t_\t_\tq\x1b[31m\x07\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    "command", ["stats T --json", "stats --help", "--help", "info M", "show T", "parse -m M T T"]
)
def test_a_closed_pipe_exits_141(model: str, tmp_path: Path, command: str) -> None:
    names = {"T": str(DATA / "train.conllu"), "M": model}
    words = " ".join(names.get(word, word) for word in command.split())
    script = f"({sys.executable} -m wnparse {words}; echo $? > status) | true"
    result = subprocess.run(["bash", "-c", script], capture_output=True, cwd=tmp_path, timeout=60, check=False)
    assert (tmp_path / "status").read_text() == "141\n"
    assert b"rror" not in result.stderr


@pytest.mark.parametrize("module", ["click", "numpy"])
@pytest.mark.parametrize("entry", [["-m", "wnparse"], ["-c", "from wnparse.__main__ import main; main()"]])
def test_ctrl_c_during_the_first_imports_ends_quietly(tmp_path: Path, module: str, entry: list[str]) -> None:
    (tmp_path / module).mkdir()
    slow = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\n"
    (tmp_path / module / "__init__.py").write_text(slow)
    installed = Path(wnparse.__file__).parent.parent  # not the sources, which may hold nothing that is compiled
    path = os.pathsep.join([str(tmp_path), str(installed)])
    result = subprocess.run(
        [sys.executable, *entry, "stats", str(DATA / "dev.conllu")],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        timeout=30,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"")


def on_a_terminal(*arguments: str, folder: Path) -> bytes:
    """Return what a command writes to standard error if that is a terminal."""
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "wnparse", *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=child, cwd=folder, timeout=60, check=False)
    os.close(child)
    shown = b""
    try:
        while piece := os.read(parent, 4096):
            shown += piece
    except OSError:  # Linux raises this when the other end is closed
        pass
    os.close(parent)
    return shown


def test_no_file_can_control_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "bad\x1b[31m\n\u202e.conllu").write_bytes(BAD)
    for arguments in (["stats"], ["stats", "--skip-bad"], ["eval", "gold"], ["show"]):
        (tmp_path / "gold").write_bytes(BAD)
        shown = on_a_terminal(*arguments, "bad\x1b[31m\n\u202e.conllu", folder=tmp_path)
        assert shown.startswith(b"wnparse: ")
        assert not set(shown) & {0x1B, 0x07}
        assert b"\xe2\x80\xae" not in shown
        assert b"\\x1b[31m" in shown
    missing = on_a_terminal("stats", "no\x1b[31m\x07\n", folder=tmp_path)
    assert missing.count(b"\r\n") == 1
    assert not set(missing) & {0x1B, 0x07}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("stats t", b""),
        ("eval t t", b""),
        ("parse -m M t", b"optimal"),
        ("tag -m M t --retag", b"no tagger"),
        ("parse -m M t --cluster local:1 --output-dir out", b"optimal"),
        ("show t --html page.html", b""),
        ("combine t t", b""),
        ("train t -o m --epochs 1", b"epoch  1"),
        ("crossval t --folds 2 --order 1 --epochs 1 --jobs 1", b"2 of 2"),
    ],
)
def test_shows_progress_bars_on_a_terminal(model: str, tmp_path: Path, command: str, message: bytes) -> None:
    (tmp_path / "t").write_bytes(GOOD)
    words = [model if word == "M" else word for word in command.split()]
    shown = on_a_terminal(*words, folder=tmp_path)
    assert b"Traceback" not in shown
    assert message in shown


def test_escapes_control_characters_and_forms_plurals() -> None:
    assert printable("a é 中 \u200d") == "a é 中 \u200d"
    assert printable("a\tb\x9b\udcff\u2028") == r"a\tb\x9b\xff\u2028"
    assert [plural(count, "word") for count in (0, 1, 2)] == ["words", "word", "words"]


def test_one_sentence_is_counted_in_the_singular(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    one = b"1\tw\tw\tX\tX\tA=B\t0\troot\t_\t_\n\n"
    (tmp_path / "one").write_bytes(one)
    output = wnparse_inside("train", "one", "-o", "m", *QUICK).stderr
    output += (
        wnparse_inside("info", "m").stdout + wnparse_inside("eval", "one", "one", "--ignore-tags", "Y").stdout
    )
    output += wnparse_inside("parse", "-m", model, "one").stderr
    assert output.count(b"1 sentence, 1 word") == 4
    assert not re.search(rb"(?<![\d,])1 words\b(?!/s)", output)
    assert b"1 labels" not in output


def test_eisner_reports_what_it_proves(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(GOOD)
    for k in ([], ["--k-best", "2"]):
        run = wnparse_inside("parse", "-m", model, "t", "-o", "out", "--decoder", "eisner", "--report", "r", *k)
        assert re.search(rb"; best projective trees \(.*100\.00 %", run.stderr)
        assert b"optimal" not in run.stderr
        text = (tmp_path / "r").read_text()
        assert "Infinity" not in text
        assert {json.loads(line)["upper_bound"] for line in text.splitlines()} == {None}
    run = wnparse_inside("parse", "-m", model, "t", "-o", "out", "--decoder", "eisner", "--block-degree", "1")
    assert b"; 100.00 % provably optimal" in run.stderr
    crossing = b"".join(b"%d\tw\tw\tX\tX\tA=B\t%d\tx\t_\t_\n" % pair for pair in enumerate((3, 4, 0, 3), 1))
    (tmp_path / "t").write_bytes(crossing + b"\n" + blanked(GOOD, 6, 7))
    given = wnparse_inside("parse", "-m", model, "t", "-o", "out", "--decoder", "eisner", "--keep-heads")
    assert given.stderr.count(b"relaxed structural constraints") == 1
    assert b"t:1: relaxed" in given.stderr
    sentences = GOOD.count(b"\n\n")
    assert b"; %.2f %% best projective trees" % (100 * sentences / (sentences + 1)) in given.stderr


@pytest.mark.parametrize("text", [b"", b"# comment\n\n"])
def test_refuses_an_empty_development_set(wnparse_inside: Run, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "t").write_bytes(GOOD)
    (tmp_path / "dev").write_bytes(text)
    run = wnparse_inside("train", "t", "--dev", "dev", "-o", "m")
    assert (run.returncode, run.stderr.count(b"\n")) == (1, 1)
    assert run.stderr.startswith(b"wnparse: no sentences in the development set")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("options", "augmented"),
    [([], True), (["--margin", "0"], False), (["--learner", "pa"], True), (["--learner", "mira"], False)],
)
def test_training_prints_scores_with_a_margin(
    wnparse_inside: Run, tmp_path: Path, options: list[str], augmented: bool
) -> None:
    (tmp_path / "t").write_bytes(GOOD)
    run = wnparse_inside("train", "t", "--dev", "t", "-o", "m", *QUICK, "--log", "log", *options)
    assert (b" (with margin)  dev UAS" in run.stderr) == augmented
    assert (b" (with margin)  dev UAS" in wnparse_inside("info", "m").stdout) == augmented
    assert not math.isnan(json.loads((tmp_path / "log").read_text())["train_uas"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert any("--quiet" in parameter.opts for parameter in command.params)


def test_quiet_prints_errors_only(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(GOOD + BAD)
    (tmp_path / "good").write_bytes(GOOD)
    (tmp_path / "empty").write_bytes(b"")
    quiet = [
        ["train", "t", "--skip-bad", "-o", "m", *QUICK],
        ["parse", "-m", model, "t", "--skip-bad", "--decoder", "msa", "--max-words", "10"],
        ["stats", "t", "--skip-bad"],
        ["stats", "empty"],
        ["show", "empty"],
        ["show", "good", "--svg", "out"],
        ["eval", "t", "t", "--skip-bad"],
        ["info", model],
    ]
    for arguments in quiet:
        run = wnparse_inside(*arguments, "--quiet")
        assert (run.returncode, run.stderr) == (0, b""), arguments
    # Errors are printed, and with --strict a relaxed constraint is one.
    assert wnparse_inside("stats", "t", "-q").stderr.startswith(b"wnparse: t:")
    strict = wnparse_inside("parse", "-m", model, "good", "--max-words", "5", "--strict", "-q")
    assert strict.returncode == 1
    assert b"not parsed" in strict.stderr


def test_training_can_skip_bad_sentences(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(GOOD)
    (tmp_path / "t").write_bytes(BAD + GOOD + BAD)
    assert wnparse_inside("train", "t", "-o", "m", *QUICK).returncode == 1
    run = wnparse_inside("train", "t", "--dev", "t", "--skip-bad", "-o", "m", *QUICK)
    assert run.returncode == 0
    assert b"wnparse: skipped 4 bad sentences; the first: t:1: head " in run.stderr
    assert wnparse_inside("train", "good", "--dev", "good", "-o", "n", *QUICK).returncode == 0
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
