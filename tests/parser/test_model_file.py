"""The model file: the official safetensors reader opens it, buckets fit cache lines, damage is detected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from support.commands import Run
from support.models import trained
from support.places import DATA
from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.parser.model import load
from wnparse.parser.model_file import ARC_ARRAYS, FORMAT, LABEL_ARRAYS, UNRELEASED
from wnparse.storage.quantise import quantise
from wnparse.storage.tensors import Arrays, read_tensors, write_tensors
from wnparse.training.checkpoint import save_checkpoint
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import read

LINE = 64  # bytes of the cache
BUCKETS = {"arcs/slots": 16, "labels/fingerprints": 16, "labels/places": 32}  # bytes
KINDS = ["labelled", "unlabelled", "without a first pass", "tiny", "mira", "state.wnp", "best.wnp"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One file of each kind."""
    folder = tmp_path_factory.mktemp("files")
    sentences = list(read(str(DATA / "dev.conllu")))
    models = {
        "labelled": trained(sentences[:40]),
        "unlabelled": trained(sentences[:40], labelled=False),
        "without a first pass": trained(sentences[:40], prune=False),
        "tiny": trained([min(sentences, key=len)], epochs=1, prune=False),
        "mira": trained(sentences[:40], learner="mira"),
    }
    for name, model in models.items():
        model.save(str(folder / name))
    trainer = Trainer(sentences[:40], sentences[40:60], TrainOptions(order=1))
    trainer.run_epoch()
    save_checkpoint(trainer, str(folder))
    return {name: folder / name for name in KINDS}


def places(data: bytes) -> tuple[int, dict[str, tuple[int, int]]]:
    """Return where in a file the data begins, and where each array begins and ends, in the order of the header."""
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    del header["__metadata__"]
    return begin, {name: tuple(begin + at for at in entry["data_offsets"]) for name, entry in header.items()}


def check_layout(path: Path) -> None:
    """Check that there are no gaps, and that arrays are aligned to items or cache lines."""
    data = path.read_bytes()
    begin, offsets = places(data)
    assert begin % LINE == 0
    at = begin
    arrays, *_ = read_tensors(str(path))
    for name, (first, last) in offsets.items():
        assert first == at, name
        at = last
        array = arrays.get(name, np.zeros(1, np.uint64))
        assert last - first == array.nbytes
        assert first % (LINE if array.nbytes % LINE == 0 else array.itemsize) == 0, name
        if name in arrays and array.size:
            # A file is read or mapped to the beginning of a page: its places are those in memory.
            assert (array.ctypes.data - first) % 4096 == 0
            assert not array.flags.owndata and not array.flags.writeable
    assert at == len(data)


def check_official_reader(path: Path) -> None:
    arrays, metadata, _ = read_tensors(str(path))
    official = load_file(path)
    assert official.pop("header_hash").shape == (1,)
    assert official.keys() == arrays.keys()
    for name, array in arrays.items():
        assert official[name].dtype == array.dtype
        assert np.array_equal(official[name], array), name
    with safe_open(path, framework="numpy") as opened:
        read_metadata = dict(opened.metadata())
    assert "data_hash" in read_metadata
    del read_metadata["data_hash"]
    assert read_metadata == metadata


@pytest.mark.parametrize("kind", KINDS)
def test_the_official_reader_opens_every_file(files: dict[str, Path], kind: str) -> None:
    check_official_reader(files[kind])
    check_layout(files[kind])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "state.wnp"])
def test_no_bucket_straddles_lines_of_the_cache(files: dict[str, Path], kind: str) -> None:
    model = load(str(files[kind]))
    _, offsets = places(files[kind].read_bytes())
    for name, bucket in BUCKETS.items():
        if name.startswith("labels/") and not model.labels:
            assert name not in offsets
            continue
        first, last = offsets[name]
        assert first % LINE == 0 and model.weights[name.partition("/")[2]].ctypes.data % LINE == 0
        assert LINE % bucket == 0 and (last - first) % LINE == 0 and last > first
    header = json.loads(read_tensors(str(files[kind]))[1]["wnparse"])
    assert header["format"] == FORMAT


def test_the_smallest_tables_are_whole_lines() -> None:
    none = (np.zeros(0, np.uint64), np.zeros(0, np.float64))
    rows = (none[0], np.zeros(1, np.int64), np.zeros(0, np.int32), none[1])
    tables, _ = quantise(none, rows, 1)
    assert tables.keys() == {*ARC_ARRAYS, *LABEL_ARRAYS}
    for name in (bucket.partition("/")[2] for bucket in BUCKETS):
        assert tables[name].nbytes > 0 and tables[name].nbytes % LINE == 0


DTYPES = [np.int16, np.int32, np.int64, np.uint16, np.uint32, np.uint64, np.float32, np.float64]


@given(
    shapes=st.lists(
        st.tuples(st.sampled_from(DTYPES), st.lists(st.integers(0, 40), min_size=1, max_size=2)), max_size=7
    ),
    note=st.text(max_size=80),
)
def test_any_arrays_come_back(
    tmp_path_factory: pytest.TempPathFactory, shapes: list[tuple[type, list[int]]], note: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    rng = np.random.default_rng(len(shapes))
    arrays: Arrays = {
        f"ä{i}": rng.integers(0, 999, shape).astype(dtype) for i, (dtype, shape) in enumerate(shapes)
    }
    with path.open("wb") as stream:
        write_tensors(stream, arrays, {"note": note})
    tensors, metadata, _ = read_tensors(str(path))
    assert metadata == {"note": note}
    assert tensors.keys() == arrays.keys()
    assert all(
        np.array_equal(tensors[name], array) and tensors[name].dtype == array.dtype
        for name, array in arrays.items()
    )
    check_official_reader(path)
    check_layout(path)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "state.wnp"])
def test_a_model_saved_again_has_the_same_bytes(files: dict[str, Path], kind: str, tmp_path: Path) -> None:
    load(str(files[kind])).save(str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == files[kind].read_bytes()


def refusal(path: Path, data: bytes) -> str:
    """The one line by which a damaged file is refused."""
    path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        read_tensors(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message.removeprefix(f"{path}: ")


def flipped(data: bytes, at: int, bit: int) -> bytes:
    damaged = bytearray(data)
    damaged[at] ^= 1 << bit
    return bytes(damaged)


def regions(data: bytes) -> Iterator[tuple[str, int, int]]:
    """The parts of a file that can be damaged: name, begin, end."""
    begin, offsets = places(data)
    text = len(data[:begin].rstrip(b" "))
    yield from (("length", 0, 8), ("header", 8, text), ("padding", text, begin))
    yield from ((name, *place) for name, place in offsets.items())


@pytest.mark.parametrize("kind", KINDS)
def test_detects_damage_anywhere(files: dict[str, Path], kind: str, tmp_path: Path) -> None:
    data = files[kind].read_bytes()
    damaged = set()
    for name, first, last in regions(data):
        for at in {first, last - 1, (first + last) // 2} if last > first else ():
            message = refusal(tmp_path / "m", flipped(data, at, at % 8))
            damaged.add(name)
            if name in ("header", "padding", "header_hash"):
                assert "its header is damaged" in message or "truncated" in message
            elif name != "length":
                assert "checksum" in message
    assert {"length", "header", "header_hash"} < damaged


def small_file(path: Path) -> bytes:
    arrays: Arrays = {
        "table": np.arange(32, dtype=np.uint16),
        "keys": np.arange(3, dtype=np.uint64),
        "weights": np.arange(5, dtype=np.int16),
    }
    with path.open("wb") as stream:
        write_tensors(stream, arrays, {"note": "x"})
    return path.read_bytes()


def test_detects_every_flipped_bit(tmp_path: Path) -> None:
    path = tmp_path / "small"
    data = small_file(path)
    assert {name for name, first, last in regions(data) if last > first} == {
        "length", "header", "padding", "table", "header_hash", "keys", "weights"
    }  # fmt: skip
    for at in range(len(data)):
        for bit in range(8):
            refusal(path, flipped(data, at, bit))


def test_every_length_but_the_right_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small"
    data = small_file(path)
    begin, _ = places(data)
    for size in range(len(data)):
        message = refusal(path, data[:size])
        if size >= begin + 8:
            assert message == f"{size} bytes; expected {len(data)}: the file is truncated or has grown"
    assert "has grown" in refusal(path, data + b"\0")


@pytest.mark.parametrize(
    "header",
    [b"{}", b"[]", b'"x"', b"1", b"null", b"{", b"\xff", b"[" * 100_000, b'{"__metadata__":{}}']
    + [
        b'{"__metadata__":{},"header_hash":%s}' % entry
        for entry in (b"[]", b"{}", b'{"data_offsets":[]}', b'{"data_offsets":[0]}', b'{"data_offsets":[0,null]}')
    ]
    + [
        b'{"__metadata__":{},"header_hash":{"data_offsets":[0,%s]}}' % stop
        for stop in (b"1e9", b"NaN", b'"8"', b"-8")
    ]
    + [b'{"__metadata__":{},"header_hash":{"data_offsets":[0,8]},"a":{"data_offsets":[8]}}'],
)
def test_refuses_a_file_without_header(header: bytes, tmp_path: Path) -> None:
    assert refusal(tmp_path / "m", len(header).to_bytes(8, "little") + header + bytes(64))


def test_a_file_of_other_tensors_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    save_file({"x": np.zeros(9)}, tmp_path / "m", {"format": "np"})
    with pytest.raises(ModelError, match="header is damaged"):
        load(str(tmp_path / "m"))
    with pytest.raises(ModelError, match="not a wnparse model"):
        load(str(files["state.wnp"]))


def file_of_format(number: object) -> bytes:
    """A whole file of another format; as of format 3, with the hash of its header first and a hole behind it."""
    slots = bytes(64)
    entries = {
        "__metadata__": {
            "wnparse": json.dumps({"format": number}),
            "data_hash": f"{hash_data(bytes(56) + slots):016x}",
        },
        "header_hash": {"dtype": "U64", "shape": [1], "data_offsets": [0, 8]},
        "slots": {"dtype": "U32", "shape": [16], "data_offsets": [64, 128]},
    }
    text = json.dumps(entries).encode()
    text += b" " * (-(len(text) + 8) % LINE)
    return len(text).to_bytes(8, "little") + text + hash_data(text).to_bytes(8, "little") + bytes(56) + slots


@pytest.mark.parametrize("number", [*UNRELEASED, 0, 2, 7, -1, 10**300, "1", None, True, 1.0, [1]])
def test_other_formats_are_refused_in_one_line(wnparse_inside: Run, tmp_path: Path, number: object) -> None:
    (tmp_path / "old.wnp").write_bytes(file_of_format(number))
    for command in (["info", "old.wnp"], ["parse", "-m", "old.wnp", "-"]):
        done = wnparse_inside(*command)
        assert done.returncode == 1
        assert done.stderr.startswith(b"wnparse: old.wnp: ") and done.stderr.count(b"\n") == 1
        assert (b"format" in done.stderr) and (
            b"retrain" in done.stderr or not isinstance(number, int) or number is True
        )
