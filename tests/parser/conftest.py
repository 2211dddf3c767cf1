"""Fixtures of the tests of the parser."""

from __future__ import annotations

import pytest

from support.places import DATA
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence


@pytest.fixture(scope="session")
def sample() -> list[Sentence]:
    """The development set of the sample."""
    return list(read(DATA / "dev.conllu"))
