"""Models pickled and copied, by their file or whole; what `repr` says of them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
from pathlib import Path

import pytest

import wnparse
from support.models import parsed_heads, trained
from wnparse.errors import ModelError
from wnparse.parser.model import Model


@pytest.fixture
def path(model: str, tmp_path: Path) -> Path:
    """A model file that a test may change."""
    return Path(shutil.copy(model, tmp_path / "m.wnp"))


@pytest.fixture
def used(path: Path, sample: list[wnparse.Sentence]) -> Model:
    """A model that has parsed, and therefore has a scorer."""
    loaded = wnparse.load(path)
    list(loaded.parse(sample[:1]))
    return loaded


def saved(model: Model, folder: Path) -> bytes:
    model.save(folder / "saved.wnp")
    return (folder / "saved.wnp").read_bytes()


def test_pickles_the_path_of_the_file(
    used: Model, path: Path, tmp_path: Path, sample: list[wnparse.Sentence]
) -> None:
    data = pickle.dumps(used)
    assert str(path).encode() in data
    assert len(data) < 1000
    again = pickle.loads(data)
    assert saved(again, tmp_path) == path.read_bytes()
    assert parsed_heads(again, sample[:5]) == parsed_heads(used, sample[:5])


def test_unpickles_a_relative_path_from_another_folder(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    data = pickle.dumps(wnparse.load("m.wnp"))
    monkeypatch.chdir("/")
    assert len(data) < 1000
    assert pickle.loads(data).labels


@pytest.mark.parametrize("what", ["gone", "another", "damaged", "a folder"])
def test_pickles_the_whole_model_if_the_file_has_changed(
    used: Model, path: Path, tmp_path: Path, sample: list[wnparse.Sentence], what: str
) -> None:
    whole = path.read_bytes()
    path.unlink()
    if what == "another":
        trained(sample[:10]).save(path)
    elif what == "damaged":
        path.write_bytes(whole[:1000])
    elif what == "a folder":
        path.mkdir()
    data = pickle.dumps(used)
    assert len(data) > used.size
    assert saved(pickle.loads(data), tmp_path) == whole


def test_pickles_the_whole_model_without_a_file_or_with_changes(
    used: Model, path: Path, tmp_path: Path, sample: list[wnparse.Sentence]
) -> None:
    fresh = trained(sample[:10])
    assert parsed_heads(pickle.loads(pickle.dumps(fresh)), sample[:3]) == parsed_heads(fresh, sample[:3])
    used.info["note"] = "mine"
    assert pickle.loads(pickle.dumps(used)).info["note"] == "mine"


def test_refuses_to_unpickle_after_the_file_changed(
    used: Model, path: Path, sample: list[wnparse.Sentence]
) -> None:
    data = pickle.dumps(used)
    trained(sample[:10]).save(path)
    with pytest.raises(ModelError, match="not the model that was pickled") as caught:
        pickle.loads(data)
    assert str(caught.value).startswith(f"{path}: ")
    path.unlink()
    with pytest.raises(ModelError, match="pickled by its path"):
        pickle.loads(data)


def test_copies_work_without_the_file(
    used: Model, path: Path, tmp_path: Path, sample: list[wnparse.Sentence]
) -> None:
    path.unlink()  # neither needs the file
    shallow, deep = copy.copy(used), copy.deepcopy(used)
    assert used.info is shallow.info is not deep.info == used.info
    assert used.labels is not deep.labels
    assert deep.weights["slots"] is used.weights["slots"]
    expected = saved(used, tmp_path)
    for copied in (shallow, deep):
        assert saved(copied, tmp_path) == expected
        assert parsed_heads(copied, sample[:3]) == parsed_heads(used, sample[:3])


def test_works_in_another_process(used: Model, sample: list[wnparse.Sentence]) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(parsed_heads, (used, sample[:5])) == parsed_heads(used, sample[:5])


def test_has_repr_and_comparison(used: Model, path: Path, sample: list[wnparse.Sentence]) -> None:
    line = repr(used)
    assert "\n" not in line
    assert line.startswith(
        f"<Model from {path}: well-nested trees of block degree at most 3 with a single root, 30 labels"
    )
    assert line.endswith(" MB of weights>")
    assert "no labels, columns form upos " in repr(trained(sample[:10], labelled=False))
    assert used != wnparse.load(path)
    assert len({used, used}) == 1
