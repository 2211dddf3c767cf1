"""What parsing tries where no tree satisfies all that is asked for: as little as may be is given up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from wnparse.decoding.constraints import Constraints
from wnparse.treebanks.sentence import Sentence


class Attempt(NamedTuple):
    """What a tree is held to; `given_up` says what the attempts before held it to in vain."""

    given_up: str
    decoder: str
    constraints: Constraints
    prune: bool
    keep_heads: bool


def free_attempts(decoder: str, constraints: Constraints, prune: bool, lost: str = "") -> Iterator[Attempt]:
    """What to try where all heads are free: a tree with a single root there always is.

    Pruning is never the obstacle: arcs that it drops keep a score, a low one.
    """
    keep_heads, rooted = False, Constraints(single_root=constraints.single_root)
    both = f"{lost} and " if lost else ""
    yield Attempt(lost, decoder, constraints, prune, keep_heads)
    if constraints.structural or decoder != "msa":
        yield Attempt(both + "structural constraints", "msa", rooted, prune, keep_heads)
    if constraints.single_root:
        yield Attempt(both + "all constraints", "msa", Constraints(), prune, keep_heads)


def keeping_attempts(decoder: str, asked: Constraints, prune: bool) -> Iterator[Attempt]:
    """What to try where some heads are given: few things are given up before many, the single root first."""
    shape = [
        name
        for name, there in (
            ("well-nestedness", asked.well_nested),
            ("block degree", asked.block_degree is not None),
            ("projectivity", not asked.structural and decoder == "eisner"),
        )
        if there
    ]
    parts = [*(["single root"] if asked.single_root else []), *shape]
    for lost in chain.from_iterable(combinations(parts, size) for size in range(len(parts) + 1)):
        if asked.block_degree == 1 and "well-nestedness" in lost and "block degree" not in lost:
            continue  # projective trees are well-nested
        left = Constraints(
            None if "block degree" in lost else asked.block_degree,
            asked.well_nested and "well-nestedness" not in lost,
            asked.single_root and "single root" not in lost,
        )
        used = "msa" if shape and set(shape) <= set(lost) else decoder
        yield Attempt(_describe_loss(lost, parts, shape), used, left, prune, keep_heads=True)


def _describe_loss(lost: Sequence[str], parts: Sequence[str], shape: Sequence[str]) -> str:
    """Name what is given up of `parts`, `shape` among them."""
    if len(lost) > 1 and len(lost) == len(parts) > len(shape):
        return "all constraints"
    return "structural constraints" if len(lost) > 1 and list(lost) == shape else " and ".join(lost)


def may_hold(attempt: Attempt, sentence: Sentence) -> bool:
    """Whether the heads of the input allow such a tree, as far as a glance tells; it spares searches in vain."""
    if attempt.constraints.single_root and int((sentence.heads[1:] == 0).sum()) > 1:
        return False
    return not sentence.annotated or attempt.constraints.allow(sentence.heads)
