"""The page of ``wnparse rules``: the table of the terminal, and drawings of sentences that break rules."""

from __future__ import annotations

from collections.abc import Sequence

from wnparse.drawing.markup import element, escape
from wnparse.drawing.names import title_of
from wnparse.drawing.page import WIDTH, figure, file_list, legend, page
from wnparse.drawing.picture import Picture
from wnparse.reports.html_tables import html_table, result
from wnparse.reports.rule_tables import coverage_table, rules_result, summary_lines
from wnparse.rules.breaking import mark_violations
from wnparse.rules.coverage import RuleCounts
from wnparse.treebanks.pictures import picture
from wnparse.wording import counted


def rules_page(names: Sequence[str], treebanks: Sequence[RuleCounts], total: RuleCounts, coverage: float) -> str:
    """Make the page of some treebanks and rules.

    Parameters
    ----------
    names : sequence of str
        Names of the treebanks.
    treebanks : sequence of RuleCounts
        Counts of each treebank.
    total : RuleCounts
        Their sum, with the examples to draw.
    coverage : float
        Percentage of its cases in which a treebank must satisfy a rule for `train` to keep it.
    """
    title = f"Rules of {total.rules.name} in {title_of(list(names))}"
    body = [element("h1", escape(f"Rules of {total.rules.name}")), file_list(names)]
    if not total.sentences:
        return page(title, [*body, element("p", "There are no sentences.")])
    body.insert(1, result(rules_result(total)))
    body += [element("p", escape(line)) for line in summary_lines(total, coverage)[1:]]
    body.append(html_table(coverage_table(names, treebanks, total, coverage)))
    return page(title, [*body, *_examples(total, named=len(names) > 1)])


def _examples(total: RuleCounts, *, named: bool) -> list[str]:
    """Draw the examples of each rule under its name, its reason and the number of sentences that break it.

    `named` is whether captions name the file.
    """
    parts: list[str] = []
    pictures: list[Picture] = []
    for rule, tally, examples in zip(total.rules, total.tallies, total.examples, strict=True):
        if not examples:
            continue
        drawings = [mark_violations(picture(sentence, number=0), violations) for sentence, violations in examples]
        first = f"; the first {len(drawings)} of them:" if len(drawings) < tally.sentences else ":"
        count = (
            f"{tally.broken:,} of {counted(tally.cases, 'case')} broken, in {counted(tally.sentences, 'sentence')}"
        )
        parts.append(element("h2", escape(rule.name)) + element("p", escape(rule.reason)))
        parts.append(element("p", escape(count + first), _class="quiet"))
        start = len(pictures) + 1
        parts += [
            figure(drawing, WIDTH, f"example-{place}-", named=named)
            for place, drawing in enumerate(drawings, start)
        ]
        pictures += drawings
    return [legend(pictures), *parts] if pictures else []
