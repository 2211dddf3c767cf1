"""The type of options that name rules, and warnings about the relations in a rule file."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

import click

from wnparse.cli.paths import ParamType
from wnparse.rules import BUNDLED, Rules
from wnparse.rules.coverage import strange_relations

RULE_FILES = "wnparse.rule_files"  # in the context: the paths of rule files, by the names of the rules


class RulesName(ParamType):
    """Rules by a bundled name or the path of a file; words such as `none` stand for themselves.

    A file that is not there is bad usage; one that cannot be used is bad data.
    """

    name = "rules"

    def __init__(self, *words: str) -> None:
        self.words = words

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what help calls the value."""
        return "|".join([*self.words, "NAME", "FILE"])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Load the rules."""
        if isinstance(value, Rules) or value in self.words:
            return value
        try:
            rules = Rules.load(value)
        except OSError as error:
            known = ", ".join([*self.words, *BUNDLED])
            reason = "no such rules" if isinstance(error, FileNotFoundError) else error.strerror
            self.fail(f"{reason}: {value!r}; expected {known} or the path of a rule file.", param, ctx)
        if ctx and rules.name not in BUNDLED:
            ctx.meta.setdefault(RULE_FILES, {})[rules.name] = os.fsdecode(value)
        return rules

    def reads(self, value: Any, context: click.Context) -> list[str]:
        """Return the rule file, unless the rules are bundled."""
        files = context.meta.get(RULE_FILES, {})
        return [files[value.name]] if isinstance(value, Rules) and value.name in files else []


def describe_strange(rules: Rules, labels: Collection[str]) -> list[str]:
    """Return a warning for each relation in a user's rule file that is not a label: often a typo."""
    if rules.name in BUNDLED:
        return []
    lines = []
    for rule, relation, near in strange_relations(rules, labels):
        hint = f"; did you mean {near}?" if near else ""
        lines.append(f"{rules.name}: rule '{rule}': no word has the relation {relation}{hint}")
    return lines
