"""What a run has found, and the papers' own figures beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reproduction.store import Result, say

PAPERS: dict[str, Any] = json.loads(Path(__file__).with_name("paper_figures.json").read_text("utf-8"))
CORRO, KOO, ZONG = PAPERS["corro2016"], PAPERS["koo2010"], PAPERS["zong2012"]
MARTINS = PAPERS["martins2009"]
RIEDEL = PAPERS["riedel2006"]
SAME_RELEASE = "ud12"  # part of the names of treebanks that are the paper's own, as far as there are files


@dataclass
class Findings:
    """All results of a run, by step and treebank."""

    treebanks: list[str]
    options: dict[str, Any]
    machine: str
    results: dict[str, dict[str, Result]] = field(default_factory=dict)
    recorded: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # peers' figures from elsewhere
    left_out: dict[str, list[str]] = field(default_factory=dict)  # what and why, and the treebanks concerned
    date: str = ""

    def add(self, step: str, treebank: str, result: Result) -> None:
        """Put a result in its place."""
        self.results.setdefault(step, {})[treebank] = result

    def skip(self, what: str, treebank: str = "") -> None:
        """Tell, now and in the report, what is left out and why."""
        where = self.left_out.setdefault(what, [])
        if not treebank or treebank not in where:
            say(f"{treebank}: {what}" if treebank else what)
            where.extend([treebank] if treebank else [])

    def loads(self) -> tuple[float, float] | None:
        """The least and the largest load average before runs of the clock, if other work held the cores then."""
        results = [result for _, result in self.of("jobs")]
        loads = [result["load"] for result in results]
        # One of the busy processes was this run itself.
        return (min(loads), max(loads)) if loads and max(loads) - 1 > results[0]["cores"] / 4 else None

    @property
    def skipped(self) -> list[str]:
        """A line for each thing left out."""
        return [f"{what} ({', '.join(where)})" if where else what for what, where in self.left_out.items()]

    def of(self, step: str) -> Iterator[tuple[str, Result]]:
        """The results of a step, in the order of the treebanks."""
        results = self.results.get(step, {})
        return ((name, results[name]) for name in self.treebanks if name in results)


def language(treebank: str, known: dict[str, Any]) -> str | None:
    """The language of a treebank by its name (`pt-bosque`, `ud12-pt`), if a paper has figures of it."""
    return next((part for part in treebank.split("-") if part in known), None)


def paper_label(treebank: str, code: str) -> str:
    """Whose figures a row holds, and how far they can be compared."""
    if SAME_RELEASE in treebank.split("-"):
        return f"paper: {CORRO['data'][code]}, training data included"
    return f"paper: {CORRO['data'][code]} (other data)"


def constraint_name(constraint: dict[str, Any]) -> str:
    """A constraint as the paper writes it: 2-BBD/WN."""
    bound = constraint["block_degree"]
    parts = [f"{bound}-BBD"] if bound else []
    return "/".join([*parts, *(["WN"] if constraint["well_nested"] else [])]) or "none"
