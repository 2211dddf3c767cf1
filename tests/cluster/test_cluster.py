"""Places of clusters, and independent tasks on real workers."""

from __future__ import annotations

import operator
import subprocess
import sys
from pathlib import Path

import pytest

from wnparse.cluster import NO_DASK, Place, connect


def test_places(tmp_path: Path) -> None:
    assert Place.of("local:3") == Place(processes=3)
    assert Place.of("local").processes >= 1
    assert Place.of("tcp://10.0.0.1:8786").address == "tcp://10.0.0.1:8786"
    assert Place.of("node7:8786").address == "node7:8786"
    file = tmp_path / "scheduler.json"
    file.write_text("{}")
    assert Place.of(f"file:{file}").file == str(file)


@pytest.mark.parametrize("text", ["", "local:", "local:0", "local:99999", "file:absent.json", "10.0.0.1", "a b:1"])
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|scheduler-file"):
        Place.of(text)


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ValueError, match="wnparse\\[cluster\\]") as told:
        Place.of("local:2")
    assert str(told.value) == NO_DASK


def test_tasks_finish_and_one_that_fails_costs_no_other() -> None:
    with connect("local:2") as cluster:
        assert len(cluster.workers()) == 2
        assert cluster.dashboard.startswith("http://127.0.0.1:")
        tasks = [(12, 0 if number == 7 else number + 1) for number in range(20)]
        done = {each.label: each for each in cluster.run(operator.floordiv, tasks)}
        assert isinstance(done.pop(7).error, ZeroDivisionError)
        assert {label: each.value for label, each in done.items()} == {
            number: 12 // (number + 1) for number in range(20) if number != 7
        }
        assert {each.worker for each in done.values()} <= set(cluster.workers())


def test_nothing_of_dask_is_imported_before() -> None:
    code = "import sys, wnparse.cluster; sys.exit(bool({'dask', 'distributed'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
