"""Fixtures: the treebanks for measuring, the command line, a model and what it parses."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import Run, train_model
from support.places import DATA, folder_of
from support.treebanks import blanked, first_sentences
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

# A process that was started in the background ignores SIGINT, one by nohup SIGHUP, and so would their children, to
# which tests send them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def treebanks() -> Path:
    return folder_of("WNPARSE_TREEBANKS")


@pytest.fixture
def wnparse_command(tmp_path: Path) -> Run:
    """Run ``wnparse ARGUMENTS`` in an empty folder, as a shell would."""

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "wnparse", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, timeout=120, check=False)

    return run


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a first-order model of 300 sentences, without rules."""
    path = tmp_path_factory.mktemp("model") / "m.wnp"
    arguments = [
        "train",
        str(DATA / "dev.conllu"),
        "-o",
        str(path),
        "--epochs",
        "3",
        "--order",
        "1",
        "--rules",
        "none",
        "--only",
        "parser",
    ]
    subprocess.run([sys.executable, "-m", "wnparse", *arguments], check=True, capture_output=True, cwd=path.parent)
    return str(path)


@pytest.fixture(scope="session")
def raw() -> bytes:
    """The first sentences of the test set without heads."""
    return blanked(first_sentences("test", 40), 6, 7)


@pytest.fixture
def wnparse_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run commands within this process: for many options, starting Python each time would take minutes."""
    from wnparse.cli.main import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr(sys, "argv", ["wnparse", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def sample() -> list[Sentence]:
    """The development set of the sample."""
    return list(read(DATA / "dev.conllu"))


@pytest.fixture(scope="session")
def tagger(sample: list[Sentence]) -> Tagger:
    """A tagger of 300 sentences."""
    learned = learn_tagger(Lessons(sample), TaggerOptions(epochs=4))
    assert learned is not None
    return learned


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("few") / "few.conllu"
    path.write_bytes(first_sentences("dev", 80))
    return path


@pytest.fixture(scope="session")
def only_tags(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of 300 sentences that only tags."""
    dev = ["--dev", str(DATA / "test.conllu")]
    return str(train_model(tmp_path_factory.mktemp("only"), str(DATA / "dev.conllu"), *dev, "--only", "tagger"))


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory, few: Path) -> str:
    """A model of 80 sentences that tags and parses."""
    options = ["--dev", str(few), "--jackknife", "3", "--epochs", "2"]
    return str(train_model(tmp_path_factory.mktemp("both"), str(few), *options))


@pytest.fixture(scope="session")
def bare() -> bytes:
    """Sentences of which only forms are known."""
    return blanked(first_sentences("test", 20), 2, 3, 4, 5, 6, 7)
