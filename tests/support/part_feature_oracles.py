"""A slow reference of the features of parts of higher order: templates read as words, one part at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from support import feature_oracles as arcs
from support.learning_oracles import Array, SlowSentence, Tree, Vector
from wnparse.treebanks.sentence import Sentence

START, STOP = -1, -2  # before the innermost child and after the outermost
SYMBOL = {START: 0x5BD1E9955BD1E995, STOP: 0xC2B2AE3D27D4EB4F}
ROLES = "ghmst"
PAIRS = {"sibling": "ms", "grandparent": "gm"}


@dataclass(frozen=True)
class Part:
    kind: str
    nodes: tuple[tuple[str, int], ...]  # role and node
    right: bool  # of the head


def parts_of(heads: Sequence[int], order: int) -> Iterator[Part]:
    """All parts of a tree; those of node 0 have no grandparent."""
    for h in range(len(heads)):
        for right in (False, True):
            outwards = range(h + 1, len(heads)) if right else range(h - 1, 0, -1)
            chain = [START, *(m for m in outwards if heads[m] == h), STOP]
            head, grandparent = ("h", h), ("g", heads[h])
            for m in chain[1:-1]:
                if h > 0:
                    yield Part("grandparent", (grandparent, head, ("m", m)), right)
            for m, s in pairwise(chain):
                yield Part("sibling", (head, ("m", m), ("s", s)), right)
                if h > 0 and order >= 3:
                    yield Part("grandsibling", (grandparent, head, ("m", m), ("s", s)), right)
            for m, s, t in zip(chain, chain[1:], chain[2:], strict=False):
                if order >= 3:
                    yield Part("trisibling", (head, ("m", m), ("s", s), ("t", t)), right)


def lie(g: int, h: int, m: float) -> int:
    """How three nodes lie: one after the other, m inside or m outside; on the left or on the right of h."""
    in_a_row = g < h < m or m < h < g
    place = 0 if in_a_row else 1 if min(g, h) < m < max(g, h) else 2
    return place + (3 if m > h else 0)


def base_key(part: Part) -> int:
    nodes = dict(part.nodes)
    if "g" not in nodes:
        return arcs.RIGHT if part.right else arcs.LEFT
    beside = nodes["h"] + (0.5 if part.right else -0.5)  # of no children: as if one stood next to the head
    children = [nodes[role] for role in "sm" if nodes.get(role, STOP) >= 0]
    return arcs.mix(lie(nodes["g"], nodes["h"], children[0] if children else beside) + 9000)


def keys(sentence: Sentence, number: int, template: str, part: Part) -> Iterator[int]:
    """The keys of all features that a template makes of a part."""
    kind, *words = template.split()
    if kind != part.kind:
        return
    nodes = dict(part.nodes)
    looked_at = [word for word in words if word[0] in ROLES and word[1:2].isupper()]
    pair = PAIRS.get(kind, "")
    if {word[0] for word in looked_at} <= set(pair):
        first, second = (nodes[role] for role in pair)
        if first >= 0 and second >= 0:
            renamed = ["hm"[pair.index(word[0])] + word[1:] if word in looked_at else word for word in words]
            yield from arcs.keys(sentence, number, " ".join(renamed), first, second)
        return
    key = base_key(part) + arcs.mix(number + 12345)
    for role, letter in words:
        node = nodes[role]
        if node < 0 and letter != "P":
            return  # START and STOP have nothing but a tag
        value = SYMBOL[node] if node < 0 else arcs.atom(sentence, node, letter)
        key += arcs.mix(value + arcs.mix(ROLES.index(role) * 16 + arcs.ATOMS.index(letter) + 7000))
    yield key & arcs.MASK


class SlowParts(SlowSentence):
    """A sentence with the features of all its arcs, and of the parts of all its trees."""

    def __init__(
        self, sentence: Sentence, templates: Sequence[str], labels: int, order: int, part_templates: Sequence[str]
    ) -> None:
        super().__init__(sentence, templates, labels)
        self.order = order

        @cache
        def of_part(part: Part) -> list[int]:
            return [
                key
                for number, template in enumerate(part_templates, len(templates))
                for key in keys(sentence, number, template, part)
            ]

        self.of_part = of_part

    def part_keys(self, heads: Sequence[int]) -> Iterator[int]:
        for part in parts_of(heads, self.order):
            yield from self.of_part(part)

    def all_keys(self) -> list[int]:
        """Return the keys of all arcs, and of the parts of all trees with a single root."""
        keys = {key for of_arc in self.of_arc.values() for key in of_arc}
        for heads in self.trees.tolist():
            keys.update(self.part_keys(heads))
        return sorted(keys)

    def part_scores(self, weights: Vector) -> Array:
        """Return the score of the parts of each tree."""

        @cache
        def score(part: Part) -> float:
            return sum(weights.get((key, -1), 0.0) for key in self.of_part(part))

        return np.array([sum(map(score, parts_of(heads, self.order))) for heads in self.trees.tolist()])

    def ranked_with_parts(self, scores: Array, weights: Vector) -> tuple[list[Tree], Array]:
        """Rank trees as `ranked` does, with parts."""
        ranking, sums = self.ranked(scores)
        row = {tuple(heads): i for i, heads in enumerate(self.trees.tolist())}
        parts = self.part_scores(weights)
        sums = sums + [parts[row[tuple(heads.tolist())]] for heads, _ in ranking]
        order = sorted(range(len(ranking)), key=lambda i: -sums[i])
        return [ranking[i] for i in order], sums[order]

    def difference(self, gold: Tree, other: Tree, words: Sequence[int] | None = None) -> Vector:
        """f(gold) - f(other), parts included."""
        assert words is None
        vector = Counter(super().difference(gold, other))
        for (heads, _), sign in ((gold, 1), (other, -1)):
            for key in self.part_keys([int(h) for h in heads]):
                vector[key, -1] += sign
        return {key: float(value) for key, value in vector.items() if value}
