"""A word of a sentence in the making.

A node has two kinds of ties. ``head`` is its governor in the dependency tree; ``left`` and ``right`` hold the
nodes next to it in the sentence. A moved phrase keeps its head and changes only the node that it is next to:
that is where discontinuous trees come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Node:
    """A word, or an empty node (``empty``) that has enhanced dependencies only."""

    def __init__(self, form: str, lemma: str, upos: str, xpos: str, **features: str) -> None:
        self.form = form
        self.lemma = lemma
        self.upos = upos
        self.xpos = xpos
        self.features = features
        self.head: Node | None = None
        self.relation = "root"
        self.left: list[Node] = []
        self.right: list[Node] = []
        self.lexeme: Any = None  # the dictionary entry, where the grammar needs it later
        self.empty = False
        self.enhanced: tuple[Node, str] | None = None  # where it differs from head and relation
        self.joined = False  # one token with the word before it
        self.identifier = ""  # set when the sentence is numbered

    def tie(self, child: Node, relation: str) -> Node:
        """Make this node the head of a child, wherever the child stands."""
        child.head = self
        child.relation = relation
        return child

    def before(self, child: Node, relation: str) -> Node:
        """Add a dependent between those on the left and the word itself."""
        self.left.append(self.tie(child, relation))
        return child

    def after(self, child: Node, relation: str) -> Node:
        """Add a dependent to the right of all others."""
        self.right.append(self.tie(child, relation))
        return child

    def surface(self) -> Iterator[Node]:
        """Yield the words in the order of the sentence."""
        for node in self.left:
            yield from node.surface()
        yield self
        for node in self.right:
            yield from node.surface()
