"""Where the treebanks for measuring are, and how tests run the command line."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"


@pytest.fixture(scope="session")
def treebanks() -> Path:
    if not TREEBANKS.is_dir():
        pytest.skip("the treebanks for measuring are not beside the project (../shared/treebanks)")
    return TREEBANKS


Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def wnparse_command(tmp_path: Path) -> Run:
    """Run ``wnparse ARGUMENTS`` in an empty folder, as a shell would."""

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "wnparse", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, timeout=120, check=False)

    return run


@pytest.fixture
def wnparse_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """The same within this process, for tests of many options: starting Python each time would take minutes."""
    from wnparse.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr(sys, "argv", ["wnparse", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfdbinary.readouterr()
        return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), captured.out, captured.err)

    return run
