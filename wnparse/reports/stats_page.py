"""The structure of treebanks as a page: the table of the terminal, plots, unusual sentences drawn."""

from __future__ import annotations

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import MOST_NAMED, short_names, title_of
from wnparse.drawing.page import WIDTH, figure, legend, page
from wnparse.drawing.picture import picture
from wnparse.reports.charts import Series, bar_chart, line_chart
from wnparse.reports.html_tables import html_table
from wnparse.reports.stats_tables import coverage_depth, length_histogram, stats_table, suggestion
from wnparse.treebanks.stats import TreebankStats

MOST_BARS = 4  # treebanks side by side in a histogram; of more, only the sum is drawn


def statistics_page(each: list[TreebankStats], total: TreebankStats, coverage: float) -> str:
    """Make the page of some treebanks.

    Parameters
    ----------
    each : list of TreebankStats
        One for each input.
    total : TreebankStats
        Their sum, with the examples that are to be drawn.
    coverage : float
        Percentage of sentences that the suggested constraints must cover.
    """
    names = [part.name for part in each]
    title = f"Structure of {title_of(names)}"
    body = [element("h1", escape(title)), *_inputs(names)]
    if not total.sentences:
        return page(title, [*body, element("p", "There are no sentences.")])
    reports = [part.as_dict(coverage) for part in each]
    summary = total.as_dict(coverage)
    body.append(element("p", escape(suggestion(summary))))
    columns = reports if len(reports) == 1 else [summary, *reports]
    body.append(html_table(stats_table(columns)))
    filled = [part for part in each if part.sentences]
    body.append(
        element("h2", "Plots") + element("div", "".join(_charts(filled, total, coverage)), _class="charts")
    )
    return page(title, [*body, *_examples(total)])


def _inputs(names: list[str]) -> list[str]:
    """Where the files are, unless the title has said it."""
    if short_names(names) == names and len(names) <= MOST_NAMED:
        return []
    items = "".join(element("li", escape(name)) for name in names)
    return [element("ul", items, _class="files quiet")]


def _charts(each: list[TreebankStats], total: TreebankStats, coverage: float) -> list[str]:
    shown = each if len(each) <= MOST_BARS else [total]
    names = short_names([part.name for part in shown])
    degrees = range(1, max(part.largest_block_degree for part in shown) + 1)
    shares = [part.as_dict(coverage)["block_degree"]["percent"] for part in shown]
    histogram = [[share.get(str(degree), 0.0) for degree in degrees] for share in shares]
    bins = [name for name, _ in length_histogram(total)]
    lengths = [[dict(length_histogram(part)).get(name, 0.0) for name in bins] for part in shown]
    bounds = range(1, coverage_depth([total.as_dict(coverage)]) + 1)
    covered = [
        Series(name, [total.covered(bound, nested) for bound in bounds], place)
        for place, (name, nested) in enumerate([("well-nested", True), ("any nesting", False)])
    ]
    unit = "% of the sentences"
    return [
        bar_chart(
            "Block degree",
            list(map(str, degrees)),
            _series(names, histogram),
            x_title="block degree",
            y_title=unit,
        ),
        line_chart("Coverage", [f"≤ {bound}" for bound in bounds], covered, x_title="block degree", y_title=unit),
        bar_chart("Sentence length", bins, _series(names, lengths), x_title="words in the sentence", y_title=unit),
    ]


def _series(names: list[str], values: list[list[float]]) -> list[Series]:
    return [Series(name, row, place) for place, (name, row) in enumerate(zip(names, values, strict=True))]


def _examples(total: TreebankStats) -> list[str]:
    """Unusual sentences, the most unusual first."""
    cells = sorted(total.examples, key=lambda cell: (cell[1], -cell[0]))
    found = [sentence for cell in cells for sentence in total.examples[cell]]
    if not found:
        return []
    pictures = [picture(sentence, number=0) for sentence in found]
    heading = element("h2", "Unusual sentences: ill-nested, or of block degree 3 and more")
    figures = [figure(shown, WIDTH, f"example-{place}-") for place, shown in enumerate(pictures, 1)]
    return [heading, legend(pictures), *figures]
