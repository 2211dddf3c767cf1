"""A rule file with every kind of rule and condition, and random sentences to try it on."""

from __future__ import annotations

import random

from support.places import ROOT
from wnparse.treebanks.sentence import Sentence, parse_sentence

EVERYTHING = (ROOT / "scripts" / "campaigns" / "every_rule.toml").read_text(encoding="utf-8")

LABELS = ["root", "nsubj", "nsubj:outer", "nsubj:pass", "csubj", "obj", "conj", "punct"]


def random_sentence(rng: random.Random, longest: int = 7) -> Sentence:
    """A tree with one root or several, and words of few kinds."""
    n = rng.randint(1, longest)
    order = rng.sample(range(1, n + 1), n)
    heads = {word: rng.choice([0, *order[:place]]) for place, word in enumerate(order)}
    feats = ["_", "Case=Nom", "Number=Sing|Poss=Yes", "ExtPos=NOUN", "Case=Acc,Nom", "ExtPos=VERB|Poss=Yes"]
    feats += ["Case=Acc|Number=Plur|Number[psor]=Plur", "Case=Dat,Gen|Number[psor]=Sing"]
    rows = []
    for word in range(1, n + 1):
        form, tag = rng.choice(["a", "ab", "bc", "Abc", ",", "de"]), rng.choice(["NOUN", "VERB", "PRON", "PUNCT"])
        lemma, xpos = rng.choice(["be", "do"]), rng.choice(["x1", "y"])
        label = rng.choice(LABELS) if heads[word] or rng.random() < 0.2 else "root"
        rows.append(f"{word}\t{form}\t{lemma}\t{tag}\t{xpos}\t{rng.choice(feats)}\t{heads[word]}\t{label}\t_\t_\n")
    return parse_sentence(("".join(rows) + "\n").encode())


def as_words(sentence: Sentence) -> list[dict[str, str]]:
    """Its words as the oracles want them, node 0 first."""
    names = ("form", "lemma", "upos", "xpos", "feats")
    rows = zip(*(sentence.column(name) for name in names), strict=True)
    return [{}, *(dict(zip(names, row, strict=True)) for row in rows)]
