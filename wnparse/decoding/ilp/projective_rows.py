"""Rows of projective trees that a point violates, integral or not.

Martins et al. (2009), Proposition 1: if h -> m is an arc, the heads of words inside its span are in the span, ends
included, and the heads of all other words are not strictly inside. Both directions of an arc exclude each
other, so that with a = min(h, m), b = max(h, m)

    z(a, b) + z(b, a) + sum over i < a or i > b of z(i, k) <= 1         a < k < b
    z(a, b) + z(b, a) + sum over a < i < b of z(i, k) <= 1              k <= a or k >= b

A choice of one head per word that satisfies all of them has no crossing arcs, and no gap in a yield. O(n)
per span.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse.decoding.ilp.highs import Row

if TYPE_CHECKING:
    from wnparse.decoding.ilp.columns import ArcColumns

VIOLATED = 1e-6
MOST = 60  # rows at a time, the most violated ones


def crossing_rows(columns: ArcColumns, values: npt.NDArray[np.float64]) -> list[Row]:
    """Return the rows that a point violates, given z of each arc."""
    nodes = columns.words + 1
    z = np.zeros((nodes, nodes))
    z[columns.arc_modifier, columns.arc_head] = values
    sums = np.concatenate([np.zeros((nodes, 1)), np.cumsum(z, axis=1)], axis=1)  # [k, i]: heads below i
    both = z + z.T
    word = np.arange(nodes)
    violated: list[tuple[float, int, int, int]] = []
    for a, b in np.argwhere(np.triu(both > VIOLATED, 1)).tolist():
        inside = (word > a) & (word < b)
        among = sums[:, b + 1] - sums[:, a]
        strictly = sums[:, b] - sums[:, a + 1]
        excess = both[a, b] + np.where(inside, 1.0 - among, strictly) - 1.0
        excess[0] = 0.0
        violated += [(-float(excess[k]), a, b, k) for k in np.flatnonzero(excess > VIOLATED).tolist()]
    violated.sort()
    return [_row(columns, a, b, k) for _, a, b, k in violated[:MOST]]


def _row(columns: ArcColumns, a: int, b: int, k: int) -> Row:
    head, modifier = columns.head, columns.modifier
    outside = (head < a) | (head > b) if a < k < b else (head > a) & (head < b)
    chosen = ((head == a) & (modifier == b)) | ((head == b) & (modifier == a)) | ((modifier == k) & outside)
    return columns.row(chosen, 1.0)
