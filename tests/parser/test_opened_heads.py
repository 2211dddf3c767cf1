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
def test_restores_pruned_arcs_where_rules_need_them(sample: list[Sentence], order: int) -> None:
    model = trained(sample, order=order)
    parser = Parser(model, ParseOptions(constraints=model.constraints, rules=NEAR))
    counter = RuleCounter(NEAR)
    free = Parser(model, ParseOptions(constraints=model.constraints))
    trees = [
        [parsed.parse for parsed in used.stream(sample, at_hand=lambda: True) if parsed.parse]
        for used in (parser, free)
    ]

    def breaks(place: int, tree: int) -> bool:
        parse = trees[place][tree]
        return any(result.violations for result in counter.look(sample[tree].with_tree(parse.heads, parse.labels)))

    broken = [tree for tree in range(len(sample)) if breaks(0, tree)]
    assert [tree for tree, parse in enumerate(trees[0]) if parse.broken] == broken
    assert sum(breaks(1, tree) for tree in range(len(sample))) > 10
    assert not broken
