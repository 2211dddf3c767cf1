r"""Trees as TeX: a document that draws each sentence with the package tikz-dependency.

The class ``standalone`` makes a page of each sentence, as large as its tree. A paper can also contain a copy of a
``dependency`` environment with the styles, or include the file with ``\input`` and the package standalone. All
engines compile the document; scripts other than Latin need LuaTeX or XeTeX, and a font that has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from wnparse.drawing.layout import Arc, Extent, Inserted, Metrics, Span, arcs_in, break_lines, widen
from wnparse.drawing.markup import text_width
from wnparse.drawing.picture import DrawnTree, Picture, yield_kinds
from wnparse.wording import visible

BEGIN = r"""% Compile this file, or copy an environment into a document that uses tikz-dependency.
\documentclass[multi=dependency,border=3pt]{standalone}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage{lmodern}
\else
  \usepackage{fontspec} % \setmainfont{...} chooses the font
\fi
\usepackage{tikz-dependency}
\tikzset{
  wn tag/.style={font=\scriptsize, text=black!60},
  wn empty/.style={font=\itshape, text=black!50},
  wn marked/.style={fill=yellow!40},
  wn token/.style={draw=black!60, rounded corners=1pt},
  wn block/.style={draw=teal, line width=1.6pt},
  wn gap/.style={draw=teal, densely dotted},
}
\depstyle{wn}{edge slant=3pt, label style={draw=none, fill=white, inner sep=1pt, font=\scriptsize}}
\depstyle{wn crossing}{edge style={draw=purple!80!black, thick}, label style={text=purple!80!black}}
\depstyle{wn first}{edge style={draw=blue!70!black, thick}, label style={text=blue!70!black}}
\depstyle{wn second}{edge below, edge style={draw=orange, thick, dashed}, label style={text=orange!80!black}}
\depstyle{wn same}{edge style={draw=black!35}, label style={text=black!60}}
\depstyle{wn broken}{edge style={draw=red!80!black, ultra thick}, label style={text=red!80!black}}
\begin{document}
"""
END = "\\end{document}\n"

_SPECIAL = str.maketrans(
    {
        **{character: f"\\{character}" for character in "#$%&_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",
        "]": "{]}",
    }
)
# In points, for the sizes of fonts that TeX uses by default.
FORM, SMALL = 10, 7
METRICS = Metrics(limit=1 << 30, spacing=6, port=3, padding=6, edge=0)
STEM, LEVEL = 8, 10  # height of the lowest arc, and from one arc to the next
TOKEN_DEPTH, TOKEN_HEIGHT, YIELD_HEIGHT = 5, 16, 4  # below the words


def escape_tex(text: str) -> str:
    """Return a text that TeX prints as it is."""
    return visible(text).translate(_SPECIAL)


def tex_document(pictures: Iterable[Picture], *, captions: bool = True) -> str:
    """Return a document with a tree per page; captions are comments."""
    return BEGIN + "\n".join("\n".join(_environment(picture, captions)) + "\n" for picture in pictures) + END


def _environment(picture: Picture, captions: bool) -> Iterator[str]:
    """Yield the lines of a sentence."""
    for caption in picture.captions() if captions else []:
        yield f"% {visible(caption)}"
    artist = _Artist(picture)
    yield r"\begin{dependency}[wn]"
    yield r"  \begin{deptext}[column sep=0pt, row sep=0.2ex, nodes={text height=1.7ex, text depth=0.5ex}]"
    yield from artist.rows()
    yield r"  \end{deptext}"
    yield from artist.arcs()
    yield from artist.tokens()
    yield from artist.yields()
    yield r"\end{dependency}"


class _Cell(NamedTuple):
    """A word or an empty node."""

    centre: int
    width: int
    word: int  # 0 for an empty node
    form: str  # as TeX
    tag: str


class _Artist:
    """Draws a sentence in one line; a right-to-left sentence begins on the right."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        trees = [self._arcs(picture.tree, range(1, len(picture.forms)))]
        trees += [self._arcs(picture.system, sorted(picture.different))] if picture.system else []
        arcs = [arc for tree in trees for arc in tree]
        spans = [
            Span(token.first, token.last, token.form, _width(token.form, FORM) + METRICS.padding)
            for token in picture.tokens
        ]
        pairs = zip(picture.forms, picture.tags, strict=True)
        widths = [max(_width(form, FORM), _width(tag, SMALL)) for form, tag in pairs]
        extents = [_extent(width) for width in widen(widths, arcs, spans)]
        nodes = {node.name: (node, _width(f"({node.form})", FORM)) for node in picture.empty_nodes}
        inserted = [Inserted(name, node.after, _extent(width)) for name, (node, width) in nodes.items()]
        (line,) = break_lines(extents, arcs, METRICS, spans, inserted)
        cells = [self._word(word, centre, widths[word]) for word, centre in line.centres.items()]
        for name, (node, width) in nodes.items():
            form = rf"|[wn empty]| ({escape_tex(node.form)})"
            cells.append(_Cell(line.inserted[name], width, 0, form, node.tag))
        if picture.right_to_left:
            cells = [cell._replace(centre=line.width - cell.centre) for cell in cells]
        self._cells = sorted(cells)
        self._column = {cell.word: number for number, cell in enumerate(self._cells, 1)}
        self._lined = [arcs_in(line, tree, METRICS) for tree in trees]
        self._last_row = 1 + any(picture.tags)

    @staticmethod
    def _arcs(tree: DrawnTree, words: Iterable[int]) -> list[Arc]:
        return [
            Arc(tree.heads[word], word, tree.relations[word], _width(tree.relations[word], SMALL))
            for word in words
            if tree.heads[word] >= 0
        ]

    def _word(self, word: int, centre: int, width: int) -> _Cell:
        form = "|[wn marked]| " * (word in self.picture.marked) + escape_tex(self.picture.forms[word])
        return _Cell(centre, width, word, form, self.picture.tags[word])

    def rows(self) -> Iterator[str]:
        r"""Yield the rows of forms and, if there are any, of tags; ``\&[5pt]`` adds 5 points between columns."""
        forms, end = "", 0
        for cell in self._cells:
            space = max(0, cell.centre - cell.width // 2 - end)
            forms += rf" \&[{space}pt] {cell.form}" if forms else cell.form
            end = cell.centre + cell.width // 2
        yield f"    {forms} \\\\"
        if self._last_row > 1:
            tags = r" \& ".join(rf"|[wn tag]| {escape_tex(cell.tag)}" for cell in self._cells)
            yield f"    {tags} \\\\"

    def arcs(self) -> Iterator[str]:
        """Yield the arcs of the first tree above the words, and those that differ in the second below them."""
        for side, tree in enumerate(self._lined):
            for piece, level in tree.pieces:
                arc = piece.arc
                ends = f"{{{self._column[arc.head]}}}{{{self._column[arc.modifier]}}}"
                yield f"  \\depedge{self._options(arc, side, level)}{ends}{{{escape_tex(arc.label)}}}"
            for arc in tree.roots:
                options = self._options(arc, side, tree.top + 2)
                yield f"  \\deproot{options}{{{self._column[arc.modifier]}}}{{{escape_tex(arc.label)}}}"

    def _options(self, arc: Arc, side: int, level: int) -> str:
        """Return the style of an arc and its height."""
        picture, word = self.picture, arc.modifier
        style = ""
        if side:
            style = "wn second, "
        elif word in picture.broken:
            style = "wn broken, "
        elif picture.system:
            style = "wn first, " if word in picture.different else "wn same, "
        elif word in picture.tree.anatomy.crossing:
            style = "wn crossing, "
        return f"[{style}edge height={STEM + LEVEL * level}pt]"

    def tokens(self) -> Iterator[str]:
        """Yield a bracket with its form below the words of each multiword token."""
        for token in self.picture.tokens:
            left, right = self._ends(token.first, token.last)
            bracket = [self._below(left, "west", 0), self._below(left, "west", TOKEN_DEPTH)]
            bracket.append(f"node[below, font=\\small] {{{escape_tex(token.form)}}}")
            bracket += [self._below(right, "east", TOKEN_DEPTH), self._below(right, "east", 0)]
            yield f"  \\draw[wn token] {bracket[0]} -- {bracket[1]} -- {' '.join(bracket[2:4])} -- {bracket[4]};"

    def yields(self) -> Iterator[str]:
        """Underline the blocks of yields and, thinner, their gaps, unless a second tree needs the room."""
        if len(self._lined) > 1 and (self._lined[1].pieces or self._lined[1].roots):
            return
        depth = TOKEN_DEPTH + (TOKEN_HEIGHT if self.picture.tokens else 0)
        for word in yield_kinds(self.picture.tree):
            blocks = self.picture.tree.anatomy.blocks[word]
            lines = [("wn gap", blocks[0][0], blocks[-1][1]), *(("wn block", *block) for block in blocks)]
            for style, first, last in lines:
                left, right = self._ends(first, last)
                ends = self._below(left, "west", depth), self._below(right, "east", depth)
                yield f"  \\draw[{style}] {' -- '.join(ends)};"
            depth += YIELD_HEIGHT

    def _ends(self, first: int, last: int) -> tuple[int, int]:
        """Return the columns in which some words begin and end, from left to right."""
        left, right = sorted((self._column[first], self._column[last]))
        return left, right

    def _below(self, column: int, side: str, depth: int) -> str:
        """Return a point below a word."""
        return rf"([yshift=-{depth}pt]\wordref{{{self._last_row}}}{{{column}}}.south {side})"


def _width(text: str, size: float) -> int:
    """Estimate the width of a text in points: TeX has its own fonts, which are narrower than those of screens."""
    return ceil(0.85 * text_width(text, size)) + 3


def _extent(width: int) -> Extent:
    return Extent(ceil(width / 2), ceil(width / 2))
