"""The language of rule files: from the table of a rule to its patterns.

A rule has a name, a reason, perhaps a penalty or the key `always`, and one of the verbs of `VERBS`.
docs/guide/rules.md teaches the language by examples, and docs/reference/rule-language.md defines it.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from wnparse.errors import RulesError
from wnparse.rules.conditions import NO_FEATURES, NO_RELATION, WORD_COLUMNS, Word
from wnparse.rules.descriptions import LONGEST_NAME, NOTHING, DescriptionReader, KeyPath, listed
from wnparse.rules.patterns import (
    BETWEEN,
    CONTIGUOUS,
    CROSSINGS,
    DIFFERENT,
    FORBID,
    LARGEST_PENALTY,
    LEAST,
    MISSING,
    MOST,
    PARENT,
    PROJECTIVE,
    SAME,
    SIBLINGS,
    Agreement,
    ArcPattern,
    ConstraintPattern,
    Rule,
)
from wnparse.wording import shown

COMMON = ("name", "reason", "penalty", "always")
# The keys that go with each verb, in addition to those of all rules.
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
    "same": ("dependents", "head", "missing"),
    "different": ("dependents", "head", "missing"),
}
FEATURE_NAME = re.compile(r"[^\s=|,]+")  # Number, or with a layer: Number[psor]
EXEMPT, BROKEN = "exempt", "broken"  # values of missing: words without the feature
KEYS = tuple(dict.fromkeys([*COMMON, *VERBS, *(key for keys in VERBS.values() for key in keys)]))


class RuleReader(DescriptionReader):
    """Reads the rules of a file."""

    def check_rule_name(self, name: str, known: Collection[str], key: str) -> None:
        """Refuse the name of a rule that does not exist."""
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.6)
            right = f"did you mean {shown(near[0])}?" if near else "expected the name of an included rule"
            raise self.error(f"{key} has {shown(name)}, but no rule has this name; {right}", (key,))

    def rule(self, value: object, place: KeyPath) -> Rule:
        """Read a rule from its table; RulesError has the line of what is wrong."""
        table = self.text.check_table(value, *place)
        self.check_keys(table, KEYS, place, "a rule")
        name = self._name(table, place)
        try:
            spelled = self.spell(table, place)
            patterns = self._patterns(spelled, place)
            penalty = self._penalty(spelled, place)
            always = self._always(spelled, place)
            reason = spelled.get("reason")
            if not isinstance(reason, str) or not reason.strip():
                raise self.error(
                    'no reason; expected a line such as reason = "a predicate has one subject"', place, "reason"
                )
        except RulesError as error:
            raise RulesError(f"rule '{name}': {error.message}", error.path, error.line) from None
        return Rule(name, " ".join(reason.split()), penalty, patterns, spelled, always)

    def _name(self, table: Mapping[str, Any], place: KeyPath) -> str:
        name = table.get("name")
        valid = isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable() and " " not in name
        if not valid:
            had = f"the name {shown(name)}" if "name" in table else "a rule without a name"
            raise self.error(f'{had}; expected one word such as name = "too-many-subjects"', place, "name")
        return str(name)

    def _penalty(self, table: Mapping[str, Any], place: KeyPath) -> float:
        if "penalty" not in table:
            return math.inf
        value = table["penalty"]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LARGEST_PENALTY:
            most = f"{LARGEST_PENALTY:,.0f}"
            raise self.error(
                f"penalty is {shown(value)}; expected a number above 0, {most} at most, or none for a hard rule",
                place,
                "penalty",
            )
        return float(value)

    def _always(self, table: Mapping[str, Any], place: KeyPath) -> bool:
        value = table.get("always", False)
        if not isinstance(value, bool):
            raise self.error(f"always is {shown(value)}; expected true or false", place, "always")
        if value and "penalty" in table:
            raise self.error(
                "always = true in a rule with a penalty; expected it in hard rules only", place, "always"
            )
        return value

    def _verb(self, table: Mapping[str, Any], place: KeyPath) -> str:
        """Return the verb of a rule; RulesError if it has several, or keys that do not go with it."""
        verbs = [key for key in VERBS if key in table]
        if not verbs:
            raise self.error(f"nothing is required or forbidden; expected one of {listed(list(VERBS))}", place)
        if len(verbs) > 1:
            raise self.error(
                f"has both {verbs[0]} and {verbs[1]}; expected one of them, and a second rule for the other",
                place,
                verbs[1],
            )
        verb = verbs[0]
        for key in table:
            if key not in COMMON and key != verb and key not in VERBS[verb]:
                raise self.error(f"{key} cannot be used with {verb}; expected {listed(VERBS[verb])}", place, key)
        if "dependents" in VERBS[verb] and "dependents" not in table:
            raise self.error(f"{verb} without dependents; expected dependents = {{ ... }}", place, verb)
        return verb

    def _patterns(self, table: Mapping[str, Any], place: KeyPath) -> tuple[ConstraintPattern, ...]:
        verb = self._verb(table, place)
        if verb == "forbid":
            return self._forbid(table, place)
        if verb in ("at-most", "at-least", "exactly"):
            return self._count(verb, table, place)
        if verb == "siblings":
            return (self._siblings(table, place),)
        kind, other, crossing, agreement = CONTIGUOUS, None, 0, None
        if verb == "must-be-under":
            kind, other = PARENT, self.attached(table, verb, place)
        elif verb == "only-between":
            kind, other = BETWEEN, ArcPattern(relations=NO_RELATION)
            if table[verb] != NOTHING:
                other = self.dependent(table[verb], (*place, verb))
        elif verb == "no-crossing":
            crossing = self._crossing(table[verb], (*place, verb))
            kind, other = PROJECTIVE, self.attached(table, "crossed-by", place)
        elif verb in ("same", "different"):
            kind, agreement = FORBID, self._agreement(verb, table, place)
        elif table[verb] is not True:
            raise self.error(f"{verb} is {shown(table[verb])}; expected {verb} = true", place, verb)
        arc = self.dependent(table["dependents"], (*place, "dependents"))
        arc = replace(arc, head=self._plain_head(verb, table, place), agreement=agreement)
        between = self.word_at(table, "between", place)
        return (ConstraintPattern(kind, arc, other, between=between, crossing=crossing),)

    def _forbid(self, table: Mapping[str, Any], place: KeyPath) -> tuple[ConstraintPattern, ...]:
        value = table["forbid"]
        arcs = value if isinstance(value, list) else [value]
        if not arcs:
            raise self.error(
                "forbid is an empty list; expected a description of what is forbidden", place, "forbid"
            )
        head = self.attached(table, "head", place)
        patterns = []
        for description in arcs:
            arc = self.dependent(description, (*place, "forbid"))
            if head is not None and head.says_attachment:
                pattern = ConstraintPattern(MOST, arc, replace(head, dependent=None), node=head.dependent)
            else:
                pattern = ConstraintPattern(FORBID, replace(arc, head=head.dependent if head else None))
            patterns.append(pattern)
        return tuple(patterns)

    def _count(self, verb: str, table: Mapping[str, Any], place: KeyPath) -> tuple[ConstraintPattern, ...]:
        limit = self.number(table[verb], 0, (*place, verb))
        arc = self.dependent(table["dependents"], (*place, "dependents"))
        head = self.attached(table, "head", place)
        if limit == 0 and verb == "at-least":
            raise self.error("at-least = 0 is always satisfied; expected 1 or more", place, verb)
        if limit == 0 and head is None:
            raise self.error(
                f"{verb} = 0 without a head; expected forbid = {{ ... }}, which means the same", place, verb
            )
        other = replace(head, dependent=None) if head and head.says_attachment else None
        node = head.dependent if head else None
        kinds = {"at-most": (MOST,), "at-least": (LEAST,), "exactly": (MOST, LEAST) if limit else (MOST,)}[verb]
        return tuple(ConstraintPattern(kind, arc, other, node, limit) for kind in kinds)

    def _siblings(self, table: Mapping[str, Any], place: KeyPath) -> ConstraintPattern:
        arc = self.dependent(table["siblings"], (*place, "siblings"))
        other = self.dependent(table["and"], (*place, "and")) if "and" in table else None
        between = self.word_at(table, "need-between", place)
        classes: list[Word] = []
        if "need-alike" in table:
            value = table["need-alike"]
            if not isinstance(value, list) or not value:
                raise self.error(
                    f'need-alike is {shown(value)}; expected a list of words, such as [{{ upos = "NOUN" }}]',
                    place,
                    "need-alike",
                )
            classes = [self.word(description, (*place, "need-alike")) for description in value]
        node = self._plain_head("siblings", table, place)
        return ConstraintPattern(SIBLINGS, arc, other, node, between=between, classes=tuple(classes))

    def _crossing(self, value: object, place: KeyPath) -> int:
        crossing = 0
        for name in self.strings(value, place):
            if name not in CROSSINGS:
                raise self.error(f"no-crossing is {shown(name)}; expected {listed(list(CROSSINGS))}", place)
            crossing |= CROSSINGS[name]
        return crossing

    def _agreement(self, verb: str, table: Mapping[str, Any], place: KeyPath) -> Agreement:
        """Read which feature is compared, and how its values compare where the rule is broken."""
        feature = table[verb]
        named = isinstance(feature, str) and FEATURE_NAME.fullmatch(feature)
        if not named or feature in (NO_FEATURES, *WORD_COLUMNS):
            raise self.error(
                f'{verb} is {shown(feature)}; expected the name of one feature of FEATS, such as "Number"',
                place,
                verb,
            )
        missing = table.get("missing", EXEMPT)
        if missing not in (EXEMPT, BROKEN):
            raise self.error(f'missing is {shown(missing)}; expected "{EXEMPT}" or "{BROKEN}"', place, "missing")
        broken = DIFFERENT if verb == "same" else SAME
        return Agreement(feature, broken | MISSING if missing == BROKEN else broken)

    def _plain_head(self, verb: str, table: Mapping[str, Any], place: KeyPath) -> Word | None:
        """Return the condition on the head, for verbs that do not support a description of its attachment."""
        head = self.attached(table, "head", place)
        if head is not None and head.says_attachment:
            raise self.error(
                f"head describes how the head is attached; expected only the word itself with {verb}",
                place,
                "head",
            )
        return head.dependent if head else None
