"""``wnparse stats``: describe the structure of treebanks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from wnparse import trees
from wnparse.cli.common import (
    COUNT_OR_NONE,
    SkipBad,
    decimals,
    format_json,
    histogram,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
    write_text,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, html_option, output_option
from wnparse.cli.rules import report_rules
from wnparse.reports.stats_tables import length_histogram, stats_table, suggestion
from wnparse.rules import Rules
from wnparse.storage.files import display_name
from wnparse.treebanks import stats
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import printable

MOST_EXAMPLES = 2  # of each unusual cell, drawn in a page unless --examples is given

EPILOG = """
\b
Examples:
  wnparse stats train.conllu dev.conllu test.conllu
  zcat treebank.conllu.gz | wnparse stats -
  wnparse stats --examples 2 train.conllu
  wnparse stats --html report.html train.conllu
  wnparse stats --json train.conllu | jq '.all.choice'
  wnparse stats --rules ud --examples 2 train.conllu
"""


@click.command("stats", cls=Command, epilog=EPILOG)
@click.argument("files", nargs=-1, type=INPUT, metavar="[FILE...|-]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; docs/stats.md documents the keys.")
@click.option("--tsv", "as_tsv", is_flag=True, help="Print tab-separated values, one line a file.")
@click.option(
    "--coverage",
    type=decimals(0, 100, above=True),
    default=stats.PAPER_COVERAGE,
    show_default=True,
    help="Percentage of sentences that the suggested constraints must cover; with --rules, of chances.",
)
@click.option(
    "--examples",
    type=COUNT_OR_NONE,
    default=0,
    metavar="K",
    help="Show the first K sentences of each unusual cell: ill-nested, or block degree 3 and more; "
    "with --rules, of each rule that is broken.",
)
@click.option("--rules", type=RulesName(), help="Count how often trees break these rules instead: docs/rules.md.")
@skip_bad_option
@html_option
@output_option
@quiet_option
def command(
    files: tuple[str, ...],
    as_json: bool,
    as_tsv: bool,
    coverage: float,
    examples: int,
    rules: Rules | None,
    skip_bad: bool,
    html: str | None,
    output: str | None,
) -> None:
    """Describe the structure of treebanks: block degree, nesting, projectivity.

    Every word needs a head. The suggested constraints are the most constrained combination that covers
    enough sentences: the smallest block degree with well-nestedness or, only if none suffices, without.
    With --rules, the trees are counted that break each rule, among the chances to break it.
    """
    paths = files or ("-",)
    refuse_terminal(paths)
    if as_json and as_tsv:
        raise click.UsageError("--json and --tsv are two forms of one output; expected one of them.")
    if rules is not None:
        if as_tsv or html:
            raise click.UsageError(
                f"--rules does not go with {'--tsv' if as_tsv else '--html'}; expected the table, or --json."
            )
        report_rules(paths, rules, coverage, examples, skip_bad=skip_bad, as_json=as_json, output=output)
        return
    skipped = SkipBad()
    kept_examples = examples or MOST_EXAMPLES if html else examples
    treebanks, total = [], stats.TreebankStats("all")
    for path in paths:
        name = display_name(path)
        sentences = read(path, heads="required", skip=skipped if skip_bad else None)
        treebanks.append(stats.measure(progress(sentences, name), name, kept_examples))
        total.merge(treebanks[-1], kept_examples)
    if html:
        from wnparse.reports.stats_page import statistics_page  # 30 ms that a table need not wait for

        write_text(html, statistics_page(treebanks, total, coverage))
    if html != "-":
        form = "json" if as_json else "tsv" if as_tsv else "text"
        write_text(output, _render(treebanks, total, form, coverage, examples, skipped.count))
    skipped.report()
    if not total.sentences:
        say("wnparse: no sentences in the input")


def _render(
    treebanks: list[stats.TreebankStats],
    total: stats.TreebankStats,
    form: str,
    coverage: float,
    examples: int,
    skipped: int,
) -> str:
    """Return the statistics as JSON, tab-separated values or text."""
    reports, summary = [treebank.as_dict(coverage) for treebank in treebanks], total.as_dict(coverage)
    if form == "tsv":
        rows = [_flatten(report) for report in [*reports, summary]]
        return "".join("\t".join(row) + "\n" for row in [rows[0], *(row.values() for row in rows)])
    shown = [(cell, sentence) for cell in sorted(total.examples) for sentence in total.examples[cell] if examples]
    if form == "text":
        text = _format_tables(reports, summary, total) if total.sentences else ""
        return text + "".join(_format_example(cell, sentence) for cell, sentence in shown)
    data: dict[str, Any] = {"files": reports, "all": summary, "skipped": skipped}
    if examples:
        data["examples"] = [_describe_example(cell, sentence) for cell, sentence in shown]
    return format_json(data)


def _format_tables(reports: list[dict[str, Any]], summary: dict[str, Any], total: stats.TreebankStats) -> str:
    """Return the tables, histograms and suggested constraints for the terminal."""
    degrees = list(summary["block_degree"]["percent"].items())
    parts = [
        *_tables(reports if len(reports) == 1 else [*reports, summary]),
        f"block degree, % of sentences\n{histogram(degrees)}",
        f"length, % of sentences\n{histogram(length_histogram(total))}",
        suggestion(summary),
    ]
    return "\n\n".join(parts) + "\n"


def _tables(reports: list[dict[str, Any]]) -> Iterator[str]:
    """Yield tables with as many treebanks side by side as the terminal is wide."""
    rows = stats_table(reports).lines
    labels, *columns = zip(*rows, strict=True)
    label_width = max(len(row[0]) for row in rows if any(row[1:]))
    width = shutil.get_terminal_size((100, 24)).columns - label_width - 2
    chosen: list[tuple[str, ...]] = []
    for column in columns:
        if chosen and sum(max(map(len, other)) + 2 for other in [*chosen, column]) > width:
            yield table(list(zip(labels, *chosen, strict=True)), indent=0)
            chosen = []
        chosen.append(column)
    yield table(list(zip(labels, *chosen, strict=True)), indent=0)


def _flatten(report: dict[str, Any]) -> dict[str, str]:
    """Return the names and values of a line of tab-separated values."""
    flat: dict[str, Any] = {key: report[key] for key in ("name", "sentences", "words")}
    flat |= {f"length_{key}": value for key, value in report["length"].items()}
    flat |= {key: report[key] for key in ("nonprojective_sentences", "nonprojective_arcs", "several_roots")}
    for row in report["structure"]:
        degree = row["block_degree"].replace(">", "over_")
        flat |= {f"block_degree_{degree}_{key}": row[key] for key in ("well_nested", "ill_nested")}
    flat |= {
        f"{key}_{part}": report[key][part] for key in ("gap_degree", "edge_degree") for part in ("mean", "max")
    }
    for row in report["coverage"][: stats.COVERAGE_DEGREES]:
        flat |= {f"coverage_{row['block_degree']}_{key}": row[key] for key in ("well_nested", "any")}
    choice = report["choice"] or {"block_degree": "", "well_nested": "", "coverage": ""}
    flat |= {f"choice_{key}": choice[key] for key in ("block_degree", "well_nested", "coverage")}
    return {key: _cell(value) for key, value in flat.items()}


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.4f}" if isinstance(value, float) else printable(str(value))


def _describe_example(cell: tuple[int, bool], sentence: Sentence) -> dict[str, Any]:
    """Return what makes a sentence unusual: the vertex of the highest block degree and a pair that interleaves."""
    degrees = trees.block_degrees(sentence.heads)
    pair = trees.interleaving_pair(sentence.heads)
    return {
        "block_degree": cell[0],
        "well_nested": cell[1],
        "sent_id": sentence.sent_id,
        "file": sentence.path,
        "line": sentence.line,
        "vertex": int(degrees.argmax()),
        "interleaving_pair": sorted(pair) if pair else None,
        "forms": sentence.column("form"),
    }


def _format_example(cell: tuple[int, bool], sentence: Sentence) -> str:
    """Return a sentence with the blocks of its vertex in [brackets], or of its pair in [brackets] and {braces}."""
    example = _describe_example(cell, sentence)
    vertex, pair = example["vertex"], example["interleaving_pair"]
    tops = {pair[0]: "[]", pair[1]: "{}"} if pair else {vertex: "[]"}
    marked_forms = [(_find_brackets(sentence, word, tops), form) for word, form in enumerate(example["forms"], 1)]
    blocks = []
    for brackets, block in groupby(marked_forms, key=itemgetter(0)):
        text = " ".join(form for _, form in block)
        blocks.append(f"{brackets[0]}{text}{brackets[1]}" if brackets else text)
    reason = f"yields of words {pair[0]} and {pair[1]} interleave" if pair else f"yield of word {vertex}"
    nesting = "well-nested" if cell[1] else "ill-nested"
    place = f"{example['sent_id'] or '(no sent_id)'} at {sentence.path}:{sentence.line}"
    title = f"block degree {cell[0]}, {nesting}: {place}; {reason}"
    return f"\n{printable(title)}\n  {printable(' '.join(blocks))}\n"


def _find_brackets(sentence: Sentence, word: int, tops: dict[int, str]) -> str:
    """Return the brackets of the vertex among `tops` whose yield includes a word; empty if there is none."""
    while word > 0 and word not in tops:
        word = int(sentence.heads[word])
    return tops.get(word, "")
