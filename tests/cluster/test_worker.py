"""What a worker does by itself: models by path or as bytes, sentences that end processes, joined parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.places import DATA
from support.treebanks import first_sentences
from wnparse.cluster import worker
from wnparse.cluster.crash_notes import TRIES, Notes
from wnparse.cluster.worker import NEEDS_MODEL, Assignment, Job, do_task, install, join_parts, model_checksum
from wnparse.parser.options import ParseOptions
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence


@pytest.fixture
def job(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setattr(worker, "_ready", worker._ready.copy())
    (tmp_path / "parts").mkdir()
    return Job(tmp_path.name, str(tmp_path / "parts"), model, model_checksum(model), ParseOptions())


def test_a_model_by_its_path(job: Job) -> None:
    assert install(job) == ""
    assert install(job) == ""


def test_a_model_as_bytes(job: Job, model: str, tmp_path: Path) -> None:
    away = replace(job, model_path=str(tmp_path / "absent.wnp"))
    assert install(away) == NEEDS_MODEL
    assert install(replace(away, model=Path(model).read_bytes())) == ""
    text = tmp_path / "x"
    text.write_bytes(first_sentences("test", 3))
    found = text.stat()
    piece = Assignment(str(text), found.st_size, found.st_mtime_ns, 0, found.st_size, f"{job.parts}/x")
    told = do_task(job.name, 0, [piece])
    assert told["pieces"][0]["counts"]["sentences"] == 3
    assert do_task("unknown", 0, [piece]) == {"ask": True}
    text.write_bytes(first_sentences("test", 2))
    assert do_task(job.name, 0, [piece]) == {"changed": True, "place": 0}


def test_another_model_in_its_place(job: Job, tmp_path: Path) -> None:
    message = install(replace(job, checksum="0123456789abcdef"))
    assert message.startswith(
        f"{job.model_path}: is another model there: its checksum is {job.checksum}, expected 0"
    )
    assert "must be on a disk that all workers share" in install(replace(job, parts=str(tmp_path / "absent")))
    (tmp_path / "no.wnp").write_bytes(b"no model")
    broken = replace(job, model_path=str(tmp_path / "no.wnp"), checksum=model_checksum(str(tmp_path / "no.wnp")))
    assert "too short for a model" in install(broken)


class Ended(BaseException):
    """The end of a process."""


def attempt(path: Path, sentences: list[Sentence], deadly: int) -> list[str]:
    """What becomes of sentences, four at a time, if one of them ends the process."""
    notes = Notes(path)
    notes.__enter__()

    def work(chunk: list[Sentence]) -> list[str]:
        if any(sentence.line == deadly for sentence in chunk):
            notes._stream.close()  # a process that ends writes nothing more
            notes._write = lambda text: None  # type: ignore[method-assign]
            raise Ended
        return ["parsed" for _ in chunk]

    noted = notes.watch(work, lambda sentence: "left")
    found = [each for start in range(0, len(sentences), 4) for each in noted(sentences[start : start + 4])]
    notes.__exit__()
    return found


def test_a_sentence_at_which_processes_end_is_left(tmp_path: Path) -> None:
    sentences = list(read(DATA / "test.conllu"))[:12]
    deadly = sentences[6].line
    for _ in range(1 + TRIES):
        with pytest.raises(Ended):
            attempt(tmp_path / "note", sentences, deadly)
    found = attempt(tmp_path / "note", sentences, deadly)
    assert found == ["parsed"] * 6 + ["left"] + ["parsed"] * 5
    assert not (tmp_path / "note").exists()


def test_processes_that_end_elsewhere_each_time_cost_no_sentence(tmp_path: Path) -> None:
    sentences = list(read(DATA / "test.conllu"))[:12]
    for number in (1, 9, 4, 6, 4, 6):
        with pytest.raises(Ended):
            attempt(tmp_path / "note", sentences, sentences[number].line)
    assert attempt(tmp_path / "note", sentences, 0) == ["parsed"] * 12


def test_parts_are_joined_once(tmp_path: Path) -> None:
    parts = [str(tmp_path / name) for name in "ab"]
    for part in parts:
        Path(part).write_bytes(part[-1:].encode())
    target = str(tmp_path / "folder" / "whole")
    assert join_parts(parts, target) == {"bytes": 2}
    assert Path(target).read_bytes() == b"ab"
    assert join_parts(parts, target) == {"bytes": 2}  # as a worker does that is told again
    assert "No such file or directory" in join_parts(parts, str(tmp_path / "other"))["trouble"]
