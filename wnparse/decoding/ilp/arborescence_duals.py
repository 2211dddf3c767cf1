"""Prices of sets under which the best arborescence is the best choice of heads, and reduced scores of arcs.

Edmonds (1967), Optimum branchings: his contractions are a dual solution. Let y(m) be the best score of an arc to
m. Where best heads form a cycle, the set S of its words, and of the sets among them, is entered at the price
u(S) <= 0 of the best arc that does. The reduced score of an arc is

    r(h, m) = score(h, m) - y(m) - sum over the sets S that h -> m enters of u(S) <= 0

and no arborescence with h -> m scores more than r(h, m) + sum of y + sum of u, because it enters every set at
least once. O(n^3) at worst, usually a few passes over the matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import FloatArray


class ArborescenceDuals(NamedTuple):
    """The prices of a score matrix."""

    value: float  # no arborescence scores more
    reduced: FloatArray  # [m, h], 0 or less
    heads: npt.NDArray[np.intp]  # [n + 1], the best head of each word; they may have cycles
    sets: list[frozenset[int]]  # the sets that have prices, each after its subsets


def arborescence_duals(scores: FloatArray) -> ArborescenceDuals:
    """Contract cycles of best heads until there are none; the scores must have an arborescence."""
    nodes = len(scores)
    most = scores[1:].max(axis=1)
    reduced = scores.copy()
    reduced[1:] -= most[:, None]
    value = float(most.sum())
    heads = scores.argmax(axis=1)
    part = np.arange(nodes)  # the number of the outermost set of each node
    best = dict(enumerate(heads.tolist()))  # the best head of each set
    chosen = np.zeros(2 * nodes, bool)
    sets: list[frozenset[int]] = []
    settled = {0}
    waiting = list(range(1, nodes))
    while waiting:
        path: dict[int, None] = {}
        at = waiting.pop()
        while at not in settled and at not in path:
            path[at] = None
            at = int(part[best[at]])
        if at in settled:
            settled |= path.keys()
            continue
        cycle = list(path)[list(path).index(at) :]
        chosen[cycle] = True
        inside = chosen[part]
        rows, outside = np.flatnonzero(inside)[:, None], np.flatnonzero(~inside)
        entering = reduced[rows, outside]
        price = float(entering.max())
        reduced[rows, outside] = entering - price
        value += price
        number = nodes + len(sets)
        place = int(entering.argmax()) % entering.shape[1]
        best[number] = int(outside[place])
        part[inside] = number
        sets.append(frozenset(rows[:, 0].tolist()))
        chosen[cycle] = False
        settled |= set(cycle)  # within a set now
        waiting.append(number)
        waiting += [node for node in path if node not in cycle]
    return ArborescenceDuals(value, reduced, heads, sets)
