"""What the benchmarks of the parser share: treebanks, models that are trained once, and timed passes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import wnparse
from wnparse.decoding.constraints import Constraints
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.reader import Reader

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"
UNSEEN = "grc-agldt"  # no peer's figure


@dataclass(frozen=True)
class Peer:
    """First-order TurboParser on a test set: its better unlabelled model, and its labelled one."""

    uas: float
    labelled_uas: float
    las: float


PEERS = {
    "pt-bosque": Peer(86.95, 88.26, 85.67),
    "nl-alpino-cdb": Peer(88.11, 88.03, 84.29),
    "es-ancora": Peer(85.29, 86.61, 83.18),
    "eu-bdt": Peer(79.58, 81.19, 77.26),
    "tr-imst": Peer(70.94, 71.28, 64.94),
    "en-ewt": Peer(86.04, 87.46, 85.75),
}


@dataclass(frozen=True)
class Bench:
    """What is measured, and how often."""

    models: Path
    treebanks: list[str]
    epochs: int
    repeats: int
    order: int = 1

    @property
    def compared(self) -> list[str]:
        """The treebanks that have a peer."""
        return [name for name in self.treebanks if name in PEERS]


def kind(labelled: bool) -> str:
    """Name a kind of model."""
    return "labelled" if labelled else "unlabelled"


def data(name: str, part: str) -> str:
    """Name a file of a treebank."""
    return str(TREEBANKS / name / f"{part}.conllu")


def run(folder: Path, *arguments: str, program: tuple[str, ...] = ("-m", "wnparse")) -> tuple[float, float, int]:
    """Run `wnparse ARGUMENTS`: seconds of user time, of the clock, and the largest memory in bytes.

    A child begins as a copy of this process, so that its memory is never told as less than ours.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *program, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    with process.stderr as stream:
        messages = stream.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"wnparse {' '.join(arguments)}: {messages}")
    return usage.ru_utime, time.perf_counter() - start, usage.ru_maxrss * 1024


def model_path(bench: Bench, name: str, labelled: bool) -> str:
    """Train a model unless it is there; its user seconds and its state are kept beside it."""
    suffix = f"-order{bench.order}" if bench.order > 1 else ""
    path = bench.models / f"{name}-{kind(labelled)}-{bench.epochs}{suffix}.wnp"
    if not path.exists():
        print(f"training {path.name} ...", file=sys.stderr, flush=True)
        options = ["--epochs", str(bench.epochs), *([] if labelled else ["--unlabelled"])]
        options += ["--order", str(bench.order)]
        user, _, memory = run(
            bench.models, "train", data(name, "train"), "--dev", data(name, "dev"), "-o", str(path), *options
        )
        path.with_suffix(".json").write_text(json.dumps({"user": user, "memory": memory}))
    return str(path)


def open_parser(path: str, decoder: str, crossing_price: float | None = None) -> Parser:
    """Open a model, ready to parse under its constraints, as far as the decoder knows them; with its own price."""
    model = wnparse.load(path)
    constraints = model.constraints
    if decoder == "msa":
        constraints = Constraints(single_root=constraints.single_root)
    assert model.scorer
    return Parser(model, ParseOptions(decoder=decoder, constraints=constraints, crossing_price=crossing_price))


def parse_file(
    path: str,
    source: str,
    target: Path,
    *,
    decoder: str = "bnb",
    jobs: int = 1,
    crossing_price: float | None = None,
) -> tuple[float, float, int]:
    """Parse a file to a file with a model just opened: seconds of CPU and of the clock, words.

    CPU time is user and system time: how the system splits the two is a guess on such short runs.
    """
    parser = open_parser(path, decoder, crossing_price)
    used, start, words = time.process_time(), time.perf_counter(), 0
    reader = Reader([source])
    with target.open("wb") as stream:
        for parsed in parser.stream(reader, jobs, reader.at_hand):
            stream.write(parsed.raw)
            words += len(parsed.sentence)
    clock = time.perf_counter() - start
    return time.process_time() - used, clock, words


def least_seconds(
    bench: Bench, labelled: bool, part: str, repeats: int, variants: list[dict[str, Any]], alike: bool = False
) -> dict[str, list[tuple[float, float, int]]]:
    """Parse a file of each treebank in each way: the least seconds of CPU and of the clock, and the words.

    One pass over all treebanks follows the other, so that a busy minute of the machine spoils no treebank.
    """
    least: dict[str, list[tuple[float, float, int]]] = {}
    paths = {name: model_path(bench, name, labelled) for name in bench.treebanks}
    with tempfile.TemporaryDirectory() as folder:
        outputs = [Path(folder, f"out{number}") for number in range(len(variants))]
        for _ in range(repeats):
            for name, path in paths.items():
                found = [
                    parse_file(path, data(name, part), output, **variant)
                    for output, variant in zip(outputs, variants, strict=True)
                ]
                if alike and len({output.read_bytes() for output in outputs}) > 1:
                    sys.exit(f"{name}: the output depends on the number of jobs")
                before = least.get(name, found)
                least[name] = [
                    (min(a[0], b[0]), min(a[1], b[1]), a[2]) for a, b in zip(before, found, strict=True)
                ]
    return least
