"""Learners: the step of each by a slow twin, margins after it, Hildreth, runs that repeat, bad options."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import DATA, ROOT, Run
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_learning import (
    SlowSentence,
    Tree,
    Vector,
    dot,
    loss,
    solve_by_cases,
    solve_by_gradient,
    weights_of,
)
from small_treebanks import as_text, source, trained

from wnparse._core.learner import Learner
from wnparse._core.tables import LabelChoice
from wnparse._core.testing import hildreth
from wnparse._core.tokens import Tokens
from wnparse.checkpoint import resume as resume_run
from wnparse.checkpoint import save_checkpoint
from wnparse.conllu import Sentence, read
from wnparse.constraints import Constraints
from wnparse.decoders import make_settings
from wnparse.encode import Columns, encode
from wnparse.features import compile_templates, default_templates
from wnparse.learners import LEARNERS
from wnparse.parsing import Parser, ParsingOptions
from wnparse.training import Trainer, TrainingOptions

LARGE_MARGIN = [name for name in LEARNERS if name != "perceptron"]
MARGIN = 150.0
SHORT = 2e-3 * MARGIN  # margins hold up to the tolerance of the solver
MSA = make_settings("msa", Constraints(single_root=True))


@pytest.fixture(scope="module")
def sample() -> list[Sentence]:
    return list(read(ROOT / "data" / "dev.conllu"))


class Lesson:
    """A short sentence, its gold tree with few labels, and its slow twin."""

    def __init__(self, sentence: Sentence, templates: list[str], *, labelled: bool) -> None:
        heads = sentence.heads
        names = [0 if not labelled else 3 if h == 0 else int(h > m) + (m % 3 == 0) for m, h in enumerate(heads)]
        self.tokens: Tokens = encode(sentence, Columns())
        self.gold: Tree = heads, np.array([0, *names[1:]], np.int32)
        self.slow = SlowSentence(sentence, templates, 4 if labelled else 0)

    def learn(self, learner: Learner) -> tuple[Vector, Vector]:
        """The weights before and after a step."""
        before = weights_of(learner.state()[1])
        assert learner.learn(self.tokens, *self.gold, MSA) is not None
        return before, weights_of(learner.state()[1])


def make_learner(templates: list[str], name: str, *, labelled: bool, limit: float, k: int = 4) -> Learner:
    labels = np.array([0, 1, 2, 3], np.int32)
    choice = LabelChoice(np.array([0, 1], np.uint64), np.array([0, 3, 4], np.int32), labels)
    return Learner(
        compile_templates(templates), choice if labelled else None, MARGIN, LEARNERS[name].code, limit * MARGIN, k
    )


@pytest.fixture(scope="module", params=[True, False], ids=["labelled", "unlabelled"])
def lessons(request: pytest.FixtureRequest, sample: list[Sentence]) -> tuple[bool, list[str], list[Lesson]]:
    templates = default_templates(labelled=request.param)
    short = [s for s in sample if 4 <= len(s) <= 5 and np.count_nonzero(s.heads == 0) == 1][:6]
    return request.param, templates, [Lesson(sentence, templates, labelled=request.param) for sentence in short]


def arc_constraints(lesson: Lesson, scores: np.ndarray) -> Iterator[tuple[Vector, float]]:
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


def constraints_of(name: str, lesson: Lesson, weights: Vector, k: int) -> list[tuple[Vector, float]]:
    """What a step must satisfy: differences of features, and losses."""
    scores = lesson.slow.scores(weights)
    if name == "mira-factored":
        return list(arc_constraints(lesson, scores))
    if name == "pa":
        scores = lesson.slow.add_costs(scores, lesson.gold, MARGIN)
    trees, _ = lesson.slow.ranked(scores)
    return list(tree_constraints(lesson, trees[: k if name == "mira-kbest" else 1]))


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
        wanted = constraints_of(name, lesson, before, 4)
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


@pytest.mark.parametrize("name", ["mira", "pa"])
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
def test_hildreth_finds_the_best_of_all_cases(size: int, seed: int, limit: float) -> None:
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
    gram = np.array([[1.0, 0.9999], [0.9999, 1.0]])
    alpha, done = hildreth(gram, np.array([1.0, -0.5]), np.inf, 1e-12, 1)
    assert not done
    assert (alpha >= 0).all()
    alpha, done = hildreth(np.zeros((1, 1)), np.array([1.0]), np.inf, 1e-9, 5)  # nothing tells the trees apart
    assert done
    assert alpha == [0.0]


@pytest.mark.parametrize("options", [{}, {"labelled": False}, {"decoder": "eisner"}, {"prune": False}], ids=str)
def test_one_best_tree_is_single_best_mira(sample: list[Sentence], options: dict[str, object]) -> None:
    first = trained(sample[:60], learner="mira", **options)
    second = trained(sample[:60], learner="mira-kbest", k=1, **options)
    assert all(np.array_equal(first.weights[name], second.weights[name]) for name in first.weights)
    other = trained(sample[:60], learner="mira-kbest", k=2, **options)
    assert not all(np.array_equal(first.weights[name], other.weights[name]) for name in first.weights)


@pytest.mark.parametrize("name", LARGE_MARGIN)
@pytest.mark.parametrize("decoder", ["eisner", "bnb"])
def test_learners_learn(sample: list[Sentence], name: str, decoder: str) -> None:
    """Three epochs over half of the sample's development set, with trees held to constraints."""
    model = trained(sample[:150], learner=name, decoder=decoder, epochs=3)
    history = model.info["history"]
    assert history[-1]["train_las"] > history[0]["train_las"] + 10
    parser = Parser(model, ParsingOptions("msa", Constraints(single_root=True)))
    right = words = 0
    for sentence in sample[150:]:
        found = parser.parse(sentence).parse
        assert found is not None
        right += int((found.heads[1:] == sentence.heads[1:]).sum())
        words += len(sentence)
    assert right / words > 0.75


@pytest.mark.parametrize("name", ["mira-kbest", "mira-factored"])
def test_dropped_arcs_are_not_learned_from(sample: list[Sentence], name: str) -> None:
    """From zero weights, a step changes no feature that only arcs dropped by the first pass have."""
    treebank = [sentence for sentence in sample if 8 <= len(sentence) <= 12][:40]
    trainer = Trainer(treebank, None, TrainingOptions(learner=name))
    trainer.run_epoch(lambda: False, lambda words, right: None)
    assert trainer.first_pass is not None
    first_pass = replace(trainer.first_pass, most=3)
    kept = dropped = 0
    for sentence, example in list(zip(treebank, trainer.examples, strict=True))[:5]:
        fresh = Trainer(treebank, None, TrainingOptions(learner=name))
        fresh.use_first_pass(first_pass)
        blank = replace(fresh.model(), first_pass=first_pass)
        assert fresh.learner.learn(example.tokens, example.heads, example.labels, fresh.settings) is not None
        changed = set(fresh.learner.state()[1]["keys"].tolist())
        _, labels = blank.scorer.scores(example.tokens, True)
        slow_keys: dict[bool, set[int]] = {True: set(), False: set()}
        for m in range(1, len(sentence) + 1):
            for h in set(range(len(sentence) + 1)) - {m}:
                candidate = labels[m, h] >= 0 or h == example.heads[m]
                slow_keys[candidate] |= set(pair_keys(sentence, trainer.templates, h, m))
        kept += len(changed & slow_keys[True])
        dropped += len(slow_keys[False] - slow_keys[True])
        assert not changed & (slow_keys[False] - slow_keys[True])
    assert kept
    assert dropped


@pytest.mark.parametrize("name", LARGE_MARGIN)
def test_a_long_sentence_takes_neither_minutes_nor_gigabytes(sample: list[Sentence], name: str) -> None:
    """500 words, nothing dropped: a quarter of a million arcs miss their margins at first."""
    words = [
        line for sentence in sample for line in zip(sentence.column("form"), sentence.column("upos"), strict=True)
    ]
    rows = [(form, upos, i, "dep" if i else "root") for i, (form, upos) in enumerate(words[:500])]
    (sentence,) = source(as_text([rows]))
    trainer = Trainer([sentence], None, TrainingOptions(learner=name, prune=False, epochs=1))
    before = resource.getrusage(resource.RUSAGE_SELF)
    progress = trainer.run_epoch(lambda: False, lambda words, right: None)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert progress is not None
    assert progress.updates == 1
    assert after.ru_utime - before.ru_utime < 30
    assert after.ru_maxrss - before.ru_maxrss < 1_000_000  # kilobytes


def pair_keys(sentence: Sentence, templates: list[str], h: int, m: int) -> Iterator[int]:
    import oracles_features

    for number, template in enumerate(templates):
        if "label" not in template.split():
            yield from oracles_features.keys(sentence, number, template, h, m)


@pytest.mark.parametrize("name", LARGE_MARGIN)
def test_a_resumed_run_has_the_same_bytes(sample: list[Sentence], name: str, tmp_path: Path) -> None:
    options = TrainingOptions(epochs=2, learner=name)
    whole, part = (Trainer(sample[:40], sample[40:60], options) for _ in range(2))
    for _ in range(2):
        whole.run_epoch(lambda: False, lambda words, right: None)
    part.run_epoch(lambda: False, lambda words, right: None)
    assert part.run_epoch(lambda: part.position == 17, lambda words, right: None) is None
    save_checkpoint(part, str(tmp_path / "c"))
    again = Trainer(sample[:40], sample[40:60], options)
    resume_run(again, str(tmp_path / "c"))
    again.run_epoch(lambda: False, lambda words, right: None)
    for trainer, path in ((whole, "whole"), (again, "again")):
        assert trainer.best is not None
        trainer.best.save(str(tmp_path / path))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("name", "told", "shown"),
    [
        ("perceptron", [], "perceptron, margin 150"),
        ("mira", [], "mira, C 0.01"),
        ("mira-kbest", ["--k", "3", "--C", "0.5"], "mira-kbest, C 0.5, k 3"),
        ("mira-factored", ["--unlabelled"], "mira-factored, C 0.01"),
        ("pa", ["--C", "0.002"], "pa, C 0.002"),
    ],
)
def test_a_model_remembers_its_learner(
    wnparse_inside: Run, tmp_path: Path, name: str, told: list[str], shown: str
) -> None:
    sentences = (DATA / "dev.conllu").read_bytes().split(b"\n\n")[:20]
    (tmp_path / "t").write_bytes(b"\n\n".join(sentences) + b"\n\n")
    arguments = ["train", "t", "--learner", name, *told, "--epochs", "1", "--log", "log", "-o"]
    assert wnparse_inside(*arguments, "m").returncode == 0
    assert json.loads((tmp_path / "log").read_text())["updates"] > 0
    assert wnparse_inside(*arguments, "again").returncode == 0
    assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()
    assert f"learner      {shown}\n".encode() in wnparse_inside("info", "m").stdout
    options = json.loads(wnparse_inside("info", "m", "--json").stdout)["options"]
    assert options["learner"] == name
    assert ("k" in options) == (name == "mira-kbest")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--k", "3"], b"learner 'perceptron' has no use for k; of use to: mira-kbest."),
        (["--learner", "mira", "--k", "3"], b"learner 'mira' has no use for k; of use to: mira-kbest."),
        (["--C", "1"], b"learner 'perceptron' has no use for C; of use to: mira, mira-kbest, mira-factored, pa."),
        (["--learner", "pa", "--margin", "9"], b"learner 'pa' has no use for margin; of use to: perceptron."),
        (["--learner", "mira", "--C", "0"], b"C is 0; expected a finite number above 0."),
        (["--learner", "mira", "--C", "nan"], b"C is nan; expected a finite number above 0."),
        (["--learner", "mira-kbest", "--k", "0"], b"k is 0; expected 1 to 100."),
        (
            ["--learner", "mira-kbest", "--decoder", "lr"],
            b"which decoder 'lr' cannot find; these can: msa, eisner, bnb",
        ),
        (["--learner", "mirror"], b"'mirror' is not one of"),
    ],
)
def test_options_that_contradict_each_other(
    wnparse_inside: Run, tmp_path: Path, options: list[str], message: bytes
) -> None:
    result = wnparse_inside("train", str(DATA / "dev.conllu"), "-o", "m", *options)
    assert result.returncode == 2
    assert message in result.stderr.splitlines()[-1]
    assert not (tmp_path / "m").exists()


def test_an_unknown_learner_is_refused(sample: list[Sentence]) -> None:
    with pytest.raises(ValueError, match="unknown learner 'mirror'; known: perceptron, mira,"):
        Trainer(sample[:2], None, TrainingOptions(learner="mirror"))
