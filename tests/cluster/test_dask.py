"""Places of clusters, and independent tasks on real workers."""

from __future__ import annotations

import operator
import re
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from support.treebanks import first_sentences
from wnparse.cluster.calls import Call
from wnparse.cluster.dask import ClusterLocation, connect
from wnparse.treebanks.chunks import count_cores


def test_parses_addresses_of_clusters(tmp_path: Path) -> None:
    assert ClusterLocation.of("local:3") == ClusterLocation(processes=3)
    assert ClusterLocation.of("local").processes == count_cores() >= 1
    assert ClusterLocation.of("tcp://10.0.0.1:8786").address == "tcp://10.0.0.1:8786"
    assert ClusterLocation.of("node7:8786").address == "node7:8786"
    file = tmp_path / "scheduler.json"
    file.write_text("{}")
    assert ClusterLocation.of(f"file:{file}").file == str(file)


def test_counts_cores_without_process_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 7)
    assert ClusterLocation.of("local").processes == 7
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert ClusterLocation.of("local").processes == 1


@pytest.mark.parametrize("text", ["", "local:", "local:0", "local:99999", "file:absent.json", "10.0.0.1", "a b:1"])
def test_refuses_invalid_addresses(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|scheduler-file"):
        ClusterLocation.of(text)


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=re.escape("wnparse[cluster]")) as raised:
        ClusterLocation.of("local:2")
    assert "\n" not in str(raised.value)


def test_a_failing_task_does_not_affect_others() -> None:
    with connect("local:2") as cluster:
        assert len(cluster.workers()) == 2
        assert cluster.dashboard.startswith("http://127.0.0.1:")
        calls = deque(
            Call(number, operator.floordiv, (12, 0 if number == 7 else number + 1)) for number in range(20)
        )
        done = {outcome.call.label: outcome for outcome in cluster.run(calls)}
        assert isinstance(done.pop(7).error, ZeroDivisionError)
        assert {label: finished.value for label, finished in done.items()} == {
            number: 12 // (number + 1) for number in range(20) if number != 7
        }
        assert {finished.worker for finished in done.values()} <= set(cluster.workers())


def run_inside(before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line after some code; at the end it says whether anything of Dask was imported."""
    imported = "bool({'dask', 'distributed', 'wnparse.cluster.dask'} & {n for n, m in sys.modules.items() if m})"
    code = f"import sys; {before}; from wnparse.cli.main import main\ntry: main()\nfinally: print({imported})"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_nothing_of_dask_is_imported_without_a_cluster(model: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(first_sentences("test", 2))
    result = run_inside("pass", "parse", "-m", model, str(tmp_path / "x"), "-o", str(tmp_path / "y"))
    assert (result.returncode, result.stdout) == (0, "False\n")


def test_without_the_extra_the_command_names_it(model: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    arguments = [
        "parse",
        "--cluster",
        "local:2",
        "-m",
        model,
        str(tmp_path / "x"),
        "--output-dir",
        str(tmp_path / "out"),
    ]
    result = run_inside("sys.modules['distributed'] = None", *arguments)
    assert result.returncode == 2
    assert re.fullmatch(r"wnparse: .*wnparse\[cluster\].*\n", result.stderr)
