"""What each kind of part is worth: development UAS and LAS without it, or with it, on several treebanks.

The parser of order 2 loses siblings, grandparents, or the templates of two words that both have; those of order 3
are added one by one.

python scripts/ablate_parts.py                               # all rows, three treebanks: an hour
python scripts/ablate_parts.py --treebanks tr-imst --epochs 2 "without siblings"
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ablation import best_epoch
from figures import rows_parser
from part_models import is_pair, kind_of, only_templates

from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

TREEBANKS = Path(__file__).resolve().parent.parent.parent / "shared" / "treebanks"
WHOLE = "siblings and grandparents"
# What is trained: the order, and the templates that it keeps.
ROWS: dict[str, tuple[int, Callable[[str], bool]]] = {
    "arcs alone": (1, lambda text: True),
    "without siblings": (2, lambda text: kind_of(text) != "sibling"),
    "without grandparents": (2, lambda text: kind_of(text) != "grandparent"),
    "without templates of two words": (2, lambda text: not is_pair(text)),
    "with grand-siblings": (3, lambda text: kind_of(text) != "trisibling"),
    "with tri-siblings": (3, lambda text: kind_of(text) != "grandsibling"),
    "with both": (3, lambda text: True),
}


def score(
    train: list[Sentence], dev: list[Sentence], epochs: int, order: int, keep: Callable[[str], bool]
) -> tuple[float, float]:
    """Development UAS and LAS of the best epoch."""
    with only_templates(keep):
        trainer = Trainer(train, dev, TrainOptions(epochs=epochs, order=order))
    return best_epoch(trainer, epochs)


def main() -> None:
    """Print one line a row: the whole model of order 2, then what the others differ by."""
    parser = rows_parser(__doc__, ROWS)
    parser.add_argument("--treebanks", nargs="+", default=["tr-imst", "eu-bdt", "es-ancora"])
    parser.add_argument("--epochs", type=int, default=5)
    arguments = parser.parse_args()
    data = {
        name: (list(read(TREEBANKS / name / "train.conllu")), list(read(TREEBANKS / name / "dev.conllu")))
        for name in arguments.treebanks
    }
    print(f"| dev UAS / LAS, {arguments.epochs} epochs | {' | '.join(data)} |")
    print("|---|" + "---|" * len(data))
    whole = {name: score(*parts, arguments.epochs, 2, lambda text: True) for name, parts in data.items()}
    cells = [f"{uas:.2f} / {las:.2f}" for uas, las in whole.values()]
    print(f"| {WHOLE} | {' | '.join(cells)} |", flush=True)
    for row in arguments.rows:
        cells = []
        for name, parts in data.items():
            uas, las = score(*parts, arguments.epochs, *ROWS[row])
            cells.append(f"{uas - whole[name][0]:+.2f} / {las - whole[name][1]:+.2f}")
        print(f"| {row} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
