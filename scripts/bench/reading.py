"""Print the speed of reading CoNLL-U and of the structure report next to their targets.

python scripts/bench/reading.py [FILE...]     # default: the training sets of the treebanks, or the sample
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import ANCHORS, find_files, least, make_parser, report
from wnparse.treebanks.reader import read
from wnparse.treebanks.stats import stats

TARGET = 1_000_000  # tokens per second, for each of the two
REPEATS = 5


def main() -> None:
    """Measure each file, then all together."""
    parser = make_parser(__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    words, seconds = 0, {"reading": 0.0, "structure": 0.0}
    print(
        "other readers, words/s: " + ", ".join(f"{name} {speed:,}" for name, speed in ANCHORS["reading"].items())
    )
    for path in options.files or find_files("*/train.conllu"):
        sentences = list(read(path))
        size = sum(map(len, sentences))
        work = {
            "reading": lambda path=path: list(map(len, read(path))),
            "structure": partial(stats, sentences),
        }
        spent = {what: least(REPEATS, call, time.process_time) for what, call in work.items()}
        figure = ", ".join(f"{what} {size / burnt:,.0f} words/s" for what, burnt in spent.items())
        report(f"{'/'.join(Path(path).parts[-2:])}, {size:,} words", figure)
        words, seconds = words + size, {what: seconds[what] + burnt for what, burnt in spent.items()}
    for what, burnt in seconds.items():
        report(f"{what}, all", f"{words / burnt:,.0f} words/s", f">= {TARGET:,}", words / burnt >= TARGET)


if __name__ == "__main__":
    main()
