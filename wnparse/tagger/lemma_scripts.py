"""The lemma scripts of a treebank, and which of them an unknown word may get.

A script describes how a lemma is made from a form (cext/tagger/lemma_scripts.hpp). Scripts of several forms are
rules; the others are exceptions, which only the words in the lexicon that have them get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wnparse._core.tagger_learner import make_lemma_script

RULE = 2  # forms that a script must have to be a rule
MOST_RULES = 16_000


def collect_scripts(forms: Sequence[str], lemmas: Sequence[str]) -> tuple[list[str], int, npt.NDArray[np.int32]]:
    """Return the scripts of words, the commonest first, how many are rules, and the script of each word."""
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
