"""Small treebanks for tests, written as rows or drawn at random, and models trained on them."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence

from wnparse import conllu
from wnparse.conllu import Sentence
from wnparse.model import Model
from wnparse.training import Trainer, TrainingOptions

Row = tuple[str, str, int, str]  # form, UPOS, head, relation


def as_text(treebank: Sequence[Sequence[Row]]) -> str:
    lines = []
    for rows in treebank:
        lines += [
            f"{i}\t{form}\t_\t{upos}\tx{upos}\t_\t{head}\t{deprel}\t_\t_"
            for i, (form, upos, head, deprel) in enumerate(rows, 1)
        ]
        lines.append("")
    return "".join(line + "\n" for line in lines)


def source(text: str, name: str = "some.conllu") -> Iterator[Sentence]:
    stream = io.BytesIO(text.encode())
    stream.name = name  # type: ignore[attr-defined]
    return conllu.read(stream, heads="required")


def random_treebank(seed: int, sentences: int) -> tuple[list[list[Row]], list[list[Row]]]:
    """Gold and system trees with one root each, non-projective, with subtypes."""
    rng = random.Random(seed)
    relations = ["nsubj", "nsubj:pass", "obj", "case", "det", "punct", "advmod", "advmod:emph", "flat", "aux"]
    gold, system = [], []
    for _ in range(sentences):
        n = rng.randint(1, 14)
        order = rng.sample(range(1, n + 1), n)  # heads come earlier in this order, so there is no cycle
        rows: dict[int, tuple[Row, Row]] = {}
        for place, word in enumerate(order):
            form, tag = rng.choice(["a", "bc", "é", "x y", "…"]), rng.choice(["NOUN", "VERB", "PUNCT"])
            head = rng.choice(order[:place]) if place else 0
            other = rng.choice(order[:place]) if place and rng.random() < 0.4 else head
            relation = rng.choice(relations) if place else "root"
            guess = rng.choice(relations) if rng.random() < 0.3 else relation
            rows[word] = ((form, tag, head, relation), (form, "_", other, guess))
        gold.append([rows[word][0] for word in range(1, n + 1)])
        system.append([rows[word][1] for word in range(1, n + 1)])
    return gold, system


def trained(treebank: list[Sentence], **options: object) -> Model:
    """A model without a development set, after two epochs unless the options say otherwise."""
    trainer = Trainer(treebank, None, TrainingOptions(**{"epochs": 2, **options}))  # type: ignore[arg-type]
    for _ in range(trainer.options.epochs):
        trainer.run_epoch(lambda: False, lambda words, right: None)
    assert trainer.best is not None
    return trainer.best
