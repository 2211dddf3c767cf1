"""Decoding under rules: the best labelled tree that obeys, against all labelled trees of a few words."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from support.labelled_tree_oracles import OracleRule, Pattern, best_labelled_tree, value_of
from support.tree_oracles import structure
from wnparse._core.rules import CompiledRules, solve
from wnparse.constraints import Constraints
from wnparse.decoders import MAX_ITERATIONS, MAX_NODES, make_settings

KINDS = ("forbid", "most", "least", "siblings", "parent", "between", "projective", "contiguous")
SHAPES = [(None, False, False), (None, False, True), (2, True, True), (1, False, False), (1, True, True)]


def compile_rules(rules: Sequence[OracleRule], labels: int, predicates: int) -> CompiledRules:
    """Each label is a class of its own."""
    table = np.zeros((len(rules), 20), np.int32)
    masks = np.full((len(rules), 2), 2**64 - 1, np.uint64)
    classes: list[int] = []
    for row, rule in enumerate(rules):
        other = rule.other or Pattern(frozenset())
        table[row, :18] = [
            *(KINDS.index(rule.kind), rule.node, rule.limit, rule.between, rule.crossing),
            *(rule.arc.head, rule.arc.dependent, rule.arc.direction, rule.arc.least, rule.arc.most),
            *(rule.other is not None, other.head, other.dependent, other.direction, other.least, other.most),
            *(len(classes), len(classes) + len(rule.classes)),
        ]
        masks[row] = [sum(1 << label for label in pattern.labels) for pattern in (rule.arc, other)]
        classes += rule.classes
    penalties = np.array([rule.penalty for rule in rules])
    words = max(1, math.ceil(predicates / 64))
    numbers = np.arange(labels, dtype=np.int32)
    return CompiledRules(table, masks, penalties, np.array(classes, np.int32), numbers, words)


def random_pattern(rng: random.Random, labels: int, predicates: int) -> Pattern:
    chosen = frozenset(rng.sample(range(labels), rng.randint(1, labels)))
    some = [-1, -1, *range(predicates)]
    least = rng.choice([0, 0, 0, 2])
    return Pattern(
        chosen, rng.choice(some), rng.choice(some), rng.choice([0, 0, 1, 2]), least, rng.choice([0, 0, 0, 2])
    )


def random_rule(rng: random.Random, kind: str, labels: int, predicates: int) -> OracleRule:
    arc = random_pattern(rng, labels, predicates)
    second = random_pattern(rng, labels, predicates)
    needed = kind in ("parent", "between")
    allowed = kind in ("most", "least", "siblings", "projective")
    return OracleRule(
        kind,
        arc,
        penalty=rng.choice([math.inf, math.inf, 0.5, 1.0, 2.5]),
        other=second if needed or (allowed and rng.random() < 0.5) else None,
        node=rng.choice([-1, *range(predicates)]),
        limit=rng.choice([0, 1, 1, 2]),
        between=rng.choice([-1, *range(predicates)]),
        crossing=rng.choice([1, 2, 3, 4, 8, 15]) if kind == "projective" else 0,
        classes=tuple(rng.sample(range(predicates), rng.randint(0, predicates))) if kind == "siblings" else (),
    )


def random_problem(
    rng: random.Random, n: int, labels: int, how: str
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    def draw() -> float:
        if how == "tied":
            return float(rng.randint(0, 2))
        return rng.gauss(0, 1)

    scores = np.array([[draw() for _ in range(n + 1)] for _ in range(n + 1)])
    label_scores = np.array([[[draw() for _ in range(labels)] for _ in range(n + 1)] for _ in range(n + 1)])
    if how == "sparse":
        mask = np.array([[rng.random() < 0.35 for _ in range(n + 1)] for _ in range(n + 1)])
        scores[mask] = -np.inf
        for place in np.ndindex(label_scores.shape):
            if rng.random() < 0.3:
                label_scores[place] = -np.inf
    return scores, label_scores


def bits_of(nodes: Sequence[frozenset[int]], n: int) -> npt.NDArray[np.uint64]:
    bits = np.zeros((n + 1, max(1, math.ceil(len(nodes) / 64))), np.uint64)
    for number, members in enumerate(nodes):
        for node in members:
            bits[node, number // 64] |= np.uint64(1 << number % 64)
    return bits


def check(rng: random.Random, n: int, labels: int, kinds: Sequence[str], how: str, decoder: str) -> None:
    predicates = 3
    nodes = [frozenset(v for v in range(n + 1) if rng.random() < 0.5) for _ in range(predicates)]
    rules = [random_rule(rng, kind, labels, predicates) for kind in kinds]
    scores, label_scores = random_problem(rng, n, labels, how)
    shape = rng.choice({"msa": SHAPES[:2], "eisner": SHAPES[3:]}.get(decoder, SHAPES))
    constraints = Constraints(*shape)
    settings = make_settings(decoder, constraints, max_iterations=MAX_ITERATIONS, max_nodes=MAX_NODES)
    found = solve(scores, label_scores, compile_rules(rules, labels, predicates), bits_of(nodes, n), settings)
    best = best_labelled_tree(scores, label_scores, rules, nodes, shape)
    if best is None:
        assert found is None
        return
    assert found is not None
    heads, chosen, score, upper, certified, _, _, broken = found
    minus_broken, value = value_of(scores, label_scores, rules, nodes, heads.tolist(), chosen.tolist())
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
        assert upper >= best[1] - 1e-9


@pytest.mark.parametrize("how", ["random", "tied", "sparse"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decoder", ["bnb", "lr", "msa", "eisner", "ilp"])
def test_one_rule(kind: str, how: str, decoder: str) -> None:
    rng = random.Random(f"{kind} {how} {decoder}")
    for _ in range(25 if decoder == "bnb" else 8):
        check(rng, rng.choice([1, 2, 3, 3]), 3, [kind], how, decoder)


@pytest.mark.parametrize("how", ["random", "tied", "sparse"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decoder", ["bnb", "ilp"])
def test_several_rules(decoder: str, seed: int, how: str) -> None:
    rng = random.Random(f"{seed} {how}")
    for _ in range(6):
        kinds = rng.choices(KINDS, k=rng.randint(2, 4))
        check(rng, 3, 3, kinds, how, decoder)
    check(rng, 4, 2, rng.choices(KINDS, k=3), how, decoder)
