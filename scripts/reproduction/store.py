"""Steps of a reproduction: each finished one is kept as JSON, and a rerun of the same step reads it there.

The name of the file has a digest of everything that the step depends on: its options, the bytes of treebank and
model, the version of wnparse. Changed options or data find nothing and are measured anew.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wnparse import __version__
from wnparse.storage.files import open_output

Result = dict[str, Any]


def say(line: str) -> None:
    """Tell how far the run is."""
    print(line, file=sys.stderr, flush=True)


def slug(name: str) -> str:
    """A name as part of a file's."""
    return re.sub(r"[^\w.-]+", "-", name)


def write_json(path: Path, value: object) -> None:
    """Write JSON; the file appears whole or not at all."""
    with open_output(str(path)) as stream:
        stream.write(json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n")


@dataclass
class Store:
    """The folder of a report, and what this run has found in it or put there."""

    folder: Path
    fresh: bool = False
    total: int = 0  # steps of this run
    done: int = 0
    dates: list[str] = field(default_factory=list)  # of the steps of this run, whenever they were measured

    def __post_init__(self) -> None:
        if self.fresh:
            for name in ("steps", "models", "data", "plots"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in ("steps", "models"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def step(self, name: str, treebank: str, depends: dict[str, Any], measure: Callable[[], Result]) -> Result:
        """Find the result of a step, or measure and keep it."""
        self.done += 1
        about = {"step": name, "treebank": treebank, "depends": depends, "wnparse": __version__}
        key = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]
        path = self.folder / "steps" / f"{slug(name)}-{slug(treebank)}-{key}.json"
        where = f"[{self.done}/{self.total}] {treebank}: {name}"
        record = _read(path)
        if record is None:
            start = time.perf_counter()
            record = {**about, "date": datetime.date.today().isoformat(), "result": measure()}
            record["seconds"] = round(time.perf_counter() - start, 1)
            write_json(path, record)
            record = json.loads(json.dumps(record))  # as a rerun will read it
            say(f"{where}, {record['seconds']} s")
        else:
            say(f"{where}, kept from {record['date']}")
        self.dates.append(record["date"])
        return dict(record["result"])


def _read(path: Path) -> Result | None:
    """A step that was kept; a file that is no JSON counts as none."""
    try:
        return dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return None
