"""What ``wnparse train`` and ``wnparse crossval`` are told of parsers alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wnparse.cli.common import FiniteRange
from wnparse.cli.rule_options import RulesName
from wnparse.decoding.registry import DECODERS
from wnparse.rules.coverage import COVERAGE
from wnparse.training.trainer import TrainingOptions

Command = TypeVar("Command", bound=Callable[..., Any])


# Training takes no others.
CORE_DECODERS = [name for name, decoder in DECODERS.items() if decoder.code is not None]


def column_options(command: Command) -> Command:
    """How trees are searched for while learning, and what is used of words."""
    options = [
        click.option("--decoder", type=click.Choice(CORE_DECODERS), default="msa", show_default=True),
        click.option("--unlabelled", is_flag=True, help="Learn heads only."),
        click.option("--no-lemma", is_flag=True, help="Do not use the lemma column."),
        click.option("--no-xpos", is_flag=True, help="Do not use the fine tags."),
        click.option("--no-morph", is_flag=True, help="Do not use FEATS."),
        click.option("--no-prune", is_flag=True, help="Learn without the first pass that drops arcs."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def rule_options(command: Command) -> Command:
    """The rules that trees are held to."""
    options = [
        click.option(
            "--rules",
            type=RulesName("auto", "none"),
            default="auto",
            show_default=True,
            help="Rules that trees are held to, as far as the treebank keeps them; auto takes ud or ud1 if its "
            "relations are those: docs/rules.md.",
        ),
        click.option(
            "--rule-coverage",
            metavar="PERCENT",
            type=FiniteRange(0, 100, min_open=True),
            default=COVERAGE,
            show_default=True,
            help="Percentage of its chances to be broken in which the treebank must keep a rule.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def make_options(flags: dict[str, Any]) -> TrainingOptions:
    """The options of one parser."""
    return TrainingOptions(
        epochs=flags["epochs"],
        seed=flags["seed"],
        decoder=flags["decoder"],
        labelled=not flags["unlabelled"],
        lemma=not flags["no_lemma"],
        xpos=not flags["no_xpos"],
        feats=not flags["no_morph"],
        prune=not flags["no_prune"],
        margin=flags["margin"],
        learner=flags["learner"],
        C=flags["limit"],
        k=flags["k"],
        order=flags["order"],
        rules=None if flags["rules"] == "none" else flags["rules"],
        rule_coverage=flags["rule_coverage"],
    )
