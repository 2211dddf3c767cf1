"""Plots as SVG by matplotlib (the extra `plots`): the same bytes for the same findings."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from reproduction.findings import Findings
from reproduction.laboratory import DECODERS
from reproduction.report.higher_plots import draw_limits, draw_recomputed
from reproduction.report.plot_style import (
    LARGE,
    MARKS,
    PALETTE,
    PANELS,
    SMALL,
    STYLE,
    label_grid,
    line_style,
    make_figure,
    plain_ticks,
)
from reproduction.report.scaling_tables import pooled_bins
from reproduction.report.tables import labelled_peer, ours

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MISSING = "matplotlib is not installed: no plots; pip install 'wnparse[plots]' adds them"


def available() -> bool:
    """Whether there is a matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw_plots(findings: Findings) -> dict[str, str]:
    """All plots that there are findings for: file name without ending, and SVG."""
    import matplotlib as mpl

    mpl.use("svg")
    drawn = {}
    with mpl.rc_context(STYLE):
        for name, draw in PLOTS.items():
            figure = draw(findings)
            if figure is not None:
                drawn[name] = _svg(figure)
    return drawn


def _svg(figure: Figure) -> str:
    """The markup of a figure without date and document type, ready to stand in a page."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    markup = stream.getvalue()
    return markup[markup.index("<svg") :].rstrip() + "\n"


def inline(markup: str, name: str) -> str:
    """A plot within a page: names are its own, its style touches nothing else."""
    markup = re.sub(r"<style[^>]*>.*?</style>", "", markup, flags=re.S)
    markup = re.sub(r"<!--.*?-->", "", markup, flags=re.S)
    markup = re.sub(r"<metadata>.*?</metadata>", "", markup, flags=re.S)
    markup = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', markup)
    markup = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', markup)
    markup = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", markup)
    return markup.replace("<svg ", '<svg class="plot" style="stroke-linejoin: round; max-width: 100%" ', 1)


def draw_optimality(findings: Findings) -> Figure | None:
    """Figure 2: optimality rate against iterations, a panel for each treebank."""
    from matplotlib.figure import Figure

    shown = [(name, result) for name, result in findings.of("optimality") if result["sentences"]]
    if not shown:
        return None
    columns = min(PANELS, len(shown))
    rows = -(-len(shown) // columns)
    width = max(SMALL[0] * columns, 4.6)
    figure = Figure(figsize=(width, SMALL[1] * rows + 0.5), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    handles: dict[str, Any] = {}
    for panel, (name, result) in zip(panels, shown, strict=False):
        for place, (decoder, curve) in enumerate(result["curves"].items()):
            at = [point["iterations"] for point in curve]
            for key, dash, label in (("certified", "-", "proved optimal"), ("optimal", (0, (3, 1.5)), "optimal")):
                style = {"color": PALETTE[(0, 4)[place]], "marker": MARKS[place], "linestyle": dash}
                face = {"markerfacecolor": "white"} if key == "optimal" else {}
                (line,) = panel.plot(at, [point[key] for point in curve], **style, **face)
                handles[f"{decoder}: {label}"] = line
        panel.set_title(f"{name} ({result['sentences']:,} sentences)")
        panel.set_xscale("log")
        plain_ticks(panel.xaxis, (1, 2, 5, 10, 20, 50, 200))
        panel.set_ylim(-3, 103)
    label_grid(panels, len(shown), columns, "subgradient iterations", "optimality rate, %")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=2)
    return figure


def draw_lengths(findings: Findings) -> Figure | None:
    """Time per sentence against its length, both logarithmic."""
    bins = pooled_bins(findings)
    if len(bins) < 2:
        return None
    figure, axes = make_figure(LARGE)
    words = [row["words"] for row in bins]
    for place, (decoder, name) in enumerate(DECODERS.items()):
        axes.plot(words, [row[decoder] for row in bins], label=name, **line_style(place))
    axes.set(xscale="log", yscale="log", xlabel="words in the sentence", ylabel="mean decoding time, µs")
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    axes.legend()
    return figure


def draw_training(findings: Findings) -> Figure | None:
    """Training time against the size of the treebank, both logarithmic."""
    shown = list(findings.of("training"))
    if not shown:
        return None
    figure, axes = make_figure(LARGE)
    for place, (name, result) in enumerate(shown):
        rows = result["rows"]
        axes.plot([r["words"] for r in rows], [r["user_seconds"] for r in rows], label=name, **line_style(place))
    axes.set(xscale="log", yscale="log", xlabel="words in the training data", ylabel="one epoch, s of user time")
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    axes.legend()
    return figure


def draw_jobs(findings: Findings) -> Figure | None:
    """Parsing speed against threads."""
    shown = list(findings.of("jobs"))
    if not shown:
        return None
    figure, axes = make_figure(LARGE)
    for place, (name, result) in enumerate(shown):
        rows = result["rows"]
        speeds = [row["words_per_second"] / 1e3 for row in rows]
        axes.plot([row["jobs"] for row in rows], speeds, label=name, **line_style(place))
    cores = shown[0][1]["cores"]
    axes.axvline(cores, color="#818b98", linewidth=0.8)
    axes.annotate(f" {cores} cores", (cores, 0), xytext=(2, 4), textcoords="offset points", color="#59636e")
    axes.set(xlabel="jobs", ylabel="thousand words/s of the clock")
    loads = findings.loads()
    if loads:
        axes.set_title(f"measured at a load average of {loads[0]:.1f} to {loads[1]:.1f}: the cores were not free")
    axes.set_xticks([row["jobs"] for row in shown[0][1]["rows"]])
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def draw_peers(findings: Findings) -> Figure | None:
    """LAS against speed: an arrow from TurboParser's labelled model to ours."""
    shown = []
    for name, result in findings.of("decoders"):
        peer = labelled_peer(findings, name)
        shown += [(name, peer, ours(result))] if peer else []
    if not shown:
        return None
    figure, axes = make_figure(LARGE)
    for place, (name, peer, own) in enumerate(shown):
        style = line_style(place) | {"linestyle": "-", "linewidth": 1.0}
        speeds, scores = ([row[key] for row in (peer, own)] for key in ("words_per_second", "las"))
        axes.plot(speeds[:1], scores[:1], **style | {"markerfacecolor": "white"}, zorder=3)
        axes.plot(speeds, scores, **style | {"marker": ""}, alpha=0.6)
        axes.plot(speeds[1:], scores[1:], label=name, **style)
    axes.set(xscale="log", xlabel="words/s of user time", ylabel="LAS, %")
    plain_ticks(axes.xaxis)
    axes.legend(title="open: TurboParser 2.3, labelled\nfilled: wnparse", loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def draw_learners(findings: Findings) -> Figure | None:
    """Accuracy against iterations, a line for each learner, a panel for each treebank."""
    from matplotlib.figure import Figure

    shown = [(name, result["rows"]) for name, result in findings.of("learners") if result["rows"]]
    if not shown:
        return None
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    figure = Figure(figsize=(max(3.6 * columns, 4.6), 3.0 * rows + 0.6), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    handles: dict[str, Any] = {}
    for panel, (name, measured) in zip(panels, shown, strict=False):
        for place, learner in enumerate(dict.fromkeys(row["learner"] for row in measured)):
            points = [(row["iterations"], row["accuracy"]) for row in measured if row["learner"] == learner]
            (handles[learner],) = panel.plot(*zip(*points, strict=True), **line_style(place))
        panel.set(title=name, xlabel="iterations", ylabel="accuracy (UAS), %")
        panel.set_xticks(sorted({row["iterations"] for row in measured}))
    for panel in panels[len(shown) :]:
        panel.set_visible(False)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=2)
    return figure


PLOTS = {
    "optimality": draw_optimality,
    "automata": draw_recomputed,
    "early-stopping": draw_limits,
    "learners": draw_learners,
    "peers": draw_peers,
    "time-by-length": draw_lengths,
    "training-time": draw_training,
    "speed-by-jobs": draw_jobs,
}
