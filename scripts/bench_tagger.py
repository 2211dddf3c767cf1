#!/usr/bin/env python3
"""Print accuracy, speed, size and training time of the tagger, beside UDPipe 1 trained on the same files.

usage: bench_tagger.py [ROW...] [--treebanks NAME...] [--split dev|test] [--models FOLDER]

Rows: accuracy, speed, model, udpipe (the same of ufal.udpipe with its default options, where it is installed; it
trains for long, and its models are kept in FOLDER between runs). Everything is chosen on development sets.
"""

from __future__ import annotations

import importlib.util
import io
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from figures import least, report, rows_parser

from wnparse import load
from wnparse.conllu import Reader, read
from wnparse.evaluation import evaluate
from wnparse.tag_scores import TagScores
from wnparse.tagger_training import Lessons, TaggerOptions, learn_tagger, tagging_model

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"
NAMES = ("pt-bosque", "nl-alpino-cdb", "es-ancora", "eu-bdt", "tr-imst", "en-ewt")
COLUMNS = ("upos", "xpos", "ufeats", "alltags", "lemmas")
LEAST_SPEED, LARGEST, SLOWEST_OPENING = 250_000, 25.0, 20.0
TAGS = re.compile(rb"^(\d+\t[^\t\n]*)(?:\t[^\t\n]*){4}", re.MULTILINE)


def file_of(name: str, split: str) -> Path:
    """A file of a treebank beside the project, or of the sample."""
    shared = TREEBANKS / name / f"{split}.conllu"
    return shared if shared.exists() else ROOT / "data" / f"{split}.conllu"


def without_tags(path: Path) -> bytes:
    """A treebank of which forms and trees alone are known."""
    return TAGS.sub(rb"\1\t_\t_\t_\t_", path.read_bytes())


def seen_and_unseen(gold: Path, tagged: bytes, known: set[str]) -> tuple[TagScores, TagScores]:
    """Scores of all words, and of those that training has not seen."""
    (found,) = evaluate(read(gold), [read(io.BytesIO(tagged))], known=known, trials=1).systems
    assert found.unseen_tags is not None
    return found.tags, found.unseen_tags


def as_row(scores: TagScores) -> str:
    """Percentages of the columns."""
    return " ".join(f"{getattr(scores, name) or 0:6.2f}" for name in COLUMNS)


def trained(name: str, folder: Path) -> tuple[Path, float]:
    """A tagger of a treebank, kept in a folder, and the CPU seconds of its training."""
    path, start = folder / f"{name}.wnp", time.process_time()
    tagger = learn_tagger(Lessons(list(Reader([file_of(name, "train")]))), TaggerOptions())
    assert tagger is not None
    seconds = time.process_time() - start
    tagging_model(tagger, {}).save(path)
    return path, seconds


def forms(name: str) -> set[str]:
    """The words of a training set."""
    return {form for sentence in read(file_of(name, "train")) for form in sentence.column("form")}


def measure_accuracy(name: str, split: str, folder: Path) -> None:
    """Accuracy on all words and on unseen ones."""
    path, seconds = trained(name, folder)
    gold = file_of(name, split)
    tagged = b"".join(each.raw for each in load(path).tag(read(io.BytesIO(without_tags(gold)))))  # type: ignore[union-attr]
    everything, unseen = seen_and_unseen(gold, tagged, forms(name))
    report(f"{name} {split}: {' '.join(COLUMNS)}", as_row(everything), f"{seconds:.1f} s CPU to train")
    report(f"  of {100 * unseen.words / everything.words:.1f} % unseen words", as_row(unseen))


def measure_speed(name: str, split: str, folder: Path) -> None:
    """Words a second from file to file, start-up left out, on one thread."""
    path = folder / f"{name}.wnp"
    if not path.exists():
        trained(name, folder)
    source, target = folder / "forms.conllu", folder / "tagged.conllu"
    source.write_bytes(without_tags(file_of(name, split)) * 10)
    command = [
        sys.executable,
        "-m",
        "wnparse",
        "parse",
        "-m",
        str(path),
        "--tag-only",
        str(source),
        "-o",
        str(target),
    ]
    rates = []
    for _ in range(3):
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        rates.append(int(re.findall(r"([\d,]+) words/s", told)[0].replace(",", "")))
    reached = max(rates) >= LEAST_SPEED
    report(f"{name}: tagging, file to file", f"{max(rates):,} words/s", f">= {LEAST_SPEED:,}", reached)


def measure_model(name: str, _: str, folder: Path) -> None:
    """Size of a tagger, and how long it takes to open."""
    path = folder / f"{name}.wnp"
    if not path.exists():
        trained(name, folder)
    size, opening = path.stat().st_size / 1e6, 1e3 * least(5, lambda: load(path))
    report(f"{name}: model", f"{size:.1f} MB", f"<= {LARGEST:g} MB", size <= LARGEST)
    report(f"{name}: opening", f"{opening:.1f} ms", f"<= {SLOWEST_OPENING:g} ms", opening <= SLOWEST_OPENING)


def udpipe_sentences(udpipe: Any, path: Path) -> Any:
    """A treebank as UDPipe reads it."""
    source, error, found = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError(), udpipe.Sentences()
    source.setText(path.read_text(encoding="utf-8"))
    sentence = udpipe.Sentence()
    while source.nextSentence(sentence, error):
        found.append(sentence)
        sentence = udpipe.Sentence()
    return found


def measure_udpipe(name: str, split: str, folder: Path) -> None:
    """The same of UDPipe."""
    if importlib.util.find_spec("ufal") is None or importlib.util.find_spec("ufal.udpipe") is None:
        report(f"{name}: UDPipe", "is not installed (pip install ufal.udpipe)")
        return
    from ufal import udpipe

    path, error = folder / f"{name}.udpipe", udpipe.ProcessingError()
    if not path.exists():
        splits = [udpipe_sentences(udpipe, file_of(name, part)) for part in ("train", "dev")]
        model = udpipe.Trainer.train("morphodita_parsito", *splits, "none", "", "none", error)
        path.write_bytes(model)
    loaded = udpipe.Model.load(str(path))  # a pipeline does not keep it alive
    pipeline = udpipe.Pipeline(loaded, "conllu", "tag", "none", "conllu")
    gold = file_of(name, split)
    text, start = without_tags(gold).decode(), time.process_time()
    tagged = pipeline.process(text, error).encode()
    seconds = time.process_time() - start
    everything, unseen = seen_and_unseen(gold, tagged, forms(name))
    report(f"{name} {split}: UDPipe", as_row(everything), f"{everything.words / seconds:,.0f} words/s")
    report("  of unseen words", as_row(unseen))


ROWS = {
    "accuracy": measure_accuracy,
    "speed": measure_speed,
    "model": measure_model,
    "udpipe": measure_udpipe,
}


def main() -> None:
    """Run the rows that are asked for, treebank by treebank."""
    parser = rows_parser(__doc__, ROWS)
    parser.add_argument("--treebanks", nargs="+", default=list(NAMES))
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--models", type=Path, help="keep models there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.models or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.treebanks:
            for row in options.rows:
                ROWS[row](name, options.split, folder)


if __name__ == "__main__":
    main()
