"""What the benchmarks share: figures beside their targets, the quickest of several passes, rows picked by name."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable


def report(what: str, figure: str, target: str = "", reached: bool | None = None) -> None:
    """Print one figure beside its target."""
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"{what:<54} {figure:<50} {target:<36} {verdict}".rstrip(), flush=True)


def least(repeats: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the quickest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def rows_parser(description: str | None, rows: Iterable[str]) -> argparse.ArgumentParser:
    """Make a command line that names the rows to run."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = list(rows)

    def row(name: str) -> str:
        if name not in names:
            raise argparse.ArgumentTypeError(f"unknown row '{name}'; known: {', '.join(names)}")
        return name

    parser.add_argument("rows", nargs="*", metavar="ROW", default=names, type=row, help="default: all")
    return parser
