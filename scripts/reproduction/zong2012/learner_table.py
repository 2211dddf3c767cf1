"""Single-best, k-best and factored MIRA after 10, 20, ..., 50 epochs: heads and whole sentences that are right.

The systems of Zong (2012, "Unlabeled Non-projective Dependency Parsing", Table 1), and factored MIRA (section
4.3). Each is trained once, without labels, and looked at after several numbers of epochs; it parses by the decoder
that it was trained with. Accuracy is the share of words with the right head, Complete that of sentences with all
heads right.

    python scripts/reproduction/zong2012/learner_table.py                                # the sample: two minutes
    python scripts/reproduction/zong2012/learner_table.py sample tr-imst --json table.json
    python scripts/reproduction/zong2012/learner_table.py tr-imst --iterations 5 10 --first 500 --part test
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.lab import SAMPLE, load_part, make_parser
from studies.learners import score, train
from wnparse.training.options import TrainOptions
from wnparse.treebanks.sentence import Sentence

SYSTEMS = {
    "single-best MIRA, Eisner": ("mira", "eisner"),
    "k-best MIRA, Eisner": ("mira-kbest", "eisner"),
    "single-best MIRA, Chu-Liu-Edmonds": ("mira", "msa"),
    "k-best MIRA, Chu-Liu-Edmonds": ("mira-kbest", "msa"),
    "factored MIRA, Chu-Liu-Edmonds": ("mira-factored", "msa"),
}
ITERATIONS = (10, 20, 30, 40, 50)
MEASURES = ("accuracy", "complete")


@dataclass(frozen=True)
class Row:
    """A system after some epochs over a treebank; percentages from 0 to 100."""

    treebank: str
    system: str
    iterations: int
    accuracy: float
    complete: float
    seconds: float  # user time of learning so far


def learner_table(
    treebank: str,
    sentences: Sequence[Sentence],
    parsed: Sequence[Sentence],
    iterations: Sequence[int] = ITERATIONS,
    *,
    systems: Sequence[str] = tuple(SYSTEMS),
    seed: int = 1,
) -> Iterator[Row]:
    """Train each system once and yield a row for each number of iterations.

    Parameters
    ----------
    treebank : str
        Its name, for the rows.
    sentences, parsed : sequence of Sentence
        What is learned from, and what is parsed.
    iterations : sequence of int
        Numbers of epochs.
    systems : sequence of str
        Some of `SYSTEMS`.
    seed : int
        Of the shuffling.
    """
    for system in systems:
        learner, decoder = SYSTEMS[system]
        options = TrainOptions(
            epochs=max(iterations), seed=seed, decoder=decoder, labelled=False, learner=learner, order=1
        )
        for snapshot in train(sentences, options, iterations):
            scores = score(snapshot.model, parsed, decoder)
            assert scores.uas is not None
            assert scores.uc is not None
            yield Row(treebank, system, snapshot.epoch, scores.uas, scores.uc, snapshot.seconds)


def markdown(rows: Sequence[Row]) -> str:
    """One line a system, Accuracy / Complete after each number of iterations, the best of a line in bold."""
    iterations = sorted({row.iterations for row in rows})
    lines = [
        f"| treebank | Accuracy / Complete after iterations | {' | '.join(map(str, iterations))} |",
        "|---|---|" + "---|" * len(iterations),
    ]
    for treebank, system in dict.fromkeys((row.treebank, row.system) for row in rows):
        own = {row.iterations: row for row in rows if (row.treebank, row.system) == (treebank, system)}
        most_accurate, most_complete = (max(getattr(row, name) for row in own.values()) for name in MEASURES)
        cells = []
        for number in iterations:
            accuracy = bold_if(own[number].accuracy == most_accurate, own[number].accuracy)
            cells.append(f"{accuracy} / {bold_if(own[number].complete == most_complete, own[number].complete)}")
        lines.append(f"| {treebank} | {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def bold_if(best: bool, value: float) -> str:
    """A percentage as a cell shows it."""
    return f"**{value:.2f}**" if best else f"{value:.2f}"


def main() -> None:
    """Print the table, and write it as JSON."""
    parser = make_parser(__doc__)
    parser.add_argument("treebanks", nargs="*", default=[SAMPLE], metavar="TREEBANK")
    parser.add_argument("--iterations", nargs="+", type=int, default=list(ITERATIONS))
    parser.add_argument("--part", choices=["dev", "test"], default="dev")
    parser.add_argument("--first", type=int, help="train on so many sentences only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the rows there too")
    arguments = parser.parse_args()
    if min(arguments.iterations) < 1:
        parser.error("--iterations: expected numbers of at least 1")
    rows: list[Row] = []
    for treebank in arguments.treebanks:
        sentences = load_part(treebank, "train", arguments.first), load_part(treebank, arguments.part)
        rows += learner_table(treebank, *sentences, arguments.iterations, seed=arguments.seed)
    print(markdown(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
