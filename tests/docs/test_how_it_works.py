"""docs/how-it-works.md: the files it names exist, and the folders of the core lie in the order it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "cext"
PAGE = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"\b(?:cext|wnparse|scripts|tests|docs|data)/[\w./*-]*[\w*/]", PAGE)))
FOLDERS = re.findall(r"^\| `([\w/]+)` \|", PAGE, re.M)


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_exists(name: str) -> None:
    assert list(ROOT.glob(name)), name


def test_what_is_named_in_code_is_there() -> None:
    """Names of classes and functions stand in the file that the page gives for them, in brackets behind them."""
    pairs = re.findall(r"`(\w+)`\s\(`([\w./]+\.\w+)`\)", PAGE)
    assert len(pairs) > 5
    for name, path in pairs:
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), f"{name} in {path}"


def folder_of(path: str) -> int:
    """The place of a file's folder in the page's table: the longest one that holds it."""
    holding = [name for name in FOLDERS if path.startswith(f"{name}/")]
    return FOLDERS.index(max(holding, key=len))


def sources() -> list[str]:
    files = [path for path in CORE.rglob("*") if path.suffix in {".hpp", ".cpp", ".pyx", ".pxd"}]
    return sorted(str(path.relative_to(CORE)) for path in files)


def test_all_folders_are_in_the_table() -> None:
    assert {path.partition("/")[0] for path in sources()} == {name.partition("/")[0] for name in FOLDERS}


@pytest.mark.parametrize("path", sources())
def test_includes_go_one_way(path: str) -> None:
    text = (CORE / path).read_text(encoding="utf-8")
    for included in re.findall(r'^(?:#include|cdef extern from) "(\w+/[\w/]+\.hpp)"', text, re.M):
        assert folder_of(included) <= folder_of(path), f"{path} includes {included}, which lies below it"


def test_it_is_short() -> None:
    assert len(PAGE.split()) <= 900
