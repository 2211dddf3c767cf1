"""Rules that a linguist writes for trees, hard or with a penalty, in bundled files or in the user's own.

A rule is a linear constraint over labelled arcs. Riedel & Clarke 2006, *Incremental Integer Linear Programming for
Non-projective Dependency Parsing*, section 3, show how useful such rules are.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from wnparse.errors import RulesError
from wnparse.rules.descriptions import listed
from wnparse.rules.language import RuleReader
from wnparse.rules.patterns import Rule
from wnparse.rules.toml_text import RuleText
from wnparse.wording import readable, shown

BUNDLED = ("ud", "ud1", "riedel-clarke-2006")
FILE_KEYS = ("about", "include", "leave-out", "words", "rule")
MOST_RULES = 1000
MOST_PATTERNS = 5000  # of all rules
MOST_FEATURES = 64  # that all rules compare; each takes memory for each word
MOST_JSON = 4 << 20  # bytes of rules in a model file, where each rule contains its word lists
LONGEST_SOURCE = 4096  # characters of a bundled name, or of the path of a file


@dataclass(frozen=True)
class Rules:
    """Rules in the order of their file.

    Attributes
    ----------
    name : str
        A bundled name, or the path of a file.
    rules : tuple of Rule
        Each with `name`, `reason`, `penalty` (infinite if it is hard).

    Examples
    --------
    >>> [rule.name for rule in Rules.load("ud")][:2]
    ['0-is-not-root', 'root-is-not-0']
    """

    name: str
    rules: tuple[Rule, ...]

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.name, self.rules)  # without the cache of compiled programs

    def __repr__(self) -> str:
        return f"<Rules {self.name}: {len(self)}>"

    @classmethod
    def load(cls, source: str | os.PathLike[str]) -> Rules:
        """Read rules: a bundled name (`ud`, `ud1`, `riedel-clarke-2006`) or the path of a TOML file.

        Raises
        ------
        RulesError
            In one line, ``file:line: what is wrong, and what would be right``.
        FileNotFoundError
            If there is neither.
        """
        path = os.fspath(source)
        name = readable(path)
        if name in BUNDLED:
            return _load_bundled(name)
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError as error:
            error.strerror = f"no such rule file; bundled rules are {listed(BUNDLED)}"
            raise
        return cls.parse(data, name)

    @classmethod
    def parse(cls, data: bytes | str, name: str = "<rules>") -> Rules:
        """Read the text of a rule file; `name` is what messages call it."""
        text = RuleText.of(data.encode() if isinstance(data, str) else data, name)
        try:
            rules = cls(name, tuple(_read(text, text.parse())))
        except RecursionError:
            raise RulesError(
                "descriptions are nested too deeply; expected rules as in docs/guide/rules.md", name
            ) from None
        _check_size(rules.to_json()["rules"], name)
        return rules

    def to_json(self) -> dict[str, Any]:
        """Return the rules in types of JSON, as model files have them."""
        return {"name": self.name, "rules": [dict(rule.source) for rule in self.rules]}

    @classmethod
    def from_json(cls, data: Any) -> Rules:
        """Read what `to_json` returned, perhaps from an untrusted file; RulesError if it is something else."""
        if not isinstance(data, dict) or data.keys() != {"name", "rules"}:
            raise RulesError("expected an object with the keys name and rules")
        name, tables = data["name"], data["rules"]
        if not isinstance(name, str) or not name or len(name) > LONGEST_SOURCE:
            raise RulesError(f"the name {shown(name)}; expected a text of at most {LONGEST_SOURCE} characters")
        if not isinstance(tables, list) or not 0 < len(tables) <= MOST_RULES:
            raise RulesError(f"{shown(tables)} of rules; expected a list of at most {MOST_RULES}", name)
        _check_size(tables, name)
        reader = RuleReader(RuleText("", name), {})
        rules = tuple(reader.rule(table, ("rule", i)) for i, table in enumerate(tables))
        if len({rule.name for rule in rules}) < len(rules):
            raise RulesError("two rules have the same name; expected different names", name)
        _check_count(rules, name)
        return cls(name, rules)

    def keep(self, names: Collection[str]) -> Rules:
        """Return only the rules with these names, in their order."""
        return Rules(self.name, tuple(rule for rule in self.rules if rule.name in names))


@functools.cache
def _load_bundled(name: str) -> Rules:
    """Read bundled rules, once, because that takes milliseconds, and compiling them some more."""
    directory = resources.files("wnparse.rules").joinpath("bundled")
    return Rules.parse(directory.joinpath(f"{name}.toml").read_bytes(), name)


def as_rules(rules: Rules | str | os.PathLike[str] | None) -> Rules | None:
    """Return rules, loaded by `Rules.load` if a bundled name or a path is given; TypeError for anything else."""
    if rules is None or isinstance(rules, Rules):
        return rules
    if isinstance(rules, (str, os.PathLike)):
        return Rules.load(rules)
    raise TypeError(
        f"rules are {type(rules).__name__}; expected Rules, a bundled name, the path of a rule file, or None"
    )


def _read(text: RuleText, document: Mapping[str, Any]) -> list[Rule]:
    """Read the rules of a file: those it includes, without those it leaves out, and its own."""
    reader = RuleReader(text, document.get("words", {}))
    reader.check_keys(document, FILE_KEYS, (), "the file")
    about = document.get("about", "")
    if not isinstance(about, str):
        raise text.error(f"about is {shown(about)}; expected a text in quotes", "about")
    rules = _included(text, document, reader)
    tables = document.get("rule", [])
    if not isinstance(tables, list):
        raise text.error("[rule] is one table; expected [[rule]] above each rule, in double brackets", "rule")
    if len(tables) > MOST_RULES:
        raise text.error(f"{len(tables)} rules; expected at most {MOST_RULES}", "rule", MOST_RULES)
    names = {rule.name for rule in rules}
    for number, table in enumerate(tables):
        rule = reader.rule(table, ("rule", number))
        if rule.name in names:
            raise text.error(
                f"a second rule '{rule.name}'; expected another name, or leave-out for one that is included",
                "rule",
                number,
                "name",
            )
        names.add(rule.name)
        rules.append(rule)
    if not rules:
        raise RulesError("no rules; expected [[rule]], and a rule below it", text.path)
    _check_count(rules, text.path)
    return rules


def _check_count(rules: Collection[Rule], path: str) -> None:
    """Refuse rules that forbid thousands of things one by one, or compare too many features."""
    count = sum(len(rule.patterns) for rule in rules)
    if count > MOST_PATTERNS:
        raise RulesError(f"rules with {count:,} parts; expected at most {MOST_PATTERNS:,}", path)
    features = {feature for rule in rules for pattern in rule.patterns for feature in pattern.features}
    if len(features) > MOST_FEATURES:
        raise RulesError(f"rules that compare {len(features)} features; expected at most {MOST_FEATURES}", path)


def _check_size(tables: Collection[Mapping[str, Any]], path: str) -> None:
    """Refuse rules that are too large for a model file."""
    size = len(json.dumps(tables))
    if size > MOST_JSON:
        raise RulesError(f"rules of {size:,} bytes with their word lists; expected at most {MOST_JSON:,}", path)


def _included(text: RuleText, document: Mapping[str, Any], reader: RuleReader) -> list[Rule]:
    """Return the rules of bundled files that a file includes."""
    rules: dict[str, Rule] = {}
    for name in reader.strings_at(document, "include"):
        if name not in BUNDLED:
            raise text.error(f"include is {shown(name)}; expected {listed(BUNDLED)}", "include")
        for rule in Rules.load(name):
            rules.setdefault(rule.name, rule)
    left_out = reader.strings_at(document, "leave-out")
    for name in left_out:
        reader.check_rule_name(name, rules.keys(), "leave-out")
    return [rule for name, rule in rules.items() if name not in left_out]
