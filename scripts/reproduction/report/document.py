"""The report: sections of text, tables and plots, written as Markdown, JSON and one self-contained page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from reproduction.findings import CORRO, KOO, MARTINS, PAPERS, RIEDEL, ZONG, Findings
from reproduction.report import (
    higher_tables,
    plots,
    program_tables,
    riedel_tables,
    scaling_tables,
    tables,
    texts,
)
from reproduction.store import write_json
from wnparse import __version__
from wnparse.drawing.markup import element, escape
from wnparse.drawing.page import page
from wnparse.reports.html_tables import html_table
from wnparse.reports.tables import Table
from wnparse.storage.files import open_output

TITLE = "Results"


@dataclass(frozen=True)
class Section:
    """One subject of the report."""

    title: str
    text: str
    make_table: Callable[[Findings], Table]
    plot: str = ""  # the name of its plot
    caption: str = ""


SECTIONS = (
    Section("At a glance", texts.GLANCE, tables.glance_table),
    Section("Structure of the treebanks", texts.STRUCTURE, tables.structure_table),
    Section("Decoding time where a search is needed", texts.TIMES, tables.times_table),
    Section("Accuracy, validity and time by decoder", texts.DECODERS, tables.decoders_table),
    Section(
        "Optimality of the relaxation", texts.OPTIMALITY, tables.optimality_table, "optimality",
        "Optimality rate against subgradient iterations, with certificate (solid) and without (dashed)",
    ),
    Section("Problem reduction", texts.REDUCTION, tables.reduction_table),
    Section("Learners", texts.LEARNERS, tables.learners_table, "learners", "Accuracy against iterations"),
    Section("Higher order", texts.ORDERS, higher_tables.orders_table),
    Section("Projective and non-projective trees", texts.PROJECTIVE, higher_tables.projective_table),
    Section("Valid trees by order", texts.VALID, higher_tables.valid_table),
    Section("Automata without a tree", texts.ALONE, higher_tables.alone_table),
    Section(
        "Automata run again", texts.RECOMPUTED, higher_tables.recomputed_table, "automata",
        "Automata run per iteration, with siblings only and with grandparents",
    ),
    Section(
        "Early stopping", texts.LIMITS, higher_tables.limits_table, "early-stopping",
        "Accuracy, certificates and agreement against the iteration limit",
    ),
    Section("Decoders used in training", texts.TRAINING_DECODERS, higher_tables.training_decoders_table),
    Section("Concise integer linear programs", texts.LADDER, program_tables.ladder_table),
    Section("Linear programs and dual decomposition", texts.RELAXATIONS, program_tables.relaxations_table),
    Section("Incremental programs", texts.INCREMENTAL, riedel_tables.accuracy_table),
    Section("Incremental programs by length", texts.INCREMENTAL_TIMES, riedel_tables.lengths_table),
    Section("Few labelled arcs per word", texts.NARROW, riedel_tables.narrow_table),
    Section("Peers", texts.PEERS, tables.peers_table, "peers", "Labelled accuracy against parsing speed"),
    Section(
        "Decoding time by length", texts.LENGTHS, scaling_tables.lengths_table, "time-by-length",
        "Mean decoding time of a sentence against its length, all treebanks together",
    ),
    Section(
        "Training time by size", texts.TRAINING, scaling_tables.training_table, "training-time",
        "User time of one training epoch against the size of the training data",
    ),
    Section(
        "Speed by jobs", texts.JOBS, scaling_tables.jobs_table, "speed-by-jobs",
        "Parsing speed against the number of jobs",
    ),
)  # fmt: skip


def make_sections(findings: Findings) -> list[tuple[Section, Table]]:
    """Make the tables of the findings; sections without rows are left out."""
    made = [(section, section.make_table(findings)) for section in SECTIONS]
    return [(section, table) for section, table in made if table.rows]


def preamble(findings: Findings) -> list[str]:
    """Return what was measured, when and where, as paragraphs."""
    epochs, limit = findings.options["epochs"], findings.options["limit"]
    cut = f" Only the first {limit:,} sentences of each file are used." if limit else ""
    return [
        f"Measured with wnparse {__version__} on {findings.date} on a {findings.machine}.{_load(findings)} "
        f"Unless a section says otherwise, parsers are labelled first-order models, trained for {epochs} epochs; "
        f"the best epoch is chosen on the development set.{cut} Treebanks: {', '.join(findings.treebanks)}.",
        "`./scripts/reproduce --treebanks DIR...` repeats the measurements. All figures are from this run, "
        "except in rows marked “paper” (copied from the papers) or “recorded” (measured earlier). "
        "Some test sets were also used during development: `docs/lab/test-sets.md` lists every use.",
        texts.ABBREVIATIONS,
        f"Papers: {' '.join(paper['citation'] for paper in (CORRO, KOO, MARTINS, ZONG, RIEDEL))}",
    ]


def _load(findings: Findings) -> str:
    """Return a warning if the machine was busy: user time also grows if processes share a core."""
    loads = findings.loads()
    if not loads:
        return ""
    return (
        f" Other programs ran on it at the same time (load average {loads[0]:.1f} to {loads[1]:.1f}), so speeds "
        "are lower bounds, and small differences in time are noise."
    )


def markdown_table(table: Table) -> str:
    """A table as Markdown; two rows of headings become one, rows that name a group become bold."""
    *upper, lower = table.headings
    names = lower
    if upper:
        current, names = "", []
        for above, below in zip(upper[0], lower, strict=True):
            current = above or (current if below in ("WN", "IL") else "")
            names.append(f"{current} {below}".strip())
    rows = [names, ["---", *["---:"] * (len(names) - 1)]]
    for row in table.rows:
        named = len(row) > 1 and row[0] and not any(row[1:])
        rows.append([f"**{row[0]}**", *row[1:]] if named else [row[0].strip(), *row[1:]])
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def markdown(findings: Findings, sections: list[tuple[Section, Table]], images: dict[str, str]) -> str:
    """The report as Markdown; `images` are the plots' places relative to it."""
    parts = [f"# {TITLE}\n", *(f"{text}\n" for text in preamble(findings))]
    for section, table in sections:
        parts += [f"## {section.title}\n", f"{section.text}\n"]
        if section.plot in images:
            parts.append(f"![{section.caption}]({images[section.plot]})\n")
        parts.append(f"{table.title}\n\n{markdown_table(table)}")
    if findings.skipped:
        parts += ["## Left out\n", "".join(f"- {line}\n" for line in findings.skipped)]
    return "\n".join(parts)


def html(findings: Findings, sections: list[tuple[Section, Table]], drawn: dict[str, str]) -> str:
    """The report as one page."""
    body = [element("h1", TITLE), *(element("p", escape(text)) for text in preamble(findings))]
    links = [
        element("li", element("a", escape(section.title), href=f"#section-{place}"))
        for place, (section, _) in enumerate(sections)
    ]
    body.append(element("nav", element("ul", "".join(links)), aria_label="Sections"))
    for place, (section, table) in enumerate(sections):
        body.append(element("h2", escape(section.title), id=f"section-{place}"))
        body.append(element("p", escape(section.text)))
        if section.plot in drawn:
            caption = element("figcaption", escape(section.caption))
            body.append(element("figure", caption + plots.inline(drawn[section.plot], section.plot)))
        body.append(element("h3", escape(table.title)) + html_table(replace(table, title="")))
    if findings.skipped:
        items = "".join(element("li", escape(line)) for line in findings.skipped)
        body += [element("h2", "Left out"), element("ul", items)]
    return page(TITLE, body)


def write_report(findings: Findings, folder: Path, summary: Path | None = None) -> None:
    """Write report.md, report.json, index.html and plots; a summary gets its plots beside it."""
    sections = make_sections(findings)
    drawn = plots.draw_plots(findings) if plots.available() else {}
    if not drawn:
        findings.skip(plots.MISSING)
    for path in (folder / "plots").glob("*.svg"):
        path.unlink()
    write_json(
        folder / "report.json",
        {
            "wnparse": __version__,
            "date": findings.date,
            "machine": findings.machine,
            "options": findings.options,
            "treebanks": findings.treebanks,
            "results": findings.results,
            "recorded": findings.recorded,
            "papers": PAPERS,
            "tables": [vars(table) for _, table in sections],
            "skipped": findings.skipped,
        },
    )
    _write(folder / "report.md", markdown(findings, sections, _write_plots(folder / "plots", drawn)))
    _write(folder / "index.html", html(findings, sections, drawn))
    if summary:
        images = _write_plots(summary.parent / "plots", drawn)
        _write(summary, markdown(findings, sections, images))


def _write_plots(folder: Path, drawn: dict[str, str]) -> dict[str, str]:
    """Put plots into a folder; their places relative to the folder above it."""
    if drawn:
        folder.mkdir(parents=True, exist_ok=True)
    for name, markup in drawn.items():
        _write(folder / f"{name}.svg", markup)
    return {name: f"{folder.name}/{name}.svg" for name in drawn}


def _write(path: Path, text: str) -> None:
    with open_output(str(path)) as stream:
        stream.write(text.encode())
