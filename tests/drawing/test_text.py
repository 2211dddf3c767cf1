"""Drawings in a terminal: against hand-checked pictures, and read back to the heads that were drawn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.drawings import LABELS, grid, read_back
from support.strategies import pairs, trees
from support.treebanks import sentence
from wnparse.drawing.cells import LEFT_TO_RIGHT_MARK, cell_width, crop, is_right_to_left
from wnparse.drawing.text import draw
from wnparse.treebanks.pictures import picture
from wnparse.wording import visible

FORMS = ("a", "word", "letters", "我们", "e\u0301t\u0301", "книга")


def drawn(*arguments: object, **options: object) -> str:
    return draw(picture(sentence(*arguments)), **options)  # type: ignore[arg-type]


def test_draws_a_projective_tree() -> None:
    expected = """\
1: 5 words, projective (t.conllu:1)
        root
          │┌────punct────┐
          │├───obj───┐   │
 ┌─nsubj─┐││  ┌─det─┐│   │
 ▼       │▼│  ▼     │▼   ▼
She      saw the    man  .
"""
    assert drawn("She saw the man .", [2, 0, 4, 2, 2], "nsubj root det obj punct") == expected


def test_draws_interleaving_yields() -> None:
    expected = """\
1: 4 words, block degree 2, 2 roots, 3 crossing arcs, ill-nested: the yields of
  1 and 2 interleave (t.conllu:1)
root root
  │┌─x─│───┐
  ││   │┌y─│───┐
  ▼│   ▼│  ▼   ▼
  a    b   c   d
━━●━┄┄┄┄┄┄━━━
     ━━●━┄┄┄┄┄━━━
"""
    assert drawn("a b c d", [0, 0, 1, 2], "root root x y") == expected


def test_aligns_wide_and_combining_characters_and_tags() -> None:
    expected = """\
1: 3 words, projective (t.conllu:1)
        root
 ┌─nsubj─┐│┌─obj─┐
 ▼       │▼│     ▼
我      喜欢     e\u0301
 X        X      X
"""
    assert drawn("我 喜欢 e\u0301", [2, 0, 2], "nsubj root obj", tags=True) == expected


def test_draws_differences_below() -> None:
    expected = """\
1: 4 words, projective (t.conllu:1)
below: 2 words differ; projective (t.conllu:1)
        root
          │┌────obj─────┐
 ┌─nsubj─┐││     ┌─det─┐│
 ▼       │▼│     ▼     │▼
She      saw    the    man
           │     ▲      ▲
           ├─det─┘      │
           └────iobj────┘
"""
    gold = sentence("She saw the man", [2, 0, 4, 2], "nsubj root det obj")
    system = sentence("She saw the man", [2, 0, 2, 2], "nsubj root det iobj")
    assert draw(picture(gold, 1, system)) == expected


def test_wraps_a_long_sentence() -> None:
    expected = """\
1: 6 words, projective
  (t.conllu:1)
           root
             │┌…┄
   ┌─nummod─┐│├…┄
   ▼        │▼│
  one       two

┄─────punct──────┄
┄─obj─┐┌─nmod─┐┌…┄
      ▼│      ▼│
    three   four

┄──punct───┐
┄─nmod─┐   │
       ▼   ▼
     five six
"""
    heads, labels = [2, 0, 2, 3, 4, 2], "nummod root obj nmod nmod punct"
    assert drawn("one two three four five six", heads, labels, width=24) == expected


def test_fills_lines_before_starting_the_next() -> None:
    lines = drawn("word " * 20, [0, *range(1, 20)], "_ " * 20, width=80).splitlines()
    counts = [line.count("word") for line in lines[1:] if "word" in line]
    assert counts == [15, 5]  # 76 cells of 80 and an edge of two on each side


@pytest.mark.parametrize(
    "heads, labels, rows",
    [
        ([-1, -1], "_ _", [" a   b"]),
        ([-1, 1], "_ x", ["  ┌─x─┐", "  │   ▼", " a    b"]),
        ([-1, 0], "_ _", ["     ▼", " a   b"]),
    ],
)
def test_draws_missing_heads(heads: list[int], labels: str, rows: list[str]) -> None:
    assert [row for row in drawn("a b", heads, labels).splitlines()[1:] if row] == rows


def test_draws_a_cycle_next_to_a_missing_head() -> None:
    text = drawn("a b c", [2, 1, -1], "x y _")
    assert "1 word without head" in text
    assert text.count("▼") == 2


@given(heads=trees(), data=st.data())
def test_heads_and_labels_can_be_read_back(heads: list[int], data: st.DataObject) -> None:
    forms = [data.draw(st.sampled_from(FORMS)) for _ in heads]
    labels = [data.draw(st.sampled_from(LABELS)) for _ in heads]
    text = drawn(forms, heads, labels, width=10_000)
    cells = grid(text)[1:]
    arrows = max(row for row, line in enumerate(cells) if "▼" in line)
    arcs = read_back(cells[: arrows + 1])
    assert [head for head, _ in arcs] == heads
    for (_, label), wanted in zip(arcs, labels, strict=True):
        # Where other arcs pass through, a label may have to be shortened.
        assert label == wanted or wanted.startswith(label.rstrip("…"))
    if picture(sentence(forms, heads)).tree.anatomy.block_degree == 1:
        assert [label for _, label in arcs] == labels
    # Each form is below its arrowhead.
    centres = [column for column, cell in enumerate(cells[arrows]) if cell == "▼"]
    for centre, form in zip(centres, forms, strict=True):
        start = centre - cell_width(form) // 2
        assert "".join(cells[arrows + 1][start : start + cell_width(form)]) == form


@settings(deadline=None, max_examples=40)
@given(pair=pairs(30), width=st.integers(20, 90), data=st.data())
def test_wrapped_lines_fit_the_width_and_lose_nothing(
    pair: tuple[list[int], list[int]], width: int, data: st.DataObject
) -> None:
    heads, system = pair
    forms = [data.draw(st.sampled_from((*FORMS, "x" * 100))) for _ in heads]
    labels = [data.draw(st.sampled_from(LABELS)) for _ in heads]
    shown = picture(sentence(forms, heads, labels), 1, sentence(forms, system, labels))
    text = draw(shown, width=width, tags=True)
    assert max(cell_width(line) for line in text.splitlines()) <= width
    assert text.count("▼") == len(heads)
    assert text.count("▲") == len(shown.different)
    for form in forms:
        assert crop(form, width - 4) in text


def test_colour_changes_nothing_but_colour() -> None:
    shown = picture(
        sentence("a b c d", [0, 0, 1, 2], "root root x y"), 1, sentence("a b c d", [0, 1, 1, 2], "root z x y")
    )
    coloured, plain = draw(shown, colour=True, tags=True), draw(shown, tags=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert all(line.count("\x1b[0m") * 2 == line.count("\x1b[") for line in coloured.splitlines())


def test_a_form_cannot_control_the_terminal() -> None:
    text = drawn(["\x1b[31m", "a\u202eb", "c\x85\x07"], [0, 1, 1])
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", text)
    assert "␛[31m" in text
    assert visible("plain") == "plain"
    assert visible("a\u2028b\xad\x7f") == "a␤b-␡"


def test_right_to_left_words_keep_their_columns() -> None:
    text = drawn("קרא ספר", [0, 1], "root obj")
    row = text.splitlines()[-1]
    # The mark ends each word's right-to-left run, so that a terminal does not exchange the two.
    assert re.fullmatch(rf" ?קרא{LEFT_TO_RIGHT_MARK} +ספר{LEFT_TO_RIGHT_MARK}", row)
    assert is_right_to_left("1. كتاب")
    assert not is_right_to_left("a كتاب")


@pytest.mark.parametrize(
    "text, width",
    [
        ("abc", 3),
        ("我们", 4),
        ("e\u0301", 1),
        ("👩\u200d👩\u200d👧", 2),
        ("👍🏽", 2),
        ("❤\ufe0f", 2),
        ("각", 2),
        ("각", 2),
        ("", 0),
    ],
)
def test_computes_cell_width(text: str, width: int) -> None:
    assert cell_width(text) == width


def test_crops_text_to_a_width() -> None:
    assert crop("abcdef", 4) == "abc…"
    assert crop("我们是", 4) == "我…"
    assert crop("e\u0301tat", 2) == "e\u0301…"
    assert crop("abc", 3) == "abc"
    assert crop("abc", 0) == ""
