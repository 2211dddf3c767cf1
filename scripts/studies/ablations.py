"""What each group of templates is worth: development UAS and LAS without it, or with it, on several treebanks.

`features` leaves out groups of the templates of arcs and labels at order 1, and tries some that the parser does
without. `parts` does the same with kinds of parts: the parser of order 2 loses siblings, grandparents, or the
templates of two words that both have; those of order 3 are added one by one.

    python scripts/studies/ablations.py features             # all groups, three treebanks: half an hour
    python scripts/studies/ablations.py parts                # all kinds, three treebanks: an hour
    python scripts/studies/ablations.py features "without lemmas" --treebanks tr-imst --epochs 2
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import load_part, make_parser
from studies.part_models import is_pair, kind_of, other_templates
from wnparse.parser import features, part_features
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

Templates = contextlib.AbstractContextManager[object]


def uses(pattern: str) -> Callable[[list[str]], bool]:
    """Return a test whether a word of a template matches."""
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
# Templates that the parser does without, because they gained nothing.
ADDED = {
    "words of both ends": ["hW mW", "hW hP mW mP", "hL mL", "hS mS"],
    "words with fine tags": ["hQ mW", "hW mQ", "hL mQ", "hQ mL"],
    "more suffixes": ["hS mP +label", "hP mP hS", "hP mP mS +label"],
    "tags in between": ["hP mP b"],
}


@contextlib.contextmanager
def without_group(left_out: Callable[[list[str]], bool]) -> Iterator[None]:
    """Train meanwhile without the templates of arcs and labels that pass a test."""
    with contextlib.ExitStack() as stack:
        for templates in (features.ARC_TEMPLATES, features.LABEL_TEMPLATES):
            stack.enter_context(other_templates(templates, [t for t in templates if not left_out(t.split())]))
        yield


def with_arcs(more: list[str]) -> Templates:
    """Train meanwhile with more templates of arcs."""
    return other_templates(features.ARC_TEMPLATES, [*features.ARC_TEMPLATES, *more])


def with_parts(keep: Callable[[str], bool]) -> Templates:
    """Train meanwhile with some templates of parts alone."""
    return other_templates(part_features.TEMPLATES, list(filter(keep, part_features.TEMPLATES)))


# By study: the rows, each with its order and how templates are changed; others are compared with the first one.
STUDIES: dict[str, dict[str, tuple[int, Callable[[], Templates]]]] = {
    "features": {
        "all templates": (1, contextlib.nullcontext),
        **{f"without {name}": (1, lambda test=test: without_group(test)) for name, test in GROUPS.items()},
        **{f"with {name}": (1, lambda more=more: with_arcs(more)) for name, more in ADDED.items()},
    },
    "parts": {
        "siblings and grandparents": (2, contextlib.nullcontext),
        "arcs alone": (1, contextlib.nullcontext),
        "without siblings": (2, lambda: with_parts(lambda text: kind_of(text) != "sibling")),
        "without grandparents": (2, lambda: with_parts(lambda text: kind_of(text) != "grandparent")),
        "without templates of two words": (2, lambda: with_parts(lambda text: not is_pair(text))),
        "with grand-siblings": (3, lambda: with_parts(lambda text: kind_of(text) != "trisibling")),
        "with tri-siblings": (3, lambda: with_parts(lambda text: kind_of(text) != "grandsibling")),
        "with both": (3, contextlib.nullcontext),
    },
}


def best_epoch(trainer: Trainer, epochs: int) -> tuple[float, float]:
    """Train, and return development UAS and LAS of the best epoch."""
    scores = []
    for _ in range(epochs):
        progress = trainer.run_epoch()
        assert progress is not None
        assert progress.dev_uas is not None
        assert progress.dev_las is not None
        scores.append((progress.dev_las, progress.dev_uas))
    las, uas = max(scores)
    return uas, las


def score_all(data: Sequence[tuple[list[Sentence], list[Sentence]]], epochs: int, order: int) -> list[float]:
    """Return development UAS and LAS of each treebank, one after the other."""
    return [
        score
        for train, dev in data
        for score in best_epoch(Trainer(train, dev, TrainOptions(epochs=epochs, order=order)), epochs)
    ]


def main() -> None:
    """Print one line per row: the scores of the first row, and the differences of the others from it."""
    parser = make_parser(__doc__)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="as the table names them; default: all")
    parser.add_argument("--treebanks", nargs="+", default=["tr-imst", "es-ancora", "eu-bdt"], metavar="NAME")
    parser.add_argument("--epochs", type=int, default=5)
    options = parser.parse_args()
    first, *others = STUDIES[options.study]
    unknown = [row for row in options.rows if row not in others]
    if unknown:
        parser.error(f"unknown row '{unknown[0]}'; known: {', '.join(others)}")
    data = [(load_part(name, "train"), load_part(name, "dev")) for name in options.treebanks]
    print(f"| dev UAS / LAS, {options.epochs} epochs | {' | '.join(options.treebanks)} |")
    print("|---|" + "---|" * len(data))
    whole: list[float] = []
    for row in (first, *(options.rows or others)):
        order, change = STUDIES[options.study][row]
        with change():
            scores = score_all(data, options.epochs, order)
        texts = [f"{now - then:+.2f}" for now, then in zip(scores, whole, strict=True)] if whole else []
        texts = texts or [f"{score:.2f}" for score in scores]
        cells = [f"{uas} / {las}" for uas, las in zip(texts[::2], texts[1::2], strict=True)]
        print(f"| {row} | {' | '.join(cells)} |", flush=True)
        whole = whole or scores


if __name__ == "__main__":
    main()
