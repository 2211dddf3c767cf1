#!/usr/bin/env python3
"""Print accuracy, speed, size and training time of the tagger, beside UDPipe 1 trained on the same files.

usage: bench_tagger.py [ROW...] [--treebanks NAME...] [--split dev|test] [--models FOLDER]

Rows: accuracy, speed, model, udpipe (the same of ufal.udpipe, where it is installed); of trees from words alone
(scripts/word_rows.py): jackknife, words (beside UDPipe's), joint (tags and trees together), pipeline, training.
UDPipe trains for long, and parsers for minutes: all models are kept in FOLDER between runs. Everything is chosen
on development sets.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import least, report, rows_parser
from udpipe_runs import INSTALLED, udpipe_model, udpipe_output
from word_rows import WORD_ROWS, Words, tell_averages, without_tags

from wnparse import load
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.tag_scores import TagScores
from wnparse.parser.model import tagging_model
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.treebanks.reader import Reader, read

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared" / "treebanks"
NAMES = ("pt-bosque", "nl-alpino-cdb", "es-ancora", "eu-bdt", "tr-imst", "en-ewt")
COLUMNS = ("upos", "xpos", "ufeats", "alltags", "lemmas")
LEAST_SPEED, LARGEST, SLOWEST_OPENING = 250_000, 25.0, 20.0
COPIES = 50  # of a file: the clock of processes goes by hundredths of a second


def file_of(name: str, split: str) -> Path:
    """A file of a treebank beside the project, or of the sample."""
    shared = TREEBANKS / name / f"{split}.conllu"
    return shared if shared.exists() else ROOT / "data" / f"{split}.conllu"


def seen_and_unseen(gold: Path, tagged: bytes, known: set[str]) -> tuple[TagScores, TagScores]:
    """Scores of all words, and of those that training has not seen."""
    (found,) = evaluate(read(gold), [read(io.BytesIO(tagged))], known=known, trials=1).systems
    assert found.unseen_tags is not None
    return found.tags, found.unseen_tags


def whole_feats(gold: Path, tagged: bytes) -> str:
    """Percentage of words with the same FEATS, byte by byte: UFeats knows the attributes of UD alone."""
    pairs = [
        pair
        for right, found in zip(read(gold), read(io.BytesIO(tagged)), strict=True)
        for pair in zip(right.column("feats"), found.column("feats"), strict=True)
    ]
    return f"{100 * sum(a == b for a, b in pairs) / len(pairs):6.2f}"


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
    what = f"{name} {split}: {' '.join(COLUMNS)}, whole feats"
    report(what, f"{as_row(everything)} {whole_feats(gold, tagged)}", f"{seconds:.1f} s CPU to train")
    report(f"  of {100 * unseen.words / everything.words:.1f} % unseen words", as_row(unseen))


def measure_speed(name: str, split: str, folder: Path) -> None:
    """Words a second from file to file, start-up left out, on one thread."""
    path = folder / f"{name}.wnp"
    if not path.exists():
        trained(name, folder)
    source, target = folder / "forms.conllu", folder / "tagged.conllu"
    bare = without_tags(file_of(name, split))
    command = [sys.executable, "-m", "wnparse", "parse", "-m", str(path)]
    seconds = []
    for copies in (0, COPIES):
        source.write_bytes(bare * copies)
        seconds.append(min(_cpu([*command, "--tag-only", str(source), "-o", str(target)]) for _ in range(3)))
    words = COPIES * sum(map(len, read(io.BytesIO(bare))))
    rate = words / (seconds[1] - seconds[0])
    report(f"{name}: tagging, file to file", f"{rate:,.0f} words/s", f">= {LEAST_SPEED:,}", rate >= LEAST_SPEED)


def _cpu(command: list[str]) -> float:
    """CPU seconds of a command."""
    before = os.times()
    subprocess.run(command, capture_output=True, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measure_model(name: str, _: str, folder: Path) -> None:
    """Size of a tagger, and how long it takes to open."""
    path = folder / f"{name}.wnp"
    if not path.exists():
        trained(name, folder)
    size, opening = path.stat().st_size / 1e6, 1e3 * least(5, lambda: load(path))
    report(f"{name}: model", f"{size:.1f} MB", f"<= {LARGEST:g} MB", size <= LARGEST)
    report(f"{name}: opening", f"{opening:.1f} ms", f"<= {SLOWEST_OPENING:g} ms", opening <= SLOWEST_OPENING)


def measure_udpipe(name: str, split: str, folder: Path) -> None:
    """The same of UDPipe."""
    if not INSTALLED:
        report(f"{name}: UDPipe", "is not installed (pip install ufal.udpipe)")
        return
    (folder / "udpipe").mkdir(exist_ok=True)
    path = udpipe_model(file_of(name, "train"), file_of(name, "dev"), name, folder / "udpipe", False)
    gold = file_of(name, split)
    tagged, seconds = udpipe_output(path, without_tags(gold), False)
    everything, unseen = seen_and_unseen(gold, tagged, forms(name))
    figures = f"{as_row(everything)} {whole_feats(gold, tagged)}"
    report(f"{name} {split}: UDPipe", figures, f"{everything.words / seconds:,.0f} words/s")
    report("  of unseen words", as_row(unseen))


ROWS = {
    "accuracy": measure_accuracy,
    "speed": measure_speed,
    "model": measure_model,
    "udpipe": measure_udpipe,
}


def main() -> None:
    """Run the rows that are asked for, treebank by treebank."""
    parser = rows_parser(__doc__, [*ROWS, *WORD_ROWS])
    parser.add_argument("--treebanks", nargs="+", default=list(NAMES))
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--models", type=Path, help="keep models there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.models or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        words = Words(folder, options.split)
        for name in options.treebanks:
            for row in options.rows:
                if row in ROWS:
                    ROWS[row](name, options.split, folder)
                else:
                    WORD_ROWS[row](name, words)
        tell_averages(words)


if __name__ == "__main__":
    main()
