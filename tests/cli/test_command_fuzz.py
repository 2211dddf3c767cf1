"""Random command lines, files and signals: a known exit status, one line per problem, nothing lost, nothing left.

``WNPARSE_FUZZ=10000`` runs as many command lines as that; the default is a short seeded run. A failure prints its
number: ``WNPARSE_FUZZ=1 WNPARSE_FUZZ_FIRST=NUMBER`` repeats it, but for the exact moment of a signal.
"""

from __future__ import annotations

import gzip
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from support.treebanks import blanked, first_sentences
from wnparse.cli.main import COMMANDS, cli

ROUNDS = int(os.environ.get("WNPARSE_FUZZ", "40"))
FIRST = int(os.environ.get("WNPARSE_FUZZ_FIRST", "0"))
STATUSES = {0, 1, 2, 129, 130, 141, 143}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST = 60  # seconds; nothing here takes more than a few
GOOD = first_sentences("dev", 12)

# What a command prints in addition to an error, one line per notice.
NOTICES = re.compile(
    rb"""wnparse:\ (
        skipped\ [0-9]+\ bad | decoder\ '[a-z-]+'\ drops | [a-z-]+,\ .*trees | .*\ (relaxed|not\ parsed:)
      | tagged\ | [0-9,]+\ sentences?,
      | no\ sentences?\ (in|to) | only\ the\ first | CLAS\ counts | .*used\ by\ the\ model
      | the\ treebank\ does\ not\ say\ which\ tokens | .*without\ a\ head:
      | .*;\ training\ continues | no\ tree\ of\ | .*no\ word\ has\ the\ relation )
    | right\ on\ [^ ]
    | [0-9,]+\ sentences?,\ .*columns\ form | (constraints|rules)\ of\ the\ treebank
    | epoch\ +[0-9]+\ | .*MB\ of\ weights$
    | learner\ '.*order\ 1\ only: | pruner\ +[0-9] | tagger\ +[0-9]
    | tokenizer\ +[0-9] | half-annotated: | fewer\ than\ [0-9]+\ trees\ are\ complete
    | training\ a\ tagger | predicted\ tags | rule\ [^ ]+:\ satisfied
    | [0-9,]+\ sentences?,\ [0-9,]+\ words;\ [0-9]+\ folds | [0-9]+\ models?\ to\ learn
    | \ *[0-9]+\ of\ [0-9]+\ +fold
    | .*:\ [0-9,]+\ words?,\ [0-9,]+\ of\ them
    | interrupted\ before\  | $""",
    re.VERBOSE,
)

OUTPUTS = {
    name
    for command in COMMANDS
    for option in cli.get_command(click.Context(cli), command).params  # type: ignore[union-attr]
    if hasattr(option.type, "writes")
    for name in option.opts
}
ARGUMENTS = {
    "combine": (1, 3),
    "crossval": (1, 2),
    "eval": (2, 3),
    "info": (1, 1),
    "parse": (0, 3),
    "rules": (0, 3),
    "show": (0, 1),
    "stats": (0, 3),
    "tag": (0, 3),
    "tokenize": (0, 3),
    "train": (1, 2),
}
USUAL = ["good.conllu", "good.conllu.gz", "more.conllu", "windows.conllu", "cycle.conllu"]
NUMBERS = ["0", "-1", "nan", "inf", "99999999999", "5-", "2+", "none", "x\x1b", ""]
# Python answers signals in its own way until it runs the first line of ours.
LAUNCHER = """
import os, sys
from wnparse.__main__ import main
os.write(int(sys.argv.pop(1)), b".")
main()
"""


@pytest.fixture(scope="module")
def files(model: str) -> dict[str, bytes]:
    """Inputs by name: good ones, broken ones, and ones that mean harm."""
    weights = Path(model).read_bytes()
    packed = gzip.compress(GOOD, mtime=0)
    return {
        "good.conllu": GOOD,
        "more.conllu": first_sentences("test", 9),
        "raw.conllu": blanked(GOOD, 6, 7),
        "untagged.conllu": blanked(GOOD, 3, 4, 5),
        "windows.conllu": b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"),
        "good.conllu.gz": packed,
        "cut.conllu.gz": packed[: len(packed) // 2],
        "false.conllu.gz": GOOD,
        "empty.conllu": b"",
        "comments.conllu": b"# nothing\n\n# else\n\n\n",
        "cut.conllu": GOOD[: len(GOOD) * 2 // 3],
        "columns.conllu": GOOD.replace(b"\t", b" ", 7),
        "cycle.conllu": b"1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n\n" + GOOD,
        "bytes.conllu": GOOD[:200] + b"\xff\0\x1b[2J" + GOOD[200:],
        "escape\x1b[31m\n.conllu": GOOD.replace(b"\t0\t", b"\t\x1b[2J\x07\t", 1),
        "utf16.conllu": GOOD.decode().encode("utf-16"),
        "mine.toml": b'[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = "nsubj" }\n',
        "cut.toml": b'[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = ',
        "m.wnp": weights,
        "cut.wnp": weights[: len(weights) // 2],
        "false.wnp": GOOD,
    }


def words_of(rng: random.Random, option: click.Option, names: list[str]) -> list[str]:
    """An option with something that it may or may not take."""
    name = rng.choice([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return [name]
    if name == "--rules":
        return [
            name,
            rng.choice(["ud", "ud1", "auto", "none", "riedel-clarke-2006", "absent", "mine.toml", *names]),
        ]
    if isinstance(option.type, click.Choice):
        return [name, rng.choice([*map(str, option.type.choices), "none"])]
    if name in OUTPUTS:
        name = "-o" if "--output" in option.opts else name
        return [name, rng.choice(["out", "out.gz", "-", "nowhere/out", "folder", "/dev/null", *names])]
    if isinstance(option.type, click.Path):
        return [name, rng.choice([*names, "absent"])]
    return [
        name,
        rng.choice(["1", "2", "3", "5-", "2+", "none", "0", "-1", "nan", "inf", "99999999999", "x\x1b", ""]),
    ]


def command_line(rng: random.Random, names: list[str]) -> list[str]:
    """A command with options and arguments, most of which make sense."""
    name = rng.choice(sorted(COMMANDS))
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    usual = [*names, "-", "absent", "folder"] if rng.random() < 0.3 else ["m.wnp"] if name == "info" else USUAL
    line = [name] + [rng.choice(usual) for _ in range(rng.randint(*ARGUMENTS[name]))]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    for option in rng.sample(options, min(len(options), rng.choice([0, 1, 1, 2, 3, 6]))):
        line += words_of(rng, option, names)
    if name in ("parse", "tag", "tokenize") and "-m" not in line:
        line += ["-m", "m.wnp" if rng.random() < 0.9 else rng.choice(names)]
    if name == "train":
        line += ["--epochs", "2"] * ("--epochs" not in line) + ["-o", "out"] * ("-o" not in line)
    return line


def run(line: list[str], rng: random.Random, folder: Path) -> tuple[int, bytes, int]:
    """Run a command line, sometimes with a signal or a closed pipe; return status, messages and signal."""
    sent = rng.choice(SIGNALS) if rng.random() < 0.4 else 0
    moment = rng.choice([0.2, 0.5, 1.5]) * rng.random()
    source, messages = folder.parent / "stdin", folder.parent / "stderr"
    source.write_bytes(GOOD[: rng.choice([0, 300, len(GOOD)])])
    ready, begun = os.pipe()
    with source.open("rb") as stdin, messages.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(begun), *line],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=folder,
            pass_fds=[begun],
        )
        os.close(begun)
        assert process.stdout is not None
        if rng.random() < 0.1:
            process.stdout.close()
        os.read(ready, 1)
        os.close(ready)
        if sent:
            time.sleep(0.002 + moment)
            process.send_signal(sent)
        try:
            if process.stdout.closed:
                process.wait(LONGEST)
            else:
                process.communicate(timeout=LONGEST)
        finally:
            process.kill()
    status = process.returncode
    return 128 - status if status < 0 else status, messages.read_bytes(), sent


def may_change(name: str, line: list[str]) -> bool:
    """Return whether a file is only an output, or CoNLL-U that ``parse -o`` reads and then replaces."""
    roles = [option for option, word in itertools.pairwise(line) if word == name]
    written = [role for role in roles if role in OUTPUTS]
    formats = [word for option, word in itertools.pairwise(line) if option == "--input"]
    replaces = line[0] in ("parse", "tag") and written == ["-o"] and set(formats) <= {"conllu"}
    replaced = replaces and not {"-m", "--model", "--rules"} & set(roles)
    return len(written) == 1 and (roles == written or replaced)


def test_random_command_lines_end_cleanly(files: dict[str, bytes], tmp_path: Path) -> None:
    for number in range(FIRST, FIRST + ROUNDS):
        rng = random.Random(number)
        line = command_line(rng, sorted(files))
        folder = tmp_path / str(number)
        (folder / "folder").mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        status, messages, sent = run(line, rng, folder)
        context = f"number {number}: {line}, signal {sent}: {status}\n{messages.decode(errors='backslashreplace')}"
        assert status in STATUSES, context
        assert status < 128 or sent or status == 141, context
        assert b"Traceback" not in messages, context
        assert not set(messages) & {0x1B, 0x07}, context
        problems = [problem for problem in messages.split(b"\n") if not NOTICES.match(problem)]
        assert len(problems) <= 1, context
        assert all(problem.startswith(b"wnparse: ") for problem in problems), context
        for name, content in files.items():
            assert may_change(name, line) or (folder / name).read_bytes() == content, context
        assert not list(folder.rglob(".*")), context
        shutil.rmtree(folder)
