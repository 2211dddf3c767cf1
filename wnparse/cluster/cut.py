"""A corpus of many files: which they are, what their outputs are called, and where they can be cut.

A plain file is cut behind a blank line that follows a line with something on it: that is where a sentence ends for
the reader, too (`wnparse.treebanks.sentence`), so that the parts, each read by itself, give the sentences of the
whole. Cutting looks at a few thousand bytes around each cut, not at the whole file: O(tasks), not O(bytes).
"""

from __future__ import annotations

import glob
import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from wnparse.storage.files import BOM, STDIN
from wnparse.treebanks.word_input import count_sentences, is_word, split_lines

OWN = ".wnparse"  # the folder for parts and records in the folder of outputs
COMPRESSED = (".gz", ".xz")
SAMPLE = 1 << 18  # bytes that tell how long the lines of a file are
LOOK = 1 << 14  # bytes that are looked at around a cut; more if no sentence ends in them
SHRINKAGE = 6  # how much smaller a compressed treebank is, until it is known
LINE_BYTES = 60.0  # of a file without words


class Input(NamedTuple):
    """A file of a corpus, as it was when the work began."""

    name: str  # as the user calls it
    path: str  # absolute: workers may be in another folder
    size: int
    changed: int  # when, in nanoseconds

    @property
    def compressed(self) -> bool:
        """Whether it cannot be cut."""
        return self.path.endswith(COMPRESSED)


class Piece(NamedTuple):
    """A stretch of an input."""

    source: int  # its number
    begin: int
    end: int
    first: int = 1  # the number of its first sentence, if the input is one word per line


@dataclass(frozen=True)
class Cut:
    """A corpus in tasks, each some pieces in the order of the inputs.

    Attributes
    ----------
    tasks : list of list of Piece
        Small files share one; a compressed file has its own.
    words : list of float
        About how many words each task has.
    """

    tasks: list[list[Piece]]
    words: list[float]


def find_files(arguments: Iterable[str]) -> list[str]:
    """The files that arguments name: themselves, those of a pattern in order, those that ``@list.txt`` lists.

    Raises
    ------
    ValueError
        If there is no such file, or a pattern matches none; for standard input and folders.
    """
    return [path for argument in arguments for path in _expand(argument)]


def _expand(argument: str, listed: str = "") -> Iterator[str]:
    where = f"{listed}: " if listed else ""
    if argument.startswith("@") and not listed and not Path(argument).exists():
        if not Path(argument[1:]).is_file():
            raise ValueError(f"list '{argument[1:]}' does not exist")
        try:
            lines = Path(argument[1:]).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise ValueError(
                f"{argument[1:]}: is no list of files; expected UTF-8 text, one path or pattern a line"
            ) from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield from _expand(line.strip(), f"{argument[1:]}:{number}")
        return
    if argument == STDIN:
        raise ValueError(f"{where}standard input cannot be shared out; expected files")
    if Path(argument).is_dir():
        raise ValueError(
            f"{where}'{argument}' is a folder; expected a file or a pattern such as '{argument}/*.conllu'"
        )
    if Path(argument).is_file():
        yield argument
        return
    if Path(argument).exists():
        raise ValueError(f"{where}'{argument}' can be read only once; expected a file on disk")
    matching = glob.glob(argument, recursive=True)  # noqa: PTH207 -- a pattern may begin with any folder
    found = [path for path in sorted(matching) if Path(path).is_file()]
    if not found:
        message = f"{where}file '{argument}' does not exist"
        if glob.has_magic(argument):
            message = f"{where}no file matches '{argument}'"
        raise ValueError(message)
    yield from found


def look_at(names: Iterable[str]) -> list[Input]:
    """The inputs as they are now."""
    found = []
    for name in names:
        known = Path(name).stat()
        found.append(Input(name, str(Path(name).absolute()), known.st_size, known.st_mtime_ns))
    return found


def name_outputs(names: Sequence[str], folder: str) -> list[str]:
    """What the outputs are called within their folder: as their inputs; with their paths where names are equal.

    Raises
    ------
    ValueError
        If two inputs would have one output, an output would replace an input, or lie below another's name.
    """
    bases = [Path(name).name for name in names]
    counts = Counter(bases)
    shared: dict[str, list[str]] = {}
    for name, base in zip(names, bases, strict=True):
        if counts[base] > 1:
            shared.setdefault(base, []).append(name)
    parents = {base: _parent(group) for base, group in shared.items()}
    outputs = [
        base if base not in shared else os.path.relpath(Path(name).absolute(), parents[base])
        for name, base in zip(names, bases, strict=True)
    ]
    _refuse_collisions(names, outputs, folder)
    return outputs


def _parent(names: Sequence[str]) -> str:
    """What the paths of inputs with one name are relative to: this folder, or what all of them lie in."""
    here = str(Path.cwd())
    folders = [os.path.normpath(Path(name).absolute().parent) for name in names]
    if any(Path(name).is_absolute() for name in names) or os.path.commonpath([here, *folders]) != here:
        return os.path.commonpath(folders)
    return here


def _refuse_collisions(names: Sequence[str], outputs: Sequence[str], folder: str) -> None:
    read = {os.path.realpath(name): name for name in names}
    made: dict[str, str] = {}
    for name, output in zip(names, outputs, strict=True):
        if output in made:
            raise ValueError(
                f"'{made[output]}' and '{name}' would both become {Path(folder, output)}; name each file once"
            )
        made[output] = name
        if (target := os.path.realpath(Path(folder, output))) in read:
            raise ValueError(
                f"{Path(folder, output)} would overwrite an input, '{read[target]}'; name another folder"
            )
    for output, name in made.items():
        above = next((str(each) for each in Path(output).parents if str(each) in made), None)
        if above is not None or Path(output).parts[0] == OWN:
            other = f"the output of '{made[above]}'" if above is not None else "the folder of records"
            raise ValueError(f"'{name}' would become {Path(folder, output)}, below {other}; rename one of them")


def cut_corpus(inputs: Sequence[Input], task_words: int, kind: str = "conllu") -> Cut:
    """Cut inputs, CoNLL-U or one word a line (`words`), into tasks of about so many words."""
    cut = Cut([], [])
    together: list[Piece] = []
    gathered = 0.0
    for source, each in enumerate(inputs):
        with Path(each.path).open("rb") as stream:
            length = LINE_BYTES / SHRINKAGE if each.compressed else _word_bytes(stream, kind)
            words = each.size / length
            ends = [each.size] if each.compressed else _ends(stream, each.size, round(words / task_words), kind)
            firsts = _number_pieces(stream, ends) if kind == "words" else [1] * len(ends)
        alone = each.compressed or len(ends) > 1
        if together and (alone or gathered + words > task_words):
            cut.tasks.append(together)
            cut.words.append(gathered)
            together, gathered = [], 0.0
        bounds = zip([0, *ends[:-1]], ends, firsts, strict=True)
        pieces = [Piece(source, begin, end, first) for begin, end, first in bounds]
        if alone:
            cut.tasks.extend([piece] for piece in pieces)
            cut.words.extend((piece.end - piece.begin) / length for piece in pieces)
        else:
            together += pieces
            gathered += words
    if together:
        cut.tasks.append(together)
        cut.words.append(gathered)
    return cut


def _word_bytes(stream: BinaryIO, kind: str) -> float:
    """About how many bytes there are for each word, by the beginning of a file."""
    sample = stream.read(SAMPLE)
    lines = sample.split(b"\n")
    words = sum(line[:1].isdigit() for line in lines) if kind == "conllu" else sum(map(bool, lines))
    return len(sample) / words if words else LINE_BYTES


def _number_pieces(stream: BinaryIO, ends: Sequence[int]) -> list[int]:
    """Return the number of the first sentence of each piece of an input with one word per line."""
    firsts = [1]
    stream.seek(0)
    for begin, end in itertools.pairwise([0, *ends[:-1]]):
        firsts.append(firsts[-1] + count_sentences(_lines(stream, begin, end)))
    return firsts


def _lines(stream: BinaryIO, at: int, end: int) -> Iterator[bytes]:
    """Yield the lines from the current place of a stream, without a BOM."""
    while at < end and (line := stream.readline()):
        yield line if at else line.removeprefix(BOM)
        at += len(line)


def _ends(stream: BinaryIO, size: int, count: int, kind: str) -> list[int]:
    """Where about that many parts of about the same size end, each behind a sentence."""
    ends: list[int] = []
    for number in range(1, count):
        aim = size * number // count
        if ends and aim <= ends[-1]:
            continue
        end = find_end(stream, aim, size, kind)
        if end < size:
            ends.append(end)
    return [*ends, size]


def find_end(stream: BinaryIO, begin: int, size: int, kind: str = "conllu") -> int:
    """The first offset behind `begin` at which a sentence ends, the size of the file if there is none.

    It is behind an empty line that follows one that is not blank: there a sentence ends however it is read, and
    further blank lines lead the next one. If `kind` is words (one word per line), the line after comments alone is
    not such a place, because these comments belong to the next sentence.
    """
    stream.seek(begin)
    stream.readline()  # the rest of a line that began before
    begin = stream.tell()
    content = False
    while begin < size:
        block = stream.read(LOOK)
        if not block:
            return size
        lines = split_lines(block)
        if not lines[-1].endswith(b"\n") and len(block) == LOOK:
            lines[-1] += stream.readline()
        for line in lines:
            begin += len(line)
            if line in (b"\n", b"\r\n"):
                if content:
                    return begin
                content = False
            else:
                content = (
                    bool(line.strip()) if kind == "conllu" else is_word(line) or (content and bool(line.strip()))
                )
    return size
