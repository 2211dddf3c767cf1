#!/usr/bin/env python3
"""Tell what the source distribution and the wheel lack, and what they should not hold.

usage: check_distributions.py SDIST WHEEL   (in a git checkout, which says what belongs there)
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_IN_WHEEL = {"laboratory", "testing"}  # modules of the core, as in setup.py


def tracked() -> set[str]:
    """What the source distribution is to hold: all that is tracked."""
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listing.stdout.splitlines() if (ROOT / name).is_file()} - {".gitignore"}


def installed(sources: set[str]) -> set[str]:
    """Return what the wheel should hold: the package, and each module of the core instead of its source."""
    package = {name for name in sources if name.startswith("wnparse/") and not name.endswith(".pxd")}
    modules = {Path(name).stem for name in sources if name.startswith("cext/modules/") and name.endswith(".pyx")}
    unwanted = {f"wnparse/_core/{module}.pyi" for module in NOT_IN_WHEEL}
    return (package - unwanted) | {f"wnparse/_core/{name}.so" for name in modules - NOT_IN_WHEEL | {"_cyutility"}}


def in_sdist(path: str) -> set[str]:
    """The files of a source distribution, without its metadata."""
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    return {name for name in names if name not in {"PKG-INFO", "setup.cfg"} and ".egg-info/" not in name}


def in_wheel(path: str) -> set[str]:
    """The files of a wheel, without its metadata and the platform in the names of modules."""
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    return {re.sub(r"\.[\w-]+\.(so|pyd)$", ".so", name) for name in names}


def main() -> None:
    """Compare both with what is tracked."""
    sdist, wheel = sys.argv[1:]
    expected = tracked()
    wrong = []
    for path, names, right in ((sdist, in_sdist(sdist), expected), (wheel, in_wheel(wheel), installed(expected))):
        wrong += [f"{Path(path).name} lacks {name}" for name in sorted(right - names)]
        wrong += [f"{Path(path).name} holds {name}" for name in sorted(names - right)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
