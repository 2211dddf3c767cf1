"""A sentence made ready for drawing: words, one tree or two over them, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from wnparse.drawing.anatomy import Anatomy, dissect
from wnparse.drawing.cells import is_right_to_left
from wnparse.drawing.surface import NO_VALUE, EmptyNode, Token, surface
from wnparse.treebanks.sentence import Sentence

MOST_YIELDS = 6  # drawn of one tree; the rest of a thicket would say no more


@dataclass(frozen=True)
class DrawnTree:
    """One tree over the words of a picture."""

    heads: list[int]  # [n + 1], heads[0] == -1, -1 where there is none
    relations: list[str]  # [n + 1], the first unused; empty where there is none
    anatomy: Anatomy
    place: str  # file and line

    def describe(self) -> str:
        """Say in words what is remarkable about the tree."""
        anatomy = self.anatomy
        if not anatomy.whole:
            missing = self.heads[1:].count(-1)
            return "no tree" if missing == len(self.heads) - 1 else f"{_count(missing, 'word')} without head"
        parts = [f"block degree {anatomy.block_degree}" if anatomy.block_degree > 1 else "projective"]
        if (roots := self.heads.count(0)) > 1:
            parts.append(f"{roots} roots")
        if anatomy.crossing:
            parts.append(f"{len(anatomy.crossing)} crossing arcs")
        if anatomy.interleaving:
            first, second = anatomy.interleaving[0]
            more = len(anatomy.interleaving) - 1
            others = f" and {_count(more, 'more pair')}" if more else ""
            parts.append(f"ill-nested: the yields of {first} and {second}{others} interleave")
        return ", ".join(parts)


@dataclass(frozen=True)
class Picture:
    """What is drawn of a sentence."""

    number: int  # of the sentence in its file, from 1; 0 if it is not known
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

    @property
    def words(self) -> int:
        """How many."""
        return len(self.forms) - 1

    @property
    def different(self) -> frozenset[int]:
        """The words whose head or relation is another in the system's tree."""
        if self.system is None:
            return frozenset()
        mine, other = self.tree, self.system
        return frozenset(
            word
            for word in range(1, len(self.forms))
            if (mine.heads[word], mine.relations[word]) != (other.heads[word], other.relations[word])
        )

    def title(self) -> str:
        """Name the sentence: its number, its id, its length."""
        name = " ".join(filter(None, [str(self.number or ""), self.sent_id])) or "a sentence"
        return f"{name}: {_count(self.words, 'word')}, {self.tree.describe()}"

    def comparison(self) -> str:
        """Say how far the system's tree differs; nothing without one."""
        if self.system is None:
            return ""
        differing = len(self.different)
        return f"{_count(differing, 'word')} {'differs' if differing == 1 else 'differ'}; {self.system.describe()}"


def yield_kinds(tree: DrawnTree) -> dict[int, str]:
    """Words whose yields have gaps, as drawn: those that interleave as `first` and `second`, then `other`."""
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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _column(sentence: Sentence, name: str) -> list[str]:
    return ["", *("" if value == NO_VALUE else value for value in sentence.column(name))]


def _tree(sentence: Sentence) -> DrawnTree:
    heads = [int(head) for head in sentence.heads]
    place = f"{sentence.path}:{sentence.line}"
    return DrawnTree(heads, _column(sentence, "deprel"), dissect(heads), place)


def _comments(sentence: Sentence, wanted: str) -> list[str]:
    """The values of all comments of a name."""
    parts = [comment[1:].partition("=") for comment in sentence.comments]
    return [value.strip() for key, equals, value in parts if equals and key.strip() == wanted]


def _proposed(sentence: Sentence, notes: list[str]) -> DrawnTree | None:
    """What models would have instead of the annotation of suspects: see wnparse/crossval/suspects/find.py."""
    if not notes:
        return None
    heads, relations = [int(head) for head in sentence.heads], _column(sentence, "deprel")
    for word, misc in enumerate(sentence.column("misc"), 1):
        items = dict(item.partition("=")[::2] for item in misc.split("|"))
        head = items.get("ModelHead", "")
        if head.isdecimal() and int(head) < len(heads) and int(head) != word:
            heads[word] = int(head)
            relations[word] = items.get("ModelDeprel", relations[word])
    return DrawnTree(heads, relations, dissect(heads), "what models expect")


def picture(sentence: Sentence, number: int = 1, system: Sentence | None = None) -> Picture:
    """Make a sentence ready for drawing.

    Parameters
    ----------
    sentence : Sentence
        With heads, or some, or none.
    number : int
        Its place in the file; 0 if that is not known.
    system : Sentence, optional
        Another tree over the same words, to be compared with the first.
    """
    forms = ["", *sentence.column("form")]
    directions = [is_right_to_left(form) for form in forms if any(map(str.isalpha, form))]
    notes = _comments(sentence, "suspect")
    return Picture(
        number,
        sentence.sent_id or "",
        next(iter(_comments(sentence, "text")), ""),
        forms,
        _column(sentence, "upos"),
        _tree(sentence),
        _tree(system) if system else _proposed(sentence, notes),
        2 * sum(directions) > len(directions),
        notes,
        *surface(sentence),
    )
