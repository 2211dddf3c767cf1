"""Every option of every command that takes a number, with unexpected numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from support.commands import Run
from support.treebanks import first_sentences
from wnparse.cli.main import COMMANDS, cli
from wnparse.training.learners import LARGEST_MARGIN
from wnparse.training.options import TrainOptions

NUMBERS = ["nan", "inf", "-inf", "0", "-1", str(2**31), str(2**64), "1" * 5000]
# A command line to which each option is added; a new command needs one too.
LINES = {
    "combine": ["t.conllu", "-o", "out"],
    "crossval": ["t.conllu", "--folds", "2", "--epochs", "1", "--order", "1", "--only", "parser"],
    "eval": ["t.conllu", "t.conllu", "t.conllu"],
    "info": ["MODEL"],
    "parse": ["-m", "MODEL", "t.conllu"],
    "rules": ["t.conllu", "--rules", "ud"],
    "show": ["t.conllu", "-o", "out"],
    "stats": ["t.conllu"],
    "tag": ["-m", "MODEL", "t.conllu"],
    "tokenize": ["-m", "MODEL", "t.conllu"],
    "train": ["t.conllu", "-o", "out", "--epochs", "1", "--order", "1", "--only", "parser"],
}
# Without these, an option would be refused whatever it says.
COMPANIONS = {"--max-step": ["--learner", "mira"], "--learner-trees": ["--learner", "mira-kbest"]}


def options() -> Iterator[tuple[str, str]]:
    """Yield the options that do not take a file or one of several names; they may take numbers."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for parameter in command.params:
            known = isinstance(parameter.type, (click.Path, click.Choice))
            if isinstance(parameter, click.Option) and not parameter.is_flag and not known:
                yield name, max(parameter.opts, key=len)


def test_finds_the_options_with_numbers() -> None:
    known = set(options())
    assert {
        ("parse", "--block-degree"),
        ("train", "--margin"),
        ("stats", "--coverage"),
        ("show", "--number"),
    } <= known
    assert set(LINES) == set(COMMANDS)


@pytest.mark.parametrize(("command", "option"), list(options()))
def test_refuses_bad_numbers_in_one_line(
    wnparse_inside: Run, model: str, tmp_path: Path, command: str, option: str
) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 5))
    line = [model if word == "MODEL" else word for word in LINES[command]]
    for number in NUMBERS:
        # `=` lets a value begin with a dash.
        result = wnparse_inside(command, *line, *COMPANIONS.get(option, []), f"{option}={number}")
        context = (option, number[:30], result.returncode, result.stderr[-300:])
        assert result.returncode in ((0, 1, 2) if option in ("--number", "--sent-id") else (0, 2)), context
        assert b"Traceback" not in result.stderr, context
        if result.returncode:
            assert result.stderr.startswith(b"wnparse: "), context
            assert result.stderr.count(b"\n") == 1, context


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -1.0, 2 * LARGEST_MARGIN])
def test_python_refuses_bad_margins(margin: float) -> None:
    with pytest.raises(ValueError, match=r"^margin is .*1e\+09$"):
        TrainOptions(margin=margin).complete()
