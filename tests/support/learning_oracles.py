"""A slow reference of the learners: weights as dicts, every tree by enumeration, programs by trying all cases."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from support import feature_oracles as features
from support.tree_oracles import tabulate_trees
from wnparse.treebanks.sentence import Sentence

Vector = dict[tuple[int, int], float]  # from key and label (-1: of the arc) to a number
Array = npt.NDArray[Any]
Tree = tuple[Array, Array]  # heads and labels, the first of each unused


def weights_of(state: dict[str, Array]) -> Vector:
    """Return the weights in a learner's state."""
    pairs = zip(state["keys"].tolist(), state["weights"].tolist(), strict=True)
    weights = {(key, -1): weight for key, weight in pairs}
    for i, key in enumerate(state["row_keys"].tolist()):
        for place in range(state["row_begin"][i], state["row_begin"][i + 1]):
            weights[key, int(state["row_labels"][place])] = float(state["row_weights"][place])
    return weights


def dot(left: Vector, right: Vector) -> float:
    return sum(value * right.get(key, 0.0) for key, value in left.items())


class SlowSentence:
    """A sentence and the features of all its arcs; the last label goes with head 0, the others with others."""

    def __init__(self, sentence: Sentence, templates: Sequence[str], labels: int) -> None:
        self.n = n = len(sentence)
        self.labels = labels  # 0: without labels
        every = tabulate_trees(n)
        self.trees = every.heads[every.valid(None, False, single_root=True)]
        self.of_arc: dict[tuple[int, int], list[int]] = {}
        self.of_label: dict[tuple[int, int], list[int]] = {}
        for m, h in itertools.product(range(1, n + 1), range(n + 1)):
            arc, label = self.of_arc.setdefault((h, m), []), self.of_label.setdefault((h, m), [])
            for number, template in enumerate(templates):
                words = set(template.split())
                keys = list(features.keys(sentence, number, template, h, m)) if h != m else []
                arc += keys if "label" not in words else []
                label += keys if words & {"label", "+label"} else []

    def scores(self, weights: Vector) -> Array:
        """scores[m, h, l] of all arcs with labels, -inf where they do not go together."""
        scores = np.full((self.n + 1, self.n + 1, max(self.labels, 1)), -np.inf)
        for (h, m), keys in self.of_arc.items():
            arc = sum(weights.get((key, -1), 0.0) for key in keys)
            for label in self.labels_of(h) if h != m else []:
                scores[m, h, label] = arc + sum(weights.get((key, label), 0.0) for key in self.of_label[h, m])
        return scores

    def labels_of(self, h: int) -> Sequence[int]:
        return [0] if not self.labels else [self.labels - 1] if h == 0 else range(self.labels - 1)

    def ranked(self, scores: Array) -> tuple[list[Tree], Array]:
        """All trees with a single root, each with its best labels, and their scores; the best first."""
        best = scores.max(axis=2)
        words = np.arange(1, self.n + 1)
        sums = best[words, self.trees[:, 1:]].sum(axis=1)
        order = np.argsort(-sums, kind="stable")
        labels = scores.argmax(axis=2)
        ranking = [(heads, np.concatenate([[0], labels[words, heads[1:]]])) for heads in self.trees[order]]
        return ranking, sums[order]

    def add_costs(self, scores: Array, gold: Tree, cost: float) -> Array:
        """Add a cost to wrong heads, and half of it to wrong labels at the right head."""
        costed = scores + cost
        for m in range(1, self.n + 1):
            costed[m, gold[0][m]] = scores[m, gold[0][m]] + cost / 2
            costed[m, gold[0][m], gold[1][m]] -= cost / 2
        return costed

    def add_annotated_costs(self, scores: Array, given: Tree, cost: float) -> Array:
        """Add costs of annotated words alone; heads and labels are -1 where there are none."""
        costed = self.add_costs(scores, given, cost)
        for m in range(1, self.n + 1):
            if given[0][m] < 0:
                costed[m] = scores[m]
            elif given[1][m] < 0:
                costed[m, given[0][m]] = scores[m, given[0][m]]
        return costed

    def restrict(self, scores: Array, given: Tree) -> Array:
        """Forbid everything but the given heads and labels, where they are not -1."""
        restricted = np.full_like(scores, -np.inf)
        for m in range(1, self.n + 1):
            heads = slice(None) if given[0][m] < 0 else given[0][m]
            labels = slice(None) if given[0][m] < 0 or given[1][m] < 0 or not self.labels else given[1][m]
            restricted[m, heads, labels] = scores[m, heads, labels]
        return restricted

    def difference(self, gold: Tree, other: Tree, words: Sequence[int] | None = None) -> Vector:
        """f(gold) - f(other), of some words or all."""
        vector: Counter[tuple[int, int]] = Counter()
        for m in words or range(1, self.n + 1):
            for (heads, labels), sign in ((gold, 1), (other, -1)):
                arc = int(heads[m]), m
                for key in self.of_arc[arc]:
                    vector[key, -1] += sign
                for key in self.of_label[arc]:
                    vector[key, int(labels[m])] += sign
        return {key: float(value) for key, value in vector.items() if value}


def loss(gold: Tree, other: Tree) -> float:
    """1 for each wrong head, 1/2 for each wrong label at a right head."""
    head = gold[0][1:] != other[0][1:]
    label = gold[1][1:] != other[1][1:]
    return float(np.where(head, 1.0, label / 2).sum())


def dual(gram: Array, violations: Array, at: Array) -> float:
    return float(violations @ at - at @ gram @ at / 2)


def solve_by_cases(gram: Array, violations: Array, limit: float) -> float:
    """max b.a - a.G.a / 2 with 0 <= a <= limit: each multiplier is held at 0, at the limit, or free."""
    best = 0.0
    states = (0, 1, 2) if np.isfinite(limit) else (0, 2)
    for held in itertools.product(states, repeat=len(violations)):
        at = np.array([limit if state == 1 else 0.0 for state in held])
        free = [i for i, state in enumerate(held) if state == 2]
        if free:
            right = violations[free] - gram[free] @ at
            at[free] = np.linalg.lstsq(gram[np.ix_(free, free)], right, rcond=None)[0]
        if (at >= -1e-9).all() and (at <= limit + 1e-9).all():
            best = max(best, dual(gram, violations, at))
    return best


def solve_by_gradient(gram: Array, violations: Array, limit: float, steps: int = 5_000) -> float:
    """Solve a program with many constraints by gradient steps, projected on the box."""
    at = np.zeros(len(violations))
    rate = 1 / np.linalg.norm(gram, 2)
    for _ in range(steps):
        at = np.clip(at + rate * (violations - gram @ at), 0, limit)
    return dual(gram, violations, at)
