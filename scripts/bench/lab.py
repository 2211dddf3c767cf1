"""What benchmarks and studies share: treebanks, models that are trained once, timed runs, figures next to targets.

Treebanks are folders of the folder that the environment variable WNPARSE_TREEBANKS names, with train, dev and
test.conllu; `sample` is the bundled one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import wnparse
from wnparse.decoding.constraints import Constraints
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "sample"
ANCHORS_FILE = Path(__file__).with_name("anchors.toml")
ANCHORS: dict[str, Any] = tomllib.loads(ANCHORS_FILE.read_text("utf-8"))
COMPARED = list(ANCHORS["first_order_las"])  # the treebanks with figures of other parsers
NAMES = [*COMPARED, "grc-agldt"]


def report(what: str, figure: str, target: str = "", reached: bool | None = None) -> None:
    """Print one figure next to its target."""
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"{what:<54} {figure:<50} {target:<36} {verdict}".rstrip(), flush=True)


def least(repeats: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds of the quickest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def make_parser(description: str | None, rows: Iterable[str] = ()) -> argparse.ArgumentParser:
    """Return a command line on which the rows to run can be named, if there are any."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = list(rows)

    def row(name: str) -> str:
        if name not in names:
            raise argparse.ArgumentTypeError(f"unknown row '{name}'; known: {', '.join(names)}")
        return name

    if names:
        help_text = f"{', '.join(names)}; default: all"
        parser.add_argument("rows", nargs="*", metavar="ROW", default=names, type=row, help=help_text)
    return parser


@dataclass(frozen=True)
class Bench:
    """The models that are measured, and how often."""

    models: Path
    treebanks: list[str]
    epochs: int = 10
    repeats: int = 1
    order: int = 1


def make_bench_parser(
    description: str | None, rows: Iterable[str] = (), *, treebanks: Sequence[str] = NAMES, repeats: int = 3
) -> argparse.ArgumentParser:
    """Return a command line with the options of a `Bench`."""
    parser = make_parser(description, rows)
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models", help="folder that keeps models")
    parser.add_argument("--treebanks", nargs="+", default=list(treebanks), metavar="NAME")
    parser.add_argument("--epochs", type=int, default=10, help="of training; default: 10")
    parser.add_argument("--repeats", type=int, default=repeats, help="passes, of which the least time counts")
    parser.add_argument("--order", type=int, choices=(1, 2, 3), default=1, help="of the models; default: 1")
    return parser


def make_bench(options: argparse.Namespace) -> Bench:
    """Return the `Bench` that a command line describes; its folder of models is there."""
    options.models.mkdir(parents=True, exist_ok=True)
    return Bench(options.models.resolve(), options.treebanks, options.epochs, options.repeats, options.order)


def kind(labelled: bool) -> str:
    """Name a kind of model."""
    return "labelled" if labelled else "unlabelled"


def data(name: str, part: str) -> str:
    """Return the path of a file of a treebank; end the script if it is not there."""
    folder = os.environ.get("WNPARSE_TREEBANKS")
    if name != SAMPLE and not folder:
        sys.exit("WNPARSE_TREEBANKS is not set; expected the folder that has the treebanks")
    path = (ROOT / "data" if name == SAMPLE else Path(folder or "", name)).resolve() / f"{part}.conllu"
    if not path.is_file():
        sys.exit(f"{path}: not there; expected a treebank of WNPARSE_TREEBANKS")
    return str(path)


def find_files(pattern: str) -> list[str]:
    """Return files of the treebanks by a pattern; those of the sample if there are no treebanks."""
    folder = os.environ.get("WNPARSE_TREEBANKS")
    files = sorted(Path(folder).resolve().glob(pattern)) if folder else []
    return list(map(str, files or sorted((ROOT / "data").glob("*.conllu"))))


def load_part(name: str, part: str, first: int | None = None) -> list[Sentence]:
    """Return the sentences of a part of a treebank that have words, or the first of them."""
    sentences = Reader([data(name, part)], heads="required")
    return [sentence for sentence in sentences if len(sentence)][:first]


def without_tags(path: str | Path) -> bytes:
    """Return a treebank of which only forms and trees are known."""
    return re.sub(rb"^(\d+\t[^\t\n]*)(?:\t[^\t\n]*){4}", rb"\1\t_\t_\t_\t_", Path(path).read_bytes(), flags=re.M)


def forms_alone(path: str | Path) -> bytes:
    """Return a treebank of which only forms are known."""
    return re.sub(rb"^(\d+(?:\t[^\t\n]*){5})(?:\t[^\t\n]*){2}", rb"\1\t_\t_", without_tags(path), flags=re.M)


def turboparser(name: str) -> tuple[float, float, float] | None:
    """Return UAS of the better unlabelled first-order TurboParser, and UAS and LAS of the labelled one."""
    rows = [row for row in ANCHORS["turboparser"]["runs"] if row["treebank"] == name]
    plain = [row["uas"] for row in rows if row["model"] in ("basic fast", "basic accurate")]
    labelled = [(row["uas"], row["las"]) for row in rows if "las" in row]
    return (max(plain), *labelled[0]) if plain and labelled else None


def run(folder: Path, *arguments: str, program: tuple[str, ...] = ("-m", "wnparse")) -> tuple[float, float, int]:
    """Run `wnparse ARGUMENTS`: seconds of user time, of the clock, and the largest memory in bytes.

    A child begins as a copy of this process, so that its memory is never reported as less than ours.
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
        options = ["--only", "parser", "--epochs", str(bench.epochs), *([] if labelled else ["--unlabelled"])]
        options += ["--order", str(bench.order)]
        user, _, memory = run(
            bench.models, "train", data(name, "train"), "--dev", data(name, "dev"), "-o", str(path), *options
        )
        path.with_suffix(".json").write_text(json.dumps({"user": user, "memory": memory}))
    return str(path)


def open_parser(path: str, decoder: str, crossing_penalty: float | None = None) -> Parser:
    """Open a model, ready to parse under its constraints, as far as the decoder knows them; with its own price."""
    model = wnparse.load(path)
    constraints = model.constraints
    if decoder == "msa":
        constraints = Constraints(single_root=constraints.single_root)
    assert model._scorer
    return Parser(model, ParseOptions(decoder=decoder, constraints=constraints, crossing_penalty=crossing_penalty))


def parse_file(
    path: str,
    source: str,
    target: Path,
    *,
    decoder: str = "bnb",
    jobs: int = 1,
    crossing_penalty: float | None = None,
) -> tuple[float, float, int]:
    """Parse a file to a file with a model just opened: seconds of CPU and of the clock, words.

    CPU time is user and system time: how the system splits the two is a guess on such short runs.
    """
    parser = open_parser(path, decoder, crossing_penalty)
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
                measured = [
                    parse_file(path, data(name, part), output, **variant)
                    for output, variant in zip(outputs, variants, strict=True)
                ]
                if alike and len({output.read_bytes() for output in outputs}) > 1:
                    sys.exit(f"{name}: the output depends on the number of jobs")
                before = least.get(name, measured)
                least[name] = [
                    (min(a[0], b[0]), min(a[1], b[1]), a[2]) for a, b in zip(before, measured, strict=True)
                ]
    return least


def count_right(gold: Iterable[Sentence], parsed: Iterable[Parsed]) -> npt.NDArray[np.int64]:
    """Count words, right heads and right labels (with their heads) of each sentence: int64[B, 3]."""
    counts = []
    for sentence, result in zip(gold, parsed, strict=True):
        heads = labels = 0
        if result.parse is not None:
            right = result.parse.heads[1:] == sentence.heads[1:]
            heads = int(right.sum())
            pairs = zip((result.parse.labels or [])[1:], sentence.column("deprel"), right, strict=False)
            labels = sum(guess == label and bool(head) for guess, label, head in pairs)
        counts.append((len(sentence), heads, labels))
    return np.array(counts, np.int64).reshape(-1, 3)


def attachment_scores(gold: Iterable[Sentence], parsed: Iterable[Parsed]) -> tuple[float, float]:
    """Return UAS, and LAS with whole labels, in percent."""
    words, heads, labels = count_right(gold, parsed).sum(axis=0).tolist()
    return 100 * heads / words, 100 * labels / words
