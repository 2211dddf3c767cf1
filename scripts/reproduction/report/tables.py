"""Tables of the papers and of the parser, made of findings; every cell but the papers' own comes out of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reproduction.corro2016.searching import POINTS
from reproduction.findings import CORRO, ZONG, Findings, constraint_name, language, paper_label
from reproduction.laboratory import DECODERS
from wnparse.reports.tables import Table

NOTHING = "–"
STATISTICS = {
    "mean": "mean",
    "std": "std.",
    "median": "median",
    "third_quartile": "3rd quartile",
    "total": "total",
}
SHOWN_POINTS = (1, 5, 10, 20, 50, 100, 200)
assert set(SHOWN_POINTS) <= set(POINTS)


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with its thousands marked."""
    return NOTHING if value is None else f"{value:,.{digits}f}"


def ratio(value: float) -> str:
    """How many times as long."""
    return fixed(value, 1 if value < 100 else 0)


def group(name: str, width: int) -> list[str]:
    """A row that names those below it."""
    return [name, *[""] * (width - 1)]


def structure_table(findings: Findings) -> Table:
    """Table 1 of Corro et al.: sentences by block degree and nesting."""
    degrees = CORRO["table1"]["columns"]
    upper = (
        ["", "", "", ""] + [cell for degree in degrees for cell in (f"block degree {degree}", "")] + ["constraint"]
    )
    lower = ["% of the sentences", "sentences", "words", "non-proj."] + ["WN", "IL"] * len(degrees) + ["99 % rule"]
    rows = []
    for name, result in findings.of("structure"):
        figures = result["all"]
        shares = [fixed(row[key]) for row in figures["structure"] for key in ("well_nested", "ill_nested")]
        size = [f"{figures['sentences']:,}", f"{figures['words']:,}", fixed(figures["nonprojective_sentences"])]
        choice = constraint_name(result["choice"]) if result["choice"] else NOTHING
        rows.append([name, *size, *shares, choice])
        code = language(name, CORRO["table1"])
        if code:
            paper = CORRO["table1"][code]
            pairs = zip(paper["well_nested"], paper["ill_nested"], strict=True)
            rule = CORRO["table3"][code]["constraint"]
            rows.append(
                [f"  {paper_label(name, code)}", "", "", "", *(fixed(v) for pair in pairs for v in pair), rule]
            )
    return Table("Table 1: structure of the treebanks", [upper, lower], rows)


def times_table(findings: Findings) -> Table:
    """Table 2 of Corro et al.: time where the best arborescence is invalid."""
    headings = ["milliseconds per sentence", *STATISTICS.values(), "certified %"]
    rows = []
    for name, result in findings.of("times"):
        rows.append(group(f"{name} ({result['sentences']:,} of {result['of']:,} sentences)", len(headings)))
        for decoder, row in result["rows"].items():
            rows.append([f"  {decoder}", *(fixed(row[key], 4) for key in STATISTICS), fixed(row["certified"], 1)])
        code = language(name, CORRO["table2"])
        if code:
            rows += _paper_times(name, code)
    return Table("Table 2: decoding time where the best arborescence is invalid", [headings], rows)


def _paper_times(name: str, code: str) -> Iterable[list[str]]:
    paper = CORRO["table2"][code]
    for decoder in ("msa", "lr", "bnb"):
        label = f"  {DECODERS[decoder]}, {paper_label(name, code)}, {paper['sentences']} sentences"
        yield [label, *(fixed(1e3 * seconds, 0) for seconds in paper[decoder]), NOTHING]


def decoders_table(findings: Findings) -> Table:
    """Table 3 of Corro et al.: accuracy, validity and relative time of the five decoders."""
    headings = ["", *DECODERS.values()]
    rows = []
    for name, result in findings.of("decoders"):
        figures = [result["rows"][decoder] for decoder in DECODERS]
        rows.append(group(f"{name}, {constraint_name(result['constraint'])}", len(headings)))
        rows.append(["  UAS", *(fixed(row["uas"]) for row in figures)])
        rows.append(["  LAS", *(fixed(row["las"]) for row in figures)])
        rows.append(["  valid %", *(fixed(row["valid"]) for row in figures)])
        lengths = findings.results.get("lengths", {})
        if name in lengths:
            seconds = [sum(row["seconds"][decoder] for row in lengths[name]["bins"]) for decoder in DECODERS]
            rows.append(["  decoding time", *(ratio(value / seconds[0]) for value in seconds)])
        rows.append(
            ["  whole parse", *(fixed(row["parse_seconds"] / figures[0]["parse_seconds"]) for row in figures)]
        )
        code = language(name, CORRO["table3"])
        if code:
            paper = CORRO["table3"][code]
            whose = f"{paper_label(name, code)}, {paper['constraint']}"
            rows.append([f"  UAS, {whose}", *map(fixed, paper["uas"])])
            rows.append(["  valid %, paper", *map(fixed, paper["valid"])])
            rows.append(["  decoding time, paper", *(f"{value:g}" for value in paper["time"])])
    return Table("Table 3: accuracy, valid trees and time by decoder", [headings], rows)


def optimality_table(findings: Findings) -> Table:
    """Figure 2 of Corro et al. in numbers."""
    headings = ["% of the sentences, after iterations", *map(str, SHOWN_POINTS)]
    rows = []
    for name, result in findings.of("optimality"):
        if not result["sentences"]:
            continue
        rows.append(group(f"{name} ({result['sentences']:,} sentences)", len(headings)))
        for decoder, curve in result["curves"].items():
            points = {point["iterations"]: point for point in curve}
            for key, label in (("certified", "proved optimal"), ("optimal", "optimal")):
                rows.append([f"  {decoder}: {label}", *(fixed(points[at][key], 1) for at in SHOWN_POINTS)])
    return Table("Figure 2 in numbers: optimality rate of the relaxation", [headings], rows)


def reduction_table(findings: Findings) -> Table:
    """Arcs that problem reduction removes."""
    headings = [
        "", "sentences", "solved at the root", "left to search",
        "arcs dropped by the first pass %", "of the rest, removed %", "removed of all arcs %",
    ]  # fmt: skip
    rows = []
    for name, result in findings.of("reduction"):
        rows.append(group(name, len(headings)))
        for decoder, row in result["rows"].items():
            shares = [fixed(row[key]) for key in ("dropped", "removed", "removed_of_all")]
            rows.append(
                [f"  {decoder}", f"{result['sentences']:,}", f"{row['settled']:,}", f"{row['open']:,}", *shares]
            )
        code = language(name, CORRO["reduction"])
        if code:
            removed = fixed(CORRO["reduction"][code])
            rows.append([f"  {DECODERS['bnb']}, {paper_label(name, code)}", "", "", "", "", "", removed])
    return Table("Problem reduction at the root of the search", [headings], rows)


def learners_table(findings: Findings) -> Table:
    """Table 1 of Zong 2012: accuracy and complete sentences of the learners."""
    headings = ["", "iterations", "accuracy", "complete"]
    rows = []
    for name, result in findings.of("learners"):
        rows.append(group(name, len(headings)))
        for row in result["rows"]:
            figures = [str(row["iterations"]), fixed(row["accuracy"]), fixed(row["complete"])]
            rows.append([f"  {row['learner']}", *figures])
        if language(name, ZONG["data"]):
            rows += _paper_learners()
    return Table("Table 1 of Zong 2012: learners by iterations", [headings], rows)


def _paper_learners() -> Iterable[list[str]]:
    table = ZONG["table1"]
    for row in table["rows"]:
        label = f"  {row['learner']}, paper: {ZONG['data']['en']} (other data)"
        for figures in zip(table["iterations"], row["accuracy"], row["complete"], strict=True):
            yield [label, str(figures[0]), *(fixed(value, 1) for value in figures[1:])]


def ours(result: dict[str, Any]) -> dict[str, Any]:
    """Our own parser as a row among its peers."""
    return {
        "system": "wnparse, bnb",
        **result["rows"]["bnb"],
        "words_per_second": result["words_per_second"],
        "train_user_seconds": result["training_user_seconds"],
        "megabytes": result["model_bytes"] / 1e6,
    }


def labelled_peer(findings: Findings, name: str) -> dict[str, Any] | None:
    """The recorded figures of a labelled parser, if there are any."""
    return next((row for row in findings.recorded.get(name, []) if row["las"] is not None), None)


def glance_table(findings: Findings) -> Table:
    """What a reader in a hurry wants to know."""
    headings = [
        "", "constraint", "valid %: MSA", "valid %: B&B", "proved optimal %", "UAS / LAS", "words/s",
        *(["TurboParser UAS / LAS", "TurboParser words/s"] if findings.recorded else []),
    ]  # fmt: skip
    rows = []
    for name, result in findings.of("decoders"):
        times = findings.results.get("times", {}).get(name)
        if times is None:
            continue
        unproved = times["sentences"] * (100 - times["rows"]["B&B"]["certified"]) if times["rows"] else 0
        valid = [fixed(result["rows"][decoder]["valid"]) for decoder in ("msa", "bnb")]
        row = [name, constraint_name(result["constraint"]), *valid, fixed(100 - unproved / times["of"])]
        for one in (ours(result), labelled_peer(findings, name)):
            scores = f"{fixed(one['uas'])} / {fixed(one['las'])}" if one else NOTHING
            row += [scores, fixed(one["words_per_second"], 0) if one else NOTHING]
        rows.append(row[: len(headings)])
    return Table("The parser with its default decoder, B&B", [headings], rows)


def peer_rows(findings: Findings, name: str, result: dict[str, Any]) -> list[dict[str, Any]]:
    """Our parser and its peers on a treebank."""
    peers = [
        results[name] for step, results in findings.results.items() if step.startswith("peer ") and name in results
    ]
    return [ours(result), *findings.recorded.get(name, []), *peers]


def peers_table(findings: Findings) -> Table:
    """Our parser beside others."""
    headings = [
        "", "UAS", "LAS", "WN, ≤ 2 blocks %", "WN, ≤ 3 blocks %", "single root %",
        "words/s, user time", "training, user s", "model, MB",
    ]  # fmt: skip
    rows = []
    for name, result in findings.of("decoders"):
        rows.append(group(f"{name}, {constraint_name(result['constraint'])}", len(headings)))
        for row in peer_rows(findings, name, result):
            shares = [fixed(row[key]) for key in ("uas", "las")]
            shares += [fixed(row[key], 1) for key in ("nested2", "nested3", "single_root")]
            sizes = [
                fixed(row["words_per_second"], 0),
                fixed(row["train_user_seconds"], 0),
                fixed(row["megabytes"], 1),
            ]
            rows.append([f"  {row['system']}", *shares, *sizes])
    return Table("Peers: the same files, gold tags, whole labels", [headings], rows)
