"""Models in memory: replaced under a running process, mapped, compressed; the time to load them."""

from __future__ import annotations

import gzip
import lzma
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.treebanks import first_sentences
from wnparse.parser.model import load
from wnparse.storage import tensors


@pytest.mark.parametrize("how", ["truncated", "overwritten"])
def test_a_model_works_after_its_file_is_replaced(model: str, raw: bytes, tmp_path: Path, how: str) -> None:
    (tmp_path / "m").write_bytes(Path(model).read_bytes())
    expected = [sentence.raw for sentence in wnparse.load(model).parse(wnparse.read(_file(tmp_path, raw)))]
    one, *others = (block + b"\n\n" for block in raw.split(b"\n\n")[:40])
    command = [sys.executable, "-m", "wnparse", "parse", "-m", "m"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(one)
        process.stdin.flush()
        first = b"".join(process.stdout.readline() for _ in one.splitlines())
        size = (tmp_path / "m").stat().st_size
        with (tmp_path / "m").open("r+b") as file:  # as cp and rsync --inplace do: the same file, other bytes
            if how == "truncated":
                file.truncate(0)
            else:
                file.write(np.random.default_rng(1).bytes(size))
        process.stdin.write(b"".join(others))
        process.stdin.close()
        rest = process.stdout.read()
    assert process.returncode == 0
    assert first + rest == b"".join(expected)


def _file(folder: Path, data: bytes) -> Path:
    (folder / "raw").write_bytes(data)
    return folder / "raw"


def test_a_large_model_is_mapped(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = list(wnparse.read(_file(tmp_path, first_sentences("test", 5))))
    read = [sentence.raw for sentence in load(model).parse(sentences)]
    monkeypatch.setattr(tensors, "IN_MEMORY", 1000)
    maps = Path("/proc/self/maps")
    mapped = load(model)
    if maps.exists():
        assert os.path.realpath(model) in maps.read_text()
    assert [sentence.raw for sentence in mapped.parse(sentences)] == read


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_reads_compressed_models(wnparse_inside: Run, tmp_path: Path, raw: bytes, ending: str) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 30))
    assert wnparse_inside("train", "t", "-o", "m", "--epochs", "1", "--order", "1").returncode == 0
    assert wnparse_inside("train", "t", "-o", f"m.wnp{ending}", "--epochs", "1", "--order", "1").returncode == 0
    decompress = gzip.decompress if ending == ".gz" else lzma.decompress
    packed = (tmp_path / f"m.wnp{ending}").read_bytes()
    assert decompress(packed) == (tmp_path / "m").read_bytes()
    expected = wnparse_inside("parse", "-m", "m", stdin=raw).stdout
    assert wnparse_inside("parse", "-m", f"m.wnp{ending}", stdin=raw).stdout == expected
    damaged = {
        "half": packed[: len(packed) // 2],
        "plain": (tmp_path / "m").read_bytes(),
        "empty": b"",
        "altered": packed[:3000] + bytes([packed[3000] ^ 1]) + packed[3001:],
    }
    for name, data in damaged.items():
        (tmp_path / f"{name}{ending}").write_bytes(data)
        result = wnparse_inside("info", f"{name}{ending}")
        assert result.returncode == 1
        assert result.stderr.startswith(f"wnparse: {name}{ending}: ".encode())
        assert result.stderr.count(b"\n") == 1


def seconds(work: Callable[[], object]) -> float:
    """Measure the time of this process: others may be busy."""
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.slow
def test_a_model_loads_in_twenty_milliseconds(model: str, tmp_path: Path) -> None:
    """Check this model, and the part that is read of the largest model that is not mapped."""
    assert min(seconds(lambda: load(model)) for _ in range(20)) < 0.02
    slots = np.random.default_rng(1).integers(0, 2**32, size=tensors.IN_MEMORY // 4 - 1000, dtype=np.uint32)
    with (tmp_path / "large").open("wb") as file:
        tensors.write_tensors(file, {"slots": slots}, {})
    large = str(tmp_path / "large")
    assert tensors.IN_MEMORY - 5000 < (tmp_path / "large").stat().st_size <= tensors.IN_MEMORY
    assert min(seconds(lambda: tensors.read_tensors(large)) for _ in range(20)) < 0.02
