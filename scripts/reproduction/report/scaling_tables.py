"""Tables of how time grows with the length of a sentence, the size of a treebank, and the number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from reproduction.findings import Findings
from reproduction.laboratory import DECODERS
from reproduction.report.tables import fixed, group
from wnparse.reports.tables import Table

FEWEST = 5  # sentences of a bin that is drawn
SHORTEST = 8  # words from which on a power of the length is fitted: below, a call's own cost counts most


def pooled_bins(findings: Findings) -> list[dict[str, Any]]:
    """The bins of all treebanks together: mean words, and mean microseconds of each decoder."""
    sums: dict[int, dict[str, Any]] = {}
    for _, result in findings.of("lengths"):
        for row in result["bins"]:
            into = sums.setdefault(
                row["from"], {"sentences": 0, "words": 0, "seconds": dict.fromkeys(DECODERS, 0.0)}
            )
            into["sentences"] += row["sentences"]
            into["words"] += row["words"]
            for decoder in DECODERS:
                into["seconds"][decoder] += row["seconds"][decoder]
    return [
        {
            "sentences": row["sentences"],
            "words": row["words"] / row["sentences"],
            **{decoder: 1e6 * row["seconds"][decoder] / row["sentences"] for decoder in DECODERS},
        }
        for _, row in sorted(sums.items())
        if row["sentences"] >= FEWEST
    ]


def exponent(bins: list[dict[str, Any]], decoder: str) -> float | None:
    """The power of the length that the mean times follow, by least squares on both logarithms."""
    used = [row for row in bins if row["words"] >= SHORTEST]
    if len(used) < 3:
        return None
    words, times = (np.log([row[key] for row in used]) for key in ("words", decoder))
    return float(np.polyfit(words, times, 1)[0])


def lengths_table(findings: Findings) -> Table:
    """Mean time of a sentence by its length."""
    bins = pooled_bins(findings)
    headings = ["words, mean", "sentences", *(f"{name}, µs" for name in DECODERS.values())]
    rows = [
        [fixed(row["words"], 1), f"{row['sentences']:,}", *(fixed(row[decoder]) for decoder in DECODERS)]
        for row in bins
    ]
    powers = [exponent(bins, decoder) for decoder in DECODERS]
    if bins:
        rows.append([f"exponent of the length, from {SHORTEST} words", "", *(fixed(power) for power in powers)])
    return Table("Decoding time by sentence length, all treebanks", [headings], rows)


def training_table(findings: Findings) -> Table:
    """Training time by the size of the treebank."""
    headings = ["", "sentences", "words", "user s", "words/s"]
    rows = []
    for name, result in findings.of("training"):
        rows.append(group(name, len(headings)))
        for row in result["rows"]:
            speed = fixed(row["words"] / row["user_seconds"], 0)
            rows.append(["", f"{row['sentences']:,}", f"{row['words']:,}", fixed(row["user_seconds"]), speed])
    return Table("Training time by treebank size: one epoch", [headings], rows)


def jobs_table(findings: Findings) -> Table:
    """Speed by the number of threads."""
    counts = sorted({row["jobs"] for _, result in findings.of("jobs") for row in result["rows"]})
    headings = ["words/s, wall-clock time", *(f"{count} job{'s' * (count > 1)}" for count in counts)]
    headings += ["same output", "load before"]
    rows = []
    for name, result in findings.of("jobs"):
        speeds = {row["jobs"]: row["words_per_second"] for row in result["rows"]}
        cells = [fixed(speeds.get(count), 0) for count in counts]
        rows.append([name, *cells, "yes" if result["same_output"] else "NO", fixed(result["load"], 1)])
    return Table("Parsing speed by number of jobs", [headings], rows)
