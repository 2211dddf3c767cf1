"""Threads that share a model, learn side by side or are stopped; scripts/sanitize looks for races in them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import wnparse
from support.treebanks import first_sentences, sentences
from wnparse._core.watching import Watcher
from wnparse.decoding.constraints import Constraints
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.training.learners import LEARNERS

NESTED = Constraints(2, True, True)


@pytest.mark.parametrize(
    "options",
    [
        ParseOptions(constraints=NESTED),
        ParseOptions(decoder="lr", constraints=NESTED, prune=False),
        ParseOptions(constraints=NESTED, time_limit=5.0),
        ParseOptions(constraints=NESTED, k=2),
        ParseOptions(decoder="msa", keep_heads=True),
    ],
)
def test_threads_share_a_model(model: str, raw: bytes, options: ParseOptions) -> None:
    parser = Parser(wnparse.load(model), options)
    expected = [result.raws for result in parser.stream(sentences(raw))]
    for jobs in (2, 5):
        assert [result.raws for result in parser.stream(sentences(raw), jobs)] == expected
    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(lambda: list(parser.stream(sentences(raw), 2))) for _ in range(3)]
        assert all([result.raws for result in run.result()] == expected for run in runs)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_run_in_parallel(learner: str) -> None:
    treebank = sentences(first_sentences("dev", 25))
    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(lambda: wnparse.train(treebank, learner=learner, epochs=2)) for _ in range(3)]
        models = [run.result() for run in runs]
    parsed = [[sentence.raw for sentence in model.parse(treebank)] for model in models]
    assert parsed[0] == parsed[1] == parsed[2]


def test_another_thread_can_stop_parsing(model: str) -> None:
    """The word comes while several threads search, and while they begin to."""
    words = [f"{i}\tw\tw\tNOUN\tX\t_\t_\t_\t_\t_\n" for i in range(1, 120)]
    long = sentences("".join([*words, "\n"] * 4).encode())
    parser = Parser(wnparse.load(model), ParseOptions(constraints=NESTED, prune=False, max_nodes=2**31 - 1))
    for delay in (0.0, 0.01, 0.1):
        watcher = Watcher()
        with ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(parser.parse, [sentence], watcher) for sentence in long]
            timer = threading.Timer(delay, watcher.stop)
            timer.start()
            assert all(len(run.result(timeout=60)) == 1 for run in runs)
        timer.join()
