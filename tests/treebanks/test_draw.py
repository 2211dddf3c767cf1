"""Pictures from Python: as `wnparse show` draws them, of anything that is a sentence, and shown by notebooks."""

from __future__ import annotations

import pickle
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.places import DATA, ROOT
from support.treebanks import sentence
from wnparse.treebanks.sentence import Sentence

SVG = "{http://www.w3.org/2000/svg}"
TREE = sentence("The dog barks", [2, 3, 0], "det nsubj root")
OTHER = sentence("The dog barks", [3, 3, 0], "det nsubj root")


def texts(svg: str, name: str) -> list[str | None]:
    """The texts of a picture that have a class."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [text.text for text in found if name in text.attrib["class"].split()]


def test_draws_what_the_command_draws(wnparse_inside: Run) -> None:
    path = ROOT / "docs" / "pictures" / "nesting.conllu"
    drawn = wnparse_inside("show", str(path), "--svg", "-", "--width", "700", "-n", "1").stdout.decode()
    first = next(wnparse.read(path))
    declaration, body = drawn.split("\n", 1)
    assert declaration.startswith("<?xml") and body.strip() == wnparse.draw(first, width=700).replace(
        ">well-nested:", ">1 well-nested:"
    )


def test_draws_whatever_is_a_sentence() -> None:
    for given in (TREE, TREE.to_tokenlist(), ["The", "dog", "barks"], ("The", "dog", "barks")):
        assert texts(wnparse.draw(given), "form") == ["The", "dog", "barks"]
    assert sorted(texts(wnparse.draw(TREE), "label")) == ["det", "nsubj", "root"]
    assert texts(wnparse.draw(["The"]), "label") == [] and texts(wnparse.draw(TREE), "title") != []
    with pytest.raises(TypeError, match="expected a Sentence"):
        wnparse.draw("The dog")  # type: ignore[arg-type]


def test_draws_docs_of_several_sentences() -> None:
    spacy = pytest.importorskip("spacy")
    doc = spacy.blank("en")("It barks . It sleeps .")
    doc[3].is_sent_start = True
    assert len(texts(wnparse.draw(doc), "title")) == 2


def test_compares_two_trees() -> None:
    svg = wnparse.compare(TREE, OTHER)
    assert sorted(filter(None, texts(svg, "only-first") + texts(svg, "only-second"))) == ["det", "det"]
    assert "1 word differs" in str(texts(svg, "title")[0])
    assert texts(wnparse.compare(TREE, TREE), "only-first") == []
    heads = OTHER.with_tree(OTHER.heads, ["_"] * 4)
    assert texts(wnparse.compare(TREE, heads), "only-first") == ["det"]  # not all words, which have no relations
    with pytest.raises(wnparse.TreebankError, match=r"t.conllu:2: word 2 is 'cat'; t.conllu:2 has 'dog'"):
        wnparse.compare(TREE, sentence("The cat barks", [2, 3, 0]))


def test_notebooks_show_pictures() -> None:
    svg = TREE._repr_svg_()
    assert (
        svg == wnparse.draw(TREE) == wnparse.draw(TREE)._repr_svg_()
        and type(wnparse.draw(TREE)._repr_svg_()) is str
    )
    assert Sentence.from_words([])._repr_svg_() is None
    assert texts(wnparse.draw(Sentence.from_words([])), "form") == []
    for tree in list(wnparse.read(DATA / "dev.conllu"))[:50]:
        ElementTree.fromstring(tree._repr_svg_() or "")


def test_solutions_show_their_sentence() -> None:
    scores = np.array([[0, 0, 0, 0], [0, 0, 5, 1], [0, 0, 0, 5], [3, 0, 0, 0]], float)
    assert wnparse.decode(scores)._repr_svg_() is None
    with pytest.raises(ValueError, match="words are not known"):
        wnparse.decode(scores).to_sentence()
    labels = (["root", "det", "nsubj"], np.zeros((4, 4, 3)))
    for options in ({}, {"labels": labels}, {"k": 2}, {"k": 2, "labels": labels}):
        result: Any = wnparse.decode(scores, sentence=OTHER, **options)
        solutions = result if "k" in options else [result]
        for solution in solutions:
            tree = solution.to_sentence()
            assert tree.heads.tolist() == solution.heads.tolist() and tree.column("form") == OTHER.column("form")
            assert tree.column("deprel") == (solution.labels or ["_"] * 4)[1:]
            assert solution._repr_svg_() == tree._repr_svg_() == pickle.loads(pickle.dumps(solution))._repr_svg_()
        assert solutions[0].heads.tolist() == [-1, 2, 3, 0] and solutions[0].sentence is OTHER
    with pytest.raises(ValueError, match="the sentence has 3 words; expected 1"):
        wnparse.decode([[0, 0], [1, 0]], sentence=OTHER)


def test_rows_of_a_batch_show_their_sentences() -> None:
    batch = wnparse.decode_batch([np.ones((4, 4)), np.ones((2, 2))])
    assert batch[0].sentence is None
    batch = wnparse.Batch(**{**vars(batch), "sentences": [TREE, None]})
    assert batch[0]._repr_svg_() == batch[0].to_sentence()._repr_svg_() and batch[1]._repr_svg_() is None


def test_hostile_words_are_escaped() -> None:
    svg = wnparse.draw(["<script>alert(1)</script>", "&amp;", '"', "\x1b"])
    assert not re.search("<script", svg) and texts(svg, "form")[1] == "&amp;"
