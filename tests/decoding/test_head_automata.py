"""Each head automaton against all that it could choose: one parent, and any set of children."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from support.core_modules import import_or_skip

head_automata = import_or_skip("testing").head_automata

Row = tuple[int, int, int, int, int, int, int]  # kind, g, h, m, s, t, right
SIBLING, GRANDPARENT, GRANDSIBLING, TRISIBLING = range(4)


def rows_of(g: int, h: int, children: set[int], n: int) -> list[Row]:
    """The parts around node h with parent g and these children, by definition."""
    rows: list[Row] = []
    for right, order in ((0, range(h - 1, 0, -1)), (1, range(h + 1, n + 1))):
        side = [m for m in order if m in children]
        chain = [h, *side, h]
        for m, s in pairwise(chain):
            rows.append((SIBLING, -1, h, m, s, -1, right))
            if h > 0:
                rows.append((GRANDSIBLING, g, h, m, s, -1, right))
        if h > 0:
            rows += [(GRANDPARENT, g, h, m, -1, -1, right) for m in side]
        rows += [(TRISIBLING, -1, h, m, s, t, right) for m, s, t in zip(chain, chain[1:], chain[2:], strict=False)]
    return rows


def all_rows(n: int, kinds: tuple[int, ...]) -> list[Row]:
    """Every part that any choice has."""
    rows = set()
    for h in range(n + 1):
        others = [m for m in range(1, n + 1) if m != h]
        for g in [g for g in range(n + 1) if g != h] if h else [-1]:
            for taken in product((False, True), repeat=len(others)):
                rows |= set(rows_of(g, h, {m for m, yes in zip(others, taken, strict=True) if yes}, n))
    return sorted(row for row in rows if row[0] in kinds)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    "kinds", [(0,), (0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3), (3,)], ids=lambda kinds: "".join(map(str, kinds))
)
def test_automata_find_the_best_choices(kinds: tuple[int, ...], tied: bool, single_root: bool) -> None:
    n = 4
    rng = np.random.default_rng(sum(kinds))
    rows = all_rows(n, kinds)

    def noise(*shape: int) -> np.ndarray:
        return rng.integers(-2, 3, shape).astype(float) if tied else rng.normal(size=shape)

    for _ in range(4):
        scores, child_pay, parent_pay = noise(len(rows)), noise(n + 1, n + 1), noise(n + 1, n + 1)
        fixed_to_zero = rng.random((n + 1, n + 1)) < 0.15
        fixed_to_zero[0] = False
        child_pay[fixed_to_zero] = parent_pay[fixed_to_zero] = -np.inf
        score = dict(zip(rows, scores.tolist(), strict=True))
        answer = head_automata(child_pay, parent_pay, np.array(rows, np.int32), scores, single_root)
        assert answer is not None
        value, parent, children, child_slack, parent_slack = answer
        for h in range(n + 1):
            best = best_choices(h, n, score, child_pay, parent_pay)
            if h == 0 and single_root:
                best = {choice: value for choice, value in best.items() if len(choice[1]) == 1}
            assert value[h] == pytest.approx(max(best.values()))
            chosen = frozenset(np.flatnonzero(children[h]).tolist())
            assert best[int(parent[h]), chosen] == pytest.approx(value[h])
            for m in range(1, n + 1):
                with_child = max((v for (_, taken), v in best.items() if m in taken), default=-np.inf)
                with_parent = max((v for (g, _), v in best.items() if g == m), default=-np.inf)
                if m != h:
                    assert child_slack[h, m] == pytest.approx(with_child - value[h])
                if h > 0 and m != h:
                    assert parent_slack[m, h] == pytest.approx(with_parent - value[h])


def best_choices(
    h: int, n: int, score: dict[Row, float], child_pay: np.ndarray, parent_pay: np.ndarray
) -> dict[tuple[int, frozenset[int]], float]:
    """Return the score of each choice; no word is both child and parent."""
    totals = {}
    for g in [g for g in range(n + 1) if g != h] if h else [-1]:
        others = [m for m in range(1, n + 1) if m not in (h, g)]
        for taken in product((False, True), repeat=len(others)):
            children = frozenset(m for m, yes in zip(others, taken, strict=True) if yes)
            total = sum(score.get(row, 0.0) for row in rows_of(g, h, set(children), n))
            total += sum(child_pay[h, m] for m in children) + (parent_pay[g, h] if h else 0.0)
            totals[g, children] = total
    return totals
