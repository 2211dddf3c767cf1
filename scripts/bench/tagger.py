"""Accuracy, speed, size and training time of the tagger, next to UDPipe 1 trained on the same files.

Rows: accuracy, speed, model, udpipe (the same of ufal.udpipe, where it is installed). UDPipe trains for long:
models are kept in the folder of --models. Everything is chosen on development sets.

    python scripts/bench/tagger.py accuracy speed --treebanks tr-imst
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import COMPARED, ROOT, data, least, make_parser, report, without_tags
from bench.udpipe import INSTALLED, MISSING, run_udpipe, udpipe_model
from wnparse import load
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.tag_scores import TagScores
from wnparse.parser.model import Model
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.treebanks.reader import Reader, read

COLUMNS = ("upos", "xpos", "ufeats", "alltags", "lemmas")
LEAST_SPEED, LARGEST, SLOWEST_OPENING = 250_000, 25.0, 20.0
COPIES = 50  # of a file: the clock of processes goes by hundredths of a second


def seen_and_unseen(gold: str, tagged: bytes, known: set[str]) -> tuple[TagScores, TagScores]:
    """Scores of all words, and of those that training has not seen."""
    (system,) = evaluate(read(gold), read(io.BytesIO(tagged)), known=known, trials=1).systems
    assert system.unseen_tags is not None
    return system.tags, system.unseen_tags


def whole_feats(gold: str, tagged: bytes) -> str:
    """Percentage of words with the same FEATS, byte by byte: UFeats knows the attributes of UD alone."""
    pairs = [
        pair
        for right, guess in zip(read(gold), read(io.BytesIO(tagged)), strict=True)
        for pair in zip(right.column("feats"), guess.column("feats"), strict=True)
    ]
    return f"{100 * sum(a == b for a, b in pairs) / len(pairs):6.2f}"


def as_row(scores: TagScores) -> str:
    """Percentages of the columns."""
    return " ".join(f"{getattr(scores, name) or 0:6.2f}" for name in COLUMNS)


def trained(name: str, folder: Path) -> tuple[Path, float]:
    """A tagger of a treebank, kept in a folder, and the CPU seconds of its training."""
    path, start = folder / f"{name}-tagger.wnp", time.process_time()
    tagger = learn_tagger(Lessons(list(Reader([data(name, "train")]))), TaggerOptions())
    assert tagger is not None
    seconds = time.process_time() - start
    Model(tagger=tagger).save(path)
    return path, seconds


def forms(name: str) -> set[str]:
    """The words of a training set."""
    return {form for sentence in read(data(name, "train")) for form in sentence.column("form")}


def measure_accuracy(name: str, split: str, folder: Path) -> None:
    """Accuracy on all words and on unseen ones."""
    path, seconds = trained(name, folder)
    gold = data(name, split)
    tagged = b"".join(sentence.raw for sentence in load(path).tag(read(io.BytesIO(without_tags(gold)))))  # type: ignore[union-attr]
    everything, unseen = seen_and_unseen(gold, tagged, forms(name))
    what = f"{name} {split}: {' '.join(COLUMNS)}, whole feats"
    report(what, f"{as_row(everything)} {whole_feats(gold, tagged)}", f"{seconds:.1f} s CPU to train")
    report(f"  of {100 * unseen.words / everything.words:.1f} % unseen words", as_row(unseen))


def measure_speed(name: str, split: str, folder: Path) -> None:
    """Words a second from file to file, start-up left out, on one thread."""
    path = folder / f"{name}-tagger.wnp"
    if not path.exists():
        trained(name, folder)
    source, target = folder / "forms.conllu", folder / "tagged.conllu"
    bare = without_tags(data(name, split))
    command = [sys.executable, "-m", "wnparse", "tag", "-m", str(path)]
    seconds = []
    for copies in (0, COPIES):
        source.write_bytes(bare * copies)
        seconds.append(min(_cpu([*command, str(source), "-o", str(target)]) for _ in range(3)))
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
    path = folder / f"{name}-tagger.wnp"
    if not path.exists():
        trained(name, folder)
    size, opening = path.stat().st_size / 1e6, 1e3 * least(5, lambda: load(path))
    report(f"{name}: model", f"{size:.1f} MB", f"<= {LARGEST:g} MB", size <= LARGEST)
    report(f"{name}: opening", f"{opening:.1f} ms", f"<= {SLOWEST_OPENING:g} ms", opening <= SLOWEST_OPENING)


def measure_udpipe(name: str, split: str, folder: Path) -> None:
    """The same of UDPipe."""
    if not INSTALLED:
        report(f"{name}: UDPipe", MISSING)
        return
    path = udpipe_model(data(name, "train"), data(name, "dev"), name, folder / "udpipe", False)
    gold = data(name, split)
    tagged, seconds = run_udpipe(path, without_tags(gold), parse=False)
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
    """Run the rows that the command line names, treebank by treebank."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--treebanks", nargs="+", default=COMPARED, metavar="NAME")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models", help="folder that keeps models")
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    for name in options.treebanks:
        for row in options.rows:
            ROWS[row](name, options.split, options.models)


if __name__ == "__main__":
    main()
