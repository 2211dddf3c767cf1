"""The page of ``wnparse stats``: the table of the terminal, plots, and drawings of unusual sentences."""

from __future__ import annotations

from dataclasses import replace

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import short_names, title_of
from wnparse.drawing.page import WIDTH, figure, file_list, legend, page
from wnparse.reports.charts import bar_chart, line_chart, make_series
from wnparse.reports.html_tables import beside, html_table, result
from wnparse.reports.stats_tables import (
    coverage_depth,
    length_histogram,
    stats_table,
    structure_result,
)
from wnparse.reports.tag_tables import tag_tables
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.stats import TreebankStats

MOST_BARS = 4  # treebanks side by side in a histogram; if there are more, only their sum is drawn


def statistics_page(treebanks: list[TreebankStats], total: TreebankStats, coverage: float) -> str:
    """Make the page of some treebanks.

    Parameters
    ----------
    treebanks : list of TreebankStats
        One for each input.
    total : TreebankStats
        Their sum, with the examples to draw.
    coverage : float
        Percentage of sentences that the suggested constraints must cover.
    """
    names = [treebank.name for treebank in treebanks]
    title = f"Structure of {title_of(names)}"
    heading = "Structure of a treebank" if len(names) == 1 else f"Structure of {len(names)} treebanks"
    body = [element("h1", heading), file_list(names)]
    annotated = total.annotation.counts()
    if annotated.partial:
        body.append(element("p", escape(str(annotated))))
    reports, summary = [treebank.as_dict(coverage) for treebank in treebanks], total.as_dict(coverage)
    tags = (
        [html_table(table) for table in tag_tables(summary["tags"])] if annotated.sentences and total.tags else []
    )
    if not total.sentences:
        missing = "complete sentences" if annotated.partial else "sentences"
        return page(title, [*body, element("p", f"There are no {missing}."), *tags])
    charts = _charts([treebank for treebank in treebanks if treebank.sentences], total, coverage)
    table = stats_table(reports if len(reports) == 1 else [summary, *reports])
    if len(names) == 1:
        table = replace(table, headings=[])
    body.insert(1, result(structure_result(summary, len(names))))
    body.append(beside([html_table(table)], charts))
    return page(title, [*body, *tags, *_examples(total, named=len(names) > 1)])


def _charts(treebanks: list[TreebankStats], total: TreebankStats, coverage: float) -> list[str]:
    shown = treebanks if len(treebanks) <= MOST_BARS else [total]
    names = short_names([treebank.name for treebank in shown])
    degrees = [str(degree) for degree in range(1, max(part.largest_block_degree for part in shown) + 1)]
    percentages = [treebank.as_dict(coverage)["block_degree"]["percent"] for treebank in shown]
    by_degree = make_series(names, [[values.get(degree, 0.0) for degree in degrees] for values in percentages])
    bins = [name for name, _ in length_histogram(total)]
    histograms = [dict(length_histogram(treebank)) for treebank in shown]
    by_length = make_series(names, [[values.get(name, 0.0) for name in bins] for values in histograms])
    bounds = range(1, coverage_depth([total.as_dict(coverage)]) + 1)
    covered = [[total.covered(bound, nested) for bound in bounds] for nested in (True, False)]
    series = make_series(["well-nested", "any nesting"], covered)
    unit = "% of the sentences"
    return [
        bar_chart("Block degree", degrees, by_degree, x_title="block degree", y_title=unit),
        line_chart("Coverage", [f"≤ {bound}" for bound in bounds], series, x_title="block degree", y_title=unit),
        bar_chart("Sentence length", bins, by_length, x_title="words in the sentence", y_title=unit),
    ]


def _examples(total: TreebankStats, *, named: bool) -> list[str]:
    """Draw unusual sentences, the most unusual first; `named` is whether captions name the file."""
    cells = sorted(total.examples, key=lambda cell: (cell[1], -cell[0]))
    pictures = [picture(sentence, number=0) for cell in cells for sentence in total.examples[cell]]
    if not pictures:
        return []
    heading = element("h2", "Unusual sentences: ill-nested, or of block degree 3 and more")
    figures = [
        figure(drawing, WIDTH, f"example-{place}-", named=named) for place, drawing in enumerate(pictures, 1)
    ]
    return [heading, legend(pictures), *figures]
