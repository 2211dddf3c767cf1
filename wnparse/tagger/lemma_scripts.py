"""The lemma scripts of a treebank: which there are, and which of them an unknown word may get.

A script says how a lemma is made of a form (cext/tagger/lemma_scripts.hpp). Those that made lemmas of several
forms are rules; the others are exceptions, which the lexicon keeps for the words that have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wnparse._core.tagger_learner import make_lemma_script

RULE = 2  # forms that a script must serve to be one
MOST_RULES = 16_000


def collect_scripts(forms: Sequence[str], lemmas: Sequence[str]) -> tuple[list[str], int, npt.NDArray[np.int32]]:
    """The scripts of words, the commonest first; how many of them are rules; the script of each word."""
    known: dict[tuple[str, str], str] = {}
    for pair in zip(forms, lemmas, strict=True):
        if pair not in known:
            known[pair] = make_lemma_script(*pair)
    counts = Counter(known.values())
    scripts = sorted(counts, key=lambda script: (-counts[script], script))
    numbers = {script: number for number, script in enumerate(scripts)}
    rules = sum(1 for script in scripts if counts[script] >= RULE)
    of_word = [numbers[known[pair]] for pair in zip(forms, lemmas, strict=True)]
    return scripts, min(max(rules, 1), MOST_RULES), np.array(of_word, np.int32)
