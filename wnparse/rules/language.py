"""The language of rule files: from the table of a rule to its rows.

A rule has a name, a reason, perhaps a penalty, and one of the verbs of `VERBS`.
docs/rules.md teaches the language by examples.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from wnparse.errors import RulesError
from wnparse.rules.conditions import NOTHING, Word
from wnparse.rules.descriptions import LONGEST_NAME, NOTHING_AT_ALL, DescriptionReader, Place, listed
from wnparse.rules.patterns import (
    BETWEEN,
    CONTIGUOUS,
    CROSSINGS,
    FORBID,
    LARGEST_PENALTY,
    LEAST,
    MOST,
    PARENT,
    PROJECTIVE,
    SIBLINGS,
    ArcPattern,
    RowPattern,
    Rule,
)
from wnparse.rules.toml_text import RuleText, check_table
from wnparse.wording import shown

COMMON = ("name", "reason", "penalty")
# What goes with each verb, beside the keys of all rules.
VERBS: dict[str, tuple[str, ...]] = {
    "forbid": ("head",),
    "at-most": ("dependents", "head"),
    "at-least": ("dependents", "head"),
    "exactly": ("dependents", "head"),
    "siblings": ("and", "head", "need-between", "need-alike"),
    "must-be-under": ("dependents", "head"),
    "only-between": ("dependents", "head", "between"),
    "no-crossing": ("dependents", "head", "crossed-by"),
    "contiguous": ("dependents", "head"),
}
KEYS = tuple(dict.fromkeys([*COMMON, *VERBS, *(key for keys in VERBS.values() for key in keys)]))


class RuleReader:
    """Reads the rules of a file.

    Parameters
    ----------
    text : RuleText
        Where errors are looked up.
    words : object
        The table of words that the file gives names to.
    """

    def __init__(self, text: RuleText, words: object) -> None:
        self._read = DescriptionReader(text, words)

    def check_file(self, document: Mapping[str, Any], known: Iterable[str]) -> None:
        """Refuse keys of a whole file that are not known."""
        self._read.check_keys(document, known, (), "the file")

    def texts(self, document: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """One text or several under a key of the whole file."""
        return self._read.strings(document[key], (key,)) if key in document else ()

    def check_known(self, name: str, known: Collection[str], key: str) -> None:
        """Refuse a name of a rule that there is not."""
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.6)
            right = f"did you mean {shown(near[0])}?" if near else "expected the name of a rule that is included"
            raise self._read.error(f"{key} has {shown(name)}, which is no rule; {right}", (key,))

    def rule(self, table: object, place: Place) -> Rule:
        """Make a rule of its table; RulesError with the line of what is wrong."""
        found = check_table(table, self._read.text, *place)
        self._read.check_keys(found, KEYS, place, "a rule")
        name = self._name(found, place)
        try:
            spelled = self._read.spell(found, place)
            verb = self._verb(spelled, place)
            rows = self._rows(verb, spelled, place)
            penalty = self._penalty(spelled, place)
            reason = spelled.get("reason")
            if not isinstance(reason, str) or not reason.strip():
                raise self._read.error(
                    'no reason; expected a line such as reason = "a predicate has one subject"', place, "reason"
                )
        except RulesError as error:
            raise RulesError(f"rule '{name}': {error.message}", error.path, error.line) from None
        return Rule(name, " ".join(reason.split()), penalty, rows, spelled)

    def _name(self, table: Mapping[str, Any], place: Place) -> str:
        name = table.get("name")
        if (
            not isinstance(name, str)
            or not name
            or len(name) > LONGEST_NAME
            or not name.isprintable()
            or " " in name
        ):
            had = f"the name {shown(name)}" if "name" in table else "a rule without a name"
            raise self._read.error(f'{had}; expected one word such as name = "too-many-subjects"', place, "name")
        return name

    def _penalty(self, table: Mapping[str, Any], place: Place) -> float:
        if "penalty" not in table:
            return math.inf
        value = table["penalty"]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LARGEST_PENALTY:
            most = f"{LARGEST_PENALTY:,.0f}"
            raise self._read.error(
                f"penalty is {shown(value)}; expected a number above 0, {most} at most, or none for a hard rule",
                place,
                "penalty",
            )
        return float(value)

    def _verb(self, table: Mapping[str, Any], place: Place) -> str:
        """Which of the verbs a rule has, and that nothing else is said."""
        verbs = [key for key in VERBS if key in table]
        if not verbs:
            raise self._read.error(f"says nothing; expected one of {listed(list(VERBS))}", place)
        if len(verbs) > 1:
            raise self._read.error(
                f"has both {verbs[0]} and {verbs[1]}; expected one of them, and another rule for the other",
                place,
                verbs[1],
            )
        verb = verbs[0]
        for key in table:
            if key not in COMMON and key != verb and key not in VERBS[verb]:
                raise self._read.error(
                    f"{key} does not go with {verb}; expected {listed(VERBS[verb])}", place, key
                )
        if "dependents" in VERBS[verb] and "dependents" not in table:
            raise self._read.error(f"{verb} says not of what; expected dependents = {{ ... }}", place, verb)
        return verb

    def _rows(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        makers: dict[str, Callable[[str, Mapping[str, Any], Place], tuple[RowPattern, ...]]] = {
            "forbid": self._forbid,
            "at-most": self._count,
            "at-least": self._count,
            "exactly": self._count,
            "siblings": self._siblings,
            "must-be-under": self._must_be_under,
            "only-between": self._only_between,
            "no-crossing": self._no_crossing,
            "contiguous": self._contiguous,
        }
        return makers[verb](verb, table, place)

    def _forbid(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        value = table["forbid"]
        tables = value if isinstance(value, list) else [value]
        if not tables:
            raise self._read.error("forbid is an empty list; expected what is forbidden", place, "forbid")
        head = self._read.attached(table, "head", place)
        rows = []
        for each in tables:
            arc = self._read.dependent(each, (*place, "forbid"))
            if head is not None and head.says_attachment:
                rows.append(RowPattern(MOST, arc, replace(head, dependent=None), node=head.dependent))
            else:
                rows.append(RowPattern(FORBID, replace(arc, head=head.dependent if head else None)))
        return tuple(rows)

    def _count(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        limit = self._read.number(table[verb], 0, (*place, verb))
        arc = self._read.dependent(table["dependents"], (*place, "dependents"))
        head = self._read.attached(table, "head", place)
        if limit == 0 and verb == "at-least":
            raise self._read.error("at-least = 0 is always so; expected 1 or more", place, verb)
        if limit == 0 and head is None:
            raise self._read.error(
                f"{verb} = 0 without a head; expected forbid = {{ ... }}, which says the same", place, verb
            )
        other = replace(head, dependent=None) if head and head.says_attachment else None
        node = head.dependent if head else None
        kinds = {"at-most": (MOST,), "at-least": (LEAST,), "exactly": (MOST, LEAST) if limit else (MOST,)}[verb]
        return tuple(RowPattern(kind, arc, other, node, limit) for kind in kinds)

    def _siblings(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        arc = self._read.dependent(table["siblings"], (*place, "siblings"))
        other = self._read.dependent(table["and"], (*place, "and")) if "and" in table else None
        between = self._read.word_at(table, "need-between", place)
        classes: list[Word] = []
        if "need-alike" in table:
            value = table["need-alike"]
            if not isinstance(value, list) or not value:
                raise self._read.error(
                    f'need-alike is {shown(value)}; expected a list of words, such as [{{ upos = "NOUN" }}]',
                    place,
                    "need-alike",
                )
            classes = [self._read.word(each, (*place, "need-alike")) for each in value]
        node = self._plain_head(table, place)
        return (RowPattern(SIBLINGS, arc, other, node, between=between, classes=tuple(classes)),)

    def _must_be_under(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        other = self._read.attached(table, "must-be-under", place)
        return (RowPattern(PARENT, self._arc(table, place), other),)

    def _only_between(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        allowed = table["only-between"]
        if allowed == NOTHING_AT_ALL:
            other = ArcPattern(relations=NOTHING)
        else:
            other = self._read.dependent(allowed, (*place, "only-between"))
        return (
            RowPattern(
                BETWEEN, self._arc(table, place), other, between=self._read.word_at(table, "between", place)
            ),
        )

    def _no_crossing(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        crossing = 0
        for value in self._read.strings(table["no-crossing"], (*place, "no-crossing")):
            if value not in CROSSINGS:
                raise self._read.error(
                    f"no-crossing is {shown(value)}; expected {listed(list(CROSSINGS))}", place, "no-crossing"
                )
            crossing |= CROSSINGS[value]
        other = self._read.attached(table, "crossed-by", place)
        return (RowPattern(PROJECTIVE, self._arc(table, place), other, crossing=crossing),)

    def _contiguous(self, verb: str, table: Mapping[str, Any], place: Place) -> tuple[RowPattern, ...]:
        if table["contiguous"] is not True:
            raise self._read.error(
                f"contiguous is {shown(table['contiguous'])}; expected contiguous = true", place, "contiguous"
            )
        return (RowPattern(CONTIGUOUS, self._arc(table, place)),)

    def _arc(self, table: Mapping[str, Any], place: Place) -> ArcPattern:
        """The arc of rules about dependents, with what is said of their head."""
        arc = self._read.dependent(table["dependents"], (*place, "dependents"))
        return replace(arc, head=self._plain_head(table, place))

    def _plain_head(self, table: Mapping[str, Any], place: Place) -> Word | None:
        """A head of which only the word matters."""
        head = self._read.attached(table, "head", place)
        if head is not None and head.says_attachment:
            raise self._read.error(
                f"head says how the head is attached; with {self._verb(table, place)} expected the word alone",
                place,
                "head",
            )
        return head.dependent if head else None
