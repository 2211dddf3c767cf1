"""``wnparse combine``: combine the trees of several parsers."""

from __future__ import annotations

import sys
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    SkipBad,
    join_names,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, output_option
from wnparse.cli.sections import trees, voting
from wnparse.cli.signals import EXIT_BAD_DATA
from wnparse.combination.combine import Combined, combine
from wnparse.combination.votes import Weights, learn_weights
from wnparse.rules import Rules
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.parallel import read_parallel
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import BadSentence
from wnparse.wording import plural

MOST_NAMED = 100  # relations in a message

EPILOG = """
\b
Examples:
  wnparse combine first.conllu second.conllu third.conllu > best.conllu
  wnparse combine first.conllu second.conllu -w 2,1 --rules ud -o best.conllu
  wnparse combine a.test b.test --dev gold.dev --dev-system a.dev --dev-system b.dev
  wnparse combine parsed.conllu --rules ud -o repaired.conllu
"""


def _weights(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    """Convert numbers above 0 that are separated by commas."""
    if value is None:
        return None
    try:
        weights = tuple(map(float, value.split(",")))
    except ValueError:
        weights = ()
    if not weights or not all(0 < weight < 1e100 for weight in weights):
        raise click.BadParameter(
            f"{value!r} is not a list of weights; expected numbers above 0 separated by commas, such as 2,1,1."
        )
    return weights


@click.command("combine", cls=Command, epilog=EPILOG)
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@voting(
    "-w",
    "--weights",
    callback=_weights,
    metavar="W,W,...",
    help="Weight of each SYSTEM's votes.  [default: equal weights]",
)
@voting(
    "--dev",
    type=INPUT,
    metavar="FILE",
    help="Learn the weights, one per SYSTEM and tag, from these gold trees; needs --dev-system.",
)
@voting(
    "--dev-system",
    "dev_systems",
    type=INPUT,
    multiple=True,
    metavar="FILE",
    help="Trees of a SYSTEM for the sentences of --dev. Give one for each SYSTEM, in the same order.",
)
@voting(
    "--confidence",
    is_flag=True,
    help="Weight each vote by the probability of the head, HeadProb in MISC. By default, all votes of a SYSTEM "
    "count the same.",
)
@trees(
    "--rules",
    type=RulesName("none"),
    default="none",
    show_default=True,
    help="Rules that every tree must satisfy: the name of a bundled set, or a rule file.",
)
@trees(
    "--block-degree",
    metavar="K",
    type=COUNT,
    help="Maximum number of blocks in the yield of a word; 1 allows only projective trees.  [default: no limit]",
)
@trees(
    "--well-nested",
    is_flag=True,
    help="Allow only well-nested trees, in which disjoint subtrees do not interleave. By default, all trees are "
    "allowed.",
)
@trees(
    "--single-root/--multi-root",
    default=None,
    help="Allow only one child of the root, or several.  [default: one if the trees of all SYSTEMs for "
    "a sentence have one]",
)
@trees(
    "--strict",
    is_flag=True,
    help="Exit with status 1 if no tree of a sentence satisfies all hard rules. By default, a warning is printed.",
)
@skip_bad_option
@output_option
@quiet_option
def command(systems: tuple[str, ...], output: str | None, skip_bad: bool, **flags: Any) -> None:
    """Combine the trees of several SYSTEMs by voting.

    All files contain the same sentences. Each SYSTEM votes for its labelled arcs, and the tree with the most
    votes among those that satisfy the constraints and rules is written. Ties are broken by the order of the
    SYSTEMs. With only one SYSTEM, each of its trees is replaced by the nearest tree that satisfies the
    constraints and rules. Everything except the trees comes from the first SYSTEM.
    """
    paths = [*systems, *flags["dev_systems"], *([flags["dev"]] if flags["dev"] else [])]
    refuse_terminal(paths)
    _check(systems, flags)
    skipped = SkipBad()
    skip = BadSentence if skip_bad else None  # so that the files stay parallel
    weights = flags["weights"] or (_learn(flags["dev"], flags["dev_systems"]) if flags["dev"] else None)
    inputs = [Reader([path], heads="required", skip=skip) for path in systems]
    combined_sentences = combine(
        [progress(inputs[0], "combining", systems[:1]), *inputs[1:]],
        weights,
        names=[display_name(path) for path in systems],
        block_degree=flags["block_degree"],
        well_nested=flags["well_nested"],
        single_root=flags["single_root"],
        rules=flags["rules"] if isinstance(flags["rules"], Rules) else None,
        confidence=flags["confidence"],
        skip=skipped,
    )
    broken = []
    with open_output(output) as stream:
        for combined in combined_sentences:
            stream.write(combined.sentence.raw)
            if combined.broken:
                broken.append(combined)
    skipped.report()
    if broken:
        _report_broken(broken)
        if flags["strict"]:
            sys.exit(EXIT_BAD_DATA)


def _check(systems: tuple[str, ...], flags: dict[str, Any]) -> None:
    """Raise UsageError if options contradict each other or the number of systems."""
    weights, dev, dev_systems = flags["weights"], flags["dev"], flags["dev_systems"]
    if weights and len(weights) != len(systems):
        count = f"{len(weights)} {plural(len(weights), 'weight')}"
        raise click.UsageError(f"-w has {count} for {len(systems)} SYSTEMs; expected as many.")
    if weights and dev:
        raise click.UsageError("-w and --dev both say what votes are worth; expected one of them.")
    if bool(dev) != bool(dev_systems):
        raise click.UsageError("--dev and --dev-system go together; expected both.")
    if dev_systems and len(dev_systems) != len(systems):
        count = f"{len(dev_systems)} {plural(len(dev_systems), '--dev-system')}"
        raise click.UsageError(f"{count} for {len(systems)} SYSTEMs; expected as many.")


def _report_broken(broken: list[Combined]) -> None:
    """Report how many sentences break rules, and why the first one does."""
    first = broken[0]
    where = f"{first.sentence.path}:{first.sentence.line}, breaks {', '.join(first.broken)}"
    only = f"trees get only the relations of the SYSTEMs: {join_names(first.relations, MOST_NAMED)}"
    count = f"{len(broken)} {plural(len(broken), 'sentence')}"
    say(f"wnparse: no tree of {count} satisfies all rules; the first, {where}; {only}")


def _learn(gold: str, systems: tuple[str, ...]) -> Weights:
    paths = [gold, *systems]
    names = [display_name(path) for path in paths]
    weights = learn_weights(read_parallel([Reader([path], heads="required") for path in paths], names))
    percentages = ", ".join(f"{100 * weight:.2f}" for weight in weights.overall)
    say(f"right on {names[0]}, head and relation: {percentages} %")
    return weights
