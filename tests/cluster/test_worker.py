"""A single worker: pieces, shared models, sentences that kill processes, joined parts."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from support.places import DATA
from support.treebanks import first_sentences
from wnparse.cluster.crash_notes import TRIES, CrashNotes
from wnparse.cluster.cut import Input, Piece, look_at
from wnparse.cluster.records import Records
from wnparse.cluster.worker import (
    Assignment,
    InputChangedError,
    Job,
    LackingResourcesError,
    UnusableWorkerError,
    join_parts,
    model_checksum,
    parse_pieces,
)
from wnparse.errors import TreebankError
from wnparse.parser.options import ParseOptions
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence


@pytest.fixture
def job(model: str, tmp_path: Path) -> Job:
    (tmp_path / "parts").mkdir()
    return Job(str(tmp_path / "parts"), model, model_checksum(model), ParseOptions())


def assign(job: Job, text: bytes, begin: int = 0) -> Assignment:
    """A file with some text, from an offset on."""
    path = Path(job.parts, "input")
    path.write_bytes(text)
    (source,) = look_at([str(path)])
    return Assignment(source._replace(name="named"), Piece(0, begin, source.size), f"{job.parts}/part")


def parse(job: Job, assignment: Assignment) -> int:
    """Parse a piece; return the number of its sentences."""
    (result,) = parse_pieces(pickle.dumps(job), 0, [assignment])
    return result.counts.sentences


def test_pieces_are_parsed_only_if_their_file_is_unchanged(job: Job) -> None:
    text = first_sentences("test", 3)
    assignment = assign(job, text)
    assert parse(job, assignment) == 3
    assert parse(job, assignment) == 3
    Path(assignment.source.path).write_bytes(first_sentences("test", 2))
    with pytest.raises(InputChangedError, match=r"named: .*changed"):
        parse(job, assignment)
    Path(assignment.source.path).unlink()
    with pytest.raises(LackingResourcesError, match="No such file or directory"):
        parse(job, assignment)


def test_lines_of_bad_sentences_are_those_of_the_file(job: Job) -> None:
    text = first_sentences("test", 3)
    with pytest.raises(TreebankError) as raised:
        parse(job, assign(job, text + text + b"1\tx\n\n", len(text)))
    assert (raised.value.path, raised.value.line) == ("named", 2 * text.count(b"\n") + 1)


def test_a_model_that_workers_cannot_see_is_shared(job: Job, model: str, tmp_path: Path) -> None:
    """The folder of parts is the one that they see; through a link, too."""
    (tmp_path / "link.wnp").symlink_to(model)
    records = Records(tmp_path, [Input("x", "x", 0, 0)], ["x"])
    records.parts.mkdir(parents=True)
    for _ in range(2):
        shared = records.share(str(tmp_path / "link.wnp"))
        assert shared.parent == records.parts
        assert not shared.is_symlink()
    text = first_sentences("test", 3)
    assert parse(replace(job, model=str(shared)), assign(job, text)) == 3


def test_detects_workers_that_cannot_do_a_job(job: Job, tmp_path: Path) -> None:
    assignment = assign(job, first_sentences("test", 3))
    (tmp_path / "no.wnp").write_bytes(b"no model")
    checksum = model_checksum(str(tmp_path / "no.wnp"))
    for unusable, message in (
        (replace(job, checksum="0123456789abcdef"), f"checksum {job.checksum}; expected 0"),
        (replace(job, parts=str(tmp_path / "absent")), "shared disk"),
        (replace(job, model=str(tmp_path / "no.wnp"), checksum=checksum), "too short for a model"),
    ):
        with pytest.raises(UnusableWorkerError, match=message):
            parse(unusable, assignment)


class Ended(BaseException):
    """The end of a process."""


def attempt(path: Path, sentences: list[Sentence], deadly: int) -> list[str]:
    """Return the outcomes of sentences, four at a time, if one of them ends the process."""
    notes = CrashNotes(path)
    notes.__enter__()

    def work(chunk: list[Sentence]) -> list[str]:
        if any(sentence.line == deadly for sentence in chunk):
            raise Ended  # a process that ends writes nothing more, and does not remove the note
        return ["parsed" for _ in chunk]

    noted = notes.watch(0, work, lambda sentence: "left")
    outcomes = [
        outcome for start in range(0, len(sentences), 4) for outcome in noted(sentences[start : start + 4])
    ]
    notes.__exit__()
    return outcomes


def test_leaves_out_a_sentence_that_kills_processes(tmp_path: Path) -> None:
    sentences = list(read(DATA / "test.conllu"))[:12]
    deadly = sentences[6].line
    for _ in range(1 + TRIES):
        with pytest.raises(Ended):
            attempt(tmp_path / "note", sentences, deadly)
    outcomes = attempt(tmp_path / "note", sentences, deadly)
    assert outcomes == ["parsed"] * 6 + ["left"] + ["parsed"] * 5
    assert not (tmp_path / "note").exists()


def test_keeps_sentences_if_processes_die_at_different_places(tmp_path: Path) -> None:
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
    for _ in range(2):  # the second time as a worker does that gets the task again
        join_parts(parts, target)
        assert Path(target).read_bytes() == b"ab"
    with pytest.raises(LackingResourcesError, match="No such file or directory"):
        join_parts(parts, str(tmp_path / "other"))
