"""The single root of a model: required if 99 % of the trees have one, like the other constraints."""

from __future__ import annotations

import pytest

from support.treebanks import conllu, sentences
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.stats import stats

ONE_ROOT = conllu(["a", "b"], [0, 1])
TWO_ROOTS = conllu(["a", "b"], [0, 0])


@pytest.mark.parametrize(
    "one, two, single", [(910, 1, True), (99, 1, True), (98, 1, False), (5, 0, True), (0, 5, False)]
)
def test_one_noisy_tree_does_not_decide(one: int, two: int, single: bool) -> None:
    treebank = sentences(ONE_ROOT * one + TWO_ROOTS * two)
    assert Trainer(treebank, None, TrainOptions(epochs=1, order=1)).facts.constraints.single_root is single
    assert stats(treebank).has_single_roots() is single
