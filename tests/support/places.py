"""Where things are: the project, its sample treebank, and the treebanks for measuring."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
TREEBANKS = ROOT.parent / "shared" / "treebanks"
