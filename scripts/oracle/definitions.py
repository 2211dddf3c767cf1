"""What a tree is worth by the definitions: sums over arcs, labels, parts and rules, one by one.

`scripts/oracle/run.py` compares decoders with it. It shares neither the rows of `wnparse.decoding.ilp` nor the
sums of the core. Rules are counted by the reference implementation of the tests. O(n^2) and more for each rule.
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

from support.rule_program_oracles import row_violations
from wnparse._core.external import Problem

FORBID = 0  # the kind of rules that choices have in their scores already


def tree_worth(problem: Problem, heads: list[int], chosen: Any) -> tuple[float, int]:
    """The score of a tree, and how often it breaks hard rules; `chosen`: the place of each word's choice."""
    if problem.choices is None:
        score, broken = math.fsum(problem.scores[m, heads[m]] for m in range(1, len(heads))), 0
    else:
        score, broken = _labelled(problem, heads, chosen.tolist())
    return score + (_parts(problem.parts, heads) if problem.parts is not None else 0.0), broken


def _labelled(problem: Problem, heads: list[int], chosen: list[int]) -> tuple[float, int]:
    """Choices, and what rules over several arcs cost."""
    rows, scores = problem.choices  # type: ignore[misc]
    score, broken, classes = 0.0, 0, [0]
    for m in range(1, len(heads)):
        h, modifier, _, label_class, breaks = rows[chosen[m]].tolist()
        assert (h, modifier) == (heads[m], m), "a choice of another arc"
        score += float(scores[chosen[m]])
        broken += breaks
        classes.append(label_class)
    rules: Any = problem.rules
    program: Any = SimpleNamespace(
        table=rules.table, masks=rules.masks, classes=rules.classes, label_class=np.arange(64)
    )
    assert problem.bits is not None
    units = row_violations(program, problem.bits, heads, classes)
    for kind, penalty, count in zip(rules.table[:, 0].tolist(), rules.penalties.tolist(), units, strict=True):
        if kind == FORBID or not count:
            continue
        if math.isinf(penalty):
            broken += count
        else:
            score -= penalty * count
    return score, broken


def _parts(kinds: Any, heads: list[int]) -> float:
    """The parts that a tree has, of all that are listed."""
    worth = [dict(zip(map(tuple, rows.tolist()), scores.tolist(), strict=True)) for rows, scores in kinds]
    parts_of_kind: list[set[tuple[int, ...]]] = [set(), set(), set(), set()]
    for h in range(len(heads)):
        g = heads[h]
        for right in (0, 1):
            side = [m for m in range(1, len(heads)) if heads[m] == h and (m > h) == bool(right)]
            chain = [h, *(side if right else side[::-1]), h]
            parts_of_kind[0] |= {(h, a, b, right) for a, b in pairwise(chain)}
            parts_of_kind[1] |= {(g, h, m) for m in side}
            parts_of_kind[2] |= {(g, h, a, b, right) for a, b in pairwise(chain)}
            parts_of_kind[3] |= {(h, a, b, c, right) for a, b, c in zip(chain, chain[1:], chain[2:], strict=False)}
    return math.fsum(
        score
        for table, parts in zip(worth, parts_of_kind, strict=True)
        for key, score in table.items()
        if key in parts
    )
