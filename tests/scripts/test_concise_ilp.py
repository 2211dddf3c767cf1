"""The formulations of Martins et al. 2009 against all trees of up to four words, part by part."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from reproduction.concise_ilp import Formulation, Scores

from support.tree_oracles import tabulate_trees


def parts_of(heads: list[int]) -> dict[str, set[tuple[int, ...]]]:
    """The parts that a tree has, by definition."""
    words, nodes = range(1, len(heads)), range(len(heads))
    children = {i: [m for m in words if heads[m] == i] for i in nodes}
    found: dict[str, set[tuple[int, ...]]] = {"arcs": {(heads[m], m) for m in words}}
    found["siblings"] = {(i, j, k) for i in nodes for j in children[i] for k in children[i] if j < k}
    found["grandparents"] = {(heads[heads[m]], heads[m], m) for m in words if heads[m]}
    sides = [(i, [m for m in children[i] if m > i]) for i in nodes]
    sides += [(i, [m for m in reversed(children[i]) if m < i]) for i in nodes]
    found["next_siblings"] = {(i, a, b) for i, side in sides for a, b in pairwise(side)}
    found["first_children"] = {(i, side[0]) for i, side in sides if side}
    found["valency"] = {(i, len(children[i])) for i in nodes}

    def above(i: int, k: int) -> bool:
        while k > 0 and k != i:
            k = heads[k]
        return k == i

    found["nonprojective"] = {
        (heads[m], m)
        for m in words
        if not all(above(heads[m], k) for k in range(min(heads[m], m) + 1, max(heads[m], m)))
    }
    return found


def random_scores(rng: np.random.Generator, n: int, kinds: list[str]) -> Scores:
    arcs = [(i, j) for i in range(n + 1) for j in range(1, n + 1) if i != j and (i == 0 or rng.random() < 0.9)]
    on_side = [(i, j, k) for i, j in arcs for h, k in arcs if h == i and j != k and (j < i) == (k < i)]
    rows: dict[str, list[tuple[int, ...]]] = {
        "siblings": [(i, j, k) for i, j in arcs for h, k in arcs if h == i and j < k],
        "grandparents": [(i, j, k) for i, j in arcs for h, k in arcs if h == j and k != i],
        "next_siblings": [(i, j, k) for i, j, k in on_side if abs(j - i) < abs(k - i)],
        "first_children": list(arcs),
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
    ("single", ["valency"]),
    ("multi", ["nonprojective"]),
    ("multi", ["siblings", "grandparents", "next_siblings", "first_children", "valency", "nonprojective"]),
    ("projective", ["siblings", "grandparents", "valency"]),
]


@pytest.mark.parametrize("trees, kinds", CASES, ids=str)
def test_against_all_trees(trees: str, kinds: list[str]) -> None:
    rng = np.random.default_rng([len(kinds), *trees.encode()])
    for n in (1, 2, 3, 4):
        for _ in range(3):
            scores = random_scores(rng, n, kinds)
            values = {}
            for heads in tabulate_trees(n).heads.tolist():
                parts = parts_of(heads)
                if parts["arcs"] <= scores.arcs.keys() and not (trees == "projective" and parts["nonprojective"]):
                    values[tuple(heads)] = sum(
                        score
                        for kind in ("arcs", *kinds)
                        for row, score in getattr(scores, kind).items()
                        if row in parts[kind]
                    )
            best = max(values.values())
            found = Formulation(scores, trees).solve(whole=True)
            assert found.whole
            assert found.value == pytest.approx(best, abs=1e-6)
            assert values[tuple(found.heads.tolist())] == pytest.approx(best, abs=1e-6)
            relaxed = Formulation(scores, trees).solve(whole=False)
            assert relaxed.value >= best - 1e-6
            if relaxed.whole:
                assert relaxed.value == pytest.approx(best, abs=1e-6)


def test_the_relaxation_of_several_commodities_is_tight_for_arcs() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        assert Formulation(random_scores(rng, 5, []), "multi").solve(whole=False).whole
