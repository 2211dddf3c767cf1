"""The time to open a model file, and how much of it is the check of what the file says.

python scripts/bench_loading.py MODEL...

CPU time, the minimum of several runs, with the file in the page cache. A model file must not be able to do more
than give bad trees, so that every index, offset and table is checked, which may cost 1 ms per 10 MB. The time of
the checks includes making the objects of the core.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from wnparse.parser.model import load
from wnparse.parser.model_file import read_header
from wnparse.storage.tensors import read_checked

RUNS = 15
TARGET = 1.0  # ms per 10 MB


def least(work: Callable[[], object]) -> float:
    """Return the CPU time of the fastest of several runs, in ms."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    """Measure the models that the command line names."""
    print("model\tMB\topened in ms\tof which read and checksums\theader\tchecks of arrays\tper 10 MB\ttarget")
    for path in sys.argv[1:]:
        size = Path(path).stat().st_size / 1e6
        whole = least(lambda path=path: load(path))  # type: ignore[misc]
        read = least(lambda path=path: read_checked(path, lambda _: None))  # type: ignore[misc]
        head = least(lambda path=path: read_checked(path, read_header)) - read  # type: ignore[misc]
        checks = whole - read - head
        row = (path, f"{size:.1f}", f"{whole:.2f}", f"{read:.2f}", f"{head:.2f}", f"{checks:.2f}")
        print(*row, f"{10 * checks / size:.2f}", f"at most {TARGET:g}", sep="\t")


if __name__ == "__main__":
    main()
