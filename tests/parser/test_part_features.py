"""Parts of higher order by a slow reference: scores of trees, steps of learners, and pruned arcs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from support.learning_oracles import Vector, loss, weights_of
from support.models import NO_ROWS
from support.part_feature_oracles import START, STOP, Part, SlowParts, keys, parts_of
from support.tree_oracles import tabulate_trees
from support.treebanks import THREE_WORDS, sentences
from wnparse._core.freezing import freeze
from wnparse._core.learner import Learner
from wnparse._core.scorer import Scorer
from wnparse._core.settings import Settings
from wnparse._core.tables import LabelCandidates
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.features import compile_templates, default_templates
from wnparse.parser.part_features import compile_part_templates, default_part_templates, parse_part_template
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.training.learners import LEARNERS
from wnparse.treebanks.sentence import Sentence

ARCS = ["hP mP", "hW mP d", "hP mW"]
ALL = 1_000_000  # of a pruner that leaves every arc
MARGIN = 10.0  # weights are about 1
EXACT = DecodeOptions(decoder="bnb", constraints=Constraints(single_root=True)).settings
NO_SLOTS = np.zeros(16, np.uint32)


def short(sample: list[Sentence]) -> list[Sentence]:
    """A few sentences of three to five words."""
    groups = [[sentence for sentence in sample if len(sentence) == n] for n in (4, 5)]
    return [*sentences(THREE_WORDS), *groups[0][:2], *groups[1][:2]]


def make_scorer(templates: list[str], slots: Any, order: int, pruner: tuple[Any, int, int]) -> Scorer:
    parts = compile_part_templates(default_part_templates(order))
    scorer = Scorer(compile_templates(templates), None, slots, *NO_ROWS, 1.0, order, parts)
    scorer.use_pruner(*pruner)
    return scorer


def as_slots(weights: dict[int, int]) -> Any:
    keys, values = np.array(list(weights), np.uint64), np.array(list(weights.values()), np.int32)
    return freeze(keys, values, 18)  # no bucket overflows


def integer_weights(keys_of_features: list[int], seed: int) -> dict[int, int]:
    rng = np.random.default_rng(seed)
    return {key: int(rng.integers(-3000, 3000)) or 1 for key in keys_of_features if rng.random() < 0.8}


def test_finds_parts_counted_by_hand() -> None:
    """1 <- 2 <- 3: node 0 has one child, words 2 and 3 have one each on the left."""
    parts = list(parts_of([-1, 2, 3, 0], 3))
    count = {kind: sum(part.kind == kind for part in parts) for kind in ("grandparent", "trisibling")}
    assert count == {"grandparent": 2, "trisibling": 3}
    assert sum(part.kind == "sibling" for part in parts) == 2 * 4 + 3
    assert sum(part.kind == "grandsibling" for part in parts) == 2 * 3 + 2
    assert Part("sibling", (("h", 3), ("m", START), ("s", 2)), False) in parts
    assert Part("trisibling", (("h", 0), ("m", START), ("s", 3), ("t", STOP)), True) in parts


def test_computes_keys_counted_by_hand() -> None:
    """START and STOP have a tag and nothing else; two words alone must both be words."""
    (sentence,) = sentences(THREE_WORDS)
    first = Part("sibling", (("h", 3), ("m", START), ("s", 2)), False)
    both = Part("sibling", (("h", 3), ("m", 2), ("s", 1)), False)
    last = Part("trisibling", (("h", 3), ("m", 2), ("s", 1), ("t", STOP)), False)
    for template, of_first, of_both in (
        ("sibling hP mP sP", 1, 1),
        ("sibling hP mW sP", 0, 1),
        ("sibling hP mP sW", 1, 1),
        ("sibling mP sP", 0, 1),
        ("sibling mP sP c", 0, 3),
        ("sibling mP mF sP sF", 0, 2),
        ("grandparent gP hP mP", 0, 0),
    ):
        assert len(list(keys(sentence, 0, template, first))) == of_first
        assert len(list(keys(sentence, 0, template, both))) == of_both
    assert len(list(keys(sentence, 0, "trisibling hP mW sW tP", last))) == 1
    assert len(list(keys(sentence, 0, "trisibling hP mP sP tW", last))) == 0


def test_refuses_wrong_words_of_templates() -> None:
    for text in ("sibling hP mF sP", "sibling hP mP-1 sP", "grandparent gP hP mY", "sibling hP mP d"):
        with pytest.raises(ValueError, match="unknown word"):
            parse_part_template(text)
    with pytest.raises(ValueError, match="'hW' is a second attribute"):
        parse_part_template("sibling hP hW mP")
    assert not any("L" in text for text in default_part_templates(3, unused="L"))
    assert {text.split()[0] for text in default_part_templates(2)} == {"sibling", "grandparent"}


@pytest.mark.parametrize("order", [2, 3])
def test_scores_of_trees_are_sums_over_parts(sample: list[Sentence], order: int) -> None:
    """Each tree by itself, and the best of all where all arcs are open."""
    for sentence in short(sample):
        slow = SlowParts(sentence, ARCS, 0, order, default_part_templates(order))
        weights = integer_weights(slow.all_keys(), order)
        vector: Vector = {(key, -1): float(value) for key, value in weights.items()}
        trees, sums = slow.ranked_with_parts(slow.scores(vector), vector)
        scorer = make_scorer(ARCS, as_slots(weights), order, (NO_SLOTS, ALL, ALL))
        tokens = encode(sentence, UsedColumns())
        for i in range(0, len(trees), 1 + len(trees) // 60):
            (answer,) = scorer.parse([tokens], [EXACT], False, None, [trees[i][0].astype(np.int32)])
            assert answer.trees[0].heads.tolist()[1:] == trees[i][0].tolist()[1:]
            assert answer.trees[0].score == sums[i]
        (best,) = scorer.parse([tokens], [EXACT], False)
        assert best.trees[0].score == sums[0]
        assert best.trees[0].certified
        (ranked,) = scorer.parse([tokens], [EXACT], False, k=30, explain=True)
        check_ranking(slow, ranked, vector, sums)


def check_ranking(slow: SlowParts, answer: Any, weights: Vector, sums: np.ndarray) -> None:
    """Check the best trees, and the scores of other heads in the best one; children cannot be heads."""
    trees, local = answer.trees, answer.head_scores
    assert answer.complete
    assert [tree.score for tree in trees] == sums[:30].tolist()
    assert len({tree.heads.tobytes() for tree in trees}) == len(trees)
    assert all(tree.certified for tree in trees)

    def total(heads: list[int]) -> float:
        arcs = [key for m in range(1, slow.n + 1) for key in slow.of_arc[heads[m], m]]
        return sum(weights.get((key, -1), 0.0) for key in [*arcs, *slow.part_keys(heads)])

    heads = trees[0].heads.tolist()
    for m in range(1, slow.n + 1):
        for h in range(slow.n + 1):
            other = [*heads[:m], h, *heads[m + 1 :]]
            gain = -np.inf if h == m or heads[h] == m else total(other) - total(heads)
            assert local[m, h] - local[m, heads[m]] == gain


def make_learner(name: str, templates: list[str], order: int, *, labelled: bool) -> Learner:
    labels = np.array([0, 1, 2, 3], np.int32)
    choice = LabelCandidates(np.array([0, 1], np.uint64), np.array([0, 3, 4], np.int32), labels, 4)
    parts = compile_part_templates(default_part_templates(order))
    code = LEARNERS[name].code
    return Learner(
        compile_templates(templates), choice if labelled else None, MARGIN, code, np.inf, 1, order, parts
    )


def everything(n: int) -> tuple[Any, Any, Any]:
    """All arcs of a sentence, and one of its trees."""
    heads = [h for m in range(1, n + 1) for h in range(n + 1) if h != m]
    begin = [0, *range(0, n * n + 1, n)]
    return tuple(np.array(values, np.int32) for values in (begin, heads, range(-1, n)))  # type: ignore[return-value]


def restore_random(learner: Learner, slow: SlowParts) -> None:
    """Random weights for all features of a sentence, so that no two trees tie."""
    rng = np.random.default_rng(slow.n)
    features = np.array(slow.all_keys(), np.uint64)
    rows = np.array(sorted({key for of in slow.of_label.values() for key in of}), np.uint64)
    rows = rows if slow.labels else rows[:0]
    labels = np.tile(np.arange(4, dtype=np.int32), len(rows))
    learner.restore(
        1.0,
        {
            "keys": features,
            "weights": rng.normal(size=len(features)).astype(np.float32),
            "sums": np.zeros(len(features)),
            "row_keys": rows,
            "row_begin": np.arange(len(rows) + 1) * 4,
            "row_labels": labels,
            "row_weights": rng.normal(size=len(labels)).astype(np.float32),
            "row_sums": np.zeros(len(labels)),
        },
    )


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("labelled", [True, False], ids=["labelled", "unlabelled"])
@pytest.mark.parametrize(
    "name", [name for name, learner in LEARNERS.items() if not (learner.factors or learner.ranks)]
)
def test_learners_step_along_the_difference_to_gold(
    sample: list[Sentence], name: str, labelled: bool, order: int
) -> None:
    """A step goes along f(gold) - f(guess): all of it for the perceptron, else as far as the margin needs."""
    templates = ["hP mP +label", "hW mP", "mW label"] if labelled else ARCS
    for sentence in short(sample):
        slow = SlowParts(sentence, templates, 4 * labelled, order, default_part_templates(order))
        heads = sentence.heads
        names = [0 if not labelled else 3 if h == 0 else int(h > m) for m, h in enumerate(heads)]
        gold = heads, np.array([0, *names[1:]], np.int32)
        learner = make_learner(name, templates, order, labelled=labelled)
        restore_random(learner, slow)
        before = weights_of(learner.state()[1])
        counts = learner.learn(encode(sentence, UsedColumns()), *gold, EXACT, everything(len(sentence)))
        after = weights_of(learner.state()[1])
        scores = slow.scores(before)
        if name != "mira":
            scores = slow.add_costs(scores, gold, MARGIN)
        guess = slow.ranked_with_parts(scores, before)[0][0]
        assert counts is not None
        assert counts[0] == int((guess[0][1:] == gold[0][1:]).sum())
        difference = slow.difference(gold, guess)
        step = {key: after[key] - before.get(key, 0.0) for key in after}
        step = {key: value for key, value in step.items() if abs(value) > 1e-5}  # the rest is rounding
        if name == "perceptron":
            assert step == pytest.approx(difference, abs=1e-5)
        elif difference:
            assert set(step) == set(difference)
            lacking = MARGIN * loss(gold, guess) - sum(d * after[key] for key, d in difference.items())
            assert abs(lacking) < 0.01 * MARGIN


@pytest.mark.parametrize("shape", [(None, False), (1, False), (2, True)], ids=str)
@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("labelled", [True, False], ids=["labelled", "unlabelled"])
def test_half_annotated_trees_are_completed_exactly(
    sample: list[Sentence], labelled: bool, order: int, shape: tuple[int | None, bool]
) -> None:
    """The step goes from the guess to the best of all trees that have the annotated heads and labels."""
    templates = ["hP mP +label", "hW mP", "mW label"] if labelled else ARCS
    settings = DecodeOptions(constraints=Constraints(*shape, single_root=True)).settings
    sentence = next(sentence for sentence in short(sample) if len(sentence) == 4)
    slow = SlowParts(sentence, templates, 4 * labelled, order, default_part_templates(order))
    every = tabulate_trees(4)
    slow.trees = every.heads[every.valid(*shape, single_root=True)]
    every_annotation = list(itertools.product([0, 1, 2], repeat=4))  # nothing, the head, the head and its label
    for number, heads in enumerate(slow.trees[:: max(1, len(slow.trees) // 5)]):
        names = [0 if not labelled else 3 if h == 0 else int(h > m) for m, h in enumerate(heads)]
        for annotated in every_annotation[number % 6 :: 6]:
            given = np.array([-1, *heads[1:]], np.int32), np.array([-1, *names[1:]], np.int32)
            for m, much in enumerate(annotated, 1):
                given[0][m] = given[0][m] if much else -1
                given[1][m] = given[1][m] if much == 2 else -1
            learner = make_learner("perceptron", templates, order, labelled=labelled)
            restore_random(learner, slow)
            before = weights_of(learner.state()[1])
            assert learner.learn(encode(sentence, UsedColumns()), *given, settings, everything(4)) is not None
            after = weights_of(learner.state()[1])
            scores = slow.scores(before)
            gold = slow.ranked_with_parts(slow.restrict(scores, given), before)[0][0]
            guess = slow.ranked_with_parts(slow.add_annotated_costs(scores, given, MARGIN), before)[0][0]
            step = {key: after[key] - before.get(key, 0.0) for key in after}
            step = {key: value for key, value in step.items() if abs(value) > 1e-5}
            assert step == pytest.approx(slow.difference(gold, guess), abs=1e-5)


CONSTRAINTS = [
    Constraints(),
    Constraints(single_root=True),
    Constraints(1, True, True),
    Constraints(2, True, True),
]


@pytest.mark.parametrize("constraints", CONSTRAINTS, ids=str)
def test_the_pruner_keeps_its_best_valid_tree_and_gold(sample: list[Sentence], constraints: Constraints) -> None:
    settings: Settings = DecodeOptions(decoder="bnb", constraints=constraints).settings
    for seed, sentence in enumerate(short(sample)):
        slow = SlowParts(sentence, ARCS, 0, 2, [])
        weights = integer_weights(sorted({key for of in slow.of_arc.values() for key in of}), seed)
        vector: Vector = {(key, -1): float(value) for key, value in weights.items()}
        scores = slow.scores(vector).max(axis=2)
        limits = (constraints.block_degree, constraints.well_nested, constraints.single_root)
        trees = arcs_of_all_trees(len(sentence), limits)
        words = np.arange(1, len(sentence) + 1)
        best = scores[words, trees[:, 1:]].sum(axis=1).max()
        for cutoff, most in ((0, 1), (2500, 2), (4000, 9)):
            scorer = make_scorer(ARCS, NO_SLOTS, 2, (as_slots(weights), cutoff, most))
            tokens = encode(sentence, UsedColumns())
            begin, heads, tree = scorer.choose(tokens, settings, sentence.heads) or pytest.fail("no tree")
            assert scores[words, tree[1:]].sum() == best
            for m in words:
                remaining = heads[begin[m] : begin[m + 1]].tolist()
                ranked = sorted((h for h in range(len(sentence) + 1) if h != m), key=lambda h: -scores[m, h])
                close = {h for h in ranked[:most] if scores[m, h] >= scores[m, ranked[0]] - cutoff}
                assert set(remaining) == close | {int(tree[m]), int(sentence.heads[m])}
                assert remaining == sorted(remaining)


def arcs_of_all_trees(n: int, limits: tuple[int | None, bool, bool]) -> Any:

    every = tabulate_trees(n)
    return every.heads[every.valid(*limits)]


def test_the_reference_knows_all_templates() -> None:
    """Every template makes a feature of some part of a rich sentence."""
    (sentence,) = sentences(THREE_WORDS)
    templates = default_templates(labelled=True)
    parts = {part for heads in ([-1, 3, 3, 0], [-1, 2, 0, 1], [-1, 0, 1, 1]) for part in parts_of(heads, 3)}
    parts |= {Part("trisibling", (("h", 0), ("m", 1), ("s", 2), ("t", 3)), True)}
    for template in default_part_templates(3):
        assert any(list(keys(sentence, len(templates), template, part)) for part in parts), template
