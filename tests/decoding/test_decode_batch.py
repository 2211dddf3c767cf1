"""Batches, threads, forks and Ctrl-C: the same answers, and interruption on request."""

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
from bench.score_matrices import padded_batch
from support.decoding_cases import TIGHT, gaussian, same, tight_limits
from wnparse.decoding.registry import DECODERS


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_batch_equals_single_calls(decoder: str, dtype: type) -> None:
    rng = np.random.default_rng(5)
    lengths = rng.integers(0, 8 if decoder == "ilp" else 14, size=40)
    matrices = [gaussian(int(n), i, dtype) for i, n in enumerate(lengths)]
    padded = np.full((40, 16, 16), np.nan, dtype)
    for i, scores in enumerate(matrices):
        padded[i, : len(scores), : len(scores)] = scores
    options = tight_limits(decoder)
    expected = [wnparse.decode(scores, decoder, **options) for scores in matrices]
    as_list = wnparse.decode_batch(matrices, decoder=decoder, **options)
    as_array = wnparse.decode_batch(padded, lengths, decoder, **options)
    sparse_view = np.repeat(padded, 2, axis=2)[:, :, ::2]
    as_view = wnparse.decode_batch(sparse_view, lengths.tolist(), decoder, threads=3, **options)
    for batch in (as_list, as_array, as_view):
        assert len(batch) == 40
        for i, solution in enumerate(batch):
            assert same(solution, expected[i])
            assert same(batch[i - 40], expected[i])
            assert batch.heads[i, : lengths[i] + 1].tolist() == expected[i].heads.tolist()
            assert (batch.heads[i, lengths[i] + 1 :] == -1).all()
    assert as_array.heads.shape == (40, 16) and as_list.heads.shape == (40, lengths.max() + 1)
    assert as_array.heads.dtype == np.int32 and as_array.certified.dtype == np.bool_
    assert as_array.score.dtype == as_array.upper_bound.dtype == np.float64


def test_batch_may_mix_dtypes_and_layouts() -> None:
    matrices: list[Any] = [gaussian(4, 1), gaussian(5, 2, np.float32), [[0, 0], [1, 0]], gaussian(6, 3).T]
    batch = wnparse.decode_batch(matrices, decoder="msa")
    for i, scores in enumerate(matrices):
        assert same(batch[i], wnparse.decode(scores, "msa"))


def test_batch_without_lengths_takes_matrices_whole() -> None:
    stack = np.stack([gaussian(5, seed) for seed in range(4)])
    expected = [wnparse.decode(scores).score for scores in stack]
    for batch in (stack, list(stack), tuple(stack), np.asfortranarray(stack)):
        assert wnparse.decode_batch(batch).score.tolist() == expected


def test_accepts_an_empty_batch() -> None:
    for batch in (
        wnparse.decode_batch([]),
        wnparse.decode_batch(np.zeros((0, 7, 7)), []),
        wnparse.decode_batch(np.zeros((0, 7, 7))),
    ):
        assert len(batch) == 0 and list(batch) == []
        assert batch.heads.shape[0] == 0 and batch.score.shape == (0,)
        with pytest.raises(IndexError):
            batch[0]


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([3], "lengths"),
        ([3, 6], r"lengths\[1\] is 6; .*0..5"),
        ([-1, 3], r"lengths\[0\] is -1"),
        ([[3, 3]], "one integer per sentence"),
        ([3.0, 3.0], "one integer per sentence"),
    ],
)
def test_refuses_wrong_lengths(lengths: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wnparse.decode_batch(np.zeros((2, 6, 6)), lengths)


def test_refuses_wrong_batches() -> None:
    with pytest.raises(ValueError, match=r"batch\[1\]: .*shape \(2, 3\)"):
        wnparse.decode_batch([gaussian(2), np.zeros((2, 3))])
    with pytest.raises(ValueError, match=r"shape \(6, 6\); expected \(B, N, N\)"):
        wnparse.decode_batch(np.zeros((6, 6)), [5])
    for threads in (0, -1, 1.5, True, None):
        with pytest.raises(ValueError, match="threads="):
            wnparse.decode_batch([gaussian(2)], threads=threads)  # type: ignore[arg-type]


@pytest.mark.parametrize("decoder", DECODERS)
def test_threads_change_nothing(decoder: str) -> None:
    matrices = [gaussian(n % 9, n) for n in range(60)] + list(padded_batch("hard", 20, 100))
    expected = wnparse.decode_batch(matrices, decoder=decoder, **tight_limits(decoder))
    for threads in (2, 5, 1000):
        batch = wnparse.decode_batch(matrices, decoder=decoder, threads=threads, **tight_limits(decoder))
        for name in ("heads", "score", "upper_bound", "certified", "iterations", "nodes"):
            assert np.array_equal(getattr(batch, name), getattr(expected, name))


def test_decode_from_many_python_threads() -> None:
    matrices = list(padded_batch("hard", 20, 200))
    expected = [wnparse.decode(scores, **TIGHT) for scores in matrices]
    results: list[list[wnparse.Solution]] = [[] for _ in range(4)]

    def work(solutions: list[wnparse.Solution]) -> None:
        solutions.extend(wnparse.decode(scores, **TIGHT) for scores in matrices)

    workers = [threading.Thread(target=work, args=(solutions,)) for solutions in results]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for solutions in results:
        assert all(same(solution, other) for solution, other in zip(solutions, expected, strict=True))


def test_batches_with_helpers_from_many_python_threads() -> None:
    batch = padded_batch("moderate", 20, 300)
    expected = wnparse.decode_batch(batch, None, "msa").heads.tolist()
    heads: list[list[list[int]]] = []

    def work(threads: int) -> None:
        heads.extend(wnparse.decode_batch(batch, None, "msa", threads=threads).heads.tolist() for _ in range(5))

    callers = [threading.Thread(target=work, args=(2 + i % 3,)) for i in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert heads == [expected] * 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_its_own_helper_threads(tmp_path: Path) -> None:
    # In a separate process: pytest's threads and a fork do not work together.
    program = (
        "import os, sys, numpy as np, wnparse\n"
        "batch = np.random.default_rng(0).normal(size=(300, 9, 9))\n"
        "def run(): return wnparse.decode_batch(batch, None, 'msa', threads=3).heads.tolist()\n"
        "expected = run()\n"
        "child = os.fork()\n"
        "same = run() == expected and run() == expected\n"
        "if child == 0: os._exit(0 if same else 3)\n"
        "sys.exit(0 if same and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 else 4)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=60, check=False).returncode == 0


# A process started in the background may ignore SIGINT.
LONG_SEARCH = """
import signal, numpy, wnparse
signal.signal(signal.SIGINT, signal.default_int_handler)
rng = numpy.random.default_rng(1)
hard = [rng.normal(size=(61, 61)) for _ in range(3)]
sparse = rng.normal(size=(201, 201))
sparse[rng.random(sparse.shape) > 2.5 / 200] = -numpy.inf
sparse[range(1, 201), [rng.integers(0, m) for m in range(1, 201)]] = 0
options = dict(block_degree=2, well_nested=True, max_nodes=2**31 - 1)
labels = ("ab", [rng.normal(size=(61, 61, 2)) for _ in range(3)])
rule = '[[rule]]\\nname = "r"\\nreason = "r"\\nat-most = 1\\ndependents = {{ relation = "a" }}'
rules = wnparse.Rules.parse(rule)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
small = wnparse.decode(rng.normal(size=(7, 7)), block_degree=2, well_nested=True)
print("certified" if small.certified else "open", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize(
    "call",
    [
        "wnparse.decode(hard[0], **options)",
        "wnparse.decode_batch(hard, **options)",
        "wnparse.decode_batch(hard, threads=2, **options)",
        "wnparse.decode(sparse, block_degree=3, max_nodes=2**31 - 1)",
        "wnparse.decode_batch(hard, threads=2, k=1000000, **options)",
        "wnparse.decode_batch(hard, threads=2, labels=labels, rules=rules, **options)",
    ],
)
def test_ctrl_c_ends_a_long_search(call: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", LONG_SEARCH.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - sent < 5
        assert process.stdout.readline() == "certified\n"
        assert process.wait(timeout=20) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")
@pytest.mark.parametrize("threads", [0, 1, 2])
def test_a_handler_that_returns_does_not_end_the_search(threads: int) -> None:
    """SIGINT with a handler of the user's: it runs, and the search or the batch continues to the same result."""
    matrices = [gaussian(40, seed) for seed in range(4)]
    options: dict[str, Any] = {"block_degree": 2, "well_nested": True, "max_nodes": 400}

    def solve() -> list[wnparse.Solution]:
        if threads:
            return list(wnparse.decode_batch(matrices, threads=threads, **options))
        return [wnparse.decode(scores, **options) for scores in matrices]

    expected = solve()
    seen = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    timers = [threading.Timer(delay, signal.raise_signal, [signal.SIGINT]) for delay in (0.01, 0.03, 0.06)]
    try:
        for timer in timers:
            timer.start()
        solutions = solve()
        for timer in timers:
            timer.join()
    finally:
        signal.signal(signal.SIGINT, previous)
    assert seen
    assert all(same(solution, other) for solution, other in zip(solutions, expected, strict=True))
