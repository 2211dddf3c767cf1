"""Models: saved, loaded, parsed with, refused; weights of a few bits."""

from __future__ import annotations

from pathlib import Path

import conllu
import numpy as np
import pytest

import wnparse
from support.decoding_cases import tight_limits
from support.models import trained
from support.treebanks import sentences
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import DECODERS
from wnparse.errors import ModelError
from wnparse.parser.model import load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.storage.quantise import quantise
from wnparse.treebanks.sentence import Sentence


def test_parses_after_saving_and_loading(sample: list[Sentence], tmp_path: Path) -> None:
    model = trained(sample[:100])
    model.save(str(tmp_path / "m.wnp"))
    loaded = wnparse.load(str(tmp_path / "m.wnp"))
    parsed = [s.raw for s in model.parse(sample[100:])]
    assert parsed == [s.raw for s in loaded.parse(sample[100:])]
    assert loaded.labels == model.labels
    assert loaded.constraints == model.constraints
    tokens = list(loaded.parse(conllu.parse(sample[100].raw.decode())))
    assert isinstance(tokens[0], conllu.TokenList)
    for raw in parsed:
        (sentence,) = sentences(raw.decode())
        structure = wnparse.structure(sentence.heads)
        assert structure.roots == 1
        assert structure.block_degree <= (model.constraints.block_degree or 99)
        roots = [label for h, label in zip(sentence.heads[1:], sentence.column("deprel"), strict=True) if h == 0]
        assert roots == ["root"]
        assert sentence.column("deprel").count("root") == 1


def test_refuses_bad_models(sample: list[Sentence], tmp_path: Path) -> None:
    path = tmp_path / "m.wnp"
    trained(sample[:10]).save(str(path))
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    header = bytearray(whole)
    header[20] ^= 1
    cases = [b"", whole[:10], whole[:-1], whole + b"x", bytes(damaged), bytes(header), b"\xff" * 100, bytes(500)]
    for data in [*cases, whole[: len(whole) // 3]]:
        path.write_bytes(data)
        with pytest.raises(ModelError) as caught:
            load(str(path))
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("decoder", DECODERS)
def test_every_decoder_enforces_its_constraints(sample: list[Sentence], decoder: str) -> None:
    model = trained(sample[:40], labelled=False)
    limits = Constraints(**tight_limits(decoder))
    parser = Parser(model, ParseOptions(decoder=decoder, constraints=limits))
    for sentence in sample[40:80]:
        tree = parser.parse([sentence])[0].parse
        assert tree is not None
        structure = wnparse.structure(tree.heads)
        assert structure.roots == 1
        assert not DECODERS[decoder].structural or (structure.block_degree <= 2 and structure.well_nested)


def test_parses_sentences_of_any_length(sample: list[Sentence]) -> None:
    model = trained(sample[:40])
    rows = [f"{i}\tw{i % 50}\t_\t{'NOUN' if i % 3 else 'VERB'}\t_\t_\t_\t_\t_\t_" for i in range(1, 1001)]
    for size in (1, 2, 1000):
        (sentence,) = sentences("\n".join(rows[:size]) + "\n\n")
        parsed = Parser(model, ParseOptions(constraints=model.constraints)).parse([sentence])[0]
        assert parsed.parse is not None
        (again,) = sentences(parsed.raw.decode())
        assert again.annotated


def test_quantised_weights_are_close() -> None:
    keys = np.arange(1, 1001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    weights = np.linspace(-50, 50, 1000)
    tables, scale = quantise((keys, weights))
    stored = np.sort(tables["slots"].view(np.int32) >> 16)
    stored = stored[stored != 0] * scale
    assert len(stored) >= 960  # a full bucket loses its least
    lost = np.setdiff1d(np.rint(weights / scale), np.rint(stored / scale)) * scale
    assert len(lost) == 1000 - len(stored)
    assert np.abs(lost).sum() <= 25 * len(lost)
    assert np.abs(stored[:, None] - weights[None, :]).min(axis=1).max() <= scale


def test_small_weights_are_left_out() -> None:
    keys = np.arange(1, 101, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    weights = np.linspace(0.05, 5, 100)
    rows = (keys, np.arange(101), np.zeros(100, np.int32), weights)
    tables, scale = quantise((keys, weights), rows, 1, least=1.0)
    for name in ("slots", "places"):
        stored = tables[name].view(np.int32) >> 16
        assert stored[stored != 0].min() * scale >= 1.0 - scale
    assert np.count_nonzero(tables["places"]) == (weights >= 1).sum()
