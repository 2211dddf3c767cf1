"""The pages of the documentation in tests: where they are, and running what they show."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import check_console, console_examples, environment
from support.places import DATA, ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))


def read_page(name: str) -> str:
    """Return the text of a page, such as ``guide/rules.md``."""
    return (DOCS / name).read_text(encoding="utf-8")


def notebook_cells(path: Path, kind: str) -> list[str]:
    """Return the text of the cells of a notebook that are ``markdown`` or ``code``."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def pages_with_examples(section: str) -> list[object]:
    """Return the pages of a section that show commands or Python, as parameters of a test."""
    pages = [path for path in PAGES if path.parent == DOCS / section]
    return [
        pytest.param(path, id=path.stem)
        for path in pages
        if re.search(r"^```(?:console|python)$", path.read_text(encoding="utf-8"), re.M)
    ]


def missing_packages(blocks: list[str]) -> list[str]:
    """Return the packages that Python blocks import, but that are not installed."""
    names = sorted(set(re.findall(r"^(?:import|from) (\w+)", "\n".join(blocks), re.M)))
    return [name for name in names if importlib.util.find_spec(name) is None]


def run_page(path: Path, folder: Path) -> None:
    """Run the console blocks of a page in order and compare their output, then its Python blocks as one program.

    The test is skipped if the Python blocks import a package that is not installed.

    The folder has the ``data/`` and ``docs/`` of the project. The blocks share one program because later
    ones use names of earlier ones; each ends with its number, so that an error says which block failed.
    """
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    if missing := missing_packages(blocks):
        pytest.skip(f"{missing[0]} is not installed")
    (folder / "data").symlink_to(DATA)
    (folder / "docs").symlink_to(DOCS)
    for command, output in console_examples(text):
        check_console(command, output, folder)
    program = "".join(f"{block}\nprint('block', {number})\n" for number, block in enumerate(blocks, 1))
    (folder / "page.py").write_text(program, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "page.py"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    done = re.findall(r"^block (\d+)$", result.stdout, re.M)
    assert len(done) == len(blocks), f"block {len(done) + 1} of {len(blocks)} failed:\n{result.stderr}"
