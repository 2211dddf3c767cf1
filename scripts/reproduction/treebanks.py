"""Treebanks as folders of train, dev and test.conllu; of those without training data only the structure counts."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wnparse.storage.files import open_output
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

PARTS = ("train", "dev", "test")
SAMPLE = Path(__file__).resolve().parent.parent.parent / "data"


@dataclass(frozen=True)
class Treebank:
    """A folder with at least one of the parts."""

    name: str
    folder: Path

    def path(self, part: str) -> Path | None:
        """The file of a part, if it is there."""
        path = self.folder / f"{part}.conllu"
        return path if path.is_file() else None

    @property
    def parts(self) -> list[Path]:
        """The files that are there, training data first."""
        return [path for path in map(self.path, PARTS) if path]

    @property
    def complete(self) -> bool:
        """Whether a parser can be trained and tested on it."""
        return self.path("train") is not None and self.path("test") is not None

    @cached_property
    def digest(self) -> str:
        """What its files hold, in a few letters."""
        hashed = hashlib.sha256()
        for path in self.parts:
            hashed.update(f"{path.name} {path.stat().st_size}\n".encode())
            hashed.update(path.read_bytes())
        return hashed.hexdigest()[:16]

    def sentences(self, part: str) -> list[Sentence]:
        """The sentences of a part that have words."""
        path = self.path(part)
        read = Reader([str(path)], heads="required") if path else ()
        return [sentence for sentence in read if len(sentence)]

    def required(self, part: str) -> str:
        """The file of a part that must be there."""
        path = self.path(part)
        if path is None:
            raise FileNotFoundError(f"{self.folder}: no {part}.conllu")
        return str(path)


def find_treebanks(paths: Iterable[Path]) -> tuple[list[Treebank], list[str]]:
    """The treebanks among some paths, and a line for each path that is none; names are unique."""
    treebanks: list[Treebank] = []
    skipped = []
    for path in paths:
        name = "sample" if path.resolve() == SAMPLE else path.resolve().name
        treebank = Treebank(name, path.resolve())
        if not path.exists():
            skipped.append(f"{path}: skipped, there is no such folder")
        elif not treebank.parts:
            skipped.append(f"{path}: skipped, it holds no train, dev or test.conllu")
        elif any(name == other.name for other in treebanks):
            skipped.append(f"{path}: skipped, there is another treebank of the name {name}")
        else:
            treebanks.append(treebank)
    return treebanks, skipped


def write_first(source: str, target: Path, limit: int) -> int:
    """Copy the first sentences of a treebank; how many words they have."""
    words = 0
    with open_output(str(target)) as stream:
        for sentence in itertools.islice(Reader([source]), limit):
            stream.write(sentence.raw)
            words += len(sentence)
    return words


def limited(treebank: Treebank, limit: int, folder: Path) -> Treebank:
    """The same treebank with at most so many sentences in each part."""
    target = folder / f"{treebank.name}-{limit}"
    target.mkdir(parents=True, exist_ok=True)
    for path in treebank.parts:
        write_first(str(path), target / path.name, limit)
    return Treebank(treebank.name, target)
