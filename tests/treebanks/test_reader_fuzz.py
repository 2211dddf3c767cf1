"""Mutated CoNLL-U gives a clean result or one line and exit 1: never a traceback, a hang or a crash.

``WNPARSE_FUZZ=10000`` runs as many inputs as that; the default is a smaller seeded run. The inputs are those of
`scripts/campaigns/files.py`, which runs many more.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campaigns.file_checks import check_reading, check_skipping, run_command
from campaigns.files import make_mutant, seed_texts
from support.commands import Run

ROUNDS = int(os.environ.get("WNPARSE_FUZZ", "1000"))


@pytest.fixture(scope="module")
def texts() -> list[bytes]:
    real = Path(os.environ.get("WNPARSE_TREEBANKS", ""), "tr-imst", "dev.conllu")
    return seed_texts("conllu", [str(real)] if real.is_file() else [])


def test_returns_the_same_bytes_or_one_line_of_error(texts: list[bytes], tmp_path: Path) -> None:
    clean = 0
    for number in range(ROUNDS):
        name, data = make_mutant("conllu", 1, number, texts)
        path = tmp_path / name
        path.write_bytes(data)
        clean += check_reading(path) == "read"
        check_skipping(path, "optional")
    assert ROUNDS / 20 < clean < 2 * ROUNDS / 3


@pytest.mark.parametrize("command", ["stats FILE --skip-bad", "eval FILE FILE", "show FILE", "show FILE --html -"])
def test_commands_end_cleanly(command: str, texts: list[bytes], tmp_path: Path) -> None:
    for number in range(ROUNDS // 10):
        name, data = make_mutant("conllu", 2, number, texts)
        (tmp_path / name).write_bytes(data)
        run_command(command, str(tmp_path / name))


def test_commands_end_cleanly_from_the_shell(wnparse_command: Run, texts: list[bytes]) -> None:
    for number in range(8):
        _, data = make_mutant("conllu", 3, number, texts)
        result = wnparse_command("stats", "-", stdin=data)
        assert result.returncode in (0, 1)
        assert b"Traceback" not in result.stderr
        if result.returncode:
            assert result.stdout == b""
            assert result.stderr.count(b"\n") == 1
            assert result.stderr.startswith(b"wnparse: <stdin>:")
