"""The help of each command: one golden text each, every option in a section and with a description.

``WNPARSE_GOLDEN=1 pytest tests/cli/test_help.py`` writes the texts again; read them before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from support.commands import render_help
from wnparse.cli.main import COMMANDS, cli
from wnparse.cli.sections import SectionOption

GOLDEN = Path(__file__).parent / "help"


def find_command(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", ["wnparse", *sorted(COMMANDS)])
def test_help_is_the_golden_text(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = render_help(name) + "\n"
    if os.environ.get("WNPARSE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_described_in_a_section(name: str) -> None:
    for option in find_command(name).params:
        if isinstance(option, click.Option):
            assert isinstance(option, SectionOption) or option.name in ("quiet", "help"), option.opts
            assert option.help, option.opts
            assert option.help[0].isupper() or option.help.startswith("-"), option.help
            assert "." in option.help, option.help


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_option_has_an_optional_value(name: str) -> None:
    for option in find_command(name).params:
        if isinstance(option, click.Option):
            assert not getattr(option, "_flag_needs_value", False), option.opts
