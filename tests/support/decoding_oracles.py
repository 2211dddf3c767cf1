"""Decoding by enumeration of all trees of up to 6 words, and by Eisner's recurrences. No kernel here."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from support.tree_oracles import tabulate_trees

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.integer]


class Enumeration:
    """The scores of all trees of a sentence, in double."""

    def __init__(self, scores: FloatArray) -> None:
        self.trees = tabulate_trees(len(scores) - 1)
        words = np.arange(1, len(scores))
        self.scores = scores.astype(np.float64)[words, self.trees.heads[:, 1:]].sum(axis=1)

    def best(self, block_degree: int | None, well_nested: bool, single_root: bool) -> float:
        """The best score of a valid tree, -inf if there is none."""
        return float(self.scores[self.trees.valid(block_degree, well_nested, single_root)].max(initial=-np.inf))

    def find(self, heads: IntArray) -> int | None:
        """The row of a tree, None if it is not one."""
        return self.trees.row.get(tuple(heads.tolist()))


def projective_score(scores: FloatArray, single_root: bool) -> float:
    """The best score of a projective tree by Eisner's recurrences, span by span; -inf if there is none."""
    nodes = len(scores)
    right = np.full((nodes, nodes), -np.inf)
    np.fill_diagonal(right, 0)
    left = right.copy()
    right_arc, left_arc = np.full((2, nodes, nodes), -np.inf)
    for length in range(1, nodes):
        for i in range(nodes - length):
            j = i + length
            splits = right[i, i:j] + left[i + 1 : j + 1, j]
            joined = splits[0] if single_root and i == 0 else splits.max()
            right_arc[i, j] = joined + scores[j, i]
            left_arc[i, j] = joined + scores[i, j] if i > 0 else -np.inf
            right[i, j] = (right_arc[i, i + 1 : j + 1] + right[i + 1 : j + 1, j]).max()
            left[i, j] = (left[i, i:j] + left_arc[i:j, j]).max()
    return float(right[0, -1])
