"""A headless browser for tests of pages: what it draws, what it logs, what scripts leave in the page."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
    "--enable-logging=stderr",
]


@dataclass(frozen=True)
class Visit:
    """Results of a visit to a page."""

    output: str  # the page as scripts left it
    messages: list[str]  # what was written to the console, errors and refused loads included


def browser() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no chromium or chromium-browser on PATH")
    return path


def visit(page: Path, *options: str) -> Visit:
    profile = page.parent / "profile"
    command = [browser(), *OPTIONS, f"--user-data-dir={profile}", *options, page.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return Visit(result.stdout, re.findall(r"CONSOLE[^\]]*\] (.*)", result.stderr))


def with_script(page: str, script: str) -> str:
    """Add a script to a page whose policy admits only scripts that it names."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert "script-src " in page
    allowed = page.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    return allowed.replace("</body>", f"<script>{script}</script></body>")


def screenshot(page: Path, width: int = 1200, height: int = 1200) -> tuple[npt.NDArray[np.uint8], Visit]:
    """Pixels, uint8[height, width, 3], and what the visit left."""
    target = page.with_suffix(".png")
    visited = visit(page, f"--screenshot={target}", f"--window-size={width},{height}")
    with Image.open(target) as image:
        return np.asarray(image.convert("RGB")), visited


def has_colour(pixels: npt.NDArray[np.uint8], colour: str, least: int = 20) -> bool:
    """Return whether so many pixels have this colour, given as #rrggbb."""
    wanted = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], np.uint8)
    return int((pixels == wanted).all(axis=2).sum()) >= least
