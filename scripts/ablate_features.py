"""What each group of feature templates is worth: development UAS and LAS without it, on several treebanks.

Groups that the parser does without are tried too, with what they would add.

python scripts/ablate_features.py                       # all groups, three treebanks: half an hour
python scripts/ablate_features.py --treebanks tr-imst --epochs 2 distance lemmas
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ablation import best_epoch
from figures import rows_parser

from wnparse.parser import features
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

TREEBANKS = Path(__file__).resolve().parent.parent.parent / "shared" / "treebanks"


def uses(pattern: str) -> Callable[[list[str]], bool]:
    """Whether a word of a template matches."""
    return lambda words: any(re.fullmatch(pattern, word) for word in words)


# What a template must be like to be left out.
GROUPS: dict[str, Callable[[list[str]], bool]] = {
    "forms": uses("[hm]W"),
    "lemmas": uses("[hm]L"),
    "suffixes": uses("[hm]S"),
    "fine tags": uses("[hm]Q.*"),
    "FEATS, whole": uses("[hm]M"),
    "FEATS, single values": uses("[hm]F"),
    "neighbouring tags": uses("[hm][PQ][+-].*"),
    "neighbouring forms": uses("[hm]W[+-].*"),
    "distance": uses("d"),
    "counts in between": uses("c"),
    "one end of the arc": lambda words: not uses("h.*")(words) or not uses("m.*")(words),
}

# Templates that did not earn their place.
ADDED = {
    "words of both ends": ["hW mW", "hW hP mW mP", "hL mL", "hS mS"],
    "words with fine tags": ["hQ mW", "hW mQ", "hL mQ", "hQ mL"],
    "more suffixes": ["hS mP +label", "hP mP hS", "hP mP mS +label"],
    "tags in between": ["hP mP b"],
}


def without(left_out: Callable[[list[str]], bool], templates: list[str]) -> list[str]:
    """The templates that stay."""
    return [text for text in templates if not left_out(text.split())]


def score(train: list[Sentence], dev: list[Sentence], epochs: int) -> tuple[float, float]:
    """Development UAS and LAS of the best epoch."""
    return best_epoch(Trainer(train, dev, TrainOptions(epochs=epochs, order=1)), epochs)


def main() -> None:
    """Print one line a group."""
    parser = rows_parser(__doc__, [*GROUPS, *ADDED])
    parser.add_argument("--treebanks", nargs="+", default=["tr-imst", "es-ancora", "eu-bdt"])
    parser.add_argument("--epochs", type=int, default=5)
    arguments = parser.parse_args()
    data = {
        name: [list(read(TREEBANKS / name / f"{part}.conllu")) for part in ("train", "dev")]
        for name in arguments.treebanks
    }
    print(f"| dev UAS / LAS, {arguments.epochs} epochs | {' | '.join(data)} |")
    print("|---|" + "---|" * len(data))
    whole = {name: score(*parts, arguments.epochs) for name, parts in data.items()}
    print(
        "| all templates | " + " | ".join(f"{uas:.2f} / {las:.2f}" for uas, las in whole.values()) + " |",
        flush=True,
    )
    arcs, labels = list(features.ARC_TEMPLATES), list(features.LABEL_TEMPLATES)
    for group in arguments.rows:
        left_out = GROUPS.get(group, lambda words: False)
        features.ARC_TEMPLATES[:] = without(left_out, arcs) + ADDED.get(group, [])
        features.LABEL_TEMPLATES[:] = without(left_out, labels)
        cells = []
        for name, parts in data.items():
            uas, las = score(*parts, arguments.epochs)
            cells.append(f"{uas - whole[name][0]:+.2f} / {las - whole[name][1]:+.2f}")
        print(f"| {'without' if group in GROUPS else 'with'} {group} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
