"""Descriptions of words and yields, which SVG shows when the mouse is over them."""

from __future__ import annotations

from collections.abc import Sequence

from wnparse.drawing.anatomy import Block
from wnparse.drawing.picture import Picture
from wnparse.wording import plural


def describe_blocks(blocks: Sequence[Block]) -> str:
    """Describe the blocks of a yield."""
    words = sum(last - first + 1 for first, last in blocks)
    spans = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in blocks)
    return f"yield of {words} {plural(words, 'word')}, {len(blocks)} {plural(len(blocks), 'block')}: {spans}"


def describe_word(picture: Picture, word: int) -> str:
    """Describe the head, relation and yield of a word in each tree; incomplete trees have no yields."""
    captions = []
    for name, tree in zip(("above", "below"), picture.trees, strict=False):
        head = tree.heads[word]
        parent = "no head" if head < 0 else "root" if head == 0 else f"head {head} {picture.forms[head]}"
        relation = f" ({tree.relations[word]})" if tree.relations[word] else ""
        prefix = f"{name}: " if picture.system else ""
        blocks = f", {describe_blocks(tree.anatomy.blocks[word])}" if tree.anatomy.whole else ""
        captions.append(f"{prefix}{parent}{relation}{blocks}")
    return f"{word} {picture.forms[word]} – " + "; ".join(captions)
