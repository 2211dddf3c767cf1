"""Votes of several parsers, and the trees that win them."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from support.places import DATA
from support.rule_cases import as_words
from support.rule_oracles import read_rules, violations
from support.treebanks import conllu, sentence
from wnparse.combination.combine import Combined, combine
from wnparse.combination.votes import Ballot, Weights, learn_weights
from wnparse.errors import TreebankError
from wnparse.rules import Rules
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import BadSentence, Sentence, parse_sentence
from wnparse.trees import structure

ABC = "a b c"


def tree(heads: list[int], labels: str) -> Sentence:
    return sentence(ABC, heads, labels)


def heads_and_labels(combined: Combined) -> tuple[list[int], list[str]]:
    return combined.sentence.heads.tolist()[1:], combined.sentence.column("deprel")


def one(*systems: Sentence, **options: object) -> tuple[list[int], list[str]]:
    (combined,) = combine([[system] for system in systems], **options)  # type: ignore[arg-type]
    return heads_and_labels(combined)


FIRST = tree([2, 0, 2], "nsubj root obj")
SECOND = tree([3, 0, 2], "det root obj")
THIRD = tree([3, 0, 2], "nmod root obl")


def test_the_majority_wins() -> None:
    """Two have the head of the first word, each with its own label; two have the label of the last."""
    assert one(FIRST, SECOND, THIRD) == ([3, 0, 2], ["det", "root", "obj"])
    assert one(FIRST, THIRD, THIRD) == heads_and_labels(Combined(THIRD, [], True))


def test_weights_decide() -> None:
    assert one(FIRST, SECOND, THIRD, weights=[5, 1, 1]) == ([2, 0, 2], ["nsubj", "root", "obj"])
    assert one(FIRST, SECOND, THIRD, weights=[1, 1, 5]) == ([3, 0, 2], ["nmod", "root", "obl"])


def test_ties_go_by_the_order() -> None:
    for first, second in itertools.permutations([FIRST, SECOND, THIRD], 2):
        assert one(first, second) == heads_and_labels(Combined(first, [], True))
        assert one(first, second, weights=[0.1, 0.1]) == heads_and_labels(Combined(first, [], True))


def test_one_parser_without_rules_stays_as_it_is() -> None:
    trees = list(read(DATA / "dev.conllu"))[:60]
    assert b"".join(tree.sentence.raw for tree in combine([trees])) == b"".join(tree.raw for tree in trees)
    assert all(tree.certified and not tree.broken for tree in combine([trees, trees]))


def test_respects_structural_constraints() -> None:
    crossing = sentence("a b c d", [0, 0, 1, 2], "root root x y")
    assert structure(one_heads(crossing, block_degree=1)).block_degree == 1
    assert structure(one_heads(crossing, single_root=True)).roots == 1
    assert structure(one_heads(crossing, well_nested=True)).well_nested
    assert one_heads(crossing) == [-1, 0, 0, 1, 2]


def one_heads(system: Sentence, **options: object) -> list[int]:
    (combined,) = combine([[system]], **options)  # type: ignore[arg-type]
    return [int(head) for head in combined.sentence.heads]


def test_confidence_counts_as_a_part_of_a_vote() -> None:
    raw = conllu(ABC.split(), [2, 0, 2], ["nsubj", "root", "obj"])
    sure = parse_sentence(raw.replace(b"_\n", b"HeadProb=0.2|X=1\n", 1))
    assert one(sure, SECOND) == ([2, 0, 2], ["nsubj", "root", "obj"])
    assert one(sure, SECOND, confidence=True) == ([3, 0, 2], ["det", "root", "obj"])
    for odd in (b"HeadProb=x", b"HeadProb=7", b"HeadProb=nan", b"SpaceAfter=No"):
        plain = parse_sentence(raw.replace(b"_\n", odd + b"\n", 1))
        assert one(plain, SECOND, confidence=True) == ([2, 0, 2], ["nsubj", "root", "obj"])


RULES = """
[[rule]]
name = "one"
reason = "r"
at-most = 1
dependents = { relation = "s" }
[[rule]]
name = "leaf"
reason = "r"
forbid = { relation = "*" }
head = { relation = "p" }
[[rule]]
name = "left"
reason = "r"
forbid = { relation = "o", side = "left" }
[[rule]]
name = "soft"
reason = "r"
penalty = 0.25
forbid = { relation = "s" }
head = { root = true }
"""


def all_trees(n: int) -> list[list[int]]:
    """Heads of all trees over n words."""
    heads = []
    for guess in itertools.product(range(n + 1), repeat=n):
        tree = [-1, *guess]
        if all(reaches(tree, word) for word in range(1, n + 1)):
            heads.append(tree)
    return heads


def reaches(tree: list[int], word: int) -> bool:
    for _ in tree:
        word = tree[word] if word > 0 else word
    return word == 0


@pytest.mark.parametrize("seed", range(12))
def test_the_best_tree_that_obeys(seed: int) -> None:
    """Against all labelled trees of three words, with the rule file read again."""
    rng = random.Random(seed)
    rules, oracle = Rules.parse(RULES), read_rules(RULES)
    trees = all_trees(3)
    systems = [
        [sentence(ABC, heads[1:], [rng.choice("spo") for _ in range(3)]) for heads in rng.choices(trees, k=6)]
        for _ in range(2)
    ]
    weights = Weights((0.6, 0.4), {})
    rows = list(zip(*systems, strict=True))
    ballot = Ballot(rows, weights)
    for row, combined in zip(rows, combine(systems, weights, rules=rules, single_root=False), strict=True):
        scores, words = ballot.count(row), as_words(row[0])

        def value(heads: list[int], labels: list[str]) -> float:
            votes = sum(scores[m, heads[m], ballot.labels.index(labels[m])] for m in range(1, 4))  # noqa: B023
            broken = [violations(rule, words, heads, labels) for rule in oracle]  # noqa: B023
            return votes - 0.25 * broken[3] if not any(broken[:3]) else -np.inf

        best = max(
            value(heads, ["", *labels]) for heads in trees for labels in itertools.product(ballot.labels, repeat=3)
        )
        heads = combined.sentence.heads.tolist()
        assert value(heads, ["", *combined.sentence.column("deprel")]) == pytest.approx(best, abs=1e-9)
        assert not combined.broken


def test_an_empty_relation_of_a_file_is_written_as_an_underscore() -> None:
    tree = parse_sentence(b"1\ta\t_\t_\t_\t_\t0\t\t_\t_\n\n")
    assert one(tree) == ([0], ["_"])


def test_repaired_trees_obey() -> None:
    rng = random.Random(4)
    trees = []
    for annotated in list(read(DATA / "dev.conllu"))[:40]:
        labels = [
            "",
            *(rng.choice([label, label, label, "nsubj", "obj", "punct"]) for label in annotated.column("deprel")),
        ]
        trees.append(annotated.with_tree(annotated.heads, labels))
    rules = Rules.load("ud")
    counter = RuleCounter(rules)
    assert sum(any(rule.violations for rule in counter.look(tree)) for tree in trees) > 30
    for combined in combine([trees], rules=rules):
        assert not combined.broken
        assert not any(rule.violations for rule in counter.look(combined.sentence))


def test_reports_rules_that_no_tree_obeys() -> None:
    text = '[[rule]]\nname = "never"\nreason = "r"\nforbid = { relation = "*" }\nhead = { root = true }\n'
    (combined,) = combine([[FIRST]], rules=Rules.parse(text))
    assert combined.broken == ["never"]
    assert heads_and_labels(combined) == heads_and_labels(Combined(FIRST, [], True))


def test_weights_come_from_a_development_set() -> None:
    gold = [FIRST] * 30
    weights = learn_weights(zip(gold, [FIRST] * 30, [SECOND] * 30, strict=True))
    assert weights.overall == pytest.approx((1.0, 2 / 3))
    assert weights.by_upos["X"] == pytest.approx((1.0, 2 / 3))
    assert one(SECOND, FIRST, weights=Weights(weights.overall[::-1], {})) == heads_and_labels(
        Combined(FIRST, [], True)
    )
    assert learn_weights([]).overall == ()


def test_similar_parsers_do_not_count_twice() -> None:
    weights = learn_weights(zip([FIRST] * 60, [SECOND] * 60, [SECOND] * 60, [FIRST] * 60, strict=True))
    assert one(SECOND, SECOND, FIRST, weights=weights) == heads_and_labels(Combined(FIRST, [], True))
    known = Weights(weights.overall, weights.by_upos)
    assert one(SECOND, SECOND, FIRST, weights=known) == heads_and_labels(Combined(SECOND, [], True))


def test_refuses_bad_arguments() -> None:
    with pytest.raises(ValueError, match="no system"):
        list(combine([]))
    for weights in ([1], [1, 2, 3], [1, 0], [1, -1], [1, np.inf]):
        with pytest.raises(ValueError, match="2 positive numbers"):
            list(combine([[FIRST], [SECOND]], weights))
    with pytest.raises(TreebankError, match=r"word 1 is 'x'; t\.conllu:1 .*'a'"):
        list(combine([[FIRST], [sentence("x b c", [2, 0, 2])]]))
    bad = BadSentence(TreebankError("wrong", "f", 1))
    skipped: list[TreebankError] = []
    assert len(list(combine([[FIRST, FIRST], [SECOND, bad]], skip=skipped.append))) == 1
    assert skipped == [bad.error]
