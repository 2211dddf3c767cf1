"""Pages name everything that they are about, and what they name exists; tables made from code are up to date."""

from __future__ import annotations

import doctest
import fnmatch
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wnparse
from documentation.tables import fill_tables
from support.documentation import PAGES, read_page
from support.places import ROOT
from wnparse.decoding.registry import DECODERS
from wnparse.rules import Rules
from wnparse.rules.descriptions import ATTACHMENT_KEYS, WORD_KEYS
from wnparse.rules.language import KEYS, VERBS
from wnparse.rules.patterns import CROSSINGS
from wnparse.training.learners import LEARNERS

TREEBANKS_WITH_EXAMPLES = ["treebanks.draw", "treebanks.sentence", "treebanks.stats"]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("cext", "wnparse", "scripts", "tests", "docs", "data")
    for path in (ROOT / folder).rglob("*")
]


def name_page(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", DOCUMENTS, ids=name_page)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = sorted(set(re.findall(r"\b(?:cext|wnparse|scripts|tests|docs|data)/[\w./*-]*[\w*/]", text)))
    # As git has it, a star stands for folders too.
    assert not [name for name in named if not (ROOT / name).exists() and not fnmatch.filter(FILES, name)]


@pytest.mark.parametrize("page", DOCUMENTS, ids=name_page)
def test_links_lead_to_files(page: Path) -> None:
    """The site checks links among its own pages; this also checks those of the README and to other files."""
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", DOCUMENTS, ids=name_page)
def test_generated_tables_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert fill_tables(text) == text, "run python scripts/documentation/tables.py"


def test_the_reference_has_all_public_names() -> None:
    page = read_page("reference/python.md")
    missing = [name for name in wnparse.__all__ if not re.search(rf":: wnparse\.(errors\.)?{name}\b", page)]
    errors = [name for name in missing if name.endswith("Error")]
    assert set(missing) - set(errors) == {"__version__"} and ":: wnparse.errors" in page


@pytest.mark.parametrize(
    ("page", "names"),
    [("guide/decoding.md", DECODERS), ("theory/learners.md", LEARNERS)],
    ids=["decoders", "learners"],
)
def test_all_names_are_described(page: str, names: dict[str, object]) -> None:
    assert not [name for name in names if f"`{name}`" not in read_page(page)]


def test_all_keys_of_rules_are_described() -> None:
    page = read_page("reference/rule-language.md")
    plain = [key for key in WORD_KEYS if not key.startswith("not-") and "-" not in key]
    others = ["ext-upos", "form-begins", "form-ends", "form-matches", "parent", "any"]
    for key in [*KEYS, *plain, *ATTACHMENT_KEYS, *others]:
        assert f"`{key}`" in page or f"\n{key} = " in page or f"`{key} =" in page, key
    for name in CROSSINGS:
        assert f'`"{name}"`' in page, name


def test_rules_that_are_shown_are_valid() -> None:
    pages = [read_page("guide/rules.md"), read_page("reference/rule-language.md")]
    blocks = [block for page in pages for block in re.findall(r"^```toml\n(.*?)^```", page, re.S | re.M)]
    shown = [rule for block in blocks if "[[rule]]" in block for rule in Rules.parse(block)]
    assert {verb for verb in VERBS if any(verb in rule.source for rule in shown)} >= set(VERBS) - {"exactly"}


def test_the_awk_program_of_confidence_works(tmp_path: Path) -> None:
    (program,) = re.findall(r"(awk -F .*?)\n```", read_page("guide/confidence.md"), re.S)
    rows = [f"{i}\tw{i}" + "\t_" * 7 + f"\tA=1|HeadProb=0.{i}0|SpaceAfter=No\n" for i in (7, 2, 5)]
    result = subprocess.run(
        ["bash", "-c", program], input="".join(rows), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout == "0.20 2 w2\n0.50 5 w5\n0.70 7 w7\n"


@pytest.mark.parametrize("name", ["decoding.decode", "evaluation.evaluate", *TREEBANKS_WITH_EXAMPLES])
def test_the_examples_of_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"wnparse.{name}"))
    assert result.attempted > 0 and result.failed == 0


def test_the_site_has_all_pages() -> None:
    index = read_page("index.md")
    names = [page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in PAGES]
    assert [name for name in names if name != "index" and f"\n{name}\n" not in index] == []


def test_tables_are_checked_by_the_script() -> None:
    script = ROOT / "scripts" / "documentation" / "tables.py"
    result = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
