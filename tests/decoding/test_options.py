"""One list of options each for decoding, parsing and training: what type checkers see is what dataclasses have."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest

import wnparse
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeKeywords, DecodeOptions, decode_options
from wnparse.parser.options import ParseKeywords, ParseOptions
from wnparse.training.options import TrainKeywords, TrainOptions

SHAPE = {field.name for field in dataclasses.fields(Constraints)}


def names(options: type) -> set[str]:
    return {field.name for field in dataclasses.fields(options)}


def test_keywords_are_the_fields() -> None:
    assert set(DecodeKeywords.__annotations__) | {"decoder"} == names(DecodeOptions) | SHAPE
    left_out = {"constraints", "variant", "k"}  # `k` changes the type of the result
    assert set(ParseKeywords.__annotations__) == names(ParseOptions) - left_out | SHAPE
    assert set(TrainKeywords.__annotations__) == names(TrainOptions)


@pytest.mark.parametrize("function", [wnparse.decode, wnparse.decode_batch, wnparse.Model.parse, wnparse.train])
def test_help_shows_the_keywords(function: object) -> None:
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    assert "options" not in parameters
    name = "epochs" if function is wnparse.train else "max_nodes"
    default = TrainOptions.epochs if function is wnparse.train else DecodeOptions.max_nodes
    assert parameters[name].default == default
    assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


def test_an_unknown_keyword_lists_the_known_ones() -> None:
    with pytest.raises(TypeError, match=r"option blocks; .*constraints, block_degree"):
        wnparse.decode(np.zeros((3, 3)), blocks=2)  # type: ignore[call-overload]


def test_settings_are_made_once() -> None:
    first = decode_options("bnb", {"block_degree": 2})
    assert decode_options("bnb", {"block_degree": 2}) is first
    assert first.settings is first.settings
    assert decode_options("bnb", {"block_degree": 1}) != first
