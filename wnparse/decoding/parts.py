"""Parts of higher order: scores for siblings, grandparents and grand-siblings in addition to those of arcs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import FloatArray, IntArray, as_array

PartScores = tuple[IntArray, FloatArray]  # parts of one kind: [k, nodes], and their scores
KINDS = {"siblings": 3, "grandparents": 3, "grandsiblings": 4}  # nodes of a part
SIDED = ("siblings", "grandsiblings")  # kinds whose rows may have a side behind the nodes


@dataclass(frozen=True, eq=False)
class Parts:
    """Scores of parts of two or three arcs, for `decode` and `decode_batch`: (index, scores) for each kind.

    The score of a tree is the sum of its arcs and of the listed parts that it has. Rows that repeat add up; rows
    over forbidden arcs, and those that no tree can have, score nothing.

    Attributes
    ----------
    siblings : (int array of shape (k, 3) or (k, 4), float array of shape (k,)), optional
        Rows (h, m, s): s is the next child of h after m, going outwards on its side. m == h: s is the innermost
        child of its side; s == h: m is the outermost. Rows (h, m, s, right) also say which side it is, 1 for the
        right one and 0 for the left one; (h, h, h, right) is a side without children.
    grandparents : (int array of shape (k, 3), float array of shape (k,)), optional
        Rows (g, h, m): g is the head of h, and h is the head of m.
    grandsiblings : (int array of shape (k, 4) or (k, 5), float array of shape (k,)), optional
        Rows (g, h, m, s) or (g, h, m, s, right): a sibling row, and the head of its head.

    Raises
    ------
    ValueError
        Wrong shapes, nodes that are not integers or negative, ``(h, h, h)`` without a side, NaN or infinite
        scores.

    Examples
    --------
    >>> import numpy as np
    >>> from wnparse import decode
    >>> scores = np.array([[0, 0, 0, 0], [9, 0, 2, 0], [0, 5, 0, 4], [0, 3, 4, 0]])
    >>> decode(scores).heads.tolist()
    [-1, 0, 1, 2]
    >>> decode(scores, parts=Parts(siblings=([[1, 2, 3]], [2.0]))).heads.tolist()
    [-1, 0, 1, 1]
    """

    siblings: Any = None
    grandparents: Any = None
    grandsiblings: Any = None

    def __post_init__(self) -> None:
        for kind, nodes in KINDS.items():
            object.__setattr__(self, kind, _check_kind(getattr(self, kind), kind, nodes))

    def arrays(self, words: int, where: str = "") -> tuple[PartScores, ...]:
        """Return the parts of each kind; ValueError if they have nodes beyond the words of the sentence."""
        for kind, count in KINDS.items():
            nodes = getattr(self, kind)[0][:, :count]
            if nodes.size and nodes.max() > words:
                row = int(np.argmax(nodes.max(axis=1) > words))
                raise ValueError(
                    f"{where}{kind}: row {row} is {nodes[row].tolist()}; expected nodes from 0 to {words}"
                )
        return self.siblings, self.grandparents, self.grandsiblings


def _check_kind(given: Any, kind: str, nodes: int) -> PartScores:
    """Return the parts of a kind as the core reads them: with their side, if they have one."""
    widths = (nodes, nodes + 1) if kind in SIDED else (nodes,)
    if given is None:
        return np.empty((0, widths[-1]), np.int32), np.empty(0)
    try:
        nodes_of_parts, values = given
    except (TypeError, ValueError):
        raise ValueError(f"{kind}: expected two arrays, (index, scores)") from None
    index, scores = np.asarray(as_array(nodes_of_parts)), np.asarray(as_array(values))
    if index.size == 0:
        index = index.reshape(0, nodes).astype(np.int32)
    if index.ndim != 2 or index.shape[1] not in widths or index.dtype.kind not in "iu":
        shapes = " or ".join(f"(k, {width})" for width in widths)
        raise ValueError(
            f"{kind}: index has the shape {index.shape} and dtype {index.dtype}; expected integers, {shapes}"
        )
    if scores.shape != (len(index),) or (scores.size and scores.dtype.kind not in "fiu"):
        raise ValueError(
            f"{kind}: scores has the shape {scores.shape} and dtype {scores.dtype}; expected one number per row"
        )
    scores = scores.astype(np.float64)
    _check_rows(kind, index, scores, has_side=index.shape[1] > nodes)
    if index.shape[1] < widths[-1]:
        head, first, second = index[:, -3], index[:, -2], index[:, -1]
        index = np.column_stack([index, np.where(second == head, first, second) > head])
    return np.ascontiguousarray(index, np.int32), np.ascontiguousarray(scores)


def _check_rows(kind: str, index: npt.NDArray[Any], scores: FloatArray, *, has_side: bool) -> None:
    wrong = {
        "expected a finite score": ~np.isfinite(scores),
        "expected nodes from 0 to the number of words": ((index < 0) | (index > 2**31 - 1)).any(axis=1),
    }
    if has_side:
        wrong["expected 1 for the right side or 0 for the left side in the last column"] = index[:, -1] > 1
    elif kind in SIDED:
        head, first, second = index[:, -3], index[:, -2], index[:, -1]
        wrong["expected at least one child, which shows the side of the head"] = (head == first) & (head == second)
    for expected, where in wrong.items():
        if where.any():
            row = int(np.argmax(where))
            part = f"row {row} is {index[row].tolist()} with the score {scores[row]}"
            raise ValueError(f"{kind}: {part}; {expected}")
