"""Facts about the machine that the program runs on."""

from __future__ import annotations

import os


def count_cores() -> int:
    """Return the number of cores that this process may use; all cores where the system does not report that."""
    if hasattr(os, "sched_getaffinity"):  # macOS and Windows do not have it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
