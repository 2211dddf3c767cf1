"""Table 1 of Zong 2012, learners by iterations."""

from __future__ import annotations

from reproduction.findings import ZONG, language
from reproduction.laboratory import Laboratory
from reproduction.store import Result
from reproduction.zong2012.learner_table import learner_table


def reason_to_skip(laboratory: Laboratory, words: int) -> str:
    """Why the learners are not compared on a treebank; nothing if they are, as always in the paper's language."""
    most = laboratory.options.learner_words
    if words <= most or language(laboratory.treebank.name, ZONG["data"]):
        return ""
    return f"more training words than --learner-words {most:,}"


def learners_step(laboratory: Laboratory) -> Result:
    """Accuracy and complete sentences of each learner on the test set, after some iterations."""
    treebank = laboratory.treebank
    sentences = treebank.sentences("train"), treebank.sentences("test")
    rows = learner_table(treebank.name, *sentences, laboratory.options.learner_iterations)
    keys = ("iterations", "accuracy", "complete", "seconds")
    return {"rows": [{"learner": row.system, **{key: getattr(row, key) for key in keys}} for row in rows]}
