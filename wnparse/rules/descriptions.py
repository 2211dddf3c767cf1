"""Descriptions in rule files: flat tables of conditions on a word and its attachment.

``{ upos = "VERB", relation = "conj", side = "right" }`` is a verb that is attached as conj to a word on its left.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from wnparse.errors import RulesError
from wnparse.rules.conditions import (
    FOLDED,
    MOST_ATTEMPTS_OF_FILE,
    WORD_COLUMNS,
    ColumnTest,
    Condition,
    Relations,
    Word,
    count_attempts,
    fault_of_pattern,
)
from wnparse.rules.patterns import ANY_SIDE, LEFT, RIGHT, ArcPattern
from wnparse.rules.toml_text import RuleText
from wnparse.wording import shown

LARGEST = 10_000  # limits and distances
LONGEST_NAME = 100  # of a rule or a word
MOST_LISTED = 20  # names in a message
MOST_ALTERNATIVES = 64  # alternative conditions of a description
MOST_CONDITIONS = 20_000  # of all descriptions together
WORD_KEYS = tuple(
    f"{negation}{column}{comparison}"
    for column in WORD_COLUMNS
    for comparison in (("",) if column == "feats" else ("", "-begins", "-ends", "-matches"))
    for negation in ("", "not-")
)
WORD_KEYS += ("ext-upos", "not-ext-upos")
ATTACHMENT_KEYS = ("relation", "not-relation", "deprel", "not-deprel", "side", "min-distance", "max-distance")
# Keys whose values are descriptions, or lists of them.
DESCRIPTIONS = frozenset(
    {
        *("head", "dependents", "forbid", "siblings", "and", "must-be-under", "only-between", "crossed-by"),
        *("between", "need-between", "need-alike", "parent", "any"),
    }
)
SPECIAL_KEYS = frozenset({"any", "root", "ext-upos", "not-ext-upos"})  # that are not a test of one column
NOTHING = "nothing"  # as the value of only-between
KeyPath = tuple[str | int, ...]


class DescriptionReader:
    """Reads descriptions of words, some of which may have names in the file.

    Parameters
    ----------
    text : RuleText
        The file, for the lines of errors.
    words : object
        The table of named words.
    """

    def __init__(self, text: RuleText, words: object) -> None:
        self.text = text
        self._words: dict[str, Mapping[str, Any]] = {}
        self._conditions = self._attempts = 0  # so far
        for name, table in text.check_table(words, "words").items():
            if len(name) > LONGEST_NAME:
                raise text.error(
                    f"a word with the name {shown(name)}; expected at most {LONGEST_NAME} characters", "words"
                )
            place = ("words", name)
            self._words[name] = self.spell(text.check_table(table, *place), place)
            self.word(self._words[name], place, root=True)

    def error(self, message: str, place: KeyPath, *keys: str | int) -> RulesError:
        """Make an error at a key of a place."""
        return self.text.error(message, *place, *keys)

    def check_keys(self, table: Mapping[str, Any], known: Iterable[str], place: KeyPath, where: str) -> None:
        """Refuse a key that is not known, and suggest the nearest one."""
        known = list(known)
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key.lower(), known, 1, 0.6)
                right = f"did you mean {near[0]}?" if near else f"expected {listed_keys(known)}"
                if "forbid" in known and key in (*WORD_KEYS, *ATTACHMENT_KEYS):
                    right = f"expected it in a description, such as dependents = {{ {key} = ... }}"
                elif "upos" in known and key in ATTACHMENT_KEYS:
                    right = "expected the word alone, without its attachment"
                if key == "root":
                    right = "only head and parent can be the root node"
                    right += "; expected parent = { root = true } for a word below it" if "parent" in known else ""
                raise self.error(f"unknown key {shown(key)} in {where}; {right}", place, key)

    def dependent(self, value: object, place: KeyPath) -> ArcPattern:
        """Read a dependent: a word, and how it is attached to its head."""
        return self._attachment(value, place, (*WORD_KEYS, "any", *ATTACHMENT_KEYS), root=False)

    def attached(self, table: Mapping[str, Any], key: str, place: KeyPath) -> ArcPattern | None:
        """Read a head, or any arc: a word, how it is attached to its own head, and what that is (`parent`)."""
        if key not in table:
            return None
        root = key == "head"  # the root node is not attached to anything
        keys = (*WORD_KEYS, "any", *(("root",) if root else ()), *ATTACHMENT_KEYS, "parent")
        return self._attachment(table[key], (*place, key), keys, root=root)

    def _attachment(self, value: object, place: KeyPath, keys: tuple[str, ...], *, root: bool) -> ArcPattern:
        table = self.text.check_table(value, *place)
        self.check_keys(table, keys, place, str(place[-1]))
        if not table:
            raise self.error(f'{place[-1]} is empty; expected something such as {{ relation = "nsubj" }}', place)
        own = {key: table[key] for key in table if key not in ATTACHMENT_KEYS and key != "parent"}
        word = self.word(own, place, root=root) if own else None
        if word is not None and word.at_root and len(table) > len(own):
            raise self.error(
                "root = true with other keys; the root node has neither relation nor head", place, "root"
            )
        side = table.get("side")
        if "side" in table and side not in ("left", "right"):
            raise self.error(
                f'side is {shown(side)}; expected "left" or "right" (the position relative to the head)',
                place,
                "side",
            )
        least, most = (
            self.number(table[key], 1, (*place, key)) if key in table else 0
            for key in ("min-distance", "max-distance")
        )
        if most and least > most:
            raise self.error(
                f"min-distance {least} is larger than max-distance {most}; expected at most {most}",
                place,
                "min-distance",
            )
        parent = self.word_at(table, "parent", place)
        sides = {None: ANY_SIDE, "right": RIGHT, "left": LEFT}
        return ArcPattern(parent, word, sides[side], least, most, self._relations(table, place))

    def _relations(self, table: Mapping[str, Any], place: KeyPath) -> Relations | None:
        included, excluded = (self._relation_names(table, key, place) for key in ("relation", "not-relation"))
        return Relations(included or None, excluded) if included or excluded else None

    def _relation_names(self, table: Mapping[str, Any], key: str, place: KeyPath) -> tuple[str, ...]:
        """Read the relations under a key, or under the other name of this key."""
        other = key.replace("relation", "deprel")
        if key in table and other in table:
            raise self.error(
                f"has both {key} and {other}, which mean the same; expected one of them", place, other
            )
        return self.strings_at(table, other if other in table else key, place)

    def word_at(self, table: Mapping[str, Any], key: str, place: KeyPath) -> Word | None:
        """Read the condition on a token under a key; None without the key."""
        return self.word(table[key], (*place, key), root=key == "parent") if key in table else None

    def word(self, value: object, place: KeyPath, *, root: bool = False) -> Word:
        """Read a condition on a token."""
        table = self.text.check_table(value, *place)
        self.check_keys(table, (*WORD_KEYS, "any", *(("root",) if root else ())), place, str(place[-1]))
        if not table:
            raise self.error(f'{place[-1]} is empty; expected something such as {{ upos = "NOUN" }}', place)
        return Word(tuple(self._alternatives(table, place, root=root)))

    def _alternatives(self, table: Mapping[str, Any], place: KeyPath, *, root: bool) -> list[Condition]:
        tests = tuple(sorted(self._test(key, table[key], place) for key in table if key not in SPECIAL_KEYS))
        is_root = table.get("root", False)
        if not isinstance(is_root, bool):
            raise self.error(f"root is {shown(is_root)}; expected true or false", place, "root")
        conditions = [Condition(tests, is_root)]
        for key in ("ext-upos", "not-ext-upos"):
            if key in table:
                external = _external_tags(self.strings_at(table, key, place), negated=key != "ext-upos")
                conditions = [outer.joined(inner) for outer in conditions for inner in external]
        if "any" in table:
            value = table["any"]
            if not isinstance(value, list) or not value:
                raise self.error(
                    f"any is {shown(value)}; expected a list of tables, one of which must match", place, "any"
                )
            words = [self.word(description, (*place, "any"), root=root) for description in value]
            any_of = [condition for word in words for condition in word.alternatives]
            conditions = [outer.joined(inner) for outer in conditions for inner in any_of]
        if len(conditions) > MOST_ALTERNATIVES:
            raise self.error(
                f"any results in {len(conditions)} conditions; expected at most {MOST_ALTERNATIVES}", place, "any"
            )
        self._conditions += len(conditions)
        if self._conditions > MOST_CONDITIONS:
            raise self.error(
                f"the rules have more than {MOST_CONDITIONS} conditions; expected fewer or shorter rules",
                place,
            )
        if not all(condition.possible for condition in conditions):
            raise self.error("root = true with other keys; the root node has no columns", place, "root")
        return conditions

    def _test(self, key: str, value: object, place: KeyPath) -> ColumnTest:
        """Read a test of one column: upos, not-upos, form-ends, ..."""
        negated = key.startswith("not-")
        column, _, comparison = key.removeprefix("not-").partition("-")
        values = self.strings(value, (*place, key))
        if comparison == "matches":
            for pattern in values:
                if fault := fault_of_pattern(pattern):
                    raise self.error(f"the regular expression {shown(pattern)} {fault}", place, key)
                self._attempts += count_attempts(pattern) or 0
            if self._attempts > MOST_ATTEMPTS_OF_FILE:
                raise self.error(
                    "the regular expressions of the file together could take too long; expected fewer or simpler",
                    place,
                    key,
                )
        elif column in FOLDED:
            values = tuple(text.casefold() for text in values)
        return ColumnTest(column, comparison or "is", values, negated)

    def strings(self, value: object, place: KeyPath) -> tuple[str, ...]:
        """Read one text or a list of texts."""
        values = value if isinstance(value, list) else [value]
        for text in values:
            if not isinstance(text, str) or not text:
                wrong = "an empty text" if text == "" else shown(text)
                raise self.error(
                    f'{place[-1]} has {wrong}; expected a text in quotes, or a list such as ["a", "b"]', place
                )
        if not values:
            raise self.error(f"{place[-1]} is an empty list; expected at least one text in quotes", place)
        return tuple(dict.fromkeys(values))

    def strings_at(self, table: Mapping[str, Any], key: str, place: KeyPath = ()) -> tuple[str, ...]:
        """Read the texts under a key; none without the key."""
        return self.strings(table[key], (*place, key)) if key in table else ()

    def number(self, value: object, least: int, place: KeyPath) -> int:
        """Read a whole number."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LARGEST:
            raise self.error(
                f"{place[-1]} is {shown(value)}; expected a whole number from {least} to {LARGEST}", place
            )
        return value

    def spell(self, value: object, place: KeyPath) -> Any:
        """Replace the names of words by their descriptions, so that a rule does not depend on its file."""
        if isinstance(value, list):
            return [self.spell(item, place) for item in value]
        if not isinstance(value, dict):
            return value
        spelled = {
            key: self._spell_description(item, (*place, key)) if key in DESCRIPTIONS else item
            for key, item in value.items()
            if key != "is"
        }
        if "is" in value:
            if "any" in value:
                raise self.error("has both is and any; expected one of them", place, "is")
            names = self.strings(value["is"], (*place, "is"))
            spelled["any"] = [self._named(name, (*place, "is")) for name in names]
        return spelled

    def _spell_description(self, value: object, place: KeyPath) -> Any:
        """Spell a description, or a list of them; a text is the name of a word."""
        if isinstance(value, list):
            return [self._spell_description(item, place) for item in value]
        if isinstance(value, str) and not (place[-1] == "only-between" and value == NOTHING):
            return self._named(value, place)
        return self.spell(value, place)

    def _named(self, name: str, place: KeyPath) -> dict[str, Any]:
        """Return the description of a word that has a name."""
        if name in self._words:
            return dict(self._words[name])
        near = difflib.get_close_matches(name, self._words, 1, 0.6)
        if near:
            right = f"did you mean {shown(near[0])}?"
        elif self._words:
            names = list(self._words)
            more = ["..."] if len(names) > MOST_LISTED else []
            right = f"it defines {listed([*names[:MOST_LISTED], *more])}"
        else:
            right = "expected a table, or the name of a word in [words]"
        raise self.error(f"{place[-1]} is {shown(name)}, but the file does not define this word; {right}", place)


def _external_tags(tags: tuple[str, ...], negated: bool) -> tuple[Condition, Condition]:
    """Test the tag of a whole expression: ExtPos if the word that heads it has this feature, else UPOS."""
    has = ColumnTest("feats", "is", ("ExtPos",), False)
    lacks = ColumnTest("feats", "is", ("ExtPos",), True)
    external = ColumnTest("feats", "is", tuple(f"ExtPos={tag}" for tag in tags), negated)
    upos = ColumnTest("upos", "is", tags, negated)
    return Condition((upos, lacks)), Condition((has, external) if negated else (external,))


def listed(names: Iterable[str]) -> str:
    """Join names as ``a, b or c``."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def listed_keys(known: Iterable[str]) -> str:
    """Join keys as ``a, b or c``, with the many keys of a word summarised and without the second names of keys."""
    keys = list(known)
    if set(WORD_KEYS) <= set(keys):
        variants = "not-form, form-begins, form-ends, form-matches"
        summary = f"form, lemma, upos, xpos, feats, ext-upos (and {variants}, ...)"
        keys = [summary, "is", *(key for key in keys if key not in WORD_KEYS and "deprel" not in key)]
    return listed(keys)
