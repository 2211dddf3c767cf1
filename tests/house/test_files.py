"""Nothing that is generated is kept, and what there is has its place."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support.places import ROOT

BUILT = {".so", ".o", ".c", ".cpp", ".pyc", ".html"}


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def is_built(path: Path) -> bool:
    """Return whether a file is one that a build makes; C++ in cext/ is written by hand, Cython's is not there."""
    return path.suffix in BUILT and not (path.suffix == ".cpp" and path.is_relative_to(ROOT / "cext"))


def test_nothing_built_is_tracked() -> None:
    assert not [path for path in tracked() if is_built(path)]


def test_knows_which_files_are_built() -> None:
    made = ["cext/a.o", "cext/modules/a.c", "build/cython/cext/a.cpp", "wnparse/_core/a.cpp", "wnparse/_core/a.so"]
    assert [name for name in [*made, "cext/a.cpp", "cext/decoders/a.cpp", "a.py"] if is_built(ROOT / name)] == made


def test_tests_have_the_folders_of_the_packages() -> None:
    packages = {path.parent.name for path in (ROOT / "wnparse").glob("*/__init__.py")} - {"_core"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert folders == packages | {"docs", "house", "scripts", "support"}


def test_scripts_have_their_folders() -> None:
    """Only what the documentation names is at the top of scripts/, and tests mirror its folders."""
    texts = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    top = {path.name for path in tracked() if path.parent == ROOT / "scripts"} - {"venv.sh"}
    assert top == {name for name in top if f"scripts/{name}" in texts}
    folders, tested = (
        {path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith("_")}
        for folder in (ROOT / "scripts", ROOT / "tests" / "scripts")
    )
    assert tested <= folders


def test_only_ci_knows_where_treebanks_are() -> None:
    """All others find them by WNPARSE_TREEBANKS and WNPARSE_PAPERS."""
    place = re.compile(rb"""/share[d]\b|["']share[d]["'/]""")
    files = [path for path in tracked() if path.relative_to(ROOT).parts[0] != ".ci"]
    assert not [path for path in files if place.search(path.read_bytes())]
