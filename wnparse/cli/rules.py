"""``wnparse rules``: report which rules a treebank satisfies, and where it breaks them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from wnparse.cli.common import (
    COUNT_OR_NONE,
    SkipBad,
    decimals,
    format_json,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    table,
    write_text,
)
from wnparse.cli.options.reports import report_options
from wnparse.cli.options.rules import RulesName, describe_strange
from wnparse.cli.paths import INPUT, Command
from wnparse.cli.sections import rules as rules_section
from wnparse.errors import RulesError
from wnparse.reports.rule_tables import counts_as_dict, coverage_table, summary_lines
from wnparse.rules import Rules
from wnparse.rules.coverage import COVERAGE, UD_RELATIONS, RuleCounts, count_rule_sets, detect_rules, keep_rules
from wnparse.rules.violations import Violation, words_of
from wnparse.storage.files import display_name
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import printable

MOST_EXAMPLES = 3  # per rule, drawn in a page unless --examples is given

EPILOG = """
\b
Examples:
  wnparse rules train.conllu
  wnparse rules --examples 2 train.conllu dev.conllu
  wnparse rules --rules mine.toml --html report.html train.conllu
  wnparse rules --json train.conllu | jq '.left_out'
"""


@click.command("rules", cls=Command, epilog=EPILOG)
@click.argument("files", nargs=-1, type=INPUT, metavar="[FILE...|-]")
@rules_section(
    "--rules",
    type=RulesName("auto"),
    default="auto",
    show_default=True,
    help="Rules to check: the name of bundled rules (ud, ud1, riedel-clarke-2006) or a rule file, as "
    "docs/guide/rules.md describes it. auto chooses ud or ud1, depending on the relations of the treebank.",
)
@rules_section(
    "--coverage",
    metavar="PERCENT",
    type=decimals(0, 100, above=True),
    default=COVERAGE,
    show_default=True,
    help="Percentage of its cases in which a treebank must satisfy a rule for train to keep the rule.",
)
@rules_section(
    "--examples",
    metavar="K",
    type=COUNT_OR_NONE,
    help="Show the first K sentences that break each rule, with the words concerned in brackets. By default, "
    f"none are printed, and the HTML report draws {MOST_EXAMPLES} per rule.",
)
@report_options("tables and pictures of trees")
@quiet_option
def command(
    files: tuple[str, ...],
    rules: Rules | str,
    coverage: float,
    examples: int | None,
    output: str | None,
    html: str | None,
    as_json: bool,
    skip_bad: bool,
) -> None:
    """Report which rules a treebank satisfies, and where it breaks them.

    For each rule, the table shows the number of cases (places of the treebank to which the rule applies), in how
    many of them the rule is broken, and in how many sentences. The last column shows whether train would keep the
    rule. Words without a head are allowed: a case counts only if every head, relation and tag that the rule
    mentions is annotated. Without FILE, standard input is read.
    """
    paths = files or ("-",)
    refuse_terminal(paths)
    skipped, names = SkipBad(), [display_name(path) for path in paths]
    # With auto, all candidates are counted in one pass, because a pipe cannot be read twice.
    rule_sets = [rules] if isinstance(rules, Rules) else [Rules.load(name) for name in UD_RELATIONS]
    collected = examples if examples is not None else MOST_EXAMPLES if html else 0
    counts: list[list[RuleCounts]] = []  # per file and set of rules
    for path, name in zip(paths, names, strict=True):
        sentences = Reader([path], heads="given", skip=skipped if skip_bad else None)
        counts.append(count_rule_sets(progress(sentences, name, [path]), rule_sets, collected))
    chosen = 0 if isinstance(rules, Rules) else _choose([parts[0] for parts in counts], rule_sets)
    treebanks, total = [parts[chosen] for parts in counts], RuleCounts(rule_sets[chosen])
    for part in treebanks:
        total.merge(part, collected)
    if html:
        from wnparse.reports.rules_page import rules_page  # 30 ms that a table need not wait for

        write_text(html, rules_page(names, treebanks, total, coverage))
    if html != "-":
        text = ""
        if as_json:
            text = format_json(_document(names, treebanks, total, coverage, skipped.count, examples or 0))
        elif total.sentences:
            text = _format_tables(names, treebanks, total, coverage, examples or 0)
        write_text(output, text)
    skipped.report()
    if not total.sentences:
        say("wnparse: no sentences in the input")
        return
    for line in describe_strange(total.rules, total.relations):
        say(f"wnparse: {line}")


def _choose(treebanks: Sequence[RuleCounts], rule_sets: Sequence[Rules]) -> int:
    """Return the number of the bundled rules that suit the relations of treebanks, as `train` chooses them."""
    relations = sum((treebank.relations for treebank in treebanks), Counter[str]())
    name = detect_rules(relations) if relations else rule_sets[0].name
    if name is None:
        raise RulesError(
            "the relations are not those of Universal Dependencies, so that auto cannot choose rules; "
            "name rules, such as --rules ud or --rules FILE"
        )
    return [rules.name for rules in rule_sets].index(name)


def _format_tables(
    names: Sequence[str], treebanks: Sequence[RuleCounts], total: RuleCounts, coverage: float, examples: int
) -> str:
    """Return the table, a summary and examples for the terminal."""
    rows = table(coverage_table(names, treebanks, total, coverage).lines, indent=0)
    text = "\n\n".join([rows, *summary_lines(total, coverage)]) + "\n"
    for rule, sentences in zip(total.rules, total.examples, strict=True):
        text += "".join(_format_example(rule.name, *example) for example in sentences[:examples])
    return text


def _format_example(name: str, sentence: Sentence, violations: list[Violation]) -> str:
    """Return a sentence that breaks a rule; the words that break it are in [brackets], with their relations."""
    words = words_of(violations)
    rows = zip(sentence.column("form"), sentence.column("deprel"), strict=True)
    forms = [
        f"[{form} {word}<-{sentence.heads[word]} {label}]" if word in words else form
        for word, (form, label) in enumerate(rows, 1)
    ]
    title = f"{name}: {sentence.sent_id or '(no sent_id)'} at {sentence.path}:{sentence.line}"
    return f"\n{printable(title)}\n  {printable(' '.join(forms))}\n"


def _document(
    names: Sequence[str],
    treebanks: Sequence[RuleCounts],
    total: RuleCounts,
    coverage: float,
    skipped: int,
    examples: int,
) -> dict[str, Any]:
    """Return all figures for JSON."""
    used, left_out = keep_rules(total, coverage)
    data: dict[str, Any] = {
        "rules": total.rules.name,
        "files": [{"name": name, **counts_as_dict(part)} for name, part in zip(names, treebanks, strict=True)],
        "all": counts_as_dict(total),
        "coverage": coverage,
        "kept": [rule.name for rule in used],
        "always": [rule.name for rule in total.rules if rule.always],
        "left_out": left_out,
        "skipped": skipped,
    }
    if examples:
        data["examples"] = [
            {
                "rule": rule.name,
                "sent_id": sentence.sent_id,
                "file": sentence.path,
                "line": sentence.line,
                "words": words_of(violations),
                "forms": sentence.column("form"),
            }
            for rule, sentences in zip(total.rules, total.examples, strict=True)
            for sentence, violations in sentences[:examples]
        ]
    return data
