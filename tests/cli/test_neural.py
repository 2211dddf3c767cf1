"""Models with a network on the command line: training, parsing with and without it, missing extras."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.model_checks import add_network
from support.commands import Run
from support.places import DATA
from wnparse.parser.model import load
from wnparse.treebanks.reader import read

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="PyTorch is not installed (extra neural)"
)
pytest.importorskip("onnxruntime")


QUICK = ["--epochs", "2", "--jackknife", "2"]


def first_sentences(count: int, skip: int = 0) -> bytes:
    return b"".join(sentence.raw for sentence in list(read(DATA / "dev.conllu"))[skip : skip + count])


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a small model of order 2, calibrated."""
    folder = tmp_path_factory.mktemp("linear")
    (folder / "train.conllu").write_bytes(first_sentences(80))
    (folder / "dev.conllu").write_bytes(first_sentences(30, skip=80))
    arguments = ["train", "train.conllu", "--dev", "dev.conllu", "-o", "m.wnp", *QUICK]
    subprocess.run([sys.executable, "-m", "wnparse", *arguments], cwd=folder, check=True, capture_output=True)
    return folder / "m.wnp"


@pytest.fixture(scope="module")
def both(linear: Path) -> Path:
    """Return the path of the same model with a random network."""
    model = add_network(load(linear), list(read(DATA / "dev.conllu"))[:80])
    model.save(linear.with_name("both.wnp"))
    return linear.with_name("both.wnp")


@pytest.fixture
def given() -> bytes:
    return first_sentences(25, skip=200)


def parsed(command: Run, model: Path, data: bytes, *options: str) -> bytes:
    result = command("parse", "-m", str(model), "-q", *options, stdin=data)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout


def test_the_network_changes_trees(wnparse_command: Run, linear: Path, both: Path, given: bytes) -> None:
    assert parsed(wnparse_command, linear, given) != parsed(wnparse_command, both, given)


@pytest.mark.parametrize("options", [["--no-neural"], ["--neural-weight", "0"]])
@pytest.mark.parametrize(
    "more", [[], ["--confidence", "--k-best", "3"], ["--retag"], ["--retag", "--tag-sequences", "1"]]
)
def test_without_the_network_the_model_is_the_linear_one(
    wnparse_command: Run, linear: Path, both: Path, given: bytes, options: list[str], more: list[str]
) -> None:
    assert parsed(wnparse_command, linear, given, *more) == parsed(wnparse_command, both, given, *options, *more)


@pytest.mark.parametrize(
    "options",
    [[], ["--k-best", "3", "--confidence"], ["--keep-heads"], ["--rules", "ud"], ["--retag"], ["--decoder", "lr"]],
)
def test_trees_do_not_depend_on_jobs_or_neighbours(
    wnparse_command: Run, both: Path, given: bytes, options: list[str]
) -> None:
    whole = parsed(wnparse_command, both, given, *options)
    assert parsed(wnparse_command, both, given, "--jobs", "3", *options) == whole
    alone = [parsed(wnparse_command, both, sentence, *options) for sentence in given.split(b"\n\n")[3:6]]
    for tree in alone:
        assert tree.split(b"\n", 1)[1].strip() in whole


def test_the_weight_decides_how_much_the_network_counts(wnparse_command: Run, both: Path, given: bytes) -> None:
    def weighed(weight: float) -> bytes:
        return parsed(wnparse_command, both, given, "--neural-weight", f"{weight:g}")

    assert weighed(0) != weighed(50)
    neural = load(both).neural
    assert neural is not None
    assert weighed(neural.weight) == parsed(wnparse_command, both, given)


def test_all_trees_are_certified(wnparse_command: Run, both: Path, given: bytes, tmp_path: Path) -> None:
    parsed(wnparse_command, both, given, "--report", "r.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert len(lines) == 25 and all(line["certified"] for line in lines)


@pytest.mark.parametrize(
    "options, keyword",
    [
        (["--neural-weight", "-1"], b"neural-weight"),
        (["--neural-weight", "x"], b"neural-weight"),
        (["--neural-weight", "1", "--no-neural"], b"exclude each other"),
    ],
)
def test_refuses_bad_weights(wnparse_command: Run, both: Path, options: list[str], keyword: bytes) -> None:
    result = wnparse_command("parse", "-m", str(both), *options, stdin=b"")
    assert (result.returncode, keyword in result.stderr) == (2, True)


def test_refuses_a_weight_without_a_network(wnparse_command: Run, linear: Path) -> None:
    result = wnparse_command("parse", "-m", str(linear), "--neural-weight", "1", stdin=b"")
    assert (result.returncode, b"no network" in result.stderr) == (2, True)


def test_info_describes_the_network(wnparse_command: Run, linear: Path, both: Path) -> None:
    assert b"2 LSTM layers" in wnparse_command("info", str(both)).stdout
    facts = json.loads(wnparse_command("info", "--json", str(both)).stdout)
    assert facts["neural"]["sizes"]["layers"] == 2
    assert json.loads(wnparse_command("info", "--json", str(linear)).stdout)["neural"] is None


def test_python_has_the_same_options(linear: Path, both: Path, given: bytes) -> None:
    model, plain = load(both), load(linear)
    sentences = list(read(io.BytesIO(given)))
    without = [tree.raw for tree in model.parse(sentences, neural_weight=0)]
    assert without == [tree.raw for tree in plain.parse(sentences)]
    assert without == [tree.raw for tree in replace(model, neural=None).parse(sentences)]
    with pytest.raises(ValueError, match="neural_weight"):
        model.parse(sentences, neural_weight="x")  # type: ignore[arg-type]


# Runs the command as if some packages were not installed.
HIDE = (
    "import importlib.util, sys; there = importlib.util.find_spec; hidden = {names!r}; "
    "importlib.util.find_spec = lambda name, *more: None if name in hidden else there(name, *more); "
    "sys.modules.update(dict.fromkeys(hidden)); from wnparse.__main__ import main; sys.exit(main())"
)


def run_without(
    names: list[str], folder: Path, *arguments: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", HIDE.format(names=names), *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=folder, timeout=120, check=False)


def test_parsing_needs_onnxruntime_alone(tmp_path: Path, linear: Path, both: Path, given: bytes) -> None:
    arguments = ["parse", "-q", "-m", str(both)]
    result = run_without(["onnxruntime"], tmp_path, *arguments, stdin=given)
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1
    assert b"pip install 'wnparse[onnx]'" in result.stderr and b"--no-neural" in result.stderr
    without = run_without(["onnxruntime", "torch"], tmp_path, *arguments, "--no-neural", stdin=given)
    assert without.returncode == 0 and without.stdout
    for model in (both, linear):
        hidden = ["torch"] if model == both else ["torch", "onnxruntime"]
        assert run_without(hidden, tmp_path, "parse", "-q", "-m", str(model), stdin=given).returncode == 0


@pytest.mark.parametrize("names", [["torch"], ["onnxruntime"], ["torch", "onnxruntime"]])
def test_training_names_the_extra(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences(5))
    result = run_without(names, tmp_path, "train", "t.conllu", "--dev", "t.conllu", "-o", "m.wnp", "--neural")
    assert result.returncode == 2 and b"pip install 'wnparse[neural]'" in result.stderr
    assert all(name.encode() in result.stderr for name in names)
    assert b"Traceback" not in result.stderr and not (tmp_path / "m.wnp").exists()


@needs_torch
def test_a_network_needs_a_development_set(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences(5))
    result = wnparse_command("train", "t.conllu", "-o", "m.wnp", "--neural")
    assert (result.returncode, b"--dev" in result.stderr) == (2, True)
    other = wnparse_command(
        "train", "t.conllu", "-o", "m.wnp", "--neural", "--only", "tagger", "--dev", "t.conllu"
    )
    assert (other.returncode, b"tagger" in other.stderr) == (2, True)


@needs_torch
@pytest.mark.slow
def test_training_resumes_to_the_same_bytes(wnparse_command: Run, tmp_path: Path) -> None:
    """The whole run with a tagger; it is interrupted while the network is trained."""
    (tmp_path / "t.conllu").write_bytes(first_sentences(25))
    (tmp_path / "d.conllu").write_bytes(first_sentences(20, skip=80))
    arguments = ["train", "t.conllu", "--dev", "d.conllu", "--neural", *QUICK]
    whole = wnparse_command(*arguments, "-o", "whole.wnp")
    assert whole.returncode == 0, whole.stderr.decode()
    assert b"training a network" in whole.stderr and b"network epoch  1 of" in whole.stderr
    interrupt = (
        "import os, signal, sys; from wnparse.neural import training; from wnparse.__main__ import main; "
        "learn = training.NetworkTrainer._learn; "
        "training.NetworkTrainer._learn = lambda run, *more: (learn(run, *more), "
        "run.step == 20 and os.kill(os.getpid(), signal.SIGINT)); sys.exit(main())"
    )
    command = [sys.executable, "-c", interrupt, *arguments, "-o", "part.wnp", "--checkpoint", "c"]
    part = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=300, check=False)
    assert part.returncode == 130, part.stderr.decode()
    assert b"not finished" in part.stderr
    assert load(tmp_path / "part.wnp").neural is None
    again = wnparse_command(*arguments, "-o", "again.wnp", "--checkpoint", "c", "--resume")
    assert again.returncode == 0, again.stderr.decode()
    assert (tmp_path / "again.wnp").read_bytes() == (tmp_path / "whole.wnp").read_bytes()
    other = wnparse_command(*arguments, "-o", "other.wnp", "--checkpoint", "c", "--resume", "--seed", "2")
    assert (other.returncode, b"Traceback" in other.stderr) == (1, False)


@needs_torch
@pytest.mark.slow
def test_cross_validation_trains_networks(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences(24))
    options = ["--folds", "2", "--epochs", "1", "--order", "1", "--only", "parser", "--jobs", "1"]
    result = wnparse_command("crossval", "t.conllu", "--neural", *options)
    assert result.returncode == 0, result.stderr.decode()
    assert b"training a network takes about 1 minute per model, about 1 minute in all" in result.stderr
