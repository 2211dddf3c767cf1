"""Tables of linear programs: Martins et al. 2009, Table 1, and Koo et al. 2010, Table 2."""

from __future__ import annotations

from collections.abc import Iterator

from reproduction.findings import KOO, MARTINS, Findings, language
from reproduction.report.higher_tables import SHORT, koo_label
from reproduction.report.tables import fixed, group
from reproduction.steps import LADDER, RELAXATIONS
from wnparse.reports.tables import Table


def ladder_table(findings: Findings) -> Table:
    """Accuracy by parts, exact and relaxed."""
    headings = [
        "", "UAS, exact", "UAS, relaxed", "arcs whole %", "all whole %", "ms, relaxed", "ms, exact", "proved %",
        "training, CPU s",
    ]  # fmt: skip
    rows = []
    for name, result in findings.of(LADDER):
        size = f"{result['train_sentences']:,} and {result['test_sentences']:,} sentences"
        about = f"up to {result['longest']} words, {result['heads']} heads per word, {result['epochs']} epochs"
        known = f"{result['test_words']:,} words, {fixed(result['oracle'])} % of their heads among the candidates"
        rows.append(group(f"{name}: {size}, {about}; {known}", len(headings)))
        for rung, row in result["rows"].items():
            shares = [fixed(row[key]) for key in ("exact_uas", "relaxed_uas", "whole_arcs", "whole")]
            times = [fixed(1e3 * row[key], 1) for key in ("relaxed_seconds", "exact_seconds")]
            rows.append([f"  {rung}", *shares, *times, fixed(row["proved"]), fixed(row["training_seconds"], 0)])
        code = language(name, MARTINS["data"])
        rows += _paper_ladder(code, len(headings)) if code else []
    return Table("Table 1 of Martins et al. 2009: accuracy by parts, exact and relaxed", [headings], rows)


def _paper_ladder(code: str, width: int) -> Iterator[list[str]]:
    paper, rungs = MARTINS["table1"][code], MARTINS["table1"]["columns"]
    for rung, uas in zip(rungs, paper["exact"], strict=True):
        relaxed = paper["relaxed"] if rung == rungs[-1] else None
        label = f"  {rung}, paper: {MARTINS['data'][code]} (other data)"
        yield [label, fixed(uas), fixed(relaxed), *[fixed(None)] * (width - 3)]


def relaxations_table(findings: Findings) -> Table:
    """Accuracy, whole solutions and time by the way a problem is solved."""
    headings = ["", "UAS", "integral %", "refuted %", "ms per sentence", "random: integral %", "random: ms"]
    rows = []
    for name, result in findings.of(RELAXATIONS):
        size = f"{result['sentences']:,} sentences of up to {result['longest']} words"
        rows.append(group(f"{name}: {size}; {result['random']} random problems", len(headings)))
        for kind, figures in result["rows"].items():
            for way, row in figures["sentences"]["rows"].items():
                random = figures["random"]["rows"][way]
                refuted = fixed(None if way.startswith("LP") else row["refuted"])  # their points are not compared
                cells = [
                    fixed(row["uas"]),
                    fixed(row["proved"]),
                    refuted,
                    fixed(1e3 * row["seconds"], 3),
                ]
                cells += [fixed(random["proved"], 1), fixed(1e3 * random["seconds"], 2)]
                rows.append([f"  {SHORT[kind]}: {way}", *cells])
    rows += _paper_relaxations() if rows else []
    return Table("Table 2 of Koo et al. 2010: linear programs and dual decomposition", [headings], rows)


def _paper_relaxations() -> Iterator[list[str]]:
    paper = KOO["table2"]
    for kind, short in SHORT.items():
        for place, way in enumerate(paper["columns"]):
            uas, integral, seconds, random = (
                paper[kind][key][place] for key in ("uas", "integral", "time", "random")
            )
            cells = [
                fixed(uas),
                fixed(integral),
                fixed(None),
                fixed(1e3 * seconds, 0),
                fixed(random, 1),
                fixed(None),
            ]
            yield [f"  {short}: {way}, {koo_label('en')}", *cells]
