"""Modules of the core that only scripts and tests use; the wheel does not contain them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import wnparse
from support.places import ROOT


def import_or_skip(name: str) -> Any:
    """Import ``wnparse._core.<name>``; skip the tests that need it if wnparse was installed from a wheel."""
    try:
        return importlib.import_module(f"wnparse._core.{name}")
    except ModuleNotFoundError:
        if Path(wnparse.__file__).is_relative_to(ROOT):  # a build in place has it
            raise
        pytest.skip(f"wnparse._core.{name} is not in the wheel", allow_module_level=True)
