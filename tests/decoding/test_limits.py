"""Limits end every search: work limits alike on every machine, a time limit on time, signals at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wnparse
from support import tree_oracles
from wnparse._core.decoding import solve
from wnparse._core.watching import Watcher
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions

FloatArray = np.ndarray[Any, np.dtype[np.float64]]
WELL_NESTED: dict[str, Any] = {"block_degree": 2, "well_nested": True}
LIMIT = 0.2
SLACK = 1.5 if os.environ.get("CI") else 0.2  # seconds: what the machine may be busy with besides


def sparse(n: int, seed: int, *, planted: bool, heads: int = 3) -> FloatArray:
    """A few heads per word; with a projective tree among them if planted."""
    rng = np.random.default_rng([n, seed, planted])
    scores = np.full((n + 1, n + 1), -np.inf)
    for m in range(1, n + 1):
        chosen = rng.permutation([h for h in range(n + 1) if h != m])[:heads]
        scores[m, chosen] = rng.normal(size=len(chosen))
    if planted:
        tree = wnparse.decode(rng.normal(size=(n + 1, n + 1)), "eisner").heads
        scores[np.arange(1, n + 1), tree[1:]] = rng.normal(size=n)
    return scores


def seconds_of(scores: FloatArray, **options: Any) -> float:
    """Measure how long decoding takes, and check the tree if there is one."""
    start = time.perf_counter()
    try:
        solution = wnparse.decode(scores, **options)
    except (wnparse.LimitError, wnparse.InfeasibleError):
        return time.perf_counter() - start
    taken = time.perf_counter() - start
    assert solution.score <= solution.upper_bound
    assert Constraints(2, True).allow(solution.heads)
    return taken


@pytest.mark.parametrize("n", [30, 50, 100, 200])
@pytest.mark.parametrize("planted", [False, True])
def test_a_time_limit_ends_every_search(n: int, planted: bool) -> None:
    for seed in range(2):
        options = {**WELL_NESTED, "max_nodes": 2**31 - 1, "time_limit": 0.1}
        matrix = sparse(n, seed, planted=planted)
        assert any(seconds_of(matrix, **options) < 0.1 * 1.2 + 0.005 + SLACK for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("planted", [False, True])
def test_a_time_limit_holds_on_many_sparse_matrices(planted: bool) -> None:
    for n in (30, 60, 120, 200):
        for seed in range(5):
            taken = seconds_of(sparse(n, seed, planted=planted), **WELL_NESTED, time_limit=LIMIT)
            assert taken < LIMIT + SLACK


@pytest.mark.parametrize("n", [600, 1000])
def test_a_time_limit_holds_on_long_sentences(n: int) -> None:
    scores = np.random.default_rng(n).normal(size=(n + 1, n + 1)).astype(np.float32)
    assert any(seconds_of(scores, **WELL_NESTED, time_limit=0.2) < 0.2 * 1.2 + 0.005 + SLACK for _ in range(2))


def test_eisner_has_a_time_limit_too() -> None:
    scores = np.zeros((3001, 3001), np.float32)
    start = time.perf_counter()
    with pytest.raises(wnparse.LimitError, match=r"limit.*projective trees"):
        wnparse.decode(scores, "eisner", block_degree=1, time_limit=0.05)
    assert time.perf_counter() - start < 2 + SLACK


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 60, 120])
def test_default_limits_end_the_search(n: int) -> None:
    for planted in (False, True):
        assert seconds_of(sparse(n, 1, planted=planted), **WELL_NESTED) < 30


def test_work_limits_are_the_same_everywhere() -> None:
    for limits in ({"max_nodes": 5}, {"max_nodes": 40}, {"max_iterations": 3}):
        for seed in range(3):
            outcomes = []
            for _ in range(2):
                try:
                    solution = wnparse.decode(sparse(40, seed, planted=True), **WELL_NESTED, **limits)
                    outcomes.append(
                        (solution.heads.tolist(), solution.score, solution.upper_bound, solution.nodes)
                    )
                except (wnparse.LimitError, wnparse.InfeasibleError) as error:
                    outcomes.append(str(error))
            assert outcomes[0] == outcomes[1]


def unsettled() -> FloatArray:
    """A matrix that a node or two do not settle."""
    for seed in range(100):
        scores = sparse(60, seed, planted=False, heads=2)
        try:
            wnparse.decode(scores, block_degree=2, max_nodes=1, max_iterations=1)
        except wnparse.LimitError:
            return scores
        except wnparse.InfeasibleError:
            continue
    pytest.fail("every matrix is settled at once")


def test_raises_if_the_limit_is_reached_before_the_first_tree() -> None:
    scores = unsettled()
    options: dict[str, Any] = {"block_degree": 2, "max_nodes": 1, "max_iterations": 1}
    with pytest.raises(wnparse.LimitError, match="more nodes or time"):
        wnparse.decode(scores, **options)
    with pytest.raises(wnparse.LimitError):
        wnparse.decode(scores, k=3, **options)
    easy = np.zeros((61, 61))
    batch = wnparse.decode_batch([easy, scores, easy], **options)
    assert batch.certified.tolist()[1] is False
    assert batch.score[1] == -np.inf and (batch.heads[1] == -1).all()
    assert np.isfinite(batch.score[[0, 2]]).all() and tree_oracles.is_tree(tuple(batch.heads[2].tolist()))


def test_a_ranking_returns_what_it_has_at_the_limit() -> None:
    scores = np.random.default_rng(1).normal(size=(41, 41))
    start = time.perf_counter()
    trees = wnparse.decode(scores, k=1000, **WELL_NESTED, time_limit=0.3)
    assert time.perf_counter() - start < 0.3 * 1.2 + 0.005 + SLACK
    assert 1 <= len(trees) <= 1000
    totals = [tree.score for tree in trees]
    assert totals == sorted(totals, reverse=True) and len({tuple(tree.heads.tolist()) for tree in trees}) == len(
        trees
    )
    assert all(Constraints(2, True).allow(tree.heads) and tree.upper_bound >= tree.score for tree in trees)


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), "1", True])
def test_refuses_wrong_time_limits(wrong: object) -> None:
    with pytest.raises(ValueError, match="number of seconds"):
        wnparse.decode(np.zeros((3, 3)), time_limit=wrong)  # type: ignore[call-overload]


@pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")
def test_any_handler_that_raises_ends_a_search() -> None:
    def alarm(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        start = time.perf_counter()
        with pytest.raises(TimeoutError):
            wnparse.decode(np.random.default_rng(2).normal(size=(401, 401)), **WELL_NESTED, max_nodes=2**31 - 1)
        assert time.perf_counter() - start < 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_another_thread_ends_a_search() -> None:
    watcher = Watcher()
    scores = np.random.default_rng(2).normal(size=(401, 401))
    constraints = Constraints(2, True)
    settings = DecodeOptions(decoder="bnb", constraints=constraints, max_nodes=2**31 - 1).settings
    threading.Timer(0.2, watcher.stop).start()
    start = time.perf_counter()
    solve(scores, settings, watcher)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("n", [511, 512, 600, 1023, 1024, 1100])
@pytest.mark.parametrize("decoder", ["lr", "bnb"])
def test_decodes_where_bit_sets_change_their_width(n: int, decoder: str) -> None:
    """A sentence whose best tree is not valid, just at the widths where another size of sets begins."""
    near = -np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))).astype(np.float64)
    heads = np.arange(-1, n)
    heads[[n - 2, n - 1, n]] = n - 4, n - 3, n - 2  # the yields of n - 3 and n - 2 interleave
    near[np.arange(1, n + 1), heads[1:]] += 10
    solution = wnparse.decode(near, decoder, **WELL_NESTED, single_root=True, max_nodes=20, time_limit=20)
    assert Constraints(2, True, True).allow(solution.heads)
    assert solution.iterations > 1 and solution.score <= solution.upper_bound


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_ends_two_jobs_at_once(model: str, tmp_path: Path) -> None:
    """Half-annotated sentences whose search would take very long."""
    words = [f"{i}\tw\tw\tNOUN\tX\t_\t_\t_\t_\t_\n" for i in range(1, 400)]
    (tmp_path / "long.conllu").write_text("".join(words) + "\n" + "".join(words) + "\n")
    options = ["--jobs", "2", "--block-degree", "2", "--well-nested", "--max-nodes", "2000000000", "--no-prune"]
    command = [sys.executable, "-m", "wnparse", "parse", "-m", model, *options, "long.conllu", "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        time.sleep(2.5)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 130
