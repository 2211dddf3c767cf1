"""Picking sentences, as a library."""

from __future__ import annotations

import io

import pytest

from support.treebanks import conllu
from wnparse.errors import TreebankError
from wnparse.treebanks.filter import Interval, SentenceFilter, select
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

TREES = [[0], [2, 0], [0, 0, 2, 1], [0, 0, 1, 2], [0, 1, -1]]


def treebank(trees: list[list[int]] = TREES) -> list[Sentence]:
    text = b"".join(conllu(["w"] * len(heads), heads, sent_id=f"s{k}") for k, heads in enumerate(trees, 1))
    return list(read(io.BytesIO(b"# comment only\n\n" + text)))


def numbers(selection: SentenceFilter, **options: object) -> list[int]:
    return [sentence.number for sentence in select(treebank(), selection, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "selection, expected",
    [
        (SentenceFilter(), [1, 2, 3, 4, 5]),
        (SentenceFilter(numbers=[Interval(2, 2), Interval(4, None)]), [2, 4, 5]),
        (SentenceFilter(sent_ids={"s3", "s1"}), [1, 3]),
        (SentenceFilter(block_degrees=Interval(1, 1)), [1, 2]),
        (SentenceFilter(block_degrees=Interval(2, None)), [3, 4]),
        (SentenceFilter(ill_nested=True), [4]),
        (SentenceFilter(numbers=[Interval(1, 3)], block_degrees=Interval(2, None)), [3]),
        (SentenceFilter(block_degrees=Interval(7, None)), []),
    ],
)
def test_applies_conditions(selection: SentenceFilter, expected: list[int]) -> None:
    assert numbers(selection) == expected


def test_reading_ends_when_nothing_further_can_match() -> None:
    def stream() -> object:
        yield from treebank()[:3]
        raise AssertionError("read on")

    assert [sentence.number for sentence in select(stream(), SentenceFilter(numbers=[Interval(2, 2)]))] == [2]  # type: ignore[arg-type]
    assert [sentence.number for sentence in select(stream(), SentenceFilter(sent_ids={"s2"}))] == [2]  # type: ignore[arg-type]


def test_refuses_sentences_that_do_not_exist() -> None:
    with pytest.raises(TreebankError, match=r"x.conllu: .*sentence 6-9; .*5 sentences"):
        numbers(SentenceFilter(numbers=[Interval(6, 9)]), names=["x.conllu"])
    with pytest.raises(TreebankError, match="sent_id 's9' among 5 sentences"):
        numbers(SentenceFilter(sent_ids={"s1", "s9"}))


def test_selects_only_sentences_that_differ() -> None:
    other = [list(heads) for heads in TREES]
    other[1] = [0, 1]
    selected = list(select(treebank(), SentenceFilter(), treebank(other)))
    assert [pair.number for pair in selected] == [2]
    assert selected[0].system is not None
    assert selected[0].system.heads.tolist() == [-1, 0, 1]
    with pytest.raises(TreebankError, match="one too many"):
        list(select(treebank(), SentenceFilter(), treebank([*TREES, [0]])))
