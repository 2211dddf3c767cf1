"""The outputs of ``wnparse parse`` and ``wnparse tag``: one for all inputs, or one per input in a directory.

In a directory, a record is kept for each output: checksums of input, model and output, and the options. With
``--resume``, an input is skipped if its record still holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wnparse import __version__
from wnparse.cli.common import SideFile, bad_usage, say, write_text
from wnparse.cluster.cut import OWN, find_files, name_outputs
from wnparse.parser.options import ParseOptions
from wnparse.storage.tensors import model_checksum
from wnparse.wording import counted

# Options that do not change outputs: they may differ when a run is resumed.
FREE = ("cluster", "jobs", "output", "output_dir", "report", "resume", "rules", "strict", "summary", "task_words")
RECORDS = "outputs"  # the directory of records in the directory OWN


def find_inputs(files: Sequence[str], flags: dict[str, Any]) -> list[str]:
    """Return the paths of the inputs; standard input if there are none."""
    if not flags["output_dir"]:
        return list(files) or ["-"]
    with bad_usage():
        if not files:
            raise ValueError("--output-dir needs files; standard input has no name")
        return find_files(files)


def describe_run(path: str, options: ParseOptions | None, flags: dict[str, Any]) -> dict[str, Any]:
    """Return what outputs depend on, apart from the inputs; options are None if words are only tagged."""
    relevant = {name: value for name, value in flags.items() if name not in FREE}
    relevant["rules"] = options.rules.to_json() if options and options.rules else None
    relevant["trees"] = options is not None
    return {"wnparse": __version__, "model": model_checksum(path), "options": relevant}


def each_output(
    paths: Sequence[str], flags: dict[str, Any], description: dict[str, Any]
) -> Iterator[tuple[list[str], str | None]]:
    """Yield inputs with the output to write, which must be complete when the next pair is requested."""
    if not flags["output_dir"]:
        yield list(paths), flags["output"]
        return
    directory = Path(flags["output_dir"])
    skipped = 0
    for path, name in zip(paths, name_outputs(paths, str(directory)), strict=True):
        target, record = directory / name, directory / OWN / RECORDS / f"{name}.json"
        state = {**description, "input": _checksum(Path(path))}
        if flags["resume"] and _holds(record, target, state):
            skipped += 1
            continue
        record.parent.mkdir(parents=True, exist_ok=True)
        yield [path], str(target)
        write_text(str(record), json.dumps({**state, "output": _checksum(target)}) + "\n")
    if skipped:
        say(f"wnparse: {directory}: {skipped:,} of {counted(len(paths), 'output')} existed already")


def _holds(record: Path, target: Path, state: dict[str, Any]) -> bool:
    """Return whether an output is what a run with this state wrote."""
    try:
        recorded = json.loads(record.read_bytes())
        # Through JSON, which has no tuples.
        return bool(recorded == {**json.loads(json.dumps(state)), "output": _checksum(target)})
    except (OSError, ValueError):
        return False


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_summary(path: str, summary: dict[str, Any]) -> bool:
    """Write the summary of a run as one JSON object; return whether it could be written."""
    with SideFile(path) as stream:
        stream.write(json.dumps(summary).encode() + b"\n")
    return not stream.failed
