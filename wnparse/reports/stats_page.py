"""The page of ``wnparse stats``: the table of the terminal, plots, and drawings of unusual sentences."""

from __future__ import annotations

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import MOST_NAMED, short_names, title_of
from wnparse.drawing.page import WIDTH, figure, legend, page
from wnparse.reports.charts import bar_chart, line_chart, make_series
from wnparse.reports.html_tables import html_table
from wnparse.reports.stats_tables import coverage_depth, length_histogram, stats_table, suggestion
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
    body = [element("h1", escape(title)), *_inputs(names)]
    annotated = total.annotation.counts()
    if annotated.partial:
        body.append(element("p", escape(str(annotated))))
    if not total.sentences:
        missing = "complete sentences" if annotated.partial else "sentences"
        return page(title, [*body, element("p", f"There are no {missing}.")])
    reports, summary = [treebank.as_dict(coverage) for treebank in treebanks], total.as_dict(coverage)
    charts = _charts([treebank for treebank in treebanks if treebank.sentences], total, coverage)
    body += [
        element("p", escape(suggestion(summary))),
        html_table(stats_table(reports if len(reports) == 1 else [summary, *reports])),
        element("h2", "Plots") + element("div", "".join(charts), _class="charts"),
    ]
    return page(title, [*body, *_examples(total)])


def _inputs(names: list[str]) -> list[str]:
    """List the files, unless the title names them in full."""
    if short_names(names) == names and len(names) <= MOST_NAMED:
        return []
    items = "".join(element("li", escape(name)) for name in names)
    return [element("ul", items, _class="files quiet")]


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


def _examples(total: TreebankStats) -> list[str]:
    """Draw unusual sentences, the most unusual first."""
    cells = sorted(total.examples, key=lambda cell: (cell[1], -cell[0]))
    pictures = [picture(sentence, number=0) for cell in cells for sentence in total.examples[cell]]
    if not pictures:
        return []
    heading = element("h2", "Unusual sentences: ill-nested, or of block degree 3 and more")
    figures = [figure(drawing, WIDTH, f"example-{place}-") for place, drawing in enumerate(pictures, 1)]
    return [heading, legend(pictures), *figures]
