"""Sentences and files in CoNLL-U, for both samples."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from sample.tree import Node

Pair = Callable[[Node, Node], str]


def surface_words(root: Node) -> list[Node]:
    """Return words and empty nodes in order, less commas that open the sentence or precede another mark."""
    nodes = list(root.surface())
    visible = [node for node in nodes if not node.empty]
    dropped = {
        id(node)
        for node, following in zip(visible, [*visible[1:], None], strict=True)
        if node.form == "," and (node is visible[0] or (following is not None and ends(following)))
    }
    return [node for node in nodes if id(node) not in dropped]


def ends(mark: Node) -> bool:
    """Return whether a mark makes a comma before it superfluous."""
    return mark.upos == "PUNCT" and mark.form not in ('"', "(")


def number(nodes: list[Node]) -> None:
    """Set identifiers: 1..n for words, i.1, i.2, … for empty nodes after word i."""
    position = empties = 0
    for node in nodes:
        position, empties = (position, empties + 1) if node.empty else (position + 1, 0)
        node.identifier = f"{position}.{empties}" if node.empty else str(position)


def multiword_tokens(nodes: list[Node], contraction: Pair) -> dict[str, str]:
    """Return the multiword tokens as identifier of the first word → written form; they never overlap."""
    tokens: dict[str, str] = {}
    last = -1
    for index, (first, second) in enumerate(pairwise(nodes)):
        form = contraction(first, second)
        if form and index > last and not first.empty and not second.empty:
            tokens[first.identifier] = form
            last = index + 1
    return tokens


def head_columns(node: Node, graph: bool) -> tuple[str, str, str]:
    """Return HEAD, DEPREL and DEPS; the enhanced graph is the tree but for what depends on an empty node."""
    head = node.head.identifier if node.head else "0"
    source, relation = (node.enhanced[0].identifier, node.enhanced[1]) if node.enhanced else (head, node.relation)
    dependencies = f"{source}:{relation}" if graph else "_"
    return ("_", "_", dependencies) if node.empty else (head, node.relation, dependencies)


def columns(node: Node, glued: bool, graph: bool) -> str:
    """Return the line of a word or an empty node."""
    features = "|".join(f"{name}={value}" for name, value in sorted(node.features.items())) or "_"
    fields = (node.identifier, node.form, node.lemma, node.upos, node.xpos, features)
    return "\t".join((*fields, *head_columns(node, graph), "SpaceAfter=No" if glued else "_"))


def sentence_lines(
    nodes: list[Node], contraction: Pair, touches: Callable[[Node, Node], bool], *, graph: bool
) -> tuple[str, list[str]]:
    """Return the text of a sentence and its token lines.

    ``contraction`` returns the one written form of two words, or an empty string; ``touches`` whether two
    words have no space between them; ``graph`` whether DEPS is written.
    """
    nodes[0].form = nodes[0].form[0].upper() + nodes[0].form[1:]
    number(nodes)
    tokens = multiword_tokens(nodes, contraction)
    text: list[str] = []
    lines: list[str] = []
    inside = False  # the second word of a multiword token, already written
    for index, node in enumerate(nodes):
        form = tokens.get(node.identifier, "")
        visible = [node, *(other for other in nodes[index + 1 :] if not other.empty)][1 if form else 0 :]
        glued = len(visible) > 1 and touches(visible[0], visible[1])
        if form:
            span = f"{node.identifier}-{int(node.identifier) + 1}"
            lines.append("\t".join((span, form, *"_" * 7, "SpaceAfter=No" if glued else "_")))
        plain = not (form or inside or node.empty)
        lines.append(columns(node, glued and plain, graph))
        if form or plain:
            text.append((form or node.form) + ("" if glued else " "))
        inside = bool(form)
    return "".join(text).rstrip(), lines
