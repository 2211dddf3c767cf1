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
    table,
    write_text,
)
from wnparse.cli.options.reports import report_options
from wnparse.cli.paths import INPUT, Command
from wnparse.cli.sections import tags as tags_section
from wnparse.cli.sections import trees as trees_section
from wnparse.reports.stats_tables import length_histogram, stats_table, suggestion
from wnparse.reports.tag_tables import tag_tables
from wnparse.storage.files import display_name
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.stats import PAPER_COVERAGE, TreebankStats, stats
from wnparse.treebanks.tag_stats import TagStats
from wnparse.wording import printable

MOST_EXAMPLES = 2  # of each unusual cell, drawn in a page unless --examples is given

EPILOG = """
\b
Examples:
  wnparse stats train.conllu dev.conllu test.conllu
  zcat treebank.conllu.gz | wnparse stats -
  wnparse stats --examples 2 train.conllu
  wnparse stats --tags train.conllu
  wnparse stats --html report.html train.conllu
  wnparse stats --json train.conllu | jq '.all.choice'
"""


@click.command("stats", cls=Command, epilog=EPILOG)
@click.argument("files", nargs=-1, type=INPUT, metavar="[FILE...|-]")
@trees_section(
    "--coverage",
    metavar="PERCENT",
    type=decimals(0, 100, above=True),
    default=PAPER_COVERAGE,
    show_default=True,
    help="Percentage of sentences that the suggested constraints must cover.",
)
@trees_section(
    "--examples",
    type=COUNT_OR_NONE,
    metavar="K",
    help="Show the first K sentences of each unusual structure: ill-nested, or block degree 3 and more. By "
    f"default, none are printed, and the HTML report draws {MOST_EXAMPLES} of each.",
)
@tags_section(
    "--tags",
    is_flag=True,
    help="Also count UPOS tags, relations and features, and list the most frequent forms and lemmas of each.",
)
@report_options("tables, plots and pictures of trees")
@quiet_option
def command(
    files: tuple[str, ...],
    coverage: float,
    examples: int | None,
    tags: bool,
    output: str | None,
    html: str | None,
    as_json: bool,
    skip_bad: bool,
) -> None:
    """Describe the structure of treebanks: block degree, nesting, projectivity.

    The command also suggests constraints for a parser: the smallest block degree that covers enough sentences
    together with well-nestedness. Well-nestedness is dropped only if no block degree covers enough sentences with
    it. Only sentences in which every word has a head count; --tags counts all sentences. Without FILE, standard
    input is read.
    """
    paths = files or ("-",)
    refuse_terminal(paths)
    skipped = SkipBad()
    collected = examples if examples is not None else MOST_EXAMPLES if html else 0
    treebanks, total = [], TreebankStats("all", tags=TagStats() if tags else None)
    for path in paths:
        name = display_name(path)
        sentences = Reader([path], heads="given", skip=skipped if skip_bad else None)
        treebanks.append(stats(progress(sentences, name, [path]), name, collected, tags=tags))
        total.merge(treebanks[-1], collected)
    if html:
        from wnparse.reports.stats_page import statistics_page  # 30 ms that a table need not wait for

        write_text(html, statistics_page(treebanks, total, coverage))
    if html != "-":
        data = _document(treebanks, total, coverage, examples or 0, skipped.count)
        write_text(output, format_json(data) if as_json else _format_tables(data, total, examples or 0))
    skipped.report()
    if not total.sentences:
        incomplete = total.annotation.counts().sentences
        say(f"wnparse: no {'complete sentence' if incomplete else 'sentences'} in the input")


def _document(
    treebanks: list[TreebankStats], total: TreebankStats, coverage: float, examples: int, skipped: int
) -> dict[str, Any]:
    """Return all figures for JSON; docs/reference/json.md describes the keys."""
    data: dict[str, Any] = {
        "files": [treebank.as_dict(coverage) for treebank in treebanks],
        "all": total.as_dict(coverage),
        "skipped": skipped,
    }
    if examples:
        data["examples"] = [_describe_example(cell, sentence) for cell, sentence in _examples(total)]
    return data


def _examples(total: TreebankStats) -> list[tuple[tuple[int, bool], Sentence]]:
    """Return the unusual sentences, each with its block degree and whether it is well-nested."""
    return [(cell, sentence) for cell in sorted(total.examples) for sentence in total.examples[cell]]


def _format_tables(data: dict[str, Any], total: TreebankStats, examples: int) -> str:
    """Return the tables, histograms, suggested constraints and examples for the terminal."""
    annotated = total.annotation.counts()
    notes = [str(annotated)] if annotated.partial else []
    reports, summary = data["files"], data["all"]
    if "tags" in summary and annotated.sentences:
        notes += [f"{part.title}\n{table(part.lines, texts=part.texts)}" for part in tag_tables(summary["tags"])]
    if not total.sentences:
        return "\n\n".join(notes) + "\n" * bool(notes)
    degrees = list(summary["block_degree"]["percent"].items())
    parts = [
        *_tables(reports if len(reports) == 1 else [*reports, summary]),
        f"block degree, % of sentences\n{histogram(degrees)}",
        f"length, % of sentences\n{histogram(length_histogram(total))}",
        suggestion(summary),
        *notes,
    ]
    sentences = [_format_example(cell, sentence) for cell, sentence in _examples(total)] if examples else []
    return "\n\n".join(parts) + "\n" + "".join(sentences)


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
