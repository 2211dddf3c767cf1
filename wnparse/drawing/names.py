"""What files are called in headings: no longer than tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

MOST_NAMED = 3  # files in a title


def short_names(names: Sequence[str]) -> list[str]:
    """The last parts of the paths, as many as tell them apart."""
    for parts in range(1, max(name.count("/") for name in names) + 2):
        short = ["/".join(name.split("/")[-parts:]) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def title_of(names: Sequence[str]) -> str:
    """Name files in a title: the first ones, and how many more there are."""
    short = list(dict.fromkeys(short_names(names)))
    if len(short) > MOST_NAMED:
        return f"{', '.join(short[: MOST_NAMED - 1])} and {len(short) - MOST_NAMED + 1} more files"
    return " and ".join(filter(None, [", ".join(short[:-1]), *short[-1:]]))
