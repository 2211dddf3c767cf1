"""Patterns that rules are made of: patterns of arcs, and patterns of constraints on labelled arcs.

The kinds of constraints, and what a unit of violation is for each (the language is described in
docs/reference/rule-language.md):

- `FORBID`: an arc that matches `arc`, which may compare the values of a feature on both ends
- `MOST`, `LEAST`: each dependent of a head above or below `limit` whose arc matches `arc`
- `SIBLINGS`: a pair of dependents of one head, with nothing that allows them to occur together
- `PARENT`: an arc that matches `arc` under a head whose own arc does not match `other`
- `BETWEEN`: a word between the ends of an arc that is not attached to its head by `other`
- `PROJECTIVE`: a pair of arcs that cross
- `CONTIGUOUS`: an arc whose dependent has a yield with a gap
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from wnparse.rules.conditions import Relations, Word

FORBID, MOST, LEAST, SIBLINGS, PARENT, BETWEEN, PROJECTIVE, CONTIGUOUS = range(8)
ANY_SIDE, RIGHT, LEFT = range(3)  # of its head on which a dependent is
# How an arc i -> j crosses an arc h -> m: j inside h..m, i inside it, m inside i..j, h inside it.
CROSSINGS = {"into": 1, "out-of": 2, "over-dependent": 4, "over-head": 8, "any": 3}
MISSING, SAME, DIFFERENT = 1, 2, 4  # how the values of a feature on two words compare
# Above all scores of a model, and small enough that sums over all pairs of arcs keep the precision of scores.
LARGEST_PENALTY = 1e6


class Agreement(NamedTuple):
    """How the values of a feature on head and dependent compare. The root node is not compared with anything."""

    feature: str
    comparisons: int  # MISSING: not both have the feature, SAME: they share a value, DIFFERENT: they share none


@dataclass(frozen=True)
class ArcPattern:
    """A labelled arc: conditions on its ends, direction, length and relation. None allows anything."""

    head: Word | None = None
    dependent: Word | None = None
    side: int = ANY_SIDE
    least: int = 0  # distance; 0 does not limit it
    most: int = 0
    relations: Relations | None = None
    agreement: Agreement | None = None

    @property
    def says_attachment(self) -> bool:
        """Whether it has conditions on more than the dependent."""
        return bool(self.head or self.side or self.least or self.most or self.relations)


@dataclass(frozen=True)
class ConstraintPattern:
    """A constraint of a rule, which the core applies to each node, arc or pair that matches."""

    kind: int
    arc: ArcPattern
    other: ArcPattern | None = None
    node: Word | None = None
    limit: int = 0
    between: Word | None = None
    crossing: int = 0
    classes: tuple[Word, ...] = ()

    @property
    def arcs(self) -> list[ArcPattern]:
        """The patterns of arcs, one or two."""
        return [self.arc, self.other] if self.other else [self.arc]

    @property
    def words(self) -> list[Word | None]:
        """The conditions on tokens; None is any."""
        ends = [word for arc in self.arcs for word in (arc.head, arc.dependent)]
        return [self.node, self.between, *self.classes, *ends]

    @property
    def features(self) -> list[str]:
        """The features whose values are compared."""
        return [arc.agreement.feature for arc in self.arcs if arc.agreement]

    @property
    def relations(self) -> tuple[Relations | None, Relations | None]:
        """The relations of `arc` and of `other`; None is any."""
        return self.arc.relations, self.other.relations if self.other else None


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the reason for it, what breaking it costs, and the constraints that it consists of."""

    name: str
    reason: str
    penalty: float  # for each unit of violation; infinite if the rule is hard
    patterns: tuple[ConstraintPattern, ...]
    source: Mapping[str, Any]  # the table it was read from, with named words spelled out
    always: bool = False  # whether `train` keeps it even if the treebank breaks it often

    @property
    def hard(self) -> bool:
        """Whether no penalty allows to break it."""
        return math.isinf(self.penalty)
