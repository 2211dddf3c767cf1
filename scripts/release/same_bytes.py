"""Do two builds of wnparse give the same bytes? Record what each does, then compare.

    python scripts/release/same_bytes.py record FOLDER [--models OTHER_FOLDER] [--quick]
    python scripts/release/same_bytes.py compare BEFORE AFTER

`record` trains models, parses with every decoder and option that changes trees, decodes score matrices, and runs
the reports; it uses the command line and the public functions of whatever wnparse this Python has, and nothing
else, so that versions far apart can be compared. With `--models` it also parses with the models of another folder,
if their format is still read. `compare` reports every difference by name: a model's arrays and header fields one
by one, so that a new file layout is not mistaken for new weights. Models of different formats are compared by the
trees that they give alone, and `compare` says so. `scripts/same_bytes REVISION` does both for a
revision and the working tree. Treebanks are those of the folder $WNPARSE_TREEBANKS, or the bundled sample.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("pt-bosque", "nl-alpino-cdb", "es-ancora", "eu-bdt", "tr-imst", "en-ewt", "grc-agldt")
RECORD = "record.json"
REFUSED = "older model: refused"  # the models of the other folder are of another format

# Options of `wnparse train`; each model is also parsed with.
TRAINING = {
    "labelled": [],
    "first-order": ["--order", "1"],
    "third-order": ["--order", "3"],
    "unlabelled": ["--unlabelled"],
    "no-prune": ["--no-prune"],
    "bnb": ["--decoder", "bnb"],
    "mira": ["--learner", "mira"],
    "mira-kbest": ["--learner", "mira-kbest"],
    "mira-factored": ["--learner", "mira-factored"],
    "pa": ["--learner", "pa"],
}
PARSING = {
    "default": [],
    "jobs": ["--jobs", "2"],
    "msa": ["--decoder", "msa"],
    "eisner": ["--decoder", "eisner"],
    "msa-eisner": ["--decoder", "msa-eisner"],
    "lr": ["--decoder", "lr"],
    "no-prune": ["--no-prune"],
    "tight": ["--block-degree", "2", "--well-nested", "--multi-root"],
    "loose": ["--block-degree", "none", "--no-well-nested", "--single-root"],
    "nested": ["--block-degree", "none", "--well-nested"],
    "given": ["--keep-heads"],
    "ranked": ["--k-best", "4"],
    "confident": ["--confidence"],
    "limited": ["--max-nodes", "1", "--max-iterations", "3", "--drop-deps"],
}


def main() -> None:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--models", type=Path, help="parse with the models of this folder as well")
    recording.add_argument("--quick", action="store_true", help="two treebanks, few sentences")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.command == "record":
        record(given.folder, given.models, quick=given.quick)
    else:
        sys.exit(compare(given.before, given.after))


def record(folder: Path, models: Path | None, *, quick: bool) -> None:
    """Write what this build does, and its models, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    results: dict[str, str] = {}
    # Older builds train a parser on the given tags by default.
    only_parser = ["--only", "parser"] if b"--only" in run("train", "--help") else []
    for name, train, dev, test in treebanks(folder, quick=quick):
        kinds = TRAINING if name in ("tr-imst", "sample") else dict(list(TRAINING.items())[:2])
        for kind, options in kinds.items():
            model = folder / f"{name}.{kind}.wnp"
            run("train", train, "--dev", dev, "-o", model, "--epochs", "2", *only_parser, *options)
            results |= {f"model {name} {kind}: {key}": value for key, value in model_fields(model).items()}
            results |= parses(f"{name} {kind}", model, test, all_options=kind in ("labelled", "first-order"))
            older = models / model.name if models is not None else None
            if older is not None and is_readable(older):
                results |= parses(f"{name} {kind}", older, test, all_options=False, prefix="older model: ")
            elif older is not None:
                results[REFUSED] = "of another format"
            print(f"{name} {kind}", file=sys.stderr)
        results |= reports(name, dev, test)
    results |= decodings(quick=quick)
    (folder / RECORD).write_text(json.dumps(results, indent=0, sort_keys=True))
    print(f"{len(results):,} results in {folder / RECORD}", file=sys.stderr)


def compare(before: Path, after: Path) -> int:
    """Print what differs; 1 if anything does."""
    first, second = (json.loads((folder / RECORD).read_text()) for folder in (before, after))
    if second.pop(REFUSED, None):
        print("the model formats differ: models are compared by the trees that they give, not by what they hold")
        first, second = (
            {key: value for key, value in record.items() if not key.startswith("model ")}
            for record in (first, second)
        )
    # What only one build was asked for (the models of the other) has its twin without the prefix.
    for key in [key for key in second if key.startswith("older model: ")]:
        first.setdefault(key, first.get(key.removeprefix("older model: ")))
    differing = 0
    for key in sorted(first.keys() | second.keys()):
        if first.get(key) != second.get(key):
            differing += 1
            print(f"differs: {key}: {first.get(key)} before, {second.get(key)} after")
    print(f"{differing:,} of {len(first.keys() | second.keys()):,} results differ")
    return int(differing > 0)


def digest(data: bytes) -> str:
    """Sixteen digits that stand for bytes."""
    return hashlib.sha256(data).hexdigest()[:16]


def run(*arguments: object, stdin: bytes = b"", folder: Path = Path(os.sep)) -> bytes:
    """What a command writes, run in a folder; its failure ends the recording."""
    command = [sys.executable, "-m", "wnparse", *map(str, arguments)]
    result = subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=folder)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr.decode()}")
    return result.stdout


def is_readable(model: Path) -> bool:
    """Whether this build reads the format of a model."""
    command = [sys.executable, "-m", "wnparse", "info", str(model)]
    result = subprocess.run(command, capture_output=True, check=False, cwd=os.sep)
    if result.returncode and b"format" not in result.stderr:
        sys.exit(f"{' '.join(command)}\n{result.stderr.decode()}")
    return result.returncode == 0


def sentences(path: Path, most: int) -> bytes:
    """The first sentences of a file."""
    return b"\n\n".join(path.read_bytes().rstrip(b"\n").split(b"\n\n")[:most]) + b"\n\n"


def treebanks(folder: Path, *, quick: bool) -> Iterator[tuple[str, Path, Path, Path]]:
    """Beginnings of treebanks: name, train, dev and test file."""
    home = Path(os.environ.get("WNPARSE_TREEBANKS", ROOT / "data"))
    homes = {name: home / name for name in NAMES if (home / name).is_dir()} or {"sample": ROOT / "data"}
    for name in list(homes)[-2:] if quick else homes:
        files = []
        for part, most in (("train", 300), ("dev", 60), ("test", 150)):
            path = folder / f"{name}.{part}.conllu"
            path.write_bytes(sentences(homes[name] / f"{part}.conllu", most // (3 if quick else 1)))
            files.append(path)
        yield (name, *files)  # type: ignore[misc]


def model_fields(path: Path) -> dict[str, str]:
    """The arrays of a model and the fields of its header, each by name; hashes and places of a layout left out."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    fields = json.loads(header.pop("__metadata__")["wnparse"])
    digests = {f"header {name}": digest(json.dumps(value).encode()) for name, value in flat(fields)}
    for name, entry in header.items():
        if name != "header_hash":
            start, stop = (8 + size + at for at in entry["data_offsets"])
            text = json.dumps([entry["dtype"], entry["shape"]]).encode()
            digests[f"array {name}"] = digest(text + data[start:stop])
    return digests


def flat(value: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of nested dictionaries by dotted names."""
    for name, item in value.items():
        if isinstance(item, dict):
            yield from flat(item, f"{path}{name}.")
        else:
            yield f"{path}{name}", item


def parses(name: str, model: Path, test: Path, *, all_options: bool, prefix: str = "") -> dict[str, str]:
    """Digests of the trees that a model finds, and of its reports less the times."""
    digests = {}
    for kind, options in PARSING.items() if all_options else list(PARSING.items())[:1]:
        report = model.with_suffix(".report") if not prefix else test.with_suffix(".report")
        given = half_annotated(test.read_bytes()) if kind == "given" else test.read_bytes()
        output = run("parse", "-m", model, "-", "--report", report, *options, stdin=given)
        digests[f"{prefix}parse {name} {kind}"] = digest(output)
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        rest = [{key: value for key, value in line.items() if key != "microseconds"} for line in lines]
        digests[f"{prefix}report {name} {kind}"] = digest(json.dumps(rest).encode())
    return digests


def half_annotated(data: bytes) -> bytes:
    """The same with every second head blank."""
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    for row in rows:
        if row[0].isdigit() and int(row[0]) % 2:
            row[6] = row[7] = b"_"
    return b"\n".join(b"\t".join(row) for row in rows)


def reports(name: str, dev: Path, test: Path) -> dict[str, str]:
    """Digests of what the commands without a model print."""
    commands = {
        "stats": ("stats", "-", "--examples", "2"),
        "stats --json": ("stats", "-", "--json"),
        "show": ("show", "-"),
        "eval": ("eval", test.name, test.name),
    }
    return {
        f"{kind} {name}": digest(run(*words, stdin=dev.read_bytes(), folder=test.parent))
        for kind, words in commands.items()
    }


def matrices(quick: bool) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Score matrices of several kinds and lengths."""
    for n in (1, 2, 5, 9, 15, 30, 62, 63, 64, 90) if quick else (1, 2, 5, 9, 15, 22, 30, 62, 63, 64, 90, 128, 270):
        for seed in range(3 if n < 64 else 1):
            rng = np.random.default_rng([n, seed])
            near = -0.3 * np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
            scores = near + rng.gumbel(size=(n + 1, n + 1))
            yield f"near {n} {seed}", scores
            yield f"float32 {n} {seed}", scores.astype(np.float32)
            yield f"tied {n} {seed}", np.round(scores)
            if n <= 22:
                yield f"gaussian {n} {seed}", rng.normal(size=(n + 1, n + 1))
            if n <= 15:
                sparse = np.where(rng.random((n + 1, n + 1)) < 0.4, scores, -np.inf)
                sparse[:, 0] = scores[:, 0]
                yield f"sparse {n} {seed}", sparse


def decodings(*, quick: bool) -> dict[str, str]:
    """Trees, scores, bounds, iterations and nodes of every decoder; rankings; marginals."""
    import wnparse

    kinds: list[tuple[str, dict[str, Any]]] = [("msa", {}), ("msa", {"single_root": True})]
    for decoder in ("eisner", "msa-eisner", "lr", "bnb"):
        for degree, nested in ((1, False), (2, True), (2, False), (3, True), (None, True)):
            limits = {"block_degree": degree, "well_nested": nested, "single_root": degree == 2, "max_nodes": 300}
            kinds.append((decoder, limits))
    variants = ("corro2016-cuts", "corro2016-fixing", "camerini")
    kinds += [
        ("bnb", {"block_degree": 2, "well_nested": True, "max_nodes": 300, "variant": name}) for name in variants
    ]
    digests = {}
    for name, scores in matrices(quick):
        for decoder, options in kinds:
            if len(scores) > 200 and decoder == "bnb" and options != kinds[-4][1]:
                continue
            described = " ".join(f"{key}={value}" for key, value in options.items())
            digests[f"decode {decoder} {name} {described}"] = decoded(wnparse, scores, decoder, options)
            ranks = decoder in ("eisner", "bnb", "msa") and len(scores) <= 31
            if ranks and "variant" not in options:
                digests[f"rank {decoder} {name} {described}"] = decoded(
                    wnparse, scores, decoder, {**options, "k": 5}
                )
        try:
            digests[f"marginals {name}"] = digest(wnparse.marginals(scores, single_root=True).tobytes())
        except wnparse.InfeasibleError:
            digests[f"marginals {name}"] = "infeasible"
    return digests


def decoded(wnparse: Any, scores: np.ndarray[Any, Any], decoder: str, options: dict[str, Any]) -> str:
    """One answer, in digits that leave nothing out."""
    try:
        answer = wnparse.decode(scores, decoder, **options)
    except wnparse.InfeasibleError:
        return "infeasible"
    trees = answer if isinstance(answer, list) else [answer]
    rows = [
        [t.heads.tolist(), t.score.hex(), t.upper_bound.hex(), t.certified, t.iterations, t.nodes] for t in trees
    ]
    return digest(json.dumps(rows).encode())


if __name__ == "__main__":
    main()
