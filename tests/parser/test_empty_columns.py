"""Columns that a model uses and the sentences lack are told from Python too, once a call."""

from __future__ import annotations

import warnings

import pytest

import wnparse
from support.treebanks import blanked, sentences
from wnparse.encode import FEW, Columns, watch_columns

XPOS, FEATS = 4, 5


@pytest.mark.parametrize("kind", ["list", "stream", "tokens"])
@pytest.mark.parametrize("options", [{}, {"k": 2}, {"jobs": 2}])
def test_one_warning_a_call(model: str, raw: bytes, kind: str, options: dict[str, int]) -> None:
    parser = wnparse.load(model)
    lacking = list(sentences(blanked(raw, XPOS, FEATS)))
    given = {
        "list": lambda: lacking,
        "stream": lambda: iter(lacking),
        "tokens": lambda: [sentence.to_tokenlist() for sentence in lacking],
    }[kind]
    for _ in range(2):
        with pytest.warns(UserWarning, match="used by the model: XPOS FEATS; trees may be worse$") as told:
            assert len(list(parser.parse(given(), **options))) == len(lacking)  # type: ignore[call-overload]
        assert len(told) == 1


def test_no_warning_without_need(model: str, raw: bytes) -> None:
    parser = wnparse.load(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(parser.parse(sentences(raw)))
        assert list(parser.parse([])) == []
        # Few words may well have no FEATS; no tagger leaves XPOS out.
        few = sentences(blanked(raw, FEATS))[:1]
        assert len(few[0]) < FEW
        assert list(parser.parse(few))


def test_inputs_are_told_apart_by_their_paths(raw: bytes) -> None:
    told: list[str] = []
    with_tags, without = sentences(raw), sentences(blanked(raw, XPOS))
    for sentence in without:
        sentence.path = "second"
    columns = Columns(lemma=True, xpos=True, feats=False)
    assert len(list(watch_columns([*with_tags, *without], columns, told.append))) == len(with_tags) * 2
    assert len(told) == 1
    assert told[0].startswith("second: empty in the first ")
    told.clear()
    assert list(watch_columns([*with_tags, *without], columns, told.append, "all"))
    assert not told
