"""Parsing as an integer linear program: the decoder `ilp`.

The best arborescence comes first: arborescences are integral, so that it solves the first linear program (Corro et
al. 2016, section 4, (1) to (3)). If it is not valid, or there are parts or rules, a linear program over arcs is
solved, the rows that its point violates are added, and so on, as Riedel & Clarke (2006), Algorithm 1, do with
integer programs. A point that is a valid tree is the best one. If no more rows are found and the point is not
integral, the program branches on an arc (wnparse.decoding.ilp.program).

Hard rules have priority over scores: if no tree satisfies all of them, one program finds how few must be broken,
and another the best tree among those that break no more.
"""

from __future__ import annotations

import functools
import math
import time
from typing import TYPE_CHECKING

import numpy as np

from wnparse._core.decoding import solve
from wnparse._core.settings import DECODERS, Settings
from wnparse.decoding.arrays import BoolArray, IntArray
from wnparse.decoding.ilp.arborescence_duals import ArborescenceDuals, arborescence_duals
from wnparse.decoding.ilp.columns import ArcColumns
from wnparse.decoding.ilp.highs import SolverError
from wnparse.decoding.ilp.normalised import Normalised
from wnparse.decoding.ilp.program import Program
from wnparse.decoding.ilp.tree_cuts import EPSILON, ShapeCuts
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

# All are in units of the normalised problem, or of the value of a tree there if that is larger.
ROUNDING = 1e-12  # sums in another order
PROOF = 1e-7  # tolerance of a proof by prices
SOLVER_PROOF = 5e-8  # tolerance of a proof that rests on the solver alone
WARM_ITERATIONS = 50  # of the relaxation that finds the first tree


@functools.cache
def _settings(name: str, block_degree: int, well_nested: bool, single_root: bool) -> Settings:
    code = next(decoder[1] for decoder in DECODERS if decoder[0] == name)
    return Settings(
        code, block_degree, well_nested, single_root, max_iterations=WARM_ITERATIONS, max_nodes=1, time_limit=0.0,
        paper_cuts=False, paper_fixing=False, camerini=False, local_search=True,
    )  # fmt: skip


def solve_problem(problem: Problem, *, warm: bool = True) -> Answer | None:
    """Find the best tree of a problem, and prove it; with `warm`, start from a tree of the relaxation."""
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
        search = _Search(problem, ArcColumns(problem, msa, _remaining_arcs(problem, duals, trees)), deadline)
        search.program.start()
        search.program.add_sets([*((members,) for members in duals.sets), *cuts])
        search.program.begin_from(duals.heads)
    else:
        search = _Search(problem, ArcColumns(problem, msa), deadline)
        chosen = search.columns.best_choice(best.heads)
        violated = search.program.separation.of_tree(best.heads, chosen)
        if problem.words == 0 or (problem.parts is None and not violated):
            score = search.program.value(best.heads, chosen)
            return best.heads, chosen, score, ROUNDING * max(1.0, abs(score)), 1, 0
        search.program.start()
        search.program.add(violated)
        trees = _first_trees(problem) if warm else []
    try:
        for heads in trees:
            search.program.offer(heads, search.columns.best_choice(heads))
        return search.run()
    except (LimitError, SolverError):
        return search.limited_answer()


def _first_trees(problem: Normalised) -> list[IntArray]:
    """Return trees that the search can start from."""
    trees = [] if problem.known is None else [problem.known]
    lr = _settings("lr", problem.block_degree or 0, problem.well_nested, problem.single_root)
    solution = solve(problem.scores, lr)
    if solution is not None and solution.score > -math.inf:
        trees.append(solution.heads)
    return trees


def _remaining_arcs(problem: Normalised, duals: ArborescenceDuals, trees: list[IntArray]) -> BoolArray:
    """Return the arcs [m, h] that a tree better than the first ones may have."""
    scores = problem.scores
    remaining: BoolArray = scores > -np.inf
    words = np.arange(1, problem.words + 1)
    shapes = ShapeCuts(problem.block_degree, problem.well_nested)
    for heads in trees:
        if shapes.allow(heads.tolist(), problem.single_root):
            value = float(scores[words, heads[1:]].sum())
            remaining &= duals.value + duals.reduced >= value - EPSILON * max(1.0, abs(value))
            remaining[words, heads[1:]] = True
    return remaining


class _Search:
    """The programs of one problem, and the best tree so far."""

    def __init__(self, problem: Normalised, columns: ArcColumns, deadline: float | None) -> None:
        self.problem = problem
        self.columns = columns
        self.program = Program(problem, columns, deadline)
        self.deadline = deadline

    def run(self) -> Answer | None:
        if self.program.maximise(self.problem.max_nodes):
            return self._answer()
        if self.problem.choices is None:
            return None
        # No tree satisfies all hard rules: how few must be broken?
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

    def limited_answer(self) -> Answer:
        """Return what is known when a limit is reached."""
        program = self.program
        if program.incumbent is not None and not program.counting:
            return self._answer(certain=program.budget is None)
        bound = program.bound if program.budget is None else math.inf
        return None, None, bound, 0.0, 1 + program.solves, program.nodes
