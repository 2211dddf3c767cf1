r"""Rows that all valid trees satisfy, made from trees that violate them: cycles, block degree, nesting.

Corro et al. (2016), section 4. Write z(inside(S)) for the arcs with both ends in S. Every row here is a sum of
z(inside(S)) over one, two or four sets that stays below a limit:

    cycles (3)        z(inside(S)) <= |S| - 1                                     0 not in S
    block degree (4)  z(inside(A)) + z(inside(P)) <= |A| + |P \ 0| - 2            A in P's gaps
    nesting (5)       z(inside(A)) + z(inside(P)) + z(inside(B)) + z(inside(Q))
                                             <= |A| + |P \ 0| + |B| + |Q \ 0| - 3

(4): A holds words a_1 < ... < a_{k+1} with words g_i of P between each two, 0 is in P, A and P are disjoint. If
the sum were larger, all of A would descend from one of its words, t, and the heads of P's words would be in P:
t is not an ancestor of the g_i, and the yield of t has more than k blocks. (5): A and B interleave, P holds B and
0, Q holds A and 0, A and P are disjoint, and so are B and Q; the yields of the tops of A and B would interleave.
With whole yields and their complements these are the rows of the paper; smaller sets make stronger rows.

Here they are made for a tree that breaks them, in O(n^2) per tree; `flow_cuts` separates them from any point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from wnparse.decoding.ilp.highs import Row

if TYPE_CHECKING:
    from wnparse.decoding.ilp.columns import ArcColumns

Sets = tuple[frozenset[int], ...]
Pattern = tuple[bool, tuple[int, ...], tuple[int, ...]]  # of nesting; words of the one set, and of the other

EPSILON = 1e-6  # a row is violated if it is exceeded by more


def sets_row(columns: ArcColumns, sets: Sets) -> Row:
    r"""Return the row of one, two or four sets; one head per word means z(inside(S)) = |S \ 0| - z(in(S))."""
    factors = np.zeros(columns.arcs)
    limit = -{1: 1, 2: 2, 4: 3}[len(sets)]
    for members in sets:
        inside = np.zeros(columns.words + 1, bool)
        inside[list(members)] = True
        within = inside[columns.arc_modifier]
        entering = within & ~inside[columns.arc_head]
        within &= inside[columns.arc_head]
        if np.count_nonzero(entering) < np.count_nonzero(within):  # shorter rows are quicker
            factors -= entering
        else:
            factors += within
            limit += len(members) - (0 in members)
    of_columns = factors[columns.arc]
    places = np.flatnonzero(of_columns).astype(np.int32)
    return Row(places, of_columns[places], -np.inf, float(limit))


def find_cycles(heads: Sequence[int]) -> list[frozenset[int]]:
    """Find the cycles if each word has one of these heads."""
    seen = [0] * len(heads)
    cycles = []
    for start in range(1, len(heads)):
        path, v = [], start
        while v > 0 and not seen[v]:
            seen[v] = start
            path.append(v)
            v = heads[v]
        if v > 0 and seen[v] == start:
            cycles.append(frozenset(path[path.index(v) :]))
    return cycles


class Tree:
    """A tree with what its cuts are made of; sets of nodes are the bits of integers."""

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = heads
        self.below = [1 << v for v in range(len(heads))]  # the yield of each node
        dependents: list[list[int]] = [[] for _ in heads]
        for word in range(1, len(heads)):
            dependents[heads[word]].append(word)
        self._order = [0]
        for v in self._order:
            self._order += dependents[v]
        for v in reversed(self._order[1:]):
            self.below[heads[v]] |= self.below[v]
        self.gapped = [v for v in range(1, len(heads)) if block_count(self.below[v]) > 1]
        self.gapped.sort(key=lambda v: self.below[v].bit_count())

    @cached_property
    def above(self) -> list[int]:
        """Each node with its ancestors."""
        above = [1] * len(self.heads)
        for v in self._order[1:]:
            above[v] = above[self.heads[v]] | 1 << v
        return above

    @cached_property
    def children(self) -> list[int]:
        """The dependents of each node."""
        children = [0] * len(self.heads)
        for v in self._order[1:]:
            children[self.heads[v]] |= 1 << v
        return children

    @cached_property
    def depth(self) -> list[int]:
        """The number of arcs between node 0 and each node."""
        depth = [0] * len(self.heads)
        for v in self._order[1:]:
            depth[v] = depth[self.heads[v]] + 1
        return depth

    def wide(self, block_degree: int) -> Iterator[tuple[int, int]]:
        """Find sets A and P for each node with too many blocks, none of them above another."""
        taken = 0
        for v in self.gapped:
            whole = self.below[v]
            if block_count(whole) <= block_degree or whole & taken:
                continue
            taken |= 1 << v
            inner = self._shrink(whole, partial(_touches_more, list(_blocks(whole)), block_degree))
            yield inner, self._between(inner, whole, block_degree)

    def interleaved(self) -> Iterator[tuple[int, int]]:
        """Find sets A and B for each two yields that interleave, none of them above another two."""
        taken: list[int] = []
        for i, v in enumerate(self.gapped):
            for u in self.gapped[:i]:
                first, second = self.below[u], self.below[v]
                if first & second or not interleave(first, second):
                    continue
                # Skip nodes that are above a pair: one of the pair is below each of them.
                if any(pair & first and pair & second for pair in taken):
                    continue
                taken.append(1 << u | 1 << v)
                first = self._shrink(first, partial(interleave, second))
                yield first, self._shrink(second, partial(interleave, first))

    def with_ancestors(self, words: int) -> int:
        """Return a set with the ancestors of its members."""
        joined = 1
        for v in members(words):
            joined |= self.above[v]
        return joined

    def _shrink(self, whole: int, holds: Callable[[int], bool]) -> int:
        """Remove leaves, then tops, from a connected set for as long as a condition holds."""
        part = whole
        order = sorted(members(whole), key=lambda v: (-self.depth[v], v))
        for v in order:
            less = part & ~(1 << v)
            if less and not self.children[v] & part and holds(less):
                part = less
        for top in reversed(order):
            if part >> top & 1:
                less = part & ~(1 << top)
                if (self.children[top] & part).bit_count() != 1 or not holds(less):
                    break
                part = less
        return part

    def _between(self, part: int, whole: int, count: int) -> int:
        """Return as few words as possible, with ancestors, in `count` gaps of a part and outside the whole."""
        gaps = [[g for g in range(a + 1, b) if not whole >> g & 1] for a, b in pairwise(members(part))]
        gaps = [gap for gap in gaps if gap]
        outside = 1
        for _ in range(count):
            _, g, place = min(
                ((self.above[g] & ~outside).bit_count(), g, place) for place, gap in enumerate(gaps) for g in gap
            )
            outside |= self.above[g]
            del gaps[place]
        return outside


class ShapeCuts:
    """Finds rows for trees that violate a block degree or nesting."""

    def __init__(self, block_degree: int | None, well_nested: bool) -> None:
        self.block_degree = block_degree
        self.well_nested = well_nested

    def separate(self, heads: Sequence[int]) -> list[Sets]:
        """Return the sets of rows that a tree violates; none if it is valid."""
        tree = Tree(heads)
        cuts: list[Sets] = []
        if self.block_degree is not None:
            cuts = [_to_sets(inner, outer) for inner, outer in tree.wide(self.block_degree)]
        if not cuts and self.well_nested:
            for first, second in tree.interleaved():
                cuts.append(_to_sets(first, tree.with_ancestors(second), second, tree.with_ancestors(first)))
        return cuts

    def allow(self, heads: Sequence[int], single_root: bool = False) -> bool:
        """Return whether heads are a tree that satisfies block degree and nesting, and has one root if it must."""
        if find_cycles(heads) or (single_root and heads.count(0) != 1):
            return False
        return next(self.patterns(heads), None) is None

    def __bool__(self) -> bool:
        return self.block_degree is not None or self.well_nested

    def patterns(self, heads: Sequence[int]) -> Iterator[Pattern]:
        """Find words by which a tree violates them, in turn of one yield and of another or none: the highest."""
        tree = Tree(heads)
        if self.block_degree is not None:
            for v in tree.gapped:
                if block_count(tree.below[v]) > self.block_degree:
                    outside = ~tree.below[v] & (1 << tree.below[v].bit_length()) - 1
                    turns = _turns(tree, tree.below[v], outside & -(tree.below[v] & -tree.below[v]))
                    turns = _highest(tree, turns, 2 * self.block_degree + 1)
                    yield False, tuple(turns[::2]), tuple(turns[1::2])
        if self.well_nested:
            for u, v in combinations(tree.gapped, 2):
                first, second = tree.below[u], tree.below[v]
                if not first & second and interleave(first, second):
                    turns = _highest(tree, _turns(tree, first, second), 4, 1)
                    yield True, tuple(turns[::2]), tuple(turns[1::2])


def _turns(tree: Tree, first: int, second: int) -> list[int]:
    """Return the highest word of each run of words of one of two sets."""
    turns: list[int] = []
    depth, side, highest = tree.depth, -1, 0
    for v in members(first | second):
        if first >> v & 1 != side:
            side, highest = first >> v & 1, depth[v]
            turns.append(v)
        elif depth[v] < highest:
            turns[-1], highest = v, depth[v]
    return turns


def _highest(tree: Tree, turns: list[int], count: int, step: int = 2) -> list[int]:
    """Return `count` words that follow each other, as near to node 0 as possible."""
    if len(turns) < count + step:
        return turns[:count]
    starts = range(0, len(turns) - count + 1, step)
    return min((turns[i : i + count] for i in starts), key=lambda words: sum(tree.depth[v] for v in words))


def members(nodes: int) -> list[int]:
    """Return the nodes of a set in order."""
    return [v for v in range(nodes.bit_length()) if nodes >> v & 1]


def _to_sets(*sets: int) -> Sets:
    return tuple(frozenset(members(nodes)) for nodes in sets)


def block_count(words: int) -> int:
    """Count the blocks of a set."""
    return (words & ~(words << 1)).bit_count()


def _blocks(words: int) -> Iterator[int]:
    while words:
        # Adding the lowest bit carries through the lowest block.
        block = words & ~(words + (words & -words))
        yield block
        words &= ~block


def _touches_more(blocks: list[int], count: int, part: int) -> bool:
    """Return whether a set has words of more than `count` blocks."""
    return sum(block & part != 0 for block in blocks) > count


def interleave(first: int, second: int) -> bool:
    """Return whether there are a < b < c < d in one set, the other, the one, the other."""
    if second & -second < first & -first:
        first, second = second, first
    third = first & -(second & -second)
    return third != 0 and second & -(third & -third) != 0
