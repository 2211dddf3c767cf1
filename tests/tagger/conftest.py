"""Taggers of the sample, and texts without tags."""

from __future__ import annotations

import pytest

from support.places import DATA
from wnparse.conllu import Sentence, read
from wnparse.tagger_training import Lessons, TaggerOptions, learn_tagger
from wnparse.tagging import Tagger


@pytest.fixture(scope="session")
def sample() -> list[Sentence]:
    return list(read(DATA / "dev.conllu"))


@pytest.fixture(scope="session")
def tagger(sample: list[Sentence]) -> Tagger:
    """A tagger of 300 sentences."""
    found = learn_tagger(Lessons(sample), TaggerOptions(epochs=4))
    assert found is not None
    return found
