"""The formulations of Martins et al. 2009 as they are printed: for comparison, and as a third opinion.

*Concise Integer Linear Programming Formulations for Dependency Parsing*, section 3.
Trees by one commodity that flows from the root (4)-(9), by n commodities (18)-(22), or projective ones by
Proposition 1; all siblings (14), grandparents (15), consecutive siblings and first children (16), valency (17) and
non-projective arcs (23). O(n^2) columns for the first, O(n^3) for the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

import wnparse

Pair = tuple[int, int]
Triple = tuple[int, int, int]
Name = tuple[Any, ...]
Terms = Iterable[tuple[Name, float]]
WHOLE = 1e-6


@dataclass(frozen=True)
class Scores:
    """What arcs and other parts score; n words."""

    n: int
    arcs: Mapping[Pair, float]  # (i, j): i is the head of j
    siblings: Mapping[Triple, float] = field(default_factory=dict)  # (i, j, k), j < k: both children of i
    grandparents: Mapping[Triple, float] = field(default_factory=dict)  # (i, j, k): i over j over k
    next_siblings: Mapping[Triple, float] = field(default_factory=dict)  # (i, j, k): k is next to j, outwards
    first_children: Mapping[Pair, float] = field(default_factory=dict)
    valency: Mapping[Pair, float] = field(default_factory=dict)  # (i, v): i has v children
    nonprojective: Mapping[Pair, float] = field(default_factory=dict)
    # Not of this paper, but of head automata, whose chains have an end: written as first children are.
    last_children: Mapping[Pair, float] = field(default_factory=dict)
    childless: Mapping[Pair, float] = field(default_factory=dict)  # (i, right): no children of i on that side


@dataclass(frozen=True)
class Solved:
    """The optimum of a program: the columns' values, whether they are whole, the nearest tree."""

    value: float
    whole: bool  # arcs and valencies, and so all that scores: the tree is the best
    whole_arcs: bool
    heads: npt.NDArray[np.int32]
    columns: npt.NDArray[np.float64]


class Formulation:
    """A program that is written down row by row, columns by name, and given to the solver at once."""

    def __init__(self, scores: Scores, trees: str, *, single_root: bool = False) -> None:
        self.scores, self.single_root = scores, single_root
        self._whole = False
        self.places: dict[Name, int] = {}
        self.costs: list[float] = []
        self._upper: list[float] = []
        self._limits: list[tuple[float, float]] = []  # of rows
        self._starts, self._index, self._values = [0], list[int](), list[float]()
        self._in: dict[int, list[Pair]] = defaultdict(list)
        self._out: dict[int, list[Pair]] = defaultdict(list)
        for arc, score in scores.arcs.items():
            self.column(("z", *arc), score)
            self._out[arc[0]].append(arc)
            self._in[arc[1]].append(arc)
        # Non-projective arcs need the paths of the commodities.
        {"single": self._single, "multi": self._multi, "projective": self._projective}[trees]()
        if single_root:
            self.row([(("z", *arc), 1.0) for arc in self._from(0)], 1.0, 1.0)
        self._conjunctions()
        self._consecutive()
        self._ends()
        self._valency()
        if scores.nonprojective:
            assert trees == "multi"
            self._nonprojective()
        self._arcs = np.array([self.places[("z", *arc)] for arc in scores.arcs], np.int32)
        # With whole arcs all other columns are, but for those of valency.
        self._whole_columns = np.array([place for name, place in self.places.items() if name[0] in "zv"], np.int32)

    def column(self, name: Name, cost: float = 0.0, upper: float = 1.0) -> Name:
        """Add a column, once."""
        if name not in self.places:
            self.places[name] = len(self.places)
            self.costs.append(cost)
            self._upper.append(upper)
        return name

    def row(self, terms: Terms, lower: float = -np.inf, upper: float = np.inf) -> None:
        """Add a row; terms of one column add up."""
        summed: dict[int, float] = {}
        for name, factor in terms:
            place = self.places[name]
            summed[place] = summed.get(place, 0.0) + factor
        self._index += summed
        self._values += summed.values()
        self._starts.append(len(self._index))
        self._limits.append((lower, upper))

    def _into(self, j: int) -> list[Pair]:
        return self._in[j]

    def _from(self, i: int) -> list[Pair]:
        return self._out[i]

    def _heads(self) -> None:
        for j in range(1, self.scores.n + 1):  # (4)
            self.row([(("z", *arc), 1.0) for arc in self._into(j)], 1.0, 1.0)

    def _single(self) -> None:
        n = self.scores.n
        self._heads()
        for arc in self.scores.arcs:
            self.column(("f", *arc), 0.0, float(n))
            self.row([(("f", *arc), 1.0), (("z", *arc), -float(n))], upper=0.0)  # (8)
        self.row([(("f", *arc), 1.0) for arc in self._from(0)], float(n), float(n))  # (6)
        for j in range(1, n + 1):  # (7)
            flow = [(("f", *arc), 1.0) for arc in self._into(j)] + [(("f", *arc), -1.0) for arc in self._from(j)]
            self.row(flow, 1.0, 1.0)

    def _multi(self) -> None:
        n = self.scores.n
        for k in range(1, n + 1):
            for arc in self.scores.arcs:
                self.column(("f", k, *arc))
                self.row([(("f", k, *arc), 1.0), (("z", *arc), -1.0)], upper=0.0)  # (20)
            self.row([(("f", k, *arc), 1.0) for arc in self._from(0)], 1.0, 1.0)  # (18)
            for j in range(1, n + 1):  # (19)
                flow = [(("f", k, *arc), 1.0) for arc in self._into(j)]
                flow += [(("f", k, *arc), -1.0) for arc in self._from(j)]
                self.row(flow, float(j == k), float(j == k))
        self.row([(("z", *arc), 1.0) for arc in self.scores.arcs], float(n), float(n))  # (21)

    def _projective(self) -> None:
        self._heads()
        for i, j in self.scores.arcs:
            low, high = min(i, j), max(i, j)
            for k in range(1, self.scores.n + 1):
                if k == j:
                    continue
                wrong = [
                    (("z", h, k), 1.0)
                    for h, _ in self._into(k)
                    if (h < low or h > high if low < k < high else low < h < high or (k, h) == (i, j))
                ]
                if wrong:
                    self.row([(("z", i, j), 1.0), *wrong], upper=1.0)

    def _conjoin(self, name: Name, cost: float, first: Name, second: Name) -> None:
        """A column that is 1 iff two others are: (13)."""
        self.column(name, cost)
        self.row([(name, 1.0), (first, -1.0)], upper=0.0)
        self.row([(name, 1.0), (second, -1.0)], upper=0.0)
        self.row([(name, 1.0), (first, -1.0), (second, -1.0)], lower=-1.0)

    def _conjunctions(self) -> None:
        for (i, j, k), score in self.scores.siblings.items():
            self._conjoin(("s", i, j, k), score, ("z", i, j), ("z", i, k))
        for (i, j, k), score in self.scores.grandparents.items():
            self._conjoin(("g", i, j, k), score, ("z", i, j), ("z", j, k))

    def _consecutive(self) -> None:
        """Consecutive siblings by the dynamic rows of (16), outwards on either side."""
        n = self.scores.n
        for step in (1, -1) if self.scores.next_siblings else ():
            for j in range(1, n + 1):
                self._between(j, step)
        for (i, j, k), score in self.scores.next_siblings.items():
            name, both, after = ("n", i, j, k), self._both(i, j, k), ("b", j, k)
            self.column(name, score)
            self.row([(name, 1.0), (both, -1.0)], upper=0.0)
            self.row([(name, 1.0), (after, 1.0)], upper=1.0)
            self.row([(name, 1.0), (both, -1.0), (after, 1.0)], lower=0.0)

    def _ends(self) -> None:
        """First children (16), and likewise last ones and sides without any."""
        arcs, n = self.scores.arcs, self.scores.n
        for (i, j), score in self.scores.first_children.items():
            inner = [(i, m) for m in range(min(i, j) + 1, max(i, j)) if (i, m) in arcs]
            self._unless(self.column(("c", i, j), score), ("z", i, j), inner)
        for (i, j), score in self.scores.last_children.items():
            outer = [(i, m) for m in (range(1, j) if j < i else range(j + 1, n + 1)) if (i, m) in arcs]
            self._unless(self.column(("l", i, j), score), ("z", i, j), outer)
        for (i, right), score in self.scores.childless.items():
            self._unless(
                self.column(("e", i, right), score), None, [a for a in self._from(i) if (a[1] > i) == right]
            )

    def _unless(self, name: Name, arc: Name | None, others: list[Pair]) -> None:
        """A column that is 1 iff an arc is there (or always, if None) and none of some others."""
        one = [(arc, -1.0)] if arc else []
        limit = 0.0 if arc else 1.0
        self.row([(name, 1.0), *one], upper=limit)
        for other in others:
            self.row([(name, 1.0), (("z", *other), 1.0)], upper=1.0)
        self.row([(name, 1.0), *one, *((("z", *other), 1.0) for other in others)], lower=limit)

    def _both(self, i: int, j: int, k: int) -> Name:
        """The column of two siblings, whether they score or not."""
        first, second = sorted((j, k))
        if ("s", i, first, second) not in self.places:
            self._conjoin(("s", i, first, second), 0.0, ("z", i, first), ("z", i, second))
        return ("s", i, first, second)

    def _between(self, j: int, step: int) -> None:
        """b(j, k): some sibling of j lies between j and k, its head on the other side of j."""
        arcs, n = self.scores.arcs, self.scores.n
        ends = range(j + step, n + 1 if step > 0 else 0, step)
        heads = range(j) if step > 0 else range(j + 1, n + 1)
        for k in ends:
            self.column(("b", j, k), 0.0, 0.0 if k == j + step else 1.0)
        for k in ends[:-1]:
            both = [self._both(i, j, k) for i in heads if (i, j) in arcs and (i, k) in arcs]
            now, after = ("b", j, k), ("b", j, k + step)
            self.row([(after, 1.0), (now, -1.0)], lower=0.0)
            self.row([(after, 1.0), *((name, -1.0) for name in both)], lower=0.0)
            self.row([(after, 1.0), (now, -1.0), *((name, -1.0) for name in both)], upper=0.0)

    def _valency(self) -> None:
        for i in sorted({i for i, _ in self.scores.valency}):
            counts = range(len(self._from(i)) + 1)  # no more than there are arcs
            for v in counts:
                self.column(("v", i, v), self.scores.valency.get((i, v), 0.0))
            self.row([(("v", i, v), 1.0) for v in counts], 1.0, 1.0)
            children = [(("z", *arc), -1.0) for arc in self._from(i)]
            self.row([*((("v", i, v), float(v)) for v in counts), *children], 0.0, 0.0)  # (17)

    def _nonprojective(self) -> None:
        for (i, j), score in self.scores.nonprojective.items():
            name, inside = self.column(("x", i, j), score), range(min(i, j) + 1, max(i, j))
            self.row([(name, 1.0), (("z", i, j), -1.0)], upper=0.0)
            # psi(i, k) is what commodity k brings to i (23); to node 0 it is 1.
            paths = {k: [(("f", k, *arc), 1.0) for arc in self._into(i)] for k in inside}
            for k in inside if i else ():
                self.row([(name, 1.0), (("z", i, j), -1.0), *paths[k]], lower=0.0)
            everything = [term for k in inside for term in paths[k]]
            limit = float(len(inside)) if i else 0.0
            self.row([(name, 1.0), *everything], upper=limit)

    def _program(self) -> Any:
        """The program as HiGHS takes it."""
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self._limits)
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.array(self.costs), np.zeros(len(self.costs)), self._upper
        lp.row_lower_, lp.row_upper_ = map(np.array, zip(*self._limits, strict=True))
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = lp.num_col_, lp.num_row_
        lp.a_matrix_.start_, lp.a_matrix_.index_ = np.array(self._starts), np.array(self._index)
        lp.a_matrix_.value_ = np.array(self._values)
        return lp

    @cached_property
    def highs(self) -> Any:
        """The solver, with the program in it."""
        highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in (("output_flag", False), ("threads", 1), ("parallel", "off"), ("mip_rel_gap", 0.0)):
            highs.setOptionValue(name, value)
        highs.passModel(self._program())
        return highs

    def price(self, costs: npt.NDArray[np.float64]) -> None:
        """Give all columns other costs."""
        self.highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
        self.highs.clearSolver()  # from the last basis, programs of several commodities take twice as long

    def solve(self, whole: bool, seconds: float = np.inf) -> Solved | None:
        """Solve the integer program, or its relaxation, whose point is projected to a tree (section 4).

        None if time is up first.
        """
        if whole != self._whole:
            kind = highspy.HighsVarType.kInteger if whole else highspy.HighsVarType.kContinuous
            self.highs.changeColsIntegrality(
                len(self._whole_columns), self._whole_columns, np.full(len(self._whole_columns), kind)
            )
            self._whole = whole
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + seconds)
        self.highs.run()
        status = self.highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise wnparse.InfeasibleError("the program has no optimum")
        columns = np.array(self.highs.getSolution().col_value)
        matrix = np.full((self.scores.n + 1,) * 2, -np.inf)
        heads, modifiers = np.array(list(self.scores.arcs)).T
        matrix[modifiers, heads] = columns[self._arcs]
        tree = wnparse.decode(matrix, "msa", single_root=self.single_root).heads
        fraction = np.abs(columns - np.round(columns))
        whole = [bool((fraction[places] <= WHOLE).all()) for places in (self._whole_columns, self._arcs)]
        return Solved(self.highs.getInfo().objective_function_value, *whole, tree, columns)
