"""Rules compiled for the labels of a parser: the tables that the core reads.

Labels that belong to the same sets of relations are interchangeable for the rules, and make one class. The
conditions on tokens are predicates (`wnparse.rules.predicates`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CompiledRules
from wnparse.errors import RulesError
from wnparse.rules.conditions import Relations
from wnparse.rules.patterns import LEAST, ArcPattern, ConstraintPattern
from wnparse.rules.predicates import Predicates, predicates_of
from wnparse.rules.ruleset import Rules

MOST_CLASSES = 63  # one is left for arcs without a label
ALL = 2**64 - 1
TABLE_COLUMNS = 20
MOST_PROGRAMS = 16  # of the same rules, kept for different labels


class LabelSets:
    """The distinct sets of relations that rules have, by number.

    Attributes
    ----------
    sets : list of Relations
    width : int
        Words of 64 bits that have a bit for each set.
    """

    def __init__(self, sets: Iterable[Relations]) -> None:
        self.sets = list(dict.fromkeys(sets))
        self.width = max(1, math.ceil(len(self.sets) / 64))
        self._numbers = {relations: number for number, relations in enumerate(self.sets)}

    def number(self, relations: Relations | None) -> int:
        """Return the number of a set; -1 for all relations."""
        return -1 if relations is None else self._numbers[relations]

    def signature(self, label: str) -> int:
        """Return the sets that a label belongs to, as bits."""
        return sum(1 << number for number, relations in enumerate(self.sets) if relations.holds(label))

    def bits(self, labels: Iterable[str]) -> npt.NDArray[np.uint64]:
        """Return the signatures of labels, uint64[L, width]."""
        data = b"".join(self.signature(label).to_bytes(8 * self.width, "little") for label in labels)
        return np.frombuffer(data, "<u8").reshape(-1, self.width)


@dataclass(frozen=True, eq=False)
class RuleProgram:
    """Rules as the core reads them, for one inventory of labels.

    Attributes
    ----------
    rules : Rules
        The rules that were compiled.
    predicates : Predicates
        The conditions on tokens; `predicates.bits(sentence)` evaluates them.
    label_class : ndarray
        int32[L]: the class of each label.
    table : ndarray
        int32[R, 20]: for each constraint: kind, node, limit, between, crossing, the arc (head, dependent,
        direction, least, most), whether there is another, the other (likewise), where its classes begin and end,
        the agreement of the arc and of the other (8 times the number of the feature plus comparisons; 0: none).
    masks : ndarray
        uint64[R, 2]: classes of labels of the arc and the other; all bits for any label.
    penalties : ndarray
        float64[R]: what a unit of violation costs; infinite if the rule is hard.
    classes : ndarray
        int32[C]: lists of predicates of which siblings must share one.
    row_rules : ndarray
        int32[R]: the number in `rules` of the rule of each constraint. A rule may have several constraints; those
        that no tree over these labels can break are left out.
    """

    rules: Rules
    predicates: Predicates
    label_class: npt.NDArray[np.int32]
    table: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint64]
    penalties: npt.NDArray[np.float64]
    classes: npt.NDArray[np.int32]
    row_rules: npt.NDArray[np.int32]

    @property
    def columns(self) -> list[str]:
        """The columns of CoNLL-U that the rules read."""
        return self.predicates.columns

    @functools.cached_property
    def core(self) -> CompiledRules:
        """The rules as an object of the core."""
        return CompiledRules(
            self.table,
            self.masks,
            self.penalties,
            self.classes,
            self.label_class,
            self.predicates.width,
            len(self.predicates.features),
        )


def label_sets_of(patterns: Iterable[ConstraintPattern]) -> LabelSets:
    """Return the sets of relations of some constraints."""
    return LabelSets(relations for pattern in patterns for relations in pattern.relations if relations is not None)


def compile_rules(rules: Rules, labels: Sequence[str]) -> RuleProgram:
    """Compile rules for an inventory of labels; programs are cached, because compiling takes milliseconds.

    Raises
    ------
    RulesError
        If they distinguish more than 63 classes of labels.
    """
    programs: dict[tuple[str, ...], RuleProgram] = rules.__dict__.setdefault("_programs", {})
    key = tuple(labels)
    if key not in programs:
        program = _compile(rules, key)
        if len(programs) >= MOST_PROGRAMS:
            programs.clear()
        programs[key] = program
    return programs[key]


def _compile(rules: Rules, labels: Sequence[str]) -> RuleProgram:
    numbered = [(number, pattern) for number, rule in enumerate(rules) for pattern in rule.patterns]
    sets = label_sets_of(pattern for _, pattern in numbered)
    signatures = [sets.signature(label) for label in labels]
    classes = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
    if len(classes) > MOST_CLASSES:
        raise RulesError(
            f"the rules distinguish {len(classes)} classes of relations; expected at most {MOST_CLASSES}",
            rules.name,
        )

    def mask(relations: Relations | None) -> int:
        number = sets.number(relations)
        if number < 0:
            return ALL
        return sum(1 << place for signature, place in classes.items() if signature >> number & 1)

    # An arc that no label can have breaks nothing, unless it is required.
    numbered = [item for item in numbered if item[1].kind == LEAST or mask(item[1].arc.relations)]
    numbers, patterns = [number for number, _ in numbered], [pattern for _, pattern in numbered]
    predicates = predicates_of(patterns)
    table, lists = tabulate(patterns, predicates)
    masks = [[mask(relations) for relations in pattern.relations] for pattern in patterns]
    return RuleProgram(
        rules=rules,
        predicates=predicates,
        label_class=np.array([classes[signature] for signature in signatures], np.int32),
        table=table,
        masks=np.array(masks, np.uint64).reshape(-1, 2),
        penalties=np.array([rules.rules[number].penalty for number in numbers], np.float64),
        classes=lists,
        row_rules=np.array(numbers, np.int32),
    )


def tabulate(
    patterns: Sequence[ConstraintPattern], predicates: Predicates
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return `table` and `classes` of a `RuleProgram` for some constraints."""
    table = np.zeros((len(patterns), TABLE_COLUMNS), np.int32)
    classes: list[int] = []
    for place, pattern in enumerate(patterns):
        begin = len(classes)
        classes += [predicates.number(word) for word in pattern.classes]
        table[place] = (
            pattern.kind,
            predicates.number(pattern.node),
            pattern.limit,
            predicates.number(pattern.between),
            pattern.crossing,
            *_numbers(pattern.arc, predicates),
            pattern.other is not None,
            *_numbers(pattern.other or ArcPattern(), predicates),
            begin,
            len(classes),
            _agreement_number(pattern.arc, predicates),
            _agreement_number(pattern.other or ArcPattern(), predicates),
        )
    return table, np.array(classes, np.int32)


def _numbers(arc: ArcPattern, predicates: Predicates) -> tuple[int, int, int, int, int]:
    """Return the numbers of a pattern of arcs in the table, where relations are not."""
    return predicates.number(arc.head), predicates.number(arc.dependent), arc.side, arc.least, arc.most


def _agreement_number(arc: ArcPattern, predicates: Predicates) -> int:
    """Return the number of the agreement of a pattern of arcs in the table; 0 for none."""
    if arc.agreement is None:
        return 0
    feature, comparisons = arc.agreement
    return 8 * predicates.features.index(feature) + comparisons
