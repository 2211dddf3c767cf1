"""Structure of dependency trees: block degree, nesting, projectivity and what violates them.

There is no tree class: ``heads`` is a sequence of n + 1 integers with ``heads[0] == -1``; ``heads[m]`` is the
head of word m, 0 for a root. Definitions: Corro et al. 2016, section 3; Kuhlmann & Nivre 2006, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core import trees as core

Heads = Sequence[int] | npt.NDArray[np.integer]
Int32Array = npt.NDArray[np.int32]


class Structure(NamedTuple):
    """Structural properties of a tree."""

    block_degree: int
    well_nested: bool
    edge_degree: int
    nonprojective_arcs: int
    roots: int

    @property
    def gap_degree(self) -> int:
        """The maximum number of gaps of a yield: one less than the block degree."""
        return self.block_degree - 1

    @property
    def projective(self) -> bool:
        """Whether every yield is contiguous."""
        return self.block_degree == 1


def as_heads(heads: Heads) -> Int32Array:
    """Convert any sequence of integers to int32[n + 1]."""
    array = np.asarray(heads)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError("heads: expected a sequence of integers such as [-1, 2, 0, 2]")
    if array.size and (array.max() >= array.size or array.min() < -1):
        raise ValueError(f"heads do not form a tree: expected heads from 0 to {array.size - 1}")
    if array.size > 1 and array[-1] == -1:
        raise ValueError(
            "the last head is -1; expected heads without padding: heads[: words + 1] or batch[i].heads"
        )
    return np.ascontiguousarray(array, np.int32)


def structure(heads: Heads) -> Structure:
    """Measure block degree, nesting, edge degree, non-projective arcs and roots of a tree.

    O(n + blocks), plus the length of each arc whose head has a gap.

    Parameters
    ----------
    heads : sequence of int
        n + 1 heads, ``heads[0] == -1``.

    Returns
    -------
    Structure
        A named tuple with block_degree, well_nested, edge_degree, nonprojective_arcs and roots.

    Raises
    ------
    ValueError
        If the heads do not form a tree.
    """
    return Structure(*core.measure(as_heads(heads)))


def block_degrees(heads: Heads) -> Int32Array:
    """Count the blocks of each vertex's yield: maximal runs of consecutive words; O(n + blocks)."""
    return core.block_degrees(as_heads(heads))


def block_degree(heads: Heads) -> int:
    """Return the block degree of a tree: the largest number of blocks of a yield.

    Parameters
    ----------
    heads : sequence of int
        n + 1 heads, ``heads[0] == -1``.

    Raises
    ------
    ValueError
        If the heads do not form a tree.

    Examples
    --------
    >>> block_degree([-1, 2, 0, 2])
    1
    >>> block_degree([-1, 3, 0, 2, 3, 1])
    2
    """
    return int(block_degrees(heads).max())


def gap_degree(heads: Heads) -> int:
    """Return the maximum number of gaps of a yield: one less than the block degree."""
    return block_degree(heads) - 1


def is_projective(heads: Heads) -> bool:
    """Return whether every yield is contiguous.

    Examples
    --------
    >>> is_projective([-1, 2, 0, 2])
    True
    """
    return block_degree(heads) == 1


def is_well_nested(heads: Heads) -> bool:
    """Return whether no two disjoint yields interleave; O(n + blocks).

    Examples
    --------
    >>> is_well_nested([-1, 0, 0, 1, 2])
    False
    """
    return interleaving_pair(heads) is None


def interleaving_pair(heads: Heads) -> tuple[int, int] | None:
    """Find two siblings whose yields interleave; None if the tree is well-nested."""
    return core.interleaving_pair(as_heads(heads))


def edge_degrees(heads: Heads) -> Int32Array:
    """Count, for the arc of each word, the components inside its span that its head does not dominate."""
    return core.edge_degrees(as_heads(heads))


def edge_degree(heads: Heads) -> int:
    """Return the edge degree of a tree: the largest of its arcs."""
    return int(edge_degrees(heads).max())


def nonprojective_arcs(heads: Heads) -> Int32Array:
    """Return the modifiers of all arcs that span a word which their head does not dominate."""
    return np.flatnonzero(edge_degrees(heads)).astype(np.int32)
