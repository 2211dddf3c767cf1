"""Cutting files at sentences, and records that survive what they are meant for."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest

from wnparse.cluster.cut import Input, cut_corpus, find_end, look_at
from wnparse.cluster.records import PieceResult, Records, locked
from wnparse.storage.files import FilePart
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import BadSentence

ROW = b"1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"


def random_text(rng: random.Random) -> bytes:
    """Sentences, comments, and blank lines of all kinds, or too many of them."""
    pieces = [ROW, b"# c\n", b"\n", b"\n", b"\r\n", ROW.replace(b"\n", b"\r\n"), b" \n", b"x\n"]
    return b"".join(rng.choice(pieces) for _ in range(rng.randint(0, 40))) + rng.choice([b"", b"\n", ROW[:-1]])


def sentences(source: Any) -> list[tuple[bytes, int]]:
    """Bytes and lines of sentences; those that are bad have no bytes."""
    reader = Reader([source], heads="ignored", skip=BadSentence)
    return [(sentence.raw, sentence.line) for sentence in reader]


def test_parts_have_the_sentences_of_the_whole(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "x"
    several = 0
    for _ in range(300):
        text = random_text(rng)
        path.write_bytes(text)
        ends = sorted(
            {find_end(io.BytesIO(text), rng.randint(0, len(text)), len(text)) for _ in range(3)} | {len(text)}
        )
        pieces, lines = [], 0
        for begin, end in zip([0, *ends], ends, strict=False):
            part = FilePart(str(path), "x", begin, end)
            pieces += [(raw, line + lines) for raw, line in sentences(part)]
            part.close()
            lines += part.lines
        assert pieces == sentences(str(path)), text
        several += len(ends) > 1
    assert several > 100


def test_does_not_cut_within_a_long_line() -> None:
    text = ROW + b"# " + b"x" * 100_000 + b"\n" + ROW + b"\n" + ROW
    assert find_end(io.BytesIO(text), 30, len(text)) == len(text) - len(ROW)


def test_tasks_have_about_as_many_words_as_they_should(tmp_path: Path) -> None:
    for name, count in {"a": 1000, "b": 3, "c": 4, "d": 0, "e.gz": 50, "f": 8}.items():
        (tmp_path / name).write_bytes((ROW + b"\n") * count)
    inputs = look_at([str(tmp_path / name) for name in ("a", "b", "c", "d", "e.gz", "f")])
    cut = cut_corpus(inputs, 10)
    names = [[Path(inputs[piece.source].path).name for piece in task] for task in cut.tasks]
    assert names == [["a"]] * 100 + [["b", "c", "d"], ["e.gz"], ["f"]]
    assert max(cut.words[:100]) <= 12
    assert cut.words[100] == pytest.approx(7)
    for source, file in enumerate(inputs):
        pieces = [piece for task in cut.tasks for piece in task if piece.source == source]
        assert [piece.begin for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])]
        assert pieces[-1].end == file.size


def test_ignores_a_truncated_record(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes((ROW + b"\n") * 40)
    inputs: list[Input] = look_at([str(tmp_path / "x")])
    described = {"wnparse": "1", "model": "m", "options": {}, "inputs": [list(inputs[0][1:])]}
    with locked(tmp_path / "out"):
        records = Records(tmp_path / "out", inputs, ["x"])
        assert not records.resume(described)
        records.begin(described, cut_corpus(inputs, 10))
        for piece in records.pieces[0][:3]:
            records.part(piece).write_bytes(b"12345")
            records.note({piece: PieceResult(bytes=5)})
        records.part(records.pieces[0][1]).write_bytes(b"123")  # by a disk that was full, say
        log = tmp_path / "out" / ".wnparse" / "done.jsonl"
        log.write_bytes(log.read_bytes()[:-7])
        again = Records(tmp_path / "out", inputs, ["x"])
        assert again.resume(described)
        assert again.done_tasks() == [0]
        assert again.name == records.name
        assert log.read_bytes().count(b"\n") == 2  # the third was cut short; of the second, the part was
        with pytest.raises(ValueError, match="another run uses this directory"), locked(tmp_path / "out"):
            pass
    with locked(tmp_path / "out"):
        pass
