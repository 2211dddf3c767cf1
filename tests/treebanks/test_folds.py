"""Folds: every sentence in one of them, documents whole, as before where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from support.places import DATA
from wnparse.errors import TreebankError
from wnparse.treebanks.folds import document_lengths, split_folds
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence, parse_sentence

WORD = "1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n"


def sentences(*comments: str, path: str = "a") -> list[Sentence]:
    return [parse_sentence(f"{comment}{WORD}".encode(), path=path) for comment in comments]


def test_the_sample_is_cut_between_documents() -> None:
    sample = list(read(DATA / "train.conllu"))
    fold_of = split_folds(sample, 10)
    assert np.bincount(fold_of).tolist() == [200] * 10
    begins = [any(c.startswith("# newdoc") for c in sentence.comments) for sentence in sample]
    assert sum(begins) == 80
    for i in range(1, len(sample)):
        assert begins[i] or fold_of[i] == fold_of[i - 1]


def test_sentences_without_documents_go_one_by_one() -> None:
    assert split_folds(sentences(*[""] * 11), 4).tolist() == [i % 4 for i in range(11)]


def test_documents_end_with_their_file() -> None:
    first = sentences("# newdoc id = x\n", "", "# newdocument\n", "#newdoc\n", "", path="first")
    second = sentences("", "", "# newdoc_id = y\n", "", path="second")
    assert document_lengths(first + second) == [3, 2, 1, 1, 2]


def test_the_longest_documents_are_dealt_first() -> None:
    units = ["# newdoc\n", "", "# newdoc\n", "", "", "", "# newdoc\n", "", "# newdoc\n", ""]
    assert split_folds(sentences(*units), 2).tolist() == [1, 1, 0, 0, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("units", [["# newdoc\n", *[""] * 10], ["# newdoc\n", *[""] * 8, *["# newdoc\n"] * 2]])
def test_too_few_or_too_long_documents_are_cut(units: list[str]) -> None:
    assert split_folds(sentences(*units), 3).tolist() == [i % 3 for i in range(11)]


def test_too_few_sentences_are_refused() -> None:
    with pytest.raises(TreebankError, match=r"3 sentences .* 4 folds"):
        split_folds(sentences("", "", ""), 4)
