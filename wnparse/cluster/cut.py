"""The files of a corpus, the names of their outputs, and where files can be cut.

A plain file is cut after a blank line that follows a line that is not blank. A sentence ends there for the
reader, too (`wnparse.treebanks.sentence`), so that the parts, read separately, contain the sentences of the whole.
Cutting reads a few thousand bytes around each cut, not the whole file: O(tasks), not O(bytes).
"""

from __future__ import annotations

import glob
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from wnparse.storage.files import BOM, COMPRESSED, STDIN
from wnparse.treebanks.word_input import count_sentences, is_word, split_lines

OWN = ".wnparse"  # the directory for parts and records in the directory of outputs
SAMPLE = 1 << 18  # bytes from which the length of the lines of a file is estimated
BLOCK = 1 << 14  # bytes that are read around a cut; more if no sentence ends in them
SHRINKAGE = 6  # assumed ratio of the sizes of a treebank and its compressed file
LINE_BYTES = 60.0  # assumed bytes per line of a file without words


class Input(NamedTuple):
    """A file of a corpus, as it was when the run began."""

    name: str  # as the user wrote it
    path: str  # absolute: workers may be in another directory
    size: int
    changed: int  # time of the last change, in nanoseconds

    @property
    def compressed(self) -> bool:
        """Whether the file is compressed, so that it cannot be cut."""
        return self.path.endswith(COMPRESSED)


class Piece(NamedTuple):
    """A part of an input between two offsets."""

    source: int  # the number of the input
    begin: int
    end: int
    first: int = 1  # the number of its first sentence, if the input has one word per line


class Cut(NamedTuple):
    """The tasks of a corpus, in the order of the inputs."""

    tasks: list[list[Piece]]  # small files share one; a compressed file has its own
    words: list[float]  # estimated words per task


def find_files(arguments: Iterable[str]) -> list[str]:
    """Return the files of arguments, each of which is a file, a pattern or a list of these, ``@list.txt``.

    Raises
    ------
    ValueError
        If there is no such file, or a pattern matches none; for standard input and directories.
    """
    return [path for argument in arguments for path in _expand(argument)]


def _expand(argument: str, where: str = "") -> Iterable[str]:
    """Return the files that an argument names; `where` is the line of the list in which it is, for messages."""
    path = Path(argument)
    if argument.startswith("@") and not where and not path.exists():
        return _read_list(argument[1:])
    if argument == STDIN:
        raise ValueError(f"{where}standard input cannot be distributed; expected files")
    if path.is_dir():
        raise ValueError(
            f"{where}'{argument}' is a directory; expected a file or a pattern such as '{argument}/*.conllu'"
        )
    if path.is_file():
        return [argument]
    if path.exists():
        raise ValueError(f"{where}'{argument}' can be read only once; expected a file on disk")
    matches = sorted(glob.glob(argument, recursive=True))  # noqa: PTH207 -- a pattern may begin with any directory
    if files := [match for match in matches if Path(match).is_file()]:
        return files
    if glob.has_magic(argument):
        raise ValueError(f"{where}no file matches '{argument}'; expected a pattern of existing files")
    raise ValueError(f"{where}file '{argument}' does not exist; expected an existing file or a pattern")


def _read_list(name: str) -> Iterator[str]:
    """Yield the files that a list names, one path or pattern per line."""
    if not Path(name).is_file():
        raise ValueError(f"list '{name}' does not exist; expected a file with one path or pattern per line")
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            f"{name}: not a list of files; expected UTF-8 text with one path or pattern per line"
        ) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield from _expand(line.strip(), f"{name}:{number}: ")


def look_at(names: Iterable[str]) -> list[Input]:
    """Return the inputs as they are now."""
    states = [(name, Path(name).stat()) for name in names]
    return [Input(name, str(Path(name).absolute()), state.st_size, state.st_mtime_ns) for name, state in states]


def name_outputs(names: Sequence[str], directory: str) -> list[str]:
    """Return the names of the outputs in their directory: those of the inputs.

    Raises
    ------
    ValueError
        If two inputs have the same name, or an output would replace an input or the records of the run.
    """
    inputs = {os.path.realpath(name): name for name in names}
    input_of: dict[str, str] = {}
    for name in names:
        output = Path(name).name
        target = Path(directory, output)
        if output in input_of:
            raise ValueError(
                f"'{input_of[output]}' and '{name}' would both be written to {target}; rename one of them, "
                "or write to two directories"
            )
        if output == OWN:
            raise ValueError(f"'{name}' would replace {target}, the directory of records; rename it")
        if (overwritten := inputs.get(os.path.realpath(target))) is not None:
            raise ValueError(f"{target} would overwrite an input, '{overwritten}'; name another directory")
        input_of[output] = name
    return list(input_of)


def cut_corpus(inputs: Sequence[Input], task_words: int, kind: str = "conllu") -> Cut:
    """Cut inputs into tasks of about `task_words` words; `kind` is conllu or words (one word per line)."""
    cut = Cut([], [])
    room = -1.0  # words that the last task can still get; below 0, not even an empty file
    for number, source in enumerate(inputs):
        with Path(source.path).open("rb") as stream:
            word_bytes = LINE_BYTES / SHRINKAGE if source.compressed else _word_bytes(stream, kind)
            words = source.size / word_bytes
            count = 1 if source.compressed else round(words / task_words)
            ends = _ends(stream, source.size, count, kind)
            firsts = _number_pieces(stream, ends) if kind == "words" else [1] * len(ends)
        bounds = zip([0, *ends[:-1]], ends, firsts, strict=True)
        pieces = [Piece(number, begin, end, first) for begin, end, first in bounds]
        can_share = len(pieces) == 1 and not source.compressed
        if can_share and words <= room:
            cut.tasks[-1] += pieces
            cut.words[-1] += words
            room -= words
        else:
            cut.tasks.extend([piece] for piece in pieces)
            cut.words.extend((piece.end - piece.begin) / word_bytes for piece in pieces)
            room = task_words - words if can_share else -1.0
    return cut


def _word_bytes(stream: BinaryIO, kind: str) -> float:
    """Estimate the bytes per word from the beginning of a file."""
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
    """Yield the lines from the current position of a stream, without a BOM."""
    while at < end and (line := stream.readline()):
        yield line if at else line.removeprefix(BOM)
        at += len(line)


def _ends(stream: BinaryIO, size: int, count: int, kind: str) -> list[int]:
    """Return the ends of about `count` pieces of about the same size, each after a sentence."""
    ends: list[int] = []
    for number in range(1, count):
        target = size * number // count
        if not ends or target > ends[-1]:
            ends.append(find_end(stream, target, size, kind))
    return [*(end for end in ends if end < size), size]


def find_end(stream: BinaryIO, begin: int, size: int, kind: str = "conllu") -> int:
    """Return the first offset after `begin` at which a sentence ends, the size of the file if there is none.

    It is after an empty line that follows one that is not blank. Further blank lines belong to the next sentence.
    If `kind` is words (one word per line), comments alone are not a sentence: they belong to the next one.
    """
    stream.seek(begin)
    stream.readline()  # the rest of a line that began before
    begin = stream.tell()
    content = False
    while begin < size:
        block = stream.read(BLOCK)
        if not block:
            return size
        lines = split_lines(block)
        if not lines[-1].endswith(b"\n") and len(block) == BLOCK:
            lines[-1] += stream.readline()
        for line in lines:
            begin += len(line)
            if line in (b"\n", b"\r\n"):
                if content:
                    return begin
            elif kind == "conllu":
                content = bool(line.strip())
            else:
                content = is_word(line) or (content and bool(line.strip()))
    return size
