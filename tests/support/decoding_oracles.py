"""Decoding by enumeration: all trees of up to 6 words as arrays, structure by set definitions; no kernel here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Trees:
    """All dependency trees of n words and what they are."""

    heads: IntArray  # [T, n + 1], heads[:, 0] == -1
    block_degree: IntArray  # [T]
    well_nested: BoolArray  # [T]
    roots: IntArray  # [T]
    row: dict[tuple[int, ...], int]  # of each tree

    def valid(self, block_degree: int | None, well_nested: bool, single_root: bool) -> BoolArray:
        mask = np.ones(len(self.heads), bool)
        if block_degree is not None:
            mask &= self.block_degree <= block_degree
        if well_nested:
            mask &= self.well_nested
        if single_root and self.heads.shape[1] > 1:
            mask &= self.roots == 1
        return mask


def dominance(heads: IntArray) -> BoolArray:
    """dominates[t, v, w]: whether w is v or reaches it by heads; rows of words on a cycle reach no 0."""
    count, nodes = heads.shape
    dominates = np.zeros((count, nodes, nodes), bool)
    tree = np.arange(count)
    for word in range(nodes):
        vertex = np.full(count, word)
        for _ in range(nodes):
            dominates[tree, vertex, word] = True
            vertex = np.where(vertex == 0, 0, heads[tree, vertex])
        dominates[tree, vertex, word] = True
    return dominates


def block_degrees(dominates: BoolArray) -> IntArray:
    """Words of each yield without a predecessor inside it; node 0 has one block."""
    starts = dominates.copy()
    starts[:, :, 1:] &= ~dominates[:, :, :-1]
    return starts.sum(axis=2)


def nested(dominates: BoolArray) -> BoolArray:
    """No two disjoint yields with i < k < j < l, i and j in one, k and l in the other."""
    nodes = dominates.shape[1]
    fine = np.ones(len(dominates), bool)
    for u, v in combinations(range(1, nodes), 2):
        disjoint = ~(dominates[:, u] & dominates[:, v]).any(axis=1)
        for first, second in ((dominates[:, u], dominates[:, v]), (dominates[:, v], dominates[:, u])):
            for i, k, j, last in combinations(range(1, nodes), 4):
                fine &= ~(disjoint & first[:, i] & second[:, k] & first[:, j] & second[:, last])
    return fine


@lru_cache
def all_trees(n: int) -> Trees:
    """Every dependency tree of n words: (n + 1)^(n - 1) of them."""
    choices = [[h for h in range(n + 1) if h != m] for m in range(1, n + 1)]
    heads = np.array([(-1, *heads) for heads in product(*choices)])
    heads = heads[dominance(heads)[:, 0].all(axis=1)]
    dominates = dominance(heads)
    row = {tuple(tree): i for i, tree in enumerate(heads.tolist())}
    return Trees(heads, block_degrees(dominates).max(axis=1), nested(dominates), (heads == 0).sum(axis=1), row)


class Enumeration:
    """The scores of all trees of a sentence, in double."""

    def __init__(self, scores: FloatArray) -> None:
        self.trees = all_trees(len(scores) - 1)
        words = np.arange(1, len(scores))
        self.scores = scores.astype(np.float64)[words, self.trees.heads[:, 1:]].sum(axis=1)

    def best(self, block_degree: int | None, well_nested: bool, single_root: bool) -> float:
        """The best score of a valid tree, -inf if there is none."""
        return float(self.scores[self.trees.valid(block_degree, well_nested, single_root)].max(initial=-np.inf))

    def find(self, heads: IntArray) -> int | None:
        """The row of a tree, None if it is not one."""
        return self.trees.row.get(tuple(heads.tolist()))


def is_tree(heads: IntArray) -> bool:
    """Every word reaches 0 by its heads, and nothing governs 0."""
    if heads[0] != -1 or (heads[1:] < 0).any() or (heads[1:] >= len(heads)).any():
        return False
    vertex = np.arange(len(heads))
    for _ in heads:
        vertex = np.where(vertex == 0, 0, heads[vertex])
    return bool((vertex == 0).all())


def structure(heads: IntArray) -> tuple[int, bool, int]:
    """Block degree, well-nestedness and roots of one tree of any length, pair by pair."""
    dominates = dominance(heads[None])[0]
    degree = int(block_degrees(dominates[None]).max())
    words = [np.flatnonzero(row) for row in dominates]
    gapped = [
        v for v in range(1, len(heads)) if np.ptp(words[v]) >= len(words[v])
    ]  # an interval cannot interleave
    fine = all(
        dominates[u, v] or dominates[v, u] or not _interleave(words[u], words[v])
        for u, v in combinations(gapped, 2)
    )
    return degree, fine, int((heads == 0).sum())


def _interleave(first: IntArray, second: IntArray) -> bool:
    """Two sets alternate at least three times when their members are read from left to right."""
    owner = np.zeros(max(first[-1], second[-1]) + 1, int)
    owner[first], owner[second] = 1, 2
    owner = owner[owner > 0]
    return int((owner[1:] != owner[:-1]).sum()) >= 3


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
