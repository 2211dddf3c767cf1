"""The time to open a model file, and how much of it is the check of what the file says.

    python scripts/bench/loading.py MODEL...

CPU time, the minimum of several runs, with the file in the page cache. A model file must not be able to do more
than give bad trees, so that every index, offset and table is checked, which may cost 1 ms per 10 MB. The time of
the checks includes making the objects of the core.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import least, make_parser, report
from wnparse.parser.model import load
from wnparse.parser.model_file import read_header
from wnparse.storage.tensors import read_tensors

RUNS = 15
TARGET = 1.0  # ms per 10 MB


def main() -> None:
    """Measure the models that the command line names."""
    parser = make_parser(__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    for path in parser.parse_args().models:
        size = Path(path).stat().st_size / 1e6
        whole, read, head = (
            1e3 * least(RUNS, work, time.process_time)
            for work in (
                partial(load, path),
                partial(read_tensors, path),
                partial(read_tensors, path, read_header),
            )
        )
        checks = whole - head
        parts = f"read and checksums {read:.2f}, header {head - read:.2f}, checks {checks:.2f}"
        report(path, f"{size:.1f} MB opened in {whole:.2f} ms: {parts}")
        figure = f"{10 * checks / size:.2f} ms per 10 MB"
        report("  checks of arrays", figure, f"<= {TARGET:g} ms per 10 MB", 10 * checks / size <= TARGET)


if __name__ == "__main__":
    main()
