"""The house: imports go down only, files stay small, nothing generated is kept."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

LAYERS = [
    {"_core"},
    {"errors", "files", "flaws", "conllu", "trees", "tensors"},
    {"encode", "features", "constraints", "solution", "marks", "first_pass"},
    {"model", "decoders", "decoding", "arc_marginals", "confidence", "ranking", "learners"},
    {"alignment", "metrics", "significance", "evaluation", "stats"},
    {"calibration", "training", "checkpoint", "parsing"},
    {"sentence_filter", "drawing", "reports"},
    {"cli", "__main__"},
]
LIMIT = 450


def layer(module: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if module in names)


def imported(path: Path) -> set[str]:
    """The modules of wnparse that a file imports, by the first name below the package."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            parts = node.module.split(".")
            if parts[0] == "wnparse":
                found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("wnparse.")}
    return {name for name in found if name != "__version__"}


def modules() -> list[Path]:
    return [path for path in sorted((ROOT / "wnparse").rglob("*.py")) if path != ROOT / "wnparse" / "__init__.py"]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down(path: Path) -> None:
    own = path.relative_to(ROOT / "wnparse").parts[0].removesuffix(".py")
    if own == "_core":
        return
    for name in imported(path):
        assert layer(name) <= layer(own), f"{own} imports {name}, which lies above it"


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def test_files_stay_small() -> None:
    code = [path for path in tracked() if path.suffix in {".py", ".pyx", ".pxd", ".hpp", ".cpp"}]
    long = {str(path.relative_to(ROOT)): n for path in code if (n := path.read_text().count("\n")) > LIMIT}
    assert not long


def test_nothing_built_is_tracked() -> None:
    assert not [path for path in tracked() if path.suffix in {".so", ".o", ".c", ".pyc", ".html"}]
    # C++ is written by hand in cext; what Cython writes bears the name of its source, or lies elsewhere.
    written = [path for path in tracked() if path.suffix == ".cpp"]
    assert not [path for path in written if ROOT / "cext" not in path.parents or path.with_suffix(".pyx").exists()]
