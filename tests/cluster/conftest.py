"""A cluster that tests share, and clusters of their own for those that break them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.clusters import Processes
from support.places import DATA


@pytest.fixture(scope="session")
def tagging_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A calibrated parser with a tagger."""
    path = tmp_path_factory.mktemp("tagging") / "m.wnp"
    options = ["--dev", str(DATA / "test.conllu"), "--epochs", "1", "--order", "1", "--jackknife", "2"]
    command = [sys.executable, "-m", "wnparse", "train", str(DATA / "dev.conllu"), "-o", str(path), *options]
    subprocess.run(command, check=True, capture_output=True)
    return str(path)


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a cluster with two workers, which no test damages."""
    processes = Processes(tmp_path_factory.mktemp("dask"))
    for _ in range(2):
        processes.start_worker()
    yield processes.place
    processes.end()


@pytest.fixture
def own_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Processes]]:
    """Starts a scheduler without workers."""
    started = []

    def start() -> Processes:
        started.append(Processes(Path(tmp_path_factory.mktemp("dask"))))
        return started[-1]

    yield start
    for processes in started:
        processes.end()
