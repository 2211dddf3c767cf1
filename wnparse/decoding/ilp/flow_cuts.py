r"""Rows of cycles, block degree and nesting that a point violates most, by minimum cuts.

Write z(in(S)) for the arcs that enter S. Every word has one head, so that the rows of `tree_cuts` are, for words
a_1 < g_1 < a_2 < ... < a_{k+1} or a_1 < b_1 < a_2 < b_2,

    cycles        z(in(S)) >= 1                                    0 not in S
    block degree  z(in(A)) + z(in(P)) >= 2                         a_i in A; 0, g_i in P; A and P apart
    nesting       z(in(A)) + z(in(P)) + z(in(B)) + z(in(Q)) >= 3   a_i in A; b_i in B; 0, B in P; 0, A in Q;
                                                                   A and P apart; B and Q apart

Cycles are separated exactly, by a cut between node 0 and each word (Schrijver 2003, section 52.4). For given
words the sets that make the left side of the others least are a minimum cut, too. Block degree: let a network have
nodes v and v' with edges h -> m and m' -> h' of capacity z(h, m) for every arc, and v' -> v without limit; A are
the nodes v on the side of the sinks a_i, P the nodes v' on the side of the sources 0', g_i'. Nesting: the same
with four layers, B and Q being turned around. A maximum flow of 2 (n + 1) or 4 (n + 1) nodes each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from wnparse._core.flows import Network
from wnparse.decoding.arrays import BoolArray, FloatArray
from wnparse.decoding.ilp.tree_cuts import EPSILON, Sets, find_cycles

if TYPE_CHECKING:
    from wnparse.decoding.ilp.columns import ArcColumns


class FlowCuts:
    """Finds the rows that one point violates most, given z of each arc."""

    def __init__(self, columns: ArcColumns, values: FloatArray) -> None:
        support = np.flatnonzero(values > EPSILON)
        self.nodes = columns.words + 1
        self.head, self.modifier = columns.arc_head[support], columns.arc_modifier[support]
        self.value = values[support]

    def closed_sets(self) -> list[frozenset[int]]:
        """Return sets that too few arcs enter, by cuts between node 0 and each word."""
        network = Network(self.nodes, self.head, self.modifier, self.value)
        # A word whose head is certain is connected to node 0 as well as that head.
        whole = self.value > 1.0 - EPSILON
        certain = dict(zip(self.modifier[whole].tolist(), self.head[whole].tolist(), strict=True))
        sets = find_cycles([-1, *(certain.get(m, 0) for m in range(1, self.nodes))])
        covered: set[int] = set()
        for sink in range(1, self.nodes):
            if sink in covered or sink in certain:
                continue
            side = network.cut([0], [sink], 1.0 - EPSILON)
            if side is not None:
                closed = frozenset(np.flatnonzero(~side).tolist())
                if closed not in sets:
                    sets.append(closed)
                    covered |= closed
        return sets

    def least_sets(self, nesting: bool, first: Sequence[int], second: Sequence[int]) -> Sets | None:
        """Return the sets of the row that is violated most, for words of A, and of P or B; None if none is."""
        return self._interleaved(first, second) if nesting else self._wide(first, second)

    def _wide(self, inner: Sequence[int], gaps: Sequence[int]) -> Sets | None:
        """Return the sets A and P of block degree, for words of A and words between them."""
        sources = [self.nodes, *(self.nodes + g for g in gaps)]
        side = self._two_layers.cut(sources, list(inner), 2.0 - EPSILON)
        if side is None:
            return None
        first, second = side.reshape(2, self.nodes)
        return _set(~first), _set(second)

    def _interleaved(self, first: Sequence[int], second: Sequence[int]) -> Sets | None:
        """Return the sets A, P, B and Q of nesting, for words of A and of B."""
        n = self.nodes
        sources = [n, *(2 * n + b for b in second)]
        side = self._four_layers.cut(sources, [3 * n, *first], 3.0 - EPSILON)
        if side is None:
            return None
        a, p, b, q = side.reshape(4, n)
        return _set(~a), _set(p), _set(b), _set(~q)

    @cached_property
    def _two_layers(self) -> Network:
        n, h, m = self.nodes, self.head, self.modifier
        v = np.arange(n, dtype=np.int32)
        tails = np.concatenate([h, n + m, n + v])
        heads = np.concatenate([m, n + h, v])
        return Network(2 * n, tails, heads, np.concatenate([self.value, self.value, np.full(n, np.inf)]))

    @cached_property
    def _four_layers(self) -> Network:
        n, h, m = self.nodes, self.head, self.modifier
        v = np.arange(n, dtype=np.int32)
        # On the side of the sources: not in A, in P, in B, not in Q.
        tails = np.concatenate([h, n + m, 2 * n + m, 3 * n + h, n + v, 2 * n + v, 2 * n + v, 3 * n + v])
        heads = np.concatenate([m, n + h, 2 * n + h, 3 * n + m, v, 3 * n + v, n + v, v])
        return Network(4 * n, tails, heads, np.concatenate([np.tile(self.value, 4), np.full(4 * n, np.inf)]))


def _set(chosen: BoolArray) -> frozenset[int]:
    return frozenset(np.flatnonzero(chosen).tolist())
