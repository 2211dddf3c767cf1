"""The scripts that compare learners: one training run is looked at several times, rows, tables, bad arguments."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import compare_learners
import learner_table
import pytest
from learner_runs import load_part, score, train
from learner_table import SYSTEMS, Row, markdown

from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer


def test_a_run_is_looked_at_without_being_disturbed() -> None:
    """The model after two of three epochs is that of a run of two."""
    sentences = load_part("sample", "dev", 30)
    options = TrainOptions(epochs=3, labelled=False, learner="mira", order=1)
    snapshots = list(train(sentences, options, [2, 3]))
    assert [snapshot.epoch for snapshot in snapshots] == [2, 3]
    assert snapshots[0].words < snapshots[1].words <= 3 * sum(len(sentence) for sentence in sentences)
    trainer = Trainer(sentences, None, options)
    for _ in range(2):
        trainer.run_epoch()
    assert (trainer.model().weights["slots"] == snapshots[0].model.weights["slots"]).all()


def test_rows_of_the_table() -> None:
    rows = list(learner_table.learner_table("sample", [1, 2], first=60))
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


def test_the_table_from_one_command(
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
def test_bad_arguments(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["learner_table.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        learner_table.main()
    assert ended.value.code == 2


def test_a_treebank_that_is_not_there() -> None:
    with pytest.raises(SystemExit, match=r"nowhere.train.conllu: not there; expected the treebanks in"):
        load_part("nowhere", "train")


def test_all_learners_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["compare_learners.py", "sample", "--epochs", "1", "--first", "30"])
    compare_learners.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 2 * len(compare_learners.LEARNERS)
    slow = compare_learners.Row("t", "mira", 80.0, 70.0, 9.0, 2.0, 50.0)
    fast = compare_learners.Row("t", "perceptron", 80.0, 70.0, 9.0, 1.0, 100.0)
    assert compare_learners.line(slow, fast).endswith("| 50 | 0.50× (MISSED: ≥ 0.8×) |")
    assert compare_learners.line(fast, fast).endswith("| 100 | 1.00× |")
    assert compare_learners.line(slow, None).endswith("| 50 |  |")
