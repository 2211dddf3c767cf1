"""The loop of Riedel & Clarke 2006 against branch-and-bound, and the tables that it fills."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wnparse
from support.places import DATA
from support.treebanks import sentences
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.rules.compile import compile_rules
from wnparse.rules.violations import RuleCounter

pytest.importorskip("highspy", reason="the loop needs highspy (the extra ilp)")
from reproduction.findings import RIEDEL, Findings
from reproduction.laboratory import Laboratory, RunOptions
from reproduction.report import riedel_tables
from reproduction.report.document import make_sections
from reproduction.riedel2006 import cross_validation
from reproduction.riedel2006.incremental_ilp import solve_incrementally
from reproduction.riedel2006.ruled_decoding import (
    Clock,
    Held,
    Tree,
    decode_freely,
    decode_ruled,
    narrowed,
    score_labels,
)
from reproduction.store import Store
from reproduction.treebanks import Treebank

LABELS = ["su", "det", "cnj", "mod"]
WORDS = [("de", "lid"), ("man", "n"), (",", "let"), ("vrouw", "n"), ("en", "vg"), ("loopt", "ww"), ("snel", "adj")]
DUTCH = "".join(
    f"{place}\t{form}\t{form}\t{tag}\t{'VG(neven)' if tag == 'vg' else tag.upper()}\t_\t0\tsu\t_\t_\n"
    for place, (form, tag) in enumerate(WORDS, 1)
)
THREE = "".join(f"{place}\t{form}\t{form}\tn\tN\t_\t0\tsu\t_\t_\n" for place, form in enumerate("abc", 1))
ROOTED = Constraints(single_root=True)


def problem(text: str, scores: Any) -> Held:
    """A sentence under the rules of the paper."""
    (sentence,) = sentences(text + "\n")
    scores = np.array(scores)
    nodes = np.arange(len(scores))
    scores[0] = scores[nodes, nodes] = -np.inf
    program = compile_rules(wnparse.Rules.load("riedel-clarke-2006"), LABELS)
    return Held(sentence, scores, program, ROOTED)


def both(held: Held, patience: float = 120.0) -> tuple[Tree, Tree]:
    """Return the answers of the loop and of branch-and-bound."""
    clock = Clock(lambda problem: solve_incrementally(problem, patience))
    loop = decode_ruled(held, held.scores, clock.settings(held.constraints), clock)
    return loop, decode_ruled(
        held, held.scores, DecodeOptions(decoder="bnb", constraints=held.constraints).settings
    )


def check(held: Held, loop: Tree, other: Tree, names: list[str]) -> None:
    """The loop's tree is valid, keeps all rules, has its own score, and no worse one than the other."""
    assert loop.proved and other.proved
    assert loop.found == other.found
    if not loop.found:
        return
    words = np.arange(1, len(loop.heads))
    assert held.constraints.allow(loop.heads)
    assert loop.score == pytest.approx(held.scores[words, loop.heads[1:], loop.labels[1:]].sum(), abs=1e-6)
    assert loop.score == pytest.approx(other.score, abs=1e-6)
    parsed = held.sentence.with_tree(loop.heads, ["", *(names[label] for label in loop.labels[1:])])
    assert not any(result.violations for result in RuleCounter(held.program.rules).look(parsed))


def test_both_systems_agree_on_random_scores() -> None:
    rng = np.random.default_rng(4)
    rounds = []
    for _ in range(25):
        held = problem(DUTCH, rng.normal(size=(len(WORDS) + 1, len(WORDS) + 1, len(LABELS))))
        loop, other = both(held)
        check(held, loop, other, LABELS)
        assert loop.rounds is not None
        assert (loop.rounds.count == 1) == (loop.rounds.rows == 0)
        assert loop.seconds >= sum(loop.rounds.seconds) > 0
        rounds.append(loop.rounds.count)
    assert max(rounds) > 3


def test_counting_rules_are_in_the_first_round() -> None:
    scores = np.zeros((4, 4, len(LABELS)))
    scores[1:3, 3] = scores[3, 0] = 8.0
    scores[1, 3, LABELS.index("su")] = 9.5
    scores[2, 3, LABELS.index("su")] = 9.0
    held = problem(THREE, scores)
    loop, other = both(held)
    check(held, loop, other, LABELS)
    assert loop.rounds is not None
    assert loop.rounds.count == 1
    assert (loop.heads.tolist(), loop.score) == ([-1, 3, 3, 0], pytest.approx(25.5))


def test_a_cycle_needs_a_second_round() -> None:
    scores = np.zeros((4, 4, len(LABELS)))
    scores[:, :, LABELS.index("mod")] = 1.0
    scores[1, 2] = scores[2, 1] = scores[3, 0] = 9.0
    held = problem(THREE, scores)
    loop, other = both(held)
    check(held, loop, other, LABELS)
    assert loop.rounds is not None
    assert loop.rounds.count >= 2
    assert loop.heads.tolist() in ([-1, 2, 3, 0], [-1, 3, 1, 0])


def test_handles_infeasible_rules_and_no_time() -> None:
    alone = problem("1\tzowel\tzowel\tvg\tVG(neven)\t_\t0\tsu\t_\t_\n", np.zeros((2, 2, len(LABELS))))
    loop, other = both(alone)
    assert not loop.found
    assert not other.found
    assert cross_validation.differs(loop, other) is False
    rng = np.random.default_rng(5)
    held = problem(DUTCH, rng.normal(size=(len(WORDS) + 1, len(WORDS) + 1, len(LABELS))))
    hasty, other = both(held, patience=0.0)
    assert hasty.rounds is not None
    assert hasty.rounds.limited
    assert not hasty.found
    assert cross_validation.differs(hasty, other) is None


def test_detects_different_scores() -> None:
    heads = np.array([-1, 0], np.int32)
    trees = [Tree(heads, heads, score, 0.0, True) for score in (5.0, 5.0 + 1e-8, 5.1, -math.inf)]
    assert [cross_validation.differs(trees[0], tree) for tree in trees] == [False, False, True, True]


def test_keeps_the_q_best_of_each_word() -> None:
    rng = np.random.default_rng(6)
    scores = rng.normal(size=(5, 5, 3))
    scores[0] = scores[np.arange(5), np.arange(5)] = -np.inf
    few = narrowed(scores, 4)
    for m in range(1, 5):
        assert sorted(few[m][np.isfinite(few[m])]) == sorted(scores[m].ravel())[-4:]
    assert (narrowed(scores, 100) == scores).all()


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """Short sentences of the sample under a Dutch name."""
    folder = tmp_path_factory.mktemp("treebanks") / "nl-tiny"
    folder.mkdir()
    texts = (DATA / "dev.conllu").read_text().strip().split("\n\n")
    short = [text for text in texts if 5 <= text.count("\n") <= 12][:40]
    (folder / "train.conllu").write_text("\n\n".join(short) + "\n\n")
    options = RunOptions(epochs=2, incremental_folds=2, incremental_step=2)
    return Laboratory(Treebank("nl-tiny", folder), options, Store(tmp_path_factory.mktemp("report")))


@pytest.fixture(scope="module")
def result(laboratory: Laboratory) -> dict[str, Any]:
    return cross_validation.incremental_step(laboratory)


def test_scores_of_labels_equal_those_of_the_parser(laboratory: Laboratory, result: dict[str, Any]) -> None:
    assert (result["sentences"], result["all_sentences"]) == (20, 40)
    model = wnparse.load(str(next((laboratory.store.folder / "models" / "mira").glob("*.wnp"))))
    sentence = laboratory.treebank.sentences("train")[0]
    scores = score_labels(model, sentence)
    free = Constraints(single_root=model.constraints.single_root)
    rules, _ = cross_validation.rules_of([sentence])
    tree = decode_freely(Held(sentence, scores, compile_rules(rules, model.labels), free))
    parsed = Parser(model, ParseOptions(decoder="msa", constraints=free, prune=False)).parse([sentence])[0].parse
    assert parsed is not None
    assert parsed.labels is not None
    assert tree.heads.tolist() == parsed.heads.tolist()
    assert [model.labels[label] for label in tree.labels[1:]] == parsed.labels[1:]


def test_all_systems_find_the_same_scores(result: dict[str, Any]) -> None:
    for name in cross_validation.COMPARED:
        row = result["systems"][name]
        assert (row["compared"], row["different"]) == (20, 0)
    assert result["systems"]["loop"]["without_tree"] == result["systems"]["bnb"]["without_tree"]
    assert sum(row["sentences"] for row in result["bins"]) == 20
    assert all(1 <= row["rounds"] <= result["most_rounds"] for row in result["bins"])
    assert all(0 < row["first"] <= row["seconds"]["loop"] for row in result["bins"])


def test_accuracy_is_counted() -> None:
    (sentence,) = sentences(
        DUTCH.replace("\t0\tsu", "\t6\tmod").replace("6\tmod\t_\t_\n7", "0\tsu\t_\t_\n7") + "\n"
    )
    held = Held(sentence, np.zeros((8, 8, 4)), None, ROOTED)  # type: ignore[arg-type]
    gold = np.array([-1, *([LABELS.index("mod")] * 7)], np.int32)
    gold[6] = LABELS.index("su")
    wrong = gold.copy()
    wrong[1] = LABELS.index("su")
    right = Tree(sentence.heads, gold, 1.0, 2.0, True)
    none = Tree(np.full(8, -1, np.int32), gold, -math.inf, 3.0, True)
    trees = {"bl": right, **dict.fromkeys(("loop", "ilp", "bnb"), Tree(sentence.heads, wrong, 1.0, 1.0, True))}
    trees |= {f"{name} {q}": none for name in ("loop", "bnb") for q in cross_validation.NARROW}
    records = [cross_validation.judge(held, trees, LABELS)] * 2
    accuracy = cross_validation.accuracy(records, "loop")
    assert (accuracy["las"], accuracy["uas"]) == (pytest.approx(600 / 7), 100)
    assert (accuracy["complete_labelled"], accuracy["complete"], accuracy["seconds"]) == (0, 100, 2.0)
    missing = cross_validation.accuracy(records, "loop 5")  # replaced by the tree without rules
    assert (missing["las"], missing["without_tree"]) == (100, 2)


def test_the_report_has_the_tables(result: dict[str, Any]) -> None:
    findings = Findings(["nl-tiny", "x"], {}, "machine")
    assert not make_sections(findings)
    findings.add("incremental", "nl-tiny", result)
    tables = [table for _, table in make_sections(findings)]
    assert [table.title.split(":")[0] for table in tables] == [
        f"Table {place} of Riedel & Clarke 2006" for place in (1, 2, 3)
    ]
    accuracy, lengths, narrow = ({row[0].strip(): row[1:] for row in table.rows} for table in tables)
    assert accuracy["incremental ILP"][0] == accuracy["B&B"][0] == f"{result['systems']['bnb']['las']:.2f}"
    assert accuracy["B&B, all 40 sentences"][0] == f"{result['all_systems']['bnb']['las']:.2f}"
    assert accuracy["incremental ILP"][-1] == "0 of 20"
    assert accuracy["with constraints, paper: Dutch, CoNLL-X Alpino (other data)"][:2] == ["85.1", "89.4"]
    assert lengths["incremental ILP, ms, paper"] == ["5.6", "52", "460", "1,500", "7,200", "33,000"]
    assert lengths["rounds, paper"][-1] == "15.17"
    assert lengths["sentences"][0].isdigit() and lengths["sentences"][-1] == "–"
    assert narrow["s of all sentences, paper"] == ["351", "760", "3,640", "20"]
    findings.add("incremental", "x", result)
    rows = riedel_tables.accuracy_table(findings).rows
    assert sum("paper" in row[0] for row in rows) == 2  # of the Dutch treebank alone


def test_skips_treebanks_for_a_reason(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Laboratory(Treebank("tr-imst", Path()), RunOptions(), laboratory.store)
    assert cross_validation.reason_to_skip(laboratory, 10**6) == ""
    assert "--incremental-words 1" in cross_validation.reason_to_skip(other, 2)
    assert cross_validation.reason_to_skip(other, 1) == ""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cross_validation.reason_to_skip(laboratory, 1) == "highspy is not installed"


def test_figures_of_the_paper_are_complete() -> None:
    assert sum(RIEDEL["table2"]["sentences"]) == 12_015
    for key in ("cle", "cnstr", "limited", "rounds", "first"):
        assert len(RIEDEL["table2"][key]) == len(RIEDEL["table2"]["columns"])
