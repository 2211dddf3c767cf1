"""Tables of how often trees break rules, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wnparse.drawing.names import short_names
from wnparse.reports.tables import Table
from wnparse.rules.coverage import NO_OCCASION, RuleCounts, Tally, keep_rules
from wnparse.wording import counted


def _percentage_satisfied(tally: Tally) -> str:
    """Return the percentage of cases in which a rule is satisfied; a dash if there are none."""
    return f"{tally.satisfied:.2f}" if tally.cases else "-"


def coverage_table(
    names: Sequence[str], treebanks: Sequence[RuleCounts], total: RuleCounts, coverage: float
) -> Table:
    """Show how often each rule is satisfied; if there are several treebanks, also in each of them."""
    several = len(treebanks) > 1
    files = short_names(names) if several else []
    _, left_out = keep_rules(total, coverage)
    rows = []
    for number, (rule, tally) in enumerate(zip(total.rules, total.tallies, strict=True)):
        counts = [f"{count:,}" for count in (tally.cases, tally.broken, tally.sentences)]
        tallies = [tally, *(treebank.tallies[number] for treebank in treebanks if several)]
        decision = "no" if rule.name in left_out else "always" if rule.always else "yes"
        rows.append([rule.name, *counts, *map(_percentage_satisfied, tallies), decision])
    headings = [total.rules.name, "cases", "broken", "sentences", "satisfied %", *files, "kept"]
    return Table("Rules", [headings], rows)


def breaking_line(counts: RuleCounts) -> str:
    """Describe how many sentences break a rule."""
    percentage = 100 * counts.breaking / counts.sentences if counts.sentences else 0.0
    verb = "breaks" if counts.breaking == 1 else "break"
    return f"{counts.breaking:,} of {counted(counts.sentences, 'sentence')} {verb} a rule ({percentage:.2f} %)"


def rules_result(counts: RuleCounts) -> str:
    """Say in a sentence how many sentences break a rule, and which one is broken most often."""
    pairs = zip(counts.rules, counts.tallies, strict=True)
    most, name = max(((tally.sentences, rule.name) for rule, tally in pairs), default=(0, ""))
    often = f"; most often {name}, in {counted(most, 'sentence')}" if most else ""
    return f"{breaking_line(counts)}{often}."


def choice_line(total: RuleCounts, coverage: float) -> str:
    """Describe which rules `train` would keep."""
    used, left_out = keep_rules(total, coverage)
    broken = [name for name, reason in left_out.items() if reason != NO_OCCASION]
    never_apply = len(left_out) - len(broken)
    line = (
        f"train would keep {len(used)} of {counted(len(total.rules), 'rule')} (at least {coverage:g} % satisfied)"
    )
    if never_apply:
        line += f"; {never_apply} never {'applies' if never_apply == 1 else 'apply'}"
    return f"{line}; left out: {', '.join(broken)}" if broken else line


def summary_lines(total: RuleCounts, coverage: float) -> list[str]:
    """Describe sentences that break rules, the rules that `train` would keep, and what is annotated."""
    annotated = total.annotation.counts()
    lines = [breaking_line(total), choice_line(total, coverage)]
    return [*lines, str(annotated)] if annotated.partial else lines


def violation_table(labels: Sequence[str], inputs: Sequence[RuleCounts]) -> Table:
    """Show how many sentences of gold and systems break each rule, and how often, unless none of them does."""
    rules = inputs[0].rules
    totals = [(counts.breaking, sum(tally.violations for tally in counts.tallies)) for counts in inputs]
    rows = [["any rule", *_cells(totals)]]
    for number, rule in enumerate(rules):
        tallies = [counts.tallies[number] for counts in inputs]
        if any(tally.violations for tally in tallies):
            rows.append([rule.name, *_cells([(tally.sentences, tally.violations) for tally in tallies])])
    upper = [cell for label in labels for cell in (label, "")]
    headings = [["", *upper], ["", *["sentences", "times"] * len(inputs)]]
    return Table(f"Broken rules of {rules.name}", headings, rows)


def _cells(pairs: Sequence[tuple[int, int]]) -> list[str]:
    return [f"{count:,}" for pair in pairs for count in pair]


def counts_as_dict(counts: RuleCounts) -> dict[str, Any]:
    """Return all figures for JSON."""
    rules = {
        rule.name: {
            "cases": tally.cases,
            "broken": tally.broken,
            "violations": tally.violations,
            "sentences": tally.sentences,
            "satisfied": tally.satisfied if tally.cases else None,
        }
        for rule, tally in zip(counts.rules, counts.tallies, strict=True)
    }
    annotated = counts.annotation.counts()
    return {
        "sentences": counts.sentences,
        "breaking": counts.breaking,
        **({"annotated": annotated.as_dict()} if annotated.partial else {}),
        "rules": rules,
    }
