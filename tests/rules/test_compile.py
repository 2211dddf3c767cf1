"""Compiled rules: classes of labels, and the tables of the core."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from support.rule_cases import EVERYTHING
from wnparse.errors import RulesError
from wnparse.rules import BUNDLED, Rules
from wnparse.rules.compile import compile_rules

MANY = "".join(
    f'[[rule]]\nname = "r{i}"\nreason = "r"\nforbid = {{ relation = "l{i}", form = "w{i}" }}\n' for i in range(70)
)


def test_labels_that_no_rule_distinguishes_are_one_class() -> None:
    text = '[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\n'
    text += 'dependents = { relation = ["a", "b"], not-relation = "b:x" }'
    program = compile_rules(Rules.parse(text), ["a", "b", "c", "a:y", "b:x", "d"])
    assert program.label_class.tolist() == [0, 0, 1, 0, 1, 1]
    assert program.masks.tolist() == [[1, 2**64 - 1]]
    assert program.table.tolist() == [[1, -1, 1, -1, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0, 0]]
    assert program.penalties.tolist() == [np.inf]
    assert program.columns == []
    assert program.predicates.bits(None, 3).tolist() == [[0]] * 4


def test_compiled_rules_have_the_documented_layout() -> None:
    text = """
    [[rule]]
    name = "c"
    reason = "r"
    penalty = 1.5
    siblings = { relation = "cnj", upos = "N", side = "left", min-distance = 2, max-distance = 9 }
    and = { relation = "obj" }
    head = { form = "en" }
    need-between = { form = "," }
    need-alike = [{ upos = "N" }, { upos = "V" }]
    [[rule]]
    name = "e"
    reason = "r"
    exactly = 2
    dependents = { side = "right" }
    head = { relation = "cnj", upos = "V" }
    [[rule]]
    name = "x"
    reason = "r"
    dependents = { relation = "obj" }
    no-crossing = ["into", "over-head"]
    [[rule]]
    name = "b"
    reason = "r"
    dependents = { relation = "obj" }
    only-between = "nothing"
    [[rule]]
    name = "a"
    reason = "r"
    dependents = { relation = "obj" }
    same = "Number"
    [[rule]]
    name = "d"
    reason = "r"
    dependents = { side = "left" }
    head = { upos = "V" }
    different = "Case"
    missing = "broken"
    """
    program = compile_rules(Rules.parse(text), ["cnj", "obj"])
    en, comma, noun, verb = range(4)
    assert program.table.tolist() == [
        [3, en, 0, comma, 0, -1, noun, 2, 2, 9, 1, -1, -1, 0, 0, 0, 0, 2, 0, 0],
        [1, verb, 2, -1, 0, -1, -1, 1, 0, 0, 1, -1, -1, 0, 0, 0, 2, 2, 0, 0],
        [2, verb, 2, -1, 0, -1, -1, 1, 0, 0, 1, -1, -1, 0, 0, 0, 2, 2, 0, 0],
        [6, -1, 0, -1, 9, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 2, 2, 0, 0],
        [5, -1, 0, -1, 0, -1, -1, 0, 0, 0, 1, -1, -1, 0, 0, 0, 2, 2, 0, 0],
        [0, -1, 0, -1, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 2, 2, 4, 0],
        [0, -1, 0, -1, 0, verb, -1, 2, 0, 0, 0, -1, -1, 0, 0, 0, 2, 2, 8 + 2 + 1, 0],
    ]
    assert program.predicates.features == ["Number", "Case"]
    anything = 2**64 - 1
    assert program.masks.tolist() == [
        [1, 2],
        [anything, 1],
        [anything, 1],
        [2, anything],
        [2, 0],
        *[[2, anything], [anything] * 2],
    ]
    assert program.classes.tolist() == [noun, verb]
    assert program.penalties.tolist() == [1.5, *[np.inf] * 6]
    assert program.row_rules.tolist() == [0, 1, 1, 2, 3, 4, 5]


def test_leaves_out_rows_that_no_label_can_break() -> None:
    program = compile_rules(Rules.load("ud"), ["root", "nsubj", "punct"])
    names = {program.rules.rules[number].name for number in program.row_rules}
    assert "right-to-left-conj" not in names
    assert {"too-many-subjects", "0-is-not-root", "leaf-punct"} <= names
    least = '[[rule]]\nname = "r"\nreason = "r"\nat-least = 1\ndependents = { relation = "x" }'
    assert compile_rules(Rules.parse(least), ["y"]).masks[0, 0] == 0


def test_refuses_too_many_classes() -> None:
    with pytest.raises(RulesError, match=r"f: .*71 classes.*63"):
        compile_rules(Rules.parse(MANY, "f"), [f"l{i}" for i in range(80)])


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_rules_fit_the_core(name: str) -> None:
    rules = Rules.load(name)
    used = {
        base
        for rule in [*rules, *Rules.parse(EVERYTHING)]
        for row in rule.patterns
        for pattern in (row.arc, row.other)
        if pattern and pattern.relations
        for base in (*(pattern.relations.listed or ()), *pattern.relations.excluded)
    }
    program = compile_rules(rules, sorted(used))
    assert program.label_class.max() < 63
    assert len(program.predicates) <= 64


def test_caches_compiled_rules() -> None:
    rules = Rules.load("ud")
    assert compile_rules(rules, ["a", "b"]) is compile_rules(rules, ["a", "b"])
    assert compile_rules(rules, ["a", "b"]) is not compile_rules(rules, ["b", "a"])
    for labels in range(50):
        compile_rules(rules, [str(labels)])
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules == copy.deepcopy(rules)
    assert "_programs" not in vars(again)
