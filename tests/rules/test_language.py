"""The language of rule files: reading, errors, and storage as JSON."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections import Counter
from pathlib import Path

import pytest

import wnparse
from campaigns.file_checks import check_rules
from campaigns.files import make_mutant, seed_texts
from support.rule_cases import EVERYTHING
from wnparse.errors import RulesError
from wnparse.rules import BUNDLED, Rules
from wnparse.rules.conditions import LONGEST_VALUE, ColumnTest, Relations, fault_of_pattern
from wnparse.rules.language import VERBS
from wnparse.rules.patterns import DIFFERENT, MISSING, SAME, Agreement

GOOD = '[[rule]]\nname = "r"\nreason = "so it is"\n'


def test_reads_bundled_rules() -> None:
    for name in BUNDLED:
        rules = Rules.load(name)
        assert len(rules) > 20
        assert rules.name == name
        assert all(rule.reason.endswith(".") and rule.hard for rule in rules)
    assert repr(wnparse.Rules.load("ud")) == "<Rules ud: 40>"


def test_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD + 'penalty = 2\nat-most = 1\ndependents = { relation = "obj" }\n')
    (rule,) = Rules.load(tmp_path / "mine.toml")
    assert (rule.name, rule.reason, rule.penalty, rule.hard) == ("r", "so it is", 2.0, False)
    with pytest.raises(FileNotFoundError, match="ud, ud1 or riedel-clarke-2006"):
        Rules.load(tmp_path / "other.toml")


def test_rules_survive_json() -> None:
    for rules in [Rules.parse(EVERYTHING, "e"), *map(Rules.load, BUNDLED)]:
        text = json.dumps(rules.to_json(), sort_keys=True)
        again = Rules.from_json(json.loads(text))
        assert again == rules
        assert json.dumps(again.to_json(), sort_keys=True) == text


FORBIDDEN = '{ relation = "obj" }'
SLOW = '{ form-matches = "a*a*a*b" }'
ANY = "{ any = [" + ", ".join(f'{{ form = "{k}" }}' for k in range(60)) + "] }"


@pytest.mark.parametrize(
    "part, count, keyword",
    [(FORBIDDEN, 5001, "5,001 parts"), (SLOW, 20, "too long"), (ANY, 400, "20000 conditions")],
)
def test_rules_that_would_take_too_long_are_refused(part: str, count: int, keyword: str) -> None:
    def text(number: int) -> str:
        return GOOD + f"forbid = [{', '.join([part] * number)}]\n"

    few = Rules.parse(text(5))
    assert len(few.rules[0].patterns) == 5
    with pytest.raises(RulesError, match=keyword):
        Rules.parse(text(count))
    document = few.to_json()
    document["rules"][0]["forbid"] *= count // 5 + 1
    with pytest.raises(RulesError, match=keyword.replace("5,001", "5,005")):
        Rules.from_json(document)


def test_refuses_rules_that_a_model_cannot_store() -> None:
    """A word list is written once in a rule file, and in each rule that names it in a model."""
    lemmas = ", ".join(f'"{number:08}"' for number in range(50_000))
    text = f"[words.long]\nlemma = [{lemmas}]\n"
    rule = '[[rule]]\nname = "{}"\nreason = "r"\nforbid = {{ relation = "x", is = "long" }}\n'
    rules = Rules.parse(text + "".join(map(rule.format, range(3))))
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules
    with pytest.raises(RulesError, match="word lists"):
        Rules.parse(text + "".join(map(rule.format, range(20))))


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"name": "x"},
        {"name": "x", "rules": {}},
        {"name": 3, "rules": [{}]},
        {"name": "x", "rules": []},
    ]
    + [{"name": "x", "rules": [rule]} for rule in (None, [], {}, {"name": "r"}, "r")]
    + [{"name": "x", "rules": [{}] * 1001}, {"name": "", "rules": [{}]}, {"name": "x" * 5000, "rules": [{}]}],
)
def test_other_json_is_refused(document: object) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(document)


def test_includes_other_rules() -> None:
    text = 'include = "ud"\nleave-out = ["leaf-det", "leaf-cc"]\n' + GOOD + 'forbid = { relation = "dep" }\n'
    rules = Rules.parse(text)
    names = [rule.name for rule in rules]
    assert names[-1] == "r"
    assert len(names) == 40 - 2 + 1
    assert "leaf-det" not in names
    assert Rules.from_json(rules.to_json()) == rules


def test_tests_use_every_verb() -> None:
    used = {verb for verb in VERBS for rule in Rules.parse(EVERYTHING) if verb in rule.source}
    assert used == set(VERBS)


WRONG = [
    ("", ": no rules"),
    ("x = 1", ":1: unknown key 'x' in the file"),
    ("[[rules]]", ":1: unknown key 'rules' in the file; did you mean rule?"),
    ("about = 3", ":1: about is 3"),
    (
        "\n\nrule = 1 1",
        ":3: not TOML: ",
    ),
    ("a = [", ":1: not TOML: "),
    ("[rule]", ":1: [rule] is one table; expected [[rule]]"),
    ("rule = [1]", ":1: a rule is 1"),
    ("[[rule]]\nreason = 'r'", ":1: a rule without a name"),
    ("[[rule]]\nname = 'a b'", ":2: the name 'a b'"),
    (GOOD, ":1: rule 'r': expected one of forbid, at-most"),
    (
        "[[rule]]\nname = 'r'\nforbid = { relation = 'x' }",
        ":1: rule 'r': no reason",
    ),
    (GOOD + "atmost = 1", ":4: unknown key 'atmost' in a rule; did you mean at-most?"),
    (GOOD + "forbid = { UPOS = 'X' }", ":4: did you mean upos?"),
    (GOOD + "forbid = { relation = 'x', deprel = 'y' }", ":4: has both relation and deprel"),
    (GOOD + "forbid = { deprel = 3 }", ":4: deprel has 3"),
    (GOOD + "deprel = 'x'", ":4: unknown key 'deprel' in a rule"),
    ("[words.x]\ndeprel = 'x'", ":2: unknown key 'deprel' in x"),
    (GOOD + "forbid = { upos = 'X' }\nalways = 1", ":5: always is 1"),
    (GOOD + "forbid = { upos = 'X' }\npenalty = 3\nalways = true", ":6: hard rules only"),
    (GOOD + "forbid = { upos = 'X' }\nallways = true", ":5: did you mean always?"),
    (GOOD + "at-most = 1", ":4: rule 'r': expected dependents"),
    (
        GOOD + "dependents = { relatoin = 'x' }\nat-most = 1",
        ":4: rule 'r': unknown key 'relatoin' in dependents; did",
    ),
    (
        GOOD + "at-most = -1\ndependents = { relation = 'x' }",
        ":4: rule 'r': at-most is -1",
    ),
    (GOOD + "at-most = 1.5\ndependents = { relation = 'x' }", ":4: rule 'r': at-most is 1.5"),
    (GOOD + "at-most = true\ndependents = { relation = 'x' }", ":4: rule 'r': at-most is true"),
    (
        GOOD + "at-most = 0\ndependents = { relation = 'x' }",
        ":4: rule 'r': at-most = 0 without a head",
    ),
    (
        GOOD + "at-least = 0\ndependents = { relation = 'x' }",
        ":4: rule 'r': at-least = 0",
    ),
    (GOOD + "at-most = 1\nat-least = 1", ":5: rule 'r': has both at-most and at-least"),
    (
        GOOD + "forbid = { relation = 'x' }\nbetween = { upos = 'X' }",
        ":5: rule 'r': between",
    ),
    (GOOD + "forbid = { relation = [] }", ":4: rule 'r': relation is an empty list"),
    (GOOD + "forbid = { relation = [1] }", ":4: rule 'r': relation has 1"),
    (GOOD + "forbid = { relation = '' }", ":4: rule 'r': relation has an empty text"),
    (GOOD + "forbid = {}", ":4: rule 'r': forbid is empty"),
    (GOOD + "forbid = []", ":4: rule 'r': empty list"),
    (GOOD + "forbid = 3", ":4: rule 'r': forbid is 3"),
    (
        GOOD + "forbid = 'verb'",
        ":4: rule 'r': expected a table",
    ),
    (
        "[words.verb]\nupos = 'V'\n" + GOOD + "forbid = 'verbs'",
        ":6: rule 'r': did you mean 'verb'?",
    ),
    (
        "[words.verb]\nuops = 'V'\n" + GOOD + "forbid = 'verb'",
        ":2: unknown key 'uops' in verb; did you mean upos?",
    ),
    ("[words.verb]\n" + GOOD + "forbid = 'verb'", ":1: verb is empty"),
    ("words = 3", ":1: words is 3"),
    (GOOD + "forbid = { is = 'x', any = [] }", ":4: rule 'r': has both is and any"),
    (GOOD + "forbid = { any = 1 }", ":4: rule 'r': any is 1"),
    (
        GOOD + "forbid = { root = true }",
        ":4: rule 'r': unknown key 'root' in forbid; only head and parent",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\nmust-be-under = { upos = 'X', root = true }",
        ":5: rule 'r': parent = { root = true }",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\nmust-be-under = { any = [{ root = true }] }",
        ":5: rule 'r': unknown key 'root' in any; only head and parent",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\nno-crossing = 'any'\ncrossed-by = 'top'\n[words.top]\nroot = true",
        ":6: rule 'r': unknown key 'root' in crossed-by; only head and parent",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\nmust-be-under = { 9 = 1 }",
        ":5: rule 'r': unknown key '9' in must-be-under; expected form, ",
    ),
    (GOOD + "forbid = { relation = 'x' }\nhead = { root = 1 }", ":5: rule 'r': root is 1"),
    (
        GOOD + "forbid = { relation = 'x' }\nhead = { root = true, upos = 'X' }",
        ":5: rule 'r': root = true with other keys",
    ),
    (
        GOOD + "forbid = { relation = 'x' }\nhead = { root = true, relation = 'X' }",
        ":5: rule 'r': root = true with other",
    ),
    (GOOD + "forbid = { side = 'up' }", ":4: rule 'r': side is 'up'"),
    (GOOD + "forbid = { min-distance = 0 }", ":4: rule 'r': min-distance is 0"),
    (
        GOOD + "forbid = { min-distance = 3, max-distance = 2 }",
        ":4: rule 'r': min-distance 3",
    ),
    (GOOD + "forbid = { upos = 'X' }\npenalty = -1", ":5: rule 'r': penalty is -1"),
    (GOOD + "forbid = { upos = 'X' }\npenalty = inf", ":5: rule 'r': penalty is inf"),
    (GOOD + "forbid = { upos = 'X' }\npenalty = nan", ":5: rule 'r': penalty is nan"),
    (
        GOOD + "dependents = { upos = 'X' }\nno-crossing = 'all'",
        ":5: rule 'r': no-crossing is 'all'",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\ncontiguous = false",
        ":5: rule 'r': contiguous is false",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\ncontiguous = true\nhead = { relation = 'x' }",
        ":6: rule 'r': head",
    ),
    (GOOD + "same = 'Number'", ":4: rule 'r': same without dependents"),
    (GOOD + "smae = 'Number'", ":4: unknown key 'smae' in a rule; did you mean same?"),
    (GOOD + "dependents = { upos = 'X' }\nsame = 3", ":5: rule 'r': same is 3; expected the name of one feature"),
    (GOOD + "dependents = { upos = 'X' }\nsame = ['Case', 'Number']", ":5: rule 'r': same is a list"),
    (GOOD + "dependents = { upos = 'X' }\nsame = ''", ":5: rule 'r': same is ''"),
    (GOOD + "dependents = { upos = 'X' }\nsame = '_'", ":5: rule 'r': same is '_'"),
    (GOOD + "dependents = { upos = 'X' }\nsame = 'Number=Sing'", ":5: rule 'r': same is 'Number=Sing'"),
    (GOOD + "dependents = { upos = 'X' }\ndifferent = 'upos'", ":5: rule 'r': different is 'upos'"),
    (
        GOOD + "dependents = { upos = 'X' }\nsame = 'A'\ndifferent = 'B'",
        ":6: rule 'r': has both same and different",
    ),
    (GOOD + "dependents = { upos = 'X' }\nsame = 'A'\nmissing = 'ok'", ":6: rule 'r': missing is 'ok'; expected"),
    (GOOD + "dependents = { upos = 'X' }\nsame = 'A'\nmissing = []", ":6: rule 'r': missing is a list"),
    (GOOD + "dependents = { upos = 'X' }\nsame = 'A'\nmising = 'broken'", ":6: did you mean missing?"),
    (
        GOOD + "dependents = { upos = 'X' }\nsame = 'A'\nhead = { relation = 'x' }",
        ":6: rule 'r': head describes how the head is attached",
    ),
    (
        GOOD + "dependents = { upos = 'X' }\ncontiguous = true\nmissing = 'broken'",
        ":6: rule 'r': missing cannot be used with contiguous",
    ),
    (
        GOOD + "siblings = { upos = 'X' }\nneed-alike = { upos = 'X' }",
        ":5: rule 'r': need-alike is a table",
    ),
    (
        GOOD + "[rule.forbid]\nrelation = 'x'\nform-matches = '(a*)*'",
        ":6: rule 'r': the regular expression '(a*)*' has ",
    ),
    (GOOD + "forbid = { form-matches = '(' }", ":4: rule 'r': the regular expression '(' is none"),
    (
        GOOD + "forbid = { upos = 'X' }\n" + GOOD + "forbid = { upos = 'Y' }",
        ":6: a second rule 'r'",
    ),
    ("include = 'udd'", ":1: include is 'udd'"),
    (
        "include = 'ud'\nleave-out = 'leaf-dt'",
        ":2: did you mean 'leaf-det'?",
    ),
]


@pytest.mark.parametrize("text, message", WRONG)
def test_reports_the_line_and_the_error_of_a_broken_file(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text, "f.toml")
    place, words = message.split(" ", 1)
    assert str(caught.value).startswith(f"f.toml{place} ")
    assert words.removeprefix("rule 'r': ") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_finds_the_line_of_a_key_after_a_misleading_reason() -> None:
    reason = 'reason = """\npenalty = 3\n[[rule]]\n"""  # penalty = 4'
    text = f'[[rule]]\nname = "r"\n{reason}\nforbid = {{ upos = "X" }}\npenalty = 0\n'
    with pytest.raises(RulesError, match=r"^f:8: rule 'r': penalty is 0"):
        Rules.parse(text, "f")


@pytest.mark.parametrize(
    "data, message",
    [
        (b"\xff", "f:1: byte 0xff is not UTF-8"),
        (b"# ok\n\xe9 = 1", "f:2: byte 0xe9 is not UTF-8"),
        (b" " * (1 << 21), "f: a rule file of 2097152 bytes"),
        (b"a = " + b"[" * 5000, "f: lists or tables are nested too deeply"),
        (b"a = " + b"9" * 5000, "f:1: not TOML: "),
        (b"about = 0x" + b"9" * 5000, "f:1: about is a huge number"),
    ],
)
def test_refuses_files_that_are_not_rules(data: bytes, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(data, "f")
    assert str(caught.value).startswith(message)


def test_refuses_deeply_nested_descriptions() -> None:
    deep = "{ any = [" * 240 + "{ upos = 'X' }" + "] }" * 240
    try:
        Rules.parse(f"{GOOD}forbid = {deep}", "f")
    except RulesError as error:
        assert "nested too deeply" in str(error)


def test_mutated_files_give_rules_or_one_line(tmp_path: Path) -> None:
    outcomes: Counter[bool] = Counter()
    texts = seed_texts("rules", ())
    for number in range(int(os.environ.get("WNPARSE_FUZZ", "400"))):
        name, data = make_mutant("rules", 7, number, texts)
        (tmp_path / name).write_bytes(data)
        rules, _ = check_rules(tmp_path / name)
        outcomes[rules is None] += 1
    assert outcomes[True] > 100
    assert outcomes[False] > 20


@pytest.mark.parametrize(
    "pattern",
    [
        *[".*en", "(de|het|een)", "[A-Z].*", "a{2,3}b?", "(ab)+", "^x$", "(?i)x", "a|b|c"],
        *["(?:ha)+h?", ".*(er|est)?", "[^]]+", r"[\]]*", r"\d+\.\d*", "x{", "{}", "a{,}b", "a+?b*?"],
        "[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}",
        "|".join(f"w{i}" for i in range(40)),
    ],
)
def test_accepts_quick_regular_expressions(pattern: str) -> None:
    assert fault_of_pattern(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a|a)*",
        "(a|aa)+$",
        "a?" * 30 + "a" * 30,
        "(a|a)" * 30,
        "a*a*a*a*a*",
        r"(.)\1",
        "(?=a)b",
        "(?:){4000000000}",
        "(^){2}a",
        "(a{0})+",
        "((?:){60}){60}",
        "x" * 201,
        "[",
        "[[:alpha:]]",
        "[a--b]",
        "([ab]c)+",
        "((ab)){2}",
        "(a)(?P=x)",
        "(?P<x>a)",
        "(?<=a)b",
        "(?!a)b",
        "(?>a)b",
        "(?x)a # (",
        "a*+b",
        "a{2,}+b",
    ],
)
def test_refuses_regular_expressions_that_might_take_long(pattern: str) -> None:
    assert fault_of_pattern(pattern)


def test_no_regular_expression_that_is_accepted_takes_long() -> None:
    rng = random.Random(3)
    parts = ["a", "b", "ab", ".", r"\w", "[ab]", "[^b]", "(", "(?:", "(?:ab)", ")", ")", "|", "^", "$", r"\b"]
    parts += ["*", "+", "?", "*?", "{2}", "{1,3}", "{2,}", "{,}"]
    words = ["a" * 64, "ab" * 32, "a" * 63 + "b", "b" * 63 + "c"]
    accepted = 0
    for _ in range(30_000):
        pattern = "".join(rng.choices(parts, k=rng.randint(3, 14)))
        if fault_of_pattern(pattern) is None:
            accepted += 1
            start = time.process_time()
            assert [re.fullmatch(pattern, word) for word in words]
            assert time.process_time() - start < 2, pattern
    assert accepted > 1000


LONG = 300_000


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD}x = 1\n[ words.{' ' * LONG}a]\n",
        f"{GOOD}x = 1\n[words.'{'a' * LONG}']\n",
        f"{GOOD}x = 1\n{'[' * LONG}",
        f"['{' ' * LONG}']\n['{' ' * LONG}']\n",
        f"{GOOD}{'a' * LONG} = 1\n",
        f"{GOOD}forbid = {{ is = 'zzzzzz' }}\n" + "".join(f"[words.w{i}]\nupos = 'X'\n" for i in range(9000)),
    ],
    ids=["spaces in a header", "name of a word", "brackets", "spaces in a key", "key", "names of words"],
)
def test_long_lines_are_refused_at_once_in_a_short_message(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(RulesError) as caught:
        Rules.parse(text, "f")
    assert time.perf_counter() - start < 5  # what is quadratic takes minutes
    assert len(str(caught.value)) < 500


def test_many_slow_regular_expressions_are_refused_together() -> None:
    rules = [
        f"[[rule]]\nname = 'r{i}'\nreason = 'r'\nforbid = {{ form-matches = 'a*a*a*{i}' }}\n" for i in range(11)
    ]
    assert len(Rules.parse("".join(rules[:10]))) == 10
    with pytest.raises(RulesError, match=r"^f:44: rule 'r10': .*together"):
        Rules.parse("".join(rules), "f")


def test_the_slowest_allowed_regular_expression_is_quick() -> None:
    pattern = "a*a*a*b"
    assert fault_of_pattern(pattern) is None
    test = ColumnTest("form", "matches", (pattern,), False).compiled()
    start = time.perf_counter()
    assert not test("a" * 100_000)
    assert time.perf_counter() - start < 2
    assert LONGEST_VALUE <= 64


@pytest.mark.parametrize(
    "name, expected",
    [
        ("nsubj", {"nsubj", "nsubj:pass", "nsubj:a:b"}),
        ("nsubj:", {"nsubj"}),
        ("nsubj:a", {"nsubj:a:b"}),
        ("nsubj:pass", {"nsubj:pass"}),
        ("*", {"nsubj", "nsubj:pass", "nsubj:a:b", "nsub"}),
    ],
)
def test_relations_include_their_subtypes(name: str, expected: set[str]) -> None:
    labels = {"nsubj", "nsubj:pass", "nsubj:a:b", "nsub"}
    assert {label for label in labels if Relations((name,)).holds(label)} == expected
    assert {label for label in labels if Relations(None, (name,)).holds(label)} == labels - expected


def test_deprel_is_another_name_of_relation() -> None:
    texts = [f"forbid = {{ {key} = 'x' }}\nhead = {{ not-{key} = 'y' }}\n" for key in ("relation", "deprel")]
    first, second = (Rules.parse(GOOD + text) for text in texts)
    assert first.rules[0].patterns == second.rules[0].patterns
    assert Rules.from_json(second.to_json()) == second


def test_reads_always() -> None:
    rules = Rules.parse(GOOD + "forbid = { upos = 'X' }\nalways = true\n")
    assert rules.rules[0].always
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules
    assert not Rules.parse(GOOD + "forbid = { upos = 'X' }\nalways = false\npenalty = 3\n").rules[0].always


def test_reads_which_comparison_breaks_a_rule_of_agreement() -> None:
    expected = {
        "same = 'F'": DIFFERENT,
        "same = 'F'\nmissing = 'exempt'": DIFFERENT,
        "same = 'F'\nmissing = 'broken'": DIFFERENT | MISSING,
        "different = 'F'": SAME,
        "different = 'F'\nmissing = 'broken'": SAME | MISSING,
    }
    for text, comparisons in expected.items():
        rules = Rules.parse(f"{GOOD}dependents = {{ relation = 'x' }}\n{text}\n")
        (pattern,) = rules.rules[0].patterns
        assert pattern.arc.agreement == Agreement("F", comparisons)
        assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules


def test_refuses_to_compare_too_many_features() -> None:
    rules = [
        f"[[rule]]\nname = 'r{i}'\nreason = 'r'\ndependents = {{ relation = 'x' }}\nsame = 'F{i}'\n"
        for i in range(65)
    ]
    document = Rules.parse("".join(rules[:64])).to_json()
    with pytest.raises(RulesError, match=r"^f: rules that compare 65 features; expected at most 64"):
        Rules.parse("".join(rules), "f")
    document["rules"].append({**document["rules"][0], "name": "more", "same": "More"})
    with pytest.raises(RulesError, match="compare 65 features"):
        Rules.from_json(document)
