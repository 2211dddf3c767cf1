"""The formulations of Martins et al. 2009 against all trees of up to five words, part by part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wnparse
from reproduction.martins2009.ilp import Formulation, Scores
from support.concise_oracles import all_trees


def random_scores(rng: np.random.Generator, n: int, kinds: list[str]) -> Scores:
    arcs = [(i, j) for i in range(n + 1) for j in range(1, n + 1) if i != j and (i == 0 or rng.random() < 0.9)]
    on_side = [(i, j, k) for i, j in arcs for h, k in arcs if h == i and j != k and (j < i) == (k < i)]
    rows: dict[str, list[tuple[int, ...]]] = {
        "siblings": [(i, j, k) for i, j in arcs for h, k in arcs if h == i and j < k],
        "grandparents": [(i, j, k) for i, j in arcs for h, k in arcs if h == j and k != i],
        "next_siblings": [(i, j, k) for i, j, k in on_side if abs(j - i) < abs(k - i)],
        "first_children": list(arcs),
        "last_children": list(arcs),
        "childless": [(i, right) for i in range(n + 1) for right in (0, 1)],
        "valency": [(i, v) for i in range(n + 1) for v in range(n + 1)],
        "nonprojective": list(arcs),
    }
    drawn: Any = {kind: {row: float(rng.normal()) for row in rows[kind]} for kind in kinds}
    return Scores(n, {arc: float(rng.normal()) for arc in arcs}, **drawn)


CASES = [
    ("single", []),
    ("multi", []),
    ("projective", []),
    ("single", ["siblings"]),
    ("single", ["grandparents"]),
    ("single", ["next_siblings", "first_children"]),
    ("single", ["next_siblings", "last_children", "childless"]),
    ("single", ["valency"]),
    ("multi", ["nonprojective"]),
    ("multi", ["siblings", "grandparents", "next_siblings", "first_children", "valency", "nonprojective"]),
    ("projective", ["siblings", "grandparents", "valency"]),
]


# Words, and how many problems of so many are drawn.
SIZES = {1: 2, 2: 3, 3: 3, 4: 2, 5: 1}


@pytest.mark.parametrize("trees, kinds", CASES, ids=str)
def test_finds_the_best_of_all_trees(trees: str, kinds: list[str]) -> None:
    rng = np.random.default_rng([len(kinds), *trees.encode()])
    for n in (n for n, count in SIZES.items() for _ in range(count)):
        scores = random_scores(rng, n, kinds)
        single_root = bool(rng.random() < 0.3)
        values = {}
        for heads, parts in all_trees(n):
            allowed = parts["arcs"] <= scores.arcs.keys() and not (single_root and heads.count(0) > 1)
            if allowed and not (trees == "projective" and parts["nonprojective"]):
                values[tuple(heads)] = sum(
                    getattr(scores, kind).get(row, 0.0) for kind in ("arcs", *kinds) for row in parts[kind]
                )
        if not values:  # no arcs below the only root
            with pytest.raises(wnparse.InfeasibleError):
                Formulation(scores, trees, single_root=single_root).solve(whole=True)
            continue
        best = max(values.values())
        solution = Formulation(scores, trees, single_root=single_root).solve(whole=True)
        assert solution
        assert solution.whole
        assert solution.value == pytest.approx(best, abs=1e-6)
        assert values[tuple(solution.heads.tolist())] == pytest.approx(best, abs=1e-6)
        relaxed = Formulation(scores, trees, single_root=single_root).solve(whole=False)
        assert relaxed
        assert relaxed.value >= best - 1e-6
        if relaxed.whole:
            assert relaxed.value == pytest.approx(best, abs=1e-6)


def test_the_relaxation_of_several_commodities_is_tight_for_arcs() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        solution = Formulation(random_scores(rng, 5, []), "multi").solve(whole=False)
        assert solution
        assert solution.whole


def test_takes_new_costs_and_returns_to_the_relaxation() -> None:
    rng = np.random.default_rng(2)
    first, second = (random_scores(rng, 4, ["siblings"]) for _ in range(2))
    second = Scores(4, dict(zip(first.arcs, rng.normal(size=len(first.arcs)), strict=True)), first.siblings)
    program, fresh = Formulation(first, "single"), Formulation(second, "single")
    relaxed = [Formulation(second, "single").solve(whole=False), None]
    program.solve(whole=True)
    program.price(np.array(fresh.costs))
    exact = program.solve(whole=True)
    relaxed[1] = program.solve(whole=False)
    expected = fresh.solve(whole=True)
    assert exact
    assert expected
    assert exact.value == pytest.approx(expected.value)
    assert relaxed[0]
    assert relaxed[1]
    assert relaxed[0].value == pytest.approx(relaxed[1].value)


def test_obeys_a_time_limit() -> None:
    scores = random_scores(np.random.default_rng(3), 12, ["siblings", "grandparents"])
    assert Formulation(scores, "single").solve(whole=True, seconds=1e-4) is None
