"""Highlights of pictures, compared with definitions on sets."""

from __future__ import annotations

import pytest
from hypothesis import given

from support import tree_oracles as oracles
from support.strategies import trees as random_trees
from support.treebanks import sentence
from wnparse.drawing.anatomy import dissect
from wnparse.drawing.captions import describe_word
from wnparse.drawing.picture import yield_kinds
from wnparse.treebanks.pictures import picture


def check(heads: tuple[int, ...]) -> None:
    anatomy, sets = dissect(heads), oracles.yields(heads)
    for word in range(1, len(heads)):
        assert {w for first, last in anatomy.blocks[word] for w in range(first, last + 1)} == sets[word]
        assert len(anatomy.blocks[word]) == oracles.set_block_degree(sets[word])
    assert anatomy.whole
    assert anatomy.crossing == oracles.crossing_arcs(heads)
    assert anatomy.crossing >= set(oracles.nonprojective_arcs(heads))
    assert anatomy.gapped == [word for word in range(1, len(heads)) if len(anatomy.blocks[word]) > 1]
    assert {frozenset(pair) for pair in anatomy.interleaving} == oracles.interleaving_pairs(heads)


@pytest.mark.parametrize("n", range(1, 6))
def test_describes_every_small_tree(n: int) -> None:
    for heads in oracles.all_trees(n):
        check(heads)


@given(heads=random_trees(16))
def test_describes_larger_trees(heads: list[int]) -> None:
    check((-1, *heads))


def test_describes_heads_that_are_not_a_tree() -> None:
    anatomy = dissect([-1, 2, 1, -1, 3])
    assert not anatomy.whole
    assert anatomy.blocks[1] == anatomy.blocks[2] == [(1, 2)]
    assert anatomy.blocks[3] == [(3, 4)]


@given(heads=random_trees(16))
def test_gives_interleaving_yields_different_colours(heads: list[int]) -> None:
    tree = picture(sentence("w " * len(heads), heads)).tree
    kinds = yield_kinds(tree)
    assert set(kinds) <= set(tree.anatomy.gapped)
    if tree.anatomy.interleaving:
        first, second = tree.anatomy.interleaving[0]
        assert (kinds[first], kinds[second]) == ("first", "second")


def test_prints_the_properties_of_a_tree() -> None:
    assert picture(sentence("a", [0])).title() == "1: 1 word, projective"
    assert picture(sentence("a b", [-1, -1])).title() == "1: 2 words, no tree"
    assert picture(sentence("a b c d", [0, 0, 1, 2])).tree.describe_structure() == (
        "block degree 2, 2 roots, 3 crossing arcs, ill-nested: the yields of 1 and 2 interleave"
    )
    assert (
        picture(sentence("a b", [2, 0]), 7, sentence("a b", [0, 1])).comparison() == "2 words differ; projective"
    )


def test_a_word_without_head_is_not_a_gap() -> None:
    incomplete = picture(sentence("a b c d", [0, -1, 1, -1]))
    assert incomplete.tree.anatomy.gapped == []
    assert yield_kinds(incomplete.tree) == {}
    assert incomplete.title() == "1: 4 words, 2 words without head, yields not shown"
    assert describe_word(incomplete, 1) == "1 a – root (root)"
    assert describe_word(incomplete, 2) == "2 b – no head (dep)"
