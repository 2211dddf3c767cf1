"""Names of files outside ASCII, or outside UTF-8, in the C locale: shown as they are or escaped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.treebanks import first_sentences

GOOD = first_sentences("dev", 12)
RULE = b'[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = "nsubj" }\n'
# What a shell passes, and what is printed of it.
NAMES = {"é": "é", b"caf\xe9": "caf\\xe9"}
LOCALES = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
COMMANDS = [
    *(
        "stats FILE",
        "stats FILE --json",
        "stats FILE --html -",
        "rules FILE --rules RULES --json",
        "eval FILE FILE",
    ),
    *("eval FILE FILE --json", "show FILE --html -", "info MODEL", "info MODEL --json", "parse -m MODEL BAD"),
    *(
        "combine FILE BAD",
        "train FILE --rules RULES --epochs 1 --order 1 -o OUT",
        "stats ABSENT",
        "rules FILE --rules BAD",
    ),
]


@pytest.fixture(scope="module", params=NAMES, ids=ascii)
def folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, model: str
) -> tuple[Path, bytes]:
    """A folder with files whose names have this part, and the part as bytes."""
    part = request.param if isinstance(request.param, bytes) else request.param.encode()
    place = tmp_path_factory.mktemp("names")
    contents = {b"FILE": GOOD, b"BAD": GOOD + b"1\tx\n\n", b"RULES": RULE, b"MODEL": Path(model).read_bytes()}
    for name, content in contents.items():
        Path(os.fsdecode(os.fsencode(place) + b"/" + part + name)).write_bytes(content)
    return place, part


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("line", COMMANDS)
def test_commands_name_files(folder: tuple[Path, bytes], locale: str, line: str) -> None:
    place, part = folder
    arguments = [part + word.encode() if word.isupper() else word.encode() for word in line.split()]
    result = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"wnparse", *arguments],
        cwd=place,
        env={**os.environ, **LOCALES[locale]},
        capture_output=True,
        check=False,
    )
    assert result.returncode == (2 if "ABSENT" in line else 1 if "BAD" in line else 0), result.stderr
    assert b"Traceback" not in result.stderr
    shown = NAMES.get(part) or NAMES[part.decode()]
    if result.returncode == 1:
        message = result.stderr.decode().splitlines()[-1]
        ascii_only = shown.encode("ascii", "backslashreplace").decode()
        assert message.startswith((f"wnparse: {shown}BAD:", f"wnparse: {ascii_only}BAD:"))
        return
    text = result.stdout.decode()
    if "--json" in line:
        document = json.loads(text)
        named = (
            document["file"]
            if "info" in line
            else document["gold"]["file"]
            if "eval" in line
            else document["files"][0]["name"]
        )
        assert named == f"{shown}{'MODEL' if 'info' in line else 'FILE'}"
    elif line in ("stats FILE", "eval FILE FILE", "info MODEL"):
        assert shown in text
