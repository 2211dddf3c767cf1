"""Mutated CoNLL-U gives a clean result or one line and exit 1: never a traceback, a hang or a crash.

``WNPARSE_FUZZ=10000`` runs as many inputs as that; the default is a smaller seeded run.
"""

from __future__ import annotations

import io
import os
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.commands import Run
from support.places import ROOT, TREEBANKS
from wnparse import stats
from wnparse.cli import cli
from wnparse.conllu import read
from wnparse.errors import TreebankError
from wnparse.writing import write

ROUNDS = int(os.environ.get("WNPARSE_FUZZ", "2000"))


def seed_text() -> bytes:
    """A few sentences with everything in them."""
    sources = [ROOT / "data" / "dev.conllu", TREEBANKS / "tr-imst" / "dev.conllu"]
    text = b"".join(path.read_bytes()[:6000] for path in sources if path.is_file())
    assert text
    return text


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Flip bytes, cut, repeat and swap lines and columns."""
    kind = rng.randrange(8)
    if kind == 0:
        at = rng.randrange(len(data))
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[: rng.randrange(len(data))]
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    columns = lines[at].split(b"\t")
    first, second = rng.randrange(len(columns)), rng.randrange(len(columns))
    if kind == 2:
        del lines[at]
    elif kind == 3:
        lines.insert(rng.randrange(len(lines)), lines[at])
    elif kind == 4:
        columns[first], columns[second] = columns[second], columns[first]
    elif kind == 5:
        columns[first] = rng.choice([b"", b"_", b"0", b"-1", b"1-2", b"3.1", b"9" * 12, b"\xff", b"\0", b"1\r"])
    elif kind == 6:
        columns.insert(first, columns[second])
    else:
        return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\t\n", b" \n"]))
    if kind in (4, 5, 6):
        lines[at] = b"\t".join(columns)
    return b"\n".join(lines)


def mutants() -> list[bytes]:
    rng = random.Random(1)
    whole = seed_text()
    inputs = []
    for _ in range(ROUNDS):
        start = rng.randrange(len(whole) // 2)
        data = whole[whole.index(b"\n\n", start) + 2 :][: rng.randrange(200, 3000)]
        for _ in range(rng.randrange(1, 4)):
            data = mutate(rng, data) or b"\n"
        inputs.append(data)
    return inputs


def test_the_reader_gives_back_the_bytes_or_one_line() -> None:
    clean = refused = 0
    for data in mutants():
        stream = io.BytesIO()
        try:
            found = list(read(io.BytesIO(data)))
            write(found, stream)
            assert stream.getvalue() == data
            stats.measure(sentence for sentence in found if sentence.annotated)
            clean += 1
        except TreebankError as error:
            assert error.line > 0
            assert "\n" not in str(error)
            refused += 1
        skipped: list[TreebankError] = []
        kept = (
            list(read(io.BytesIO(data), skip=skipped.append)) if data[:2] not in (b"\xff\xfe", b"\xfe\xff") else []
        )
        assert all(sentence.raw in data for sentence in kept)
    assert clean > ROUNDS / 20
    assert refused > ROUNDS / 3


@pytest.mark.parametrize("command", ["stats FILE --skip-bad", "eval FILE FILE", "show FILE", "show FILE --html -"])
def test_commands_end_cleanly(command: str, tmp_path: Path) -> None:
    runner = CliRunner()
    path = tmp_path / "fuzz.conllu"
    for data in mutants()[: ROUNDS // 10]:
        path.write_bytes(data)
        arguments = [str(path) if word == "FILE" else word for word in command.split()]
        result = runner.invoke(cli, arguments)
        assert isinstance(result.exception, TreebankError | SystemExit | None), result.exception


def test_through_the_shell(wnparse_command: Run) -> None:
    for data in mutants()[:8]:
        result = wnparse_command("stats", "-", stdin=data)
        assert result.returncode in (0, 1)
        assert b"Traceback" not in result.stderr
        if result.returncode:
            assert result.stdout == b""
            assert result.stderr.count(b"\n") == 1
            assert result.stderr.startswith(b"wnparse: <stdin>:")
