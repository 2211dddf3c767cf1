"""``wnparse eval``: options and printing."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    COUNT_OR_NONE,
    SkipBad,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, html_option, output_option
from wnparse.evaluation.alignment import Watcher
from wnparse.evaluation.evaluate import BREAKDOWNS, Evaluation, evaluate
from wnparse.reports.eval_tables import describe_inputs, evaluation_tables, short_labels
from wnparse.reports.rule_tables import counts_as_dict, violation_table
from wnparse.reports.tables import Table
from wnparse.reports.worst import WorstSentences
from wnparse.rules import Rules
from wnparse.rules.coverage import RuleWatcher
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import BadSentence
from wnparse.wording import plural, printable

MOST_PICTURES = 10  # of the worst sentences of each system, by default
MOST_TRIALS = 10_000_000  # p is then right to three digits, and they take some seconds
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
    type=click.IntRange(1, MOST_TRIALS),
    default=10_000,
    show_default=True,
    help="Random trials behind each p-value.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
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
    gold: str,
    systems: tuple[str, ...],
    no_punct: bool,
    punct_tags: frozenset[str],
    block_degree: int | None,
    well_nested: bool,
    single_root: bool,
    rules: Rules | None,
    train: str | None,
    by: tuple[str, ...],
    trials: int,
    seed: int,
    as_json: bool,
    html: str | None,
    pictures: int,
    skip_bad: bool,
    output: str | None,
) -> None:
    """Compare the trees of one or more SYSTEM files with those of GOLD.

    All files hold the same words in the same order. UAS, LAS, CLAS and the scores of tags are those of
    the CoNLL 2018 shared task. With several systems, p is the chance that one as good as the first differs
    from it as much (approximate randomisation over sentences).
    """
    inputs = [gold, *systems, *([train] if train else [])]
    refuse_terminal(inputs)
    ignore_upos = punct_tags | {"PUNCT"} if no_punct else punct_tags
    names = [display_name(path) for path in (gold, *systems)]
    worst = WorstSentences(len(systems), pictures)
    watchers: list[Watcher] = [worst] if html else []
    broken = None if rules is None else RuleWatcher(rules, len(systems))
    if broken:
        watchers.append(broken)
    skipped = SkipBad()
    keep_place = BadSentence if skip_bad else None
    evaluation = evaluate(
        progress(read(gold, heads="required", skip=keep_place), "evaluating"),
        [read(system, heads="required", skip=keep_place) for system in systems],
        ignore_upos=ignore_upos,
        ignore_xpos=punct_tags,
        block_degree=block_degree,
        well_nested=well_nested,
        single_root=single_root,
        by=BREAKDOWNS if html else by,
        trials=trials,
        seed=seed,
        known=None if train is None else _forms(train),
        names=names,
        watch=lambda sentences, scored: [watch(sentences, scored) for watch in watchers],
        skip=skipped,
    )
    skipped.report()
    if evaluation.foreign_relations:
        say(f"wnparse: {_foreign(evaluation.foreign_relations)}")
    labels = short_labels(names[1:])
    broken_rules = [violation_table(["gold", *labels], broken.counts)] if broken else []
    ignored, constraint = ignore_upos | punct_tags, _constraint(block_degree, well_nested, single_root)
    if html:
        from wnparse.reports.eval_page import evaluation_page  # 30 ms that a table need not wait for

        page = evaluation_page(
            evaluation, names, worst, ignored=ignored, constraint=constraint, tables=broken_rules
        )
        with open_output(html) as stream:
            stream.write(page.encode())
    if html == "-":
        return
    if as_json:
        options: dict[str, Any] = {
            "ignored": {"upos": sorted(ignore_upos), "xpos": sorted(punct_tags)},
            "constraint": {"block_degree": block_degree, "well_nested": well_nested, "single_root": single_root},
            "trials": trials,
            "seed": seed,
            "skipped": skipped.count,
        }
        if broken and rules:
            figures = [counts_as_dict(counts) for counts in broken.counts]
            options["rules"] = {"name": rules.name, "gold": figures[0], "systems": figures[1:]}
        text = json.dumps(_document(evaluation, names, by, options), indent=2, ensure_ascii=False)
    else:
        tables = evaluation_tables(evaluation, labels, constraint, by)
        text = _report(evaluation, names, ignored, [*tables, *broken_rules])
    with open_output(output) as stream:
        stream.write(f"{text}\n".encode())


def _document(
    evaluation: Evaluation, names: list[str], by: tuple[str, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """Make the JSON document; docs/eval.md describes its keys."""
    gold = {
        "file": names[0],
        "sentences": evaluation.sentences,
        "words": evaluation.words,
        "validity": dataclasses.asdict(evaluation.gold),
    }
    systems = []
    for name, system in zip(names[1:], evaluation.systems, strict=True):
        fields = dataclasses.asdict(system)
        for breakdown in set(BREAKDOWNS) - set(by):
            del fields[f"by_{breakdown}"]
        if "upos" not in by:
            del fields["tag_confusion"]
        if fields["unseen_tags"] is None:
            del fields["unseen_tags"]
        systems.append({"file": name, **fields.pop("scores"), **fields})
    return {"gold": gold, **options, "systems": systems}


def _forms(path: str) -> set[str]:
    """The forms of a training set."""
    return {form for sentence in read(path, heads="ignored") for form in sentence.column("form")}


def _foreign(relations: tuple[str, ...]) -> str:
    """Warn of relations by which CLAS cannot tell content words."""
    shown = ", ".join(relations[:MOST_NAMED]) + (", ..." if len(relations) > MOST_NAMED else "")
    noun = plural(len(relations), "relation")
    return f"CLAS counts none of {len(relations)} {noun} that Universal Dependencies does not have: {shown}"


def _constraint(block_degree: int | None, well_nested: bool, single_root: bool) -> str:
    """Put the constraint asked for in words; empty if none is."""
    parts = ["well-nested"] if well_nested else []
    if block_degree is not None:
        parts.append(f"block degree <= {block_degree}")
    if single_root:
        parts.append("single root")
    return ", ".join(parts)


def _report(evaluation: Evaluation, names: list[str], ignored: frozenset[str], tables: list[Table]) -> str:
    """Make the readable tables."""
    described = describe_inputs(evaluation, names, ignored)
    heading = [(f"{printable(name)}:", printable(text)) for name, text in described]
    width = max(len(name) for name, _ in heading)
    parts = ["\n".join(f"{name.ljust(width)} {text}" for name, text in heading)]
    parts += [f"{found.title}\n{table(found.lines)}" for found in tables]
    return "\n\n".join(parts)
