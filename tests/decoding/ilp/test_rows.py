"""Rows of the linear program, each family against all trees of a few words: valid trees keep them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wnparse
from support.tree_oracles import tabulate_trees
from wnparse._core.external import Problem
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.ilp.columns import ArcColumns
from wnparse.decoding.ilp.flow_cuts import FlowCuts
from wnparse.decoding.ilp.projective_rows import crossing_rows
from wnparse.decoding.ilp.tree_cuts import Sets, ShapeCuts, find_cycles, sets_row
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import DECODERS, register_decoder

MSA = DecodeOptions(decoder="msa", constraints=Constraints()).settings


def columns_of(n: int) -> ArcColumns:
    """All arcs between n words, as passed to a decoder in Python."""
    columns: list[ArcColumns] = []

    def keep(problem: Problem) -> None:
        columns.append(ArcColumns(problem, MSA))

    register_decoder("keep", keep, whole=True)
    try:
        with pytest.raises(wnparse.InfeasibleError):
            wnparse.decode(np.zeros((n + 1, n + 1)), "keep")
    finally:
        del DECODERS["keep"]
    return columns[0]


def arcs_of(columns: ArcColumns, heads: list[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    point = np.zeros(len(columns))
    point[columns.place[np.arange(1, len(heads)), heads[1:]]] = 1.0
    return point


@pytest.mark.parametrize("degree, nested", [(2, False), (None, True), (2, True), (1, False)])
def test_shape_cuts_separate_valid_from_invalid_trees(degree: int | None, nested: bool) -> None:
    columns, trees = columns_of(5), tabulate_trees(5)
    valid = trees.valid(degree, nested, False)
    points = np.array([arcs_of(columns, heads) for heads in trees.heads.tolist()])
    rows: dict[tuple[frozenset[int], ...], int] = {}
    for number, heads in enumerate(trees.heads.tolist()):
        cuts = ShapeCuts(degree, nested).separate(heads)
        assert bool(cuts) == (not valid[number])
        assert ShapeCuts(degree, nested).allow(heads) == valid[number]
        assert bool(list(ShapeCuts(degree, nested).patterns(heads))) == (not valid[number])
        for sets in cuts:
            rows.setdefault(sets, number)
    assert rows
    for sets, number in rows.items():
        row = sets_row(columns, sets)
        sums = points[:, row.columns] @ row.factors
        assert sums[number] > row.upper
        assert (sums[valid] <= row.upper).all()


def test_only_projective_trees_satisfy_crossing_rows() -> None:
    columns, trees = columns_of(4), tabulate_trees(4)
    valid = trees.valid(1, False, False)
    points = np.array([arcs_of(columns, heads) for heads in trees.heads.tolist()])
    for number, point in enumerate(points):
        violated = crossing_rows(columns, columns.arc_values(point))
        assert bool(violated) == (not valid[number])
        for row in violated:
            assert (points[valid][:, row.columns] @ row.factors <= row.upper).all()


def test_cycles_are_found_in_all_choices_of_heads() -> None:
    trees = {tuple(heads) for heads in tabulate_trees(3).heads.tolist()}
    for heads in itertools.product(range(4), repeat=3):
        if all(head != word for word, head in enumerate(heads, 1)):
            assert bool(find_cycles([-1, *heads])) == ((-1, *heads) not in trees)


def test_finds_sets_with_too_little_inflow() -> None:
    columns = columns_of(4)
    values = np.zeros(columns.arcs)
    for h, m, value in [(0, 1, 1.0), (2, 3, 0.5), (4, 3, 0.5), (3, 2, 0.5), (4, 2, 0.5), (2, 4, 0.5), (3, 4, 0.5)]:
        values[columns.place[m, h]] = value
    assert FlowCuts(columns, values).closed_sets() == [frozenset({2, 3, 4})]
    values[columns.place[3, 4]], values[columns.place[3, 1]] = 0.0, 0.5
    (left,) = FlowCuts(columns, values).closed_sets()
    assert left == frozenset({2, 3, 4})
    mixed = (arcs_of(columns, [-1, 0, 1, 2, 3]) + arcs_of(columns, [-1, 2, 0, 4, 2])) / 2
    assert FlowCuts(columns, mixed).closed_sets() == []


def random_point(rng: np.random.Generator, columns: ArcColumns) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Between a few random trees."""
    point = np.zeros(columns.arcs)
    weights = rng.dirichlet(np.ones(3))
    for weight in weights:
        order = rng.permutation(np.arange(1, columns.words + 1)).tolist()
        heads = [-1] * (columns.words + 1)
        for place, word in enumerate(order):
            heads[word] = rng.choice([0, *order[:place]])
        point += weight * arcs_of(columns, heads)
    return point


def slack(columns: ArcColumns, sets: Sets, point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    row = sets_row(columns, sets)
    return row.upper - float(row.factors @ point[row.columns])


@pytest.mark.parametrize("seed", range(30))
def test_minimum_cuts_give_the_most_violated_row(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = columns_of(6)
    point = random_point(rng, columns)
    flows = FlowCuts(columns, point)
    words = sorted(rng.choice(np.arange(1, 7), 4, replace=False).tolist())
    free = [v for v in range(1, 7) if v not in words]
    inner, gap, others = frozenset(words[:3:2]), frozenset(words[1:2]), [*free, words[3]]
    least = min(
        slack(columns, (inner | pick(others, sides, 1), gap | {0} | pick(others, sides, 2)), point)
        for sides in itertools.product(range(3), repeat=3)
    )
    least_sets = flows.least_sets(False, sorted(inner), sorted(gap))
    assert (least_sets is None) == (least > -1e-6)
    assert least_sets is None or slack(columns, least_sets, point) == pytest.approx(least)

    first, second = frozenset(words[::2]), frozenset(words[1::2])
    least = min(
        slack(columns, nesting_sets(first, second, free, sides), point)
        for sides in itertools.product(range(6), repeat=2)
    )
    least_sets = flows.least_sets(True, sorted(first), sorted(second))
    assert (least_sets is None) == (least > -1e-6)
    assert least_sets is None or slack(columns, least_sets, point) == pytest.approx(least)


def pick(words: list[int], sides: tuple[int, ...], *wanted: int) -> frozenset[int]:
    return frozenset(word for word, side in zip(words, sides, strict=True) if side in wanted)


def nesting_sets(first: frozenset[int], second: frozenset[int], free: list[int], sides: tuple[int, ...]) -> Sets:
    """Each free word in none, A and Q, B and P, P, Q, or P and Q."""
    return (
        first | pick(free, sides, 1),
        second | {0} | pick(free, sides, 2, 3, 5),
        second | pick(free, sides, 2),
        first | {0} | pick(free, sides, 1, 4, 5),
    )


@pytest.mark.parametrize("degree, nested", [(2, False), (None, True), (1, True)])
def test_valid_trees_satisfy_minimum_cuts(degree: int | None, nested: bool) -> None:
    rng = np.random.default_rng(5)
    columns, trees = columns_of(5), tabulate_trees(5)
    points = np.array([arcs_of(columns, heads) for heads in trees.heads.tolist()])
    valid = points[trees.valid(degree, nested, False)]
    cuts = 0
    for _ in range(400):
        heads = trees.heads[rng.integers(len(trees.heads))].tolist()
        point = 0.6 * arcs_of(columns, heads) + 0.4 * random_point(rng, columns)
        flows = FlowCuts(columns, point)
        for pattern in ShapeCuts(degree, nested).patterns(heads):
            sets = flows.least_sets(*pattern)
            if sets is not None:
                row = sets_row(columns, sets)
                assert row.factors @ point[row.columns] > row.upper
                assert (valid[:, row.columns] @ row.factors <= row.upper).all()
                cuts += 1
    assert cuts > 10
