"""Predicates: the bits of the words that satisfy them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from support.rule_cases import EVERYTHING, LABELS, as_words, random_sentence
from support.rule_oracles import is_word
from support.treebanks import sentence
from wnparse.rules import Rules
from wnparse.rules.compile import compile_rules
from wnparse.rules.conditions import ColumnTest, Condition, Word
from wnparse.rules.predicates import Predicates, predicates_of
from wnparse.treebanks.sentence import parse_sentence


def test_handles_more_than_64_predicates() -> None:
    rules = Rules.parse(
        "".join(
            f'[[rule]]\nname = "r{i}"\nreason = "r"\nforbid = {{ relation = "l{i}", form = "w{i}" }}\n'
            for i in range(70)
        )
    )
    program = compile_rules(rules, [f"l{i}" for i in range(70)][:60])
    assert len(program.predicates) == 60
    more = Predicates(word for rule in rules for row in rule.patterns if (word := row.arc.dependent) is not None)
    bits = more.bits(sentence("w3 x w69 W64", [0, 1, 1, 1]))
    assert bits.dtype == np.uint64
    assert bits.tolist() == [[0, 0], [8, 0], [0, 0], [0, 32], [0, 1]]


def test_bits_agree_with_the_conditions() -> None:
    """Each rule of one condition, as the oracle reads it, and its bit."""
    rng = random.Random(1)
    conditions = [
        '{ upos = ["NOUN", "VERB"] }',
        '{ not-upos = "NOUN", form = ["A", "bc"] }',
        '{ any = [{ feats = "Case=Nom" }, { upos = "PRON", not-feats = "Poss" }] }',
        '{ any = [{ root = true }, { lemma = "be" }] }',
        "{ root = true }",
        "{ root = false }",
        '{ not-ext-upos = "NOUN" }',
        '{ ext-upos = ["NOUN", "VERB"], not-feats = "_" }',
        '{ form-matches = "[ab].*", not-form-ends = "c" }',
        '{ xpos-begins = "x", not-lemma-matches = "b." }',
        '{ not-feats = ["_", "Poss=Yes"] }',
    ]
    text = "".join(
        f'[[rule]]\nname = "r{i}"\nreason = "r"\nforbid = {{ relation = "*" }}\nhead = {condition}\n'
        for i, condition in enumerate(conditions)
    )
    rules = Rules.parse(text)
    program = compile_rules(rules, LABELS)
    assert len(program.predicates) == len(conditions)
    for _ in range(200):
        tree = random_sentence(rng)
        words = as_words(tree)
        expected = [
            sum(is_word(dict(rule.source["head"]), words, i) << number for number, rule in enumerate(rules))
            for i in range(len(words))
        ]
        assert program.predicates.bits(tree)[:, 0].tolist() == expected


@pytest.mark.parametrize(
    "wanted, passing",
    [
        (["Case=Nom"], {"Case=Nom", "Case=Acc,Nom", "Case=Nom|Poss=Yes"}),
        (["Case=Acc,Nom"], {"Case=Acc,Nom"}),
        (["Case"], {"Case=Nom", "Case=Acc,Nom", "Case=Nom|Poss=Yes", "Case=", "Case"}),
        (["Case="], {"Case=", "Case"}),
        (["Poss=Yes|Case"], {"Case=Nom|Poss=Yes"}),
        (["_"], {"_"}),
        (["_", "Poss"], {"_", "Case=Nom|Poss=Yes"}),
    ],
)
def test_matches_features(wanted: list[str], passing: set[str]) -> None:
    values = {"_", "Case=Nom", "Case=Acc,Nom", "Case=Nom|Poss=Yes", "Case=", "Case", "Cases=Nom"}
    for negated in (False, True):
        test = ColumnTest("feats", "is", tuple(wanted), negated).compiled()
        assert {value for value in values if test(value)} == (values - passing if negated else passing)


def test_computes_values_again_that_left_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse(EVERYTHING)
    trees = [random_sentence(random.Random(seed)) for seed in range(100)]
    expected = [
        predicates_of(row for rule in rules for row in rule.patterns).bits(tree).tolist() for tree in trees
    ]
    monkeypatch.setattr("wnparse.rules.predicates.MOST_REMEMBERED", 2)
    predicates = predicates_of(row for rule in rules for row in rule.patterns)
    assert [predicates.bits(tree).tolist() for tree in trees] == expected


def test_numbers_the_values_of_features_in_each_sentence() -> None:
    feats = [
        "Number=Sing",
        "_",
        "Case=Nom|Number=Plur,Sing",
        "Case=Acc,Nom,Acc",
        "Number|Case=",
        "Number[psor]=Plur",
    ]
    lines = [f"{i}\tw\t_\tX\t_\t{value}\t{i > 1:d}\tx\t_\t_\n" for i, value in enumerate(feats, 1)]
    tree = parse_sentence(("".join(lines) + "\n").encode())
    noun = Word((Condition((ColumnTest("upos", "is", ("NOUN",), False),)),))
    predicates = Predicates([noun], ["Number", "Case", "Number", "Number[psor]"])
    assert predicates.features == ["Number", "Case", "Number[psor]"]
    assert predicates.columns == ["feats", "upos"]
    assert predicates.bits(tree)[:, 1:].tolist() == [
        [0, 0, 0],
        [0b1, 0, 0],
        [0, 0, 0],
        [0b11, 0b1, 0],
        [0, 0b11, 0],
        [0b100, 0b100, 0],
        [0, 0, 0b1],
    ]
    assert not predicates.bits(tree)[:, 0].any()


def test_features_with_many_values_take_more_words() -> None:
    lines = [f"{i}\tw\t_\tX\t_\tA=v{i}|B=x\t{i > 1:d}\tx\t_\t_\n" for i in range(1, 131)]
    bits = Predicates([], ["A", "B"]).bits(parse_sentence(("".join(lines) + "\n").encode()))
    assert bits.shape == (131, 1 + 2 * 3)
    assert bits[[0, 1, 65, 130], 1:].tolist() == [
        [0] * 6,
        [1, 0, 0, 1, 0, 0],
        [0, 1, 0, 1, 0, 0],
        [0, 0, 2, 1, 0, 0],
    ]
