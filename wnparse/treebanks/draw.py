"""Pictures of trees for notebooks and programs; ``wnparse show`` draws the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wnparse.treebanks.inputs import SpacyDoc, Words, as_sentences
from wnparse.treebanks.parallel import read_parallel
from wnparse.treebanks.pictures import WIDTH, Svg, draw_pictures, picture
from wnparse.treebanks.sentence import Sentence, is_filled

if TYPE_CHECKING:
    import conllu

    Drawable = Sentence | conllu.TokenList | SpacyDoc | Words


def draw(sentence: Drawable, *, width: int = WIDTH) -> Svg:
    """Draw a tree as SVG: arcs above the words, and yields with gaps below them.

    Parameters
    ----------
    sentence : Sentence, conllu.TokenList, list of words or Doc of spaCy
        With or without heads. The sentences of a Doc are drawn one below the other.
    width : int
        Pixels per line; longer sentences continue below.

    Returns
    -------
    str
        The SVG. A notebook shows it as a picture.

    Examples
    --------
    >>> from wnparse import Sentence
    >>> draw(Sentence.from_words(["The", "dog"], heads=[2, 0]))[:19]
    '<svg class="tree" x'
    """
    return draw_pictures((picture(one, 0) for one in as_sentences([sentence])), width)


def compare(first: Drawable, second: Drawable, *, width: int = WIDTH) -> Svg:
    """Draw two trees of the same words as SVG: the first above the words, the second below them.

    Parameters
    ----------
    first, second : Sentence, conllu.TokenList or Doc of spaCy
        The trees. Arcs that only one of them has are coloured. If one tree has no relations, only heads are
        compared.
    width : int
        Pixels per line; longer sentences continue below.

    Returns
    -------
    str
        The SVG. A notebook shows it as a picture.

    Raises
    ------
    TreebankError
        If the words differ.
    """
    rows = read_parallel([[first], [second]], ["the first tree", "the second tree"])
    pictures = []
    for one, other in rows:
        heads_only = not (is_filled([one], "deprel") and is_filled([other], "deprel"))
        pictures.append(picture(one, 0, other)._replace(heads_only=heads_only))
    return draw_pictures(pictures, width)
