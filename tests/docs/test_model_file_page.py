"""docs/reference/model-file.md lists every key of the header and every array of a model file."""

from __future__ import annotations

import re

import numpy as np

from support.places import ROOT
from wnparse.neural import network
from wnparse.parser import first_pass, pruner
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.model_file import ARC_ARRAYS, CANDIDATE_ARRAYS, FORMAT, LABEL_ARRAYS, MODEL, PARSER
from wnparse.parser.neural_scorer import HEADER as NEURAL_HEADER
from wnparse.tagger import tagger
from wnparse.tagger.tagger import HEADER
from wnparse.tokenizer import tokenizer

PAGE = (ROOT / "docs" / "reference/model-file.md").read_text(encoding="utf-8")
ARRAYS = {
    **{f"arcs/{name}": dtype for name, dtype in ARC_ARRAYS.items()},
    **{f"labels/{name}": dtype for name, dtype in LABEL_ARRAYS.items()},
    **{f"label_candidates/{name}": dtype for name, dtype in CANDIDATE_ARRAYS.items()},
    **{f"{network.PREFIX}{name}": dtype for name, dtype in network.EMBEDDINGS.items()},
    **{
        f"{part.PREFIX}{name}": dtype
        for part in (first_pass, pruner, tokenizer, tagger)
        for name, dtype in part.ARRAYS.items()
    },
}


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table behind a text."""
    table = re.search(r"(?:^\|.*\n)+", PAGE[PAGE.index(heading) :], re.M)
    assert table is not None
    return [line.strip("|").split("|") for line in table[0].splitlines()[2:]]


def keys(heading: str) -> list[str]:
    return [row[0].strip(" `") for row in rows(heading)]


def test_documents_the_keys_of_the_header() -> None:
    assert keys("## The header") == ["format", "parser", *(key.name for key in MODEL)]
    assert keys("The keys of `parser`") == [key.name for key in PARSER]
    assert keys("The keys of `tokenizer`") == list(tokenizer.HEADER)
    assert keys("The keys of `tagger`") == list(HEADER)
    assert keys("The keys of `neural`") == list(NEURAL_HEADER)
    assert f"`format` is {FORMAT}" in PAGE


def test_documents_the_keys_of_limits() -> None:
    limits = FirstPass(*[np.zeros(0)] * 3, 1, 1, 1.0).limits()  # type: ignore[arg-type]
    (row,) = (row for row in rows("The keys of `parser`") if "`first_pass`" in row[0])
    assert all(f"`{name}`" in row[1] for name in limits)


def test_documents_all_arrays() -> None:
    listed = {}
    for row in rows("## The arrays"):
        for name in re.findall(r"`([^`]*)`", row[0]):
            listed[name] = row[1].strip()
    assert list(listed) and listed.keys() == ARRAYS.keys()
    assert all(np.dtype(ARRAYS[name]) == np.dtype(dtype) for name, dtype in listed.items() if dtype)
