"""Multiword tokens and empty nodes, in the terminal, as SVG and in pages."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.drawings import grid
from support.pages import checked
from support.strategies import trees
from support.treebanks import conllu, sentence
from wnparse.drawing.cells import cell_width, crop
from wnparse.drawing.page import picture_page
from wnparse.drawing.svg import draw_svg
from wnparse.drawing.text import draw
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.sentence import Sentence, parse_sentence

FORMS = ("a", "word", "我们", "e\u0301t\u0301", "книга")
RELATIONS = ("root", "case", "det", "obl", "cc", "conj")


def extended(raw: bytes, tokens: Sequence[tuple[int, int, str]], nodes: Sequence[tuple[int, str]]) -> Sentence:
    """A sentence with lines for multiword tokens and for empty nodes after some words."""
    rest = "\t_" * 8
    lines: list[str] = []
    for line in ["0", *raw.decode().split("\n")]:
        word = line.split("\t")[0]
        if not word.isdecimal():
            lines.append(line)
            continue
        lines += [f"{first}-{last}\t{form}{rest}" for first, last, form in tokens if str(first) == word]
        lines += [line] if word != "0" else []
        own = [form for after, form in nodes if str(after) == word]
        lines += [f"{word}.{k}\t{form}{rest}" for k, form in enumerate(own, 1)]
    return parse_sentence("\n".join(lines).encode(), path="t.conllu")


def test_draws_surface_tokens_in_the_terminal() -> None:
    sentence = extended(
        conllu(["vi", "de", "el", "mar", "e", "sol"], [0, 4, 4, 1, 6, 4], RELATIONS),
        [(2, 3, "del"), (5, 6, "太陽的光輝啊")],
        [(0, "yo"), (4, "vi"), (4, "我")],
    )
    expected = """\
1: 6 words, projective (t.conllu:1)
     root
       │┌─────obl─────┐
       ││  ┌──case───┐│┌──────────conj───────────┐
       ││  │   ┌─det─┤││            ┌────cc─────┐│
       ▼│  ▼   ▼     │▼│            ▼           │▼
(yo)  vi  de  el     mar (vi) (我)  e           sol
          └─del─┘                  └─太陽的光輝啊─┘
"""
    assert draw(picture(sentence)) == expected


def test_keeps_multiword_tokens_on_one_line() -> None:
    raw = conllu(["word"] * 6, [0, 1, 2, 3, 4, 5], ["_"] * 6)
    for first in range(1, 6):
        text = draw(picture(extended(raw, [(first, first + 1, "both")], [(first, "node")])), width=40)
        assert "└" in text
        (bracket,) = (line for line in text.splitlines() if "both" in line)
        assert bracket.strip().startswith("└")
        assert bracket.endswith("┘")
    # What is longer than a line is broken all the same, and named where it ends.
    text = draw(picture(extended(raw, [(1, 6, "everything")], [])), width=20)
    brackets = [
        line.strip() for line in text.splitlines() if "──" in line and "word" not in line and "┐" not in line
    ]
    assert brackets[-1].startswith("┄")
    assert text.count("everything") == 1


@settings(deadline=None, max_examples=60)
@given(heads=trees(20), width=st.integers(20, 90), data=st.data())
def test_nothing_is_lost_or_misaligned(heads: list[int], width: int, data: st.DataObject) -> None:
    n = len(heads)
    forms = st.sampled_from((*FORMS, "x" * 100))
    nodes = [(data.draw(st.integers(0, n)), data.draw(forms)) for _ in range(data.draw(st.integers(0, 4)))]
    cuts = sorted(data.draw(st.sets(st.integers(1, n + 1), max_size=6)))
    tokens = [(low, high - 1, data.draw(forms)) for low, high in itertools.pairwise(cuts)]
    words = [data.draw(forms) for _ in heads]
    shown = picture(extended(conllu(words, heads), tokens, nodes))
    text = draw(shown, width=width)
    assert max(map(cell_width, text.splitlines())) <= width
    assert text.count("▼") == n
    for _, _, form in tokens:
        assert crop(form, width - 8) in text
    for _, form in nodes:
        assert f"({crop(form, width - 6)})" in text
    # In one line, each form is between the ends of its bracket, and the bracket below its words.
    cells = grid(draw(shown, width=10_000))
    arrows = max(row for row, line in enumerate(cells) if "▼" in line)
    centres = [column for column, cell in enumerate(cells[arrows]) if cell == "▼"]
    if tokens:
        below = cells[arrows + 2]
        starts = [column for column, cell in enumerate(below) if cell == "└"]
        ends = [column for column, cell in enumerate(below) if cell == "┘"]
        for (first, last, form), start, end in zip(tokens, starts, ends, strict=True):
            assert "".join(below[start + 1 : end]).strip("─") == form
            held = [word for word, centre in enumerate(centres, 1) if start <= centre <= end]
            assert held == list(range(first, last + 1))


@pytest.mark.parametrize("mirrored", [False, True])
def test_draws_surface_tokens_as_svg(mirrored: bool) -> None:
    forms = ["ל", "בית", "ספר", "גדול"] if mirrored else ["a", "b", "c", "d"]
    raw = conllu(forms, [2, 0, 2, 2])
    sentence = extended(raw, [(1, 2, "a & b" * 9), (4, 4, "only")], [(0, "<i>"), (2, "gone"), (2, "_")])
    for width in (150, 2000):
        drawing = draw_svg(picture(sentence), width)
        root = ElementTree.fromstring(f"<svg>{drawing.markup}</svg>")
        assert [node.text for node in root.findall("g[@class='multiword']/text")] == ["a & b" * 9, "only"]
        empty = root.findall("g[@class='empty']/text[@class='form']")
        assert [node.text for node in empty] == ["<i>", "gone", "_"]
        assert len(root.findall("g[@data-word]")) == 4
    words = [float(node.get("x", "")) for node in root.findall("g[@data-word]/text[@class='form']")]
    nodes = [float(node.get("x", "")) for node in empty]
    order = [nodes[0], words[0], words[1], nodes[1], nodes[2], words[2], words[3]]
    assert order == sorted(order, reverse=mirrored)
    label = float(root.findall("g[@class='multiword']/text")[0].get("x", ""))
    assert min(words[:2]) < label < max(words[:2])
    for node in root.iter():
        assert 0 <= float(node.get("x", 0)) <= drawing.width


def test_draws_surface_tokens_in_a_page() -> None:
    tree = extended(conllu(["a", "<b>"], [0, 1]), [(1, 2, "<a&b>")], [(1, "<c>")])
    page = picture_page([picture(tree), picture(tree, 2, tree)], 900)
    checked(page)
    for text in ("1-2 &lt;a&amp;b&gt; – a multiword token", "1.1 &lt;c&gt; – an empty node", "written as one"):
        assert text in page
    assert "written as one" not in picture_page([picture(sentence("a", [0]))], 900)


def test_ignores_line_ends_and_a_byte_order_mark() -> None:
    raw = extended(conllu(["a", "b"], [0, 1]), [(1, 2, "ab")], [(2, "c")]).raw
    shown = picture(parse_sentence(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n")))
    assert [(token.first, token.last, token.form) for token in shown.tokens] == [(1, 2, "ab")]
    assert [(node.name, node.after, node.form) for node in shown.empty_nodes] == [("2.1", 2, "c")]
