"""Every path of every command is declared as read or written, and nothing that is read is overwritten."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from support.commands import Run
from wnparse.cli.common import Number
from wnparse.cli.crossval import ListOf
from wnparse.cli.main import COMMANDS, cli
from wnparse.cli.paths import Command
from wnparse.treebanks.writing import write
from wnparse.wording import printable

ONE = b"# sent_id = 1\n1\tone\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
RULE = b'[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = "nsubj" }\n'
# Types of values that are not paths.
PLAIN = (click.Choice, click.IntRange, click.FloatRange, Number, ListOf, click.types.BoolParamType)
PLAIN += (click.types.IntParamType, click.types.FloatParamType)
# Parameters that are texts, and not names of files. A new path needs a type of wnparse.cli.paths instead.
TEXTS = {
    ("combine", "weights"),
    ("eval", "ignore_tags"),
    ("crossval", "block_degree"),
    ("parse", "block_degree"),
    *(("show", name) for name in ("degrees", "forms", "lemmas", "numbers", "relations", "rule_names", "sent_ids")),
    ("show", "upos"),
    ("train", "block_degree"),
}
# What a command needs in addition to the options under test.
NEEDED = {
    "combine": {"systems": "t"},
    "crossval": {"treebanks": "t"},
    "eval": {"gold": "t", "systems": "t"},
    "info": {"path": "model"},
    "parse": {"files": "t", "path": "model"},
    "rules": {"files": "t"},
    "show": {"file": "t"},
    "stats": {"files": "t"},
    "tag": {"files": "t", "path": "model"},
    "tokenize": {"files": "t", "path": "model"},
    "train": {"treebanks": "t", "output": "m"},
}
WAYS = ("same", "dotted", "symbolic", "hard", "absolute")


def parameters(name: str) -> list[click.Parameter]:
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, Command)
    return command.params


def reads(parameter: click.Parameter) -> bool:
    return hasattr(parameter.type, "reads")


def writes(parameter: click.Parameter) -> bool:
    return hasattr(parameter.type, "writes")


def undeclared(name: str, declared: list[click.Parameter]) -> list[str]:
    """The parameters that may be paths, and are not declared as read or written."""
    return [
        parameter.name or ""
        for parameter in declared
        if not reads(parameter)
        and not writes(parameter)
        and not isinstance(parameter.type, PLAIN)
        and (name, parameter.name) not in TEXTS
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_path_is_declared(name: str) -> None:
    known = parameters(name)
    assert undeclared(name, known) == []
    assert not [parameter.name for parameter in known if reads(parameter) and writes(parameter)]


@pytest.mark.parametrize("kind", [click.Path(), click.File("w"), None, str])
def test_finds_a_path_that_is_not_declared(kind: click.ParamType | None) -> None:
    added = click.Option(["--new"], type=kind)
    assert undeclared("parse", [*parameters("parse"), added]) == ["new"]


def test_the_list_of_texts_is_current() -> None:
    known = {(name, parameter.name) for name in COMMANDS for parameter in parameters(name)}
    assert known >= TEXTS


class Case(NamedTuple):
    """A command in which two parameters get the same file."""

    command: str
    first: str
    second: str
    way: str

    def __str__(self) -> str:
        return f"{self.command} {self.first} {self.second} {self.way}"


def cases(*, two_outputs: bool) -> Iterator[Case]:
    for name in COMMANDS:
        inputs = [parameter.name or "" for parameter in parameters(name) if reads(parameter)]
        outputs = [parameter.name or "" for parameter in parameters(name) if writes(parameter)]
        pairs = combinations(outputs, 2) if two_outputs else product(inputs, outputs)
        for first, second in pairs:
            if name in ("parse", "tag", "tokenize") and (first, second) == (
                "files",
                "output",
            ):  # -o INPUT is allowed
                continue
            if first == "encoder" and second in ("checkpoint", "html"):  # its files have other names
                continue
            yield from (Case(name, first, second, way) for way in WAYS)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a treebank, a rule file, and stand-ins for a model and a scheduler file."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "t").write_bytes(ONE)
    (folder / "model").write_bytes(b"x")
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def other_name(path: str, way: str) -> str:
    """Another name of the same file; a link is made if need be."""
    if way == "dotted":
        return f"../here/{path}"
    if way == "absolute":
        return str(Path(path).absolute())
    if way == "same":
        return path
    link = str(Path(path).with_name(f"{way}-{Path(path).name}"))  # with the same extension
    if way == "symbolic":
        Path(link).symlink_to(Path(path).absolute())
    else:
        Path(link).hardlink_to(path)
    return link


def arguments_of(name: str, values: dict[str, str]) -> list[str]:
    """A command line that gives these values to parameters."""
    line, operands = [name], []
    for parameter in parameters(name):
        value = values.get(parameter.name or "")
        if value is None:
            continue
        if isinstance(parameter, click.Argument):
            operands.append(value)
        else:
            line += [parameter.opts[0], f"file:{value}" if parameter.name == "cluster" else value]
    return line + operands


def run_case(run: Run, here: Path, case: Case) -> subprocess.CompletedProcess[bytes]:
    """Run a command in which two parameters get the same file; nothing must change."""
    rules = "rules" in (case.first, case.second)
    shared = "x" if rules else "x.gz"
    values = dict(NEEDED[case.command])
    if case.second == "checkpoint":
        (here / "c").mkdir()
        shared = "c/best.wnp"
        values["checkpoint"] = "c"
    (here / shared).write_bytes(RULE if rules else ONE)
    values[case.first] = other_name(shared, case.way)
    values.setdefault(case.second, shared)
    values[case.second] = "c" if case.second == "checkpoint" else shared
    if "output_dir" in (case.first, case.second):
        (here / "out").mkdir()  # outputs in a folder have the names of the inputs
        (here / "out" / "t").write_bytes(RULE if rules else ONE)
        other = case.first if case.second == "output_dir" else case.second
        values |= {"output_dir": "out", other: other_name("out/t", case.way)}
    if case.first == "encoder":
        (here / "e").mkdir()
        (here / "e" / "config.json").write_bytes(ONE)
        values |= {"encoder": "e", case.second: other_name("e/config.json", case.way)}
    before = contents(here)
    result = run(*arguments_of(case.command, values))
    assert contents(here) == before
    return result


@pytest.mark.parametrize("case", list(cases(two_outputs=False)), ids=str)
def test_no_output_overwrites_an_input(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    monkeypatch.chdir(here)
    result = run_case(wnparse_inside, here, case)
    assert result.returncode == 2, result.stderr
    assert b"would overwrite an input, " in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert result.stdout == b""


@pytest.mark.parametrize("case", list(cases(two_outputs=True)), ids=str)
def test_no_file_is_written_twice(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    monkeypatch.chdir(here)
    result = run_case(wnparse_inside, here, case)
    assert result.returncode == 2, result.stderr
    assert b"are the same file" in result.stderr
    assert result.stderr.count(b"\n") == 1


OUTPUTS = [
    (name, parameter.name or "") for name in COMMANDS for parameter in parameters(name) if writes(parameter)
]


@pytest.mark.parametrize("value", ["new/", "new/.", "new/..", "", "t/"])
@pytest.mark.parametrize(("name", "parameter"), OUTPUTS)
def test_a_folder_is_not_taken_for_a_file(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, name: str, parameter: str, value: str
) -> None:
    monkeypatch.chdir(here)
    if parameter in ("checkpoint", "output_dir"):
        return
    before = contents(here)
    result = wnparse_inside(*arguments_of(name, {**NEEDED[name], parameter: value}))
    assert result.returncode == 2
    assert result.stderr.count(b"\n") == 1
    assert contents(here) == before
    assert not (here / "new").exists()


def test_a_folder_is_not_taken_for_a_file_in_python(here: Path) -> None:
    with pytest.raises(IsADirectoryError, match="expected a file"):
        write([], "new/")
    assert not (here / "new").exists()


REFUSED = [
    "rules t --rules mine.toml -o mine.toml",
    "eval t t --rules mine.toml -o mine.toml",
    "combine t --rules mine.toml -o mine.toml",
    "train t --rules mine.toml -o mine.toml",
    "parse -m model t --rules mine.toml -o mine.toml",
    "parse -m model t --rules mine.toml --report mine.toml",
    "parse -m t t -o t",
    "parse -m model t --rules t.toml t.toml -o t.toml",
    "combine t u -o u",
    "combine t u --dev t --dev-system u --dev-system v -o v",
    "train t -o run --checkpoint run",
    "train run/tagged-train.conllu -o m --checkpoint run",
    "info model >> model",
    "stats t >> t",
    "rules t --rules mine.toml >> mine.toml",
    "show t >> t",
    "combine t u >> u",
    "crossval t --predictions p --suspects p",
    "eval t u --html - -o p >> t",
]


@pytest.mark.parametrize("line", REFUSED)
def test_refuses_to_overwrite_from_the_shell(here: Path, line: str) -> None:
    for name, content in {
        "mine.toml": RULE,
        "t.toml": RULE,
        "u": ONE,
        "v": ONE,
        "run/tagged-train.conllu": ONE,
    }.items():
        if name.startswith("run") and "-o run" in line:
            continue
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(content)
    before = contents(here)
    command = f"{sys.executable} -m wnparse {line}"
    result = subprocess.run(["bash", "-c", command], cwd=here, capture_output=True, check=False)
    assert result.returncode == 2, result.stderr
    assert result.stderr.count(b"\n") == 1
    assert b"would overwrite an input" in result.stderr or b"are the same file" in result.stderr
    assert contents(here) == before


@pytest.mark.parametrize(
    "line", ["stats t --html page.html -o tables", "show t --html p -o -", "stats t -o -", "stats < t"]
)
def test_accepts_different_files(here: Path, line: str) -> None:
    command = f"{sys.executable} -m wnparse {line} > out"
    result = subprocess.run(["bash", "-c", command], cwd=here, capture_output=True, check=False)
    assert b"same file" not in result.stderr
    assert b"overwrite" not in result.stderr


CLUSTER = [
    ("t --output-dir out", "hard link", "out/t would overwrite an input, t"),
    ("@in/list u --output-dir in", "list", "in/list would overwrite an input, in/list"),
    ("t --rules out/t --output-dir out", "rules", "out/t would overwrite an input, out/t"),
    ("out/.wnparse/t --output-dir out", "own", "its own files"),
    ("t --output-dir out --report out", "", "are the same file"),
    (
        "t --output-dir out --report out/.wnparse/r",
        "own",
        "its own files",
    ),
]


@pytest.mark.parametrize(("line", "kind", "message"), CLUSTER)
def test_refuses_to_overwrite_with_outputs_of_a_cluster(
    wnparse_inside: Run, here: Path, monkeypatch: pytest.MonkeyPatch, line: str, kind: str, message: str
) -> None:
    monkeypatch.chdir(here)
    if kind:
        (here / "out" / ".wnparse").mkdir(parents=True)
        (here / "in").mkdir()
    if kind == "hard link":
        (here / "out" / "t").hardlink_to(here / "t")
    elif kind == "list":
        (here / "in" / "list").write_text("list\nt\n")
        (here / "list").write_bytes(ONE)
        (here / "u").write_bytes(ONE)
    elif kind == "rules":
        (here / "out" / "t").write_bytes(RULE)
    elif kind == "own":
        (here / "out" / ".wnparse" / "t").write_bytes(ONE)
    before = contents(here)
    result = wnparse_inside("parse", "--cluster", "local:1", "-m", "model", *line.split())
    assert result.returncode == 2
    assert message in printable(result.stderr.decode())
    assert result.stderr.count(b"\n") == 1
    assert contents(here) == before
