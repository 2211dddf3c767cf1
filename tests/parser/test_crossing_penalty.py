"""The price of crossing arcs: paid once a pair, trees proved best with it, learned on a development set, kept."""

from __future__ import annotations

import io
import json
import math
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from wnparse.decoding.constraints import Constraints
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.rules import Rules
from wnparse.rules.crossing_penalty import as_penalty, with_crossing_penalty
from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.training.crossing_penalty import LOSS, learn_crossing_penalty, try_penalty
from wnparse.training.learners import USUAL_MARGIN
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import Heads

FREE = Constraints(single_root=True)
PRICES = (0.0, 5.0, 20.0, 60.0)


def held_out() -> list[Sentence]:
    return list(wnparse.read(DATA / "test.conllu"))[:80]


def crossings(heads: Heads) -> int:
    """Pairs of arcs of which each has exactly one end strictly between those of the other."""
    arcs = [sorted((int(h), m)) for m, h in enumerate(heads) if m > 0]
    return sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(arcs, 2))


def parse(model: Model, price: float | None, *, rules: Rules | None = None, decoder: str = "bnb") -> list[Parsed]:
    options = ParseOptions(decoder=decoder, constraints=FREE, rules=rules, crossing_penalty=price)
    return list(Parser(model, options).stream(held_out(), at_hand=lambda: True))


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a model of order 2 with rules, without a crossing penalty."""
    path = str(tmp_path_factory.mktemp("second") / "m.wnp")
    wnparse.train(DATA / "dev.conllu", epochs=2, only="parser").save(path)
    return path


@pytest.mark.parametrize("order", [1, 2])
def test_every_crossing_pair_is_penalised_and_the_tree_is_the_best(model: str, second: str, order: int) -> None:
    known = load(model if order == 1 else second)
    parsed = {price: parse(known, price) for price in PRICES}
    counts = {
        price: [crossings(tree.parse.heads) for tree in trees if tree.parse] for price, trees in parsed.items()
    }
    assert sum(counts[0.0]) > sum(counts[20.0]) > sum(counts[60.0])
    assert sum(bool(tree.parse and tree.parse.certified) for tree in parsed[60.0]) >= 76
    for lower, higher in combinations(PRICES, 2):
        for cheap, dear, a, b in zip(parsed[lower], parsed[higher], counts[lower], counts[higher], strict=True):
            assert cheap.parse is not None
            assert dear.parse is not None
            if not (cheap.parse.certified and dear.parse.certified):
                continue
            # Each tree is the best at its own price: neither would win at the other's.
            slack = 1e-3 * (1 + abs(cheap.parse.score) + abs(dear.parse.score))
            assert b <= a
            assert dear.parse.score + (higher - lower) * b <= cheap.parse.score + slack
            assert cheap.parse.score - (higher - lower) * a <= dear.parse.score + slack


def test_a_very_large_penalty_gives_projective_trees(second: str) -> None:
    known = load(second)
    projective = Parser(known, ParseOptions(constraints=Constraints(1, single_root=True), rules=known.rules))
    dearly = Parser(known, ParseOptions(constraints=FREE, rules=known.rules, crossing_penalty=LARGEST_PENALTY))
    for sentence in [candidate for candidate in held_out() if len(candidate) <= 12]:
        best, dear = projective.parse([sentence])[0].parse, dearly.parse([sentence])[0].parse
        assert best is not None
        assert dear is not None
        assert dear.certified
        assert dear.score == pytest.approx(best.score, rel=1e-4, abs=1e-2)


def test_uses_the_penalty_of_the_model_by_default(second: str, tmp_path: Path) -> None:
    plain = load(second)
    assert plain.crossing_penalty == 0
    replace(plain, crossing_penalty=40.0).save(tmp_path / "priced.wnp")
    priced = load(tmp_path / "priced.wnp")
    assert priced.crossing_penalty == 40.0
    own, requested = parse(priced, None), parse(plain, 40.0)
    assert [tree.raw for tree in own] == [tree.raw for tree in requested]
    assert [tree.raw for tree in parse(priced, 0.0)] == [tree.raw for tree in parse(plain, None)]
    assert [tree.raw for tree in own] != [tree.raw for tree in parse(plain, None)]
    texts = [sentence.raw for sentence in priced.parse(held_out(), crossing_penalty=0, rules=None)]
    free = [sentence.raw for sentence in plain.parse(held_out(), rules=None)]
    assert texts == free


def test_ranks_trees_by_penalised_scores(second: str) -> None:
    known = replace(load(second), crossing_penalty=40.0)
    (best, *_), single = next(known.parse(held_out()[3:4], k=3)), next(known.parse(held_out()[3:4]))
    assert best.parse.score == pytest.approx(single.parse.score)
    assert best.heads.tolist() == single.heads.tolist()


def test_relaxes_the_penalty_last_and_keeps_rules() -> None:
    ud = Rules.load("ud")
    assert with_crossing_penalty(ud, 0.0) is ud
    assert with_crossing_penalty(None, 0.0) is None
    priced = with_crossing_penalty(ud, 3.0)
    assert priced is not None
    assert with_crossing_penalty(ud, 3.0) is priced
    assert [*priced][:-1] == [*ud]
    assert [*priced][-1].penalty == 1.5


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, "3", True, None, 2 * LARGEST_PENALTY])
def test_refuses_invalid_penalties(value: object) -> None:
    with pytest.raises(ValueError, match=r"crossing_penalty=.*1,000,000"):
        as_penalty(value)


def test_learns_a_penalty_if_too_few_trees_are_projective(model: str) -> None:
    known, dev = load(model), held_out()
    flat = [sentence.with_tree(projective_heads(len(sentence)), None) for sentence in dev]
    learned = learn_crossing_penalty(known, flat, USUAL_MARGIN)
    assert learned is not None
    assert learned.gold == 100
    assert learned.free == try_penalty(known, flat, 0.0)
    assert learned.free.projective < learned.chosen.projective
    assert learned.chosen == try_penalty(known, flat, learned.chosen.price)
    assert learned.chosen.las >= learned.free.las - LOSS
    learned = learn_crossing_penalty(known, [one for one in dev if crossings(one.heads)], USUAL_MARGIN)
    assert learned is not None
    assert learned.chosen.price == 0


def projective_heads(words: int) -> list[int]:
    """The first word is the root, and the head of all others."""
    return [-1, 0, *[1] * (words - 1)]


def test_learns_no_penalty_without_need(model: str) -> None:
    known = load(model)
    assert learn_crossing_penalty(known, [], USUAL_MARGIN) is None
    assert learn_crossing_penalty(replace(known, labels=[]), held_out(), USUAL_MARGIN) is None
    assert learn_crossing_penalty(replace(known, constraints=Constraints(1)), held_out(), USUAL_MARGIN) is None


def test_commands_print_and_accept_the_penalty(second: str, tmp_path: Path, wnparse_command: Run) -> None:
    priced = str(tmp_path / "priced.wnp")
    replace(load(second), crossing_penalty=40.0).save(priced)
    assert b"\ncrossing     penalty 40 " in wnparse_command("info", priced).stdout
    assert b"\ncrossing     no penalty\n" in wnparse_command("info", second).stdout
    assert json.loads(wnparse_command("info", "--json", priced).stdout)["crossing_penalty"] == 40.0
    source = str(DATA / "test.conllu")
    free = wnparse_command("parse", "-m", priced, source, "--crossing-penalty", "0")
    assert free.stdout == wnparse_command("parse", "-m", second, source).stdout
    assert free.stdout != wnparse_command("parse", "-m", priced, source).stdout
    for wrong in ("-1", "nan", "x", "1e7"):
        refused = wnparse_command("parse", "-m", priced, source, "--crossing-penalty", wrong)
        assert refused.returncode == 2
        assert b"--crossing-penalty" in refused.stderr


def test_training_learns_the_penalty_from_the_development_set(wnparse_command: Run, tmp_path: Path) -> None:
    source, dev = str(DATA / "dev.conllu"), str(DATA / "test.conllu")
    result = wnparse_command("train", source, "--dev", dev, "-o", "m.wnp", "--epochs", "1", "--order", "1")
    (line,) = [line for line in result.stderr.decode().splitlines() if line.startswith("crossing")]
    model = load(tmp_path / "m.wnp")
    learned = learn_crossing_penalty(replace(model, crossing_penalty=0.0), list(wnparse.read(dev)), USUAL_MARGIN)
    assert learned is not None
    assert model.crossing_penalty == learned.chosen.price
    assert f"{learned.gold:.1f} % of gold trees" in line


def jumbled(rng: random.Random, count: int) -> list[Sentence]:
    """Five words each, from anywhere: their trees cross more often than those of sentences."""
    words = [
        line.split("\t")[1:6] for line in (DATA / "dev.conllu").read_text().splitlines() if line[:1].isdigit()
    ]
    rows = [[[str(i), *rng.choice(words), "_", "_", "_", "_"] for i in range(1, 6)] for _ in range(count)]
    text = "".join("".join("\t".join(row) + "\n" for row in sentence) + "\n" for sentence in rows)
    return list(wnparse.read(io.BytesIO(text.encode())))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_finds_the_best_penalised_tree_of_short_sentences(order: int) -> None:
    """All trees are ranked without a price; paying it, each for itself, none beats the one that was found."""
    known = wnparse.train(
        list(wnparse.read(DATA / "dev.conllu"))[:120], epochs=1, order=order, only="parser", rules=None
    )
    short = jumbled(random.Random(order), 30)
    options = ParseOptions(constraints=FREE, k=5000, crossing_penalty=0.0)
    ranking = Parser(known, options)
    crossed = 0
    for sentence in short:
        trees = ranking.parse([sentence])[0].parses
        assert all(tree.certified for tree in trees)
        for price in (3.0, 30.0, 200.0):
            parsed = Parser(known, replace(options, k=None, crossing_penalty=price)).parse([sentence])[0].parse
            assert parsed is not None
            assert parsed.certified
            paid = [tree.score - price * crossings(tree.heads) for tree in trees]
            assert parsed.score == pytest.approx(max(paid), rel=1e-5, abs=1e-3)
            crossed += crossings(parsed.heads) > 0
    assert crossed > 0


@pytest.mark.parametrize("order", [1, 2])
def test_ilp_applies_the_penalty(model: str, second: str, order: int) -> None:
    pytest.importorskip("highspy", reason="the extra 'ilp' is not installed")
    known = load(model if order == 1 else second)
    for ours, other in zip(parse(known, 20.0), parse(known, 20.0, decoder="ilp"), strict=True):
        assert ours.parse is not None
        assert other.parse is not None
        if ours.parse.certified and other.parse.certified:
            assert other.parse.score == pytest.approx(ours.parse.score, rel=1e-6)
