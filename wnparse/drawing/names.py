"""Names of files in headings, as short as is unambiguous."""

from __future__ import annotations

from collections.abc import Sequence

MOST_NAMED = 3  # files in a title


def short_names(names: Sequence[str]) -> list[str]:
    """Return the last parts of the paths, as many as distinguish them."""
    for parts in range(1, max(name.count("/") for name in names) + 2):
        short = ["/".join(name.split("/")[-parts:]) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def title_of(names: Sequence[str]) -> str:
    """Return the names of the first files for a title, and how many more there are."""
    short = list(dict.fromkeys(short_names(names)))
    if len(short) > MOST_NAMED:
        return f"{', '.join(short[: MOST_NAMED - 1])} and {len(short) - MOST_NAMED + 1} more files"
    return " and ".join(filter(None, [", ".join(short[:-1]), *short[-1:]]))
