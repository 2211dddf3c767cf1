"""docs/README.md lists every page, what pages name and link to exists, and the project's README stays short."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

import pytest

from support.places import ROOT

FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("cext", "wnparse", "scripts", "tests", "docs", "data")
    for path in (ROOT / folder).rglob("*")
]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_index_lists_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in PAGES[2:]:
        assert page.name == "README.md" or f"({page.name})" in index, page.name


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub makes anchors of them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_headings(page: Path) -> None:
    for path, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        target = page.parent / path if path else page
        assert anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = sorted(set(re.findall(r"\b(?:cext|wnparse|scripts|tests|docs|data)/[\w./*-]*[\w*/]", text)))
    # As in git, a star matches folders too.
    assert not [name for name in named if not (ROOT / name).exists() and not fnmatch.filter(FILES, name)]
