"""Constraints on trees: block degree, nesting, number of roots (Corro et al. 2016, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from wnparse.decoding.checks import as_count, as_flag
from wnparse.trees import Heads, structure


@dataclass(frozen=True)
class Constraints:
    """Defines which trees are valid.

    Parameters
    ----------
    block_degree : int, optional
        Maximum number of blocks, runs of consecutive words, in a yield; 1 is projective, None unbounded.
    well_nested : bool
        Whether disjoint yields must not interleave.
    single_root : bool
        Whether exactly one word is attached to node 0.
    """

    block_degree: int | None = None
    well_nested: bool = False
    single_root: bool = False

    def __post_init__(self) -> None:
        if self.block_degree is not None:
            object.__setattr__(self, "block_degree", as_count(self.block_degree, "block_degree", 1))
        object.__setattr__(self, "well_nested", as_flag(self.well_nested, "well_nested"))
        object.__setattr__(self, "single_root", as_flag(self.single_root, "single_root"))

    @property
    def structural(self) -> bool:
        """Whether they limit yields, which an arborescence algorithm cannot enforce."""
        return self.block_degree is not None or self.well_nested

    def allow(self, heads: Heads) -> bool:
        """Return whether a tree is valid; ValueError if the heads are not a tree."""
        tree = structure(heads)
        return (
            (self.block_degree is None or tree.block_degree <= self.block_degree)
            and (tree.well_nested or not self.well_nested)
            and (tree.roots == 1 or not self.single_root or len(heads) == 1)
        )

    def describe(self) -> str:
        """Name the trees that are valid, for messages: ``well-nested trees of block degree at most 2``."""
        nested = "well-nested " if self.well_nested else ""
        parts = [f"{nested}trees"]
        if self.block_degree == 1:
            parts = ["projective trees"]
        elif self.block_degree is not None:
            parts.append(f"of block degree at most {self.block_degree}")
        if self.single_root:
            parts.append("with a single root")
        return " ".join(parts)
