"""Passive-aggressive learning with relaxed inference, as Martins et al. 2009, section 4, train their parsers.

A sentence's best point z under w, with the Hamming cost of its arcs added, comes from the linear program, whole or
not; then w moves by as little as makes the gold tree y better than z by the cost of z, no further than C lets it
(Crammer et al. 2006):

    loss = cost(z) + w (f(z) - f(y)),    step = min(C, loss / |f(y) - f(z)|^2),    w += step (f(y) - f(z))

The weights of all steps are averaged. Arcs are pruned to the k best heads of a word before, by a ranker that looks
at single arcs and is learned in the same way, word by word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from reproduction.martins2009.features import SIZE, Places, SentenceCodes
from reproduction.martins2009.ilp import Formulation, Scores, Solved
from wnparse.treebanks.sentence import Sentence

FloatArray = npt.NDArray[np.float64]
TRIPLES = ("siblings", "grandparents", "next_siblings")
# The first letters of the columns of each kind of part.
LETTERS = {
    "arcs": "z", "siblings": "s", "grandparents": "g", "next_siblings": "n", "first_children": "c",
    "valency": "v", "nonprojective": "x",
}  # fmt: skip


def tree_parts(heads: Sequence[int]) -> dict[str, set[tuple[int, ...]]]:
    """The parts of a tree, by kind."""
    words, nodes = range(1, len(heads)), range(len(heads))
    children: list[list[int]] = [[] for _ in nodes]
    below = np.eye(len(heads), dtype=bool)  # below[i, k]: k is i or under it
    for m in words:
        children[heads[m]].append(m)
        above = heads[m]
        while above >= 0:
            below[above, m] = True
            above = heads[above]
    sides = [(i, [m for m in children[i] if m > i]) for i in nodes]
    sides += [(i, [m for m in reversed(children[i]) if m < i]) for i in nodes]
    arcs = [(heads[m], m) for m in words]
    return {
        "arcs": set(arcs),
        "siblings": {(i, j, k) for i in nodes for j in children[i] for k in children[i] if j < k},
        "grandparents": {(heads[i], i, m) for i, m in arcs if i},
        "next_siblings": {(i, *pair) for i, side in sides for pair in pairwise(side)},
        "first_children": {(i, side[0]) for i, side in sides if side},
        "valency": {(i, len(children[i])) for i in nodes},
        "nonprojective": {(i, m) for i, m in arcs if not below[i, min(i, m) + 1 : max(i, m)].all()},
    }


def candidate_parts(arcs: Sequence[tuple[int, int]], n: int, kinds: Sequence[str]) -> dict[str, list[Any]]:
    """The parts that some arcs can make, by kind."""
    out: list[list[int]] = [[] for _ in range(n + 1)]
    for i, j in sorted(arcs):
        out[i].append(j)
    parts: dict[str, list[Any]] = {"arcs": list(arcs)}
    parts["siblings"] = [(i, j, k) for i in range(n + 1) for j in out[i] for k in out[i] if j < k]
    parts["grandparents"] = [(i, j, k) for i, j in arcs for k in out[j] if k != i]
    inwards = [(i, j, k) if i < j else (i, k, j) for i, j, k in parts["siblings"] if (j < i) == (k < i)]
    parts["next_siblings"] = inwards
    parts["first_children"] = list(arcs)
    parts["valency"] = [(i, v) for i in range(n + 1) for v in range(len(out[i]) + 1)]
    # Arcs of neighbours span nothing, and all words are below node 0.
    parts["nonprojective"] = [(i, j) for i, j in arcs if i and abs(i - j) > 1]
    return {kind: parts[kind] for kind in ("arcs", *kinds)}


class Weights:
    """Weights and their average over steps."""

    def __init__(self) -> None:
        self.now = np.zeros(SIZE)
        self._late = np.zeros(SIZE)  # each change times the number of steps before it
        self.steps = 0

    def add(self, places: npt.NDArray[Any], change: FloatArray) -> None:
        """Change weights; places are distinct."""
        self.now[places] += change
        self._late[places] += self.steps * change

    def average(self) -> FloatArray:
        """The mean of the weights before each step."""
        return self.now - self._late / max(self.steps, 1)


def gather(places: Places, factors: FloatArray) -> tuple[npt.NDArray[Any], FloatArray]:
    """The vector of some parts, each times a factor: its places but 0, and what is there."""
    distinct, where = np.unique(places.ravel(), return_inverse=True)
    values = np.bincount(where.ravel(), np.repeat(factors, places.shape[1]), len(distinct))
    nonzero = (distinct != 0) & (values != 0.0)
    return distinct[nonzero], values[nonzero]


class Ranker:
    """Heads of words by their arcs alone."""

    def __init__(self, sentences: Sequence[Sentence], epochs: int, most: float) -> None:
        weights = Weights()
        lessons = [(full_features(sentence), sentence.heads) for sentence in sentences]
        for _ in range(epochs):
            for features, heads in lessons:
                self._learn(weights, features, heads, most)
        self.weights = weights.average()

    @staticmethod
    def _learn(weights: Weights, features: Places, heads: npt.NDArray[np.int32], most: float) -> None:
        """One step for each word of a sentence."""
        for m in range(1, len(heads)):
            scores = weights.now[features[m - 1]].sum(1) + 1.0
            scores[m] = -np.inf
            scores[heads[m]] -= 1.0
            best = int(scores.argmax())
            weights.steps += 1
            if best != heads[m]:
                pair = features[m - 1][[heads[m], best]]
                places, values = gather(pair, np.array([1.0, -1.0]))
                loss = scores[best] - scores[heads[m]]
                weights.add(places, min(most, loss / max(values @ values, 1e-9)) * values)

    def best(self, sentence: Sentence, k: int) -> list[tuple[int, int]]:
        """The arcs from the k best heads of each word, and from node 0."""
        scores = self.weights[full_features(sentence)].sum(2)
        n = len(sentence)
        scores[np.arange(n), np.arange(1, n + 1)] = -np.inf
        ranked = np.argsort(-scores, axis=1, kind="stable")[:, : min(k, n)]
        arcs = {(int(h), m) for m, row in enumerate(ranked, 1) for h in row}
        return sorted(arcs | {(0, m) for m in range(1, n + 1)}, key=lambda arc: arc[::-1])


def full_features(sentence: Sentence) -> Places:
    """The features of all arcs: [n, n + 1, features], of the modifiers 1 to n."""
    n = len(sentence)
    modifiers, heads = np.divmod(np.arange(n * (n + 1)), n + 1)
    return SentenceCodes(sentence).arcs(heads, modifiers + 1).reshape(n, n + 1, -1)


@dataclass
class Lesson:
    """A sentence with its candidate arcs, and the program of its parts."""

    sentence: Sentence
    arcs: list[tuple[int, int]]
    kinds: tuple[str, ...]  # of parts beside arcs

    @cached_property
    def parts(self) -> dict[str, list[Any]]:
        """The candidate parts."""
        return candidate_parts(self.arcs, len(self.sentence), self.kinds)

    @cached_property
    def features(self) -> dict[str, Places]:
        """The features of the parts."""
        words, places = SentenceCodes(self.sentence), {}
        for number, (kind, rows) in enumerate(self.parts.items()):
            if kind == "arcs":
                places[kind] = words.arcs(*np.array(rows, np.int64).T)
            elif kind in TRIPLES:
                places[kind] = words.triples(number, rows)
            else:
                places[kind] = (words.valency if kind == "valency" else words.pairs)(number, rows)
        return places

    def formulation(self) -> Formulation:
        """The program, newly written, without scores; several commodities only where crossing arcs need them."""
        empty = {kind: dict.fromkeys(rows, 0.0) for kind, rows in self.parts.items()}
        trees = "multi" if "nonprojective" in self.kinds else "single"
        return Formulation(Scores(len(self.sentence), **empty), trees)

    @cached_property
    def program(self) -> Formulation:
        """The program that is solved again in each epoch."""
        return self.formulation()

    @cached_property
    def places(self) -> dict[str, npt.NDArray[np.int64]]:
        """The columns of the parts."""
        known = self.program.places
        return {
            kind: np.array([known[(LETTERS[kind], *row)] for row in rows], np.int64)
            for kind, rows in self.parts.items()
        }

    @cached_property
    def gold(self) -> dict[str, FloatArray]:
        """Which parts the gold tree has."""
        right = tree_parts(self.sentence.heads.tolist())
        return {kind: np.array([float(row in right[kind]) for row in rows]) for kind, rows in self.parts.items()}

    def costs(self, weights: FloatArray, *, loss: bool) -> FloatArray:
        """What each column scores; with 1 more for each wrong arc if `loss`."""
        costs = np.zeros(len(self.program.costs))
        for kind, features in self.features.items():
            costs[self.places[kind]] = weights[features].sum(1)
        if loss:
            costs[self.places["arcs"]] += 1.0 - self.gold["arcs"]
        return costs

    def best(self, weights: FloatArray) -> Solved:
        """The best point of the relaxation under loss."""
        self.program.price(self.costs(weights, loss=True))
        point = self.program.solve(whole=False)
        assert point is not None
        return point

    def difference(self, point: FloatArray) -> tuple[npt.NDArray[Any], FloatArray]:
        """The features of the gold tree less those of a point."""
        places, values = [], []
        for kind, features in self.features.items():
            change = self.gold[kind] - point[self.places[kind]]
            moved = np.abs(change) > 1e-9
            places.append(features[moved].ravel())
            values.append(np.repeat(change[moved], features.shape[1]))
        return gather(np.concatenate(places)[:, None], np.concatenate(values))


def step(lesson: Lesson, weights: Weights, most: float) -> Solved:
    """Learn from one sentence: the point that the gold tree was held against."""
    guess = lesson.best(weights.now)
    weights.steps += 1
    places, values = lesson.difference(guess.columns)
    wrong = float(((1.0 - lesson.gold["arcs"]) * guess.columns[lesson.places["arcs"]]).sum())
    loss = wrong - float(weights.now[places] @ values)
    if loss > 0.0 and len(values):
        weights.add(places, min(most, loss / float(values @ values)) * values)
    return guess


def learn(lessons: Sequence[Lesson], epochs: int, most: float, seed: int = 1) -> FloatArray:
    """Averaged weights; `most` is C."""
    weights, rng = Weights(), np.random.default_rng(seed)
    for _ in range(epochs):
        for place in rng.permutation(len(lessons)):
            step(lessons[place], weights, most)
    return weights.average()
