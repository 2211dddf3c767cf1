"""docs/cluster.md: what it shows is run, in order."""

from __future__ import annotations

from pathlib import Path

from support.commands import check_console, console_examples
from support.places import DATA, ROOT


def test_statements_of_the_page_are_true(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    examples = console_examples((ROOT / "docs" / "cluster.md").read_text(encoding="utf-8"))
    assert len(examples) == 4
    for command, output in examples:
        check_console(command, output, tmp_path)
