"""Everything that README.md and the pages of docs/reference, docs/theory and docs/lab show is run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from support.documentation import pages_with_examples, run_page
from support.places import ROOT

README = ROOT / "README.md"


@pytest.mark.parametrize(
    "page", [README, *(page for name in ("reference", "theory", "lab") for page in pages_with_examples(name))]
)
def test_examples_run(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def test_the_scripts_of_the_readme_exist() -> None:
    for command in re.findall(r"^(\./scripts/\w+)", README.read_text(encoding="utf-8"), re.M):
        assert os.access(ROOT / command, os.X_OK)
