"""Tables 1 to 3 of Riedel & Clarke 2006: constraints on labelled trees, their accuracy, rounds and time."""

from __future__ import annotations

from typing import Any

from reproduction.findings import RIEDEL, Findings, language
from reproduction.report.tables import NOTHING, fixed, group, ratio
from reproduction.riedel2006.cross_validation import NARROW
from wnparse.reports.tables import Table

SYSTEMS = {"bl": "without rules (MSA)", "loop": "incremental ILP", "ilp": "ilp", "bnb": "B&B"}
MEASURES = {"las": "LAC", "uas": "UAC", "complete_labelled": "LC", "complete": "UC"}
assert list(MEASURES) == RIEDEL["table1"]["columns"]


def paper_label(code: str) -> str:
    """Whose figures a row of the paper holds: never of the same data."""
    return f"paper: {RIEDEL['data'][code]} (other data)"


def named(name: str, result: dict[str, Any]) -> str:
    """What stands above the rows of a treebank."""
    return f"{name}, {result['folds']} folds, {result['sentences']:,} sentences, rules {result['rules']}"


def accuracy_table(findings: Findings) -> Table:
    """Table 1: accuracy and complete sentences with and without constraints."""
    headings = ["%", *MEASURES.values(), "no tree found", "score differs from B&B"]
    rows = []
    for name, result in findings.of("incremental"):
        rows.append(group(named(name, result), len(headings)))
        for system, label in SYSTEMS.items():
            row = result["systems"][system]
            counts = [NOTHING if system == "bl" else f"{row['without_tree']:,}"]
            counts += [f"{row['different']:,} of {row['compared']:,}" if row["compared"] else NOTHING]
            rows.append([f"  {label}", *(fixed(row[key]) for key in MEASURES), *counts])
        for system, row in result["all_systems"].items():
            label = f"  {SYSTEMS[system]}, all {result['all_sentences']:,} sentences"
            without = NOTHING if system == "bl" else f"{row['without_tree']:,}"
            rows.append([label, *(fixed(row[key]) for key in MEASURES), without, NOTHING])
        code = language(name, RIEDEL["data"])
        if code:
            for system, label in (("bl", "without constraints"), ("cnstr", "with constraints")):
                cells = [fixed(value, 1) for value in RIEDEL["table1"][system]]
                rows.append([f"  {label}, {paper_label(code)}", *cells, NOTHING, NOTHING])
    return Table("Table 1 of Riedel & Clarke 2006: accuracy with and without constraints", [headings], rows)


def lengths_table(findings: Findings) -> Table:
    """Table 2: time and rounds by the length of sentences."""
    columns = RIEDEL["table2"]["columns"]
    headings = ["words", *columns]
    rows = []
    for name, result in findings.of("incremental"):
        rows.append(group(named(name, result), len(headings)))
        bins = {row["column"]: row for row in result["bins"]}

        def cells(tell: Any, bins: dict[int, dict[str, Any]] = bins) -> list[str]:
            return [tell(bins[place]) if place in bins else NOTHING for place in range(len(columns))]

        rows.append(["  sentences", *cells(lambda row: f"{row['sentences']:,}")])
        for system, label in SYSTEMS.items():
            rows.append([f"  {label}, ms", *cells(lambda row, s=system: fixed(1e3 * row["seconds"][s], 3))])
        rows.append(["  incremental ILP: over 120 s", *cells(lambda row: str(row["limited"]))])
        rows.append(["  incremental ILP: rounds", *cells(lambda row: fixed(row["rounds"]))])
        rows.append(["  incremental ILP: first round, ms", *cells(lambda row: fixed(1e3 * row["first"], 3))])
        times = cells(lambda row: ratio(row["seconds"]["loop"] / row["seconds"]["bnb"]))
        rows.append(["  incremental ILP, time relative to B&B", *times])
        code = language(name, RIEDEL["data"])
        rows += _paper_lengths(code) if code else []
    return Table("Table 2 of Riedel & Clarke 2006: time and rounds by length", [headings], rows)


def _paper_lengths(code: str) -> list[list[str]]:
    paper = RIEDEL["table2"]

    def in_ms(key: str) -> list[str]:
        return [f"{1e3 * value:,.4g}" if value < 1 else f"{1e3 * value:,.0f}" for value in paper[key]]

    return [
        [f"  sentences, {paper_label(code)}", *(f"{value:,}" for value in paper["sentences"])],
        ["  Chu-Liu-Edmonds, ms, paper", *in_ms("cle")],
        ["  incremental ILP, ms, paper", *in_ms("cnstr")],
        ["  over 120 s, paper", *map(str, paper["limited"])],
        ["  rounds, paper", *map(fixed, paper["rounds"])],
        ["  first round, ms, paper", *in_ms("first")],
    ]


def narrow_table(findings: Findings) -> Table:
    """Table 3: accuracy and time with the q best labelled arcs of each word."""
    headings = ["", *(f"q = {q}" for q in NARROW), "all", "without rules"]
    assert RIEDEL["table3"]["columns"][:-2] == [str(q) for q in NARROW]
    rows = []
    for name, result in findings.of("incremental"):
        rows.append(group(named(name, result), len(headings)))
        for system in ("loop", "bnb"):
            systems = [result["systems"][f"{system} {q}"] for q in NARROW] + [
                result["systems"][other] for other in (system, "bl")
            ]
            label = SYSTEMS[system]
            rows.append([f"  {label}: LAC", *(fixed(row["las"]) for row in systems)])
            rows.append([f"  {label}: s of all sentences", *(fixed(row["seconds"]) for row in systems)])
            if system == "loop":
                counts = [f"{row['without_tree']:,}" for row in systems[:-1]]
                rows.append([f"  {label}: no tree found", *counts, NOTHING])
                counts = [f"{row['limited']:,}" for row in systems[:-1]]
                rows.append([f"  {label}: over 120 s", *counts, NOTHING])
        code = language(name, RIEDEL["data"])
        if code:
            rows.append([f"  LAC, {paper_label(code)}", *map(fixed, RIEDEL["table3"]["las"])])
            rows.append(
                ["  s of all sentences, paper", *(fixed(value, 0) for value in RIEDEL["table3"]["seconds"])]
            )
    return Table("Table 3 of Riedel & Clarke 2006: the q best labelled arcs of each word", [headings], rows)
