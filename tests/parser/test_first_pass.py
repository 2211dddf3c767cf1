"""The first pass: what it keeps and drops, its step by hand, what pruning loses."""

from __future__ import annotations

import numpy as np
import pytest

from support.models import NO_ROWS, trained
from support.treebanks import sentences
from wnparse._core.first_pass import FirstPassLearner
from wnparse._core.scorer import Scorer
from wnparse._core.tokens import token_types
from wnparse.parser.features import compile_templates
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.treebanks.sentence import Sentence


def test_the_first_pass_drops_arcs(sample: list[Sentence]) -> None:
    """Remaining arcs have the score of the whole model; dropped ones score lower than these, and are finite."""
    model = trained(sample[:40])
    assert model.first_pass is not None
    model._scorer.use_first_pass(**{**vars(model.first_pass), "most": 4})
    sentence = max(sample[40:], key=len)
    scores, labels = model._scorer.scores(encode(sentence, model.columns), True)
    whole, _ = model._scorer.scores(encode(sentence, model.columns), False)
    dropped = 0
    for m in range(1, len(sentence) + 1):
        remaining = labels[m] >= 0
        others = ~remaining
        others[m] = False
        assert 1 <= remaining.sum() <= 6  # four, and ties with the fourth
        assert np.array_equal(scores[m][remaining], whole[m][remaining])
        assert np.isfinite(scores[m]).all()
        assert not others.any() or scores[m][others].max() < scores[m][remaining].min()
        dropped += int(others.sum())
    assert dropped > len(sentence)


def test_the_first_pass_equals_scores_by_hand() -> None:
    """Two heads for each of two words: a step of rate 1 from zero adds 1/2 to each weight of the gold one."""
    (sentence,) = sentences("1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tran\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    tokens = encode(sentence, UsedColumns())
    tags, types = np.unique(tokens.atoms[1:, 2]), np.unique(token_types(tokens))
    selector = FirstPassLearner(tags, types)
    selector.learn(tokens, sentence.heads, 1.0)
    weights = selector.averaged()
    # Two words with two heads each, nine weights for each arc, and one more for the word between the root and the
    # second; averaged over two steps.
    assert sorted(weights[weights != 0].tolist()) == pytest.approx([-0.25] * 18 + [0.25] * 19, abs=1e-6)


def test_pruning_loses_few_gold_arcs(sample: list[Sentence]) -> None:
    model = trained(sample[:200], labelled=False)
    assert model.first_pass is not None
    scorer = Scorer(compile_templates(["bias"]), None, np.zeros(16, np.uint32), *NO_ROWS, 1.0)  # all scores are 0
    scorer.use_first_pass(**vars(model.first_pass))
    remaining = words = gold = 0
    for sentence in sample[200:]:
        matrix, _ = scorer.scores(encode(sentence, model.columns), True)
        same = matrix[1:] == 0
        same[np.arange(len(sentence)), np.arange(1, len(sentence) + 1)] = False
        remaining += int(same.sum())
        gold += int(same[np.arange(len(sentence)), sentence.heads[1:]].sum())
        words += len(sentence)
    assert remaining / words <= model.first_pass.most
    assert gold / words > 0.985
