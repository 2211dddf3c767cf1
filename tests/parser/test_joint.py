"""Joint tagging and parsing: the chosen tags, the learned weight, and the option."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from support.treebanks import blanked, first_sentences, sentences
from wnparse.parser.joint import SEQUENCES, best_together, check_sequences, usual_sequences
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.training.joint_weight import WEIGHTS, learn_joint_weight
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.sentence import Sentence, parse_sentence

WEIGHT = 100.0


@pytest.fixture(scope="module")
def weighing(both: str) -> Model:
    return replace(wnparse.load(both), joint_weight=WEIGHT)


def tree(score: float, relaxed: str = "") -> Parsed:
    heads = np.array([-1, 0], np.int32)
    parse = Parse(heads, ["", "root"], score, score, True, 1, 1, (0.0, 0.0, 0.0), fallback=relaxed)
    return Parsed(parse_sentence(b""), (b"",), (parse,), fallback=relaxed)


def test_tags_are_weighed_against_trees() -> None:
    trees = [(tree(10.0), 0.0), (tree(13.0), -1.0), (tree(30.0), -5.0)]
    assert best_together(trees, 2.0) == 2
    assert best_together(trees, 5.0 - 1e-6) == 0
    assert best_together(trees[:2], 3.0) == 0  # the first of equals
    assert best_together(trees[:2], 2.9) == 1


def test_relaxed_trees_come_last() -> None:
    assert best_together([(tree(1.0), 0.0), (tree(9.0, "structural constraints"), 0.0)], 1.0) == 0
    assert best_together([(tree(1.0, "rules"), 0.0), (tree(0.0), 0.0)], 1.0) == 1
    assert best_together([(tree(1.0, "single root"), 0.0), (tree(9.0, "given heads"), 0.0)], 1.0) == 0
    left = tree(1.0)._replace(parses=(), fallback="parsing")
    assert best_together([(left, 0.0), (left, -0.5)], 1.0) == 0


def ways_of(model: Model, sentence: Sentence, options: ParseOptions) -> list[tuple[float, bytes]]:
    """Return the score of each sequence of tags with its tree, and the text that would be written."""
    assert model.tagger is not None
    (ways,) = model.tagger.alternatives([sentence], SEQUENCES)
    alone = Parser(model, replace(options, tag_sequences=1))
    scored = []
    for tagged, odds in ways:
        (parsed,) = alone.parse([tagged])
        assert parsed.parse is not None
        scored.append((parsed.parse.score + model.joint_weight * odds, parsed.raw))
    return scored


def test_keeps_the_best_of_all_tag_sequences(weighing: Model, bare: bytes) -> None:
    options = ParseOptions(constraints=weighing.constraints, rules=weighing.rules)
    parser = Parser(weighing, options)
    changed = 0
    for sentence in sentences(bare):
        ways = ways_of(weighing, sentence, options)
        best = max(score for score, _ in ways)
        expected = next(raw for score, raw in ways if math.isclose(score, best))
        assert parser.parse([sentence])[0].raw == expected
        changed += expected != ways[0][1]
    assert changed


def test_one_sequence_equals_tagging_and_then_parsing(weighing: Model, bare: bytes) -> None:
    tagged = list(weighing.tag(sentences(bare)))
    expected = [sentence.raw for sentence in weighing.parse(tagged)]  # type: ignore[union-attr]
    assert [sentence.raw for sentence in weighing.parse(sentences(bare), tag_sequences=1)] == expected
    together = [sentence.raw for sentence in weighing.parse(sentences(bare))]
    assert together != expected
    assert [sentence.raw for sentence in weighing.parse(sentences(bare), jobs=3)] == together
    assert [sentence.raw for sentence in weighing.parse(iter(sentences(bare)))] == together


def test_given_tags_are_not_touched(weighing: Model) -> None:
    given = sentences(blanked(first_sentences("test", 20), 6, 7))
    expected = [sentence.raw for sentence in weighing.parse(given, tag_sequences=1)]
    assert [sentence.raw for sentence in weighing.parse(given)] == expected


def test_rankings_and_confidence_are_those_of_the_chosen_tags(weighing: Model, bare: bytes) -> None:
    plain = list(weighing.parse(sentences(bare)))
    ranked = list(weighing.parse(sentences(bare), k=2))
    for one, trees in zip(plain, ranked, strict=True):
        assert [sentence.column("upos") for sentence in trees] == [one.column("upos")] * len(trees)
        assert trees[0].heads.tolist() == one.heads.tolist()
    sure = list(weighing.parse(sentences(bare), confidence=True))
    assert [sentence.column("upos") for sentence in sure] == [sentence.column("upos") for sentence in plain]
    assert all("TagProb=" in misc for sentence in sure for misc in sentence.column("misc"))


def test_tries_the_requested_number_of_sequences(weighing: Model) -> None:
    assert usual_sequences(1, WEIGHT) == 1
    assert usual_sequences(2, WEIGHT) == SEQUENCES
    assert usual_sequences(2, 0.0) == 1
    assert check_sequences(7, WEIGHT) == 7
    assert check_sequences(1, 0.0) == 1
    with pytest.raises(ValueError, match="tag_sequences=0: expected an integer"):
        weighing.parse([], tag_sequences=0)
    with pytest.raises(ValueError, match="joint weight"):
        replace(weighing, joint_weight=0.0).parse([], tag_sequences=2)


def right_of(model: Model, gold: list[Sentence]) -> list[int]:
    """Return how many words of each sentence have the right head and label."""
    counts = []
    for one, other in zip(gold, model.parse(gold, retag=True), strict=True):
        pairs = zip(
            one.heads[1:].tolist(),
            other.heads[1:].tolist(),
            one.column("deprel"),
            other.column("deprel"),
            strict=True,
        )
        counts.append(sum(a == b and c == d for a, b, c, d in pairs))
    return counts


def expected_weight(plain: Model, gold: list[Sentence]) -> float:
    """Parse the sentences once per weight; return the largest of those with the most, and significant, gain."""
    assert plain.calibration is not None
    alone, best, most = right_of(plain, gold), 0.0, 0
    for times in WEIGHTS:
        weight = times * plain.calibration.full
        gains = [a - b for a, b in zip(right_of(replace(plain, joint_weight=weight), gold), alone, strict=True)]
        if sum(gains) >= max(most, 1) and sum(gains) > math.sqrt(sum(gain**2 for gain in gains)):
            best, most = weight, sum(gains)
    return best


def test_reports_the_time_of_all_sequences(weighing: Model, bare: bytes) -> None:
    parser = Parser(weighing, ParseOptions(constraints=weighing.constraints))
    several = 0
    for parsed in parser.parse(sentences(bare)):
        assert len(parsed.timings) == 3
        several += len(parsed.alternatives) > 1
        if parsed.alternatives:
            assert sum(parsed.timings) == pytest.approx(
                sum(sum(alternative.timings) for alternative, _ in parsed.alternatives)
            )
            assert parsed.seconds == pytest.approx(
                sum(alternative.seconds for alternative, _ in parsed.alternatives)
            )
    assert several


@pytest.mark.parametrize("count", [1, 12, 60])
def test_the_weight_is_the_one_with_the_best_trees(weighing: Model, count: int) -> None:
    gold = list(wnparse.read(DATA / "test.conllu"))[:count]
    learned = learn_joint_weight(weighing, gold)
    assert learned is not None
    plain = replace(weighing, joint_weight=0.0)
    words = sum(map(len, gold))
    assert 100 * sum(right_of(plain, gold)) / words == pytest.approx(learned.alone)
    assert learned.weight == pytest.approx(expected_weight(plain, gold), rel=1e-3)
    assert 100 * sum(right_of(replace(plain, joint_weight=learned.weight), gold)) / words == pytest.approx(
        learned.score
    )
    assert 1 <= learned.searches <= SEQUENCES


def test_learns_no_weight_without_data(weighing: Model) -> None:
    gold = list(wnparse.read(DATA / "test.conllu"))[:5]
    assert learn_joint_weight(weighing, []) is None
    assert learn_joint_weight(replace(weighing, tagger=None), gold) is None
    assert learn_joint_weight(replace(weighing, calibration=None), gold) is None


def test_uses_the_option_and_the_weight_of_the_model(
    wnparse_inside: Run, tmp_path: Path, weighing: Model, bare: bytes
) -> None:
    path = str(tmp_path / "weighing.wnp")
    weighing.save(path)
    assert wnparse.load(path).joint_weight == WEIGHT
    usual = wnparse_inside("parse", "-m", path, "-", stdin=bare)
    assert usual.returncode == 0
    assert usual.stdout == b"".join(sentence.raw for sentence in weighing.parse(sentences(bare)))
    alone = wnparse_inside("parse", "-m", path, "--tag-sequences", "1", "-", stdin=bare)
    assert alone.stdout == b"".join(sentence.raw for sentence in weighing.parse(sentences(bare), tag_sequences=1))
    assert alone.stdout != usual.stdout
    assert b"tag weight 100 " in wnparse_inside("info", path).stdout
    assert b'"joint_weight": 100.0' in wnparse_inside("info", path, "--json").stdout


def test_refuses_bad_usage(
    wnparse_inside: Run, tmp_path: Path, weighing: Model, model: str, only_tags: str
) -> None:
    path = str(tmp_path / "weightless.wnp")
    replace(weighing, joint_weight=0.0).save(path)
    for arguments, message in (
        (["-m", path, "--tag-sequences", "2"], b"joint weight"),
        (["-m", model, "--tag-sequences", "2"], b"no tagger"),
        (["-m", only_tags, "--tag-sequences", "1"], b"only tags"),
        (["-m", path, "--tag-sequences", "0"], b"--tag-sequences"),
        (["-m", path, "--tag-sequences", "x"], b"--tag-sequences"),
    ):
        done = wnparse_inside("parse", *arguments, "-")
        assert done.returncode == 2
        assert message in done.stderr
        assert b"Traceback" not in done.stderr
