"""Rules by their definitions: a rule file read again without the library, and trees looked at pair by pair.

Words are dictionaries of columns; word 0 is the root node, with no columns at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Word = dict[str, str]
Tree = list[int]


def read_rules(text: str) -> list[dict[str, Any]]:
    """The rules of a file without includes, with named words put in."""
    document = tomllib.loads(text)
    words = document.get("words", {})

    def fill(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            filled = {name: fill(item, name) for name, item in value.items() if name != "is"}
            if "is" in value:
                names = [value["is"]] if isinstance(value["is"], str) else value["is"]
                filled["any"] = [fill(words[name]) for name in names]
            return filled
        if isinstance(value, list):
            return [fill(item, key) for item in value]
        named = (
            "head",
            "dependents",
            "siblings",
            "and",
            "need-between",
            "between",
            "need-alike",
            "parent",
            "forbid",
        )
        return fill(words[value]) if key in named and isinstance(value, str) else value

    return [fill(rule) for rule in document["rule"]]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _feature(feats: str, wanted: str) -> bool:
    if feats == "_" or wanted == "_":
        return feats == wanted
    held = dict(feature.split("=", 1) for feature in feats.split("|"))
    for feature in wanted.split("|"):
        name, _, value = feature.partition("=")
        if name not in held:
            return False
        if value and value not in [held[name], *held[name].split(",")]:
            return False
    return True


def _values_of(word: Word, rule: dict[str, Any]) -> set[str]:
    """The values that a word has of the feature that a rule of agreement is about."""
    name = rule.get("same") or rule["different"]
    features = [feature.split("=", 1) for feature in word.get("feats", "_").split("|") if "=" in feature]
    return {part for held, values in features if held == name for part in values.split(",")}


def _value(word: Word, column: str, way: str, wanted: str) -> bool:
    value = word[column]
    if column == "feats":
        return _feature(value, wanted)
    if way == "matches":
        return re.fullmatch(wanted, value) is not None
    if column in ("form", "lemma"):
        value, wanted = value.casefold(), wanted.casefold()
    return {"": value == wanted, "begins": value.startswith(wanted), "ends": value.endswith(wanted)}[way]


def is_word(condition: dict[str, Any], words: list[Word], i: int) -> bool:
    """Return whether a node is the word that a table describes, how it is attached aside."""
    for key, wanted in condition.items():
        if key in ("relation", "not-relation", "side", "min-distance", "max-distance", "parent"):
            continue
        if key == "root":
            if wanted != (i == 0):
                return False
        elif key == "any":
            if not any(is_word(pattern, words, i) for pattern in wanted):
                return False
        elif i == 0:
            return False
        elif key.endswith("ext-upos"):
            held = dict(f.split("=", 1) for f in words[i]["feats"].split("|") if "=" in f)
            if (held.get("ExtPos", words[i]["upos"]) in _as_list(wanted)) == key.startswith("not-"):
                return False
        else:
            column, _, way = key.removeprefix("not-").partition("-")
            matches = any(_value(words[i], column, way, text) for text in _as_list(wanted))
            if matches == key.startswith("not-"):
                return False
    return True


def _related(label: str, name: str) -> bool:
    if name.endswith(":"):
        return label == name[:-1]
    return name == "*" or label.split(":")[: name.count(":") + 1] == name.split(":")


def is_arc(table: dict[str, Any], words: list[Word], heads: Tree, labels: list[str], m: int) -> bool:
    """Return whether the arc to m matches a table: the word m, its relation, its position, and its parent."""
    if m == 0 or not is_word(table, words, m):
        return False
    h = heads[m]
    if "relation" in table and not any(_related(labels[m], name) for name in _as_list(table["relation"])):
        return False
    if "not-relation" in table and any(_related(labels[m], name) for name in _as_list(table["not-relation"])):
        return False
    if "side" in table and table["side"] != ("left" if m < h else "right"):
        return False
    if not table.get("min-distance", 1) <= abs(h - m) <= table.get("max-distance", len(heads)):
        return False
    return "parent" not in table or is_word(table["parent"], words, h)


def _says_attachment(table: dict[str, Any]) -> bool:
    return bool(table.keys() & {"relation", "not-relation", "side", "min-distance", "max-distance", "parent"})


def violations(rule: dict[str, Any], words: list[Word], heads: Sequence[int], labels: Sequence[str]) -> int:
    """Return how many units of violation a tree has of a rule; all three with n + 1 places."""
    return sum(_units(rule, words, list(heads), list(labels)))


def _units(rule: dict[str, Any], words: list[Word], heads: Tree, labels: list[str]) -> Iterator[int]:
    nodes = range(len(heads))

    def arc(table: dict[str, Any], m: int) -> bool:
        return is_arc(table, words, heads, labels, m)

    def children(h: int) -> list[int]:
        return [m for m in nodes if m and heads[m] == h]

    head = rule.get("head", {})

    def is_head(h: int) -> bool:
        return is_word(head, words, h) and (not _says_attachment(head) or arc(head, h))

    if "forbid" in rule:
        for table in _as_list(rule["forbid"]):
            yield sum(arc(table, m) and is_head(heads[m]) for m in nodes)
        return
    for verb in ("at-most", "at-least", "exactly"):
        if verb in rule:
            for h in nodes:
                count = sum(arc(rule["dependents"], m) for m in children(h))
                # The root node matches only by name.
                if is_head(h) and (verb == "at-most" or h > 0 or "head" in rule):
                    over, under = max(0, count - rule[verb]), max(0, rule[verb] - count)
                    yield {"at-most": over, "at-least": under, "exactly": over + under}[verb]
                elif verb == "exactly" and is_head(h):
                    yield max(0, count - rule[verb])
    if "siblings" in rule:
        first, second = rule["siblings"], rule.get("and", rule["siblings"])
        for h in nodes:
            for a, b in combinations(children(h), 2):
                if is_head(h) and ((arc(first, a) and arc(second, b)) or (arc(second, a) and arc(first, b))):
                    yield not _may_stand(rule, words, a, b)
    if "dependents" not in rule:
        return
    for m in nodes:
        h = heads[m]
        if m == 0 or not arc(rule["dependents"], m) or not is_head(h):
            continue
        low, high = min(h, m), max(h, m)
        if "must-be-under" in rule:
            yield not arc(rule["must-be-under"], h)
        if "only-between" in rule:
            for j in range(low + 1, high):
                if is_word(rule.get("between", {}), words, j):
                    allowed = rule["only-between"]
                    yield allowed == "nothing" or heads[j] != h or not arc(allowed, j)
        if "no-crossing" in rule:
            for j in nodes:
                if j and arc(rule.get("crossed-by", {}), j):
                    yield _crosses(h, m, heads[j], j, _as_list(rule["no-crossing"]))
        if "same" in rule or "different" in rule:
            first, second = (_values_of(words[node], rule) for node in (h, m))
            if h > 0 and first and second:
                yield bool(first & second) == ("different" in rule)
            elif h > 0:
                yield rule.get("missing") == "broken"
        if "contiguous" in rule:
            below = {j for j in nodes if m in _way_up(heads, j)}
            yield max(below) - min(below) + 1 != len(below)


def occasions(
    rule: dict[str, Any], words: list[Word], heads: Sequence[int], labels: Sequence[str]
) -> set[tuple[int, ...]]:
    """The places where a tree could break a rule: (head, dependent), or (head,)."""
    tree, names = list(heads), list(labels)
    nodes, head = range(len(tree)), rule.get("head", {})

    def arcs(table: dict[str, Any]) -> list[int]:
        return [m for m in nodes if is_arc(table, words, tree, names, m)]

    heads_of_kind = {h for h in nodes if is_word(head, words, h)}
    if _says_attachment(head):
        heads_of_kind &= set(arcs(head))
    if "forbid" in rule:
        if _says_attachment(head):
            return {(h,) for h in heads_of_kind}
        places = set()
        for table in _as_list(rule["forbid"]):
            relations = {key: table[key] for key in table if key in ("relation", "not-relation")}
            rest = {key: table[key] for key in table if key not in relations}
            if "relation" in table:
                places |= {(tree[m], m) for m in arcs(relations)}
            else:
                places |= {(tree[m], m) for m in arcs(rest) if tree[m] in heads_of_kind}
        return places
    if "siblings" in rule:
        either = {*arcs(rule["siblings"]), *arcs(rule.get("and", rule["siblings"]))}
        return {(tree[m],) for m in either if tree[m] in heads_of_kind}
    dependents = [m for m in arcs(rule["dependents"]) if tree[m] in heads_of_kind]
    if 0 in (rule.get("at-most"), rule.get("exactly")):
        return {(h,) for h in heads_of_kind}
    if "at-most" in rule:
        return {(tree[m],) for m in dependents}
    if "at-least" in rule:
        return {(h,) for h in heads_of_kind if h > 0 or head}
    if "exactly" in rule:  # the root node may have too many of them, though it need not have any
        too_many = sum(tree[m] == 0 for m in dependents) > rule["exactly"]
        return {(h,) for h in heads_of_kind if h > 0 or head or too_many}
    if ("same" in rule or "different" in rule) and rule.get("missing") != "broken":
        dependents = [m for m in dependents if _values_of(words[m], rule) and _values_of(words[tree[m]], rule)]
    elif "same" in rule or "different" in rule:
        dependents = [m for m in dependents if tree[m] > 0]
    return {(tree[m], m) for m in dependents}


def _may_stand(rule: dict[str, Any], words: list[Word], a: int, b: int) -> bool:
    if "need-between" in rule and any(is_word(rule["need-between"], words, j) for j in range(a + 1, b)):
        return True
    return any(is_word(pattern, words, a) and is_word(pattern, words, b) for pattern in rule.get("need-alike", []))


def _crosses(h: int, m: int, i: int, j: int, kinds: list[str]) -> bool:
    def inside(x: int, a: int, b: int) -> bool:
        return min(a, b) < x < max(a, b)

    if {h, m} & {i, j} or inside(i, h, m) == inside(j, h, m):
        return False
    holds = {
        "any": True,
        "into": inside(j, h, m),
        "out-of": inside(i, h, m),
        "over-dependent": inside(m, i, j),
        "over-head": inside(h, i, j),
    }
    return any(holds[kind] for kind in kinds)


def _way_up(heads: Tree, j: int) -> list[int]:
    way = []
    while j >= 0:
        way.append(j)
        j = heads[j]
    return way
