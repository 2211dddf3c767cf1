"""Confidence: HeadProb against enumeration, MISC, calibration against slow references, models, options."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wnparse
from bench.confidence import calibration_error, reliability
from support import marginal_oracles as oracle
from support.commands import Run
from support.decoding_cases import PROMISES
from support.places import DATA
from support.treebanks import columns, sentences, words
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import DECODERS
from wnparse.parser.confidence import Calibration, arc_probabilities
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.tokens import encode
from wnparse.training.calibration import confidences, decide, learn_calibration, log_loss, minimise
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.annotations import with_confidence
from wnparse.treebanks.sentence import Sentence

TINY = b"1\tPosara\tposara\tNOUN\tNNn\t_\t_\t_\t_\t_\n2\treipolavet\treipolir\tVERB\tVP\t_\t_\t_\t_\tA=b\n"
MISCS = ["SpaceAfter=No", "_", "Abc=1|HeadProb=0.10|Xyz", "HeadProb=7", "z=1|a=2|SpaceAfter=No"]


def held_out() -> list[Sentence]:
    return list(wnparse.read(DATA / "test.conllu"))


@pytest.fixture(scope="module")
def sure(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A calibrated model of 300 sentences."""
    options = TrainOptions(epochs=2, order=1)
    trainer = Trainer(list(wnparse.read(DATA / "dev.conllu")), held_out()[:150], options)
    while trainer.epoch < 2:
        trainer.run_epoch()
    path = str(tmp_path_factory.mktemp("sure") / "m.wnp")
    model = trainer.finish()
    assert model is not None
    model.save(path)
    return path


def head_probabilities(data: bytes) -> list[float]:
    """HeadProb of all words."""
    items = [[item for item in row[9].split(b"|") if item.startswith(b"HeadProb=")] for row in words(data)]
    assert all(len(matches) == 1 for matches in items)
    return [float(matches[0][9:]) for matches in items]


@pytest.mark.parametrize(
    "misc, expected",
    [
        ("_", "HeadProb=0.97"),
        ("SpaceAfter=No", "HeadProb=0.97|SpaceAfter=No"),
        ("Gloss=x", "Gloss=x|HeadProb=0.97"),
        ("Gloss=x|SpaceAfter=No", "Gloss=x|HeadProb=0.97|SpaceAfter=No"),
        ("gloss=x|lemma=y", "gloss=x|HeadProb=0.97|lemma=y"),
        ("HeadProb=0.12", "HeadProb=0.97"),
        ("A=1|HeadProb=0.12|HeadProb=1|B", "A=1|B|HeadProb=0.97"),
        ("HeadProbability=1", "HeadProb=0.97|HeadProbability=1"),
    ],
)
def test_adds_confidence_to_misc(misc: str, expected: str) -> None:
    assert with_confidence(misc, 0.9749) == expected
    assert with_confidence(expected, 0.9749) == expected


@given(st.lists(st.sampled_from(["SpaceAfter=No", "a", "Zz=1=2", "HeadProb", "HeadProb=0.5", "=x"]), min_size=1))
def test_keeps_other_items_of_misc(items: list[str]) -> None:
    changed = with_confidence("|".join(items), 0.5).split("|")
    assert changed.count("HeadProb=0.50") == 1
    changed.remove("HeadProb=0.50")
    assert changed == [item for item in items if item.split("=")[0] != "HeadProb"]


LIMITS = {
    "msa": [Constraints()],
    "eisner": [Constraints(single_root=True)],
    "msa-eisner": [Constraints(1)],
    "lr": [Constraints(2, False, False)],
    "bnb": [Constraints(2, True, True), Constraints(1, False, True)],
    "ilp": [Constraints(2, True, True)],
}


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("decoder, limits", [(name, limit) for name in DECODERS for limit in LIMITS[name]])
def test_agrees_with_enumeration(sure: str, decoder: str, limits: Constraints, prune: bool) -> None:
    model = load(sure)
    assert model.calibration is not None
    parser = Parser(model, ParseOptions(decoder=decoder, constraints=limits, prune=prune, confidence=True))
    short = [sentence for sentence in held_out() if len(sentence) <= 5]
    assert len(short) > 5
    for sentence in short:
        (parse,) = parser.parse([sentence])[0].parses
        scores, _ = model._scorer.scores(encode(sentence, model.columns), prune)
        temperature = model.calibration.pruned if prune else model.calibration.full
        projective = PROMISES[decoder].projective or limits.block_degree == 1
        every = oracle.enumerate_marginals(scores / temperature, limits.single_root, projective)
        assert every is not None and parse.head_probabilities is not None
        words = np.arange(1, len(sentence) + 1)
        np.testing.assert_allclose(parse.head_probabilities[1:], every[0][words, parse.heads[1:]], atol=1e-5)


@pytest.mark.parametrize("projective", [False, True])
def test_arcs_far_below_the_best_have_no_probability(projective: bool) -> None:
    scores = np.random.default_rng(3).normal(size=(9, 9)) * 200
    scores[np.random.default_rng(4).random((9, 9)) < 0.6] -= 1e6
    scores[3:, 1] = -np.inf
    probabilities = arc_probabilities(scores, 50.0, single_root=True, projective=projective)
    exact = wnparse.marginals(scores / 50.0, single_root=True, projective=projective)
    np.testing.assert_allclose(probabilities, exact, atol=1e-12)
    assert (probabilities[3:, 1] == 0).all()


def test_finds_the_best_temperature(sure: str) -> None:
    model = load(sure)
    assert model.calibration is not None
    for prune in (True, False):
        decisions = decide(model, held_out()[:150], prune=prune)
        best = model.calibration.temperature(prune)
        losses = {
            factor: log_loss(*confidences(model.constraints, decisions, factor * best))
            for factor in (1 / best, 0.2, 0.8, 0.98, 1.0, 1.02, 1.25, 5.0)
        }
        assert min(losses, key=losses.__getitem__) == 1.0
        assert losses[1 / best] > 1.2 * losses[1.0]  # the scores as they are


def test_confidence_is_near_accuracy_on_other_sentences(sure: str) -> None:
    model = load(sure)
    assert model.calibration is not None
    decisions = decide(model, held_out()[150:], prune=True)
    table = reliability(*confidences(model.constraints, decisions, model.calibration.temperature(True)))
    raw = reliability(*confidences(model.constraints, decisions, 1.0))
    assert calibration_error(table) < 0.04
    assert calibration_error(table) < 0.5 * calibration_error(raw)


def test_minimise_finds_the_minimum() -> None:
    for target in (-1.3, 0.0, 0.2, 2.5):
        assert minimise(lambda x, target=target: abs(x - target), -3.0, 3.0) == pytest.approx(target, abs=1e-3)
    assert minimise(lambda x: x, 1.0, 2.0) == pytest.approx(1.0, abs=1e-3)


def slow_error(pairs: list[tuple[float, bool]], bins: int) -> float:
    """Compute the expected calibration error, bin by bin."""
    total = 0.0
    for i in range(bins):
        inside = [(p, ok) for p, ok in pairs if i / bins <= p < (i + 1) / bins or (p == 1.0 and i == bins - 1)]
        if inside:
            confidence = sum(p for p, _ in inside) / len(inside)
            accuracy = sum(ok for _, ok in inside) / len(inside)
            total += len(inside) / len(pairs) * abs(confidence - accuracy)
    return total


@given(
    st.lists(st.tuples(st.integers(0, 64).map(lambda i: i / 64), st.booleans()), min_size=1),
    st.sampled_from([1, 2, 4, 8, 16]),
)
def test_the_calibration_error_equals_its_slow_reference(pairs: list[tuple[float, bool]], bins: int) -> None:
    table = reliability(np.array([p for p, _ in pairs]), np.array([ok for _, ok in pairs]), bins)
    assert sum(row.words for row in table) == len(pairs)
    assert calibration_error(table) == pytest.approx(slow_error(pairs, bins), abs=1e-12)
    slow = -sum(math.log(max(p if ok else 1 - p, 1e-10)) for p, ok in pairs) / len(pairs)
    assert log_loss(np.array([p for p, _ in pairs]), np.array([ok for _, ok in pairs])) == pytest.approx(slow)


def test_models_keep_their_calibration(sure: str, tmp_path: Path) -> None:
    model = load(sure)
    assert model.calibration is not None and model.calibration.pruned is not None
    assert learn_calibration(model, held_out()[:150]) == model.calibration
    unpruned = learn_calibration(replace(model, first_pass=None), held_out()[:150])
    assert unpruned == Calibration(model.calibration.full)
    assert unpruned.temperature(True) == unpruned.temperature(False) == unpruned.full
    assert learn_calibration(model, []) is None
    bare = str(tmp_path / "bare.wnp")
    replace(model, calibration=None).save(bare)
    assert load(bare).calibration is None
    assert load(bare).constraints == model.constraints


def test_a_sentence_without_a_tree_has_no_confidence(sure: str) -> None:
    model = load(sure)
    # Words have relations, roots have none.
    begin, labels = np.array([0, 1], np.int32), np.array([model.labels.index("obj")], np.int32)
    broken = replace(model, label_table={"keys": np.zeros(1, np.uint64), "begin": begin, "labels": labels})
    sentence = next(candidate for candidate in held_out() if len(candidate) > 1)
    for rules in (None, "ud"):
        (parsed,) = broken.parse([sentence], rules=rules, confidence=True)
        assert parsed.parse is None and parsed.column("deprel") == ["_"] * len(sentence)
    assert not arc_probabilities(np.full((3, 3), -np.inf), 1.0, single_root=True, projective=False).any()


def test_projective_treebanks_are_calibrated_on_projective_trees(sure: str) -> None:
    model = replace(load(sure), constraints=Constraints(1, True, True))
    decisions = decide(model, held_out()[:50], prune=False)
    assert all(wnparse.is_projective(decision.heads) for decision in decisions)
    projective, _ = confidences(model.constraints, decisions, 50.0)
    free, _ = confidences(Constraints(None, False, True), decisions, 50.0)
    assert (projective != free).any()


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--k-best", "3"],
        ["--keep-heads", "--drop-deps"],
        ["--decoder", "eisner", "--no-prune", "--multi-root"],
    ],
    ids=" ".join,
)
def test_changes_only_misc_with_any_number_of_jobs(
    wnparse_inside: Run, sure: str, raw: bytes, flags: list[str]
) -> None:
    plain = wnparse_inside("parse", "-m", sure, *flags, stdin=raw).stdout
    result = wnparse_inside("parse", "-m", sure, *flags, "--confidence", stdin=raw)
    assert result.returncode == 0
    assert columns(result.stdout, 9) == columns(plain, 9)
    assert (
        wnparse_inside("parse", "-m", sure, *flags, "--confidence", "--jobs", "3", stdin=raw).stdout
        == result.stdout
    )
    assert wnparse_inside("parse", "-m", sure, *flags, "--confidence", stdin=result.stdout).returncode == 0
    values = head_probabilities(result.stdout)
    assert min(values) >= 0 and max(values) <= 1 and np.mean(values) > 0.5
    for before, after in zip(columns(plain), columns(result.stdout), strict=True):
        if before[0].isdigit():
            rest = [item for item in after[9].split(b"|") if not item.startswith(b"HeadProb=")]
            assert rest == ([] if before[9] == b"_" else before[9].split(b"|"))


def test_parsing_again_replaces_confidence(wnparse_inside: Run, sure: str, raw: bytes) -> None:
    once = wnparse_inside("parse", "-m", sure, "--confidence", stdin=raw).stdout
    assert wnparse_inside("parse", "-m", sure, "--confidence", stdin=once).stdout == once


def test_given_heads_have_probability_1(wnparse_inside: Run, sure: str) -> None:
    gold = b"".join(sentence.raw for sentence in held_out()[:20])
    output = wnparse_inside("parse", "-m", sure, "--confidence", "--keep-heads", stdin=gold).stdout
    assert set(head_probabilities(output)) == {1.0}


def test_refuses_confidence_without_calibration(wnparse_inside: Run, model: str, raw: bytes) -> None:
    result = wnparse_inside("parse", "-m", model, "--confidence", "-o", "out", stdin=raw)
    assert result.returncode == 2
    assert b"m.wnp: the model is not calibrated" in result.stderr.splitlines()[-1]
    assert not Path("out").exists()
    assert b"confidence   not calibrated" in wnparse_inside("info", model).stdout
    with pytest.raises(ValueError, match="not calibrated"):
        load(model).parse([], confidence=True)
    with pytest.raises(ValueError, match="not calibrated"):
        Parser(load(model), ParseOptions(decoder="msa", constraints=Constraints(), confidence=True))


def test_training_calibrates_and_repeats(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"".join(sentence.raw for sentence in held_out()[:60]))
    for name in ("a", "b"):
        flags = ["--epochs", "1", "--order", "1", "--unlabelled", "-o", name]
        assert wnparse_inside("train", "t", "--dev", str(DATA / "dev.conllu"), *flags).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    calibration = json.loads(wnparse_inside("info", "a", "--json").stdout)["calibration"]
    assert set(calibration) == {"full", "pruned"} and min(calibration.values()) > 1
    assert b"after the first pass" in wnparse_inside("info", "a").stdout
    output = wnparse_inside("parse", "-m", "a", "--confidence", "t").stdout
    assert len(set(head_probabilities(output))) > 10


def test_python_returns_confidence(sure: str) -> None:
    model: Model = load(sure)
    lines = [f"{i}\tw\tw\tNOUN\tX\t_\t_\t_\t_\t{misc}\n" for i, misc in enumerate(MISCS, 1)]
    given = sentences("".join(lines).encode() + b"\n" + TINY + b"\n")
    plain = list(model.parse(given))
    sure_trees = list(model.parse(given, confidence=True))
    for one, tree in zip(plain, sure_trees, strict=True):
        assert isinstance(one, Sentence) and isinstance(tree, Sentence)
        assert tree.heads.tolist() == one.heads.tolist()
        assert all("HeadProb=" in misc for misc in tree.column("misc"))
    lists = model.parse([sentence.to_tokenlist() for sentence in given], confidence=True, k=2)
    for trees in lists:
        for tokens in trees:
            assert all(0 <= float(token["misc"]["HeadProb"]) <= 1 for token in tokens)
