"""How plots look: colours, marks, panels, axes.

Colours are those of the project's own charts (Okabe & Ito); lines differ in marks and dashes too, so that they can
be told apart in print and by colour-blind readers. Letters are outlines: a plot looks the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wnparse.reports.charts import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALETTE = (*COLOURS, "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
STYLE = {
    "svg.hashsalt": "wnparse",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#d8dee4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "savefig.bbox": "tight",
}
PANELS = 3  # side by side
SMALL, LARGE = (3.0, 2.5), (6.4, 4.2)  # inches


def line_style(place: int) -> dict[str, Any]:
    """Colour, mark and dash of the line in some place."""
    return {
        "color": PALETTE[place % len(PALETTE)],
        "marker": MARKS[place % len(MARKS)],
        "linestyle": DASHES[place % len(DASHES)],
    }


def make_figure(size: tuple[float, float]) -> tuple[Figure, Any]:
    """One large plot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    return figure, figure.subplots()


def label_grid(panels: Sequence[Any], shown: int, columns: int, across: str, up: str) -> None:
    """Name the axes at the edges of a grid of panels, and hide those that show nothing."""
    for panel in panels[shown:]:
        panel.set_visible(False)
    for place, panel in enumerate(panels[:shown]):
        if place % columns == 0:
            panel.set_ylabel(up)
        if place + columns >= shown:
            panel.set_xlabel(across)
            panel.tick_params(labelbottom=True)


def plain_ticks(axis: Any, values: Sequence[float] | None = None) -> None:
    """Label a logarithmic axis with round numbers, written out."""
    from matplotlib.ticker import NullLocator

    low, high = axis.get_view_interval()
    shown = values or _round_numbers(low, high)
    axis.set_ticks(shown, [f"{value:,g}" for value in shown])
    axis.set_minor_locator(NullLocator())
    axis.set_view_interval(low, high, ignore=True)


def _round_numbers(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, ... that lie in a range; only powers of ten in a wide one."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 200 else (1,)
    return [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
