"""Fallbacks of parsing if no tree satisfies everything that was requested: as little as possible is relaxed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.treebanks.sentence import Sentence


class Attempt(NamedTuple):
    """An attempt to find a tree; `relaxed` names the requirements that earlier attempts could not satisfy."""

    relaxed: str
    options: DecodeOptions
    keep_heads: bool

    def may_succeed(self, sentence: Sentence) -> bool:
        """Return whether given heads may allow such a tree; a cheap check that avoids useless searches."""
        constraints = self.options.constraints
        if not self.keep_heads:
            return True
        if constraints.single_root and int((sentence.heads[1:] == 0).sum()) > 1:
            return False
        return not sentence.annotated or constraints.allow(sentence.heads)


def free_attempts(options: DecodeOptions, relaxed: str = "") -> Iterator[Attempt]:
    """Yield the attempts if all heads are free: a tree with a single root always exists.

    Pruning does not make a tree impossible, because arcs that it drops keep a low score.
    """
    requested = options.constraints
    rooted = Constraints(single_root=requested.single_root)
    both = f"{relaxed} and " if relaxed else ""
    yield Attempt(relaxed, options, keep_heads=False)
    if requested.structural or options.decoder != "msa":
        loose = replace(options, decoder="msa", constraints=rooted)
        yield Attempt(both + "structural constraints", loose, keep_heads=False)
    if requested.single_root:
        loose = replace(options, decoder="msa", constraints=Constraints())
        yield Attempt(both + "all constraints", loose, keep_heads=False)


def keeping_attempts(options: DecodeOptions) -> Iterator[Attempt]:
    """Yield the attempts if some heads are given: one requirement is relaxed before two, the single root first."""
    requested, decoder = options.constraints, options.decoder
    shape = [
        name
        for name, is_requested in (
            ("well-nestedness", requested.well_nested),
            ("block degree", requested.block_degree is not None),
            ("projectivity", not requested.structural and decoder == "eisner"),
        )
        if is_requested
    ]
    parts = [*(["single root"] if requested.single_root else []), *shape]
    for relaxed in chain.from_iterable(combinations(parts, size) for size in range(len(parts) + 1)):
        if requested.block_degree == 1 and "well-nestedness" in relaxed and "block degree" not in relaxed:
            continue  # projective trees are well-nested
        rest = Constraints(
            None if "block degree" in relaxed else requested.block_degree,
            requested.well_nested and "well-nestedness" not in relaxed,
            requested.single_root and "single root" not in relaxed,
        )
        used = "msa" if shape and set(shape) <= set(relaxed) else decoder
        loose = replace(options, decoder=used, constraints=rest)
        yield Attempt(_name_relaxed(relaxed, parts, shape), loose, keep_heads=True)


def _name_relaxed(relaxed: Sequence[str], parts: Sequence[str], shape: Sequence[str]) -> str:
    """Name the requirements that are relaxed, out of `parts`, which include those of `shape`."""
    if len(relaxed) > 1 and len(relaxed) == len(parts) > len(shape):
        return "all constraints"
    return "structural constraints" if len(relaxed) > 1 and list(relaxed) == shape else " and ".join(relaxed)
