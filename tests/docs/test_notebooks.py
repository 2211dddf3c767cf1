"""The notebooks of the documentation run, and show what the site shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.documentation import DOCS, NOTEBOOKS, notebook_cells
from support.places import ROOT


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_that_are_stored(path: Path) -> None:
    for module in ("nbclient", "ipykernel", "pandas"):
        pytest.importorskip(module, reason=f"{module} is not installed: pip install 'wnparse[notebook]'")
    script = ROOT / "scripts" / "documentation" / "notebooks.py"
    result = subprocess.run(
        [sys.executable, str(script), "--check", str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-3000:]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_pictures_and_lead_to_pages(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) >= 3
    assert not [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"]
    for link in re.findall(r"\]\(([^)#:]+)", "\n".join(notebook_cells(path, "markdown"))):
        assert (path.parent / link).exists(), link
    assert f"\nnotebooks/{path.stem}\n" in (DOCS / "index.md").read_text(encoding="utf-8")
