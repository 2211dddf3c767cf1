"""Write the tables of the documentation that follow from code, or check that they are up to date.

    python scripts/documentation/tables.py            # rewrite the tables in docs/ and README.md
    python scripts/documentation/tables.py --check    # exit 1 if one is out of date

A table is the text between the lines `<!-- generated: NAME -->` and `<!-- end -->`, so that pages can also be read
without the site.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click

from wnparse.cli.main import COMMANDS, cli
from wnparse.decoding.registry import DECODERS
from wnparse.rules import BUNDLED, Rules

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(<!-- generated: ([\w. -]+) -->\n).*?(<!-- end -->)", re.S)


def make_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    names = list(header)
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def make_rule_table(name: str) -> str:
    """Return the rules of a bundled file with their reasons."""
    return make_table(["rule", "reason"], ([f"`{rule.name}`", rule.reason] for rule in Rules.load(name)))


def make_decoder_table() -> str:
    """Return what each decoder can do."""

    def mark(able: bool) -> str:
        return "yes" if able else "–"

    return make_table(
        ["decoder", "block degree and nesting", "`k`", "parts, labels and rules", "search limits"],
        (
            [
                f"`{name}`",
                mark(decoder.structural),
                mark(decoder.ranks),
                mark(decoder.whole),
                mark(decoder.searches),
            ]
            for name, decoder in DECODERS.items()
        ),
    )


def make_command_table() -> str:
    """Return the commands with the first sentence of their help."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in COMMANDS}
    return make_table(
        ["command", "what it does"],
        ([f"`wnparse {name}`", command.get_short_help_str(200)] for name, command in commands.items() if command),
    )


TABLES: dict[str, Callable[[], str]] = {
    "commands": make_command_table,
    "decoders": make_decoder_table,
    **{f"rules {name}": partial(make_rule_table, name) for name in BUNDLED},
}


def find_pages() -> list[Path]:
    """Return the Markdown files of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fill_tables(text: str) -> str:
    """Return a page with its tables made anew; KeyError if one has an unknown name."""
    return BLOCK.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n{match[3]}", text)


def main(arguments: list[str]) -> int:
    """Rewrite or check all pages."""
    outdated = []
    for page in find_pages():
        text = page.read_text(encoding="utf-8")
        filled = fill_tables(text)
        if filled != text:
            outdated.append(page.relative_to(ROOT))
            if "--check" not in arguments:
                page.write_text(filled, encoding="utf-8")
    verb = "out of date" if "--check" in arguments else "rewritten"
    for path in outdated:
        print(f"{path}: {verb}")
    return int(bool(outdated) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
