"""Where things are: the project, its sample treebank, and what the environment names for measuring."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"


def folder_of(variable: str) -> Path:
    """Return the folder that an environment variable names; skip the test if it names none."""
    name = os.environ.get(variable)
    if not name or not Path(name).is_dir():
        pytest.skip(f"{variable} does not name a folder")
    return Path(name).resolve()
