"""docs/python.md: its blocks run, in order and in one program, and it names every public name."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import wnparse
from support.commands import check_console, console_examples
from support.places import DATA, ROOT

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_blocks_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    for command, output in console_examples(PAGE):
        check_console(command, output, tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) > 5
    # A separate program, since decoders stay registered. Each block prints its number, to show which one fails.
    program = "".join(f"{block}\nprint('block', {number})\n" for number, block in enumerate(blocks, 1))
    (tmp_path / "page.py").write_text(program, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    done = re.findall(r"^block (\d+)$", result.stdout, re.M)
    assert len(done) == len(blocks), f"block {len(done) + 1} of {len(blocks)} failed:\n{result.stderr}"


def test_every_public_name_is_mentioned() -> None:
    for name in wnparse.__all__:
        assert re.search(rf"\bwnparse\.{name}\b", PAGE), name


def test_the_options_of_parse_are_described() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", PAGE, re.M))
    for name, parameter in inspect.signature(wnparse.Model.parse).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            assert rows[name] == str(parameter.default), name


def test_the_decoder_is_short() -> None:
    (body,) = re.findall(r"^def .*?(?=\n\n\n)", PAGE, re.M | re.S)
    assert len(body.splitlines()) <= 10
