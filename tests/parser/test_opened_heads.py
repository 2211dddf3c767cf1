"""Rules that no tree of the pruned arcs obeys: the words to blame may have any head, at every order."""

from __future__ import annotations

import pytest

from support.models import trained
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.sentence import Sentence

# Always possible, and seldom what a parser would do.
NEAR = Rules.parse("""
[[rule]]
name = "near"
reason = "r"
forbid = { upos = "PUNCT", min-distance = 2 }
head = { root = false }
[[rule]]
name = "lonely"
reason = "r"
at-most = 0
dependents = { not-relation = "root" }
head = { upos = ["DET", "ADP"] }
""")


@pytest.mark.parametrize("order", [1, 2])
def test_rules_that_pruned_arcs_cannot_keep(sample: list[Sentence], order: int) -> None:
    model = trained(sample, order=order)
    parser = Parser(model, ParseOptions(constraints=model.constraints, rules=NEAR))
    counter = RuleCounter(NEAR)
    free = Parser(model, ParseOptions(constraints=model.constraints))
    trees = [
        [each.parse for each in used.stream(sample, at_hand=lambda: True) if each.parse] for used in (parser, free)
    ]

    def breaks(place: int, tree: int) -> bool:
        found = trees[place][tree]
        return any(each.violations for each in counter.look(sample[tree].with_tree(found.heads, found.labels)))

    broken = [tree for tree in range(len(sample)) if breaks(0, tree)]
    assert [tree for tree, found in enumerate(trees[0]) if found.broken] == broken
    assert sum(breaks(1, tree) for tree in range(len(sample))) > 10
    assert not broken
