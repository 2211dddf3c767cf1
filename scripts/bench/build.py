"""Print what a full build costs the compiler, file by file, and what an unchanged one does, next to their targets.

Builds a copy of the sources with this Python, which needs the dev extra. Times are CPU seconds of the compiler
alone, so that other work on the machine counts little.

    python scripts/bench/build.py
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import ROOT, make_parser, report

ALL, ONE = 110.0, 30.0  # seconds, for all files and for the slowest
SHOWN = 10
# Each call leaves a record of its own, named after its process: calls run side by side.
WRAPPER = """#!{python}
import os, pathlib, resource, subprocess, sys
code = subprocess.call({command} + sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
source = next((name for name in sys.argv if name.endswith((".c", ".cpp"))), "linking")
pathlib.Path({records}, str(os.getpid())).write_text(f"{{used.ru_utime + used.ru_stime}} {{source}}")
sys.exit(code)
"""


def wrapped(variable: str, folder: Path) -> str:
    """Write a compiler that records its calls in ``folder/records``."""
    command = shlex.split(os.environ.get(variable) or sysconfig.get_config_var(variable) or "c++")
    path = folder / variable.lower()
    path.write_text(
        WRAPPER.format(python=sys.executable, command=command, records=repr(str(folder / "records"))), "utf-8"
    )
    path.chmod(0o755)
    return str(path)


def build(source: Path, folder: Path) -> tuple[float, list[tuple[float, str]]]:
    """Build; give the time that passed and, slowest first, the CPU time and file of each call of a compiler."""
    records = folder / "records"
    shutil.rmtree(records, ignore_errors=True)
    records.mkdir()
    compilers = {variable: wrapped(variable, folder) for variable in ("CC", "CXX")}
    start = time.perf_counter()
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    result = subprocess.run(
        command, cwd=source, env={**os.environ, **compilers}, capture_output=True, text=True, check=False
    )
    passed = time.perf_counter() - start
    if result.returncode:
        sys.exit(result.stdout + result.stderr)
    calls = [path.read_text().split(maxsplit=1) for path in records.iterdir()]
    return passed, sorted(((float(seconds), name) for seconds, name in calls), reverse=True)


def main() -> None:
    """Build a copy twice."""
    make_parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "source"
        ignored = shutil.ignore_patterns("*.so", "__pycache__")
        for part in ("cext", "wnparse"):
            shutil.copytree(ROOT / part, source / part, ignore=ignored)
        for part in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy2(ROOT / part, source / part)
        passed, calls = build(source, folder)
        for seconds, path in calls[:SHOWN]:
            print(f"{seconds:8.1f} s  {path}")
        total, (slowest, path) = sum(seconds for seconds, _ in calls), calls[0]
        report("compiling all", f"{total:.1f} s of CPU, {passed:.0f} s passed", f"<= {ALL:.0f} s", total <= ALL)
        report("the slowest file", f"{slowest:.1f} s of CPU: {path}", f"<= {ONE:.0f} s", slowest <= ONE)
        passed, calls = build(source, folder)
        report("building again", f"{passed:.1f} s passed, {len(calls)} files", "nothing compiled", not calls)


if __name__ == "__main__":
    main()
