"""The step of each learner by a slow reference, the margins after it, and Hildreth's solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.core_modules import import_or_skip
from support.learning_oracles import (
    SlowSentence,
    Tree,
    Vector,
    dot,
    loss,
    solve_by_cases,
    solve_by_gradient,
    weights_of,
)
from support.models import MSA
from wnparse._core.learner import Learner
from wnparse._core.tables import LabelCandidates
from wnparse._core.tokens import Tokens
from wnparse.parser.features import compile_templates, default_templates
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.training.learners import LEARNERS
from wnparse.treebanks.sentence import Sentence

LARGE_MARGIN = [name for name, learner in LEARNERS.items() if learner.clips]
MARGIN = 150.0
SHORT = 2e-3 * MARGIN  # margins hold up to the tolerance of the solver


class Lesson:
    """A short sentence, its gold tree with few labels, and its slow reference."""

    def __init__(self, sentence: Sentence, templates: list[str], *, labelled: bool) -> None:
        heads = sentence.heads
        names = [0 if not labelled else 3 if h == 0 else int(h > m) + (m % 3 == 0) for m, h in enumerate(heads)]
        self.tokens: Tokens = encode(sentence, UsedColumns())
        self.gold: Tree = heads, np.array([0, *names[1:]], np.int32)
        self.slow = SlowSentence(sentence, templates, 4 if labelled else 0)

    def learn(self, learner: Learner) -> tuple[Vector, Vector]:
        """The weights before and after a step."""
        before = weights_of(learner.state()[1])
        assert learner.learn(self.tokens, *self.gold, MSA) is not None
        return before, weights_of(learner.state()[1])


def make_learner(templates: list[str], name: str, *, labelled: bool, limit: float, k: int = 4) -> Learner:
    labels = np.array([0, 1, 2, 3], np.int32)
    choice = LabelCandidates(np.array([0, 1], np.uint64), np.array([0, 3, 4], np.int32), labels, 4)
    return Learner(
        compile_templates(templates), choice if labelled else None, MARGIN, LEARNERS[name].code, limit * MARGIN, k
    )


@pytest.fixture(scope="module", params=[True, False], ids=["labelled", "unlabelled"])
def lessons(request: pytest.FixtureRequest, sample: list[Sentence]) -> tuple[bool, list[str], list[Lesson]]:
    templates = default_templates(labelled=request.param)
    short = [s for s in sample if 4 <= len(s) <= 5 and np.count_nonzero(s.heads == 0) == 1][:6]
    return request.param, templates, [Lesson(sentence, templates, labelled=request.param) for sentence in short]


def arc_constraints(lesson: Lesson, scores: np.ndarray, k: int = 0) -> Iterator[tuple[Vector, float]]:
    """Every wrong arc, and wrong label of a gold arc, that misses its margin."""
    gold, slow = lesson.gold, lesson.slow
    for m in range(1, slow.n + 1):
        right = scores[m, gold[0][m], gold[1][m]]
        for h in range(slow.n + 1):
            rivals = scores[m, h].copy()
            if h == gold[0][m]:
                rivals[gold[1][m]] = -np.inf
            cost = MARGIN / 2 if h == gold[0][m] else MARGIN
            if h != m and rivals.max() + cost > right:
                other = gold[0].copy(), gold[1].copy()
                other[0][m], other[1][m] = h, rivals.argmax()
                yield slow.difference(gold, other, [m]), cost


def tree_constraints(lesson: Lesson, trees: Sequence[Tree]) -> Iterator[tuple[Vector, float]]:
    for tree in trees:
        if loss(lesson.gold, tree):
            yield lesson.slow.difference(lesson.gold, tree), MARGIN * loss(lesson.gold, tree)


def best_trees(lesson: Lesson, scores: np.ndarray, k: int) -> Iterator[tuple[Vector, float]]:
    return tree_constraints(lesson, lesson.slow.ranked(scores)[0][:k])


def best_tree(lesson: Lesson, scores: np.ndarray, k: int) -> Iterator[tuple[Vector, float]]:
    return best_trees(lesson, scores, 1)


def best_tree_with_costs(lesson: Lesson, scores: np.ndarray, k: int) -> Iterator[tuple[Vector, float]]:
    return best_trees(lesson, lesson.slow.add_costs(scores, lesson.gold, MARGIN), 1)


# What a step must satisfy: differences of features, and losses. A learner that is not in here fails the tests.
MARGINS = {
    "mira": best_tree,
    "mira-kbest": best_trees,
    "mira-factored": arc_constraints,
    "pa": best_tree_with_costs,
}
ONE_MARGIN = [name for name, margins in MARGINS.items() if margins in (best_tree, best_tree_with_costs)]


def restore_random(learner: Learner, lessons: Sequence[Lesson]) -> None:
    """Random weights for all features of some sentences, so that no two trees tie."""
    rng = np.random.default_rng(1)
    arcs, rows = (
        np.array(
            sorted({key for lesson in lessons for keys in of(lesson.slow).values() for key in keys}), np.uint64
        )
        for of in (lambda slow: slow.of_arc, lambda slow: slow.of_label)
    )
    labels = np.tile(np.arange(4, dtype=np.int32), len(rows))
    state = {
        "keys": arcs,
        "weights": rng.normal(size=len(arcs)).astype(np.float32),
        "sums": np.zeros(len(arcs)),
        "row_keys": rows,
        "row_begin": np.arange(len(rows) + 1) * 4,
        "row_labels": labels,
        "row_weights": rng.normal(size=len(labels)).astype(np.float32),
        "row_sums": np.zeros(len(labels)),
    }
    learner.restore(1.0, state)


def test_the_margins_of_each_learner_are_known() -> None:
    assert set(MARGINS) == set(LARGE_MARGIN)


@pytest.mark.parametrize("limit", [np.inf, 0.003, 1e-5])
@pytest.mark.parametrize("name", LARGE_MARGIN)
def test_each_step_is_the_smallest_that_its_margins_need(
    lessons: tuple[bool, list[str], list[Lesson]], name: str, limit: float
) -> None:
    """1/2 |step|^2 + C times what the margins still lack is no more than its lower bound, the best of the dual."""
    labelled, templates, taught = lessons
    learner = make_learner(templates, name, labelled=labelled, limit=limit)
    restore_random(learner, taught)
    checked = 0
    for lesson in taught + taught[:2]:
        before, after = lesson.learn(learner)
        wanted = list(MARGINS[name](lesson, lesson.slow.scores(before), 4))
        assert learner.changed == any(cost - dot(d, before) > 0 for d, cost in wanted)
        step = {key: after[key] - before.get(key, 0.0) for key in after}
        lacking = [cost - dot(d, after) for d, cost in wanted]
        if np.isinf(limit):
            assert max(lacking, default=0.0) < SHORT
        if not wanted:
            continue
        checked += 1
        gram = np.array([[dot(d, other) for other, _ in wanted] for d, _ in wanted])
        violations = np.array([cost - dot(d, before) for d, cost in wanted])
        slack = sum(max(0.0, short) for short in lacking) * limit * MARGIN if np.isfinite(limit) else 0.0
        solve = solve_by_cases if len(wanted) <= 4 else solve_by_gradient
        best = solve(gram, violations, limit * MARGIN)
        assert dot(step, step) / 2 + slack == pytest.approx(best, rel=5e-3, abs=1e-3)
    assert checked >= 3


def test_half_annotated_trees_are_completed_exactly(lessons: tuple[bool, list[str], list[Lesson]]) -> None:
    """A perceptron steps from the guess to the best of all trees that have the annotated heads and labels."""
    labelled, templates, taught = lessons
    rng = np.random.default_rng(1)
    for lesson in taught:
        for _ in range(12):
            heads, labels = lesson.gold[0].copy(), lesson.gold[1].copy()
            heads[rng.random(len(heads)) < 0.5] = -1
            labels[(rng.random(len(labels)) < 0.3) | (heads < 0)] = -1
            given = heads, labels
            learner = make_learner(templates, "perceptron", labelled=labelled, limit=np.inf)
            restore_random(learner, taught)
            before = weights_of(learner.state()[1])
            assert learner.learn(lesson.tokens, *given, MSA) is not None
            after = weights_of(learner.state()[1])
            scores = lesson.slow.scores(before)
            gold = lesson.slow.ranked(lesson.slow.restrict(scores, given))[0][0]
            guess = lesson.slow.ranked(lesson.slow.add_annotated_costs(scores, given, MARGIN))[0][0]
            step = {key: after[key] - before.get(key, 0.0) for key in after}
            step = {key: value for key, value in step.items() if abs(value) > 1e-5}
            assert step == pytest.approx(lesson.slow.difference(gold, guess), abs=1e-4)


@pytest.mark.parametrize("name", LARGE_MARGIN)
def test_margins_of_half_annotated_trees_hold(lessons: tuple[bool, list[str], list[Lesson]], name: str) -> None:
    """Without a limit, the best completed tree wins against the guess by the loss over annotated words."""
    labelled, templates, taught = lessons
    learner = make_learner(templates, name, labelled=labelled, limit=np.inf)
    restore_random(learner, taught)
    for lesson in taught:
        heads, labels = lesson.gold[0].copy(), lesson.gold[1].copy()
        heads[2] = labels[2] = -1
        for _ in range(30):
            learner.learn(lesson.tokens, heads, labels, MSA)
        scores = lesson.slow.scores(weights_of(learner.state()[1]))
        _, sums = lesson.slow.ranked(lesson.slow.restrict(scores, (heads, labels)))
        _, all_sums = lesson.slow.ranked(scores)
        assert all_sums[0] <= sums[0] + SHORT  # a tree with the annotated arcs and labels is the best one


@pytest.mark.parametrize("name", ONE_MARGIN)
def test_a_step_is_clipped_at_c(lessons: tuple[bool, list[str], list[Lesson]], name: str) -> None:
    labelled, templates, taught = lessons
    free, clipped = (make_learner(templates, name, labelled=labelled, limit=limit) for limit in (np.inf, 1e-5))
    _, far = taught[0].learn(free)
    _, near = taught[0].learn(clipped)
    assert min(abs(weight) for weight in near.values() if weight) == pytest.approx(1e-5 * MARGIN)
    ratio = {round(far[key] / near[key], 3) for key in far if near[key]}
    assert len(ratio) == 1  # the same direction, and shorter
    assert ratio.pop() > 1


def test_factored_margins_imply_those_of_all_trees(lessons: tuple[bool, list[str], list[Lesson]]) -> None:
    labelled, templates, taught = lessons
    for lesson in taught[:3]:
        learner = make_learner(templates, "mira-factored", labelled=labelled, limit=np.inf)
        for _ in range(50):
            _, weights = lesson.learn(learner)
        scores = lesson.slow.scores(weights)
        assert all(cost - dot(d, weights) < SHORT for d, cost in arc_constraints(lesson, scores))
        trees, sums = lesson.slow.ranked(scores)
        words = np.arange(1, lesson.slow.n + 1)
        gold = scores[words, lesson.gold[0][1:], lesson.gold[1][1:]].sum()
        for tree, score in zip(trees, sums, strict=True):
            assert gold - score >= MARGIN * loss(lesson.gold, tree) - SHORT * lesson.slow.n


@given(st.integers(1, 5), st.integers(0, 2**32 - 1), st.sampled_from([np.inf, 0.3, 0.02]))
@settings(max_examples=150, deadline=None)
def test_hildreth_agrees_with_enumeration_of_active_sets(size: int, seed: int, limit: float) -> None:
    hildreth = import_or_skip("testing").hildreth
    rng = np.random.default_rng(seed)
    rows = rng.integers(-1, 2, (size, 12)).astype(float)
    rows[rng.random(size) < 0.2] = rows[0]  # constraints that repeat each other
    violations = rows @ rng.normal(size=12)  # some point satisfies them all, so that the dual is bounded
    alpha, done = hildreth(gram := rows @ rows.T, violations, limit, 1e-9, 100_000)
    assert done
    assert (alpha >= 0).all()
    assert (alpha <= limit).all()
    best = solve_by_cases(gram, violations, limit)
    assert violations @ alpha - alpha @ gram @ alpha / 2 == pytest.approx(best, abs=1e-6)
    if np.isinf(limit):
        assert (violations - gram @ alpha < 1e-6).all()


def test_hildreth_stops_at_its_passes() -> None:
    hildreth = import_or_skip("testing").hildreth
    gram = np.array([[1.0, 0.9999], [0.9999, 1.0]])
    alpha, done = hildreth(gram, np.array([1.0, -0.5]), np.inf, 1e-12, 1)
    assert not done
    assert (alpha >= 0).all()
    alpha, done = hildreth(np.zeros((1, 1)), np.array([1.0]), np.inf, 1e-9, 5)  # the trees do not differ
    assert done
    assert alpha == [0.0]
