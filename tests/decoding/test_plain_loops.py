"""The plain loops give the same bits as the AVX2 ones: WNPARSE_NO_AVX2 leaves the work to them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import hashlib
import numpy as np
import wnparse

digest = hashlib.sha256()
for n in (1, 5, 17, 33, 70, 130):
    for dtype in (np.float32, np.float64):
        scores = np.random.default_rng(n).normal(size=(n + 1, n + 1)).astype(dtype)
        trees = [wnparse.decode(scores, name) for name in ("msa", "eisner")]
        trees += [wnparse.decode(scores, "lr", block_degree=2, well_nested=True, max_iterations=20)]
        trees += wnparse.decode(scores, "eisner", k=3) + wnparse.decode(scores, "msa", k=3)
        for tree in trees:
            digest.update(tree.heads.tobytes() + np.array([tree.score, tree.upper_bound]).tobytes())
print(digest.hexdigest())
"""


def test_plain_loops_give_the_same_bits(tmp_path: Path) -> None:
    outputs = set()
    for settings in ({}, {"WNPARSE_NO_AVX2": "1"}):
        environment = {name: value for name, value in os.environ.items() if name != "WNPARSE_NO_AVX2"}
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**environment, **settings},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1 and len(outputs.pop()) == 65
