"""Options for the shape of trees: ``wnparse parse`` enforces it, ``wnparse train`` stores it in the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from wnparse.cli.common import Function, option_group
from wnparse.decoding.checks import LARGEST_COUNT


def _block_degree(context: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    """Convert a positive integer; the word `none` is kept."""
    if value is None or value == "none":
        return value
    # Longer digits are not even read: Python refuses some thousands of them.
    if not value.isdecimal() or len(value) > 10 or not 0 < int(value) <= LARGEST_COUNT:
        raise click.BadParameter(f"{value!r} is not a valid block degree; expected a number or 'none'.")
    return int(value)


def shape_options(
    section: Callable[..., Callable[[Function], Function]], default: str
) -> Callable[[Function], Function]:
    """Return the options for the shape of trees, in a section of the help, with the name of their default."""

    def option(*names: str, help: str, **keywords: Any) -> Callable[[Function], Function]:
        return section(*names, default=None, help=f"{help}  [default: {default}]", **keywords)

    return option_group(
        option(
            "--block-degree",
            metavar="K|none",
            callback=_block_degree,
            help="Maximum number of blocks in the yield of a word; 1 allows only projective trees.",
        ),
        option(
            "--well-nested/--no-well-nested",
            help="Allow only well-nested trees, in which disjoint subtrees do not interleave.",
        ),
        option("--single-root/--multi-root", help="Allow only one child of the root, or several."),
    )
