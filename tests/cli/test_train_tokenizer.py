"""``wnparse train`` learns a tokenizer, alone or with tagger and parser; ``wnparse info`` describes it."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.treebanks import blanked, first_sentences
from wnparse.training.train import NO_TOKENIZER

TEXT = "She isn't here. The dog barks!"


def without_spacing(treebank: bytes) -> bytes:
    """A treebank that does not say which tokens have no space between them."""
    return re.sub(rb"(?m)^# text.*\n", b"", treebank).replace(b"SpaceAfter=No", b"_")


def test_trains_a_tokenizer_alone(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(blanked(first_sentences("dev", 60), 3, 6, 7))
    done = wnparse_inside("train", "t", "-o", "m.wnp", "--only", "tokenizer")
    assert done.returncode == 0, done.stderr
    assert b"m.wnp: tokenizer, 0." in done.stderr
    model = wnparse.load("m.wnp")
    assert model.tokenizer is not None and model.tagger is None and model.only_tags
    assert repr(model).endswith(": a tokenizer>")
    assert [len(sentence) for sentence in model.tokenizer.split(TEXT)]
    copied = pickle.loads(pickle.dumps(replace(model, info={})))
    assert copied.tokenizer.split(TEXT) == model.tokenizer.split(TEXT)
    for command, message in (("tag", b"has no tagger"), ("parse", b"only splits text")):
        refused = wnparse_inside(command, "-m", "m.wnp", "t")
        assert refused.returncode == 2 and message in refused.stderr
    with pytest.raises(ValueError, match="only splits text"):
        next(model.parse(wnparse.read("t")))
    assert b"tokenizer    " in wnparse_inside("info", "m.wnp").stdout
    described = json.loads(wnparse_inside("info", "m.wnp", "--json").stdout)
    assert described["tokenizer"]["known_words"] > 10 and described["tagger"] is None


@pytest.mark.parametrize("option", ["--checkpoint", "--log"])
def test_a_tokenizer_alone_has_no_checkpoints(option: str, wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 20))
    done = wnparse_inside("train", "t", "-o", "m.wnp", "--only", "tokenizer", option, "there")
    assert done.returncode == 2 and b"--only tokenizer does not use" in done.stderr


def test_a_treebank_without_spacing_gets_no_tokenizer(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(without_spacing(first_sentences("dev", 30)))
    done = wnparse_inside("train", "t", "-o", "m.wnp", "--epochs", "1", "--order", "1")
    assert done.returncode == 0 and done.stderr.decode().count(NO_TOKENIZER) == 1
    assert wnparse.load("m.wnp").tokenizer is None
    assert b'"tokenizer"' not in (tmp_path / "m.wnp").read_bytes()[:4000]
    refused = wnparse_inside("train", "t", "-o", "m.wnp", "--only", "tokenizer")
    assert refused.returncode == 1 and b"expected a treebank with SpaceAfter=No" in refused.stderr


def test_a_resumed_run_has_the_same_tokenizer(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 30))
    options = ["train", "t", "--order", "1", "--epochs"]
    assert wnparse_inside(*options, "2", "-o", "whole.wnp").returncode == 0
    assert wnparse_inside(*options, "1", "-o", "part.wnp", "--checkpoint", "run").returncode == 0
    assert wnparse_inside(*options, "2", "-o", "m.wnp", "--checkpoint", "run", "--resume").returncode == 0
    assert (tmp_path / "whole.wnp").read_bytes() == (tmp_path / "m.wnp").read_bytes()
    whole, alone = wnparse.load("whole.wnp").tokenizer, wnparse.train("t", only="tokenizer").tokenizer
    assert whole is not None and alone is not None
    assert all(np.array_equal(whole.arrays[name], alone.arrays[name]) for name in whole.arrays)
