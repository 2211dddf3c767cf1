"""docs/confidence.md: what it shows is run, in order."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.commands import check_console, console_examples
from support.places import DATA, ROOT

PAGE = (ROOT / "docs" / "confidence.md").read_text(encoding="utf-8")


def test_statements_of_the_page_are_true(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    examples = console_examples(PAGE)
    assert len(examples) == 4
    for command, output in examples:
        check_console(command, output, tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (tmp_path / "block.py").write_text(block)
    subprocess.run([sys.executable, "block.py"], cwd=tmp_path, check=True, timeout=300)


def test_the_awk_program_works(tmp_path: Path) -> None:
    (program,) = re.findall(r"(awk -F .*?)\n```", PAGE, re.S)
    rows = [f"{i}\tw{i}" + "\t_" * 7 + f"\tA=1|HeadProb=0.{i}0|SpaceAfter=No\n" for i in (7, 2, 5)]
    result = subprocess.run(
        ["bash", "-c", program], input="".join(rows), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout == "0.20 2 w2\n0.50 5 w5\n0.70 7 w7\n"
