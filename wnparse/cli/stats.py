"""``wnparse stats``: describe the structure of treebanks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from wnparse import trees
from wnparse.cli.common import (
    COUNT_OR_NONE,
    FiniteRange,
    SkipBad,
    histogram,
    progress,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import INPUT, Command, html_option, output_option
from wnparse.cli.rules import report_rules
from wnparse.drawing.names import short_names
from wnparse.reports.stats_tables import coverage_depth, length_histogram, stats_rows, suggestion
from wnparse.rules import Rules
from wnparse.storage.files import display_name, open_output
from wnparse.treebanks import stats
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import printable

MOST_EXAMPLES = 2  # of each unusual cell, drawn in a page unless --examples says otherwise

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
    type=FiniteRange(0, 100, min_open=True),
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
    form = "json" if as_json else "tsv" if as_tsv else None
    skipped = SkipBad()
    kept = examples or MOST_EXAMPLES if html else examples
    each = []
    for path in paths:
        name = display_name(path)
        sentences = read(path, heads="required", skip=skipped if skip_bad else None)
        each.append(stats.measure(progress(sentences, name), name, kept))
    total = stats.TreebankStats("all")
    for part in each:
        total.merge(part, kept)
    if html:
        from wnparse.reports.stats_page import statistics_page  # 30 ms that a table need not wait for

        page = statistics_page(each, total, coverage)
        with open_output(html) as stream:
            stream.write(page.encode())
    if html != "-":
        text = _render(each, total, form, coverage, examples, skipped.count)
        with open_output(output) as stream:
            stream.write(text.encode())
    skipped.report()
    if not total.sentences:
        say("wnparse: no sentences in the input")


def _render(
    each: list[stats.TreebankStats],
    total: stats.TreebankStats,
    form: str | None,
    coverage: float,
    examples: int,
    skipped: int,
) -> str:
    reports = [part.as_dict(coverage) for part in each]
    summary = total.as_dict(coverage)
    if form == "json":
        data: dict[str, Any] = {"files": reports, "all": summary, "skipped": skipped}
        if examples:
            data["examples"] = [_example(cell, sentence) for cell, sentence in _examples(total)]
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if form == "tsv":
        rows = [_flat(report) for report in [*reports, summary]]
        lines = ["\t".join(rows[0])] + ["\t".join(row.values()) for row in rows]
        return "\n".join(lines) + "\n"
    if not total.sentences:
        return ""
    columns = reports if len(reports) == 1 else [*reports, summary]
    text = "\n\n".join(_tables(columns))
    text += "\n\n" + _histograms(total, summary) + "\n\n" + suggestion(summary) + "\n"
    if examples:
        text += "".join(_show(cell, sentence) for cell, sentence in _examples(total))
    return text


def _tables(reports: list[dict[str, Any]]) -> Iterator[str]:
    """One table a page, with as many treebanks side by side as the terminal is wide."""
    names = short_names([report["name"] for report in reports])
    labels = [label for label, value in stats_rows(reports[0], 1) if value]
    depth = coverage_depth(reports)
    width = shutil.get_terminal_size((100, 24)).columns - max(map(len, labels)) - 2
    page: list[list[str]] = []
    for name, report in zip(names, reports, strict=True):
        column = [name] + [value for _, value in stats_rows(report, depth)]
        if page and sum(max(map(len, other)) + 2 for other in [*page, column]) > width:
            yield _page(reports[0], depth, page)
            page = []
        page.append(column)
    yield _page(reports[0], depth, page)


def _page(report: dict[str, Any], depth: int, columns: list[list[str]]) -> str:
    labels = [""] + [label for label, _ in stats_rows(report, depth)]
    return table(list(zip(labels, *columns, strict=True)), indent=0)


def _histograms(total: stats.TreebankStats, summary: dict[str, Any]) -> str:
    degrees = [(degree, share) for degree, share in summary["block_degree"]["percent"].items()]
    lengths = length_histogram(total)
    return f"block degree, % of sentences\n{histogram(degrees)}\n\nlength, % of sentences\n{histogram(lengths)}"


def _flat(report: dict[str, Any]) -> dict[str, str]:
    """One line of the tab-separated form."""
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


def _examples(total: stats.TreebankStats) -> Iterator[tuple[tuple[int, bool], Sentence]]:
    for cell in sorted(total.examples):
        for sentence in total.examples[cell]:
            yield cell, sentence


def _example(cell: tuple[int, bool], sentence: Sentence) -> dict[str, Any]:
    """What makes a sentence unusual: the vertex of the highest block degree and a pair that interleaves."""
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


def _show(cell: tuple[int, bool], sentence: Sentence) -> str:
    """Print a sentence with the blocks of its vertex in [brackets], or of its pair in [brackets] and {braces}."""
    example = _example(cell, sentence)
    vertex, pair = example["vertex"], example["interleaving_pair"]
    tops = {pair[0]: "[]", pair[1]: "{}"} if pair else {vertex: "[]"}
    blocks = [
        (mark, " ".join(form for _, form in run))
        for mark, run in groupby(
            ((_mark(sentence, word, tops), form) for word, form in enumerate(example["forms"], 1)),
            key=itemgetter(0),
        )
    ]
    words = printable(" ".join(f"{mark[0]}{text}{mark[1]}" if mark else text for mark, text in blocks))
    which = f"yields of words {pair[0]} and {pair[1]} interleave" if pair else f"yield of word {vertex}"
    nesting = "well-nested" if cell[1] else "ill-nested"
    place = f"{sentence.path}:{sentence.line}"
    title = f"block degree {cell[0]}, {nesting}: {example['sent_id'] or '(no sent_id)'} at {place}; {which}"
    return f"\n{printable(title)}\n  {words}\n"


def _mark(sentence: Sentence, word: int, tops: dict[int, str]) -> str:
    """The brackets of the vertex whose yield holds a word, or nothing."""
    while word > 0 and word not in tops:
        word = int(sentence.heads[word])
    return tops.get(word, "")
