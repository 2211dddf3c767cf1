"""docs/learners.md: it names all learners, their usual options and the systems compared."""

from __future__ import annotations

from reproduction.zong2012.learner_table import SYSTEMS
from support.places import ROOT
from wnparse.training.learners import LEARNERS, USUAL_MARGIN, USUAL_STEP, USUAL_TREES


def test_the_page_names_all_learners_and_their_usual_options() -> None:
    page = (ROOT / "docs" / "learners.md").read_text()
    for name in LEARNERS:
        assert len([line for line in page.splitlines() if line.startswith(f"| `{name}` |")]) == 1
        assert f"| mean | `{name}` |" in page
    assert f"the usual C = {USUAL_STEP} " in page
    assert f"kept {USUAL_MARGIN:g} times as large" in page
    assert f"(k = {USUAL_TREES})" in page
    for system in SYSTEMS:
        assert page.count(f"| {system} |") == 3  # treebanks
