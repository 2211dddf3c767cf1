"""The page of ``wnparse eval``: the tables of the terminal, plots, confusions, pictures of the worst sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import title_of
from wnparse.drawing.page import WIDTH, anchor, figure, legend, page
from wnparse.drawing.picture import Picture
from wnparse.evaluation.evaluate import BREAKDOWNS, Evaluation
from wnparse.evaluation.metrics import BLOCK_DEGREES, Percentage, Validity
from wnparse.reports.charts import bar_chart, line_chart, make_series, row_chart
from wnparse.reports.eval_tables import (
    breakdown_tables,
    describe_inputs,
    evaluation_result,
    score_tables,
    short_labels,
)
from wnparse.reports.html_tables import beside, html_table, result
from wnparse.reports.tables import Table
from wnparse.reports.worst import WorstSentence, WorstSentences
from wnparse.treebanks.pictures import picture

MOST_RELATIONS = 20  # in the plot; the table has all
MOST_CONFUSED = 16  # rows and columns of the confusion table; the rest is "other"
OTHER = "(other)"  # not the name of a relation


def evaluation_page(
    evaluation: Evaluation,
    names: list[str],
    worst: WorstSentences,
    *,
    ignored: Collection[str] = (),
    constraint: str = "",
    tables: Sequence[Table] = (),
) -> str:
    """Make the page of an evaluation.

    Parameters
    ----------
    evaluation : Evaluation
        The results, with all of `BREAKDOWNS`.
    names : list of str
        Names of gold and the systems.
    worst : WorstSentences
        The sentences to draw, which it collected during the evaluation.
    ignored : collection of str
        Tags whose words are not scored.
    constraint : str
        The constraint whose validity was counted, in words.
    tables : sequence of Table
        More tables, which follow those of the evaluation.
    """
    labels = short_labels(names[1:])
    title = f"Evaluation against {title_of(names[:1])}"
    inputs = [f"{escape(name)}: {escape(text)}" for name, text in describe_inputs(evaluation, names, ignored)]
    body = [element("h1", "Evaluation"), element("p", "<br>".join(inputs))]
    if not evaluation.sentences:
        return page(title, [*body, element("p", "There are no sentences.")])
    body.insert(1, result(evaluation_result(evaluation, labels)))
    scores = [element("section", html_table(table)) for table in score_tables(evaluation, labels, constraint)]
    body.append(beside([element("div", "".join(scores), _class="charts")], _charts(evaluation, labels)))
    body += map(html_table, [*breakdown_tables(evaluation, labels, BREAKDOWNS), *tables])
    for label, system in zip(labels, evaluation.systems, strict=True):
        if evaluation.same_words:
            body.append(_confusion(label, "relations", system.by_confusion))
            body.append(_confusion(label, "tags", system.tag_confusion))
    body += [_worst(label, index, worst.of(index)) for index, label in enumerate(labels)]
    return page(title, body)


def _charts(evaluation: Evaluation, labels: list[str]) -> list[str]:
    unit = "% of the sentences"
    inputs, validities = ["gold", *labels], [evaluation.gold, *(system.validity for system in evaluation.systems)]
    structures = ["projective", "single root", "well-nested", "block degree ≤ 2", "both"]
    series = make_series(inputs, [_percentages(validity) for validity in validities], first=-1)
    charts = [row_chart("Trees with each structure", structures, series, x_title=unit)]
    degrees = [*map(str, BLOCK_DEGREES), f">{BLOCK_DEGREES[-1]}"]
    series = make_series(inputs, [_histogram(validity) for validity in validities], first=-1)
    charts.append(bar_chart("Block degree", degrees, series, x_title="block degree", y_title=unit))
    if not evaluation.same_words:
        return charts
    by_relation = [system.by_relation for system in evaluation.systems]
    relations = list(by_relation[0])[:MOST_RELATIONS]
    series = make_series(labels, [[retrieval[name].f1 for name in relations] for retrieval in by_relation])
    rows = [f"{name} ({by_relation[0][name].gold})" for name in relations]
    charts.append(row_chart("F1 by relation, counted as in LAS (number in gold)", rows, series, x_title="F1, %"))
    return [*_length_charts(evaluation, labels), *charts]


def _length_charts(evaluation: Evaluation, labels: list[str]) -> list[str]:
    by_length, charts = [system.by_length for system in evaluation.systems], []
    lengths, sizes = list(by_length[0]), [scores.sentences for scores in by_length[0].values()]
    for key in ("uas", "las"):
        series = make_series(labels, [[getattr(scores[name], key) for name in lengths] for scores in by_length])
        axes = {"x_title": "words in the sentence (n sentences)", "y_title": f"{key.upper()}, %"}
        charts.append(line_chart(f"{key.upper()} by sentence length", lengths, series, **axes, sizes=sizes))
    return charts


def _percentages(validity: Validity) -> list[Percentage]:
    both = validity.well_nested_block_degree[2]
    return [validity.projective, validity.single_root, validity.well_nested, validity.block_degree[2], both]


def _histogram(validity: Validity) -> list[Percentage]:
    """Compute the percentage of each block degree from the percentages up to it."""
    cumulative = [0.0, *(validity.block_degree[k] or 0.0 for k in BLOCK_DEGREES), 100.0]
    return [round(high - low, 9) for low, high in pairwise(cumulative)]


def _confusion(label: str, what: str, confusion: dict[str, dict[str, int]]) -> str:
    """Make a square table of relations or tags, gold by row; the larger a percentage of the row, the darker."""
    order = list(confusion)[:MOST_CONFUSED]
    cells: Counter[tuple[str, str]] = Counter()
    for gold, row in confusion.items():
        for other, count in row.items():
            cells[gold if gold in order else OTHER, other if other in order else OTHER] += count
    if any(OTHER in pair for pair in cells):
        order.append(OTHER)
    head = element("th", "gold ↓ system →", scope="col")
    head += "".join(element("th", escape(name), scope="col", _class="turned") for name in order)
    rows = [element("tr", head)]
    for gold in order:
        total = sum(cells[gold, other] for other in order)
        parts = [element("th", escape(gold), scope="row")]
        parts += [_cell(cells[gold, other], total, gold, other) for other in order]
        rows.append(element("tr", "".join(parts)))
    one = what.removesuffix("s")
    heads = ", regardless of the head" if what == "relations" else ""
    note = f"Number of words per {one}{heads}; errors are shaded by their percentage of the gold {one}."
    heading = element("h2", escape(f"{what.capitalize()} of {label}"))
    table = element("div", element("table", "".join(rows), _class="confusion"), _class="wide")
    return heading + element("p", escape(note), _class="quiet") + table


def _cell(count: int, total: int, gold: str, other: str) -> str:
    if not count:
        return element("td")
    if gold == other:  # words counted as other may be right or wrong
        return element("td", str(count) if gold == OTHER else element("b", str(count)))
    # Even 1 % must be visible.
    share = round(0.08 + 0.52 * count / total, 3)
    return element("td", str(count), style=f"--share: {share}", data_heat=share)


def _worst(label: str, index: int, sentences: list[WorstSentence]) -> str:
    """Make a table of the worst sentences of a system, with links to their pictures, and the pictures."""
    if not sentences:
        return ""
    prefix = f"s{index + 1}-"
    pictures = [picture(sentence.gold, sentence.number, sentence.system) for sentence in sentences]
    rows = [_link(sentence, drawing, prefix) for sentence, drawing in zip(sentences, pictures, strict=True)]
    names = ["sentence", "words scored", "wrong heads", "wrong heads or relations", "text"]
    last = len(names) - 1
    cells = [element("th", name, scope="col", _class="words" if k == last else "") for k, name in enumerate(names)]
    head = element("tr", "".join(cells))
    table = element("div", element("table", head + "".join(rows)), _class="wide")
    figures = "\n".join(figure(drawing, WIDTH, prefix, named=False) for drawing in pictures)
    heading = element("h2", escape(f"Sentences with the most errors of {label}"))
    return f"{heading}{table}{legend(pictures)}{figures}"


def _link(sentence: WorstSentence, drawing: Picture, prefix: str) -> str:
    name = f"{drawing.number} {drawing.sent_id}".strip()
    cells = [element("td", element("a", escape(name), href=f"#{anchor(drawing, prefix)}"))]
    counts = (sentence.scored, sentence.wrong_heads, sentence.wrong_arcs)
    cells += [element("td", str(count)) for count in counts]
    cells.append(element("td", escape(" ".join(drawing.forms[1:])), _class="words", dir="auto"))
    return element("tr", "".join(cells))
