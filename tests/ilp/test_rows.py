"""Rows of the linear program, each family against all trees of a few words: valid trees keep them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wnparse
from support.tree_oracles import tabulate_trees
from wnparse._core.external import Problem
from wnparse.constraints import Constraints
from wnparse.decoders import DECODERS, make_settings, register_decoder
from wnparse.ilp.columns import Columns
from wnparse.ilp.projective_rows import crossing_rows
from wnparse.ilp.tree_cuts import ShapeCuts, find_closed_sets, find_cycles, sets_row

MSA = make_settings("msa", Constraints())


def columns_of(n: int) -> Columns:
    """All arcs between n words, as a decoder in Python is given them."""
    kept: list[Columns] = []

    def keep(problem: Problem) -> None:
        kept.append(Columns(problem, MSA))

    register_decoder("keep", keep, whole=True)
    try:
        with pytest.raises(wnparse.InfeasibleError):
            wnparse.decode(np.zeros((n + 1, n + 1)), "keep")
    finally:
        del DECODERS["keep"]
    return kept[0]


def arcs_of(columns: Columns, heads: list[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    point = np.zeros(len(columns))
    point[columns.place[np.arange(1, len(heads)), heads[1:]]] = 1.0
    return point


@pytest.mark.parametrize("degree, nested", [(2, False), (None, True), (2, True), (1, False)])
def test_shape_cuts_hold_of_valid_trees_and_cut_invalid_ones_off(degree: int | None, nested: bool) -> None:
    columns, trees = columns_of(5), tabulate_trees(5)
    valid = trees.valid(degree, nested, False)
    points = np.array([arcs_of(columns, heads) for heads in trees.heads.tolist()])
    rows: dict[tuple[frozenset[int], ...], int] = {}
    for number, heads in enumerate(trees.heads.tolist()):
        found = ShapeCuts(degree, nested).separate(heads)
        assert bool(found) == (not valid[number])
        for sets in found:
            rows.setdefault(sets, number)
    assert rows
    for sets, number in rows.items():
        row = sets_row(columns, sets)
        sums = points[:, row.columns] @ row.factors
        assert sums[number] > row.upper
        assert (sums[valid] <= row.upper).all()


def test_crossing_rows_are_violated_by_all_trees_but_projective_ones() -> None:
    columns, trees = columns_of(4), tabulate_trees(4)
    valid = trees.valid(1, False, False)
    points = np.array([arcs_of(columns, heads) for heads in trees.heads.tolist()])
    for number, point in enumerate(points):
        found = crossing_rows(columns, columns.arc_values(point))
        assert bool(found) == (not valid[number])
        for row in found:
            assert (points[valid][:, row.columns] @ row.factors <= row.upper).all()


def test_cycles_are_found_in_all_choices_of_heads() -> None:
    trees = {tuple(heads) for heads in tabulate_trees(3).heads.tolist()}
    for heads in itertools.product(range(4), repeat=3):
        if all(head != word for word, head in enumerate(heads, 1)):
            assert bool(find_cycles([-1, *heads])) == ((-1, *heads) not in trees)


def test_sets_that_too_little_flows_into_are_found() -> None:
    columns = columns_of(4)
    values = np.zeros(columns.arcs)
    for h, m, value in [(0, 1, 1.0), (2, 3, 0.5), (4, 3, 0.5), (3, 2, 0.5), (4, 2, 0.5), (2, 4, 0.5), (3, 4, 0.5)]:
        values[columns.place[m, h]] = value
    assert find_closed_sets(columns, values) == [frozenset({2, 3, 4})]
    values[columns.place[3, 4]], values[columns.place[3, 1]] = 0.0, 0.5
    (left,) = find_closed_sets(columns, values)
    assert left == frozenset({2, 3, 4})
    mixed = (arcs_of(columns, [-1, 0, 1, 2, 3]) + arcs_of(columns, [-1, 2, 0, 4, 2])) / 2
    assert find_closed_sets(columns, mixed) == []
