"""Random rules over labelled arcs, and how the core and its decoders are given them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from support.labelled_tree_oracles import OracleRule, Pattern
from wnparse._core.decoding import Solution, solve_batch, solve_kbest
from wnparse._core.rules import CompiledRules
from wnparse._core.settings import Settings
from wnparse.decoding.parts import PartScores
from wnparse.decoding.solution import Batch, Ranking, make_ranking

KINDS = ("forbid", "most", "least", "siblings", "parent", "between", "projective", "contiguous")


def compile_rules(rules: Sequence[OracleRule], labels: int, predicates: int) -> CompiledRules:
    """Compile rules with one class per label."""
    table = np.zeros((len(rules), 20), np.int32)
    masks = np.full((len(rules), 2), 2**64 - 1, np.uint64)
    classes: list[int] = []
    for row, rule in enumerate(rules):
        other = rule.other or Pattern(frozenset())
        table[row, :18] = [
            *(KINDS.index(rule.kind), rule.node, rule.limit, rule.between, rule.crossing),
            *(rule.arc.head, rule.arc.dependent, rule.arc.direction, rule.arc.least, rule.arc.most),
            *(rule.other is not None, other.head, other.dependent, other.direction, other.least, other.most),
            *(len(classes), len(classes) + len(rule.classes)),
        ]
        masks[row] = [sum(1 << label for label in pattern.labels) for pattern in (rule.arc, other)]
        classes += rule.classes
    penalties = np.array([rule.penalty for rule in rules])
    words = max(1, math.ceil(predicates / 64))
    numbers = np.arange(labels, dtype=np.int32)
    return CompiledRules(table, masks, penalties, np.array(classes, np.int32), numbers, words)


def random_pattern(rng: random.Random, labels: int, predicates: int) -> Pattern:
    chosen = frozenset(rng.sample(range(labels), rng.randint(1, labels)))
    some = [-1, -1, *range(predicates)]
    least = rng.choice([0, 0, 0, 2])
    return Pattern(
        chosen, rng.choice(some), rng.choice(some), rng.choice([0, 0, 1, 2]), least, rng.choice([0, 0, 0, 2])
    )


def random_rule(rng: random.Random, kind: str, labels: int, predicates: int) -> OracleRule:
    arc = random_pattern(rng, labels, predicates)
    second = random_pattern(rng, labels, predicates)
    needed = kind in ("parent", "between")
    allowed = kind in ("most", "least", "siblings", "projective")
    return OracleRule(
        kind,
        arc,
        penalty=rng.choice([math.inf, math.inf, 0.5, 1.0, 2.5]),
        other=second if needed or (allowed and rng.random() < 0.5) else None,
        node=rng.choice([-1, *range(predicates)]),
        limit=rng.choice([0, 1, 1, 2]),
        between=rng.choice([-1, *range(predicates)]),
        crossing=rng.choice([1, 2, 3, 4, 8, 15]) if kind == "projective" else 0,
        classes=tuple(rng.sample(range(predicates), rng.randint(0, predicates))) if kind == "siblings" else (),
    )


def random_problem(
    rng: random.Random, n: int, labels: int, how: str
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    def draw() -> float:
        if how == "tied":
            return float(rng.randint(0, 2))
        return rng.gauss(0, 1)

    scores = np.array([[draw() for _ in range(n + 1)] for _ in range(n + 1)])
    label_scores = np.array([[[draw() for _ in range(labels)] for _ in range(n + 1)] for _ in range(n + 1)])
    if how == "sparse":
        mask = np.array([[rng.random() < 0.35 for _ in range(n + 1)] for _ in range(n + 1)])
        scores[mask] = -np.inf
        for place in np.ndindex(label_scores.shape):
            if rng.random() < 0.3:
                label_scores[place] = -np.inf
    return scores, label_scores


def bits_of(nodes: Sequence[frozenset[int]], n: int) -> npt.NDArray[np.uint64]:
    bits = np.zeros((n + 1, max(1, math.ceil(len(nodes) / 64))), np.uint64)
    for number, members in enumerate(nodes):
        for node in members:
            bits[node, number // 64] |= np.uint64(1 << number % 64)
    return bits


def decode_labelled(
    scores: npt.NDArray[np.floating],
    label_scores: npt.NDArray[np.floating],
    rules: CompiledRules,
    bits: npt.NDArray[np.uint64],
    settings: Settings,
    parts: tuple[PartScores, ...] | None = None,
) -> Solution | None:
    """Decode a sentence in the core; the labels are numbers. None without a tree, a score of -inf at a limit."""
    numbers = tuple(range(label_scores.shape[2]))
    labels = numbers, [label_scores], rules, [bits]
    columns, infeasible, refused = solve_batch([scores], None, settings, 1, parts and [parts], labels)  # type: ignore[arg-type]
    if refused:
        raise ValueError(refused[0][1])
    return None if infeasible else Batch(*columns, names=numbers)[0]  # type: ignore[arg-type]


def rank_labelled(
    scores: npt.NDArray[np.floating],
    label_scores: npt.NDArray[np.floating],
    rules: CompiledRules,
    bits: npt.NDArray[np.uint64],
    settings: Settings,
    parts: tuple[PartScores, ...] | None,
    k: int,
) -> Ranking | None:
    """Rank the k best trees of a sentence in the core, as `decode_labelled`; no tree at a limit."""
    labels = tuple(range(label_scores.shape[2])), [label_scores], rules, [bits]
    rankings, infeasible, refused = solve_kbest([scores], None, settings, k, 1, parts and [parts], labels)  # type: ignore[arg-type]
    if refused:
        raise ValueError(refused[0][1])
    return None if infeasible else make_ranking(rankings[0])
