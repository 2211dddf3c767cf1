"""Gold and systems side by side: what may differ, and how the first difference is named."""

from __future__ import annotations

import io

import pytest

from support.treebanks import Row, as_text, source
from wnparse.errors import TreebankError
from wnparse.evaluation.evaluate import evaluate
from wnparse.treebanks.reader import read

A, B, C, D = ([(letter, "X", 0, "root"), ("x", "X", 1, "dep")] for letter in "abcd")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([A, [("b", "X", 0, "root"), ("y", "X", 1, "dep")], C], "s:5: word 2 is 'y'; g:5 has 'x'"),
        ([A, [*B, ("z", "X", 1, "dep")], C], "s:6: word 3 is 'z'; g:5 ends the sentence before word 3"),
        ([A, B[:1], C], "s:4: the sentence ends before word 2; g:5 has 'x'"),
        ([A, B], "s:5: the input ends after the sentence 'b x'; g:7 has the sentence 'c x'"),
        ([A, B, C, D], "s:10: the sentence 'd x' is one too many; gold ends at g:8"),
        ([A, C], "s:4: word 1 is 'c'; g:4 has 'b' (the sentence 'b x' is missing)"),
        ([A, D, B, C], "s:4: word 1 is 'd'; g:4 has 'b' (the sentence 'd x' is not in gold)"),
        ([A, C, B], "s:4: word 1 is 'c'; g:4 has 'b' (the sentence 'b x' and the next are exchanged)"),
        ([], "s: no sentences; g:1 has the sentence 'a x'"),
    ],
)
def test_the_first_difference_is_named_with_both_places(system: list[list[Row]], message: str) -> None:
    streams = source(as_text([A, B, C]), "g"), source(as_text(system), "s")
    with pytest.raises(TreebankError) as error:
        evaluate(streams[0], [source(as_text([A, B, C])), streams[1]], names=["g", "first", "s"])
    assert str(error.value) == message


def test_places_are_lines_of_words_and_sentences_have_ids() -> None:
    gold = "# sent_id = 7\n# text = ab c\n1-2\tab" + "\t_" * 8 + "\n" + as_text([A])
    system = gold.replace("sent_id = 7", "sent_id = 8").replace("\tx\t", "\tX\t")
    with pytest.raises(TreebankError) as error:
        evaluate(source(gold, "g"), [source(system, "s")])
    assert str(error.value) == "s:5: word 2 is 'X'; g:5 has 'x'"
    with pytest.raises(TreebankError, match=r"^s:4: sentence 8 is one too many; g has no sentences$"):
        evaluate(source("", "g"), [source(system, "s")], names=["g", "s"])


def test_a_later_flaw_does_not_hide_the_difference() -> None:
    gold = as_text([A, B]) + "1\tbroken\n\n"
    with pytest.raises(TreebankError, match="word 1 is 'c'"):
        evaluate(source(gold, "g"), [source(as_text([A, C]), "s")])


def test_a_word_without_head_is_an_error() -> None:
    raw = read(io.BytesIO(as_text([A]).replace("\t1\t", "\t_\t").encode()))
    with pytest.raises(TreebankError, match="expected a full tree"):
        evaluate(source(as_text([A])), [raw])
