"""Charts as SVG: bars and lines by category, for pages and print.

Colours are those of Okabe & Ito (*Color Universal Design*), which colour-blind readers can distinguish. Lines also
differ in their marks and bars in their order, and the value of every bar is written at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor
from operator import itemgetter

from wnparse.drawing.markup import element, escape, text_width

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8a6d00")
NEUTRAL = "#818b98"
FONT = 11
TOP, BOTTOM, LEFT, RIGHT = 36, 44, 52, 14
HEIGHT = 190  # of the plotting area of upright charts
BAR, BETWEEN_BARS, BETWEEN_GROUPS = 15, 1, 10
LEGEND_LINE = 17
MARK = 4
FEWEST = 10  # sentences; the score of fewer is random, and no trend is drawn through it


@dataclass(frozen=True)
class Series:
    """One value for each category; None where there is nothing to count."""

    name: str
    values: Sequence[float | None]
    place: int  # selects colour and mark; -1 is neutral, for the reference of a comparison

    @property
    def colour(self) -> str:
        """The colour of lines and bars."""
        return NEUTRAL if self.place < 0 else COLOURS[self.place % len(COLOURS)]


def make_series(names: Sequence[str], values: Sequence[Sequence[float | None]], first: int = 0) -> list[Series]:
    """Make series of names and values; the first one has the place `first`."""
    return [Series(name, row, place) for place, (name, row) in enumerate(zip(names, values, strict=True), first)]


def _number(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value else "0"


def _text(text: str, x: float, y: float, *, anchor: str = "middle", kind: str = "", **more: str) -> str:
    return element("text", escape(text), x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, _class=kind, **more)


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("path", d=f"M{x1:g} {y1:g}L{x2:g} {y2:g}", _class="rule")


def _chart(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    heading = element("text", escape(title), x="4", y="15", _class="chart-title")
    width = max(width, text_width(title, 14) + 12)
    size = {"width": ceil(width), "height": ceil(height), "viewBox": f"0 0 {ceil(width)} {ceil(height)}"}
    return element("svg", heading + "".join(parts), _class="chart", role="img", aria_label=title, **size)


def _legend(series: Sequence[Series], x: float, y: float, width: float, *, lines: bool) -> tuple[str, float]:
    """Write the names of the series, as many per line as fit; return also the height."""
    if len(series) < 2:
        return "", 0.0
    parts, left, baseline = [], x, y
    for one in series:
        needed = 26 + text_width(one.name, FONT)
        if left > x and left + needed > x + width:
            left, baseline = x, baseline + LEGEND_LINE
        sample = _mark(one, left + 6, baseline - 4) if lines else _box(one, left, baseline - 9, 12, 10)
        parts.append(sample + _text(one.name, left + 17, baseline, anchor="start"))
        left += needed
    return "".join(parts), baseline - y + LEGEND_LINE + 4


def _box(one: Series, x: float, y: float, width: float, height: float) -> str:
    size = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    return element("rect", fill=one.colour, **size)


def _mark(one: Series, x: float, y: float, *, few: bool = False) -> str:
    """Draw a circle, square, triangle or diamond; hollow if the value is that of few sentences."""
    m = MARK
    shapes = (
        f"M{x - m:g} {y:g}a{m} {m} 0 1 0 {2 * m} 0a{m} {m} 0 1 0 {-2 * m} 0Z",
        f"M{x - m:g} {y - m:g}h{2 * m}v{2 * m}h{-2 * m}Z",
        f"M{x:g} {y - m - 1:g}l{m + 1} {2 * m}h{-2 * m - 2}Z",
        f"M{x:g} {y - m - 1:g}l{m + 1} {m + 1}l{-m - 1} {m + 1}l{-m - 1} {-m - 1}Z",
    )
    shape = shapes[one.place % len(shapes)]
    if few:
        return element("path", d=shape, fill="none", stroke=one.colour, _class="few")
    return element("path", d=shape, fill=one.colour)


def _ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers that enclose a range."""
    step = next(step for step in (1, 2, 5, 10, 20, 25) if (high - low) / step <= 5 or step == 25)
    first, last = floor(low / step), ceil(high / step)
    if first == last:  # nothing is over 100 %
        first, last = (first - 1, last) if first else (0, 1)
    return [step * number for number in range(first, last + 1)]


def _upright_axes(ticks: list[float], width: float, x_title: str, y_title: str, *, lower: float = 0) -> list[str]:
    parts = []
    for tick in ticks:
        y = TOP + HEIGHT * (1 - (tick - ticks[0]) / (ticks[-1] - ticks[0]))
        parts += [_rule(LEFT, y, LEFT + width, y), _text(f"{tick:g}", LEFT - 6, y + 4, anchor="end")]
    middle = TOP + HEIGHT / 2
    parts.append(_text(y_title, 13, middle, transform=f"rotate(-90 13 {middle:g})"))
    parts.append(_text(x_title, LEFT + width / 2, TOP + HEIGHT + 36 + lower))
    return parts


def bar_chart(
    title: str, categories: Sequence[str], series: Sequence[Series], *, x_title: str, y_title: str
) -> str:
    """Draw upright bars from 0, grouped by category."""
    widest = max((text_width(name, FONT) for name in categories), default=0)
    bar = 34 if len(series) == 1 else 30  # a value must fit above its bar
    group = max(len(series) * (bar + BETWEEN_BARS), widest) + BETWEEN_GROUPS
    width = max(group * len(categories), 150)
    ticks = _ticks(0, max((value or 0 for one in series for value in one.values), default=0))
    parts = _upright_axes(ticks, width, x_title, y_title)
    for place, name in enumerate(categories):
        middle = LEFT + width / len(categories) * (place + 0.5)
        parts.append(_text(name, middle, TOP + HEIGHT + 16))
        for index, one in enumerate(series):
            value = one.values[place]
            if value is None:
                continue
            x = middle + (index - len(series) / 2) * (bar + BETWEEN_BARS)
            size = HEIGHT * value / ticks[-1]
            parts.append(_box(one, x, TOP + HEIGHT - size, bar, size))
            parts.append(_text(_number(value), x + bar / 2, TOP + HEIGHT - size - 3, kind="value"))
    legend, height = _legend(series, LEFT, TOP + HEIGHT + BOTTOM + 10, width, lines=False)
    return _chart(title, LEFT + width + RIGHT, TOP + HEIGHT + BOTTOM + height, [*parts, legend])


def line_chart(
    title: str,
    categories: Sequence[str],
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    sizes: Sequence[int] = (),
) -> str:
    """Draw a line for each series; the axis covers the values, and need not begin at 0.

    With `sizes`, the number of sentences of each category is written below it; values of fewer than `FEWEST`
    sentences are pale, hollow marks without a line.
    """
    known = [value for one in series for value in one.values if value is not None]
    ticks = _ticks(min(known, default=0), max(known, default=100))
    counts = [f"n = {size}" for size in sizes]
    step = max(52, max((text_width(name, FONT) for name in [*categories, *counts]), default=0) + 8)
    width = max(step * len(categories), 240)
    notes = 1 + any(size < FEWEST for size in sizes) if sizes else 0
    parts = _upright_axes(ticks, width, x_title, y_title, lower=bool(sizes) * LEGEND_LINE)
    places = [LEFT + width / len(categories) * (place + 0.5) for place in range(len(categories))]
    parts += [_text(name, x, TOP + HEIGHT + 16) for name, x in zip(categories, places, strict=True)]
    parts += [_text(count, x, TOP + HEIGHT + 30, kind="value") for count, x in zip(counts, places, strict=False)]
    small = [size < FEWEST for size in sizes] or [False] * len(categories)
    for one in series:
        points = [
            (x, round(TOP + HEIGHT * (1 - (value - ticks[0]) / (ticks[-1] - ticks[0])), 1), few)
            for x, value, few in zip(places, one.values, small, strict=True)
            if value is not None
        ]
        for few, run in groupby(points, key=itemgetter(2)):
            stretch = list(run)
            if not few and len(stretch) > 1:
                path = "M" + "L".join(f"{x:g} {y:.1f}" for x, y, _ in stretch)
                parts.append(element("path", d=path, stroke=one.colour, _class="line"))
            parts += [_mark(one, x, y, few=few) for x, y, _ in stretch]
    bottom = TOP + HEIGHT + BOTTOM + notes * LEGEND_LINE
    if notes > 1:
        note = f"hollow: fewer than {FEWEST} sentences"
        parts.append(_text(note, LEFT, bottom - 3, anchor="start", kind="value"))
    legend, height = _legend(series, LEFT, bottom + 10, width, lines=True)
    return _chart(title, LEFT + width + RIGHT, bottom + height, [*parts, legend])


def row_chart(
    title: str, categories: Sequence[str], series: Sequence[Series], *, x_title: str, width: int = 380
) -> str:
    """Draw level bars from 0 to 100, grouped by category: for many categories, or long names."""
    names = max((text_width(name, FONT) for name in categories), default=0) + 12
    group = len(series) * (BAR + BETWEEN_BARS) + BETWEEN_GROUPS
    bottom = TOP + group * len(categories)
    parts = []
    for tick in range(0, 101, 20):
        x = names + width * tick / 100
        parts += [_rule(x, TOP, x, bottom), _text(str(tick), x, bottom + 14)]
    parts.append(_text(x_title, names + width / 2, bottom + 32))
    for place, name in enumerate(categories):
        top = TOP + group * place + BETWEEN_GROUPS / 2
        parts.append(_text(name, names - 6, top + (group - BETWEEN_GROUPS) / 2 + 4, anchor="end"))
        for index, one in enumerate(series):
            value = one.values[place]
            y, length = top + index * (BAR + BETWEEN_BARS), width * (value or 0) / 100
            parts.append(_box(one, names, y, length, BAR))
            text = "n/a" if value is None else _number(value)
            parts.append(_text(text, names + length + 4, y + 11, anchor="start", kind="value"))
    legend, height = _legend(series, names, bottom + BOTTOM + 10, width, lines=False)
    return _chart(title, names + width + 44, bottom + BOTTOM + height, [*parts, legend])
