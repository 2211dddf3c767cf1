"""An evaluation as a page: the tables of the terminal, plots, confused relations, the worst sentences drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import title_of
from wnparse.drawing.page import WIDTH, anchor, figure, legend, page
from wnparse.drawing.picture import Picture, picture
from wnparse.evaluation.evaluate import BREAKDOWNS, Evaluation
from wnparse.evaluation.metrics import BLOCK_DEGREES, Percentage, Validity
from wnparse.reports.charts import Series, bar_chart, line_chart, row_chart
from wnparse.reports.eval_tables import describe_inputs, evaluation_tables, short_labels
from wnparse.reports.html_tables import html_table
from wnparse.reports.tables import Table
from wnparse.reports.worst import BadSentence, WorstSentences

MOST_RELATIONS = 20  # in the plot; the table has all
MOST_CONFUSED = 16  # rows and columns of the confusion table; the rest is "other"
OTHER = "(other)"  # no relation is called that


def evaluation_page(
    evaluation: Evaluation,
    names: list[str],
    worst: WorstSentences,
    *,
    ignored: Collection[str] = (),
    constraint: str = "",
    tables: Sequence[Table] = (),
) -> str:
    """Make the page of an evaluation that was asked for every breakdown.

    Parameters
    ----------
    evaluation : Evaluation
        With all of `BREAKDOWNS`.
    names : list of str
        Of gold and the systems.
    worst : WorstSentences
        What watched the evaluation.
    ignored : collection of str
        Tags whose words are not scored.
    constraint : str
        The constraint whose validity was asked for, in words.
    tables : sequence of Table
        Others, which follow its own.
    """
    labels = short_labels(names[1:])
    title = f"Evaluation against {title_of(names[:1])}"
    body = [element("h1", escape(title)), _inputs(evaluation, names, ignored)]
    own = evaluation_tables(evaluation, labels, constraint, BREAKDOWNS)
    if not evaluation.sentences:
        return page(title, [*body, element("p", "There are no sentences.")])
    side_by_side = "".join(element("section", html_table(table)) for table in own[:2])
    body.append(element("div", side_by_side, _class="charts"))
    body.append(element("h2", "Plots") + element("div", "".join(_charts(evaluation, labels)), _class="charts"))
    body += [html_table(table) for table in [*own[2:], *tables]]
    for label, system in zip(labels, evaluation.systems, strict=True):
        body.append(_confusion(label, "relations", system.by_confusion))
        body.append(_confusion(label, "tags", system.tag_confusion))
    for index, label in enumerate(labels):
        body.append(_worst(label, index, worst.of(index)))
    return page(title, body)


def _inputs(evaluation: Evaluation, names: list[str], ignored: Collection[str]) -> str:
    lines = describe_inputs(evaluation, names, ignored)
    return element("p", "<br>".join(f"{escape(name)}: {escape(text)}" for name, text in lines))


def _charts(evaluation: Evaluation, labels: list[str]) -> list[str]:
    systems = evaluation.systems
    everything = [("gold", evaluation.gold), *zip(labels, (system.validity for system in systems), strict=True)]
    lengths = list(systems[0].by_length)
    sizes = [found.sentences for found in systems[0].by_length.values()]
    charts = []
    for key in ("uas", "las"):
        lines = [
            Series(label, [getattr(system.by_length[name], key) for name in lengths], place)
            for place, (label, system) in enumerate(zip(labels, systems, strict=True))
        ]
        title = f"{key.upper()} by sentence length"
        axes = {"x_title": "words in the sentence (n sentences)", "y_title": f"{key.upper()}, %"}
        charts.append(line_chart(title, lengths, lines, **axes, sizes=sizes))
    kinds = ["projective", "single root", "well-nested", "block degree ≤ 2", "both"]
    shares = [Series(label, _shares(found), place) for place, (label, found) in enumerate(everything, -1)]
    charts.append(row_chart("Trees with each structure", kinds, shares, x_title="% of the sentences"))
    degrees = [*map(str, BLOCK_DEGREES), f">{BLOCK_DEGREES[-1]}"]
    histogram = [Series(label, _histogram(found), place) for place, (label, found) in enumerate(everything, -1)]
    charts.append(
        bar_chart("Block degree", degrees, histogram, x_title="block degree", y_title="% of the sentences")
    )
    relations = list(systems[0].by_relation)[:MOST_RELATIONS]
    found = [
        Series(label, [system.by_relation[name].f1 for name in relations], place)
        for place, (label, system) in enumerate(zip(labels, systems, strict=True))
    ]
    shown = [f"{name} ({systems[0].by_relation[name].gold})" for name in relations]
    title = "F1 by relation, right as in LAS (number in gold)"
    charts.append(row_chart(title, shown, found, x_title="F1, %"))
    return charts


def _shares(found: Validity) -> list[Percentage]:
    both = found.well_nested_block_degree[2]
    return [found.projective, found.single_root, found.well_nested, found.block_degree[2], both]


def _histogram(found: Validity) -> list[Percentage]:
    """Shares of each block degree from the shares up to it."""
    below = [0.0, *(found.block_degree[k] or 0.0 for k in BLOCK_DEGREES), 100.0]
    return [round(high - low, 9) for low, high in pairwise(below)]


def _confusion(label: str, what: str, found: dict[str, dict[str, int]]) -> str:
    """A square table of relations or tags, gold by row; the darker, the larger the share of the row."""
    order = list(found)[:MOST_CONFUSED]
    cells: Counter[tuple[str, str]] = Counter()
    for gold, row in found.items():
        for other, count in row.items():
            cells[gold if gold in order else OTHER, other if other in order else OTHER] += count
    if any(OTHER in pair for pair in cells):
        order.append(OTHER)
    heading = element("th", "gold ↓ system →", scope="col")
    heading += "".join(element("th", escape(name), scope="col", _class="turned") for name in order)
    rows = [element("tr", heading)]
    for gold in order:
        total = sum(cells[gold, other] for other in order)
        parts = [element("th", escape(gold), scope="row")]
        parts += [_cell(cells[gold, other], total, gold, other) for other in order]
        rows.append(element("tr", "".join(parts)))
    one = what.removesuffix("s")
    heads = ", whatever their heads" if what == "relations" else ""
    note = f"Words by {one}{heads}; wrong ones are shaded by their share of gold's {one}."
    table = element("div", element("table", "".join(rows), _class="confusion"), _class="wide")
    return (
        element("h2", escape(f"{what.capitalize()} of {label}"))
        + element("p", escape(note), _class="quiet")
        + table
    )


def _cell(count: int, total: int, gold: str, other: str) -> str:
    if not count:
        return element("td")
    if gold == other:  # what is gathered as other may be right or wrong
        return element("td", str(count) if gold == OTHER else element("b", str(count)))
    # Even one word in a hundred is to be seen.
    share = round(0.08 + 0.52 * count / total, 3)
    return element("td", str(count), style=f"--share: {share}", data_heat=share)


def _worst(label: str, index: int, found: list[BadSentence]) -> str:
    """The worst sentences of a system: a table of links, and their pictures."""
    if not found:
        return ""
    prefix = f"s{index + 1}-"
    pictures = [picture(bad.gold, bad.number, bad.system) for bad in found]
    rows = [_link(bad, shown, prefix) for bad, shown in zip(found, pictures, strict=True)]
    names = ["sentence", "words scored", "wrong heads", "wrong heads or relations", "text"]
    last = len(names) - 1
    cells = [element("th", name, scope="col", _class="words" if k == last else "") for k, name in enumerate(names)]
    head = element("tr", "".join(cells))
    table = element("div", element("table", head + "".join(rows)), _class="wide")
    drawn = "\n".join(figure(shown, WIDTH, prefix) for shown in pictures)
    heading = element("h2", escape(f"Sentences with the most errors of {label}"))
    return f"{heading}{table}{legend(pictures)}{drawn}"


def _link(bad: BadSentence, shown: Picture, prefix: str) -> str:
    name = f"{shown.number} {shown.sent_id}".strip()
    cells = [element("td", element("a", escape(name), href=f"#{anchor(shown, prefix)}"))]
    cells += [element("td", str(count)) for count in (bad.scored, bad.wrong_heads, bad.wrong_arcs)]
    cells.append(element("td", escape(" ".join(shown.forms[1:])), _class="words", dir="auto"))
    return element("tr", "".join(cells))
