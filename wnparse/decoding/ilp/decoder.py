"""Parsing as an integer linear program: the decoder `ilp`.

The best arborescence comes first: arborescences are integral, so that it is the first linear program (Corro et al.
2016, section 4, (1) to (3)). Where it is not valid, or parts or rules are priced, a linear program over arcs is
solved, rows that its point violates are added, and so on, as Riedel & Clarke (2006), Algorithm 1, do with integer
programs. A point that is a valid tree is the best one; where no more rows are found and the point is not whole, it
is branched on an arc (wnparse.decoding.ilp.program).

Hard rules come before scores: if no tree keeps all, one program finds how few must be broken, and another the best
tree of those that break no more.
"""

from __future__ import annotations

import functools
import math
import time
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve
from wnparse._core.settings import DECODERS, Settings
from wnparse.decoding.ilp.arborescence_duals import ArborescenceDuals, arborescence_duals
from wnparse.decoding.ilp.columns import Columns
from wnparse.decoding.ilp.highs import SolverError
from wnparse.decoding.ilp.normalised import Normalised
from wnparse.decoding.ilp.program import Program
from wnparse.decoding.ilp.tree_cuts import EPSILON, ShapeCuts, find_cycles
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

# All are in units of the normalised problem, or of the value of a tree there if that is larger.
ROUNDING = 1e-12  # sums in another order
PROOF = 1e-7  # what a proof by prices may miss
SOLVER_PROOF = 5e-8  # the same where it rests on the solver alone
WARM_ITERATIONS = 50  # of the relaxation that finds a tree to begin with


@functools.cache
def _settings(name: str, block_degree: int, well_nested: bool, single_root: bool) -> Settings:
    code = next(each[1] for each in DECODERS if each[0] == name)
    return Settings(
        code, block_degree, well_nested, single_root, max_iterations=WARM_ITERATIONS, max_nodes=1, time_limit=0.0,
        paper_cuts=False, paper_fixing=False, camerini=False, local_search=True,
    )  # fmt: skip


def solve_problem(problem: Problem, *, warm: bool = True) -> Answer | None:
    """Find the best tree of a problem, and prove it; `warm`: begin with a tree of the relaxation."""
    best = solve(problem.scores, _settings("msa", 0, False, problem.single_root))
    if best is None:
        return None
    normalised = Normalised(problem, best.heads)
    return normalised.restore(_solve_normalised(normalised, warm))


def _solve_normalised(problem: Normalised, warm: bool) -> Answer | None:
    msa = _settings("msa", 0, False, problem.single_root)
    best = solve(problem.scores, msa)
    assert best is not None
    deadline = None if problem.time_limit is None else time.monotonic() + problem.time_limit
    if problem.parts is None and problem.choices is None:
        cuts = ShapeCuts(problem.block_degree, problem.well_nested).separate(best.heads.tolist())
        if not cuts:
            return best.heads, None, best.score, ROUNDING * max(1.0, abs(best.score)), 1, 0
        duals = arborescence_duals(problem.scores)
        trees = _first_trees(problem) if warm else []
        search = _Search(problem, Columns(problem, msa, _arcs_left(problem, duals, trees)), deadline)
        search.program.start()
        search.program.add_sets([*((each,) for each in duals.sets), *cuts])
        search.program.begin_from(duals.heads)
    else:
        search = _Search(problem, Columns(problem, msa), deadline)
        if problem.words == 0 or search.settles(best.heads):
            score = search.value(best.heads, search.firsts(best.heads))
            return best.heads, search.firsts(best.heads), score, ROUNDING * max(1.0, abs(score)), 1, 0
        search.program.start()
        search.program.add(search.program.separation.of_tree(best.heads, search.firsts(best.heads)))
        trees = _first_trees(problem) if warm else []
    try:
        for heads in trees:
            search.program.offer(heads, search.firsts(heads))
        return search.run()
    except (LimitError, SolverError):
        return search.give_up()


def _first_trees(problem: Normalised) -> list[IntArray]:
    """Trees to begin with."""
    trees = [] if problem.known is None else [problem.known]
    lr = _settings("lr", problem.block_degree or 0, problem.well_nested, problem.single_root)
    found = solve(problem.scores, lr)
    if found is not None and found.score > -math.inf:
        trees.append(found.heads)
    return trees


def _arcs_left(problem: Normalised, duals: ArborescenceDuals, trees: list[IntArray]) -> BoolArray:
    """The arcs [m, h] that a tree better than the first ones may have."""
    scores = problem.scores
    left: BoolArray = scores > -np.inf
    words = np.arange(1, problem.words + 1)
    shapes = ShapeCuts(problem.block_degree, problem.well_nested)
    for heads in trees:
        told = heads.tolist()
        roots = int((heads[1:] == 0).sum())
        if find_cycles(told) or not shapes.allow(told) or (problem.single_root and roots != 1):
            continue
        value = float(scores[words, heads[1:]].sum())
        left &= duals.value + duals.reduced >= value - EPSILON * max(1.0, abs(value))
        left[words, heads[1:]] = True
    return left


class _Search:
    """The programs of one problem, and the best tree so far."""

    def __init__(self, problem: Normalised, columns: Columns, deadline: float | None) -> None:
        self.problem = problem
        self.columns = columns
        self.program = Program(problem, columns, deadline)
        self.deadline = deadline
        self.iterations = 1  # the arborescence
        self.nodes = 0

    def firsts(self, heads: IntArray) -> IntArray:
        """The best column of each arc of a tree."""
        arcs = self.columns.place[np.arange(len(heads)), heads]
        first = np.empty(self.columns.arcs, np.int32)
        order = np.lexsort((self.columns.score, -self.columns.broken))
        first[self.columns.arc[order]] = order
        chosen = first[arcs] if self.columns.arcs else np.full(len(heads), -1, np.int32)
        chosen[0] = -1
        return chosen

    def settles(self, heads: IntArray) -> bool:
        """Whether the best arborescence is the answer: no parts, and it violates nothing."""
        return self.problem.parts is None and not self.program.separation.of_tree(heads, self.firsts(heads))

    def value(self, heads: IntArray, chosen: IntArray) -> float:
        """The score of a labelled tree, what hard rules it breaks left out."""
        return self.program.value(heads, chosen)

    def run(self) -> Answer | None:
        """Solve the programs that it takes."""
        found = self.program.maximise(self.problem.max_nodes)
        if found or self.problem.choices is None:
            return self._answer() if found else None
        # No tree keeps all hard rules: how few must be broken?
        first = self.program
        nodes = min(self.problem.max_nodes, self.problem.broken_nodes)
        fewest = Program(self.problem, self.columns, self.deadline, counting=True)
        fewest.start(first.pool)
        if not fewest.maximise(nodes):
            return None
        allowed = Program(self.problem, self.columns, self.deadline, budget=fewest.broken())
        allowed.start(fewest.pool)
        assert fewest.incumbent is not None
        allowed.offer(fewest.incumbent[1], fewest.incumbent[2])
        allowed.solves, allowed.nodes = first.solves + fewest.solves, first.nodes + fewest.nodes
        self.program = allowed
        if fewest.proved:
            allowed.maximise(self.problem.max_nodes)
        return self._answer(certain=fewest.proved)

    def _answer(self, certain: bool = True) -> Answer:
        program = self.program
        assert program.incumbent is not None
        value, heads, chosen = program.incumbent
        unit = max(1.0, abs(value))
        bound = max(program.bound, value) if certain else math.inf
        tolerance = (PROOF if program.exact else SOLVER_PROOF) * unit if program.proved and certain else 0.0
        choices = chosen if self.problem.choices is not None else None
        return heads, choices, bound, tolerance, 1 + program.solves, program.nodes

    def give_up(self) -> Answer:
        """What is known when the time is up."""
        if self.program.incumbent is not None and not self.program.counting:
            return self._answer(certain=self.program.budget is None)
        bound = self.program.bound if self.program.budget is None else math.inf
        return None, None, bound, 0.0, 1 + self.program.solves, self.program.nodes
