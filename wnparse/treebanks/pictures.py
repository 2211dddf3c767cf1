"""Pictures of sentences: what `wnparse.drawing` draws of them, and the SVG that notebooks show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wnparse.drawing.anatomy import dissect
from wnparse.drawing.cells import is_right_to_left
from wnparse.drawing.picture import EXPECTED, DrawnTree, EmptyNode, Picture, Token
from wnparse.storage.files import BOM

if TYPE_CHECKING:
    from wnparse.treebanks.sentence import Sentence

NO_VALUE = "_"
WIDTH = 1000  # pixels, about that of a cell of a notebook


class Svg(str):
    """SVG as text; a notebook shows it as a picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


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
    return DrawnTree(heads, relations, dissect(heads), EXPECTED)


def _empty_nodes(sentence: Sentence) -> list[EmptyNode]:
    """Return the empty nodes, in their order; the reader has checked them."""
    nodes = []
    for line in sentence.raw.removeprefix(BOM).decode().split("\n"):
        name, *cells = line.rstrip("\r").split("\t")
        if len(cells) < 3 or name.startswith("#") or "." not in name:
            continue
        form, lemma, tag = cells[:3]
        shown = lemma if form == NO_VALUE else form
        nodes.append(EmptyNode(name, int(name.partition(".")[0]), shown, "" if tag == NO_VALUE else tag))
    return nodes


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
        [Token(*token[:3]) for token in sentence.multiword_tokens],
        _empty_nodes(sentence),
        frozenset(marked),
    )


def draw_pictures(pictures: Iterable[Picture], width: int = WIDTH) -> Svg:
    """Draw sentences one below the other, each with a title."""
    from wnparse.drawing.svg import svg_figure  # most programs draw nothing

    return Svg(svg_figure((([_title(picture)], picture) for picture in pictures), width))


def _title(picture: Picture) -> str:
    """Return a title that is not wider than most pictures: of two trees, it describes the second."""
    return ": ".join(filter(None, [picture.sent_id, picture.comparison()])) if picture.system else picture.title()
