"""Tables of tags, relations and features, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wnparse.reports.tables import Table

# Rows of the table of sizes: keys of the figures, and their titles.
SIZES = {
    "sentences": "sentences",
    "tokens": "tokens",
    "words": "words",
    "multiword_tokens": "multiword tokens",
    "different_forms": "different forms",
    "different_lemmas": "different lemmas",
    "different_multiword_tokens": "different multiword tokens",
}


def tag_tables(figures: Mapping[str, Any]) -> list[Table]:
    """Make the tables of the figures of `wnparse.treebanks.tag_stats.TagStats` that have rows."""
    sizes = Table("Words", [["", "all sentences"]], [[SIZES[key], f"{figures[key]:,}"] for key in SIZES])
    tables = [
        _count_table("UPOS tags", "UPOS", figures["upos"]),
        _count_table("Relations", "DEPREL", _with_subtypes(figures["deprel"])),
        _count_table("Features", "FEATS", figures["feats"]),
    ]
    return [sizes, *(table for table in tables if table.rows)]


def _with_subtypes(relations: Mapping[str, Any]) -> dict[str, Any]:
    """Indent subtypes below their relation, which may occur only with subtypes."""
    rows: dict[str, Any] = {}
    for name, figures in relations.items():
        relation, colon, subtype = name.partition(":")
        if colon and relation not in rows:
            rows[relation] = {"count": 0, "percent": 0.0, "forms": {}, "lemmas": {}}
        rows[f"  {relation}:{subtype}" if colon else name] = figures
    return rows


def _count_table(title: str, column: str, counts: Mapping[str, Any]) -> Table:
    """Show counts, percentages and the most frequent words; for features also the tags of the words."""
    shown = [key for key in ("upos", "forms", "lemmas") if any(count.get(key) for count in counts.values())]
    titles = {"upos": "UPOS", "forms": "most frequent forms", "lemmas": "most frequent lemmas"}
    rows = [
        [name, f"{count['count']:,}", f"{count['percent']:.2f}", *(", ".join(count[key]) for key in shown)]
        for name, count in counts.items()
    ]
    return Table(title, [[column, "words", "%", *map(titles.__getitem__, shown)]], rows, texts=len(shown))
