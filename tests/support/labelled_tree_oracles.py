"""Rules over labelled arcs by their definitions, and the best labelled tree by trying all; imports no kernel.

A rule is a dictionary of what `wnparse/rules/compile.py` lays out as numbers; a sentence's predicates are sets of
nodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from support.tree_oracles import tabulate_trees

INFINITE = float("inf")


@dataclass(frozen=True)
class Pattern:
    """Labelled arcs h -> m; predicates are numbers of sets, -1 any node."""

    labels: frozenset[int]
    head: int = -1
    dependent: int = -1
    direction: int = 0
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class OracleRule:
    """One rule."""

    kind: str
    arc: Pattern
    penalty: float = INFINITE
    other: Pattern | None = None
    node: int = -1
    limit: int = 0
    between: int = -1
    crossing: int = 0
    classes: tuple[int, ...] = field(default=())


Nodes = Sequence[frozenset[int]]  # the nodes that have each predicate


def holds(nodes: Nodes, predicate: int, node: int) -> bool:
    return predicate < 0 or node in nodes[predicate]


def match(pattern: Pattern, nodes: Nodes, h: int, m: int, label: int) -> bool:
    if label not in pattern.labels or not holds(nodes, pattern.head, h) or not holds(nodes, pattern.dependent, m):
        return False
    if (pattern.direction == 1 and h > m) or (pattern.direction == 2 and h < m):
        return False
    return abs(h - m) >= pattern.least and (pattern.most == 0 or abs(h - m) <= pattern.most)


def descendants(heads: Sequence[int], top: int) -> set[int]:
    below = {top}
    while True:
        more = {m for m in range(1, len(heads)) if heads[m] in below} - below
        if not more:
            return below
        below |= more


def violations(rule: OracleRule, nodes: Nodes, heads: Sequence[int], labels: Sequence[int]) -> int:
    """Units of violation of a rule by a labelled tree."""
    words = range(1, len(heads))

    def own(pattern: Pattern | None, m: int) -> bool:
        return pattern is not None and m > 0 and match(pattern, nodes, heads[m], m, labels[m])

    hits = [m for m in words if own(rule.arc, m)]
    if rule.kind in ("most", "least"):
        total = 0
        for h in range(len(heads)):
            if not holds(nodes, rule.node, h) or (rule.other is not None and not own(rule.other, h)):
                continue
            if rule.kind == "least" and h == 0 and rule.node < 0:
                continue
            count = sum(heads[m] == h for m in hits)
            total += max(0, count - rule.limit if rule.kind == "most" else rule.limit - count)
        return total
    return sum(_singles(rule, nodes, heads, labels, hits, own))


def _singles(
    rule: OracleRule, nodes: Nodes, heads: Sequence[int], labels: Sequence[int], hits: list[int], own: Any
) -> Iterator[bool]:
    words = range(1, len(heads))
    if rule.kind == "forbid":
        yield from (True for _ in hits)
    elif rule.kind == "parent":
        yield from (not own(rule.other, heads[m]) for m in hits)
    elif rule.kind == "between":
        for m in hits:
            low, high = sorted((heads[m], m))
            for j in range(low + 1, high):
                if holds(nodes, rule.between, j):
                    yield not (heads[j] == heads[m] and own(rule.other, j))
    elif rule.kind == "contiguous":
        for m in hits:
            below = descendants(heads, m)
            yield max(below) - min(below) + 1 != len(below)
    elif rule.kind == "projective":
        for m, j in itertools.product(hits, words):
            ends, others = sorted((heads[m], m)), sorted((heads[j], j))
            inside = [ends[0] < v < ends[1] for v in (heads[j], j)]
            if {heads[j], j} & {heads[m], m} or sum(inside) != 1:
                continue
            kind = (1 if inside[1] else 2) + (4 if others[0] < m < others[1] else 8)
            yield bool(kind & rule.crossing) and (rule.other is None or own(rule.other, j))
    elif rule.kind == "siblings":
        for m, s in itertools.combinations(words, 2):
            if heads[m] != heads[s] or not holds(nodes, rule.node, heads[m]):
                continue
            if rule.between >= 0 and any(j in nodes[rule.between] for j in range(m + 1, s)):
                continue
            if any(m in nodes[shared] and s in nodes[shared] for shared in rule.classes):
                continue
            if rule.other is None:
                yield own(rule.arc, m) and own(rule.arc, s)
            else:
                yield (own(rule.arc, m) and own(rule.other, s)) or (own(rule.other, m) and own(rule.arc, s))
    else:
        raise AssertionError(rule.kind)


def best_labelled_tree(
    scores: np.ndarray,
    label_scores: np.ndarray,
    rules: Sequence[OracleRule],
    nodes: Nodes,
    shape: tuple[int | None, bool, bool],
) -> tuple[int, float] | None:
    """Return the fewest hard rules that a valid labelled tree breaks, and the best such score less penalties."""
    n, best = len(scores) - 1, None
    trees = tabulate_trees(n)
    for heads in trees.heads[trees.valid(*shape)].tolist():
        if any(scores[m, heads[m]] == -INFINITE for m in range(1, n + 1)):
            continue
        choices = [
            [label for label, score in enumerate(label_scores[m, heads[m]]) if score > -INFINITE]
            for m in range(1, n + 1)
        ]
        for chosen in itertools.product(*choices):
            value = value_of(scores, label_scores, rules, nodes, heads, (-1, *chosen))
            best = value if best is None or value > best else best
    return None if best is None else (-best[0], best[1])


def value_of(
    scores: np.ndarray,
    label_scores: np.ndarray,
    rules: Sequence[OracleRule],
    nodes: Nodes,
    heads: Sequence[int],
    labels: Sequence[int],
) -> tuple[int, float]:
    """Return how many hard rules a labelled tree breaks, negative, and its score."""
    broken, score = 0, 0.0
    for m in range(1, len(heads)):
        score += scores[m, heads[m]] + label_scores[m, heads[m], labels[m]]
    for rule in rules:
        amount = violations(rule, nodes, heads, labels)
        if rule.penalty == INFINITE:
            broken += amount
        else:
            score -= rule.penalty * amount
    return -broken, score
