"""A sentence prepared for drawing: words, one tree or two over them, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from wnparse.drawing.anatomy import Anatomy, dissect
from wnparse.drawing.cells import is_right_to_left
from wnparse.storage.files import BOM
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural

NO_VALUE = "_"
MOST_YIELDS = 6  # underlined per tree; more would not be readable


class Token(NamedTuple):
    """A multiword token: some words that are written as one."""

    first: int
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
    notes: list[str]  # why the sentence is suspected of annotation errors, if it is
    tokens: list[Token]
    empty_nodes: list[EmptyNode]
    marked: frozenset[int] = frozenset()  # words to look at

    @property
    def trees(self) -> list[DrawnTree]:
        """The tree, and the system's tree if there is one."""
        return [self.tree, self.system] if self.system else [self.tree]

    @property
    def different(self) -> frozenset[int]:
        """The words whose head or relation is another in the system's tree."""
        arcs = [set(zip(range(len(self.forms)), tree.heads, tree.relations, strict=True)) for tree in self.trees]
        return frozenset(word for word, _, _ in arcs[0] - arcs[-1])

    def title(self) -> str:
        """Return a title with number, id and length of the sentence."""
        name = " ".join(filter(None, [str(self.number or ""), self.sent_id])) or "a sentence"
        words = len(self.forms) - 1
        return f"{name}: {words} {plural(words, 'word')}, {self.tree.describe_structure()}"

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


def _column(sentence: Sentence, name: str) -> list[str]:
    return ["", *("" if value == NO_VALUE else value for value in sentence.column(name))]


def _tree(sentence: Sentence) -> DrawnTree:
    heads = sentence.heads.tolist()
    return DrawnTree(heads, _column(sentence, "deprel"), dissect(heads), f"{sentence.path}:{sentence.line}")


def _comment_values(sentence: Sentence, name: str) -> list[str]:
    parts = [comment[1:].partition("=") for comment in sentence.comments]
    return [value.strip() for key, equals, value in parts if equals and key.strip() == name]


def _proposed(sentence: Sentence, notes: list[str]) -> DrawnTree | None:
    """Return the tree with the heads that models expect for suspects, see `wnparse.crossval.suspects.find`."""
    if not notes:
        return None
    heads, relations = sentence.heads.tolist(), _column(sentence, "deprel")
    for word, misc in enumerate(sentence.column("misc"), 1):
        items = dict(item.partition("=")[::2] for item in misc.split("|"))
        head = items.get("ModelHead", "")
        if head.isdecimal() and int(head) < len(heads) and int(head) != word:
            heads[word] = int(head)
            relations[word] = items.get("ModelDeprel", relations[word])
    return DrawnTree(heads, relations, dissect(heads), "what models expect")


def _surface(sentence: Sentence) -> tuple[list[Token], list[EmptyNode]]:
    """Return multiword tokens and empty nodes, in their order; the reader has checked them."""
    tokens, nodes = [], []
    for line in sentence.raw.removeprefix(BOM).decode().split("\n"):
        name, *cells = line.rstrip("\r").split("\t")
        if len(cells) < 3 or name.startswith("#") or name.isdecimal():
            continue
        form, lemma, tag = cells[:3]
        if "-" in name:
            first, _, last = name.partition("-")
            tokens.append(Token(int(first), int(last), form))
        else:
            shown = lemma if form == NO_VALUE else form
            nodes.append(EmptyNode(name, int(name.partition(".")[0]), shown, "" if tag == NO_VALUE else tag))
    return tokens, nodes


def picture(
    sentence: Sentence, number: int = 1, system: Sentence | None = None, marked: Iterable[int] = ()
) -> Picture:
    """Prepare a sentence for drawing.

    Parameters
    ----------
    sentence : Sentence
        With or without heads.
    number : int
        Its number in the file; 0 if unknown.
    system : Sentence, optional
        Another tree over the same words to compare with the first.
    marked : iterable of int
        The words to mark.
    """
    forms = ["", *sentence.column("form")]
    directions = [is_right_to_left(form) for form in forms if any(map(str.isalpha, form))]
    notes = _comment_values(sentence, "suspect")
    return Picture(
        number,
        sentence.sent_id or "",
        next(iter(_comment_values(sentence, "text")), ""),
        forms,
        _column(sentence, "upos"),
        _tree(sentence),
        _tree(system) if system else _proposed(sentence, notes),
        2 * sum(directions) > len(directions),
        notes,
        *_surface(sentence),
        frozenset(marked),
    )
