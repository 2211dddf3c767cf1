"""What ``wnparse train`` and ``wnparse crossval`` are told of parsers alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wnparse.cli.common import FiniteRange, given_keywords
from wnparse.cli.options.rules import RulesName
from wnparse.decoding.registry import DECODERS
from wnparse.rules.coverage import COVERAGE
from wnparse.training.options import FOLDS, TrainOptions

Command = TypeVar("Command", bound=Callable[..., Any])


# Training takes no others.
CORE_DECODERS = [name for name, decoder in DECODERS.items() if decoder.code is not None]


def column_options(command: Command) -> Command:
    """How trees are searched for while learning, and what is used of words."""
    options = [
        click.option("--decoder", type=click.Choice(CORE_DECODERS), default="msa", show_default=True),
        click.option("--unlabelled", "no_labelled", is_flag=True, help="Learn heads only."),
        click.option("--no-lemma", is_flag=True, help="Do not use the lemma column."),
        click.option("--no-xpos", is_flag=True, help="Do not use the fine tags."),
        click.option("--no-morph", "no_feats", is_flag=True, help="Do not use FEATS."),
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


def tagger_options(command: Command) -> Command:
    """The options of a command that may train a tagger."""
    options = [
        click.option(
            "--tagger",
            is_flag=True,
            help="Learn UPOS, XPOS, FEATS and LEMMA, too, as far as TRAIN has them, and trees from tags that a "
            "tagger gave: docs/tagger.md.",
        ),
        click.option(
            "--tagger-only",
            is_flag=True,
            help="Learn UPOS, XPOS, FEATS and LEMMA, as far as TRAIN has them, and no trees.",
        ),
        click.option(
            "--folds",
            type=click.IntRange(2, 1000),
            default=FOLDS,
            show_default=True,
            help="Parts of TRAIN: each is tagged, for --tagger, by a tagger of the others.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def make_options(flags: dict[str, Any]) -> TrainOptions:
    """Make the options of one model; a contradiction is bad usage."""
    try:
        return TrainOptions(**given_keywords(TrainOptions, flags)).complete()
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
