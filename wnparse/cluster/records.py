"""The records of a run over a corpus, in ``DIR/.wnparse``: tasks, results and a lock.

``manifest.json`` describes what the outputs are made of: version, checksum of the model, options, inputs with
their sizes and times, and the tasks into which they were cut. ``done.jsonl`` gets a line for each piece of an
input that is done. The same command resumes from there; another command is refused. ``lock`` is locked by the
operating system, which unlocks it when the process ends. ``parts-NAME`` contains the parts of outputs that are not
complete yet.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import re
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from wnparse.cluster.cut import OWN, Cut, Input, Piece
from wnparse.errors import ClusterError, TreebankError
from wnparse.parser.summary import Counts, SourceLine
from wnparse.storage.files import open_output

OPTION_NAMES = {"k": "k-best", "input_format": "input"}  # options that have another name in the program
REPORT = ".report"  # suffix of the report of a part
_SENTENCE_NUMBER = re.compile(rb'^\{"sentence": (\d+)', re.MULTILINE)


@dataclass
class PieceResult:
    """The result of a piece that was parsed; lines are counted from its beginning."""

    bytes: int = 0  # of the part of the output
    lines: int = 0  # of the piece
    counts: Counts = field(default_factory=Counts)
    warnings: list[tuple[int, str]] = field(default_factory=list)  # line of a sentence, and a message about it
    skipped: int = 0  # bad sentences that were left out
    first_skipped: tuple[str, int] | None = None  # what is wrong with the first of them, and its line
    empty: str = ""  # which columns the model needs and the input lacks

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PieceResult:
        """Return the result that `asdict` turned into data."""
        return cls(**{**data, "counts": Counts.from_json(data["counts"])})

    def skip(self, error: TreebankError) -> None:
        """Count a bad sentence that is left out."""
        self.skipped += 1
        self.first_skipped = self.first_skipped or (error.message, error.line)


class Records:
    """The records of a run, in memory and on disk.

    Attributes
    ----------
    directory : Path
        The directory of outputs.
    name : str
        A checksum of the manifest.
    inputs, outputs : list
        The files, with the names of the current command, and the names of their outputs.
    cut : Cut
        The tasks.
    pieces : list of list of Piece
        The pieces of each input, in order.
    results : dict
        The results of the pieces that are done.
    whole : set of int
        The numbers of the inputs whose outputs are complete.
    """

    def __init__(self, directory: Path, inputs: Sequence[Input], outputs: Sequence[str]) -> None:
        self.directory = directory
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.name = ""
        self.cut = Cut([], [])
        self.pieces: list[list[Piece]] = [[] for _ in inputs]
        self.results: dict[Piece, PieceResult] = {}
        self.whole: set[int] = set()
        self._manifest = directory / OWN / "manifest.json"
        self._log = directory / OWN / "done.jsonl"

    @property
    def parts(self) -> Path:
        """The directory of the parts of outputs."""
        return self.directory / OWN / f"parts-{self.name}"

    def part(self, piece: Piece) -> Path:
        """Return the part of an output that a piece becomes."""
        suffix = Path(self.inputs[piece.source].path).suffix if self.inputs[piece.source].compressed else ""
        return self.parts / f"{piece.source:06d}-{piece.begin:012d}{suffix}"

    def target(self, source: int) -> Path:
        """Return the output of an input."""
        return self.directory / self.outputs[source]

    def done_tasks(self) -> list[int]:
        """Return the numbers of the tasks that are finished."""
        tasks = enumerate(self.cut.tasks)
        return [number for number, pieces in tasks if all(piece in self.results for piece in pieces)]

    def begin(self, description: Mapping[str, Any], cut: Cut) -> None:
        """Write the manifest of a new run."""
        text = json.dumps({**description, "outputs": self.outputs, **cut._asdict()}, indent=0)
        _write(self._log, "")
        _write(self._manifest, text)
        self._start(text, cut)

    def resume(self, description: Mapping[str, Any]) -> bool:
        """Return whether a run was started here, and load its records; ValueError if it has different settings."""
        anew = f"name another directory, or remove {self._manifest.parent} and the outputs to start again"
        try:
            text = self._manifest.read_text(encoding="utf-8")
            manifest = json.loads(text)
        except FileNotFoundError:
            return False
        except ValueError:
            raise ValueError(f"{self._manifest}: the file is damaged; {anew}") from None
        if differences := list(_differences(manifest, json.loads(json.dumps(description)))):
            raise ValueError(
                f"{self.directory}: was started with different settings: {'; '.join(differences)}; {anew}"
            )
        self.outputs = manifest["outputs"]
        tasks = [[Piece(*piece) for piece in task] for task in manifest["tasks"]]
        self._start(text, Cut(tasks, manifest["words"]))
        self._read_log()
        return True

    def _start(self, manifest: str, cut: Cut) -> None:
        self.name = hashlib.sha256(manifest.encode()).hexdigest()[:12]
        self.cut = cut
        for piece in itertools.chain.from_iterable(cut.tasks):
            self.pieces[piece.source].append(piece)
        self.parts.mkdir(exist_ok=True)
        for note in self.parts.glob("*.note"):  # notes of an earlier run do not concern its sentences
            note.unlink()

    def _read_log(self) -> None:
        """Read the results of pieces, and keep those whose files exist."""
        results: dict[Piece, PieceResult] = {}
        lines = self._log.read_text(encoding="utf-8").split("\n")[:-1] if self._log.exists() else []
        for number, line in enumerate(lines):
            try:
                piece, result = json.loads(line)
            except ValueError:  # the disk was full or the machine crashed
                del lines[number:]
                break
            results[Piece(*piece)] = PieceResult.from_json(result)
        _write(self._log, "".join(f"{line}\n" for line in lines))
        for source, pieces in enumerate(self.pieces):
            target = self.target(source)
            if target.exists() and all(piece in results for piece in pieces):
                if target.stat().st_size != sum(results[piece].bytes for piece in pieces):
                    raise ValueError(
                        f"{target}: the file has changed since it was written; remove it to create it again"
                    )
                self.whole.add(source)
        for piece, result in results.items():
            if piece.source in self.whole or _has_size(self.part(piece), result.bytes):
                self.results[piece] = result

    def note(self, results: Mapping[Piece, PieceResult]) -> None:
        """Record pieces that are done."""
        self.results.update(results)
        try:
            with self._log.open("a", encoding="utf-8") as stream:
                stream.writelines(f"{json.dumps([piece, asdict(result)])}\n" for piece, result in results.items())
        except OSError as error:
            error.filename = str(self._log)
            raise

    def share(self, file: str) -> Path:
        """Link or copy a file to the directory of the parts, which all workers see; return the copy."""
        copy = self.parts / f"shared-{Path(file).name}"
        if not _has_size(copy, Path(file).stat().st_size):  # an earlier run may have been interrupted
            copy.unlink(missing_ok=True)
            try:
                copy.hardlink_to(os.path.realpath(file))
            except OSError:  # on another file system, or the file of another user
                shutil.copyfile(file, copy)
        return copy

    def finish(self) -> None:
        """Remove the parts when all outputs are complete."""
        shutil.rmtree(self.parts, ignore_errors=True)

    def refuse_strangers(self) -> None:
        """Raise ValueError if an output would replace a file that this run has not written."""
        for source in range(len(self.inputs)):
            if source not in self.whole and self.target(source).exists():
                raise ValueError(
                    f"{self.target(source)}: the file exists already; remove it or name another directory"
                )


def _has_size(path: Path, size: int) -> bool:
    return path.exists() and path.stat().st_size == size


def _write(path: Path, text: str) -> None:
    with open_output(str(path)) as stream:
        stream.write(text.encode())


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Describe what has changed since a manifest was written."""
    for key, name in (("wnparse", "the version"), ("model", "the model's checksum")):
        if before.get(key) != now[key]:
            yield f"{name} was {before.get(key)}, is {now[key]}"
    for key, value in now["options"].items():
        old = before["options"].get(key)
        if old != value and not (key == "skip_bad" and value):  # no task with a bad sentence has been finished
            change = f"was {_shown(old)}, is {_shown(value)}"
            name = OPTION_NAMES.get(key, key).replace("_", "-")
            yield f"--{name} {change if len(change) < 80 else 'is another'}"
    old_inputs, new_inputs = before["inputs"], now["inputs"]
    if len(old_inputs) != len(new_inputs):
        yield f"the number of inputs was {len(old_inputs):,}, is {len(new_inputs):,}"
        return
    changed = [new[0] for old, new in zip(old_inputs, new_inputs, strict=True) if old != new]
    if changed:
        more = f", and {len(changed) - 1:,} more" if len(changed) > 1 else ""
        yield f"{changed[0]} has changed{more}"


def _shown(value: Any) -> str:
    return "not given" if value is None or value is False else "given" if value is True else str(value)


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Lock a directory of outputs; ValueError if another run uses it."""
    lock = directory / OWN / "lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(handle, 200, 0).decode("utf-8", "replace").strip()
            raise ValueError(
                f"{directory}: another run uses this directory ({owner}); wait for it, or name another directory"
            ) from None
        except OSError as error:
            raise ClusterError(
                f"{lock}: the file cannot be locked ({error.strerror}); name a directory on another file system"
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} of {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(handle)


class Loss(NamedTuple):
    """A sentence and a warning about it."""

    place: SourceLine
    text: str


class CorpusSummary:
    """The results of all pieces of a finished run, with lines of files instead of pieces.

    Attributes
    ----------
    counts : Counts
        The counts of all sentences.
    losses : list of Loss
        The sentences that relaxed something.
    skipped : int
        Number of bad sentences that were left out; `first_skipped` describes the first.
    empty : list of str
        The inputs that lack columns, one line per input.
    """

    def __init__(self, records: Records) -> None:
        self.counts = Counts()
        self.losses: list[Loss] = []
        self.skipped = 0
        self.first_skipped: TreebankError | None = None
        self.empty: list[str] = []
        for source, pieces in zip(records.inputs, records.pieces, strict=True):
            lines = 0
            for piece in pieces:
                self._add(records.results[piece], source.name, lines)
                lines += records.results[piece].lines

    def _add(self, result: PieceResult, name: str, lines: int) -> None:
        """Add the result of a piece with a number of lines before it in its file."""
        self.counts.add(result.counts.within(name, lines))
        self.losses += [Loss(SourceLine(name, line + lines), text) for line, text in result.warnings]
        self.skipped += result.skipped
        if result.first_skipped and self.first_skipped is None:
            message, line = result.first_skipped
            self.first_skipped = TreebankError(message, name, line and line + lines)
        if result.empty:
            self.empty.append(f"{name}: {result.empty}")


def join_reports(records: Records) -> Iterator[bytes]:
    """Yield the report of all sentences, numbered as on one machine; FileNotFoundError if parts are missing."""
    before = 0
    for piece in itertools.chain.from_iterable(records.pieces):

        def number(match: re.Match[bytes], before: int = before) -> bytes:
            return b'{"sentence": %d' % (int(match[1]) + before)

        yield _SENTENCE_NUMBER.sub(number, Path(f"{records.part(piece)}{REPORT}").read_bytes())
        before += records.results[piece].counts.sentences
