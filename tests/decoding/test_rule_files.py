"""Every rule of a file with all kinds and conditions, alone: decoding against all labelled trees of five words.

The brute force reads the file by itself (`support/rule_oracles.py`), and looks at labelled trees by falling score.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from support.rule_cases import EVERYTHING, LABELS, as_words, random_sentence
from support.rule_oracles import read_rules, violations
from support.tree_oracles import tabulate_trees
from wnparse import decode
from wnparse.decoding.constraints import Constraints
from wnparse.rules import Rules
from wnparse.treebanks.sentence import Sentence

pytestmark = pytest.mark.slow

ORACLE = {rule["name"]: rule for rule in read_rules(EVERYTHING)}
SHAPES = [(None, False, False), (None, False, True), (2, True, True), (1, False, False)]
SOFT = (0.4, 1.5)  # penalties: less and more than most differences of scores


def text_of(name: str, penalty: float | None) -> str:
    """The file with one rule, hard or with a price."""
    words, *rules = EVERYTHING.split("[[rule]]\n")
    rule = next(candidate for candidate in rules if f'name = "{name}"\n' in candidate)
    text = "".join(line for line in rule.splitlines(keepends=True) if not line.startswith("penalty"))
    price = "" if penalty is None else f"penalty = {penalty}\n"
    return f"{words}[[rule]]\n{price}{text}"


def labels_of(rng: random.Random, rule: dict[str, Any], count: int) -> list[str]:
    """Some labels, the first of them one that the rule names, if it names any."""
    text = str({key: value for key, value in rule.items() if key not in ("name", "reason")})
    named = [label for label in LABELS if f"'{label}'" in text]
    first = rng.choice(named or LABELS)
    return [first, *rng.sample([label for label in LABELS if label != first], count - 1)]


def best_by_trying(
    scores: npt.NDArray[np.float64],
    shape: tuple[int | None, bool, bool],
    rule: dict[str, Any],
    penalty: float | None,
    sentence: Sentence,
    names: list[str],
) -> tuple[int, float]:
    """Units of a hard rule that must be broken, and the best score of trees that break no more; -inf: no tree."""
    n, words = len(sentence), as_words(sentence)
    trees = tabulate_trees(n)
    heads = trees.heads[trees.valid(*shape)]
    labels = np.array(list(itertools.product(range(len(names)), repeat=n)))
    values = sum(scores[m, heads[:, m]][:, labels[:, m - 1]] for m in range(1, n + 1))
    fewest, best = 10**6, -np.inf
    for place in np.argsort(-np.asarray(values), axis=None, kind="stable").tolist():
        tree, labelling = divmod(place, len(labels))
        value = float(values[tree, labelling])
        if (penalty is not None or fewest == 0) and value <= best:
            break
        units = violations(rule, words, heads[tree].tolist(), ["", *(names[i] for i in labels[labelling])])
        if penalty is not None:
            best, fewest = max(best, value - penalty * units), 0
        elif units < fewest:
            fewest, best = units, value
    return fewest, best


def check(rng: random.Random, name: str, penalty: float | None, how: str, count: int) -> None:
    sentence = random_sentence(rng, 5)
    while len(sentence) < 5:
        sentence = random_sentence(rng, 5)
    names = labels_of(rng, ORACLE[name], count)
    shape = rng.choice(SHAPES)
    size = (6, 6, count)
    numbers = np.random.default_rng(rng.randrange(2**32))
    scores = numbers.integers(0, 3, size).astype(float) if how == "tied" else numbers.normal(size=size)
    solution = decode(
        np.zeros((6, 6)),
        constraints=Constraints(*shape),
        labels=(names, scores),
        rules=Rules.parse(text_of(name, penalty)),
        sentence=sentence,
    )
    fewest, best = best_by_trying(scores, shape, ORACLE[name], penalty, sentence, names)
    assert solution.certified
    assert solution.broken == fewest
    assert solution.score == pytest.approx(best, abs=1e-9)
    heads, labels = solution.heads.tolist(), list(solution.labels or [])
    value = sum(scores[m, heads[m], names.index(labels[m])] for m in range(1, 6))
    units = violations(ORACLE[name], as_words(sentence), heads, ["", *labels[1:]])
    assert solution.score == pytest.approx(value - (penalty or 0) * units, abs=1e-9)
    assert penalty is not None or units == fewest


@pytest.mark.parametrize("how", ["random", "tied"])
@pytest.mark.parametrize("name", ORACLE)
def test_obeys_hard_rules_of_a_file(name: str, how: str) -> None:
    rng = random.Random(f"{name} {how}")
    for _ in range(3):
        check(rng, name, None, how, 2)


@pytest.mark.parametrize("how", ["random", "tied"])
@pytest.mark.parametrize("name", ORACLE)
def test_weighs_soft_rules_of_a_file(name: str, how: str) -> None:
    rng = random.Random(f"{name} {how} soft")
    for penalty in SOFT:
        check(rng, name, penalty, how, 2)


@pytest.mark.parametrize(("name", "how"), list(zip(ORACLE, itertools.cycle(["random", "tied"]), strict=False)))
def test_obeys_rules_with_three_labels(name: str, how: str) -> None:
    rng = random.Random(f"{name} {how} three")
    check(rng, name, SOFT[0] if how == "tied" else None, how, 3)
