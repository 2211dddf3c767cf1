"""Tables of parsers of higher order: Koo et al. 2010, and Table 4 and section 7.3 of Corro et al. 2016."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from reproduction.findings import CORRO, KOO, Findings, constraint_name, language, paper_label
from reproduction.koo2010.measurements import POINTS, TRACED
from reproduction.models import ORDERS, TRAINED_WITH
from reproduction.report.tables import fixed, group, ratio
from wnparse.reports.tables import Table

BY_ORDER = {"first": 1, "gs": 2, "third": 3}
SHORT = {"sib": "Sib", "gs": "G+S"}


def koo_label(code: str) -> str:
    """Whose figures a row of Koo et al. holds: never of the same data."""
    return f"paper: {KOO['data'][code]} (other data)"


def per_sentence(seconds: float | None, sentences: int) -> str:
    """Milliseconds."""
    return fixed(None if seconds is None else 1e3 * seconds / sentences, 3)


def orders_table(findings: Findings) -> Table:
    """Table 1 of Koo et al.: accuracy, certificates and time by the parts that a parser has."""
    headings = [
        "", "UAS", "LAS", "certified %", "ms per sentence", "training ms per sentence",
        "B&B: UAS", "B&B: LAS", "LR: certified %", "B&B: certified %", "B&B: ms per sentence",
    ]  # fmt: skip
    rows = []
    for name, result in findings.of("orders"):
        rows.append(group(f"{name}, {constraint_name(result['constraint'])}", len(headings)))
        for kind, row in result["rows"].items():
            free, relaxed, exact = (row["decoders"][decoder] for decoder in ("msa", "lr", "bnb"))
            rows.append(
                [
                    f"  {ORDERS[kind].name}",
                    *(fixed(free[key]) for key in ("uas", "las", "certified")),
                    per_sentence(free["decoding_seconds"], result["sentences"]),
                    per_sentence(row["training_user_seconds"], result["lessons"]),
                    *(fixed(exact[key]) for key in ("uas", "las")),
                    *(fixed(figures["certified"]) for figures in (relaxed, exact)),
                    per_sentence(exact["decoding_seconds"], result["sentences"]),
                ]
            )
        code = language(name, KOO["table1"])
        rows += _paper_orders(code) if code else []
    return Table("Table 1 of Koo et al. 2010: accuracy, certificates and time by parts", [headings], rows)


def _paper_orders(code: str) -> Iterator[list[str]]:
    paper = KOO["table1"][code]
    for place, kind in enumerate(KOO["table1"]["columns"]):
        times = [
            fixed(None if seconds is None else 1e3 * seconds, 0)
            for seconds in (paper["time"][place], paper["training"][place])
        ]
        figures = [fixed(paper["uas"][place]), fixed(None), fixed(paper["certified"][place]), *times]
        yield [f"  {ORDERS[kind].name}, {koo_label(code)}", *figures, *[fixed(None)] * 5]


def projective_table(findings: Findings) -> Table:
    """Table 3 of Koo et al.: projective trees against all."""
    headings = ["UAS", "Sib", "P-Sib", "G+S", "P-G+S"]
    rows = []
    for name, result in findings.of("orders"):
        scores = (result["rows"][kind]["decoders"][d]["uas"] for kind in TRACED for d in ("msa", "eisner"))
        rows.append([name, *map(fixed, scores)])
    papers = [
        [f"  {koo_label(code)}", *map(fixed, KOO["table3"][code])] for code in KOO["table3"] if code != "columns"
    ]
    return Table(
        "Table 3 of Koo et al. 2010: projective (P-) and other trees", [headings], rows + papers if rows else []
    )


def alone_table(findings: Findings) -> Table:
    """Section 7.6 of Koo et al.: what automata choose without a tree."""
    headings = ["", "precision", "recall", "UAS of the trees"]
    rows = []
    for name, result in findings.of("automata"):
        rows.append(group(name, len(headings)))
        trees = findings.results["orders"][name]["rows"]
        for kind, row in result["rows"].items():
            uas = trees[kind]["decoders"]["msa"]["uas"]
            for way, figures in row["alone"].items():
                rows.append(
                    [f"  {SHORT[kind]}, {way}", *map(fixed, (figures["precision"], figures["recall"], uas))]
                )
    paper = KOO["alone"]["en"]
    if rows:
        rows.append([f"  Sib, {koo_label('en')}", *(fixed(paper[key]) for key in ("precision", "recall", "uas"))])
    return Table("Section 7.6 of Koo et al. 2010: automata without a tree", [headings], rows)


def recomputed_table(findings: Findings) -> Table:
    """Figure 3 of Koo et al. in numbers."""
    results = list(findings.of("automata"))
    edges = sorted({p["iterations"] for _, r in results for k in TRACED for p in r["rows"][k]["recomputed"]})
    headings = ["% of the automata, in iterations up to", *map(str, edges)]
    rows = []
    for name, result in results:
        rows.append(group(name, len(headings)))
        for kind in TRACED:
            points = {point["iterations"]: point for point in result["rows"][kind]["recomputed"]}
            shares = [fixed(points[at]["percent"], 1) if at in points else fixed(None) for at in edges]
            counts = [f"{points[at]['sentences']:,}" if at in points else fixed(None) for at in edges]
            rows += [[f"  {SHORT[kind]}", *shares], [f"  {SHORT[kind]}: sentences that reach them", *counts]]
    return Table("Figure 3 of Koo et al. 2010 in numbers: automata run again", [headings], rows)


def limits_table(findings: Findings) -> Table:
    """Figure 4 of Koo et al. in numbers."""
    headings = ["iteration limit, K", *(f"{limit:,}" for limit in POINTS)]
    measures = {"uas": "UAS", "certified": "certified %", "same": f"same tree as K = {POINTS[-1]:,} %"}
    rows = []
    for name, result in findings.of("automata"):
        rows.append(group(name, len(headings)))
        for kind in TRACED:
            for key, label in measures.items():
                cells = (fixed(point[key]) for point in result["rows"][kind]["limits"])
                rows.append([f"  {SHORT[kind]}: {label}", *cells])
    if rows:
        rows += _paper_limits(measures)
    return Table("Figure 4 of Koo et al. 2010 in numbers: early stopping", [headings], rows)


def _paper_limits(measures: dict[str, str]) -> Iterable[list[str]]:
    for kind, points in KOO["figure4"]["en"].items():
        for key, label in measures.items():
            cells = [fixed(points.get(str(limit), {}).get(key)) for limit in POINTS]
            if any(key in point for point in points.values()):
                yield [f"  {SHORT[kind]}: {label}, {koo_label('en')}", *cells]


def valid_table(findings: Findings) -> Table:
    """Table 4 of Corro et al.: valid trees of unconstrained parsers by order."""
    headings = ["", "UAS", "valid %", "time"]
    rows = []
    for name, result in findings.of("orders"):
        valid = fixed(result["gold_valid"])
        rows.append(group(f"{name}, {constraint_name(result['constraint'])}; gold: {valid} %", len(headings)))
        free = {order: result["rows"][kind]["decoders"]["msa"] for kind, order in BY_ORDER.items()}
        rows += [[f"  order {order}", *_valid_cells(row, free[1])] for order, row in free.items()]
        code = language(name, CORRO["table4"])
        if code:
            rows += _paper_valid(name, code, CORRO["table4"][code])
    return Table("Table 4 of Corro et al. 2016: valid trees by order", [headings], rows)


def _valid_cells(row: dict[str, Any], first: dict[str, Any]) -> list[str]:
    return [fixed(row["uas"]), fixed(row["valid"]), ratio(row["parse_seconds"] / first["parse_seconds"])]


def _paper_valid(name: str, code: str, paper: dict[str, Any]) -> Iterator[list[str]]:
    for place, order in enumerate(CORRO["table4"]["orders"]):
        label = f"  order {order}, {paper_label(name, code)}; gold: {fixed(paper['gold_valid'])} %"
        yield [label, fixed(paper["uas"][place]), fixed(paper["valid"][place]), f"{paper['time'][place]:g}"]


def training_decoders_table(findings: Findings) -> Table:
    """Section 7.3 of Corro et al.: accuracy and time by the decoder of training."""
    headings = [
        "decoder in training", "UAS, MSA", "LAS, MSA", "valid %, MSA", "UAS, B&B", "LAS, B&B",
        "ms per sentence, B&B", "training, user s",
    ]  # fmt: skip
    rows = []
    for name, result in findings.of("training decoders"):
        rows.append(group(name, len(headings)))
        for kind, row in result["rows"].items():
            free, exact = (row["decoders"][decoder] for decoder in ("msa", "bnb"))
            cells = [fixed(free[key]) for key in ("uas", "las", "valid")] + [
                fixed(exact[key]) for key in ("uas", "las")
            ]
            time = per_sentence(exact["parse_seconds"], result["sentences"])
            rows.append(
                [f"  {TRAINED_WITH[kind].name}", *cells, time, fixed(row["training_user_seconds"], 0)],
            )
    return Table("Section 7.3 of Corro et al. 2016: decoders of training", [headings], rows)
