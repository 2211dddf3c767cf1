"""Tables of how often trees break rules, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wnparse.drawing.names import short_names
from wnparse.reports.tables import Table
from wnparse.rules.coverage import RuleCounts, Tally
from wnparse.wording import counted


def _percentage_kept(tally: Tally) -> str:
    """Return the percentage of occasions on which a rule is kept; a dash if there are none."""
    return f"{tally.kept:.2f}" if tally.occasions else "-"


def coverage_table(names: Sequence[str], treebanks: Sequence[RuleCounts], total: RuleCounts) -> Table:
    """Show how often each rule is kept; if there are several treebanks, also in each of them."""
    several = len(treebanks) > 1
    files = short_names(names) if several else []
    rows = []
    for number, (rule, tally) in enumerate(zip(total.rules, total.tallies, strict=True)):
        counts = [f"{count:,}" for count in (tally.occasions, tally.broken, tally.sentences)]
        tallies = [tally, *(treebank.tallies[number] for treebank in treebanks if several)]
        rows.append([rule.name, *counts, *map(_percentage_kept, tallies)])
    return Table("Rules", [[total.rules.name, "chances", "broken", "sentences", "kept %", *files]], rows)


def breaking_line(counts: RuleCounts) -> str:
    """Describe how many sentences break a rule."""
    percentage = 100 * counts.breaking / counts.sentences if counts.sentences else 0.0
    return f"{counts.breaking:,} of {counted(counts.sentences, 'sentence')} break a rule ({percentage:.2f} %)"


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
            "chances": tally.occasions,
            "broken": tally.broken,
            "violations": tally.violations,
            "sentences": tally.sentences,
            "kept": tally.kept if tally.occasions else None,
        }
        for rule, tally in zip(counts.rules, counts.tallies, strict=True)
    }
    return {"sentences": counts.sentences, "breaking": counts.breaking, "rules": rules}
