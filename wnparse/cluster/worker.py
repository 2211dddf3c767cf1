"""What a worker of a cluster does: it parses pieces of files into parts of outputs, and joins parts.

A worker is told a `Job` once: model, options. It opens the model once, from its path where the checksum is the
same, else from bytes that come with the job. A task is then some pieces of files, each of which becomes a part of
an output. All that can be wrong with the data is told in the result, not raised.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from wnparse.cluster.crash_notes import TRIES, Notes
from wnparse.cluster.cut import COMPRESSED
from wnparse.errors import ModelError, TreebankError
from wnparse.parser.model import Model, load
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.summary import Counts, describe_notices, report_line
from wnparse.parser.tokens import input_check, watch_columns
from wnparse.storage.files import FilePart, open_output
from wnparse.storage.tensors import read_metadata
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import WordSource
from wnparse.treebanks.writing import Joint

KEPT = 2  # jobs that a worker remembers
REPORT = ".report"
NEEDS_MODEL = "model"  # what a worker answers that does not have it


@dataclass(frozen=True)
class Job:
    """What all tasks of a run have in common."""

    name: str
    parts: str  # folder of the parts
    model_path: str
    checksum: str
    options: ParseOptions | None  # None: tags alone
    retag: bool = False
    confidence: bool = False
    kind: str = "conllu"  # or words
    skip_bad: bool = False
    jobs: int = 1
    report: bool = False
    model: bytes | None = None  # for workers that cannot open its path


class Assignment(NamedTuple):
    """A piece of a file, and the part that it becomes."""

    path: str
    size: int
    changed: int
    begin: int
    end: int
    part: str
    first: int = 1  # the number of its first sentence, if the input is one word per line


class Work(NamedTuple):
    """A job that a worker is ready to do."""

    job: Job
    model: Model
    parser: Parser | None


_ready: OrderedDict[str, Work] = OrderedDict()
_installing = threading.Lock()


def install(job: Job) -> str:
    """Make a worker ready for a job; what it lacks: nothing, NEEDS_MODEL, or a line that says what is wrong."""
    if not Path(job.parts).is_dir():
        return f"does not see the folder {job.parts}; outputs and inputs must be on a disk that all workers share"
    with _installing:
        if job.name in _ready:
            return ""
        try:
            model = _open_model(job)
            if model is None:
                return NEEDS_MODEL
            parser = Parser(model, job.options) if job.options else None
        except (ModelError, OSError, ValueError) as error:
            return str(error)
        _ready[job.name] = Work(job, model, parser)
        while len(_ready) > KEPT:
            _ready.popitem(last=False)
    return ""


def model_checksum(path: str) -> str:
    """The checksum of a model file: of its header, which has those of the weights, or of a compressed file."""
    if path.endswith(COMPRESSED):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    return read_metadata(path)[0]


def _open_model(job: Job) -> Model | None:
    """The model of a job; None if neither its file nor its bytes are at hand."""
    if Path(job.model_path).is_file():
        found = model_checksum(job.model_path)
        if found != job.checksum:
            raise ModelError(
                f"{job.model_path}: is another model there: its checksum is {found}, expected {job.checksum}"
            )
        return load(job.model_path)
    if job.model is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "".join(["model", *Path(job.model_path).suffixes]))
        copy.write_bytes(job.model)
        return load(str(copy))


def do_task(job: str, number: int, pieces: Sequence[Assignment]) -> dict[str, Any]:
    """Parse the pieces of a task into parts of outputs, and tell what there is to tell, in types of JSON."""
    work = _ready.get(job)
    if work is None:
        return {"ask": True}
    told: list[dict[str, Any]] = []
    with Notes(Path(work.job.parts, f"{number}.note")) as notes:
        for place, piece in enumerate(pieces):
            notes.place = place
            try:
                told.append(_PieceWork(work, piece, notes).do())
            except TreebankError as error:
                return {"bad": error.message, "place": place, "line": error.line}
            except InputChangedError:
                return {"changed": True, "place": place}
            except OSError as error:
                return {"trouble": f"{error.filename or piece.path}: {error.strerror or error}"}
            except MemoryError:
                return {"trouble": f"{piece.path}: out of memory"}
    return {"task": number, "pieces": told}


class InputChangedError(Exception):
    """An input is not the one that was cut."""


class _PieceWork:
    """One piece on its way from file to part."""

    def __init__(self, work: Work, piece: Assignment, notes: Notes) -> None:
        self.work, self.piece, self.notes = work, piece, notes
        self.counts = Counts()
        self.warnings: list[tuple[int, str]] = []
        self.skipped = 0
        self.first_skipped: tuple[str, int] | None = None
        self.empty = ""
        self.lines = 0

    def do(self) -> dict[str, Any]:
        """Parse it."""
        model = self.work.model
        with contextlib.ExitStack() as stack:
            source = stack.enter_context(self._open())
            stream = stack.enter_context(open_output(self.piece.part))
            reader = Reader(
                [source],
                heads="given" if self.work.job.options and self.work.job.options.heads_from_input else "ignored",
                skip=self._skip if self.work.job.skip_bad else None,
                pass_on=True,
                waiting=stream.flush,  # which shows in compressed files
                check=input_check(model.info, tagger=model.tagger is not None),
            )
            if self.work.parser is None:
                self._tag(reader, stream)
            else:
                report = None
                if self.work.job.report:
                    report = stack.enter_context(open_output(self.piece.part + REPORT))
                self._parse(self.work.parser, reader, stream, report)
        return {
            "bytes": Path(self.piece.part).stat().st_size,
            "lines": self.lines,
            "counts": self.counts.to_json(),
            "warnings": self.warnings,
            "skipped": self.skipped,
            "first_skipped": self.first_skipped,
            "empty": self.empty,
        }

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        """What the reader reads, if it is still what was cut."""
        piece = self.piece
        with contextlib.closing(FilePart(piece.path, piece.path, piece.begin, piece.end)) as part:
            known = os.fstat(part.fileno())
            if (known.st_size, known.st_mtime_ns) != (piece.size, piece.changed):
                raise InputChangedError
            source: Any = piece.path if piece.path.endswith(COMPRESSED) else part
            if self.work.job.kind == "words":
                spaces = self.work.model.info.get("words_with_spaces") is True
                source = WordSource(source, itertools.count(piece.first), spaces=spaces)
            yield source
            self.lines = part.lines

    def _skip(self, error: TreebankError) -> None:
        self.skipped += 1
        self.first_skipped = self.first_skipped or (error.message, error.line)

    def _tell_empty(self, text: str) -> None:
        self.empty = text.removeprefix(f"{self.piece.path}: ")

    def _parse(self, parser: Parser, reader: Reader, stream: BinaryIO, report: BinaryIO | None) -> None:
        sentences: Iterator[Sentence] = iter(reader)
        if self.work.model.tagger is None and self.piece.begin == 0:
            sentences = watch_columns(sentences, self.work.model.columns, self._tell_empty)
        joint = Joint()

        def leave(sentence: Sentence) -> Parsed:
            why = f"{TRIES} processes ended at its {len(sentence):,} words, for lack of memory perhaps"
            return parser.leave(sentence, f"parsing: {why}")

        work = self.notes.watch(parser.parse, leave)
        for parsed in in_chunks(sentences, work, self._threads, reader.at_hand):
            stream.write(joint.add(parsed.raw))
            self.counts.count(parsed, parser.options)
            for notice in describe_notices(parsed, parser.options):
                self.warnings.append((parsed.sentence.line, notice))
            if report:
                report.write(report_line(parsed, self.counts.sentences, ranked=parser.options.k is not None))

    def _tag(self, reader: Reader, stream: BinaryIO) -> None:
        tagger, job, joint = self.work.model.tagger, self.work.job, Joint()
        assert tagger is not None

        def tag(chunk: list[Sentence]) -> list[Sentence]:
            return tagger.tag(chunk, retag=job.retag, confidence=job.confidence)

        def leave(sentence: Sentence) -> Sentence:
            self.warnings.append((sentence.line, f"gave up tagging: {TRIES} processes ended at it"))
            return sentence

        for tagged in in_chunks(reader, self.notes.watch(tag, leave), self._threads, reader.at_hand):
            stream.write(joint.add(tagged.raw))
            self.counts.sentences += len(tagged) > 0
            self.counts.words += len(tagged)

    @property
    def _threads(self) -> int:
        """One where a process has ended before, so that it is known at what."""
        return 1 if self.notes.suspects else self.work.job.jobs


def join_parts(parts: Sequence[str], target: str) -> dict[str, Any]:
    """Make an output of its parts, which are removed; it appears whole or not at all."""
    goal = Path(target)
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        if len(parts) == 1:
            os.replace(parts[0], target)  # noqa: PTH105 -- strings as they came
        else:
            with open_output(target) as stream:
                for part in parts:
                    with Path(part).open("rb") as source:
                        shutil.copyfileobj(source, stream, 1 << 20)
            for part in parts:
                Path(part).unlink(missing_ok=True)
    except OSError as error:
        # Another worker may have done it and died before it could tell.
        if not (isinstance(error, FileNotFoundError) and goal.exists()):
            return {"trouble": f"{error.filename or target}: {error.strerror or error}"}
    return {"bytes": goal.stat().st_size}
