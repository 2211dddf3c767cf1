"""Plots of Koo et al. 2010: automata that iterations run again, and what early stopping costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reproduction.findings import Findings
from reproduction.koo2010.measurements import LONGEST_LOOP, TRACED
from reproduction.report.higher_tables import SHORT
from reproduction.report.plot_style import MARKS, PALETTE, PANELS, SMALL, label_grid, line_style, plain_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = 5  # sentences that a point is the mean of
DASHED = (0, (3, 1.5))
MEASURES = {"uas": "UAS", "certified": "certificates", "same": f"same tree as K = {LONGEST_LOOP:,}"}


def draw_recomputed(findings: Findings) -> Figure | None:
    """Figure 3: the share of the automata that an iteration runs; a panel for each model, a line a treebank."""
    from matplotlib.figure import Figure

    shown = list(findings.of("automata"))
    if not shown:
        return None
    figure = Figure(figsize=(2 * SMALL[0] + 0.4, SMALL[1] + 0.7), layout="constrained")
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    handles: dict[str, Any] = {}
    for panel, kind in zip(panels, TRACED, strict=True):
        for place, (name, result) in enumerate(shown):
            points = [p for p in result["rows"][kind]["recomputed"] if p["sentences"] >= FEWEST]
            at, shares = ([point[key] for point in points] for key in ("iterations", "percent"))
            (handles[name],) = panel.plot(at, shares, **line_style(place))
        panel.set(title=SHORT[kind], xscale="log", xlabel="iterations", ylim=(0, 103))
        plain_ticks(panel.xaxis, (1, 2, 5, 10, 20, 50, 200))
    panels[0].set_ylabel("automata run again, %")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    return figure


def draw_limits(findings: Findings) -> Figure | None:
    """Figure 4: accuracy, certificates and match against the limit of iterations, a panel for each treebank."""
    from matplotlib.figure import Figure

    shown = list(findings.of("automata"))
    if not shown:
        return None
    columns = min(PANELS, len(shown))
    rows = -(-len(shown) // columns)
    size = (max(SMALL[0] * columns, 4.6), SMALL[1] * rows + 0.8)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    handles: dict[str, Any] = {}
    for panel, (name, result) in zip(panels, shown, strict=False):
        for place, (key, label) in enumerate(MEASURES.items()):
            for kind, dash in zip(TRACED, (DASHED, "-"), strict=True):
                points = result["rows"][kind]["limits"]
                style = {"color": PALETTE[place], "marker": MARKS[place], "linestyle": dash}
                face = {"markerfacecolor": "white"} if dash == DASHED else {}
                at, values = ([point[which] for point in points] for which in ("iterations", key))
                (handles[f"{label}, {SHORT[kind]}"],) = panel.plot(at, values, **style, **face)
        panel.set(title=name, xscale="log", ylim=(None, 102))
        plain_ticks(panel.xaxis, (1, 10, 100, 1_000))
    label_grid(panels, len(shown), columns, "limit of iterations, K", "%")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=2)
    return figure
