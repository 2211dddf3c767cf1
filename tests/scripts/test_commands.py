"""Every script that can be run describes itself, from any folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.places import ROOT

SCRIPTS = ROOT / "scripts"
FOLDERS = ("bench", "studies", "oracle", "campaigns", "reproduction", "sample")
COMMANDS = [
    path.parent if path.name == "__main__.py" else path
    for folder in FOLDERS
    for path in sorted((SCRIPTS / folder).rglob("*.py"))
    # Peers are run by the report, part_models like wnparse itself.
    if 'if __name__ == "__main__":' in path.read_text("utf-8")
    if not path.name.endswith("_peer.py") and path.name != "part_models.py"
]


@pytest.mark.parametrize("command", [str(path.relative_to(SCRIPTS)) for path in COMMANDS])
def test_every_script_has_help(command: str, tmp_path: Path) -> None:
    arguments = [sys.executable, str(SCRIPTS / command), "--help"]
    result = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("usage: ")


def test_trains_with_some_kinds_of_parts(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS / "studies" / "part_models.py"), "sibling", "--version"]
    assert subprocess.run(command, check=True, capture_output=True, cwd=tmp_path).stdout.startswith(b"wnparse")
    failed = subprocess.run([*command[:2], "uncle"], check=False, capture_output=True, cwd=tmp_path)
    assert failed.returncode == 1 and b"sibling" in failed.stderr
