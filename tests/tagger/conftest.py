"""Taggers of the sample, and texts without tags."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import train_model
from support.places import DATA
from support.treebanks import blanked, first_sentences
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence


@pytest.fixture(scope="session")
def sample() -> list[Sentence]:
    return list(read(DATA / "dev.conllu"))


@pytest.fixture(scope="session")
def tagger(sample: list[Sentence]) -> Tagger:
    """A tagger of 300 sentences."""
    found = learn_tagger(Lessons(sample), TaggerOptions(epochs=4))
    assert found is not None
    return found


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("few") / "few.conllu"
    path.write_bytes(first_sentences("dev", 80))
    return path


@pytest.fixture(scope="session")
def only_tags(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of 300 sentences that only tags."""
    dev = ["--dev", str(DATA / "test.conllu")]
    return str(train_model(tmp_path_factory.mktemp("only"), str(DATA / "dev.conllu"), *dev, "--tagger-only"))


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory, few: Path) -> str:
    """A model of 80 sentences that tags and parses."""
    options = ["--dev", str(few), "--tagger", "--folds", "3", "--epochs", "2"]
    return str(train_model(tmp_path_factory.mktemp("both"), str(few), *options))


@pytest.fixture(scope="session")
def bare() -> bytes:
    """Sentences of which only forms are known."""
    return blanked(first_sentences("test", 20), 2, 3, 4, 5, 6, 7)
