#!/usr/bin/env python3
"""Print the speed of reading CoNLL-U and of the structure report beside their targets.

usage: bench_reading.py [FILE...]   (default: the treebanks beside the project, or the bundled sample)
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from figures import least

from wnparse.treebanks import stats
from wnparse.treebanks.reader import read

ROOT = Path(__file__).resolve().parent.parent
TARGET = 1_000_000  # tokens a second, for each of the two
REPEATS = 5


def main() -> None:
    """Measure each file, then all together."""
    shared = sorted((ROOT.parent / "shared" / "treebanks").glob("*/train.conllu"))
    files = [Path(name) for name in sys.argv[1:]] or shared or sorted((ROOT / "data").glob("*.conllu"))
    total_words, total_reading, total_structure = 0, 0.0, 0.0
    print(f"{'tokens/s':40} {'words':>9} {'reading':>12} {'structure':>12}   (target {TARGET:,} each)")
    for path in files:
        sentences = list(read(path))
        words = sum(map(len, sentences))
        reading = least(REPEATS, lambda path=path: [None for _ in read(path)], time.process_time)  # type: ignore[misc]
        structure = least(REPEATS, lambda sentences=sentences: stats.measure(sentences), time.process_time)  # type: ignore[misc]
        name = "/".join(path.parts[-2:])
        print(f"{name:40} {words:9,} {words / reading:12,.0f} {words / structure:12,.0f}")
        total_words, total_reading = total_words + words, total_reading + reading
        total_structure += structure
    figures = total_words / total_reading, total_words / total_structure
    verdict = ["reached" if figure >= TARGET else "MISSED" for figure in figures]
    print(f"{'all':40} {total_words:9,} {figures[0]:12,.0f} {figures[1]:12,.0f}   {' / '.join(verdict)}")


if __name__ == "__main__":
    main()
