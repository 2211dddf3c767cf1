"""The words on which gold and systems differ, as rows of a table, collected during an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from wnparse.treebanks.parallel import Group
from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import Sentence

COLUMNS = (
    "sentence", "sent_id", "line", "word", "form", "head", "head_form", "deprel", "upos",
    "system", "system_head", "system_head_form", "system_deprel", "system_upos",
)  # fmt: skip
ROOT = "ROOT"  # in place of the form of a head


class DifferingWords:
    """Watches an evaluation and collects the scored words whose head, relation or UPOS differ.

    A word without a head in gold is not compared, nor is a column that is ``_`` in gold. UPOS is only compared if
    both have it. Sentences with other words in any input are counted, and left out.

    Parameters
    ----------
    names : sequence of str
        The names of the systems.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.rows: list[list[str]] = []
        self.left_out = 0  # sentences
        self._names = names
        self._seen = 0

    def __call__(self, group: Group, scored: bytes) -> None:
        """Compare a sentence of each system with gold."""
        self._seen += len(group.inputs[0])
        if not group.same_words:
            self.left_out += len(group.inputs[0])
            return
        gold, *systems = group.row
        for name, system in zip(self._names, systems, strict=True):
            self._compare(gold, system, name, scored)

    def _compare(self, gold: Sentence, system: Sentence, name: str, scored: bytes) -> None:
        first, second = _analyses(gold), _analyses(system)
        if first == second:
            return
        for word, (own, other, is_scored) in enumerate(zip(first, second, scored, strict=True), 1):
            if is_scored and own[0] != NOTHING and _differ(own, other):
                place = [str(self._seen), gold.sent_id or "", str(gold.line_of(word)), str(word)]
                self.rows.append([*place, gold.column("form")[word - 1], *own, name, *other])

    def table(self) -> str:
        """Return the rows as tab-separated values with a heading."""
        return "".join("\t".join(row) + "\n" for row in [list(COLUMNS), *self.rows])


def _analyses(sentence: Sentence) -> list[tuple[str, str, str, str]]:
    """Return head, form of the head, relation and UPOS of each word."""
    forms = [ROOT, *sentence.column("form")]
    rows = zip(sentence.heads[1:].tolist(), sentence.column("deprel"), sentence.column("upos"), strict=True)
    return [
        (str(head), forms[head], deprel, upos) if head >= 0 else (NOTHING, NOTHING, deprel, upos)
        for head, deprel, upos in rows
    ]


def _differ(gold: Sequence[str], system: Sequence[str]) -> bool:
    head, _, deprel, upos = gold
    other_head, _, other_deprel, other_upos = system
    return (
        head != other_head
        or (deprel != NOTHING and deprel != other_deprel)
        or (upos != other_upos and NOTHING not in (upos, other_upos))
    )
