"""Fixtures: the treebanks for measuring, the command line, a model and what it parses."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import Run
from support.places import DATA, TREEBANKS
from support.treebanks import blanked, first_sentences

# A process that was started in the background ignores SIGINT, one by nohup SIGHUP, and so would their children, to
# which tests send them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def treebanks() -> Path:
    if not TREEBANKS.is_dir():
        pytest.skip("the treebanks for measuring are not beside the project (../shared/treebanks)")
    return TREEBANKS


@pytest.fixture
def wnparse_command(tmp_path: Path) -> Run:
    """Run ``wnparse ARGUMENTS`` in an empty folder, as a shell would."""

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "wnparse", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, timeout=120, check=False)

    return run


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A first-order model of 300 sentences; its trees are held to no rules."""
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
    """The same within this process, for tests of many options: starting Python each time would take minutes."""
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
