"""What is remarkable about a tree: blocks of yields, gaps, crossing arcs, interleaving yields.

Definitions: Corro et al. 2016, section 3; Kuhlmann & Nivre 2006, section 3. O(n) for a projective tree, else
O(n^2), which is paid only for what is drawn. Heads may be missing (-1) and then even run in circles: what is
there is described.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise

from wnparse import trees

Block = tuple[int, int]  # first and last word


@dataclass(frozen=True)
class Anatomy:
    """A tree as a picture shows it."""

    blocks: list[list[Block]]  # [n + 1], of each vertex's yield, from left to right; those of 0 are left out
    whole: bool  # whether the heads are a tree
    crossing: frozenset[int]  # modifiers of the arcs that cross another: all non-projective ones are among them
    gapped: list[int]  # words whose yield has more than one block
    interleaving: list[tuple[int, int]]  # pairs of words whose yields interleave

    @property
    def block_degree(self) -> int:
        """The most blocks of any yield; 0 if there are no words."""
        return max(map(len, self.blocks), default=0)


def dissect(heads: Sequence[int]) -> Anatomy:
    """Describe a tree, or as much of one as there is.

    Parameters
    ----------
    heads : sequence of int
        n + 1 heads, ``heads[0] == -1``; -1 for a word without head.
    """
    blocks = [_blocks(members) for members in _yields(heads)]
    gapped = [word for word in range(1, len(heads)) if len(blocks[word]) > 1]
    try:
        projective, whole = trees.is_projective(heads), True
    except ValueError:
        projective = whole = False
    if projective:
        return Anatomy(blocks, whole, frozenset(), gapped, [])
    return Anatomy(
        blocks,
        whole,
        frozenset(_crossing(heads)),
        gapped,
        [pair for pair in combinations(gapped, 2) if _interleave(*(blocks[word] for word in pair))],
    )


def _yields(heads: Sequence[int]) -> list[list[int]]:
    """The words that each word dominates, itself included, in order; nothing for vertex 0."""
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
    runs = groupby(enumerate(members), key=lambda item: item[1] - item[0])
    blocks = []
    for _, run in runs:
        words = [word for _, word in run]
        blocks.append((words[0], words[-1]))
    return blocks


def _crossing(heads: Sequence[int]) -> set[int]:
    """Arcs (a, b) and (c, d) cross if a < c < b < d; the root is at 0, left of all words."""
    spans = sorted((min(word, head), max(word, head), word) for word, head in enumerate(heads) if head >= 0)
    found = set()
    for (start, end, word), (other_start, other_end, other) in combinations(spans, 2):
        if start < other_start < end < other_end:
            found |= {word, other}
    return found


def _interleave(first: list[Block], second: list[Block]) -> bool:
    """Disjoint, and i < k < j < l for some i, j of one and k, l of the other: four turns or more."""
    if first[-1][1] < second[0][0] or second[-1][1] < first[0][0]:
        return False
    marked = sorted([(block, 0) for block in first] + [(block, 1) for block in second])
    if any(block[1] >= after[0] for (block, _), (after, _) in pairwise(marked)):
        return False
    return sum(1 for _ in groupby(owner for _, owner in marked)) >= 4
