"""docs/rules.md: what it shows is run, its rules are rules, and it lists every bundled rule with its reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import check_console, console_examples
from support.places import DATA, ROOT
from wnparse.cli.main import cli
from wnparse.rules import BUNDLED, Rules
from wnparse.rules.descriptions import ATTACHMENT_KEYS, WORD_KEYS
from wnparse.rules.language import KEYS, VERBS
from wnparse.rules.patterns import CROSSINGS

PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_statements_of_the_page_are_true(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(DATA)
    examples = console_examples(PAGE)
    assert len(examples) > 5
    for command, output in examples:
        check_console(command, output, tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (tmp_path / "block.py").write_text(block)
    result = subprocess.run(
        [sys.executable, "block.py"], cwd=tmp_path, check=True, timeout=60, capture_output=True
    )
    assert result.stdout.startswith(b"punct-is-nonproj-strict ")


def test_the_examples_are_valid_rules() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    whole = [block for block in blocks if "[[rule]]" in block]
    assert len(whole) > 7
    shown = [rule for block in whole for rule in Rules.parse(block)]
    assert {verb for verb in VERBS if any(verb in rule.source for rule in shown)} == set(VERBS) - {"exactly"}
    words = next(block for block in blocks if "[words" in block)
    head = 'head = { is = "verbal", relation = "conj" }'
    Rules.parse(f'{words}\n[[rule]]\nname = "r"\nreason = "r"\nforbid = {{ upos = "X" }}\n{head}\n')
    described = next(block for block in blocks if block.startswith("{"))
    Rules.parse(f'[[rule]]\nname = "r"\nreason = "r"\nforbid = {described}\n')


def test_every_key_is_described() -> None:
    plain = [key for key in WORD_KEYS if not key.startswith("not-") and "-" not in key]
    for key in [
        *KEYS,
        *plain,
        *ATTACHMENT_KEYS,
        "ext-upos",
        "form-begins",
        "form-ends",
        "form-matches",
        "parent",
        "any",
    ]:
        assert f"`{key}`" in PAGE or f"\n{key} = " in PAGE or f"`{key} =" in PAGE, key
    for name in CROSSINGS:
        assert f'`"{name}"`' in PAGE, name


@pytest.mark.parametrize("name", BUNDLED)
def test_lists_bundled_rules_with_their_reasons(name: str) -> None:
    (section,) = re.findall(rf"^## `{re.escape(name)}`\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    rows = re.findall(r"^\| `(.*?)` \| (.*) \|$", section, re.M)
    assert rows == [(rule.name, rule.reason) for rule in Rules.load(name)]


@pytest.mark.parametrize("name", ["combine", "rules", "eval"])
def test_options_are_described(name: str) -> None:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    known = {option for parameter in command.params for option in parameter.opts}
    if name == "combine":
        described = known - {"--weights", "--output", "--quiet", "--skip-bad"}
        assert not [option for option in described if option.startswith("--") and option not in PAGE]
    assert "--rules" in known
