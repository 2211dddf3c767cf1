"""Table 1 of Zong 2012: rows, the best of them in bold, the command."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bench.lab import load_part
from reproduction.zong2012 import learner_table
from reproduction.zong2012.learner_table import SYSTEMS, Row, markdown
from studies.learners import score, train
from wnparse.training.options import TrainOptions


def test_makes_rows_of_the_table() -> None:
    rows = list(
        learner_table.learner_table("sample", load_part("sample", "train", 60), load_part("sample", "dev"), [1, 2])
    )
    assert [(row.system, row.iterations) for row in rows] == [(system, i) for system in SYSTEMS for i in (1, 2)]
    (last,) = train(
        load_part("sample", "train", 60),
        TrainOptions(epochs=2, labelled=False, decoder="msa", learner="mira-factored", order=1),
        [2],
    )
    scores = score(last.model, load_part("sample", "dev"), "msa")
    assert (rows[-1].accuracy, rows[-1].complete) == (scores.uas, scores.uc)


def test_the_best_of_a_system_is_bold() -> None:
    rows = [
        Row(treebank, "s", number, accuracy, complete, 1.0)
        for treebank, number, accuracy, complete in (
            ("t", 10, 80.0, 9.0),
            ("t", 20, 79.0, 9.5),
            ("u", 10, 70.0, 1.0),
            ("u", 20, 70.0, 0.5),
        )
    ]
    assert markdown(rows).splitlines() == [
        "| treebank | Accuracy / Complete after iterations | 10 | 20 |",
        "|---|---|---|---|",
        "| t | s | **80.00** / 9.00 | 79.00 / **9.50** |",
        "| u | s | **70.00** / **1.00** | **70.00** / 0.50 |",
    ]


def test_one_command_makes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.json"
    monkeypatch.setattr(
        sys, "argv", ["learner_table.py", "sample", "--iterations", "1", "--first", "30", "--json", str(out)]
    )
    learner_table.main()
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(SYSTEMS)
    assert {row["system"] for row in json.loads(out.read_text())} == set(SYSTEMS)


@pytest.mark.parametrize("arguments", [["--iterations", "0"], ["--iterations", "x"], ["--part", "train"]])
def test_refuses_bad_arguments(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["learner_table.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        learner_table.main()
    assert ended.value.code == 2
