"""Damaged text can be rebuilt from its sentences, or is refused in one line.

``WNPARSE_FUZZ=10000`` runs as many inputs as that; the default is a smaller seeded run. The inputs are those of
`scripts/campaigns/files.py`, which runs many more.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import wnparse
from campaigns.files import make_mutant, seed_texts
from campaigns.text_checks import TextCheck
from support.places import DATA
from wnparse.treebanks.reader import read

ROUNDS = int(os.environ.get("WNPARSE_FUZZ", "100"))


@pytest.fixture(scope="module")
def check() -> TextCheck:
    sentences = list(read(DATA / "dev.conllu"))[:40]
    model = wnparse.train(sentences, sentences, epochs=1, order=1)
    return TextCheck([model, model])


def test_returns_the_text_or_one_line_of_error(check: TextCheck, tmp_path: Path) -> None:
    texts = seed_texts("text", [])
    whole = 0
    for number in range(ROUNDS):
        name, data = make_mutant("text", 1, number, texts)
        path = tmp_path / name
        path.write_bytes(data)
        whole += check(random.Random(number), path) == "read"
    assert ROUNDS / 3 < whole < ROUNDS
