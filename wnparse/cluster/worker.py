"""The work of a worker of a cluster: parse pieces of files into parts of outputs, and join parts.

Each task is sent with its `Job` (model, options) as bytes, which a process opens once. A task has pieces of files,
each of which becomes a part of an output.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pickle
import shutil
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from wnparse.cluster.crash_notes import TRIES, CrashNotes
from wnparse.cluster.cut import Input, Piece
from wnparse.cluster.records import REPORT, PieceResult
from wnparse.errors import ClusterError, ModelError, TreebankError, WnparseError
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.summary import describe_notices, report_line
from wnparse.parser.tokens import input_check, watch_columns
from wnparse.storage.files import FilePart, open_output
from wnparse.storage.tensors import model_checksum
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import WordSource
from wnparse.treebanks.writing import SentenceJoiner


class InputChangedError(ClusterError):
    """An input has changed since the run began."""


class UnusableWorkerError(ClusterError):
    """A worker cannot do any task of a job."""


class LackingResourcesError(WnparseError):
    """A worker has no disk or memory left, or cannot read a file."""


@dataclass(frozen=True)
class Job:
    """The model and the options, which all tasks of a run have in common."""

    parts: str  # directory of the parts
    model: str  # file that all workers can read
    checksum: str  # of the model
    options: ParseOptions | None  # None to tag only
    retag: bool = False
    confidence: bool = False
    kind: str = "conllu"  # or words
    skip_bad: bool = False
    jobs: int = 1
    report: bool = False


class Assignment(NamedTuple):
    """A piece of a file, and the part that it becomes."""

    source: Input
    piece: Piece
    part: str


_opening = threading.Lock()  # a worker may have several threads


@functools.lru_cache(maxsize=2)
def _open_job(packed: bytes) -> tuple[Job, Model, Parser | None]:
    job: Job = pickle.loads(packed)
    if not Path(job.parts).is_dir():
        raise UnusableWorkerError(
            f"the directory {job.parts} does not exist there; expected inputs and outputs on a shared disk"
        )
    try:
        if (checksum := model_checksum(job.model)) != job.checksum:
            raise ModelError(f"{job.model}: another model with the checksum {checksum}; expected {job.checksum}")
        model = load(job.model)
        return job, model, Parser(model, job.options) if job.options else None
    except (ModelError, OSError, ValueError) as error:
        raise UnusableWorkerError(str(error)) from None


@contextlib.contextmanager
def _naming_resources(path: str) -> Iterator[None]:
    """Turn errors that may not occur on another worker into a LackingResourcesError."""
    try:
        yield
    except OSError as error:
        raise LackingResourcesError(f"{error.filename or path}: {error.strerror or error}") from None
    except MemoryError:
        raise LackingResourcesError(f"{path}: out of memory") from None


def parse_pieces(packed: bytes, task: int, assignments: Sequence[Assignment]) -> list[PieceResult]:
    """Parse the pieces of a task into parts of outputs.

    Parameters
    ----------
    packed : bytes
        A pickled Job.
    task : int
        The number of the task, which names its notes.
    assignments : sequence of Assignment
        The pieces.

    Raises
    ------
    TreebankError
        If a sentence is bad, with its line in the file.
    InputChangedError, UnusableWorkerError, LackingResourcesError
        For other reasons why this worker, or any, cannot parse them.
    """
    with _opening:
        job, model, parser = _open_job(packed)
    results = []
    with CrashNotes(Path(job.parts, f"{task}.note")) as notes:
        for place, assignment in enumerate(assignments):
            with _naming_resources(assignment.source.path):
                results.append(_PieceParser(job, model, parser, assignment).run(notes, place))
    return results


class _PieceParser:
    """Parses one piece into a part."""

    def __init__(self, job: Job, model: Model, parser: Parser | None, assignment: Assignment) -> None:
        self._job, self._model, self._parser = job, model, parser
        self._source, self._piece, self._part = assignment
        self._result = PieceResult()

    def run(self, notes: CrashNotes, place: int) -> PieceResult:
        """Parse the piece with this index in its task."""
        path = self._source.path
        try:
            with contextlib.ExitStack() as stack:
                part = FilePart(path, path, self._piece.begin, self._piece.end)
                stack.enter_context(contextlib.closing(part))
                stream = stack.enter_context(open_output(self._part))
                report = stack.enter_context(open_output(self._part + REPORT)) if self._job.report else None
                reader = self._read(part, stream)
                work: Any = self._parser.parse if self._parser else self._tag
                threads = 1 if notes.suspicious else self._job.jobs
                noted = notes.watch(place, work, self._leave)
                joiner = SentenceJoiner()
                for parsed in in_chunks(self._watch_columns(reader), noted, threads, reader.at_hand):
                    stream.write(joiner.add(parsed.raw))
                    self._count(parsed, report)
        except TreebankError as error:
            line = error.line and error.line + _lines_before(path, self._piece.begin)
            raise TreebankError(error.message, self._source.name, line) from None
        self._result.lines = part.lines
        self._result.bytes = Path(self._part).stat().st_size
        return self._result

    def _read(self, part: FilePart, stream: BinaryIO) -> Reader:
        """Return a reader of the piece, if its file has not changed since it was cut."""
        state = os.fstat(part.fileno())
        if (state.st_size, state.st_mtime_ns) != (self._source.size, self._source.changed):
            raise InputChangedError(
                f"{self._source.name}: the file has changed during the run; start again in a new directory"
            )
        source: Any = self._source.path if self._source.compressed else part
        if self._job.kind == "words":
            spaces = self._model.info.get("words_with_spaces") is True
            source = WordSource(source, itertools.count(self._piece.first), spaces=spaces)
        return Reader(
            [source],
            heads="given" if self._job.options and self._job.options.keep_heads else "ignored",
            skip=self._result.skip if self._job.skip_bad else None,
            pass_on=True,
            waiting=stream.flush,  # which changes the bytes of compressed files
            check=input_check(
                self._model.info,
                tagger=self._model.tagger is not None,
                keep_fixed=self._job.options is not None and self._job.options.keep_fixed,
            ),
        )

    def _watch_columns(self, reader: Reader) -> Iterator[Sentence]:
        def note(text: str) -> None:
            self._result.empty = text.removeprefix(f"{self._source.path}: ")

        watched = self._model.tagger is None and self._piece.begin == 0
        return watch_columns(iter(reader), self._model.columns, note) if watched else iter(reader)

    def _tag(self, chunk: list[Sentence]) -> list[Sentence]:
        assert self._model.tagger is not None
        return self._model.tagger.tag(chunk, retag=self._job.retag, confidence=self._job.confidence)

    def _leave(self, sentence: Sentence) -> Parsed | Sentence:
        """Return a sentence at which processes end without parsing it."""
        if self._parser:
            reason = f"{TRIES} processes ended at its {len(sentence):,} words, perhaps for lack of memory"
            return self._parser.leave(sentence, f"not parsed: {reason}")
        self._result.warnings.append((sentence.line, f"not tagged: {TRIES} processes ended at it"))
        return sentence

    def _count(self, parsed: Parsed | Sentence, report: BinaryIO | None) -> None:
        counts = self._result.counts
        if isinstance(parsed, Sentence):
            counts.sentences += len(parsed) > 0
            counts.words += len(parsed)
            return
        assert self._parser is not None
        options = self._parser.options
        counts.count(parsed, options)
        self._result.warnings += [(parsed.sentence.line, text) for text in describe_notices(parsed, options)]
        if report:
            report.write(report_line(parsed, counts.sentences, ranked=options.k is not None))


def _lines_before(path: str, offset: int) -> int:
    with contextlib.closing(FilePart(path, path, 0, offset)) as part:
        while part.read():
            pass
        return part.lines


def join_parts(parts: Sequence[str], target: str) -> None:
    """Join the parts of an output, and remove them; the output appears completely or not at all.

    Raises
    ------
    LackingResourcesError
        If a part cannot be read, or the output cannot be written.
    """
    goal = Path(target)
    with _naming_resources(target):
        try:
            goal.parent.mkdir(parents=True, exist_ok=True)
            if len(parts) == 1:
                Path(parts[0]).replace(goal)
                return
            with open_output(target) as stream:
                for part in parts:
                    with Path(part).open("rb") as source:
                        shutil.copyfileobj(source, stream, 1 << 20)
            for part in parts:
                Path(part).unlink(missing_ok=True)
        except FileNotFoundError:
            if not goal.exists():  # otherwise another worker has joined them and died before it could report
                raise
