"""Treebank statistics: hand-counted figures, the paper's rule, and the paper's own choices."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import conllu
import pytest

from support.treebanks import FIVE_TREES, treebank_of
from wnparse.treebanks.reader import read
from wnparse.treebanks.stats import Choice, TreebankStats, stats


def test_agrees_with_counts_by_hand() -> None:
    treebank = stats(read(io.BytesIO(treebank_of(FIVE_TREES))), "five")
    assert treebank.cells == Counter({(1, True): 2, (2, True): 2, (2, False): 1})
    report = treebank.as_dict()
    assert (report["sentences"], report["words"]) == (5, 16)
    assert report["length"] == {"mean": 3.2, "median": 4, "max": 5}
    assert report["nonprojective_sentences"] == 60
    assert report["several_roots"] == 40
    # arcs 1 -> 4; 1 -> 3, 0 -> 2? no: only arcs over a word that their head does not dominate; 2 -> 4; 2 -> 5
    assert report["nonprojective_arcs"] == pytest.approx(100 * 4 / 16)
    assert report["structure"][0] == {"block_degree": "1", "well_nested": 40, "ill_nested": 0}
    assert report["structure"][1] == {"block_degree": "2", "well_nested": 40, "ill_nested": 20}
    assert report["structure"][4] == {"block_degree": ">4", "well_nested": 0, "ill_nested": 0}
    assert report["coverage"][1] == {"block_degree": 2, "well_nested": 80, "any": 100}
    assert report["gap_degree"] == {"mean": 0.6, "max": 1, "percent": {"0": 40, "1": 60}}
    assert report["edge_degree"]["max"] == 1


# Table 1 of the paper, percentages of (well-nested, ill-nested) for block degrees 1, 2, 3, 4, > 4, and the
# constraints that its section 7.1 chose. "< 0.01" counts as 0.
PAPER = {
    "English": ([(92.26, 0), (7.58, 0.12), (0.12, 0.01), (0, 0), (0, 0)], (2, True)),
    "German": ([(67.60, 0), (27.12, 0.79), (3.86, 0.30), (0.19, 0), (0.11, 0)], (3, False)),
    "Dutch": ([(69.13, 0), (28.50, 0.08), (2.24, 0.01), (0.04, 0), (0, 0)], (3, True)),
    "Spanish": ([(93.95, 0), (5.99, 0.04), (0.02, 0), (0, 0), (0, 0)], (2, True)),
    "Portuguese": ([(81.56, 0.05), (13.92, 0.02), (3.76, 0), (0.54, 0), (0.14, 0)], (3, True)),
}


@pytest.mark.parametrize("language", PAPER)
def test_chooses_the_constraints_of_the_paper(language: str) -> None:
    rows, (block_degree, well_nested) = PAPER[language]
    stats = TreebankStats(language)
    for degree, row in enumerate(rows, 1):
        for nested, share in zip((True, False), row, strict=True):
            if share:
                stats.cells[degree, nested] = round(100 * share)
    stats.lengths[1] = stats.cells.total()
    choice = stats.choose()
    assert choice is not None
    assert (choice.block_degree, choice.well_nested) == (block_degree, well_nested)


def cells(**counts: int) -> TreebankStats:
    stats = TreebankStats()
    for name, count in counts.items():
        stats.cells[int(name[1:]), name[0] == "w"] = count
    stats.lengths[1] = stats.cells.total()
    return stats


def test_chooses_the_first_constraint_with_enough_coverage() -> None:
    assert cells(w1=99, w2=1).choose() == Choice(1, True, 99.0)
    assert cells(w1=98, w7=2).choose() == Choice(7, True, 100.0)
    assert cells(w1=97, i2=1, i9=2).choose() == Choice(9, False, 100.0)
    assert cells(w1=97, i2=2, i9=1).choose() == Choice(2, False, 99.0)
    assert cells(w1=50, w2=50).choose(50) == Choice(1, True, 50.0)
    assert cells(w1=50, i2=50).choose(100) == Choice(2, False, 100.0)
    assert TreebankStats().choose() is None
    assert len(cells(w1=98, w7=2).as_dict()["coverage"]) == 7


def test_merging_equals_one_pass() -> None:
    parts = [stats(read(io.BytesIO(treebank_of(trees))), examples=2) for trees in (FIVE_TREES[:2], FIVE_TREES[2:])]
    total = TreebankStats("all")
    for part in parts:
        total.merge(part, 2)
    whole = stats(read(io.BytesIO(treebank_of(FIVE_TREES))), "all", 2)
    assert total.as_dict() == whole.as_dict()
    assert list(total.examples) == list(whole.examples)


def test_measures_sentences_of_the_conllu_library() -> None:
    treebank = stats(conllu.parse_incr(io.StringIO(treebank_of(FIVE_TREES).decode())))
    assert treebank.sentences == 5


# README of the treebanks: well-nested with block degree 1, 2, 3, 4, > 4, ill-nested, several roots, in percent.
KNOWN = {
    "pt-bosque": (91.16, 8.15, 0.58, 0, 0, 0.11, 0),
    "nl-alpino-cdb": (52.35, 41.12, 6.17, 0.22, 0, 0.14, 0),
    "grc-agldt": (28.19, 56.5, 10.65, 1.21, 0.34, 3.10, 1.49),
    "en-ewt": (97.92, 2.07, 0.01, 0, 0, 0, 0),
    "eu-bdt": (66.26, 27.87, 3.86, 0.41, 0.02, 1.58, 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_measures_real_treebanks(name: str, treebanks: Path) -> None:
    total = TreebankStats()
    for part in ("train", "dev", "test"):
        total.merge(stats(read(treebanks / name / f"{part}.conllu", heads="required")))
    report = total.as_dict()
    rows = report["structure"]
    values = [row["well_nested"] for row in rows] + [
        sum(row["ill_nested"] for row in rows),
        report["several_roots"],
    ]
    assert values == pytest.approx(KNOWN[name], abs=0.006)
