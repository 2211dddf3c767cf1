"""Options in sections: `--help` of a command lists what belongs together under one heading."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
OTHER = "Other options"


class SectionOption(click.Option):
    """An option of a section."""

    def __init__(self, *arguments: Any, section: str, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.section = section


def section(title: str) -> partial[Callable[[Decorated], Decorated]]:
    """Return the decorator `click.option` for the options of a section."""
    return partial(click.option, cls=SectionOption, section=title)


files = section("Input and output")
trees = section("Trees")
rules = section("Rules")
tags = section("Tags")
speed = section("Speed")
search = section("Search limits")
learning = section("Learning")
scores = section("Scores")
significance = section("Significance test")
selection = section("Selection")
drawing = section("Drawing")
voting = section("Votes")


def write_sections(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command, section by section, in the order in which sections begin."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record:
            sections.setdefault(getattr(parameter, "section", OTHER), []).append(record)
    other = sections.pop(OTHER, [])
    for title, records in [*sections.items(), (OTHER, other)]:
        with formatter.section(title):
            formatter.write_dl(records)
