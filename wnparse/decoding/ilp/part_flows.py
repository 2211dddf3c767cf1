"""Parts of higher order in a linear program: chains of siblings as flows, grandparents as shares of an arc.

For a head h and a side of it, y(a, b) says that b is the next child after a going outwards. The children of a tree
are one path from START to STOP, and the polytope of paths is integral:

    sum over b of y(START, b) = 1
    sum over a of y(a, b) = z(h, b) = sum over c of y(b, c)                      each child b
    sum over g of p(g, h, m) = z(h, m),   p(g, h, m) <= z(g, h)                  grandparents, g the head of h
    sum over g of q(g, a, b) = y(a, b),   sum over a of q(g, a, b) = p(g, h, b)  grand-siblings, h not node 0
    sum over c of q(g, b, c) = p(g, h, b),   sum over b of q(g, START, b) = z(g, h)
    sum over a of t(a, b, c) = y(b, c),   sum over c of t(a, b, c) = y(a, b)     tri-siblings, b a child

These are stronger than conjunctions of pairs of arcs (Martins et al. 2009, section 3.3), and with whole z all
others are whole. Koo et al. (2010), section 3, maximise over the same paths. Only heads and sides for which some
part has a score get columns.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import FloatArray

if TYPE_CHECKING:
    from wnparse.decoding.ilp.columns import ArcColumns
    from wnparse.decoding.ilp.highs import LinearProgram
    from wnparse.decoding.ilp.normalised import Normalised

IntArray = npt.NDArray[np.integer]


class _Entries:
    """Collects the entries of rows before they are passed to the solver."""

    def __init__(self) -> None:
        self.lower: list[FloatArray] = []
        self.upper: list[FloatArray] = []
        self.count = 0
        self.places: list[Any] = []
        self.columns: list[Any] = []
        self.factors: list[FloatArray] = []

    def rows(self, count: int, lower: float, upper: float) -> int:
        """Begin `count` rows; return the place of the first."""
        first = self.count
        self.lower.append(np.full(count, lower))
        self.upper.append(np.full(count, upper))
        self.count += count
        return first

    def add(self, places: Any, columns: Any, factor: float) -> None:
        """Add entries of one factor."""
        self.places.append(np.asarray(places))
        self.columns.append(np.asarray(columns))
        self.factors.append(np.full(len(self.places[-1]), factor))

    def flush(self, program: LinearProgram) -> None:
        if self.count:
            program.add_sparse(
                np.concatenate(self.lower),
                np.concatenate(self.upper),
                np.concatenate(self.places),
                np.concatenate(self.columns),
                np.concatenate(self.factors),
            )


class PartFlows:
    """The parts of a problem, and their columns and rows."""

    def __init__(self, problem: Normalised, columns: ArcColumns) -> None:
        assert problem.parts is not None
        self.columns = columns
        self.siblings, self.grandparents, self.grandsiblings, self.trisiblings = problem.parts
        self._tables = [_table(kind) for kind in problem.parts]

    def value(self, heads: Any) -> float:
        """Return the sum of the scores of a tree's parts."""
        sibling, grandparent, grandsibling, trisibling = (table.get for table in self._tables)
        total = 0.0
        for h in range(len(heads)):
            g = int(heads[h])
            children = [m for m in range(1, len(heads)) if heads[m] == h]
            total += sum(grandparent((g, h, m), 0.0) for m in children)
            for right in (0, 1):
                side = [m for m in children if m > h] if right else [m for m in reversed(children) if m < h]
                chain = [h, *side, h]
                for a, b in pairwise(chain):
                    total += sibling((h, a, b, right), 0.0) + grandsibling((g, h, a, b, right), 0.0)
                for a, b, c in zip(chain, chain[1:], chain[2:], strict=False):
                    total += trisibling((h, a, b, c, right), 0.0)
        return total

    def write(self, program: LinearProgram) -> None:
        """Add columns and rows for all parts that have a score."""
        entries = _Entries()
        third = self._sides(self.grandsiblings[0][:, [1, 4]]) | self._sides(self.trisiblings[0][:, [0, 4]])
        rows, scores = self.siblings
        scoring = self._sides(rows[scores != 0.0][:, [0, 3]])
        steps = np.isin(rows[:, 0] * 2 + rows[:, 3], list(scoring | third))
        # A step through an arc without columns cannot be taken.
        for node in (rows[:, 1], rows[:, 2]):
            steps &= (node == rows[:, 0]) | (self.columns.place[node, rows[:, 0]] >= 0)
        rows, scores = rows[steps].astype(np.int64), scores[steps]
        first = program.add_columns(scores, np.ones(len(scores)))
        self._write_chains(entries, rows, first)
        shares = self._write_grandparents(entries, program)
        self._write_grandsiblings(entries, program, rows, first, shares)
        self._write_trisiblings(entries, program, rows, first)
        entries.flush(program)

    @staticmethod
    def _sides(pairs: Any) -> set[int]:
        """Return sides of heads, 2 h + right."""
        return set(np.unique(pairs[:, 0].astype(np.int64) * 2 + pairs[:, 1]).tolist())

    def _tie(self, entries: _Entries, arcs: Any, first: int, factor: float) -> None:
        """Add z of each arc to its own row."""
        place = np.full(self.columns.arcs, -1, np.int64)
        place[arcs] = first + np.arange(len(arcs))
        columns = np.flatnonzero(place[self.columns.arc] >= 0)
        entries.add(place[self.columns.arc[columns]], columns, factor)

    def _write_chains(self, entries: _Entries, rows: IntArray, first: int) -> None:
        head, before, after, right = rows.T
        columns = first + np.arange(len(rows))
        sides, side = np.unique(head * 2 + right, return_inverse=True)
        start = entries.rows(len(sides), 1.0, 1.0)
        begins = before == head
        entries.add(start + side[begins], columns[begins], 1.0)
        for node in (after, before):
            inner = node != head
            arcs, place = np.unique(self.columns.place[node[inner], head[inner]], return_inverse=True)
            row = entries.rows(len(arcs), 0.0, 0.0)
            entries.add(row + place, columns[inner], 1.0)
            self._tie(entries, arcs, row, -1.0)

    def _write_grandparents(self, entries: _Entries, program: LinearProgram) -> dict[tuple[int, int, int], int]:
        """Add p for arcs whose grandparents have scores; return their columns."""
        place = self.columns.place
        score = self._tables[1]
        wanted = {(h, m) for _, h, m in score}
        for _, h, a, b, _ in self.grandsiblings[0].tolist():
            wanted |= {(h, m) for m in (a, b) if m != h}
        # All children of the heads of grand-siblings have shares, because chains pass through them.
        for h in set(self.grandsiblings[0][:, 1].tolist()):
            wanted |= {(h, m) for m in np.flatnonzero(place[:, h] >= 0).tolist()}
        wanted = {(h, m) for h, m in wanted if place[m, h] >= 0}
        triples = [(g, h, m) for h, m in sorted(wanted) for g in np.flatnonzero(place[h] >= 0).tolist() if g != m]
        if not triples:
            return {}
        costs = np.array([score.get(triple, 0.0) for triple in triples])
        first = program.add_columns(costs, np.ones(len(costs)))
        g, h, m = np.array(triples, np.int64).T
        columns = first + np.arange(len(triples))
        arcs, of_arc = np.unique(place[m, h], return_inverse=True)
        row = entries.rows(len(arcs), 0.0, 0.0)
        entries.add(row + of_arc, columns, 1.0)
        self._tie(entries, arcs, row, -1.0)
        row = entries.rows(len(triples), -np.inf, 0.0)
        entries.add(row + np.arange(len(triples)), columns, 1.0)
        self._subtract(entries, row, place[h, g])
        return {triple: first + i for i, triple in enumerate(triples)}

    def _subtract(self, entries: _Entries, row: int, arcs: Any) -> None:
        """Subtract z of an arc from each of some rows."""
        order = np.argsort(self.columns.arc, kind="stable")
        begin = np.searchsorted(self.columns.arc[order], np.arange(self.columns.arcs + 1))
        counts = (begin[1:] - begin[:-1])[arcs]
        places = np.repeat(np.arange(len(arcs)), counts)
        offsets = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        entries.add(row + places, order[np.repeat(begin[:-1][arcs], counts) + offsets], -1.0)

    def _write_grandsiblings(
        self,
        entries: _Entries,
        program: LinearProgram,
        steps: IntArray,
        first: int,
        shares: dict[tuple[int, int, int], int],
    ) -> None:
        score = self._tables[2]
        wanted = self._sides(self.grandsiblings[0][:, [1, 4]])
        place = self.columns.place
        for side in sorted(wanted):
            h, right = side // 2, side % 2
            of_side = np.flatnonzero((steps[:, 0] == h) & (steps[:, 3] == right))
            parents = np.flatnonzero(place[h] >= 0).tolist()
            pairs = steps[of_side, 1:3].tolist()
            rows = [(g, h, a, b, right) for g in parents for a, b in pairs]
            costs = np.array([score.get(row, 0.0) for row in rows])
            # A parent is not a child of the same head: such steps cannot be chosen.
            begin = program.add_columns(costs, np.array([float(g not in (a, b)) for g, _, a, b, _ in rows]))
            column = np.arange(begin, begin + len(rows)).reshape(len(parents), len(pairs))
            row = entries.rows(len(pairs), 0.0, 0.0)
            for at in range(len(parents)):
                entries.add(row + np.arange(len(pairs)), column[at], 1.0)
            entries.add(row + np.arange(len(pairs)), first + of_side, -1.0)
            arcs = place[h, parents]
            row = entries.rows(len(parents), 0.0, 0.0)
            begins = [i for i, (a, _) in enumerate(pairs) if a == h]
            for at in range(len(parents)):
                entries.add([row + at] * len(begins), column[at, begins], 1.0)
            self._subtract(entries, row, arcs)
            self._share_steps(entries, h, parents, pairs, column, shares)

    @staticmethod
    def _share_steps(
        entries: _Entries,
        h: int,
        parents: list[int],
        pairs: list[list[int]],
        column: Any,
        shares: dict[tuple[int, int, int], int],
    ) -> None:
        children = sorted({node for pair in pairs for node in pair if node != h})
        for at, g in enumerate(parents):
            for b in children:
                if g == b:
                    continue
                for end in (1, 0):
                    through = [i for i, pair in enumerate(pairs) if pair[end] == b]
                    row = entries.rows(1, 0.0, 0.0)
                    entries.add([row] * len(through), column[at, through], 1.0)
                    entries.add([row], [shares[g, h, b]], -1.0)

    def _write_trisiblings(self, entries: _Entries, program: LinearProgram, steps: IntArray, first: int) -> None:
        score = self._tables[3]
        for side in sorted(self._sides(self.trisiblings[0][:, [0, 4]])):
            h, right = side // 2, side % 2
            of_side = np.flatnonzero((steps[:, 0] == h) & (steps[:, 3] == right)).tolist()
            step = {tuple(steps[i, 1:3].tolist()): i for i in of_side}
            triples = [(a, b, c) for a, b in step if b != h for other, c in step if other == b]
            if not triples:
                continue
            costs = np.array([score.get((h, a, b, c, right), 0.0) for a, b, c in triples])
            begin = program.add_columns(costs, np.ones(len(costs)))
            for pair, i in step.items():
                for low, high in ((0, 2), (1, 3)):
                    inner = pair[1] if low == 0 else pair[0]
                    if inner == h:
                        continue
                    through = [begin + k for k, triple in enumerate(triples) if triple[low:high] == pair]
                    row = entries.rows(1, 0.0, 0.0)
                    entries.add([row] * len(through), through, 1.0)
                    entries.add([row], [first + i], -1.0)


def _table(kind: Any) -> dict[tuple[int, ...], float]:
    rows, scores = kind
    return dict(zip(map(tuple, rows.tolist()), scores.tolist(), strict=True))
