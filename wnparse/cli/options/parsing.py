"""The model and the options of ``wnparse parse``, on one machine and on a cluster: they are checked together."""

from __future__ import annotations

from typing import Any

import click

from wnparse.cli.common import bad_usage, given_keywords, say
from wnparse.cli.options.rules import describe_strange
from wnparse.parser.joint import check_sequences
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseKeywords, ParseOptions, parse_options
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.wording import plural

# Options that concern trees only, by the names of their parameters.
TREE_OPTIONS = {
    "decoder": "--decoder",
    "block_degree": "--block-degree",
    "well_nested": "--well-nested",
    "single_root": "--single-root",
    "time_limit": "--time-limit",
    "keep_heads": "--keep-heads",
    "drop_deps": "--drop-deps",
    "k": "--k-best",
    "tag_sequences": "--tag-sequences",
    "report": "--report",
}


def load_parser(path: str, flags: dict[str, Any]) -> tuple[Model, Parser | None]:
    """Load a model, and make its parser; the parser is None if words are only tagged.

    Options that contradict each other or the model are bad usage.
    """
    model = load(path)
    _check_tagging(path, model, flags)
    if model.only_tags or flags["tag_only"]:
        return model, None
    options = _make_options(model, flags)
    with bad_usage(f"{path}: "):
        return model, Parser(model, options)


def _check_tagging(path: str, model: Model, flags: dict[str, Any]) -> None:
    """Raise UsageError if tags are requested without a tagger, or trees of a run that only tags."""
    sequences = flags["tag_sequences"] or 1
    if (flags["retag"] or flags["tag_only"] or sequences > 1) and model.tagger is None:
        raise click.UsageError(f"{path}: the model has no tagger; train one with --tagger or --tagger-only.")
    with bad_usage(f"{path}: "):
        check_sequences(sequences, model.joint_weight)
    unused = [name for key, name in TREE_OPTIONS.items() if flags[key]]
    if unused and (model.only_tags or flags["tag_only"]):
        why = "the model only tags" if model.only_tags else "--tag-only makes no trees"
        raise click.UsageError(f"{path}: {why}: no use for {', '.join(unused)}.")


def _make_options(model: Model, flags: dict[str, Any]) -> ParseOptions:
    """Combine the options with the defaults of the model, and describe them on standard error."""
    with bad_usage():
        options, notices = parse_options(model, k=flags["k"], **given_keywords(ParseKeywords, flags))
    rules = options.rules
    if isinstance(flags["rules"], Rules):
        notices += describe_strange(flags["rules"], model.labels)
    described_rules = f", {len(rules)} {plural(len(rules), 'rule')} of {rules.name}" if rules else ""
    for line in [*notices, f"{options.decoder}, {options.constraints.describe()}{described_rules}"]:
        say(f"wnparse: {line}")
    return options
