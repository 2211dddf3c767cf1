"""Options of ``wnparse train`` and ``wnparse crossval``."""

from __future__ import annotations

import click

from wnparse.cli.common import decimals, option_group
from wnparse.cli.options.rules import RulesName
from wnparse.decoding.registry import DECODERS
from wnparse.rules.coverage import COVERAGE

# Training supports only these.
CORE_DECODERS = [name for name, decoder in DECODERS.items() if decoder.code is not None]

# How trees are searched for while learning, and what is used of words.
column_options = option_group(
    click.option("--decoder", type=click.Choice(CORE_DECODERS), default="msa", show_default=True),
    click.option("--unlabelled", "no_labelled", is_flag=True, help="Learn heads only."),
    click.option("--no-lemma", is_flag=True, help="Do not use the lemma column."),
    click.option("--no-xpos", is_flag=True, help="Do not use the fine tags."),
    click.option("--no-morph", "no_feats", is_flag=True, help="Do not use FEATS."),
    click.option("--no-prune", is_flag=True, help="Learn without the first pass that drops arcs."),
)

rule_options = option_group(
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
        type=decimals(0, 100, above=True),
        default=COVERAGE,
        show_default=True,
        help="Percentage of its chances to be broken in which the treebank must keep a rule.",
    ),
)
