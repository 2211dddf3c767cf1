"""Decoding under rules of agreement: the best labelled trees against all labelled trees of up to five words."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from support.part_oracles import part_score, random_parts
from support.rule_cases import as_words
from support.rule_oracles import read_rules, violations
from support.tree_oracles import tabulate_trees
from wnparse import Parts, Solution, decode
from wnparse.rules import Rules
from wnparse.treebanks.sentence import Sentence, parse_sentence

NAMES = ["nsubj", "det"]
FEATS = [
    "_",
    "Number=Sing",
    "Number=Plur",
    "Number=Plur,Sing|Case=Nom",
    "Case=Acc|Number=Dual",
    "Case=Acc,Nom|Number[psor]=Sing",
    "Case=Dat|Number[psor]=Plur",
]
STATEMENTS = [
    f'{verb} = "{name}"' for verb in ("same", "different") for name in ("Number", "Case", "Number[psor]")
]
OTHERS = [
    'at-most = 1\ndependents = { relation = "nsubj" }',
    'at-least = 1\ndependents = { relation = "det" }\nhead = { upos = "NOUN" }',
    'siblings = { relation = "det" }',
    'dependents = { relation = "nsubj" }\nmust-be-under = { relation = "det" }',
    'forbid = { feats = "Number=Sing", side = "left" }',
]


def random_sentence(rng: random.Random, n: int) -> Sentence:
    lines = [
        f"{i}\tw\t_\t{rng.choice(['NOUN', 'VERB'])}\t_\t{rng.choice(FEATS)}\t0\troot\t_\t_\n"
        for i in range(1, n + 1)
    ]
    return parse_sentence(("".join(lines) + "\n").encode())


def random_rules(rng: random.Random, agreements: int, others: int) -> str:
    statements = []
    for _ in range(agreements):
        relation, head, missing = rng.choice(["nsubj", "det", "*"]), rng.choice(["NOUN", "VERB", ""]), rng.random()
        text = f'dependents = {{ relation = "{relation}" }}\n{rng.choice(STATEMENTS)}'
        text += f'\nhead = {{ upos = "{head}" }}' if head else ""
        text += "" if missing < 0.4 else '\nmissing = "exempt"' if missing < 0.5 else '\nmissing = "broken"'
        statements.append(text)
    statements += rng.sample(OTHERS, others)
    penalties = [rng.choice(["", f"\npenalty = {rng.choice([0.25, 1.0, 4.0])}"]) for _ in statements]
    return "".join(
        f'[[rule]]\nname = "r{i}"\nreason = "r"\n{text}{penalty}\n'
        for i, (text, penalty) in enumerate(zip(statements, penalties, strict=True))
    )


class Case:
    """A random problem, with what each labelled tree is worth: hard rules broken, negative, and the score."""

    def __init__(
        self, rng: random.Random, n: int, agreements: int = 1, others: int = 0, parts: bool = False
    ) -> None:
        self.sentence, self.text = random_sentence(rng, n), random_rules(rng, agreements, others)
        numbers = np.random.default_rng(rng.randrange(2**32))
        self.scores = numbers.normal(size=(n + 1, n + 1))
        self.label_scores = numbers.normal(size=(n + 1, n + 1, len(NAMES)))
        if rng.random() < 0.3:
            self.scores, self.label_scores = np.round(self.scores), np.round(self.label_scores)
        self.parts = random_parts(numbers, n, ("siblings", "grandparents"), "dense") if parts else Parts()
        self._rules, self._words = read_rules(self.text), as_words(self.sentence)

    def worth(self, heads: list[int], labels: list[str]) -> tuple[int, float]:
        broken, score = 0, part_score(heads, self.parts)
        for m in range(1, len(heads)):
            score += self.scores[m, heads[m]] + self.label_scores[m, heads[m], NAMES.index(labels[m])]
        for rule in self._rules:
            units = violations(rule, self._words, heads, labels)
            broken -= 0 if "penalty" in rule else units
            score -= rule.get("penalty", 0) * units
        return broken, float(score)

    def ranked(self) -> list[tuple[int, float]]:
        """What each tree is worth with its best labels, the best tree first."""
        n = len(self.sentence)
        labellings = [["", *names] for names in itertools.product(NAMES, repeat=n)]
        trees = tabulate_trees(n).heads.tolist()
        return sorted((max(self.worth(heads, names) for names in labellings) for heads in trees), reverse=True)

    def decode(self, decoder: str, **options: Any) -> Any:
        options |= {"parts": self.parts} if self.parts != Parts() else {}
        labels = (NAMES, self.label_scores)
        rules = Rules.parse(self.text)
        return decode(self.scores, decoder, labels=labels, rules=rules, sentence=self.sentence, **options)

    def check_best(self) -> None:
        best = self.ranked()[0]
        for decoder in ("bnb", "ilp"):
            self.check(self.decode(decoder), best)

    def check(self, solution: Solution, expected: tuple[int, float]) -> None:
        assert solution.certified
        assert (-solution.broken, solution.score) == pytest.approx(expected, abs=1e-9)
        worth = self.worth(solution.heads.tolist(), list(solution.labels or []))
        assert worth == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_finds_the_best_tree_under_agreement(seed: int) -> None:
    rng = random.Random(seed)
    for n in (1, 2, 3, 3, 4):
        case = Case(rng, n, agreements=rng.randint(1, 3))
        case.check_best()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_finds_the_best_tree_of_five_words_under_agreement(seed: int) -> None:
    case = Case(random.Random(seed), 5, agreements=2)
    case.check_best()


@pytest.mark.parametrize("seed", range(10))
def test_agreement_combines_with_other_rules_and_parts(seed: int) -> None:
    rng = random.Random(seed)
    for parts in (False, True):
        case = Case(rng, 4, agreements=rng.randint(1, 2), others=2, parts=parts)
        case.check_best()


@pytest.mark.parametrize("seed", range(10))
def test_ranks_trees_under_agreement(seed: int) -> None:
    rng = random.Random(seed)
    case = Case(rng, rng.randint(2, 4), agreements=rng.randint(1, 2), others=rng.randint(0, 1))
    expected = case.ranked()[:20]
    ranking = case.decode("bnb", k=20)
    assert len(ranking) == len(expected)
    for solution, worth in zip(ranking, expected, strict=True):
        case.check(solution, worth)


@pytest.mark.parametrize("decoder", ["bnb", "ilp"])
def test_a_sentence_may_have_any_number_of_values(decoder: str) -> None:
    """More than the bits of a word of the core; the values of the first and the last word are shared."""
    n = 150
    values = [*(f"v{i}" for i in range(1, n)), "v1,x"]
    lines = [f"{i}\tw\t_\tX\t_\tLId={value}\t0\troot\t_\t_\n" for i, value in enumerate(values, 1)]
    text = '[[rule]]\nname = "r"\nreason = "r"\ndependents = { relation = "*" }\nsame = "LId"\n'
    scores = np.ones((n + 1, n + 1))
    scores[:, 0] = 0
    scores[1, 0] = 2
    labels = (["dep"], np.zeros((n + 1, n + 1, 1)))
    sentence = parse_sentence(("".join(lines) + "\n").encode())
    solution = decode(scores, decoder, labels=labels, rules=Rules.parse(text), sentence=sentence)
    assert solution.certified and solution.broken == 0
    assert solution.heads.tolist() == [-1, *[0] * (n - 1), 1]


def test_rules_of_agreement_need_a_sentence() -> None:
    text = '[[rule]]\nname = "r"\nreason = "r"\ndependents = { relation = "a" }\nsame = "Number"\n'
    with pytest.raises(ValueError, match="the rules read feats; expected a sentence"):
        decode(np.zeros((3, 3)), labels=(["a"], np.zeros((3, 3, 1))), rules=Rules.parse(text))
