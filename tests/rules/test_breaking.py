"""Sentences that break rules, and their marks in pictures."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from support.places import DATA
from support.rule_cases import EVERYTHING, random_sentence
from support.treebanks import sentence
from wnparse.rules import Rules
from wnparse.rules.breaking import find_broken, mark_broken
from wnparse.rules.coverage import count_rules
from wnparse.rules.violations import Violation
from wnparse.treebanks.pictures import picture
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

RULES = Rules.parse(EVERYTHING)


def test_finds_what_coverage_counts() -> None:
    rng = random.Random(3)
    treebank = [random_sentence(rng) for _ in range(200)]
    broken = list(find_broken(treebank, RULES))
    counts = count_rules(treebank, RULES)
    assert len(broken) == len(treebank)
    assert sum(map(bool, broken)) == counts.breaking
    for rule, tally in zip(RULES, counts.tallies, strict=True):
        own = [part for parts in broken for part in parts if part.rule is rule]
        assert len(own) == tally.sentences
        assert sum(violation.units for part in own for violation in part.violations) == tally.violations


def test_marks_dependents_of_broken_arcs() -> None:
    rng = random.Random(4)
    for _ in range(100):
        tree = random_sentence(rng)
        (broken,) = find_broken([tree], RULES)
        drawn = mark_broken(picture(tree), broken)
        words = {word for part in broken for violation in part.violations for word in violation.words}
        assert drawn.marked == words
        assert drawn.broken <= words
        assert len(drawn.notes) == len(broken)
        for part in broken:
            assert any(part.rule.name in note and part.rule.reason in note for note in drawn.notes)


def test_arcs_of_a_violation() -> None:
    heads = [-1, 3, 3, 0, 3, 4]
    assert Violation((3, 1), 1, (1, 3)).arcs(heads) == (1,)
    assert Violation((3,), 1, (1, 2, 3, 5)).arcs(heads) == (1, 2)
    assert Violation((0,), 1, (3,)).arcs(heads) == (3,)


def test_is_lazy_once_the_columns_are_known() -> None:
    def endless() -> Iterator[Sentence]:
        yield from read(DATA / "dev.conllu")
        raise AssertionError("read to the end")

    rules = Rules.load("ud")
    assert len(list(itertools.islice(find_broken(endless(), rules), 5))) == 5


def test_half_annotated_sentences_break_only_what_is_annotated() -> None:
    rules = Rules.parse('[[rule]]\nname = "r"\nreason = "r"\nforbid = { relation = "dep" }\n')
    trees = [sentence("a b", [0, 1], ["root", "dep"]), sentence("a b", [0, -1], ["root", "dep"])]
    assert [len(broken) for broken in find_broken(trees, rules)] == [1, 0]
