"""Run the notebooks of the documentation and store their outputs, which the site shows.

    python scripts/documentation/notebooks.py                                 # all notebooks of docs/notebooks
    python scripts/documentation/notebooks.py --check docs/notebooks/scorer.ipynb

With --check, nothing is stored: exit 1 if a notebook fails, or if its outputs are not the stored ones. Tables of
pandas are not compared, because each version writes them a little differently. Needs the extra ``notebook``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "notebooks"
TEXT, PICTURE, TABLE = "text/plain", "image/svg+xml", "text/html"


def run_notebook(notebook: Any) -> Any:
    """Return a notebook with its outputs; it runs in an empty folder that has the data of the project."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").symlink_to(ROOT / "data")
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=600, record_timing=False, resources=resources).execute()
    return notebook


def describe_outputs(notebook: Any) -> list[str]:
    """Return what the outputs of each cell show, as far as it does not depend on versions of other packages."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(map(_describe_output, cell.outputs)) for cell in cells]


def _describe_output(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text)
    data = output.get("data", {})
    return "table" if TABLE in data else str(data.get(PICTURE, data.get(TEXT, output)))


def main() -> None:
    """Run and store, or check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("notebooks", type=Path, nargs="*", default=sorted(FOLDER.glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="exit 1 if the outputs differ from the stored ones")
    options = parser.parse_args()
    for path in options.notebooks:
        stored = nbformat.read(path, as_version=4)
        before = describe_outputs(stored)
        notebook = run_notebook(stored)
        after = describe_outputs(notebook)
        if not options.check:
            nbformat.write(notebook, path)
        for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
            if options.check and old != new:
                sys.exit(f"{path}: the output of code cell {number} has changed\nfrom: {old}\nto:   {new}")


if __name__ == "__main__":
    main()
