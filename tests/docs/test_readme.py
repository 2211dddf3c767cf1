"""The README and the pages of stats, eval and show are run: each console line, with its output; Python blocks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import check_console, console_examples
from support.places import ROOT

TEXT = (ROOT / "README.md").read_text()
SHOW = "".join((ROOT / "docs" / f"{page}.md").read_text() for page in ("stats", "eval", "show"))


EXAMPLES = list(dict.fromkeys(console_examples(TEXT + SHOW)))  # what two pages show is run once


@pytest.mark.parametrize("command, output", EXAMPLES, ids=lambda text: text[:40])
def test_console_examples_run(command: str, output: str) -> None:
    check_console(command, output, ROOT)


def test_python_examples_run(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    assert blocks
    script = tmp_path / "block.py"  # not -c, which would import from the folder instead of what is installed
    for block in blocks:
        script.write_text(block)
        result = subprocess.run(
            [sys.executable, str(script)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
        )
        assert result.returncode == 0, result.stderr


def test_the_two_commands_exist() -> None:
    for command in re.findall(r"^(\./scripts/\w+)", TEXT, re.M):
        assert os.access(ROOT / command, os.X_OK)


def test_every_document_linked_exists() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
