"""The scores of a second scorer are added to those of a model: sums, bounds and certificates against all trees."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from support import neural_oracles as reference
from support.models import trained
from support.neural_oracles import Extra, in_units, label_logs, random_extra
from support.tree_oracles import all_trees, block_degrees, yields
from wnparse._core.scorer import Parses
from wnparse._core.tokens import Tokens
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.model import Model
from wnparse.parser.tokens import encode
from wnparse.rules import Rules
from wnparse.rules.compile import compile_rules
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.sentence import Sentence

RULES = Rules.parse("""
[[rule]]
name = "one-subject"
reason = "r"
at-most = 1
dependents = { relation = ["nsubj", "obj", "det"] }
[[rule]]
name = "leaf"
reason = "r"
at-most = 0
dependents = { not-relation = "root" }
head = { upos = ["DET", "ADP", "PUNCT"] }
""")


@pytest.fixture(scope="module")
def short(sample: list[Sentence]) -> list[Sentence]:
    return [sentence for sentence in sample if 2 <= len(sentence) <= 4][:6]


@pytest.fixture(scope="module", params=[1, 2])
def model(request: pytest.FixtureRequest, sample: list[Sentence]) -> Model:
    return trained(sample[:60], order=request.param)


def tokens_of(model: Model, sentence: Sentence, extra: Extra | None) -> Tokens:
    tokens = encode(sentence, model.columns)
    if extra is not None:
        tokens.add_scores(*extra)
    return tokens


def parse(
    model: Model,
    tokens: Tokens,
    settings: DecodeOptions,
    given: np.ndarray | None = None,
    k: int = 1,
) -> Parses:
    (parses,) = model._scorer.parse([tokens], [settings.settings], False, None, [given], k=k)
    return parses


def added(model: Model, extra: Extra, heads: list[int], labels: list[str]) -> float:
    """What the second scorer adds to a labelled tree."""
    total = 0
    for m in range(1, len(heads)):
        total += in_units(float(extra.arcs[m, heads[m]]), extra.unit)
        if labels[m] in model.labels:
            logs = label_logs(extra, heads[m], m)
            total += in_units(logs[model.labels.index(labels[m])], extra.unit)
    return model.scale * total


@pytest.mark.parametrize("unit", [0.0, 7.25, 300.0])
def test_arcs_and_labels_are_sums(sample: list[Sentence], unit: float) -> None:
    model = trained(sample[:60])
    rng = np.random.default_rng(1)
    for sentence in sample[:20]:
        extra = random_extra(len(sentence), len(model.labels), rng, unit)
        plain, both = tokens_of(model, sentence, None), tokens_of(model, sentence, extra)
        alone, _ = model._scorer.scores(plain, False)
        together, chosen = model._scorer.scores(both, False)
        for _ in range(3):
            heads = np.array(
                [
                    -1,
                    *(
                        rng.choice([h for h in range(len(sentence) + 1) if h != m])
                        for m in range(1, len(sentence) + 1)
                    ),
                ],
                np.int32,
            )
            labels = model._scorer.label_scores(plain, heads, len(model.labels)).astype(np.float64)
            summed = model._scorer.label_scores(both, heads, len(model.labels)).astype(np.float64)
            for m in range(1, len(sentence) + 1):
                h = heads[m]
                expected = labels[m] + model.scale * np.array(
                    [in_units(log, unit) for log in label_logs(extra, h, m)]
                )
                np.testing.assert_allclose(summed[m], expected, rtol=0, atol=model.scale * (unit / 64 + 1) + 1e-4)
                if not math.isfinite(alone[m, h]):
                    continue
                arc = alone[m, h] - labels[m].max() + model.scale * in_units(float(extra.arcs[m, h]), unit)
                assert together[m, h] == pytest.approx(arc + summed[m].max(), abs=1e-3)
                assert summed[m, chosen[m, h]] == summed[m].max()


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("block_degree", [None, 1])
def test_best_trees_of_the_sum_are_those_of_an_enumeration(
    model: Model, short: list[Sentence], block_degree: int | None, k: int
) -> None:
    constraints = Constraints(block_degree=block_degree, well_nested=True, single_root=True)
    options = DecodeOptions(constraints=constraints)
    rng = np.random.default_rng(2)
    for sentence in short:
        extra = random_extra(len(sentence), len(model.labels), rng, unit=float(rng.choice([3.0, 100.0, 3000.0])))
        values = []
        for tree in all_trees(len(sentence)):
            if tree[1:].count(0) > 1 or (block_degree and max(block_degrees(tree)) > block_degree):
                continue
            given = np.array(tree, np.int32)
            parsed = parse(model, tokens_of(model, sentence, extra), options, given).trees
            if parsed:
                values.append(parsed[0].score)
        result = parse(model, tokens_of(model, sentence, extra), options, k=k)
        best = sorted(values, reverse=True)[:k]
        assert [tree.score for tree in result.trees] == pytest.approx(best, abs=1e-3)
        for tree in result.trees:
            assert tree.upper_bound >= tree.score - 1e-9
        assert result.trees[0].certified


def test_scores_of_trees_are_sums_of_both_scorers(model: Model, short: list[Sentence]) -> None:
    """A tree that is given has the score of the linear model for its labels, plus what the second scorer adds."""
    options = DecodeOptions(constraints=Constraints(single_root=True))
    rng = np.random.default_rng(3)
    for sentence in short:
        extra = random_extra(len(sentence), len(model.labels), rng, unit=50.0)
        given = np.array(sentence.heads, np.int32)
        alone = parse(model, tokens_of(model, sentence, None), options, given).trees[0]
        both = parse(model, tokens_of(model, sentence, extra), options, given).trees[0]
        scores = model._scorer.label_scores(tokens_of(model, sentence, None), given, len(model.labels))
        before, after = (
            sum(scores[m, model.labels.index(tree.labels[m])] for m in range(1, len(tree.labels)))
            for tree in (alone, both)
        )
        heads = sentence.heads.tolist()
        expected = alone.score - before + after + added(model, extra, heads, both.labels)
        assert both.score == pytest.approx(expected, abs=1e-3)


def test_rules_hold_for_the_sum(sample: list[Sentence], short: list[Sentence]) -> None:
    """Enumerate all labelled trees of order 1: the fewest broken rules, then the highest sum."""
    model = trained(sample[:60])
    names = model.labels[:]
    program, counter = compile_rules(RULES, names), RuleCounter(RULES)
    options = DecodeOptions(constraints=Constraints(single_root=True))
    rng = np.random.default_rng(4)
    for sentence in [one for one in short if len(one) <= 3]:
        extra = random_extra(len(sentence), len(names), rng, unit=40.0, spread=6.0)
        tokens, words = tokens_of(model, sentence, extra), range(1, len(sentence) + 1)
        scores, _ = model._scorer.scores(tokens, False)
        best = (0, -math.inf)
        for tree in all_trees(len(sentence)):
            if tree[1:].count(0) > 1:
                continue
            labels = model._scorer.label_scores(tokens, np.array(tree, np.int32), len(names))
            allowed = [np.flatnonzero(np.isfinite(labels[m])) for m in words]
            for choice in product(*allowed):
                value = sum(
                    scores[m, tree[m]] - labels[m].max() + labels[m, label]
                    for m, label in zip(words, choice, strict=True)
                )
                if value <= best[1] and best[0] == 0:
                    continue
                labelled = sentence.with_tree(list(tree), ["_", *(names[label] for label in choice)])
                broken = sum(len(result.violations) for result in counter.look(labelled))
                best = max(best, (-broken, value))
        (parses,) = model._scorer.parse(
            [tokens], [options.settings], False, rules=program.core, bits=[program.predicates.bits(sentence)]
        )
        assert (-parses.trees[0].broken, parses.trees[0].score) == (best[0], pytest.approx(best[1], abs=1e-3))


def test_a_unit_of_zero_gives_the_trees_of_the_model(model: Model, sample: list[Sentence]) -> None:
    options = DecodeOptions(constraints=model.constraints)
    rng = np.random.default_rng(5)
    for sentence in sample[:30]:
        extra = random_extra(len(sentence), len(model.labels), rng, unit=0.0)._replace(likely=math.inf)
        (plain,) = parse(model, tokens_of(model, sentence, None), options).trees
        (both,) = parse(model, tokens_of(model, sentence, extra), options).trees
        assert (plain.heads.tolist(), plain.labels, plain.score) == (both.heads.tolist(), both.labels, both.score)


def test_likely_heads_are_not_pruned(sample: list[Sentence]) -> None:
    """A head that the second scorer is sure of is chosen, however unlikely the pruner finds it."""
    model = trained(sample[:60], order=2)
    options, kept = DecodeOptions(constraints=Constraints(single_root=True)), 0
    for sentence in [one for one in sample if len(one) > 12][:5]:
        tokens, n = tokens_of(model, sentence, None), len(sentence)
        begin, heads, _ = model._scorer.choose(tokens, options.settings) or pytest.fail("no tree")
        possible, _ = model._scorer.scores(tokens, False)
        (plain,) = parse(model, tokens, options).trees
        for word in range(1, n + 1):
            pruned = set(range(1, n + 1)) - {*heads[begin[word] : begin[word + 1]].tolist()}
            pruned -= yields(plain.heads.tolist())[word]
            wanted = next((h for h in pruned if math.isfinite(possible[word, h])), None)
            if wanted is None:
                continue
            arcs = np.full((n + 1, n + 1), -10.0, np.float32)
            arcs[word, wanted] = -0.1
            extra = Extra(arcs, None, None, unit=1e5, likely=math.log(0.01))
            (tree,) = parse(model, tokens_of(model, sentence, extra), options).trees
            (other,) = parse(model, tokens_of(model, sentence, extra._replace(likely=1.0)), options).trees
            assert (tree.heads[word] == wanted, other.heads[word] == wanted) == (True, False)
            kept += 1
    assert kept > 10


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 3e38, -3e38])
def test_hostile_numbers_give_finite_scores(model: Model, sample: list[Sentence], value: float) -> None:
    options = DecodeOptions(constraints=model.constraints)
    rng = np.random.default_rng(6)
    for sentence in sample[:5]:
        extra = random_extra(len(sentence), len(model.labels), rng, unit=1e12)
        for array in extra[:3]:
            array.ravel()[rng.integers(0, array.size, 1 + array.size // 3)] = value
        (tree,) = parse(model, tokens_of(model, sentence, extra), options).trees
        assert math.isfinite(tree.score)


def test_more_labels_than_the_model_has_are_left_out(sample: list[Sentence]) -> None:
    model = trained(sample[:60])
    options = DecodeOptions(constraints=model.constraints)
    rng = np.random.default_rng(7)
    extra = random_extra(len(sample[0]), 5000, rng, unit=10.0)
    assert parse(model, tokens_of(model, sample[0], extra), options).trees


def test_refuses_other_shapes(sample: list[Sentence]) -> None:
    sentence, rng = sample[0], np.random.default_rng(8)
    good = random_extra(len(sentence), 4, rng, unit=1.0)
    bad = [
        good._replace(arcs=good.arcs[1:]),
        good._replace(of_head=good.of_head[1:]),
        good._replace(of_modifier=good.of_modifier[:, :0]),
        good._replace(unit=math.nan),
        good._replace(unit=-1.0),
    ]
    tokens = encode(sentence, trained(sample[:5]).columns)
    for extra in bad:
        with pytest.raises(ValueError, match="expected"):
            tokens.add_scores(*extra)
    assert reference.in_units(math.nan, 1.0) == -reference.FARTHEST
    assert replace(DecodeOptions()).decoder == "bnb"
