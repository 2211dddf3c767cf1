"""A headless browser for tests of pages: what it draws, what it logs, what scripts leave in the page."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import zlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
    "--enable-logging=stderr",
]


@dataclass(frozen=True)
class Visit:
    """What a visit to a page left."""

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
    return read_png(target.read_bytes()), visited


def read_png(data: bytes) -> npt.NDArray[np.uint8]:
    """Decode a plain 8-bit PNG in colour (RFC 2083: sections 6.1 to 6.6, 9)."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed = 8, b""
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            assert body[8] == 8, "8 bits a channel"
            channels = {2: 3, 6: 4}[body[9]]
            assert body[12] == 0, "not interlaced"
        packed += body if kind == b"IDAT" else b""
        place += 12 + length
    lines = zlib.decompress(packed)
    size = width * channels
    above, image = bytearray(size), bytearray()
    for start in range(0, len(lines), size + 1):
        above = _unfilter(lines[start], bytearray(lines[start + 1 : start + 1 + size]), above, channels)
        image += above
    return np.frombuffer(bytes(image), np.uint8).reshape(height, width, channels)[:, :, :3]


def _unfilter(kind: int, line: bytearray, above: bytearray, channels: int) -> bytearray:
    """Add what the row's filter took away: nothing, the left, the upper, their mean, or Paeth's choice."""
    for place in range(len(line) if kind else 0):
        left, corner = (line[place - channels], above[place - channels]) if place >= channels else (0, 0)
        up = above[place]
        if kind == 4:
            estimate = left + up - corner
            guess = min((left, up, corner), key=lambda value: abs(value - estimate))
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        line[place] = (line[place] + guess) & 255
    return line


def has_colour(pixels: npt.NDArray[np.uint8], colour: str, least: int = 20) -> bool:
    """Whether so many pixels have this colour, given as #rrggbb."""
    wanted = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], np.uint8)
    return int((pixels == wanted).all(axis=2).sum()) >= least
