"""`wnparse parse --rules` and the same from Python: trees obey rules together with any other options."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.treebanks import blanked, comment, first_sentences
from wnparse.rules import Rules
from wnparse.rules.coverage import count_rules
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence


@pytest.fixture(scope="module")
def raw() -> bytes:
    return first_sentences("test", 60)


def sentences(output: bytes, tmp_path: Path) -> list[Sentence]:
    (tmp_path / "out.conllu").write_bytes(output)
    return list(read(str(tmp_path / "out.conllu")))


def breaking(trees: list[Sentence], rules: Rules) -> int:
    return count_rules(trees, rules).breaking


@pytest.mark.parametrize(
    "options",
    [[], ["--decoder", "lr"], ["--decoder", "eisner"], ["--jobs", "2"], ["--no-prune"]],
)
def test_trees_obey_the_rules(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: list[str]
) -> None:
    result = wnparse_inside("parse", "-m", model, "--rules", "ud", *options, stdin=raw)
    assert result.returncode == 0, result.stderr
    trees = sentences(result.stdout, tmp_path)
    free = sentences(wnparse_inside("parse", "-m", model, "--rules", "none", stdin=raw).stdout, tmp_path)
    rules = Rules.load("ud")
    relaxed = result.stderr.count(b"relaxed rules")
    assert breaking(trees, rules) <= relaxed
    assert breaking(free, rules) > 5 * (relaxed + 1)


@pytest.mark.parametrize("options", [[], ["--time-limit", "1e-6"], ["--time-limit", "0.002"]])
def test_the_first_of_the_k_best_trees_is_that_of_a_plain_parse(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: list[str]
) -> None:
    arguments = ["parse", "-m", model, "--rules", "ud", *options]
    plain = sentences(wnparse_inside(*arguments, stdin=raw).stdout, tmp_path)
    ranked = sentences(wnparse_inside(*arguments, "--k-best", "3", stdin=raw).stdout, tmp_path)
    firsts = [tree for tree in ranked if "# rank = 1" in tree.comments]
    assert len(firsts) == len(plain)
    same = sum(
        np.array_equal(one.heads, first.heads) and one.column("deprel") == first.column("deprel")
        for one, first in zip(plain, firsts, strict=True)
    )
    # What a limit of time lets a search find is not the same twice.
    assert same == len(firsts) if not options else same > len(firsts) // 2
    assert all((first.heads[1:] >= 0).all() for first in firsts)


def test_the_k_best_trees_are_ranked_by_broken_rules_and_score(
    wnparse_inside: Run, model: str, tmp_path: Path
) -> None:
    """Trees that obey come first; what the others break is in a comment, in the report and in the exit status."""
    given = [sentence for sentence in sentences(first_sentences("test", 200), tmp_path) if len(sentence) < 6]
    raw = b"".join(sentence.raw for sentence in given)
    arguments = ["parse", "-m", model, "--rules", "ud", "--k-best", "8", "--report", str(tmp_path / "r")]
    result = wnparse_inside(*arguments, stdin=raw)
    assert result.returncode == 0, result.stderr
    rules = Rules.load("ud")
    keys: list[tuple[int, float]] = []
    breaking_trees = 0
    for tree in sentences(result.stdout, tmp_path):
        broken = int(comment(tree, "broken", "0"))
        counts = count_rules([tree], rules)
        assert (broken > 0) == bool(counts.breaking)
        keys = [] if "# rank = 1" in tree.comments else keys
        keys.append((broken, -float(comment(tree, "score"))))
        assert keys == sorted(keys)
        breaking_trees += broken > 0
    assert breaking_trees > 5
    report = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    assert sum(tree["broken"] > 0 for line in report for tree in line["trees"]) == breaking_trees
    assert all(line["complete"] for line in report)
    assert result.stderr.count(b"rules (from tree ") > 1
    assert wnparse_inside(*arguments, "--strict", stdin=raw).returncode == 1
    parsed = wnparse.load(model).parse(given, rules=rules, k=8)
    broken_rules = [[tree.parse.broken for tree in trees] for trees in parsed]
    assert broken_rules == [[tree["broken"] for tree in line["trees"]] for line in report]


def test_a_list_that_a_limit_cuts_short_is_incomplete(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path
) -> None:
    limits = ["--k-best", "5000", "--time-limit", "0.001"]
    result = wnparse_inside("parse", "-m", model, *limits, "--report", str(tmp_path / "r"), stdin=raw)
    assert result.returncode == 0, result.stderr
    report = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    cut = [line for line in report if not line["complete"]]
    assert len(cut) > 30
    assert result.stderr.count(b"of 5000 trees") == len(cut)
    marked = [tree for tree in sentences(result.stdout, tmp_path) if comment(tree, "complete") == "no"]
    assert len(marked) == sum(len(line["trees"]) for line in cut)


def test_rules_do_not_change_given_heads(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    gold = first_sentences("test", 20)
    free = ["--block-degree", "none", "--no-well-nested", "--multi-root"]
    result = wnparse_inside("parse", "-m", model, "--rules", "ud", "--keep-heads", *free, stdin=gold)
    assert result.returncode == 0
    for before, after in zip(sentences(gold, tmp_path), sentences(result.stdout, tmp_path), strict=True):
        assert np.array_equal(before.heads, after.heads)


def half_given(data: bytes, rng: random.Random) -> bytes:
    """Words without head, without relation, and with a relation of another word or one that no treebank has."""
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    relations = [row[7] for row in rows if row[0].isdigit()]
    for row in rows:
        if row[0].isdigit():
            choice = rng.random()
            if choice < 0.4:
                row[6:8] = [b"_", b"_"]
            elif choice < 0.5:
                row[7] = b"_"
            elif choice < 0.55:
                row[7] = rng.choice([*relations, b"nsubj:odd", b"odd"])
    return b"\n".join(b"\t".join(row) for row in rows)


@pytest.mark.parametrize("options", [[], ["--decoder", "lr"], ["--k-best", "2"]])
def test_rules_see_given_relations(wnparse_inside: Run, model: str, tmp_path: Path, options: list[str]) -> None:
    """Given relations are part of the search, and what they break is reported."""
    raw = half_given(first_sentences("test", 60), random.Random(3))
    rules = Rules.load("ud")
    free = ["--block-degree", "none", "--no-well-nested", "--multi-root"]
    arguments = ["parse", "-m", model, "--rules", "ud", "--keep-heads", *free, *options]
    result = wnparse_inside(*arguments, "--report", str(tmp_path / "r"), stdin=raw)
    assert result.returncode == 0, result.stderr
    (tmp_path / "given.conllu").write_bytes(raw)
    given = list(read(str(tmp_path / "given.conllu"), heads="given"))
    trees = sentences(result.stdout, tmp_path)
    report = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    broken = [
        tree["broken"] if "broken" in tree else "rules" in line["fallback"]
        for line in report
        for tree in line.get("trees", [line])
    ]
    if not options:
        for before, after in zip(given, trees, strict=True):
            rows = zip(
                before.heads[1:], before.column("deprel"), after.heads[1:], after.column("deprel"), strict=True
            )
            for head, relation, new_head, new_relation in rows:
                assert head < 0 or (head == new_head and relation in ("_", new_relation))
    assert [bool(count) for count in broken] == [bool(count_rules([tree], rules).breaking) for tree in trees]
    assert 5 < sum(map(bool, broken)) < len(broken) - 5
    assert wnparse_inside(*arguments, "--strict", stdin=raw).returncode == 1


def test_a_given_relation_rules_out_others(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        '[[rule]]\nname = "one"\nreason = "-"\nat-most = 1\ndependents = { relation = ["nsubj", "csubj"] }\n'
    )
    raw = first_sentences("test", 60)
    rules = Rules.load(str(tmp_path / "one.toml"))
    trees = sentences(wnparse_inside("parse", "-m", model, "--rules", "one.toml", stdin=raw).stdout, tmp_path)
    lines, subjects = [], 0
    for tree in trees:  # another dependent of a predicate becomes its subject
        labels, heads = ["", *tree.column("deprel")], np.full_like(tree.heads, -1)
        for word, head in enumerate(tree.heads[1:].tolist(), 1):
            others = [m for m in range(1, len(tree) + 1) if tree.heads[m] == head and m != word]
            if labels[word] == "nsubj" and others:
                heads[others[0]] = head
                labels = ["_"] * len(labels)
                labels[others[0]] = "csubj:odd"
                subjects += 1
                break
        lines.append(tree.with_tree(heads, labels).raw if heads.max() >= 0 else b"")
    given = b"".join(lines)
    result = wnparse_inside("parse", "-m", model, "--rules", "one.toml", "--keep-heads", "--strict", stdin=given)
    assert (result.returncode, subjects > 10) == (0, True)
    parsed = sentences(result.stdout, tmp_path)
    assert breaking(parsed, rules) == 0
    assert sum("csubj:odd" in tree.column("deprel") for tree in parsed) == subjects


def test_reports_rules_that_cannot_be_satisfied(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path
) -> None:
    rules = tmp_path / "no.toml"
    rules.write_text('[[rule]]\nname = "none"\nreason = "-"\nat-least = 1\ndependents = { relation = "nosuch" }\n')
    result = wnparse_inside(
        "parse", "-m", model, "--rules", str(rules), "--report", str(tmp_path / "r"), stdin=raw
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.count(b"relaxed rules") == 60
    strict = wnparse_inside("parse", "-m", model, "--rules", str(rules), "--strict", stdin=raw)
    assert strict.returncode == 1
    report = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    assert all(line["fallback"] == "rules" for line in report)


def test_python_takes_the_same_rules(model: str, raw: bytes, tmp_path: Path) -> None:
    parser = wnparse.load(model)
    given = sentences(raw, tmp_path)
    rules = Rules.load("ud")
    trees = list(parser.parse(given, rules=rules))
    assert breaking(trees, rules) == sum(tree.parse.broken > 0 for tree in trees)
    assert all(tree.parse.certified for tree in trees)
    assert breaking(list(parser.parse(given, rules=None)), rules) > 5


AGREEMENT = """
[[rule]]
name = "subject-number"
reason = "r"
dependents = { relation = "nsubj" }
head = { upos = "VERB" }
same = "Number"

[[rule]]
name = "genitive"
reason = "r"
dependents = { relation = "nmod" }
different = "Case"
missing = "broken"
"""


@pytest.mark.parametrize("options", [[], ["--decoder", "ilp"], ["--k-best", "2"], ["--no-prune"]])
def test_trees_obey_rules_of_agreement(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: list[str]
) -> None:
    (tmp_path / "agree.toml").write_text(AGREEMENT)
    rules = Rules.parse(AGREEMENT)
    free = sentences(wnparse_inside("parse", "-m", model, "--rules", "none", stdin=raw).stdout, tmp_path)
    result = wnparse_inside("parse", "-m", model, "--rules", "agree.toml", *options, stdin=raw)
    assert result.returncode == 0, result.stderr
    assert breaking(free, rules) > 10
    assert breaking(sentences(result.stdout, tmp_path), rules) == 0
    (tmp_path / "free.conllu").write_bytes(b"".join(tree.raw for tree in free))
    combined = wnparse_inside("combine", "free.conllu", "--rules", "agree.toml")
    assert breaking(sentences(combined.stdout, tmp_path), rules) == 0
    soft = AGREEMENT.replace("same =", "penalty = 1e-3\nsame =").replace(
        "different =", "penalty = 1e-3\ndifferent ="
    )
    (tmp_path / "soft.toml").write_text(soft)
    softly = wnparse_inside("parse", "-m", model, "--rules", "soft.toml", stdin=raw).stdout
    assert breaking(sentences(softly, tmp_path), rules) == breaking(free, rules)


def test_rules_of_agreement_read_predicted_features(wnparse_inside: Run, both: str, tmp_path: Path) -> None:
    (tmp_path / "agree.toml").write_text(AGREEMENT)
    words = blanked(first_sentences("test", 40), 2, 3, 4, 5, 6, 7)
    trees = {}
    for rules in ("none", "agree.toml"):
        result = wnparse_inside("parse", "-m", both, "--rules", rules, stdin=words)
        assert result.returncode == 0, result.stderr
        assert b"relaxed" not in result.stderr
        trees[rules] = sentences(result.stdout, tmp_path)
    assert breaking(trees["none"], Rules.parse(AGREEMENT)) > 5
    assert breaking(trees["agree.toml"], Rules.parse(AGREEMENT)) == 0


def test_models_store_rules_of_agreement(wnparse_inside: Run, tmp_path: Path) -> None:
    soft = AGREEMENT.replace('reason = "r"', 'reason = "r"\npenalty = 20')
    (tmp_path / "agree.toml").write_text(soft)
    (tmp_path / "train").write_bytes(first_sentences("dev", 60))
    options = ["--epochs", "1", "--order", "1", "--only", "parser", "--rules", "agree.toml"]
    assert wnparse_inside("train", "train", "-o", "m", *options).returncode == 0
    stored = wnparse.load("m").rules
    assert stored is not None
    assert stored.rules == Rules.parse(soft).rules
