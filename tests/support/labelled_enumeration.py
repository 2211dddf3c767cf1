"""All labelled trees of a few words with their scores and what they break, as arrays; imports no kernel.

The same definitions as in `labelled_tree_oracles`, on all trees at once: 5 words with 2 labels are 41,472 labelled
trees. Nodes, rules and patterns are those of that module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from support.labelled_tree_oracles import Nodes, OracleRule, Pattern, holds
from support.tree_oracles import Trees, block_degrees, tabulate_trees

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Ranked:
    """The best labelling of each tree that satisfies some constraints, the best tree first.

    Attributes
    ----------
    tree : ndarray of int
        Rows of the table of all trees.
    broken : ndarray of int
        How often hard rules are broken.
    score : ndarray of float
        What soft rules cost is taken off.
    """

    tree: IntArray
    broken: IntArray
    score: FloatArray


class LabelledEnumeration:
    """Every labelled tree: what it scores, and how often it breaks hard rules."""

    def __init__(
        self,
        trees: Trees,
        tree_scores: FloatArray,
        label_scores: FloatArray | None = None,
        rules: Sequence[OracleRule] = (),
        nodes: Nodes = (),
    ) -> None:
        self.trees = trees
        words = trees.heads.shape[1] - 1
        if label_scores is None:
            self.score, self.broken = tree_scores, np.zeros(len(tree_scores), np.int64)
            self.owner = np.arange(len(tree_scores))
            self.labels = np.zeros((1, words + 1), np.int64)
        else:
            self._label(tree_scores, label_scores, rules, nodes)
        self._best_of_trees()

    def _label(
        self, tree_scores: FloatArray, label_scores: FloatArray, rules: Sequence[OracleRule], nodes: Nodes
    ) -> None:
        words, count = len(label_scores) - 1, label_scores.shape[2]
        combinations = np.indices((count,) * words).reshape(words, -1).T
        self.labels = np.column_stack([np.full(len(combinations), -1), combinations])
        number = np.arange(1, words + 1)
        heads = self.trees.heads[:, 1:].astype(np.int64)
        # [trees, combinations]
        score = tree_scores[:, None] + np.zeros(len(combinations))
        for m in number:
            score = score + label_scores[m][heads[:, m - 1]][:, combinations[:, m - 1]]
        possible = score > -np.inf
        self.owner, which = np.nonzero(possible)
        self.which = which
        self.score = score[possible]
        self.broken = np.zeros(len(self.owner), np.int64)
        all_heads, all_labels = self.trees.heads[self.owner].astype(np.int64), self.labels[which]
        for rule in rules:
            amount = _Violations(rule, nodes, all_heads, all_labels, self.owner, words).count()
            if np.isinf(rule.penalty):
                self.broken += amount
            else:
                self.score = self.score - rule.penalty * amount

    def _best_of_trees(self) -> None:
        order = np.lexsort((-self.score, self.broken, self.owner))
        owners = self.owner[order]
        first = np.ones(len(order), bool)
        first[1:] = owners[1:] != owners[:-1]
        self._best = order[first]
        self._best = self._best[self.score[self._best] > -np.inf]

    def rank(self, block_degree: int | None, well_nested: bool, single_root: bool) -> Ranked:
        """The valid trees, each with its best labels."""
        valid = self.trees.valid(block_degree, well_nested, single_root)
        best = self._best[valid[self.owner[self._best]]]
        best = best[np.lexsort((-self.score[best], self.broken[best]))]
        return Ranked(self.owner[best], self.broken[best], self.score[best])

    def find(self, heads: Sequence[int], labels: Sequence[int] | None = None) -> tuple[int, float] | None:
        """Return how often a labelled tree breaks hard rules, and its score; None if it is not one."""
        row = self.trees.row.get(tuple(heads))
        if row is None:
            return None
        own = self.owner == row
        if labels is not None:
            own &= (self.labels[self.which, 1:] == np.asarray(labels)[1:]).all(axis=1)
        places = np.flatnonzero(own)
        return (int(self.broken[places[0]]), float(self.score[places[0]])) if len(places) else None


@cache
def _gapped(words: int) -> BoolArray:
    """Return whether the yield of each node of each tree has a gap."""
    return np.array(
        [[degree > 1 for degree in block_degrees(heads)] for heads in tabulate_trees(words).heads.tolist()]
    )


class _Violations:
    """The units by which labelled trees, one per row, violate a rule."""

    def __init__(
        self, rule: OracleRule, nodes: Nodes, heads: IntArray, labels: IntArray, owner: IntArray, words: int
    ) -> None:
        self.rule, self.nodes, self.heads, self.owner, self.words = rule, nodes, heads, owner, words
        self.labels = labels
        self.hits = self._match(rule.arc)
        self.others = None if rule.other is None else self._match(rule.other)

    def count(self) -> IntArray:
        """Count the violations of each labelled tree."""
        counts = getattr(self, f"_{self.rule.kind}")()
        return np.asarray(counts, np.int64)

    def _match(self, pattern: Pattern) -> BoolArray:
        """Return whether the arc to each word matches, [trees, n + 1]; node 0 has none."""
        fits = np.zeros((self.words + 1, self.words + 1), bool)
        for m in range(1, self.words + 1):
            for h in range(self.words + 1):
                side = pattern.direction == 0 or (pattern.direction == 1) == (h < m)
                far = abs(h - m) >= pattern.least and (pattern.most == 0 or abs(h - m) <= pattern.most)
                ends = holds(self.nodes, pattern.head, h) and holds(self.nodes, pattern.dependent, m)
                fits[m, h] = h != m and side and far and ends
        allowed = np.zeros(max(int(self.labels.max(initial=0)) + 1, max(pattern.labels, default=0) + 1), bool)
        allowed[list(pattern.labels)] = True
        matching = np.zeros(self.heads.shape, bool)
        for m in range(1, self.words + 1):
            matching[:, m] = fits[m][self.heads[:, m]] & allowed[self.labels[:, m]]
        return matching

    def _has(self, predicate: int) -> BoolArray:
        return np.array([holds(self.nodes, predicate, v) for v in range(self.words + 1)])

    def _forbid(self) -> IntArray:
        return self.hits.sum(axis=1)

    def _counts(self, h: int) -> IntArray:
        return (self.hits & (self.heads == h)).sum(axis=1)

    def _meant(self, h: int) -> BoolArray | bool:
        if not self._has(self.rule.node)[h]:
            return False
        return True if self.others is None else self.others[:, h]

    def _most(self) -> IntArray:
        return sum(
            np.maximum(0, self._counts(h) - self.rule.limit) * self._meant(h) for h in range(self.words + 1)
        )

    def _least(self) -> IntArray:
        first = 1 if self.rule.node < 0 else 0
        return np.zeros(len(self.heads), np.int64) + sum(
            np.maximum(0, self.rule.limit - self._counts(h)) * self._meant(h) for h in range(first, self.words + 1)
        )

    def _siblings(self) -> IntArray:
        total = np.zeros(len(self.heads), np.int64)
        second = self.hits if self.others is None else self.others
        meant = self._has(self.rule.node)
        for m in range(1, self.words + 1):
            for s in range(m + 1, self.words + 1):
                between = self.rule.between >= 0 and self._has(self.rule.between)[m + 1 : s].any()
                if between or any(self._has(shared)[[m, s]].all() for shared in self.rule.classes):
                    continue
                pair = (self.hits[:, m] & second[:, s]) | (second[:, m] & self.hits[:, s])
                total += pair & (self.heads[:, m] == self.heads[:, s]) & meant[self.heads[:, m]]
        return total

    def _parent(self) -> IntArray:
        assert self.others is not None
        own = np.take_along_axis(self.others, np.maximum(self.heads, 0), axis=1)
        return (self.hits & ~own).sum(axis=1)

    def _between(self) -> IntArray:
        assert self.others is not None
        total = np.zeros(len(self.heads), np.int64)
        for m in range(1, self.words + 1):
            h = self.heads[:, m]
            for j in range(1, self.words + 1):
                if self._has(self.rule.between)[j]:
                    inside = (np.minimum(h, m) < j) & (j < np.maximum(h, m))
                    total += self.hits[:, m] & inside & ~((self.heads[:, j] == h) & self.others[:, j])
        return total

    def _projective(self) -> IntArray:
        total = np.zeros(len(self.heads), np.int64)
        for m in range(1, self.words + 1):
            for j in range(1, self.words + 1):
                if m == j:
                    continue
                h, i = self.heads[:, m], self.heads[:, j]
                enters = (np.minimum(h, m) < j) & (j < np.maximum(h, m))
                leaves = (np.minimum(h, m) < i) & (i < np.maximum(h, m))
                apart = (h != i) & (h != j) & (m != i)
                over = (np.minimum(i, j) < m) & (m < np.maximum(i, j))
                kind = np.where(enters, 1, 2) | np.where(over, 4, 8)
                crossing = apart & (enters != leaves) & (kind & self.rule.crossing > 0)
                total += self.hits[:, m] & crossing & (True if self.others is None else self.others[:, j])
        return total

    def _contiguous(self) -> IntArray:
        return (self.hits & _gapped(self.words)[self.owner]).sum(axis=1)
