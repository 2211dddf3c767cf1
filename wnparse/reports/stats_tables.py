"""The table of the structure of treebanks, for the terminal and the page."""

from __future__ import annotations

from typing import Any

from wnparse.drawing.names import short_names
from wnparse.reports.tables import Table
from wnparse.treebanks.stats import TreebankStats

LENGTH_BINS = ((1, 5), (6, 10), (11, 20), (21, 30), (31, 40), (41, 60), (61, 100), (101, None))
MOST_COVERAGE_ROWS = 10  # so that the table stays readable; --json has all


def coverage_depth(reports: list[dict[str, Any]]) -> int:
    """Return up to which block degree the coverage of treebanks is shown."""
    return min(max(len(report["coverage"]) for report in reports), MOST_COVERAGE_ROWS)


def _rows(report: dict[str, Any], depth: int) -> list[tuple[str, str]]:
    """Return the label and value of each row; coverage is shown up to the block degree `depth`."""
    length, gap, edge = report["length"], report["gap_degree"], report["edge_degree"]
    rows = [
        ("sentences", f"{report['sentences']:,}"),
        ("words", f"{report['words']:,}"),
        ("length, mean", f"{length['mean']:.2f}"),
        ("length, median", f"{length['median']:g}"),
        ("length, max", str(length["max"])),
        ("non-projective sentences %", f"{report['nonprojective_sentences']:.2f}"),
        ("non-projective arcs %", f"{report['nonprojective_arcs']:.2f}"),
        ("multi-root sentences %", f"{report['several_roots']:.2f}"),
        ("gap degree, mean / max", f"{gap['mean']:.2f} / {gap['max']}"),
        ("edge degree, mean / max", f"{edge['mean']:.2f} / {edge['max']}"),
        ("", ""),
        ("block degree: well-nested / ill-nested %", ""),
    ]
    rows += [
        (f"  {row['block_degree']}", f"{row['well_nested']:.2f} / {row['ill_nested']:.2f}")
        for row in report["structure"]
    ]
    rows += [("", ""), ("coverage: well-nested / any nesting %", "")]
    known = {row["block_degree"]: row for row in report["coverage"]}
    for degree in range(1, depth + 1):
        # Beyond the last row of a treebank, everything is covered.
        row = known.get(degree) or report["coverage"][-1]
        rows.append((f"  block degree <= {degree}", f"{row['well_nested']:.2f} / {row['any']:.2f}"))
    choice = report["choice"]
    if choice:
        nesting = "nested" if choice["well_nested"] else "any"
        rows.append((f"suggested to cover {choice['required']:g} %", f"<= {choice['block_degree']}, {nesting}"))
    else:
        rows.append(("suggested", "-"))
    return rows


def stats_table(reports: list[dict[str, Any]]) -> Table:
    """Make the table of treebanks side by side."""
    depth = coverage_depth(reports)
    treebanks = zip(*(_rows(report, depth) for report in reports), strict=True)
    rows = [[row[0][0], *(value for _, value in row)] for row in treebanks]
    return Table("Structure", [["", *short_names([report["name"] for report in reports])]], rows)


def length_histogram(total: TreebankStats) -> list[tuple[str, float]]:
    """Return the bins of sentence lengths up to the longest, and the percentage of sentences in each."""
    percentages = []
    for low, high in LENGTH_BINS:
        inside = sum(count for length, count in total.lengths.items() if low <= length <= (high or length))
        percentages.append((f"{low}-{high}" if high else f">{low - 1}", 100.0 * inside / total.sentences))
    while percentages and not percentages[-1][1]:
        percentages.pop()
    return percentages


def structure_result(summary: dict[str, Any], treebanks: int) -> str:
    """Say in a sentence which constraint treebanks need."""
    choice = summary["choice"]
    name, verb = ("This treebank", "needs") if treebanks == 1 else ("These treebanks", "need")
    covered = f"cover {choice['coverage']:.2f} % of the sentences"
    if choice["block_degree"] == 1:
        return f"{name} {verb} projective trees only: they {covered}."
    kind = "well-nested trees" if choice["well_nested"] else "trees"
    bound = f"block degree {choice['block_degree']}"
    nesting = "" if choice["well_nested"] else ", and trees that are not well-nested"
    return f"{name} {verb} {bound}{nesting}: {kind} of block degree at most {choice['block_degree']} {covered}."


def suggestion(summary: dict[str, Any]) -> str:
    """Describe the most constrained combination that covers enough sentences."""
    choice = summary["choice"]
    nested = "well-nested, " if choice["well_nested"] else ""
    return (
        f"constraints that cover at least {choice['required']:g} %: {nested}block degree <= "
        f"{choice['block_degree']} ({choice['coverage']:.2f} %)"
    )
