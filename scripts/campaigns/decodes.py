"""Decodes small random problems in chaos mode and compares every answer with all trees.

python scripts/campaigns/decodes.py --decodes 100000 --seed 1 --jobs 2

A problem has up to 5 words and arc scores of some family; it may have parts of higher order, labels, hard and soft
rules, a crossing penalty and given heads. Each is decoded with many decoders, constraints, limits, variants and
numbers of trees; the internal choices of the searches are drawn at random (cext/base/chaos.hpp). Every answer must
obey the contract of decoders: a valid tree with its own score, a bound that holds, and a certificate only for the
best tree.

The core must be built with WNPARSE_CHAOS=1; without it, only what users can choose is drawn. Any difference is
printed with the command that repeats it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

import wnparse
from support import strategies
from support.labelled_enumeration import LabelledEnumeration, Ranked
from support.labelled_tree_oracles import INFINITE, OracleRule, Pattern
from support.part_oracles import enumerate_trees, random_parts
from support.rule_problems import KINDS, bits_of, compile_rules, decode_labelled, random_rule, rank_labelled
from wnparse._core.rules import CompiledRules
from wnparse._core.settings import CHAOS, set_chaos
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import VARIANTS, DecodeOptions
from wnparse.decoding.registry import DECODERS
from wnparse.decoding.solution import Ranking, Solution

FloatArray = npt.NDArray[np.floating]
Shape = tuple[int | None, bool, bool]

SHAPES: list[Shape] = list(product((None, 1, 2, 3), (False, True), (False, True)))
PART_KINDS = ("siblings", "grandparents", "grandsiblings")
DECODES_OF_PROBLEM = 80
ILP_SHARE = 0.02  # of the decodes: it takes a hundred times as long
ENOUGH_NODES = 100_000_000


@dataclass
class Problem:
    """A problem, and all its trees."""

    seed: int
    scores: FloatArray
    parts: wnparse.Parts | None = None
    label_scores: npt.NDArray[np.float64] | None = None
    rules: list[OracleRule] = field(default_factory=list)
    nodes: list[frozenset[int]] = field(default_factory=list)
    compiled: CompiledRules | None = None
    every: LabelledEnumeration = None  # type: ignore[assignment]
    ranked: dict[Shape, Ranked] = field(default_factory=dict)

    @functools.cached_property
    def size(self) -> float:
        """The sum of the largest scores of all kinds: what rounding is measured by."""
        arrays = [self.scores[1:], *([] if self.label_scores is None else [self.label_scores[1:]])]
        arrays += [] if self.parts is None else [getattr(self.parts, kind)[1] for kind in PART_KINDS]
        sizes = (float(np.abs(array[np.isfinite(array)]).max(initial=0.0)) for array in arrays)
        return len(self.scores) * sum(sizes) + sum(r.penalty for r in self.rules if r.penalty < INFINITE)

    @property
    def plain(self) -> bool:
        """Whether arcs are all that counts."""
        return self.parts is None and self.label_scores is None

    def rank(self, shape: Shape) -> Ranked:
        """The trees of a shape, the best one first."""
        if shape not in self.ranked:
            self.ranked[shape] = self.every.rank(*shape)
        return self.ranked[shape]


def draw_scores(rng: np.random.Generator, words: int) -> FloatArray:
    """Of any family: tied, sparse, tiny, huge, of mixed magnitudes, float32 or float64."""
    family = str(rng.choice([*strategies.FAMILIES, "gaussian", "sparse", "mixed", "masked"]))
    if family == "mixed":
        scores = rng.normal(size=(words + 1, words + 1)) * 10.0 ** rng.integers(-5, 6, (words + 1, words + 1))
    elif family == "masked":
        scores = strategies.gaussian(rng, words)
        scores[rng.random(scores.shape) < 0.3] = -1e9
    else:
        scores = strategies.FAMILIES[family](rng, words)
    scores = scores * float(rng.choice([1.0, 1.0, 1e-9, 1e-7, 1e3, 1e9]))
    return scores.astype(rng.choice([np.float32, np.float64, np.float64]))


def make_problem(seed: int) -> Problem:
    """A problem by its seed."""
    rng, words_rng = np.random.default_rng(seed), random.Random(seed)
    words = int(rng.choice([1, 2, 3, 4, 4, 5, 5]))
    scores = draw_scores(rng, words)
    if rng.random() < 0.15:  # given heads
        for m in rng.choice(np.arange(1, words + 1), int(rng.integers(1, words + 1)), replace=False):
            h = int(rng.choice([v for v in range(words + 1) if v != m]))
            score = scores[m, h] if np.isfinite(scores[m, h]) else 0.0
            scores[m] = -np.inf
            scores[m, h] = score
    problem = Problem(seed, scores)
    unit = _unit(scores)
    if rng.random() < 0.5:
        kinds = [kind for kind in PART_KINDS if rng.random() < 0.6]
        style = str(rng.choice(["dense", "tied", "sparse"]))
        parts = random_parts(rng, words, kinds, style)
        scale = unit * float(rng.choice([1.0, 1.0, 1e-3, 1e3]))
        problem.parts = wnparse.Parts(
            **{kind: (getattr(parts, kind)[0], getattr(parts, kind)[1] * scale) for kind in kinds}
        )
    if rng.random() < 0.5:
        _add_labels(problem, rng, words_rng, unit)
    scored = scores.astype(np.float64)
    every = enumerate_trees(scored, problem.parts or wnparse.Parts())
    problem.every = LabelledEnumeration(
        every.trees, every.scores, problem.label_scores, problem.rules, problem.nodes
    )
    return problem


def _unit(scores: FloatArray) -> float:
    """How far scores of a word are from each other, roughly; 1 if they are all the same."""
    rows = scores[1:].astype(np.float64)
    finite = rows[np.isfinite(rows)]
    spread = float(np.median(np.abs(finite - np.median(finite)))) if finite.size else 0.0
    return spread if spread > 0 else 1.0


def _add_labels(problem: Problem, rng: np.random.Generator, words_rng: random.Random, unit: float) -> None:
    words = len(problem.scores) - 1
    count = int(rng.choice([1, 2, 2, 3] if words < 5 else [1, 2]))
    labels = rng.normal(size=(words + 1, words + 1, count)) * unit
    if rng.random() < 0.3:
        labels = np.round(labels / unit) * unit
    if rng.random() < 0.3:
        labels[rng.random(labels.shape) < 0.3] = -np.inf
    problem.label_scores = labels
    problem.scores = problem.scores.astype(np.float64)
    problem.nodes = [frozenset(v for v in range(words + 1) if rng.random() < 0.5) for _ in range(3)]
    for kind in words_rng.choices(KINDS, k=words_rng.randint(0, 4)):
        rule = random_rule(words_rng, kind, count, 3)
        penalty = (
            rule.penalty if rule.penalty == INFINITE else rule.penalty * unit * words_rng.choice([1, 1, 0.01, 100])
        )
        problem.rules.append(OracleRule(**{**rule.__dict__, "penalty": penalty}))
    if words_rng.random() < 0.3:  # the penalty of each crossing pair
        everything = Pattern(frozenset(range(count)))
        penalty = unit * words_rng.choice([0.1, 1.0, 10.0])
        problem.rules.append(OracleRule("projective", everything, penalty / 2, crossing=15))
    problem.compiled = compile_rules(problem.rules, count, 3)


@dataclass(frozen=True)
class Call:
    """How a problem is decoded."""

    decoder: str
    shape: Shape
    limits: dict[str, Any]
    k: int | None
    chaos: int
    stops: bool

    @property
    def limited(self) -> bool:
        """Whether a search may end before its proof."""
        return self.stops or "time_limit" in self.limits or self.limits["max_nodes"] < ENOUGH_NODES


def draw_calls(problem: Problem, seed: int) -> Iterator[Call]:
    """Calls of the decoders for a problem."""
    rng = random.Random(seed)
    names = [name for name, entry in DECODERS.items() if entry.code is not None]
    for _ in range(DECODES_OF_PROBLEM):
        decoder = "ilp" if rng.random() < ILP_SHARE else rng.choice([*names, "bnb", "bnb", "bnb", "lr"])
        shape = rng.choice(SHAPES)
        if not DECODERS[decoder].structural:
            shape = (None, False, shape[2])
        limits: dict[str, Any] = {"max_nodes": ENOUGH_NODES}
        if rng.random() < 0.5:
            limits["max_iterations"] = rng.randint(1, 30)
        if rng.random() < 0.3:
            limits["max_nodes"] = rng.randint(1, 30)
        if rng.random() < 0.03:
            limits["time_limit"] = rng.choice([1e-6, 1e-4])
        if decoder in ("lr", "bnb") and rng.random() < 0.5:
            limits["variant"] = rng.choice(list(VARIANTS))
        k = rng.choice([1, 2, 3, 8, 40]) if DECODERS[decoder].ranks and rng.random() < 0.25 else None
        chaos = rng.getrandbits(62) | 1 if CHAOS and rng.random() < 0.9 else 0
        yield Call(decoder, shape, limits, k, chaos, bool(chaos) and rng.random() < 0.2)


def decode(problem: Problem, call: Call) -> Solution | Ranking | None:
    """The answer; None if there is no tree."""
    constraints = Constraints(*call.shape)
    set_chaos(call.chaos, call.stops)
    try:
        if problem.label_scores is None:
            return wnparse.decode(
                problem.scores, call.decoder, k=call.k, parts=problem.parts, constraints=constraints, **call.limits
            )
        settings = DecodeOptions(decoder=call.decoder, constraints=constraints, **call.limits).settings
        words = len(problem.scores) - 1
        rows = problem.parts.arrays(words, "") if problem.parts is not None else None
        assert problem.compiled is not None
        bits = bits_of(problem.nodes, words)
        arguments = problem.scores, problem.label_scores, problem.compiled, bits, settings, rows
        result = decode_labelled(*arguments) if call.k is None else rank_labelled(*arguments, call.k)
        if result is not None and (result.score == -np.inf if isinstance(result, Solution) else not result):
            raise wnparse.LimitError("a limit came first")
        return result
    except wnparse.InfeasibleError:
        return None
    finally:
        set_chaos(0)


def check(problem: Problem, call: Call) -> str:
    """Decode and compare; what came of it, AssertionError if it is wrong."""
    best = problem.rank(call.shape)
    projective = problem.rank((1, *call.shape[1:]))
    only_projective = call.decoder == "eisner"
    try:
        result = decode(problem, call)
    except wnparse.LimitError:
        assert call.limited, "LimitError without a limit"
        return "limit"
    except ValueError as error:
        if "too large for scores" in str(error):
            return "refused"
        raise
    if result is None:
        none = len(projective.tree) == 0 if call.decoder in ("eisner", "msa-eisner") else len(best.tree) == 0
        assert none, "no tree, although there is one"
        return "infeasible"
    expected = projective if only_projective else best
    trees = result if isinstance(result, list) else [result]
    for rank, tree in enumerate(trees):
        _check_tree(problem, call, tree, best, expected, rank)
    if isinstance(result, Ranking):
        _check_ranking(problem, call, result, expected)
    elif not call.limited and (call.decoder == "bnb" or (call.decoder == "msa" and problem.plain)):
        assert result.certified, "not certified without a limit"
    return "certified" if trees[0].certified else "open"


def tolerance_of(problem: Problem, call: Call) -> float:
    """Within how much scores are compared: rounding, in units of the differences between trees."""
    scores = problem.every.score
    scores = scores[scores > -np.inf]
    spread = float(np.ptp(scores)) if scores.size else 0.0
    size = 0.0
    if problem.parts is not None:
        size = max(
            (float(np.abs(getattr(problem.parts, kind)[1]).max(initial=0.0)) for kind in PART_KINDS), default=0.0
        )
    if call.decoder == "ilp":
        # Its unit is what a tree loses against the best head of every word.
        heads = np.where(np.eye(len(problem.scores), dtype=bool), -np.inf, problem.scores)[1:].max(axis=1)
        loss = float(heads.sum() - scores.max()) if scores.size and problem.label_scores is None else 0.0
        return 1e-6 * (spread + size) + 1e-7 * abs(loss)
    if problem.scores.dtype == np.float32:
        used = problem.scores[1:].astype(np.float64)
        used = used[np.isfinite(used)]
        return 1e-6 * len(problem.scores) * float(np.ptp(used)) if used.size else 0.0
    return 1e-10 * spread + 1e-11 * size


def _check_tree(problem: Problem, call: Call, tree: Solution, best: Ranked, expected: Ranked, rank: int) -> None:
    tolerance = tolerance_of(problem, call)
    labels = [-1, *tree.labels[1:]] if tree.labels is not None else None
    known = problem.every.find(tree.heads.tolist(), labels)
    assert known is not None, f"not a tree: {tree.heads.tolist()}, {labels}"
    row = problem.every.trees.row[tuple(tree.heads.tolist())]
    shape = (1, *call.shape[1:]) if call.decoder == "eisner" else call.shape
    assert problem.every.trees.valid(*shape)[row], "invalid"
    broken, score = known
    tolerance += 1e-13 * problem.size
    assert abs(tree.score - score) <= tolerance, f"score {tree.score}, really {score}"
    assert tree.broken == broken, f"broken {tree.broken}, really {broken}"
    assert rank < len(expected.tree), "more trees than there are"
    aim = (-int(best.broken[rank]), float(best.score[rank])) if rank < len(best.tree) else (0, -np.inf)
    worth = (-tree.broken, tree.score)
    assert tree.upper_bound >= tree.score, "bound below the score"
    assert worth[0] < aim[0] or (worth[0] == aim[0] and worth[1] <= aim[1] + tolerance), (
        f"better than the best {aim}: {worth}"
    )
    if worth[0] == aim[0]:
        assert tree.upper_bound >= aim[1] - tolerance, f"bound {tree.upper_bound} below the best {aim}"
    if tree.certified:
        assert worth[0] == aim[0] and worth[1] >= aim[1] - tolerance, f"certified {worth}, the best is {aim}"


def _check_ranking(problem: Problem, call: Call, ranking: Ranking, expected: Ranked) -> None:
    assert call.k is not None
    assert len({tuple(tree.heads.tolist()) for tree in ranking}) == len(ranking), "a tree twice"
    keys = [(tree.broken, -tree.score) for tree in ranking]
    assert keys == sorted(keys), "not in order"
    whole = min(call.k, len(expected.tree))
    assert not ranking.complete or len(ranking) == whole, f"{len(ranking)} trees of {whole}, called complete"
    if not call.limited:
        assert ranking.complete, "not complete without a limit"
        exact = call.decoder == "bnb" or (call.decoder == "msa" and problem.plain)
        assert not exact or all(tree.certified for tree in ranking), "not certified without a limit"


def run(first: int, problems: int) -> tuple[Counter[str], list[str]]:
    """Try problems by their seeds: how often each came out, and what was wrong."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(first, first + problems):
        problem = make_problem(seed)
        for number, call in enumerate(draw_calls(problem, seed)):
            try:
                counts[check(problem, call)] += 1
            except Exception as error:
                counts["wrong"] += 1
                message = f"{type(error).__name__}: {error}"
                wrong.append(f"--problem {seed} --call {number}: {message}\n    {call}")
    return counts, wrong


def main() -> int:
    """Run the campaign, or repeat a problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decodes", type=int, default=20_000, help="how many (default: 20,000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first problem (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--problem", type=int, help="repeat one problem")
    parser.add_argument("--call", type=int, help="repeat one call of it, and print the answer")
    options = parser.parse_args()
    if not CHAOS:
        print("the core was built without WNPARSE_CHAOS=1: searches make their usual choices", file=sys.stderr)
    if options.problem is not None:
        return repeat(options.problem, options.call)
    first, chunk = options.seed * 1_000_000, 50
    starts = range(first, first + -(-options.decodes // DECODES_OF_PROBLEM), chunk)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    began = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, (more, messages) in enumerate(pool.map(run, starts, [chunk] * len(starts)), 1):
            counts += more
            wrong += messages
            for message in messages:
                print(message, flush=True)
            if number % 20 == 0:
                print(
                    f"{sum(counts.values()):,} decodes, {time.monotonic() - began:.0f} s: {dict(counts)}",
                    file=sys.stderr,
                )
    print(f"{counts.total():,} decodes, seed {options.seed}: {dict(sorted(counts.items()))}")
    return 1 if wrong else 0


def repeat(seed: int, number: int | None) -> int:
    """Decode one problem again, and show what came of it."""
    problem = make_problem(seed)
    calls = list(draw_calls(problem, seed))
    for i, call in enumerate(calls):
        if number is None or i == number:
            best = problem.rank(call.shape)
            if number is not None:
                print(problem, call, f"best {best.broken[:3]} {best.score[:3]}", decode(problem, call), sep="\n")
            print(i, check(problem, call))
    return 0


if __name__ == "__main__":
    sys.exit(main())
