"""``wnparse crossval`` from the shell: the same bytes whoever does the work, grids, bad input, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.commands import Run
from support.pages import checked
from support.places import DATA
from support.treebanks import first_sentences
from wnparse.cluster.calls import Call
from wnparse.crossval import fold_task
from wnparse.crossval.processes import run_calls
from wnparse.errors import TreebankError
from wnparse.treebanks.reader import read

QUICK = ("--order", "1", "--epochs", "1", "--only", "parser")
BOTH = ("--predictions", "p.conllu", "--suspects", "s.conllu", "--json")


@pytest.fixture
def few(tmp_path: Path) -> str:
    (tmp_path / "few.conllu").write_bytes(first_sentences("dev", 60) + b"# the end\n\n")
    return "few.conllu"


def test_jobs_and_clusters_give_the_same_bytes(few: str, wnparse_command: Run, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    outputs = []
    for place in (["--jobs", "1"], ["--jobs", "2"], ["--cluster", "local:2"]):
        done = wnparse_command("crossval", few, "--folds", "3", "--seeds", "2", *QUICK, *BOTH, *place)
        assert done.returncode == 0, done.stderr
        outputs.append((done.stdout, (tmp_path / "p.conllu").read_bytes(), (tmp_path / "s.conllu").read_bytes()))
    assert outputs[0] == outputs[1] == outputs[2]
    summary = json.loads(outputs[0][0])
    assert summary["sentences"] == 60 == sum(fold["sentences"] for fold in summary["folds"])
    (setting,) = summary["settings"]
    assert [(run["seed"], run["fold"]) for run in setting["runs"]] == [(s, f) for s in (1, 2) for f in (1, 2, 3)]
    values = [run["las"] for run in setting["runs"]]
    assert setting["scores"]["las"]["mean"] == pytest.approx(sum(values) / 6)
    # The treebank with other trees, and comments without words where they were.
    assert outputs[0][1].endswith(b"# the end\n\n")
    gold, parsed = (list(read(tmp_path / name)) for name in (few, "p.conllu"))
    assert [sentence.column("form") for sentence in gold] == [sentence.column("form") for sentence in parsed]
    scored = wnparse_command("eval", few, "p.conllu", "--json")
    seed = [run for run in setting["runs"] if run["seed"] == 1]
    right = sum(run["las"] * run["words"] for run in seed) / sum(run["words"] for run in seed)
    assert json.loads(scored.stdout)["systems"][0]["las"] == pytest.approx(right)


def test_writes_a_page_of_suspects(few: str, wnparse_inside: Run, tmp_path: Path) -> None:
    text = (tmp_path / few).read_text().replace("\tdet\t", "\tadvmod\t", 1)
    (tmp_path / few).write_text(text)
    done = wnparse_inside("crossval", few, "--folds", "3", *QUICK, "--suspects", "s.conllu", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert wnparse_inside("show", "s.conllu", "--html", "s.html").returncode == 0
    page = (tmp_path / "s.html").read_text()
    checked(page)
    assert "what models expect" in page
    assert page.count('class="note"') == (tmp_path / "s.conllu").read_text().count("# suspect =")
    drawn = wnparse_inside("show", "s.conllu", "-n", "1", "--width", "300").stdout.decode()
    assert "\n1 (" in drawn


def test_suspects_have_their_own_defaults(few: str, wnparse_inside: Run, tmp_path: Path) -> None:
    outputs = []
    for options in ([], ["--folds", "3", "--order", "1", "--only", "parser"]):
        done = wnparse_inside("crossval", few, "--epochs", "1", "--suspects", "s.conllu", "--jobs", "1", *options)
        assert done.returncode == 0, done.stderr
        outputs.append((done.stdout, (tmp_path / "s.conllu").read_bytes()))
    assert outputs[0] == outputs[1]
    assert b"UPOS" not in outputs[0][0]
    done = wnparse_inside(
        "crossval", few, *QUICK, "--folds", "2", "--suspects", "s", "--max-suspects", "3", "--jobs", "1"
    )
    assert (tmp_path / "s").read_text().count("|Suspect=") + (tmp_path / "s").read_text().count("\tSuspect=") == 3


def test_writes_a_page_of_scores(few: str, wnparse_inside: Run, tmp_path: Path) -> None:
    arguments = [
        "crossval",
        few,
        "--folds",
        "2",
        "--epochs",
        "1,2",
        "--order",
        "1",
        "--only",
        "parser",
        "--jobs",
        "auto",
    ]
    printed = wnparse_inside(*arguments, "--html", "page.html").stdout
    assert printed == wnparse_inside(*arguments).stdout
    page = (tmp_path / "page.html").read_text()
    checked(page)
    assert "Cross-validation of few.conllu" in page
    for row in printed.decode().splitlines()[2:]:
        assert all(f">{cell.strip()}<" in page for cell in row.split("  ") if cell.strip())
    assert page.count(">fold 2<") == 2
    assert wnparse_inside(*arguments, "--html", "-").stdout.decode() == page


def test_a_grid_has_a_row_for_each_combination(few: str, wnparse_inside: Run) -> None:
    done = wnparse_inside(
        "crossval",
        few,
        "--folds",
        "2",
        "--learner",
        "perceptron,mira",
        "--epochs",
        "1,2",
        "--order",
        "1",
        "--only",
        "parser",
        "--jobs",
        "1",
    )
    assert done.returncode == 0, done.stderr
    title, heading, *rows = done.stdout.decode().splitlines()
    assert title == "Mean ± deviation of 8 runs"
    assert heading.split() == ["UAS", "LAS", "CLAS"]
    names = [row.split("  ")[1].strip() for row in rows]
    assert names == ["perceptron, epochs 1", "perceptron, epochs 2", "mira, epochs 1", "mira, epochs 2"]
    assert done.stderr.decode().count(" of 8  ") == 8


def test_models_without_relations_suspect_only_heads(few: str, wnparse_inside: Run, tmp_path: Path) -> None:
    arguments = ["--folds", "2", *QUICK, "--unlabelled", "--jobs", "1", "--suspects", "s.conllu", "--json"]
    done = wnparse_inside("crossval", few, *arguments)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["settings"][0]["scores"].keys() == {"uas", "uc"}
    suspects = [
        line
        for line in (tmp_path / "s.conllu").read_text().split("\n")
        if "\tSuspect=" in line or "|Suspect=" in line
    ]
    assert suspects
    for line in suspects:
        cells = line.split("\t")
        misc = dict(item.split("=", 1) for item in cells[9].split("|"))
        assert misc["ModelDeprel"] == cells[7] and misc["ModelHead"] != cells[6]


def test_tags_are_scored_too(few: str, wnparse_inside: Run) -> None:
    done = wnparse_inside(
        "crossval", few, "--folds", "2", "--order", "1", "--epochs", "1", "--jackknife", "2", "--jobs", "1"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[1].split()[-5:] == ["UPOS", "XPOS", "UFeats", "Lemmas", "MLAS"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["none.conllu"], 2, "File 'none.conllu' does not exist"),
        (["few.conllu", "--folds", "61"], 1, "61 folds"),
        (["few.conllu", "--folds", "1"], 2, "1 is not in the range 2<=x<=1000"),
        (["few.conllu", "--order", "1,4"], 2, "4 is not in the range 1<=x<=3"),
        (["few.conllu", "--learner", "perceptron,x"], 2, "'x' is not one of"),
        (["few.conllu", "--learner", "perceptron", "--max-step", "1"], 2, "max_step"),
        (["few.conllu", "--order", "1,2", "--suspects", "s"], 2, "--suspects needs"),
        (["few.conllu", "--predictions", "few.conllu"], 2, "would overwrite an input"),
        (["few.conllu", "--suspects", "none/s"], 2, "does not exist"),
        (["few.conllu", "--cluster", "nowhere"], 2, "'nowhere'"),
        (["headless.conllu"], 1, "no word has a head"),
        (["empty.conllu"], 1, "no sentences"),
    ],
)  # fmt: skip
def test_reports_errors_in_one_line(
    few: str, tmp_path: Path, wnparse_inside: Run, arguments: list[str], status: int, message: str
) -> None:
    (tmp_path / "empty.conllu").write_bytes(b"")
    (tmp_path / "headless.conllu").write_text("1\tw" + "\t_" * 8 + "\n\n")
    done = wnparse_inside("crossval", *arguments)
    error = done.stderr.decode()
    assert (done.returncode, done.stdout, error.count("\n")) == (status, b"", 1), error
    assert error.startswith("wnparse: ")
    assert message in error


def test_a_failing_task_loses_only_its_own_results(
    few: str, tmp_path: Path, wnparse_inside: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_once(*arguments: Any, **options: Any) -> Any:
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        raise TreebankError("no luck")

    monkeypatch.setattr(fold_task, "train_model", fail_once)
    done = wnparse_inside("crossval", few, "--folds", "2", *QUICK, "--predictions", "p.conllu", "--jobs", "1")
    error = done.stderr.decode()
    assert done.returncode == 1
    assert "wnparse: 1 of 2 models failed" in error
    assert "no luck" in error
    assert "p.conllu is not written" in error
    assert not (tmp_path / "p.conllu").exists()
    assert done.stdout.decode().startswith("Mean ± deviation of 1 run\n")


def raise_signal(label: int, number: object) -> Call:
    return Call(label, signal.raise_signal, (number,))


def test_retries_a_task_before_it_fails() -> None:
    """The last task in the queue is the one that fails; it is reported once."""
    outcomes = run_calls([raise_signal(0, signal.SIGURG), raise_signal(1, signal.SIGKILL)], 2)
    assert sorted(outcome.call.label for outcome in outcomes) == [0, 1]


def test_a_process_that_dies_loses_only_its_own_task() -> None:
    numbers = [signal.SIGKILL, signal.SIGURG, signal.SIGURG, "no signal"]
    calls = [raise_signal(label, number) for label, number in enumerate(numbers)]
    done = sorted(run_calls(calls, 2), key=lambda outcome: outcome.call.label)
    assert [outcome.call.label for outcome in done] == [0, 1, 2, 3]
    assert "ended by SIGKILL, 2 times" in str(done[0].error)
    assert [finished.error for finished in done[1:3]] == [None, None]
    assert isinstance(done[3].error, TypeError)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_end_all_processes(tmp_path: Path, number: signal.Signals) -> None:
    command = [
        sys.executable,
        "-m",
        "wnparse",
        "crossval",
        str(DATA / "dev.conllu"),
        "--order",
        "1",
        "--epochs",
        "100",
    ]
    with subprocess.Popen(
        [*command, "--predictions", "p.conllu", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr
        while b"models to train" not in process.stderr.readline():
            pass
        time.sleep(0.3)  # children are starting, and must not take the signal for theirs
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        out, error = process.communicate(timeout=180)
    assert out == b""
    assert not list(tmp_path.iterdir())
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert error.strip() == b"wnparse: interrupted"
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("processes are left")
