"""The structure of a tree: blocks of yields, gaps, crossing arcs, interleaving yields.

Definitions: Corro et al. 2016, section 3; Kuhlmann & Nivre 2006, section 3. O(n) for a projective tree, else
O(n^2), and only for trees that are drawn. Heads may be missing (-1), and the others may then form cycles: the
arcs that exist are described. A word without head may belong to any yield, so that no yield is said to have gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from wnparse import trees

Block = tuple[int, int]  # first and last word


class Anatomy(NamedTuple):
    """The structure of a tree."""

    blocks: list[list[Block]]  # [n + 1], of the yield of each vertex, from left to right; none for vertex 0
    whole: bool  # whether the heads are a tree
    crossing: frozenset[int]  # modifiers of the arcs that cross another: all non-projective ones are among them
    gapped: list[int]  # words whose yield has more than one block; none if the heads are not a tree
    interleaving: list[tuple[int, int]]  # pairs of words whose yields interleave

    @property
    def block_degree(self) -> int:
        """The maximum number of blocks of a yield; 0 if there are no words."""
        return max(map(len, self.blocks), default=0)


def dissect(heads: Sequence[int]) -> Anatomy:
    """Describe a tree, which may be incomplete.

    Parameters
    ----------
    heads : sequence of int
        n + 1 heads, ``heads[0] == -1``; -1 for a word without head.
    """
    blocks = [_blocks(members) for members in _yields(heads)]
    try:
        projective, whole = trees.is_projective(heads), True
    except ValueError:
        projective = whole = False
    gapped = [word for word in range(1, len(heads)) if whole and len(blocks[word]) > 1]
    crossing = set() if projective else _crossing(heads)
    interleaving = [
        (word, other) for word, other in combinations(gapped, 2) if _interleave(blocks[word], blocks[other])
    ]
    return Anatomy(blocks, whole, frozenset(crossing), gapped, interleaving)


def _yields(heads: Sequence[int]) -> list[list[int]]:
    """Return the words that each word dominates, itself included, in order; none for vertex 0."""
    yields: list[list[int]] = [[] for _ in heads]
    for word in range(1, len(heads)):
        vertex, seen = word, set()
        while vertex > 0 and vertex not in seen:
            seen.add(vertex)
            yields[vertex].append(word)
            vertex = heads[vertex]
    return yields


def _blocks(members: list[int]) -> list[Block]:
    """Split a yield into maximal runs of consecutive words."""
    after_gap = [word for before, word in pairwise([-1, *members]) if word != before + 1]
    before_gap = [word for word, after in pairwise([*members, -1]) if after != word + 1]
    return list(zip(after_gap, before_gap, strict=True))


def _crossing(heads: Sequence[int]) -> set[int]:
    """Return the modifiers of arcs (a, b) and (c, d) with a < c < b < d; the root is at 0, left of all words."""
    spans = sorted((min(word, head), max(word, head), word) for word, head in enumerate(heads) if head >= 0)
    modifiers = set()
    for (start, end, word), (other_start, other_end, other) in combinations(spans, 2):
        if start < other_start < end < other_end:
            modifiers |= {word, other}
    return modifiers


def _interleave(first: list[Block], second: list[Block]) -> bool:
    """Return whether two yields are disjoint and i < k < j < l for some i, j of one and k, l of the other."""
    if first[-1][1] < second[0][0] or second[-1][1] < first[0][0]:
        return False
    owned = sorted([(block, 0) for block in first] + [(block, 1) for block in second])
    if any(block[1] >= after[0] for (block, _), (after, _) in pairwise(owned)):
        return False
    return sum(1 for _ in groupby(owner for _, owner in owned)) >= 4
