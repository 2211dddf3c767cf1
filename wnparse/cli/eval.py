"""``wnparse eval``: compare the trees of systems with gold trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    COUNT_OR_NONE,
    SEED,
    SkipBad,
    format_json,
    integers,
    join_names,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
    write_text,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, html_option, output_option
from wnparse.evaluation.alignment import Watcher
from wnparse.evaluation.evaluate import BREAKDOWNS, Evaluation, evaluate
from wnparse.reports.eval_tables import describe_inputs, evaluation_tables, short_labels
from wnparse.reports.rule_tables import counts_as_dict, violation_table
from wnparse.reports.tables import Table
from wnparse.reports.worst import WorstSentences
from wnparse.rules.coverage import RuleWatcher
from wnparse.storage.files import display_name
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import BadSentence
from wnparse.wording import plural, printable

MOST_PICTURES = 10  # of the worst sentences of each system, by default
MOST_TRIALS = 10_000_000  # enough for three digits of p, in some seconds
MOST_NAMED = 5  # relations in a message

EPILOG = """
\b
Examples:
  wnparse eval gold.conllu system.conllu
  wnparse eval gold.conllu first.conllu second.conllu --no-punct
  wnparse parse -m model.wnp gold.conllu | wnparse eval gold.conllu - --json
  wnparse eval gold.conllu system.conllu --block-degree 2 --well-nested --single-root
  wnparse eval gold.conllu system.conllu --html report.html
  wnparse eval gold.conllu first.conllu second.conllu --rules ud
  wnparse eval ptb.conllx system.conllx --punct-tags "`` '' : , ."
"""


def _tags(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    """Split tag lists at white space, or at commas where there is none; a comma alone is a tag."""
    tags: set[str] = set()
    for value in values:
        words = value.split()
        tags.update(words if len(words) > 1 or value.strip() == "," else value.strip().split(","))
    if "" in tags:
        raise click.BadParameter(
            "an empty tag; expected a list such as PUNCT,SYM or, with a tag that is a comma, '. , :'"
        )
    return frozenset(tags)


@click.command("eval", cls=Command, epilog=EPILOG)
@click.argument("gold", type=INPUT)
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@click.option("--no-punct", is_flag=True, help="Leave out words whose UPOS in gold is PUNCT.")
@click.option(
    "--punct-tags",
    metavar="TAG,...",
    multiple=True,
    callback=_tags,
    help="Leave out words whose UPOS or XPOS in gold is one of these tags (repeatable).",
)
@click.option("--block-degree", metavar="K", type=COUNT, help="Report how many trees have block degree <= K.")
@click.option("--well-nested", is_flag=True, help="Report how many are well-nested; with --block-degree, both.")
@click.option("--single-root", is_flag=True, help="Count trees with several roots as not valid, too.")
@click.option(
    "--rules", type=RulesName(), help="Count the sentences that break each of these rules: docs/rules.md."
)
@click.option(
    "--train",
    metavar="FILE",
    type=INPUT,
    help="Score tags and lemmas of words that this training set does not have by themselves as well.",
)
@click.option("--by", type=click.Choice(BREAKDOWNS), multiple=True, help="Add a breakdown (repeatable).")
@click.option(
    "--trials",
    metavar="N",
    type=integers(1, MOST_TRIALS),
    default=10_000,
    show_default=True,
    help="Random trials behind each p-value.",
)
@click.option(
    "--seed",
    metavar="N",
    type=SEED,
    default=1,
    show_default=True,
    help="The same seed gives the same p-values.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; its keys are described in docs/eval.md.")
@html_option
@click.option(
    "--pictures",
    metavar="N",
    type=COUNT_OR_NONE,
    default=MOST_PICTURES,
    show_default=True,
    help="How many of the worst sentences of each system the page draws.",
)
@skip_bad_option
@output_option
@quiet_option
def command(
    gold: str, systems: tuple[str, ...], as_json: bool, html: str | None, output: str | None, **flags: Any
) -> None:
    """Compare the trees of one or more SYSTEM files with those of GOLD.

    All files hold the same words in the same order. UAS, LAS, CLAS and the scores of tags are those of
    the CoNLL 2018 shared task. With several systems, p is the chance that one as good as the first differs
    from it as much (approximate randomisation over sentences).
    """
    paths = [gold, *systems]
    refuse_terminal([*paths, *([flags["train"]] if flags["train"] else [])])
    names = [display_name(path) for path in paths]
    worst = WorstSentences(len(systems), flags["pictures"])
    violations = None if flags["rules"] is None else RuleWatcher(flags["rules"], len(systems))
    watchers: list[Watcher] = [*([worst] if html else []), *([violations] if violations else [])]
    ignored = flags["punct_tags"] | {"PUNCT"} if flags["no_punct"] else flags["punct_tags"]
    breakdowns = BREAKDOWNS if html else flags["by"]
    evaluation, skipped = _evaluate(paths, names, breakdowns, ignored, watchers, flags)
    labels, constraint = short_labels(names[1:]), _describe_constraint(flags)
    rule_tables = [violation_table(["gold", *labels], violations.counts)] if violations else []
    if html:
        from wnparse.reports.eval_page import evaluation_page  # 30 ms that a table need not wait for

        page = evaluation_page(
            evaluation, names, worst, ignored=ignored, constraint=constraint, tables=rule_tables
        )
        write_text(html, page)
    if html == "-":
        return
    if as_json:
        write_text(output, format_json(_document(evaluation, names, ignored, skipped, violations, flags)))
    else:
        tables = [*evaluation_tables(evaluation, labels, constraint, flags["by"]), *rule_tables]
        write_text(output, _format_tables(describe_inputs(evaluation, names, ignored), tables))


def _evaluate(
    paths: list[str],
    names: list[str],
    breakdowns: tuple[str, ...],
    ignored: frozenset[str],
    watchers: list[Watcher],
    flags: dict[str, Any],
) -> tuple[Evaluation, int]:
    """Read and compare the files; return also how many sentences were skipped."""
    skipped = SkipBad()
    skip = BadSentence if flags["skip_bad"] else None  # so that the files stay parallel
    gold, *systems = (read(path, heads="required", skip=skip) for path in paths)
    known = None
    if flags["train"]:
        known = {form for sentence in read(flags["train"], heads="ignored") for form in sentence.column("form")}
    evaluation = evaluate(
        progress(gold, "evaluating"),
        systems,
        ignore_upos=ignored,
        ignore_xpos=flags["punct_tags"],
        block_degree=flags["block_degree"],
        well_nested=flags["well_nested"],
        single_root=flags["single_root"],
        by=breakdowns,
        trials=flags["trials"],
        seed=flags["seed"],
        known=known,
        names=names,
        watch=lambda sentences, scored: [watch(sentences, scored) for watch in watchers],
        skip=skipped,
    )
    skipped.report()
    if foreign := evaluation.foreign_relations:
        count = f"{len(foreign)} {plural(len(foreign), 'relation')} that Universal Dependencies does not have"
        say(f"wnparse: CLAS counts none of {count}: {join_names(foreign, MOST_NAMED)}")
    return evaluation, skipped.count


def _describe_constraint(flags: dict[str, Any]) -> str:
    """Describe the constraint whose validity is counted; empty if there is none."""
    parts = ["well-nested"] if flags["well_nested"] else []
    if flags["block_degree"] is not None:
        parts.append(f"block degree <= {flags['block_degree']}")
    if flags["single_root"]:
        parts.append("single root")
    return ", ".join(parts)


def _document(
    evaluation: Evaluation,
    names: list[str],
    ignored: Collection[str],
    skipped: int,
    violations: RuleWatcher | None,
    flags: dict[str, Any],
) -> dict[str, Any]:
    """Return all figures for JSON; docs/eval.md describes the keys."""
    gold = {
        "file": names[0],
        "sentences": evaluation.sentences,
        "words": evaluation.words,
        "validity": dataclasses.asdict(evaluation.gold),
    }
    document: dict[str, Any] = {
        "gold": gold,
        "ignored": {"upos": sorted(ignored), "xpos": sorted(flags["punct_tags"])},
        "constraint": {name: flags[name] for name in ("block_degree", "well_nested", "single_root")},
        "trials": flags["trials"],
        "seed": flags["seed"],
        "skipped": skipped,
    }
    if violations:
        figures = [counts_as_dict(counts) for counts in violations.counts]
        document["rules"] = {"name": flags["rules"].name, "gold": figures[0], "systems": figures[1:]}
    document["systems"] = []
    for name, system in zip(names[1:], evaluation.systems, strict=True):
        fields = dataclasses.asdict(system)
        for breakdown in set(BREAKDOWNS) - set(flags["by"]):
            del fields[f"by_{breakdown}"]
        if "upos" not in flags["by"]:
            del fields["tag_confusion"]
        if fields["unseen_tags"] is None:
            del fields["unseen_tags"]
        document["systems"].append({"file": name, **fields.pop("scores"), **fields})
    return document


def _format_tables(inputs: list[tuple[str, str]], tables: list[Table]) -> str:
    """Return the names of the inputs with their descriptions, and the tables, for the terminal."""
    heading = [(f"{printable(name)}:", printable(text)) for name, text in inputs]
    width = max(len(name) for name, _ in heading)
    parts = ["\n".join(f"{name.ljust(width)} {text}" for name, text in heading)]
    parts += [f"{section.title}\n{table(section.lines)}" for section in tables]
    return "\n\n".join(parts) + "\n"
