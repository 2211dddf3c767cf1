"""docs/pictures: each tree is what `wnparse show` draws, byte for byte."""

from __future__ import annotations

import pytest

import wnparse
from documentation.pictures import PICTURES, TREES, draw_tree


@pytest.mark.parametrize("name", TREES)
def test_a_picture_is_drawn_again(name: str) -> None:
    assert draw_tree(name) == (PICTURES / f"{name}.svg").read_bytes()


def test_all_pictures_are_drawn_by_the_script() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == set(TREES)


@pytest.mark.parametrize(("name", "degree"), [("projective", 1), ("three-blocks", 3)])
def test_the_pictures_of_the_page_on_trees_show_block_degrees(name: str, degree: int) -> None:
    (tree,) = wnparse.read(PICTURES / f"{name}.conllu")
    assert wnparse.block_degree(tree.heads) == degree and wnparse.is_well_nested(tree.heads)


def test_the_picture_of_the_readme_agrees_with_its_text() -> None:
    well_nested, ill_nested = wnparse.read(PICTURES / "nesting.conllu")
    assert wnparse.is_well_nested(well_nested.heads) and not wnparse.is_well_nested(ill_nested.heads)
    assert wnparse.block_degree(well_nested.heads) == wnparse.block_degree(ill_nested.heads) == 2
    forms = ["", *ill_nested.column("form")]
    differing = [word for word in range(1, len(forms)) if well_nested.heads[word] != ill_nested.heads[word]]
    assert [(forms[word], forms[ill_nested.heads[word]]) for word in differing] == [("today", "is")]
