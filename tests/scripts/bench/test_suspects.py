"""scripts/bench/suspects.py plants what it says: so many words, half of them heads, in trees that stay trees."""

from __future__ import annotations

import pytest

from bench.suspects import plant
from support.places import DATA
from wnparse.treebanks.reader import read


@pytest.mark.parametrize("near", [False, True])
def test_planted_errors_are_at_the_recorded_places(near: bool) -> None:
    sentences = list(read(DATA / "dev.conllu"))
    changed, planted = plant(sentences, 3, near)
    assert 40 <= len(planted) <= 47  # 1 % of 4,738 words; nearby, some tags have one relation alone
    assert near or len(planted) == 47
    assert 15 <= list(planted.values()).count("head") <= 24
    differ = {}
    for i, (before, after) in enumerate(zip(sentences, changed, strict=True)):
        labels = zip(before.column("deprel"), after.column("deprel"), strict=True)
        for word, (one, other) in enumerate(labels, 1):
            if before.heads[word] != after.heads[word]:
                differ[i, word] = "head"
            elif one != other:
                differ[i, word] = "relation"
    assert differ == planted
