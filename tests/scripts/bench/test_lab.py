"""Shared parts of benchmarks: paths of treebanks, figures of other tools, accuracy."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.lab import NAMES, SAMPLE, attachment_scores, count_right, data, find_files, load_part, turboparser
from support.places import DATA
from wnparse.evaluation.evaluate import evaluate
from wnparse.parser.model import load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.sentence import parse_sentence


def test_finds_treebanks_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WNPARSE_TREEBANKS", raising=False)
    assert data(SAMPLE, "dev") == str(DATA / "dev.conllu")
    assert find_files("*/train.conllu") == [str(DATA / f"{part}.conllu") for part in ("dev", "test", "train")]
    with pytest.raises(SystemExit, match="WNPARSE_TREEBANKS"):
        data("tr-imst", "dev")
    (tmp_path / "tr-imst").mkdir()
    path = tmp_path / "tr-imst" / "train.conllu"
    path.write_bytes((DATA / "dev.conllu").read_bytes())
    monkeypatch.setenv("WNPARSE_TREEBANKS", str(tmp_path))
    assert data("tr-imst", "train") == str(path)
    assert find_files("*/train.conllu") == [str(path)]
    with pytest.raises(SystemExit, match=r"dev\.conllu: .*WNPARSE_TREEBANKS"):
        data("tr-imst", "dev")


def test_reads_figures_of_turboparser() -> None:
    assert turboparser("pt-bosque") == (86.95, 88.26, 85.67)
    assert [name for name in NAMES if turboparser(name) is None] == ["grc-agldt"]


def test_accuracy_equals_that_of_eval(model: str) -> None:
    gold = load_part(SAMPLE, "test", 20)
    parsed = list(Parser(load(model), ParseOptions(decoder="msa")).stream(gold, at_hand=lambda: True))
    scores = evaluate(gold, [parse_sentence(sentence.raw) for sentence in parsed], trials=1).systems[0].scores
    assert attachment_scores(gold, parsed) == pytest.approx((scores.uas, scores.las_subtypes))
    assert count_right(gold, parsed).shape == (20, 3)
