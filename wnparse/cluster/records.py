"""The records of a run over a corpus, in ``DIR/.wnparse``: what is to be done, what has been, and who is at it.

``manifest.json`` says what the outputs are made of: version, checksum of the model, options, inputs with their
sizes and times, and the tasks they were cut into. ``done.jsonl`` gets a line for each task that is finished, and
for each output that is whole. Whoever runs the same command again goes on from there; another command is refused.
``lock`` is locked by the system, which unlocks it when the process ends, however it does. ``parts-NAME`` holds the
parts of outputs that are not whole yet.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wnparse.cluster.cut import OWN, Cut, Input, Piece
from wnparse.errors import ClusterError
from wnparse.storage.files import open_output

CALLED = {"k": "k-best", "input_format": "input"}  # options that have another name within


class Records:
    """What is known of a run, on disk.

    Attributes
    ----------
    folder : Path
        The folder of outputs.
    name : str
        A checksum of what is to be done.
    inputs, outputs : list
        The files, as they are called now, and what becomes of them.
    cut : Cut
        The tasks.
    done : dict
        What each finished task told, by its number.
    whole : dict
        The sizes of outputs that are whole, by the numbers of their inputs.
    """

    def __init__(self, folder: Path, inputs: Sequence[Input], outputs: Sequence[str]) -> None:
        self.folder = folder
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.name = ""
        self.cut = Cut([], [])
        self.done: dict[int, dict[str, Any]] = {}
        self.whole: dict[int, int] = {}

    @property
    def parts(self) -> Path:
        """Where parts of outputs are."""
        return self.folder / OWN / f"parts-{self.name}"

    def part(self, piece: Piece) -> Path:
        """The part of an output that a piece becomes."""
        suffix = Path(self.inputs[piece.source].path).suffix if self.inputs[piece.source].compressed else ""
        return self.parts / f"{piece.source:06d}-{piece.begin:012d}{suffix}"

    def target(self, source: int) -> Path:
        """The output of an input."""
        return self.folder / self.outputs[source]

    def pieces(self, source: int) -> list[tuple[int, int]]:
        """The tasks that an output is made of, each with the place of the piece in it, in order."""
        return self._pieces[source]

    def begin(self, described: Mapping[str, Any], cut: Cut) -> None:
        """Note what is to be done."""
        self._set(cut)
        manifest = {
            **described,
            "outputs": self.outputs,
            "tasks": [[list(piece) for piece in task] for task in cut.tasks],
            "task_words": [round(words) for words in cut.words],
        }
        text = json.dumps(manifest, indent=0)
        self.name = hashlib.sha256(text.encode()).hexdigest()[:12]
        _write(self.folder / OWN / "done.jsonl", "")
        _write(self.folder / OWN / "manifest.json", text)
        self._prepare()

    def resume(self, described: Mapping[str, Any]) -> bool:
        """Go on with what was noted before, if anything was; ValueError if that was something else."""
        path = self.folder / OWN / "manifest.json"
        try:
            text = path.read_text(encoding="utf-8")
            manifest = json.loads(text)
        except FileNotFoundError:
            return False
        except ValueError:
            raise ValueError(f"{path}: is damaged; {_begin_anew(path)}") from None
        if changed := list(_differences(manifest, json.loads(json.dumps(described)))):
            raise ValueError(f"{self.folder}: was begun otherwise: {'; '.join(changed)}; {_begin_anew(path)}")
        self.outputs = manifest["outputs"]
        tasks = [[Piece(*piece) for piece in task] for task in manifest["tasks"]]
        self._set(Cut(tasks, manifest["task_words"]))
        self.name = hashlib.sha256(text.encode()).hexdigest()[:12]
        self._prepare()
        self._read_done()
        return True

    def _set(self, cut: Cut) -> None:
        self.cut = cut
        self._pieces: list[list[tuple[int, int]]] = [[] for _ in self.inputs]
        for number, task in enumerate(cut.tasks):
            for place, piece in enumerate(task):
                self._pieces[piece.source].append((number, place))

    def _prepare(self) -> None:
        self.parts.mkdir(exist_ok=True)
        for note in self.parts.glob("*.note"):  # what ended an earlier run says nothing of a sentence
            note.unlink()

    def _read_done(self) -> None:
        """Believe what was noted as far as the files are there; a line that was cut short ends it."""
        path = self.folder / OWN / "done.jsonl"
        data = path.read_bytes() if path.exists() else b""
        for line in data.splitlines():
            try:
                told = json.loads(line)
            except ValueError:
                break
            if told.get("name") != self.name:
                continue
            if "whole" in told:
                self.whole[told["whole"]] = told["bytes"]
            else:
                self.done[told["task"]] = told
        self._check_files()
        kept = [json.dumps(told) for told in self.done.values()]
        kept += [json.dumps(self._whole_line(source, size)) for source, size in self.whole.items()]
        _write(path, "".join(line + "\n" for line in kept))

    def _check_files(self) -> None:
        for source in range(len(self.inputs)):
            size = self.whole.pop(source, None)
            if all(task in self.done for task, _ in self.pieces(source)):
                # A worker may have made it whole when nobody noted it any more.
                size = sum(self.done[task]["pieces"][place]["bytes"] for task, place in self.pieces(source))
            target = self.target(source)
            found = target.stat().st_size if target.exists() else None
            if size is not None and found is not None:
                if size != found:
                    raise ValueError(
                        f"{target}: has been changed since it was written; remove it to have it made again"
                    )
                self.whole[source] = size
        for task, told in list(self.done.items()):
            for piece, each in zip(self.cut.tasks[task], told["pieces"], strict=True):
                part = self.part(piece)
                if piece.source not in self.whole and not _has_size(part, each["bytes"]):
                    self.done.pop(task, None)

    def note(self, told: Mapping[str, Any]) -> None:
        """Note a task that is finished."""
        self.done[told["task"]] = {**told, "name": self.name}
        self._append(self.done[told["task"]])

    def note_whole(self, source: int, size: int) -> None:
        """Note an output that is whole."""
        self.whole[source] = size
        self._append(self._whole_line(source, size))

    def _whole_line(self, source: int, size: int) -> dict[str, Any]:
        return {"whole": source, "bytes": size, "name": self.name}

    def _append(self, told: Mapping[str, Any]) -> None:
        path = self.folder / OWN / "done.jsonl"
        try:
            with path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(told) + "\n")
        except OSError as error:
            error.filename = str(path)
            raise

    def finish(self) -> None:
        """Remove the parts: all outputs are whole."""
        shutil.rmtree(self.parts, ignore_errors=True)

    def refuse_strangers(self) -> None:
        """Say so where an output would replace what this run has not made; ValueError."""
        for source in range(len(self.inputs)):
            if source not in self.whole and self.target(source).exists():
                raise ValueError(f"{self.target(source)}: is there already; remove it or name another folder")


def _begin_anew(manifest: Path) -> str:
    return f"name another folder, or remove {manifest.parent} and the outputs to begin anew"


def _has_size(path: Path, size: int) -> bool:
    return path.exists() and path.stat().st_size == size


def _write(path: Path, text: str) -> None:
    with open_output(str(path)) as stream:
        stream.write(text.encode())


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What has changed, in words."""
    for key in ("wnparse", "model"):
        if before.get(key) != now[key]:
            what = "the version" if key == "wnparse" else "the model's checksum"
            yield f"{what} was {before.get(key)}, is {now[key]}"
    for key, value in now["options"].items():
        old = before["options"].get(key)
        if old != value and not (key == "skip_bad" and value):  # nothing that was bad has been finished
            told = f"was {_shown(old)}, is {_shown(value)}"
            yield f"--{CALLED.get(key, key).replace('_', '-')} {told if len(told) < 80 else 'is another'}"
    old_inputs, new_inputs = before["inputs"], now["inputs"]
    if len(old_inputs) != len(new_inputs):
        yield f"there were {len(old_inputs):,} inputs, there are {len(new_inputs):,}"
        return
    changed = [new[0] for old, new in zip(old_inputs, new_inputs, strict=True) if old != new]
    if changed:
        more = f", and {len(changed) - 1:,} more" if len(changed) > 1 else ""
        yield f"{changed[0]} has changed{more}"


def _shown(value: Any) -> str:
    return "not given" if value is None or value is False else "given" if value is True else str(value)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep others from a folder of outputs; ValueError if somebody is at work there."""
    own = folder / OWN
    own.mkdir(parents=True, exist_ok=True)
    handle = os.open(own / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(handle, 200, 0).decode("utf-8", "replace").strip()
            raise ValueError(
                f"{folder}: another run is at work there ({who}); wait for it, or name another folder"
            ) from None
        except OSError as error:
            raise ClusterError(
                f"{own / 'lock'}: cannot be locked ({error.strerror}); name a folder on another file system"
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} of {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(handle)
