"""Tables of what trees do with rules, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wnparse.drawing.names import short_names
from wnparse.reports.tables import Table
from wnparse.rules.coverage import RuleCounts, Tally
from wnparse.wording import plural


def kept_share(tally: Tally) -> str:
    """Return the percentage of occasions on which a rule is kept; a dash for a rule without any."""
    return f"{tally.kept:.2f}" if tally.occasions else "-"


def coverage_table(names: Sequence[str], each: Sequence[RuleCounts], total: RuleCounts) -> Table:
    """How a treebank keeps each rule; with several files, how each of them does."""
    headings = [total.rules.name, "chances", "broken", "sentences", "kept %"]
    several = len(each) > 1
    if several:
        headings += short_names(list(names))
    rows = []
    for number, (rule, tally) in enumerate(zip(total.rules, total.tallies, strict=True)):
        row = [rule.name, f"{tally.occasions:,}", f"{tally.broken:,}", f"{tally.sentences:,}", kept_share(tally)]
        rows.append(row + [kept_share(part.tallies[number]) for part in each if several])
    return Table("Rules", [headings], rows)


def breaking_line(counts: RuleCounts) -> str:
    """How many sentences break a rule at all."""
    share = 100 * counts.breaking / counts.sentences if counts.sentences else 0.0
    noun = plural(counts.sentences, "sentence")
    return f"{counts.breaking:,} of {counts.sentences:,} {noun} break a rule ({share:.2f} %)"


def violation_table(labels: Sequence[str], inputs: Sequence[RuleCounts]) -> Table:
    """What gold and systems break: sentences and violations, for the rules that any of them breaks."""
    rules = inputs[0].rules
    upper = [cell for label in labels for cell in (label, "")]
    rows = [["any rule", *(cell for counts in inputs for cell in (f"{counts.breaking:,}", _all(counts)))]]
    for number, rule in enumerate(rules):
        tallies = [counts.tallies[number] for counts in inputs]
        if any(tally.violations for tally in tallies):
            cells = [cell for tally in tallies for cell in (f"{tally.sentences:,}", f"{tally.violations:,}")]
            rows.append([rule.name, *cells])
    headings = [["", *upper], ["", *["sentences", "times"] * len(inputs)]]
    return Table(f"Broken rules of {rules.name}", headings, rows)


def _all(counts: RuleCounts) -> str:
    return f"{sum(tally.violations for tally in counts.tallies):,}"


def counts_as_dict(counts: RuleCounts) -> dict[str, Any]:
    """All figures, for JSON."""
    return {
        "sentences": counts.sentences,
        "breaking": counts.breaking,
        "rules": {
            rule.name: _tally_as_dict(tally) for rule, tally in zip(counts.rules, counts.tallies, strict=True)
        },
    }


def _tally_as_dict(tally: Tally) -> dict[str, Any]:
    return {
        "chances": tally.occasions,
        "broken": tally.broken,
        "violations": tally.violations,
        "sentences": tally.sentences,
        "kept": tally.kept if tally.occasions else None,
    }
