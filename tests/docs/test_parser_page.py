"""docs/parser.md: what it shows is run, in order, and it names every option of its commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import check_console, console_examples
from support.places import DATA, ROOT
from wnparse.cli.main import cli

PAGE = (ROOT / "docs" / "parser.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample in data/, as in the repository."""
    path = tmp_path_factory.mktemp("page")
    (path / "data").symlink_to(DATA)
    return path


def test_statements_of_the_page_are_true(folder: Path) -> None:
    examples = console_examples(PAGE)
    assert len(examples) > 5
    for command, output in examples:
        check_console(command, output, folder)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (folder / "block.py").write_text(block)
    subprocess.run([sys.executable, "block.py"], cwd=folder, check=True, timeout=300)


@pytest.mark.parametrize("name", ["train", "parse", "info"])
def test_every_option_is_described(name: str) -> None:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    for parameter in command.params:
        for option in [*parameter.opts, *parameter.secondary_opts]:
            if option.startswith("--"):
                assert f"`{option}" in PAGE or f" {option}`" in PAGE, option
