r"""Rows that trees and valid trees keep, separated from points that violate them: cycles, block degree, nesting.

Corro et al. (2016), section 4. Write z(inside(S)) for the arcs with both ends in S. Every row here is a sum of
z(inside(S)) over one, two or four sets that stays below a limit:

    cycles (3)        z(inside(S)) <= |S| - 1                                     0 not in S
    block degree (4)  z(inside(A)) + z(inside(P)) <= |A| + |P \ 0| - 2            A in P's gaps
    nesting (5)       z(inside(A)) + z(inside(P)) + z(inside(B)) + z(inside(Q))
                                             <= |A| + |P \ 0| + |B| + |Q \ 0| - 3

(4): A holds words a_1 < ... < a_{k+1} with words g_i of P between each two, 0 is in P, A and P are disjoint. If
the sum were larger, all of A would hang from one of its words, t, and the heads of P's words lie in P: t is no
ancestor of the g_i, and the yield of t has more than k blocks. (5): A and B interleave, P holds B and 0, Q holds A
and 0, A and P are disjoint, and so are B and Q; the yields of the tops of A and B would interleave. With whole
yields and their complements these are the paper's; smaller sets make stronger rows.

Cycles are separated exactly, by minimum cuts (Schrijver 2003, section 52.4); the others from a tree that is near
to the point. O(n) maximum flows, and O(n^2) a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse.ilp.highs import Row

if TYPE_CHECKING:
    from wnparse.ilp.columns import Columns

FloatArray = npt.NDArray[np.float64]
Sets = tuple[frozenset[int], ...]

EPSILON = 1e-6  # a row is violated by more


def sets_row(columns: Columns, sets: Sets) -> Row:
    """The row of one, two or four sets."""
    factors = np.zeros(columns.arcs)
    limit = -{1: 1, 2: 2, 4: 3}[len(sets)]
    for members in sets:
        inside = np.zeros(columns.words + 1, bool)
        inside[list(members)] = True
        factors += inside[columns.arc_head] & inside[columns.arc_modifier]
        limit += len(members) - (0 in members)
    of_columns = factors[columns.arc]
    places = np.flatnonzero(of_columns).astype(np.int32)
    return Row(places, of_columns[places], -np.inf, float(limit))


def find_cycles(heads: Sequence[int]) -> list[frozenset[int]]:
    """The cycles among heads, one for each word."""
    seen = [0] * len(heads)
    cycles = []
    for start in range(1, len(heads)):
        way, v = [], start
        while v > 0 and not seen[v]:
            seen[v] = start
            way.append(v)
            v = heads[v]
        if v > 0 and seen[v] == start:
            cycles.append(frozenset(way[way.index(v) :]))
    return cycles


def find_closed_sets(columns: Columns, values: FloatArray) -> list[frozenset[int]]:
    """Sets that too little flows into, z(in(S)) < 1, by minimum cuts between node 0 and each word."""
    support = np.flatnonzero(values > EPSILON)
    arcs = [(int(columns.arc_head[a]), int(columns.arc_modifier[a]), float(values[a])) for a in support]
    # A word that hangs from one head for sure is as well off as that head.
    sure = {m: h for h, m, value in arcs if value > 1.0 - EPSILON}
    found = find_cycles([-1, *(sure.get(m, 0) for m in range(1, columns.words + 1))])
    covered: set[int] = set()
    for sink in range(1, columns.words + 1):
        if sink in covered or sink in sure:
            continue
        cut = _minimum_cut(columns.words + 1, arcs, sink)
        if cut is not None and cut not in found:
            found.append(cut)
            covered |= cut
    return found


def _minimum_cut(nodes: int, arcs: list[tuple[int, int, float]], sink: int) -> frozenset[int] | None:
    """The side of the sink of a cut below 1; None if one unit flows there from node 0."""
    left: list[dict[int, float]] = [{} for _ in range(nodes)]
    for h, m, value in arcs:
        left[h][m] = left[h].get(m, 0.0) + value
        left[m].setdefault(h, 0.0)
    flow = 0.0
    while flow < 1.0 - EPSILON:
        parent = {0: -1}
        queue = [0]
        for v in queue:
            if sink in parent:
                break
            for w, room in left[v].items():
                if room > 1e-9 and w not in parent:
                    parent[w] = v
                    queue.append(w)
        if sink not in parent:
            return frozenset(range(nodes)) - parent.keys()
        way, v = [], sink
        while v:
            way.append((parent[v], v))
            v = parent[v]
        step = min(left[a][b] for a, b in way)
        for a, b in way:
            left[a][b] -= step
            left[b][a] += step
        flow += step
    return None


class ShapeCuts:
    """Separates trees that break a block degree or nesting."""

    def __init__(self, block_degree: int | None, well_nested: bool) -> None:
        self.block_degree = block_degree
        self.well_nested = well_nested

    def separate(self, heads: Sequence[int]) -> list[Sets]:
        """Sets of rows that a tree violates; none if it is valid."""
        if self.block_degree is None and not self.well_nested:
            return []
        yields = _yields(heads)
        gapped = [v for v in range(1, len(heads)) if _blocks(yields[v]) > 1]
        gapped.sort(key=lambda v: len(yields[v]))
        found = list(self._block_cuts(heads, yields, gapped))
        if not found and self.well_nested:
            found = list(_nesting_cuts(heads, yields, gapped))
        return found

    def _block_cuts(self, heads: Sequence[int], yields: list[frozenset[int]], gapped: list[int]) -> Iterator[Sets]:
        if self.block_degree is None:
            return
        taken: list[int] = []
        for v in gapped:
            if _blocks(yields[v]) <= self.block_degree or any(w in yields[v] for w in taken):
                continue
            taken.append(v)
            whole, degree = yields[v], self.block_degree
            inner = _shrink(heads, whole, partial(_touches_more, whole, degree))
            yield inner, _between(heads, inner, whole, degree)


def _nesting_cuts(heads: Sequence[int], yields: list[frozenset[int]], gapped: list[int]) -> Iterator[Sets]:
    taken: list[tuple[int, int]] = []
    for i, v in enumerate(gapped):
        for u in gapped[:i]:
            if u in yields[v] or v in yields[u] or not _interleave(yields[u], yields[v]):
                continue
            pairs = ((u, v), (v, u))
            if any(a in yields[x] and b in yields[y] for a, b in taken for x, y in pairs):
                continue
            taken.append((u, v))
            first = _shrink(heads, yields[u], partial(_interleave, yields[v]))
            second = _shrink(heads, yields[v], partial(_interleave, first))
            yield first, _with_ancestors(heads, second), second, _with_ancestors(heads, first)


def _yields(heads: Sequence[int]) -> list[frozenset[int]]:
    below: list[set[int]] = [{v} for v in range(len(heads))]
    for word in range(1, len(heads)):
        v = heads[word]
        while v > 0:
            below[v].add(word)
            v = heads[v]
    return [frozenset(each) for each in below]


def _blocks(words: frozenset[int]) -> int:
    return sum(v - 1 not in words for v in words)


def _touches_more(whole: frozenset[int], count: int, part: frozenset[int]) -> bool:
    """Whether a part touches more than so many blocks of the whole."""
    block, touched = -1, set()
    for v in sorted(whole):
        block += v - 1 not in whole
        if v in part:
            touched.add(block)
    return len(touched) > count


def _interleave(first: frozenset[int], second: frozenset[int]) -> bool:
    """Whether some a < b < c < d are of one, the other, the one, the other."""
    turns, last = 0, 0
    for v in sorted(first | second):
        side = 1 if v in first else 2
        turns += side != last
        last = side
    return turns >= 4


def _shrink(
    heads: Sequence[int], whole: frozenset[int], holds: Callable[[frozenset[int]], bool]
) -> frozenset[int]:
    """Take leaves, then tops, off a connected set for as long as something holds of it."""
    part = set(whole)
    depth = {v: _depth(heads, v) for v in whole}
    for v in sorted(whole, key=lambda v: (-depth[v], v)):
        if len(part) > 1 and not any(heads[w] == v for w in part) and holds(frozenset(part - {v})):
            part.remove(v)
    while True:
        top = min(part, key=lambda v: depth[v])
        below = [v for v in part if heads[v] == top]
        if len(below) != 1 or not holds(frozenset(part - {top})):
            return frozenset(part)
        part.remove(top)


def _depth(heads: Sequence[int], v: int) -> int:
    depth = 0
    while v > 0:
        v = heads[v]
        depth += 1
    return depth


def _with_ancestors(heads: Sequence[int], words: frozenset[int]) -> frozenset[int]:
    found = {0}
    for v in words:
        while v > 0 and v not in found:
            found.add(v)
            v = heads[v]
    return frozenset(found)


def _between(heads: Sequence[int], part: frozenset[int], whole: frozenset[int], count: int) -> frozenset[int]:
    """Words outside the whole in `count` gaps of a part of it, with all their ancestors: as few as can be."""
    order = sorted(part)
    gaps = [[g for g in range(a + 1, b) if g not in whole] for a, b in pairwise(order)]
    gaps = [gap for gap in gaps if gap]
    found: frozenset[int] = frozenset({0})
    for _ in range(count):
        choices = [
            (len(_with_ancestors(heads, frozenset({g})) - found), g, place)
            for place, gap in enumerate(gaps)
            for g in gap
        ]
        _, g, place = min(choices)
        found |= _with_ancestors(heads, frozenset({g}))
        del gaps[place]
    return found
