"""Random shapes, layouts, dtypes, scores and options: a valid tree, ValueError or InfeasibleError, nothing else.

``WNPARSE_FUZZ=10000`` runs as many inputs as that; the default is a smaller seeded run.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import wnparse
from support import strategies
from support.part_oracles import part_score
from support.tree_oracles import is_tree, structure
from wnparse.decoding.options import VARIANTS
from wnparse.decoding.registry import DECODERS

# Those that are written in Python take a hundred times as long.
OFTEN, SELDOM = (
    [name for name, decoder in DECODERS.items() if (decoder.code is None) == own] for own in (False, True)
)
ROUNDS = int(os.environ.get("WNPARSE_FUZZ", "1500"))
DTYPES = [np.float32, np.float64, np.float32, np.float64, np.float16, np.int64, np.int8, ">f4", ">f8"]
FloatArray = strategies.FloatArray


def draw_scores(rng: np.random.Generator) -> FloatArray:
    """Any family, sometimes with huge values, infinities and NaN in it."""
    family = str(rng.choice(list(strategies.FAMILIES)))
    # Whether forbidden arcs leave a valid tree is a search without a limit: long sentences could take for ever.
    n = int(
        rng.choice(
            [0, 1, 2, 3, 5, 8, 9, 16, 20] if family == "sparse" else [1, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65]
        )
    )
    scores = strategies.FAMILIES[family](rng, n)
    for value in (np.nan, np.inf, -np.inf, -1e9, 3e38, -3e38, 1e-40):
        if rng.random() < 0.04:
            scores[rng.integers(0, n + 1), rng.integers(0, n + 1)] = value
    if rng.random() < 0.3:
        strategies.spoil_ignored(scores, rng)
    return scores


def lay_out(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    """Return the same scores with other strides."""
    nodes = len(scores)
    kind = rng.integers(0, 5)
    if kind == 0:
        return np.asfortranarray(scores)
    if kind == 1:
        wide = np.zeros((nodes, nodes + int(rng.integers(1, 9))), scores.dtype)
        wide[:, :nodes] = scores
        return wide[:, :nodes]
    if kind == 2:
        return np.repeat(np.repeat(scores, 2, axis=0), 3, axis=1)[::2, ::3]
    if kind == 3:
        return scores[::-1, ::-1].copy()[::-1, ::-1]
    return scores


def draw_options(rng: np.random.Generator) -> dict[str, Any]:
    flag = lambda: bool(rng.random() < 0.5)  # noqa: E731
    options: dict[str, Any] = {
        "decoder": str(rng.choice(SELDOM if rng.random() < 0.03 else OFTEN)),
        "block_degree": [None, 1, 2, 3, 4, 1000][rng.integers(0, 6)],
        "well_nested": flag(),
        "single_root": flag(),
        "max_iterations": int(rng.choice([1, 2, 10, 30])),
        "max_nodes": int(rng.choice([1, 2, 4])),
    }
    if rng.random() < 0.5:
        options["variant"] = list(VARIANTS)[rng.integers(len(VARIANTS))]
    return options


def draw_parts(rng: np.random.Generator, n: int) -> wnparse.Parts:
    """Some rows of any nodes, a few of them beyond the sentence or senseless: ValueError."""
    kinds: dict[str, Any] = {}
    for kind, nodes in (("siblings", 3), ("grandparents", 3), ("grandsiblings", 4)):
        if rng.random() < 0.3:
            continue
        rows = rng.integers(0, n + 1, (int(rng.choice([0, 1, 5, 40, 300])), nodes))
        if kind != "grandparents":
            rows = rows[(rows[:, -3] != rows[:, -2]) | (rows[:, -2] != rows[:, -1])]
        values = rng.normal(size=len(rows)) * rng.choice([0.0, 1.0, 1e-6, 1e6])
        if len(rows) and rng.random() < 0.03:
            rows[rng.integers(0, len(rows))] = rng.choice([-1, 0, n + 1, 2**31])
        if len(rows) and rng.random() < 0.03:
            values[rng.integers(0, len(rows))] = rng.choice([np.nan, np.inf, -np.inf])
        kinds[kind] = rows.astype(rng.choice(["i4", "i8", ">i4"])), values.astype(rng.choice(["f4", "f8", ">f8"]))
    return wnparse.Parts(**kinds)


def check(
    solution: wnparse.Solution,
    scores: FloatArray,
    options: dict[str, Any],
    parts: wnparse.Parts | None = None,
) -> None:
    heads = solution.heads
    assert len(heads) == len(scores) and is_tree(heads)
    degree, nested, roots = structure(heads)
    assert options["block_degree"] is None or degree <= max(options["block_degree"], 1)
    assert nested or not options["well_nested"]
    assert roots == 1 or not options["single_root"] or len(heads) == 1
    total = scores.astype(np.float64)[np.arange(1, len(heads)), heads[1:]].sum()
    assert np.isfinite(total)
    if parts is not None:
        total += part_score(heads.tolist(), parts)
    assert np.isclose(solution.score, total, rtol=1e-9, atol=1e-6 if parts else 1e-9)
    assert solution.upper_bound >= solution.score


def test_random_calls_give_valid_trees_or_errors() -> None:
    rng = np.random.default_rng(7)
    outcomes = {"solved": 0, "refused": 0, "infeasible": 0}
    for _ in range(ROUNDS):
        options = draw_options(rng)
        with np.errstate(invalid="ignore", over="ignore"):
            scores = draw_scores(rng).astype(DTYPES[rng.integers(0, len(DTYPES))])
        try:
            solution = wnparse.decode(lay_out(rng, scores), **options)
        except wnparse.InfeasibleError:
            outcomes["infeasible"] += 1
        except ValueError:
            outcomes["refused"] += 1
        else:
            outcomes["solved"] += 1
            check(solution, scores, options)
    assert min(outcomes.values()) > ROUNDS // 100


def test_random_parts_give_valid_trees_or_errors() -> None:
    rng = np.random.default_rng(9)
    outcomes = {"solved": 0, "ranked": 0, "refused": 0, "infeasible": 0}
    for _ in range(ROUNDS // 5):
        options = draw_options(rng)
        scores = draw_scores(rng)[:40, :40]
        k = int(rng.integers(1, 4)) if DECODERS[options["decoder"]].ranks and rng.random() < 0.3 else None
        try:
            parts = draw_parts(rng, len(scores) - 1)
            answer = wnparse.decode(lay_out(rng, scores), parts=parts, k=k, **options)
        except wnparse.InfeasibleError:
            outcomes["infeasible"] += 1
        except ValueError:
            outcomes["refused"] += 1
        else:
            outcomes["solved" if k is None else "ranked"] += 1
            for solution in [answer] if k is None else answer:
                check(solution, scores, options, parts)
    assert min(outcomes.values()) > 0


def test_random_batches_equal_single_calls() -> None:
    rng = np.random.default_rng(8)
    for _ in range(ROUNDS // 50):
        count, nodes = int(rng.integers(0, 9)), int(rng.integers(1, 40))
        batch = rng.normal(size=(count, nodes, nodes)).astype([np.float32, np.float64][rng.integers(0, 2)])
        lengths = rng.integers(0, nodes, size=count)
        options = draw_options(rng) | {"threads": int(rng.integers(1, 4))}
        try:
            solutions = wnparse.decode_batch(batch, lengths, **options)
        except ValueError:
            continue
        for i, solution in enumerate(solutions):
            check(solution, batch[i, : lengths[i] + 1, : lengths[i] + 1], options)
