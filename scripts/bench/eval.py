"""Print how many times faster ``wnparse eval`` is than the official evaluator, start-up included.

    python scripts/bench/eval.py [FILE...]      # default: the treebank en-ewt, or the bundled sample

The files are joined to one gold file; the system's has some heads and relations changed. Each program runs
as a process of its own, a few times by turns; the least user time of its runs counts. UAS, LAS and CLAS of
the two must agree.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import find_files, make_parser, report
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import write

TARGET = 10
REPEATS = 3
OFFICIAL = "import sys; from udtools.cli import main_eval; sys.exit(main_eval())"


def changed(sentence: Sentence, rng: random.Random) -> Sentence:
    """Move a tenth of the leaves to other words that are none, and change a tenth of the relations."""
    heads, deprels = sentence.heads.copy(), ["_", *sentence.column("deprel")]
    inner = sorted(set(heads[1:].tolist()) - {0})
    leaves = set(range(1, len(heads))) - set(inner)
    for word in range(1, len(heads)):
        if word in leaves and inner and rng.random() < 0.1:
            heads[word] = rng.choice(inner)
        if rng.random() < 0.1:
            deprels[word] = rng.choice(["nsubj", "obj", "nmod:poss", "punct"])
    return sentence.with_tree(heads, deprels)


def run(command: list[str]) -> tuple[float, str]:
    """User time of a process in seconds, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, result.stdout


def official_scores(text: str) -> dict[str, str]:
    """F1 from the official evaluator's table."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    return {row[0].lower(): row[3] for row in rows if row[0] in {"UAS", "LAS", "CLAS"}}


def main() -> None:
    """Make the two files, run both programs by turns, print the ratio."""
    parser = make_parser(__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    files = parser.parse_args().files or find_files("en-ewt/*.conllu")
    sentences = [sentence for sentence in Reader(files, heads="required") if len(sentence)]
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        gold, system = str(Path(folder, "gold.conllu")), str(Path(folder, "system.conllu"))
        with Path(gold).open("wb") as stream:
            write(sentences, stream)
        with Path(system).open("wb") as stream:
            write((changed(sentence, rng) for sentence in sentences), stream)
        print(f"{len(files)} files, {len(sentences):,} sentences, {sum(map(len, sentences)):,} words", flush=True)
        ours, theirs = float("inf"), float("inf")
        for _ in range(REPEATS):
            seconds, text = run([sys.executable, "-m", "wnparse", "eval", gold, system, "--json"])
            ours = min(ours, seconds)
            seconds, table = run([sys.executable, "-c", OFFICIAL, "-v", "--multiple-roots-okay", gold, system])
            theirs = min(theirs, seconds)
    evaluated = json.loads(text)["systems"][0]
    scores = {metric: f"{evaluated[metric]:.2f}" for metric in ("uas", "las", "clas")}
    if scores != official_scores(table):
        sys.exit(f"scores differ: {scores} and {official_scores(table)}")
    print("scores agree: " + "  ".join(f"{metric.upper()} {value}" for metric, value in scores.items()))
    figure = f"{theirs / ours:.1f}x ({ours:.2f} s; official evaluator {theirs:.2f} s)"
    report(f"user time, least of {REPEATS}", figure, f">= {TARGET}x", theirs / ours >= TARGET)


if __name__ == "__main__":
    main()
