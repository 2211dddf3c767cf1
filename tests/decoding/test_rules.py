"""Decoding under rules: the best labelled tree that obeys, against all labelled trees of a few words."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from support.labelled_tree_oracles import best_labelled_tree, value_of
from support.rule_problems import KINDS, bits_of, compile_rules, decode_labelled, random_problem, random_rule
from support.tree_oracles import structure
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import DECODERS

SHAPES = [(None, False, False), (None, False, True), (2, True, True), (1, False, False), (1, True, True)]


def check(rng: random.Random, n: int, labels: int, kinds: Sequence[str], how: str, decoder: str) -> None:
    predicates = 3
    nodes = [frozenset(v for v in range(n + 1) if rng.random() < 0.5) for _ in range(predicates)]
    rules = [random_rule(rng, kind, labels, predicates) for kind in kinds]
    scores, label_scores = random_problem(rng, n, labels, how)
    shape = rng.choice({"msa": SHAPES[:2], "eisner": SHAPES[3:]}.get(decoder, SHAPES))
    constraints = Constraints(*shape)
    limits = {} if rng.random() < 0.5 else {"max_iterations": rng.randint(1, 30)}
    settings = DecodeOptions(decoder=decoder, constraints=constraints, **limits).settings
    solution = decode_labelled(
        scores, label_scores, compile_rules(rules, labels, predicates), bits_of(nodes, n), settings
    )
    best = best_labelled_tree(scores, label_scores, rules, nodes, shape)
    falls_back = decoder == "msa-eisner"
    projective = best_labelled_tree(scores, label_scores, rules, nodes, (1, *shape[1:])) if falls_back else best
    if best is None or (projective is None and solution is None):
        assert solution is None
        return
    assert solution is not None and solution.labels is not None
    heads, score, broken, certified = solution.heads, solution.score, solution.broken, solution.certified
    chosen = [-1, *solution.labels[1:]]
    minus_broken, value = value_of(scores, label_scores, rules, nodes, heads.tolist(), chosen)
    assert score == pytest.approx(value)
    assert broken == -minus_broken
    degree, nested, roots = structure(heads.tolist())
    assert shape[0] is None or degree <= shape[0]
    assert nested or not shape[1]
    assert roots == 1 or not shape[2]
    assert broken >= best[0]
    assert broken > best[0] or score <= best[1] + 1e-9
    if certified:
        assert broken == best[0]
        assert score == pytest.approx(best[1])
    if decoder in ("bnb", "ilp"):
        assert certified
    if broken == best[0]:
        assert solution.upper_bound >= best[1] - 1e-9


@pytest.mark.parametrize("how", ["random", "tied", "sparse"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decoder", DECODERS)
def test_finds_the_best_tree_under_one_rule(kind: str, how: str, decoder: str) -> None:
    rng = random.Random(f"{kind} {how} {decoder}")
    for _ in range(25 if decoder == "bnb" else 8):
        check(rng, rng.choice([1, 2, 3, 3]), 3, [kind], how, decoder)


@pytest.mark.parametrize("how", ["random", "tied", "sparse"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decoder", ["bnb", "ilp"])
def test_finds_the_best_tree_under_several_rules(decoder: str, seed: int, how: str) -> None:
    rng = random.Random(f"{seed} {how}")
    for _ in range(6):
        kinds = rng.choices(KINDS, k=rng.randint(2, 4))
        check(rng, 3, 3, kinds, how, decoder)
    check(rng, 4, 2, rng.choices(KINDS, k=3), how, decoder)
