"""``wnparse eval``: compare the trees of systems with gold trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    SEED,
    SkipBad,
    format_json,
    integers,
    join_names,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    table,
    write_text,
)
from wnparse.cli.options.reports import report_options
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, OutputPath
from wnparse.cli.sections import files, scores, significance
from wnparse.cli.sections import trees as trees_section
from wnparse.evaluation.alignment import Watcher
from wnparse.evaluation.differences import DifferingWords
from wnparse.evaluation.evaluate import BREAKDOWNS, Evaluation, evaluate
from wnparse.reports.eval_tables import describe_inputs, evaluation_tables, short_labels
from wnparse.reports.rule_tables import counts_as_dict, violation_table
from wnparse.reports.tables import Table
from wnparse.reports.worst import WorstSentences
from wnparse.rules.coverage import RuleWatcher
from wnparse.storage.files import display_name
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import BadSentence
from wnparse.wording import counted, plural, printable

MOST_PICTURES = 10  # of the worst sentences of each system, in a page
MOST_TRIALS = 10_000_000  # enough for three digits of p, in some seconds
MOST_NAMED = 5  # relations in a message

EPILOG = """
\b
Examples:
  wnparse eval gold.conllu system.conllu
  wnparse eval gold.conllu first.conllu second.conllu --ignore-punct
  wnparse parse -m model.wnp gold.conllu | wnparse eval gold.conllu - --json
  wnparse eval gold.conllu system.conllu --block-degree 2 --well-nested --single-root
  wnparse eval gold.conllu system.conllu --html report.html
  wnparse eval gold.conllu first.conllu second.conllu --rules ud
  wnparse eval first.conllu second.conllu --agreement --differences differences.tsv
  wnparse eval ptb.conllx system.conllx --ignore-tags "`` '' : , ."
"""


def _tags(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    """Split lists of tags at white space or, if there is none, at commas; a comma alone is a tag."""
    tags: set[str] = set()
    for value in values:
        words = value.split()
        tags.update(words if len(words) > 1 or value.strip() == "," else value.strip().split(","))
    if "" in tags:
        raise click.BadParameter(
            "a tag is empty; expected a list such as PUNCT,SYM or, if one of the tags is a comma, '. , :'"
        )
    return frozenset(tags)


@click.command("eval", cls=Command, epilog=EPILOG)
@click.argument("gold", type=INPUT)
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@scores(
    "--ignore-punct",
    is_flag=True,
    help="Do not score words whose UPOS in GOLD is PUNCT. By default, all are scored.",
)
@scores(
    "--ignore-tags",
    metavar="TAG,...",
    multiple=True,
    callback=_tags,
    help="Do not score words whose UPOS or XPOS in GOLD is one of these tags. The option can be repeated.",
)
@scores(
    "--by",
    type=click.Choice(BREAKDOWNS),
    multiple=True,
    help="Add a breakdown of the scores. The option can be repeated. By default, only the HTML report has them.",
)
@scores(
    "--agreement",
    is_flag=True,
    help="Also report how far GOLD and each SYSTEM agree as two annotators, with Cohen's kappa of the relations.",
)
@scores(
    "--unseen-from",
    metavar="FILE",
    type=INPUT,
    help="Also report the scores of tags and lemmas on words that do not occur in this training file.",
)
@trees_section(
    "--block-degree",
    metavar="K",
    type=COUNT,
    help="Report the percentage of valid trees, which must have block degree at most K.",
)
@trees_section(
    "--well-nested", is_flag=True, help="Report the percentage of valid trees, which must be well-nested."
)
@trees_section(
    "--single-root", is_flag=True, help="Report the percentage of valid trees, which must have a single root."
)
@trees_section(
    "--rules",
    type=RulesName(),
    help="Also report how many sentences of each file break these rules: the name of bundled rules (ud, ud1, "
    "riedel-clarke-2006) or a rule file, as docs/guide/rules.md describes it.",
)
@report_options("tables, plots and pictures of trees")
@files(
    "--differences",
    metavar="FILE",
    type=OutputPath(endings=(".tsv",)),
    help="Also write a table of the words whose head, relation or UPOS differs, as tab-separated values.",
)
@significance(
    "--trials",
    metavar="N",
    type=integers(1, MOST_TRIALS),
    default=10_000,
    show_default=True,
    help="Number of random trials per p-value.",
)
@significance(
    "--seed",
    metavar="N",
    type=SEED,
    default=1,
    show_default=True,
    help="Seed of the random trials. The same seed gives the same p-values.",
)
@quiet_option
def command(
    gold: str,
    systems: tuple[str, ...],
    as_json: bool,
    html: str | None,
    output: str | None,
    differences: str | None,
    **flags: Any,
) -> None:
    """Compare the trees of one or more SYSTEM files with those of GOLD.

    UAS, LAS, CLAS and the scores of tags are those of the CoNLL 2018 shared task. All files must have the same
    text. If their tokens or sentences differ, words are aligned by their characters, and all scores are F1.

    With several systems, each one is compared with the first: p is the probability of a difference at least this
    large if the two systems were equally good (approximate randomisation over sentences). Words without a head in
    GOLD are not scored. Words without a head in SYSTEM are wrong.
    """
    paths = [gold, *systems]
    refuse_terminal([*paths, *([flags["unseen_from"]] if flags["unseen_from"] else [])])
    names = [display_name(path) for path in paths]
    worst = WorstSentences(len(systems), MOST_PICTURES)
    violations = None if flags["rules"] is None else RuleWatcher(flags["rules"], len(systems))
    differing = DifferingWords(names[1:]) if differences else None
    watchers: list[Watcher] = [worst] if html else []
    watchers += [watcher for watcher in (violations, differing) if watcher]
    ignored = flags["ignore_tags"] | {"PUNCT"} if flags["ignore_punct"] else flags["ignore_tags"]
    breakdowns = BREAKDOWNS if html else flags["by"]
    evaluation, skipped = _evaluate(paths, names, breakdowns, ignored, watchers, flags)
    if differences and differing:
        write_text(differences, differing.table())
        if differing.left_out:
            say(f"wnparse: {differences}: left out {counted(differing.left_out, 'sentence')} with other words")
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
    gold, *systems = (Reader([path], heads="given", skip=skip) for path in paths)
    known = None
    if flags["unseen_from"]:
        known = {
            form
            for sentence in Reader([flags["unseen_from"]], heads="ignored")
            for form in sentence.column("form")
        }
    evaluation = evaluate(
        progress(gold, "evaluating", paths[:1]),
        *systems,
        ignore_upos=ignored,
        ignore_xpos=flags["ignore_tags"],
        block_degree=flags["block_degree"],
        well_nested=flags["well_nested"],
        single_root=flags["single_root"],
        by=breakdowns,
        agreement=flags["agreement"],
        trials=flags["trials"],
        seed=flags["seed"],
        known=known,
        names=names,
        watch=lambda group, scored: [watch(group, scored) for watch in watchers],
        skip=skipped,
    )
    skipped.report()
    if not evaluation.same_words:
        say(
            "wnparse: tokens or sentences differ: words are aligned by their characters, and there are no "
            "breakdowns, p-values, agreement or scores of unseen words"
        )
    for name, missing in zip(names[1:], evaluation.missing, strict=True):
        if missing:
            say(f"wnparse: {name}: {counted(missing, 'word')} without a head; if GOLD has one, it counts as wrong")
    if foreign := evaluation.foreign_relations:
        count = f"{len(foreign)} {plural(len(foreign), 'relation')} that Universal Dependencies does not define"
        say(f"wnparse: CLAS ignores {count}: {join_names(foreign, MOST_NAMED)}")
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
    """Return all figures for JSON; docs/reference/json.md describes the keys."""
    gold = {
        "file": names[0],
        "sentences": evaluation.sentences,
        "words": evaluation.words,
        "validity": dataclasses.asdict(evaluation.gold),
    }
    if evaluation.annotated.partial:
        gold["annotated"] = evaluation.annotated.as_dict()
    document: dict[str, Any] = {
        "gold": gold,
        "ignored": {"upos": sorted(ignored), "xpos": sorted(flags["ignore_tags"])},
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
        for key in ("segmentation", "nonprojective", "unseen_tags", "agreement"):
            if fields[key] is None:
                del fields[key]
        document["systems"].append({"file": name, **fields.pop("scores"), **fields})
    return document


def _format_tables(inputs: list[tuple[str, str]], tables: list[Table]) -> str:
    """Return the names of the inputs with their descriptions, and the tables, for the terminal."""
    heading = [(f"{printable(name)}:", printable(text)) for name, text in inputs]
    width = max(len(name) for name, _ in heading)
    parts = ["\n".join(f"{name.ljust(width)} {text}" for name, text in heading)]
    parts += [f"{section.title}\n{table(section.lines)}" for section in tables]
    return "\n\n".join(parts) + "\n"
