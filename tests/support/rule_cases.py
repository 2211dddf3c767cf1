"""A rule file with every kind of rule and condition, and random sentences to try it on."""

from __future__ import annotations

import random

from wnparse.conllu import Sentence, parse_sentence

EVERYTHING = """
about = "Every verb, every key."

[words.noun]
upos = ["NOUN", "PROPN"]

[words.comma]
form = ","

[words.nominal]
any = [{ is = "noun" }, { upos = "PRON", feats = "Poss=Yes" }]

[[rule]]
name = "forbid-side"
reason = "r"
forbid = { relation = "conj", side = "left" }

[[rule]]
name = "forbid-root"
reason = "r"
forbid = { not-relation = "root" }
head = { root = true }

[[rule]]
name = "forbid-no-root"
reason = "r"
forbid = { relation = "root" }
head = { root = false }

[[rule]]
name = "forbid-words"
reason = "r"
forbid = { relation = ["nsubj", "obj"], not-upos = "NOUN", form-begins = "a", not-form-ends = "b" }
head = { upos = "VERB", not-lemma = "be" }

[[rule]]
name = "forbid-feats"
reason = "r"
forbid = { feats = ["Case=Nom", "Number=Sing|Poss"], min-distance = 2, max-distance = 3, side = "right" }

[[rule]]
name = "forbid-regex"
reason = "r"
forbid = { form-matches = "[a-c]+|,", not-xpos-matches = "x.*" }
penalty = 2

[[rule]]
name = "forbid-several"
reason = "r"
forbid = [{ not-relation = ["punct", "conj"] }, { relation = "conj", upos = "VERB" }]
head = { relation = ["punct", "nsubj"], upos = ["NOUN", "PUNCT"] }

[[rule]]
name = "forbid-external"
reason = "r"
forbid = { relation = "obj", not-ext-upos = ["NOUN", "PRON"] }

[[rule]]
name = "forbid-no-subtype"
reason = "r"
forbid = { relation = "nsubj:", ext-upos = "VERB" }

[[rule]]
name = "most"
reason = "r"
at-most = 1
dependents = { relation = ["nsubj", "csubj"], not-relation = "nsubj:outer" }

[[rule]]
name = "most-attached"
reason = "r"
at-most = 1
dependents = { not-relation = "punct" }
head = { relation = ["conj", "nsubj", "obj"], side = "right", parent = { upos = ["VERB", "NOUN"] } }

[[rule]]
name = "none-left"
reason = "r"
at-most = 0
dependents = { side = "left" }
head = { is = ["noun", "comma"] }

[[rule]]
name = "least"
reason = "r"
at-least = 1
dependents = { relation = "nsubj" }
head = { upos = "VERB", not-relation = "conj" }

[[rule]]
name = "least-two"
reason = "r"
at-least = 2
dependents = { relation = "*" }
penalty = 0.5

[[rule]]
name = "root-has-one"
reason = "r"
exactly = 1
dependents = { relation = "root" }
head = { root = true }

[[rule]]
name = "exactly-two"
reason = "r"
exactly = 2
dependents = { is = "nominal" }

[[rule]]
name = "exclude"
reason = "r"
siblings = { relation = "nsubj" }
and = { relation = "obj", side = "right" }

[[rule]]
name = "exclude-alike"
reason = "r"
siblings = { relation = "conj" }
head = { upos = "VERB" }

[[rule]]
name = "commas"
reason = "r"
siblings = { not-relation = "punct" }
need-between = "comma"
head = "nominal"

[[rule]]
name = "compatible"
reason = "r"
siblings = { relation = ["conj", "obj"] }
need-alike = ["noun", { upos = ["VERB", "PRON"] }, { form-ends = "c" }]

[[rule]]
name = "either"
reason = "r"
siblings = { not-relation = "root" }
and = { upos = "VERB" }
need-between = "comma"
need-alike = [{ upos = "VERB" }]

[[rule]]
name = "under"
reason = "r"
dependents = { relation = "obj" }
must-be-under = { relation = ["root", "conj"], upos = "VERB" }
head = { not-upos = "PUNCT" }

[[rule]]
name = "between"
reason = "r"
dependents = { relation = "conj" }
only-between = { relation = ["conj", "punct"] }
between = { not-upos = "PUNCT" }

[[rule]]
name = "between-all"
reason = "r"
dependents = { relation = "nsubj" }
only-between = { relation = "nsubj", side = "left" }

[[rule]]
name = "between-nothing"
reason = "r"
dependents = { relation = "punct" }
only-between = "nothing"

[[rule]]
name = "crossing"
reason = "r"
dependents = { relation = "punct" }
no-crossing = "any"

[[rule]]
name = "crossing-into"
reason = "r"
dependents = { not-relation = "punct" }
no-crossing = "into"
crossed-by = { relation = ["conj", "root"] }

[[rule]]
name = "crossing-out"
reason = "r"
dependents = { upos = ["NOUN", "VERB"] }
no-crossing = ["out-of", "over-head"]

[[rule]]
name = "crossing-over"
reason = "r"
dependents = { relation = "*" }
no-crossing = "over-dependent"
crossed-by = { parent = { upos = "VERB" } }

[[rule]]
name = "together"
reason = "r"
dependents = { relation = ["nsubj", "obj"] }
contiguous = true
head = { upos = ["VERB", "NOUN"] }
"""

LABELS = ["root", "nsubj", "nsubj:outer", "nsubj:pass", "csubj", "obj", "conj", "punct"]


def random_sentence(rng: random.Random, longest: int = 7) -> Sentence:
    """A tree with one root or several, and words of few kinds."""
    n = rng.randint(1, longest)
    order = rng.sample(range(1, n + 1), n)
    heads = {word: rng.choice([0, *order[:place]]) for place, word in enumerate(order)}
    feats = ["_", "Case=Nom", "Number=Sing|Poss=Yes", "ExtPos=NOUN", "Case=Acc,Nom", "ExtPos=VERB|Poss=Yes"]
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
