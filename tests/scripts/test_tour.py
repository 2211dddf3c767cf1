"""What users do from Python runs, and is typed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.places import DATA, ROOT

TOUR = ROOT / "scripts" / "release" / "tour.py"


def test_all_steps_run(tmp_path: Path) -> None:
    command = [sys.executable, str(TOUR), str(DATA / "english" / "dev.conllu")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    assert result.returncode == 0, result.stderr
    steps = dict(line.split(": ") for line in result.stdout.splitlines())
    assert len(steps) == 5
    assert steps["parse_words"] == steps["decode_logits"] == "done"
    assert all(re.fullmatch("done|no .*", outcome) for outcome in steps.values())
