"""The command line in tests: the type of what runs it, and the console examples that documents show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import click

from wnparse.cli.main import cli

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]  # of the fixtures wnparse_command and wnparse_inside


def train_model(folder: Path, *options: str) -> Path:
    """A model that ``wnparse train OPTIONS`` writes into a folder."""
    path = folder / "m.wnp"
    command = [sys.executable, "-m", "wnparse", "train", *options, "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return path


def render_help(name: str) -> str:
    """The help of a command, or of ``wnparse`` itself, as a terminal of 100 columns shows it."""
    # With the same settings everywhere, because click remembers the option for help that it makes first.
    group = click.Context(cli, info_name="wnparse", terminal_width=100, help_option_names=["-h", "--help"])
    if name == "wnparse":
        return cli.get_help(group)
    command = cli.get_command(group, name)
    assert command is not None
    return command.get_help(click.Context(command, parent=group, info_name=name, terminal_width=100))


def console_examples(text: str) -> list[tuple[str, str]]:
    """The commands of a document's console blocks, each with the output shown below it."""
    examples = []
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            examples.append((command, output))
    return examples


def environment() -> dict[str, str]:
    """The scripts of this very Python come first; a fixed width keeps tables as shown."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def check_console(command: str, output: str, folder: Path) -> None:
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # A line `...` matches any number of lines.
    pattern = re.escape(output).replace(re.escape("...\n"), "(?:.*\n)*")
    assert re.fullmatch(pattern, result.stdout), result.stdout + result.stderr
