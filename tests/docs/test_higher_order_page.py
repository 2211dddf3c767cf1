"""docs/higher-order.md: what it shows is run, in order, and it names every decoder and kind of part."""

from __future__ import annotations

from pathlib import Path

from support.commands import check_console, console_examples
from support.places import DATA, ROOT
from wnparse.decoding.registry import DECODERS
from wnparse.training.learners import LEARNERS

PAGE = (ROOT / "docs" / "higher-order.md").read_text(encoding="utf-8")


def test_statements_of_the_page_are_true(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    examples = console_examples(PAGE)
    assert len(examples) == 3
    for command, output in examples:
        check_console(command, output, tmp_path)


def test_decoders_and_learners_are_named() -> None:
    for name in (*DECODERS, *LEARNERS):
        assert f"`{name}`" in PAGE, name
