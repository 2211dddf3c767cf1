"""What rules are made of: patterns of arcs, and patterns of constraint rows over labelled arcs.

The kinds of rows, and what a unit of violation is for each (docs/rules.md has the words of the language):

- `FORBID`: an arc that matches `arc`
- `MOST`, `LEAST`: each dependent of a head above or below `limit` whose arc matches `arc`
- `SIBLINGS`: a pair of dependents of one head, with nothing that lets them stand together
- `PARENT`: an arc that matches `arc` under a head whose own arc does not match `other`
- `BETWEEN`: a word between the ends of an arc that does not hang on its head by `other`
- `PROJECTIVE`: a pair of arcs that cross
- `CONTIGUOUS`: an arc whose dependent has a yield with a gap
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wnparse.rules.conditions import Relations, Word

FORBID, MOST, LEAST, SIBLINGS, PARENT, BETWEEN, PROJECTIVE, CONTIGUOUS = range(8)
ANY_SIDE, RIGHT, LEFT = range(3)  # of its head, where a dependent stands
# How an arc i -> j crosses an arc h -> m: j inside h..m, i inside it, m inside i..j, h inside it.
CROSSINGS = {"into": 1, "out-of": 2, "over-dependent": 4, "over-head": 8, "any": 3}
# Beyond all scores of a model, and small enough that sums over all pairs of arcs do not swallow them.
LARGEST_PENALTY = 1e6


@dataclass(frozen=True)
class ArcPattern:
    """A labelled arc: who hangs on whom, where, and by which relation. None is anything."""

    head: Word | None = None
    dependent: Word | None = None
    side: int = ANY_SIDE
    least: int = 0  # distance; 0 is no limit
    most: int = 0
    relations: Relations | None = None

    @property
    def says_attachment(self) -> bool:
        """Whether it says more than what the dependent is."""
        return bool(self.head or self.side or self.least or self.most or self.relations)


@dataclass(frozen=True)
class RowPattern:
    """A constraint of a rule, from which the core makes a row for each node, arc or pair that it is about."""

    kind: int
    arc: ArcPattern
    other: ArcPattern | None = None
    node: Word | None = None
    limit: int = 0
    between: Word | None = None
    crossing: int = 0
    classes: tuple[Word, ...] = ()

    @property
    def words(self) -> list[Word | None]:
        """The conditions on tokens; None is any."""
        arcs = [self.arc, self.other] if self.other else [self.arc]
        ends = [word for arc in arcs for word in (arc.head, arc.dependent)]
        return [self.node, self.between, *self.classes, *ends]

    @property
    def relations(self) -> tuple[Relations | None, Relations | None]:
        """The relations of `arc` and of `other`; None is any."""
        return self.arc.relations, self.other.relations if self.other else None


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the reason for it, what breaking it costs, and its patterns of rows."""

    name: str
    reason: str
    penalty: float  # for each unit of violation; infinite if the rule is hard
    rows: tuple[RowPattern, ...]
    source: Mapping[str, Any]  # the table it was read from, with named words spelled out

    @property
    def hard(self) -> bool:
        """Whether it must not be broken at any price."""
        return math.isinf(self.penalty)
