"""`wnparse.train`: the model of the command line, from paths and from sentences; what it refuses."""

from __future__ import annotations

import inspect
import io
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import wnparse
from support.commands import Run
from support.treebanks import first_sentences
from wnparse.training.options import TrainOptions
from wnparse.training.watcher import Progress


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "train.conllu"
    path.write_bytes(first_sentences("train", 40))
    return path


def saved(model: wnparse.Model, folder: Path) -> bytes:
    model.save(folder / "python.wnp")
    return (folder / "python.wnp").read_bytes()


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({}, []),
        ({"order": 1, "only": "parser"}, ["--order", "1", "--only", "parser"]),
        (
            {"learner": "mira-kbest", "learner_trees": 2, "max_step": 0.1, "only": "parser"},
            ["--learner", "mira-kbest", "--learner-trees", "2", "--max-step", "0.1", "--only", "parser"],
        ),
        (
            {
                "labelled": False,
                "lemma": False,
                "prune": False,
                "only": "parser",
                "seed": 7,
                "margin": 1.0,
                "decoder": "eisner",
            },
            [
                "--only",
                "parser",
                "--unlabelled",
                "--no-lemma",
                "--no-prune",
                "--seed",
                "7",
                "--margin",
                "1",
                "--decoder",
                "eisner",
            ],
        ),
        (
            {"jackknife": 3, "rules": "ud", "rule_coverage": 95.0},
            ["--jackknife", "3", "--rules", "ud", "--rule-coverage", "95"],
        ),
    ],
)
def test_gives_the_same_bytes_as_the_command(
    wnparse_inside: Run, treebank: Path, tmp_path: Path, options: dict[str, Any], arguments: list[str]
) -> None:
    dev = tmp_path / "dev.conllu"
    dev.write_bytes(first_sentences("dev", 20))
    files = [str(treebank), "--dev", str(dev), "-o", "command.wnp", "--epochs", "2"]
    assert wnparse_inside("train", *files, *arguments).returncode == 0
    expected = (tmp_path / "command.wnp").read_bytes()
    progress: list[Progress] = []
    assert saved(wnparse.train(treebank, dev, epochs=2, progress=progress.append, **options), tmp_path) == expected
    assert [epoch.epoch for epoch in progress] == [1, 2]
    assert any(epoch.best for epoch in progress)
    read = wnparse.train(list(wnparse.read(treebank)), wnparse.read(dev), epochs=2, **options)
    assert saved(read, tmp_path) == expected


def test_accepts_paths_sentences_and_token_lists(treebank: Path, tmp_path: Path) -> None:
    once = saved(wnparse.train(str(treebank), epochs=1, order=1, only="parser"), tmp_path)
    assert saved(wnparse.train([treebank], epochs=1, order=1, only="parser"), tmp_path) == once
    tokens = [sentence.to_tokenlist() for sentence in wnparse.read(treebank)]
    assert saved(wnparse.train(tokens, epochs=1, order=1, only="parser"), tmp_path) == once
    twice = saved(wnparse.train([treebank, str(treebank)], epochs=1, order=1, only="parser"), tmp_path)
    assert (
        twice
        == saved(wnparse.train([*wnparse.read(treebank)] * 2, epochs=1, order=1, only="parser"), tmp_path)
        != once
    )


def test_takes_the_options_of_the_command() -> None:
    parameters = inspect.signature(wnparse.train).parameters
    for option in fields(TrainOptions):
        assert parameters[option.name].default == option.default
    named = {option.name for option in fields(TrainOptions)}
    assert set(parameters) == {"treebank", "dev", "progress", *named}
    assert all(option.name in (wnparse.train.__doc__ or "") for option in fields(TrainOptions))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"epochs": 0}, "epochs=0"),
        ({"seed": -1}, "seed=-1"),
        ({"labelled": 1}, "labelled=1"),
        ({"margin": float("nan")}, "margin is nan; expected"),
        ({"margin": -1.0}, "margin is -1; expected"),
        ({"learner": "mira", "max_step": 0.0}, "max_step is 0; expected"),
        ({"learner": "sgd"}, "unknown learner 'sgd'"),
        ({"decoder": "cky"}, "unknown decoder 'cky'"),
    ],
)
def test_refuses_bad_options(treebank: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wnparse.train(treebank, **options)


@pytest.mark.filterwarnings("ignore:the treebank does not say which tokens")
def test_refuses_bad_treebanks(treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "headless").write_bytes(b"# c\n1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n")
    for source in (tmp_path / "headless", list(wnparse.read(tmp_path / "headless"))):
        with pytest.raises(wnparse.TreebankError, match=r"headless:2: .*head"):
            wnparse.train(source)
    with pytest.raises(wnparse.TreebankError, match="no sentences to train on"):
        wnparse.train([])
    for wrong in (5, next(iter(wnparse.read(treebank))), io.BytesIO()):
        with pytest.raises(TypeError, match=", not"):
            wnparse.train(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=", not"):
        wnparse.train([treebank, *wnparse.read(treebank)])  # type: ignore[list-item]
    with pytest.raises(FileNotFoundError):
        wnparse.train("nowhere.conllu")
