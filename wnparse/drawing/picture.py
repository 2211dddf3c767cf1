"""A sentence prepared for drawing: words, one tree or two over them, and where they differ."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from wnparse.drawing.anatomy import Anatomy
from wnparse.wording import plural

EXPECTED = "what models expect"  # in place of the file and line of a tree
PAGE_WIDTH = 1100  # pixels, of the pictures of a page
MOST_YIELDS = 6  # underlined per tree; more would not be readable


class Token(NamedTuple):
    """Some words that are written as one."""

    first: int  # word
    last: int
    form: str


class EmptyNode(NamedTuple):
    """A node without a word in the text, such as an elided verb."""

    name: str  # its id, such as 5.1
    after: int  # the word that it follows; 0 before the first
    form: str
    tag: str


class DrawnTree(NamedTuple):
    """One tree over the words of a picture."""

    heads: list[int]  # [n + 1], heads[0] == -1, -1 where there is none
    relations: list[str]  # [n + 1], the first unused; empty where there is none
    anatomy: Anatomy
    place: str  # file and line

    def describe_structure(self) -> str:
        """Describe the structure of the tree in words."""
        anatomy = self.anatomy
        if not anatomy.whole:
            missing = self.heads[1:].count(-1)
            some = f"{missing} {plural(missing, 'word')} without head, yields not shown"
            return "no tree" if missing == len(self.heads) - 1 else some
        parts = [f"block degree {anatomy.block_degree}" if anatomy.block_degree > 1 else "projective"]
        if (roots := self.heads.count(0)) > 1:
            parts.append(f"{roots} roots")
        if anatomy.crossing:
            parts.append(f"{len(anatomy.crossing)} crossing arcs")
        if anatomy.interleaving:
            first, second = anatomy.interleaving[0]
            more = len(anatomy.interleaving) - 1
            others = f" and {more} more {plural(more, 'pair')}" if more else ""
            parts.append(f"ill-nested: the yields of {first} and {second}{others} interleave")
        return ", ".join(parts)


class Picture(NamedTuple):
    """The parts of a sentence that are drawn."""

    number: int  # of the sentence in its file, from 1; 0 if unknown
    sent_id: str
    text: str  # the comment `# text`, if there is one
    forms: list[str]  # [n + 1], the first unused
    tags: list[str]  # [n + 1], UPOS
    tree: DrawnTree
    system: DrawnTree | None  # a second tree over the same words
    right_to_left: bool
    notes: list[str]  # why the sentence is suspected of annotation errors, or which rules it breaks and why
    tokens: list[Token]
    empty_nodes: list[EmptyNode]
    marked: frozenset[int] = frozenset()  # words to look at
    broken: frozenset[int] = frozenset()  # modifiers of the arcs that break rules
    heads_only: bool = False  # whether trees with the same heads are the same

    @property
    def trees(self) -> list[DrawnTree]:
        """The tree, and the system's tree if there is one."""
        return [self.tree, self.system] if self.system else [self.tree]

    @property
    def is_proposal(self) -> bool:
        """Whether the second tree is what models expect instead of annotation errors."""
        return self.system is not None and self.system.place == EXPECTED

    @property
    def different(self) -> frozenset[int]:
        """The words whose head or relation is another in the system's tree."""
        first, second = self.tree, self.trees[-1]
        return frozenset(
            word
            for word in range(len(self.forms))
            if first.heads[word] != second.heads[word]
            or (first.relations[word] != second.relations[word] and not self.heads_only)
        )

    def title(self) -> str:
        """Return a title with number, id and length of the sentence."""
        name = " ".join(filter(None, [str(self.number or ""), self.sent_id])) or "a sentence"
        words = len(self.forms) - 1
        return f"{name}: {words} {plural(words, 'word')}, {self.tree.describe_structure()}"

    def captions(self) -> list[str]:
        """Return title, comparison and notes."""
        return [*filter(None, [self.title(), self.comparison()]), *self.notes]

    def comparison(self) -> str:
        """Describe how much the system's tree differs; empty without one."""
        if self.system is None:
            return ""
        words = len(self.different)
        verb = "differs" if words == 1 else "differ"
        return f"{words} {plural(words, 'word')} {verb}; {self.system.describe_structure()}"


def yield_kinds(tree: DrawnTree) -> dict[int, str]:
    """Return the words whose yields are drawn: those that interleave as `first` and `second`, then `other`."""
    anatomy = tree.anatomy
    kinds: dict[int, str] = {}
    for pair in anatomy.interleaving:
        if len(kinds) >= MOST_YIELDS:
            break
        for word, partner in (pair, reversed(pair)):
            kinds.setdefault(word, "second" if kinds.get(partner) == "first" else "first")
    rest = sorted(set(anatomy.gapped) - set(kinds), key=lambda word: -len(anatomy.blocks[word]))
    kinds |= dict.fromkeys(rest, "other")
    return dict(islice(kinds.items(), MOST_YIELDS))
