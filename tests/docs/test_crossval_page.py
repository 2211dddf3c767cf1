"""docs/crossval.md: what it shows is run, in order."""

from __future__ import annotations

from pathlib import Path

from support.commands import check_console, console_examples
from support.places import DATA, ROOT

PAGE = (ROOT / "docs" / "crossval.md").read_text(encoding="utf-8")


def test_statements_of_the_page_are_true(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    examples = console_examples(PAGE)
    assert len(examples) == 7
    for command, output in examples:
        check_console(command, output, tmp_path)
