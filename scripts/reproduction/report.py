"""The report: sections of text, tables and plots, written as Markdown, JSON and one self-contained page."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reproduction import higher_tables, plots, program_tables, riedel_tables, scaling_tables, tables, texts
from reproduction.findings import CORRO, KOO, MARTINS, PAPERS, RIEDEL, ZONG, Findings
from reproduction.store import write_json
from wnparse import __version__
from wnparse.drawing.markup import element, escape
from wnparse.drawing.page import page
from wnparse.reports.html_tables import html_table
from wnparse.reports.tables import Table
from wnparse.storage.files import open_output

TITLE = "wnparse: results"


@dataclass(frozen=True)
class Section:
    """One subject of the report."""

    title: str
    text: str
    tables: list[Table] = field(default_factory=list)
    plot: str = ""  # the name of its plot
    caption: str = ""


def make_sections(findings: Findings) -> list[Section]:
    """Everything that the findings tell; sections without rows are left out."""
    sections = [*_paper_sections(findings), *_higher_sections(findings), *_program_sections(findings)]
    sections += [*_incremental_sections(findings), *_own_sections(findings)]
    return [section for section in sections if any(table.rows for table in section.tables)]


def _paper_sections(findings: Findings) -> list[Section]:
    glance = f"{texts.GLANCE} {texts.GLANCE_PEER}" if findings.recorded else texts.GLANCE
    return [
        Section("At a glance", glance, [tables.glance_table(findings)]),
        Section("Structure of the treebanks", texts.STRUCTURE, [tables.structure_table(findings)]),
        Section("Decoding where there is something to search", texts.TIMES, [tables.times_table(findings)]),
        Section("Accuracy, validity and time by decoder", texts.DECODERS, [tables.decoders_table(findings)]),
        Section(
            "Optimality of the relaxation",
            texts.OPTIMALITY,
            [tables.optimality_table(findings)],
            "optimality",
            "Optimality rate against subgradient iterations, with certificate (solid) and without (dashed)",
        ),
        Section("Problem reduction", texts.REDUCTION, [tables.reduction_table(findings)]),
        Section(
            "Learners",
            texts.LEARNERS,
            [tables.learners_table(findings)],
            "learners",
            "Accuracy against iterations",
        ),
    ]


def _higher_sections(findings: Findings) -> list[Section]:
    return [
        Section("Higher order", texts.ORDERS, [higher_tables.orders_table(findings)]),
        Section("Projective and other trees", texts.PROJECTIVE, [higher_tables.projective_table(findings)]),
        Section("Valid trees by order", texts.VALID, [higher_tables.valid_table(findings)]),
        Section("Automata without a tree", texts.ALONE, [higher_tables.alone_table(findings)]),
        Section(
            "Automata run again",
            texts.RECOMPUTED,
            [higher_tables.recomputed_table(findings)],
            "automata",
            "Automata that an iteration runs, siblings alone and with grandparents",
        ),
        Section(
            "Early stopping",
            texts.LIMITS,
            [higher_tables.limits_table(findings)],
            "early-stopping",
            "Accuracy, certificates and match against the limit of iterations",
        ),
        Section(
            "Decoders of training", texts.TRAINING_DECODERS, [higher_tables.training_decoders_table(findings)]
        ),
    ]


def _program_sections(findings: Findings) -> list[Section]:
    ladder, relaxations = program_tables.ladder_table(findings), program_tables.relaxations_table(findings)
    return [
        Section("Concise integer linear programs", texts.LADDER, [ladder]),
        Section("Linear programs and dual decomposition", texts.RELAXATIONS, [relaxations]),
    ]


def _incremental_sections(findings: Findings) -> list[Section]:
    return [
        Section("Incremental programs", texts.INCREMENTAL, [riedel_tables.accuracy_table(findings)]),
        Section(
            "Incremental programs by length", texts.INCREMENTAL_TIMES, [riedel_tables.lengths_table(findings)]
        ),
        Section("Few labelled arcs a word", texts.NARROW, [riedel_tables.narrow_table(findings)]),
    ]


def _own_sections(findings: Findings) -> list[Section]:
    return [
        Section(
            "Peers",
            texts.PEERS,
            [tables.peers_table(findings)],
            "peers",
            "Labelled accuracy against parsing speed",
        ),
        Section(
            "Decoding time by length",
            texts.LENGTHS,
            [scaling_tables.lengths_table(findings)],
            "time-by-length",
            "Mean decoding time of a sentence against its length, all treebanks together",
        ),
        Section(
            "Training time by size",
            texts.TRAINING,
            [scaling_tables.training_table(findings)],
            "training-time",
            "User time of one training epoch against the size of the training data",
        ),
        Section(
            "Speed by jobs",
            texts.JOBS,
            [scaling_tables.jobs_table(findings)],
            "speed-by-jobs",
            "Parsing speed against the number of jobs",
        ),
    ]


def preamble(findings: Findings) -> list[str]:
    """What, when, where; a paragraph each."""
    epochs, limit = findings.options["epochs"], findings.options["limit"]
    cut = f" The first {limit:,} sentences of each file only." if limit else ""
    return [
        f"Measured with wnparse {__version__} on {findings.date} on a {findings.machine}.{_load(findings)} "
        f"Parsers: labelled, first order unless told, {epochs} epochs, the best by the development set.{cut} "
        f"Treebanks: {', '.join(findings.treebanks)}.",
        "All figures come out of the run, but rows that say “paper” (typed from the papers) or “recorded”.",
        f"{CORRO['citation']} {KOO['citation']} {MARTINS['citation']} {ZONG['citation']} {RIEDEL['citation']}",
    ]


def _load(findings: Findings) -> str:
    """A warning if the machine was busy with other things: user time grows too where processes share a core."""
    loads = findings.loads()
    if not loads:
        return ""
    return (
        f" It was busy with other work at the same time (load average {loads[0]:.1f} to {loads[1]:.1f}): "
        "read speeds as lower bounds and small differences of time as noise."
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


def markdown(findings: Findings, sections: list[Section], images: dict[str, str]) -> str:
    """The report as Markdown; `images` are the plots' places relative to it."""
    parts = [f"# {TITLE}\n", *(f"{text}\n" for text in preamble(findings))]
    for section in sections:
        parts += [f"## {section.title}\n", f"{section.text}\n"]
        if section.plot in images:
            parts.append(f"![{section.caption}]({images[section.plot]})\n")
        parts += [f"{table.title}\n\n{markdown_table(table)}" for table in section.tables]
    if findings.skipped:
        parts += ["## Left out\n", "".join(f"- {line}\n" for line in findings.skipped)]
    return "\n".join(parts)


def html(findings: Findings, sections: list[Section], drawn: dict[str, str]) -> str:
    """The report as one page."""
    body = [element("h1", TITLE), *(element("p", escape(text)) for text in preamble(findings))]
    links = [
        element("li", element("a", escape(section.title), href=f"#section-{place}"))
        for place, section in enumerate(sections)
    ]
    body.append(element("nav", element("ul", "".join(links)), aria_label="Sections"))
    for place, section in enumerate(sections):
        body.append(element("h2", escape(section.title), id=f"section-{place}"))
        body.append(element("p", escape(section.text)))
        if section.plot in drawn:
            caption = element("figcaption", escape(section.caption))
            body.append(element("figure", caption + plots.inline(drawn[section.plot], section.plot)))
        body += [element("h3", escape(t.title)) + html_table(t, title=False) for t in section.tables]
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
            "tables": [vars(table) for section in sections for table in section.tables],
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
