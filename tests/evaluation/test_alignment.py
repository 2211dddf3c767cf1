"""Gold and systems side by side: what may differ, and how the first difference is named."""

from __future__ import annotations

import io

import pytest

from support.treebanks import Row, as_text, source
from wnparse.errors import TreebankError
from wnparse.evaluation.evaluate import evaluate
from wnparse.treebanks.parallel import read_parallel
from wnparse.treebanks.reader import read

A, B, C, D = ([(letter, "X", 0, "root"), ("x", "X", 1, "dep")] for letter in "abcd")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([A, [("b", "X", 0, "root"), ("y", "X", 1, "dep")], C], "s:5: word 2 .*'y'; g:5 .*'x'"),
        ([A, [*B, ("z", "X", 1, "dep")], C], "s:6: word 3 .*'z'; g:5 ends .*word 3"),
        ([A, B[:1], C], "s:4: .*ends before word 2; g:5 .*'x'"),
        ([A, B], "s:5: .*ends after .*'b x'; g:7 .*'c x'"),
        ([A, B, C, D], "s:10: .*'d x' is one too many; .*g:8"),
        ([A, C], r"s:4: word 1 .*'c'; g:4 .*'b' \(.*'b x' is missing\)"),
        ([A, D, B, C], r"s:4: word 1 .*'d'; g:4 .*'b' \(.*'d x' is not in gold\)"),
        ([A, C, B], r"s:4: word 1 .*'c'; g:4 .*'b' \(.*'b x' .*exchanged\)"),
        ([], "s: no sentences; g:1 .*'a x'"),
    ],
)
def test_the_first_different_word_is_named_with_both_places(system: list[list[Row]], message: str) -> None:
    streams = source(as_text([A, B, C]), "g"), source(as_text([A, B, C])), source(as_text(system), "s")
    with pytest.raises(TreebankError, match=f"^{message}$"):
        list(read_parallel(streams, ["g", "first", "s"]))


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([A, [("b", "X", 0, "root"), ("y", "X", 1, "dep")], C], "s:5: .*'y' here; g:5 .*'x'"),
        ([A, [*B, ("z", "X", 1, "dep")], C], "s:6: .*'z' here; g:7 .*'c'"),
        ([A, B[:1], C], "s:6: .*'c' here; g:5 .*'x'"),
        ([A, B], "s:5: .*ends after .*'b x'; g:7 .*'c x'"),
        ([A, [*B, ("c", "X", 1, "dep")]], "s:6: .*ends after .*'b x c'; g:7 .*'c x'"),
        ([A, B, C, D], "s:10: .*'d x' is one too many; .*g:8"),
        ([A, B, [*C, ("d", "X", 1, "dep")]], "s:7: .*'c x d' is one too many; .*g:8"),
        ([A, C], r"s:4: .*'c' here; g:4 .*'b' \(.*'b x' is missing\)"),
        ([A, D, B, C], r"s:4: .*'d' here; g:4 .*'b' \(.*'d x' is not in gold\)"),
        ([A, C, B], r"s:4: .*'c' here; g:4 .*'b' \(.*'b x' .*exchanged\)"),
        ([], "s: no sentences; g:1 .*'a x'"),
    ],
)
def test_the_first_different_character_is_named_with_both_places(system: list[list[Row]], message: str) -> None:
    streams = source(as_text([A, B, C]), "g"), source(as_text(system), "s")
    with pytest.raises(TreebankError, match=f"^{message}$"):
        evaluate(streams[0], source(as_text([A, B, C])), streams[1], names=["g", "first", "s"])


def test_places_are_lines_of_words_and_sentences_have_ids() -> None:
    gold = "# sent_id = 7\n# text = ab c\n1-2\tab" + "\t_" * 8 + "\n" + as_text([A])
    system = gold.replace("sent_id = 7", "sent_id = 8").replace("\tx\t", "\tX\t")
    with pytest.raises(TreebankError, match=r"^s:5: word 2 .*'X'; g:5 .*'x'$"):
        list(read_parallel([source(gold, "g"), source(system, "s")], ["g", "s"]))
    with pytest.raises(TreebankError, match=r"^s:4: .*'aX' here; g:4 .*'ab'$"):
        evaluate(source(gold, "g"), source(system.replace("\tab\t", "\taX\t"), "s"))
    with pytest.raises(TreebankError, match=r"^s:4: sentence 8 .*too many; g .*no sentences$"):
        evaluate(source("", "g"), source(system, "s"), names=["g", "s"])


def test_a_later_error_does_not_hide_the_difference() -> None:
    gold = as_text([A, B]) + "1\tbroken\n\n"
    with pytest.raises(TreebankError, match="'c' here"):
        evaluate(source(gold, "g"), source(as_text([A, C]), "s"))


def test_a_word_of_a_system_without_head_is_wrong() -> None:
    raw = read(io.BytesIO(as_text([A]).replace("\t1\t", "\t_\t").encode()))
    result = evaluate(source(as_text([A])), raw)
    assert result.missing == (sum(head == 1 for _, _, head, _ in A),)
    assert result.systems[0].scores.uas == 100 * (1 - result.missing[0] / len(A))
    assert result.systems[0].validity.projective is None
