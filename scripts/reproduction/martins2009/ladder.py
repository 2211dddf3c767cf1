"""Table 1 of Martins et al. 2009 as a ladder: parsers with more and more parts, solved whole and relaxed.

On short sentences of a treebank, spaced evenly: the parsers are learned by `learning`, each from nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from reproduction.martins2009.learning import Lesson, Ranker, learn
from reproduction.store import Result
from reproduction.treebanks import Treebank
from wnparse.treebanks.sentence import Sentence

SIBLINGS = ("siblings", "grandparents", "next_siblings", "first_children")
RUNGS: dict[str, tuple[str, ...]] = {
    "arc-factored": (),
    "+ siblings, grandparents": SIBLINGS,
    "+ valency": (*SIBLINGS, "valency"),
    "+ projectivity (full)": (*SIBLINGS, "valency", "nonprojective"),
}
HEADS = 5  # candidates of a word; the paper has 10
LONGEST = 20  # words of a sentence
EPOCHS = 4  # the paper has 10
MOST = 1.0  # C
SECONDS = 10.0  # of the clock, for an integer program

T = TypeVar("T")


def spaced(items: Sequence[T], count: int) -> list[T]:
    """So many of some things, evenly spaced."""
    places = np.linspace(0, len(items) - 1, min(count, len(items))).astype(int)
    return [items[place] for place in places]


def short_sentences(treebank: Treebank, part: str, count: int, longest: int | None = None) -> list[Sentence]:
    """Some sentences that are not too long."""
    return spaced(
        [sentence for sentence in treebank.sentences(part) if len(sentence) <= (longest or LONGEST)], count
    )


def climb(train: Sequence[Sentence], test: Sequence[Sentence], epochs: int = EPOCHS) -> Result:
    """Learn and measure the parser of each rung."""
    ranker = Ranker(train, epochs, MOST)
    # Gold arcs are candidates of training, but not of the test.
    taught = [
        sorted({*ranker.best(sentence, HEADS), *_gold(sentence)}, key=lambda arc: arc[::-1]) for sentence in train
    ]
    candidates = [ranker.best(sentence, HEADS) for sentence in test]
    words = sum(map(len, test))
    reached = sum(len(set(arcs) & set(_gold(sentence))) for sentence, arcs in zip(test, candidates, strict=True))
    rows = {}
    for rung, kinds in RUNGS.items():
        start = time.process_time()
        lessons = [Lesson(sentence, arcs, kinds) for sentence, arcs in zip(train, taught, strict=True)]
        weights = learn(lessons, epochs, MOST)
        seconds = time.process_time() - start
        exams = [Lesson(sentence, arcs, kinds) for sentence, arcs in zip(test, candidates, strict=True)]
        rows[rung] = {"training_seconds": seconds, **examine(exams, weights)}
    return {
        "train_sentences": len(train),
        "test_sentences": len(test),
        "test_words": words,
        "oracle": 100 * reached / words,
        "heads": HEADS,
        "longest": LONGEST,
        "epochs": epochs,
        "rows": rows,
    }


def _gold(sentence: Sentence) -> list[tuple[int, int]]:
    return [(int(head), m) for m, head in enumerate(sentence.heads) if m]


def examine(exams: Sequence[Lesson], weights: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Parse with the relaxation and with the integer program; both are written and solved from the start."""
    right = {"relaxed": 0, "exact": 0}
    seconds = dict.fromkeys(right, 0.0)
    whole = whole_arcs = proved = 0
    for exam in exams:
        costs = exam.costs(weights, loss=False)
        heads = exam.sentence.heads
        for way in right:
            start = time.process_time()
            program = exam.formulation()
            program.price(costs)
            solution = program.solve(way == "exact", SECONDS)
            seconds[way] += time.process_time() - start
            if way == "relaxed":
                assert solution is not None
                relaxed = solution
                whole += solution.whole
                whole_arcs += solution.whole_arcs
            else:
                proved += solution is not None
            # Where time is up, the relaxation's tree counts.
            right[way] += int(((solution or relaxed).heads == heads)[1:].sum())
    words = sum(len(exam.sentence) for exam in exams)
    return {
        **{f"{way}_uas": 100 * count / words for way, count in right.items()},
        **{f"{way}_seconds": spent / len(exams) for way, spent in seconds.items()},
        "whole": 100 * whole / len(exams),
        "whole_arcs": 100 * whole_arcs / len(exams),
        "proved": 100 * proved / len(exams),
    }
