"""Table 2 of Koo et al.: programs and searches solve the same problems."""

from __future__ import annotations

import numpy as np
import pytest

import wnparse
from reproduction.koo2010 import relaxations
from reproduction.martins2009.ilp import Formulation
from support.concise_oracles import all_trees
from wnparse.decoding.registry import DECODERS


def test_both_formulations_get_the_same_random_problem() -> None:
    rng = np.random.default_rng(6)
    for grandparents in (False, True):
        parts = relaxations.random_parts(rng, 4, grandparents)
        # Each step of each tree scores, but for sides without children.
        known = {
            kind: {tuple(row[:3]) for row in getattr(parts, kind)[0].tolist()}
            for kind in ("siblings", "grandparents")
        }
        for _, heads in all_trees(4):
            steps = heads["next_siblings"] | {(h, h, m) for h, m in heads["first_children"]}
            steps |= {(h, m, h) for h, m in heads["last_children"]}
            assert steps <= known["siblings"]
            assert heads["grandparents"] <= known["grandparents"] or not grandparents
        with relaxations.catching() as catcher:
            best = wnparse.decode(rng.normal(size=(5, 5)), "caught", parts=parts)
            assert catcher.problem is not None
            found_value = Formulation(relaxations.problem_scores(catcher.problem), "multi").solve(whole=True)
        assert best.certified
        assert found_value
        assert found_value.value == pytest.approx(best.score)
    assert "caught" not in DECODERS


def test_solves_random_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaxations, "RANDOM_WORDS", 4)
    monkeypatch.setattr(relaxations, "RANDOM_WHOLE", 2)
    for grandparents in (False, True):
        document = relaxations.compare_random(3, grandparents)
        assert document["different"] == 0
        rows = {name: row["proved"] for name, row in document["rows"].items()}
        assert rows["ILP"] == rows["B&B"] == rows["ilp"] == 100
        assert rows["LP(S)"] <= rows["LP(M)"] <= 100
        assert not any(row["refuted"] for row in document["rows"].values())


def test_detects_wrong_certificates() -> None:
    tallies = {name: relaxations.Tally() for name in ("ilp", "B&B", "DD-250")}
    # A better tree refutes a certificate, proved or not; a tree without a certificate claims nothing.
    assert relaxations.refute({"ilp": (2.0, False), "B&B": (1.0, True), "DD-250": (1.0, False)}, tallies) == 1
    assert relaxations.refute({"ilp": (1e6 + 0.5, True), "B&B": (1e6, True)}, tallies) == 0
    assert {name: tally.refuted for name, tally in tallies.items()} == {"ilp": 0, "B&B": 1, "DD-250": 0}
