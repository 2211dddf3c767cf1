"""Agreement of two annotators: a worked example, the definition over pairs, and ``wnparse eval --agreement``."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.treebanks import as_text, conllu, random_treebank, sentence, sentences
from wnparse.evaluation.agreement import cohen_kappa


def slow_kappa(pairs: list[tuple[str, str]]) -> Fraction | None:
    """The definition, in exact numbers."""
    if not pairs:
        return None
    n, names = len(pairs), {name for pair in pairs for name in pair}
    observed = Fraction(sum(a == b for a, b in pairs), n)
    expected = sum(
        Fraction(sum(a == name for a, _ in pairs), n) * Fraction(sum(b == name for _, b in pairs), n)
        for name in names
    )
    return None if expected == 1 else (observed - expected) / (1 - expected)


def test_the_example_of_a_textbook() -> None:
    # Two annotators say yes or no to 50 items: both yes 20, both no 15, and 5 and 10 in between.
    assert cohen_kappa(35, [25, 25], [30, 20], 50) == pytest.approx(0.4)
    assert cohen_kappa(10, [10, 0], [10, 0], 10) is None
    assert cohen_kappa(0, [], [], 0) is None
    assert cohen_kappa(0, [1, 1], [1, 1], 2) == -1.0


def test_agrees_with_the_definition() -> None:
    rng = random.Random(4)
    for seed in range(20):
        parts = [[list(rows) for rows in part] for part in random_treebank(seed, 12)]
        for part in parts:  # some words are not annotated
            for rows in part:
                for place, (form, tag, head, _) in enumerate(rows):
                    blank = rng.random()
                    if head and blank < 0.2:
                        rows[place] = (form, tag, -1 if blank < 0.1 else head, "_")  # type: ignore[call-overload]
        gold, system = (sentences(as_text(part).replace("\t-1\t", "\t_\t")) for part in parts)
        agreement = wnparse.evaluate(gold, system, agreement=True, trials=1).systems[0].agreement
        assert agreement is not None
        rows = [
            (one, other)
            for first, second in zip(*parts, strict=True)
            for one, other in zip(first, second, strict=True)
            if one[2] >= 0 and other[2] >= 0
        ]
        labelled = [(one, other) for one, other in rows if "_" not in (one[3], other[3])]
        pairs = [(one[3], other[3]) for one, other in labelled if one[2] == other[2]]
        assert agreement.words == len(rows)
        assert agreement.heads == pytest.approx(100 * sum(one[2] == other[2] for one, other in rows) / len(rows))
        assert agreement.labelled_words == len(labelled)
        right = sum(one == other for one, other in pairs)
        assert agreement.labelled_heads == pytest.approx(100 * right / len(labelled))
        assert agreement.same_head == len(pairs)
        assert agreement.relations == pytest.approx(100 * right / len(pairs))
        kappa = slow_kappa(pairs)
        assert kappa is not None
        assert agreement.kappa == pytest.approx(float(kappa))
        assert set(agreement.by_relation) == {name for pair in pairs for name in pair}
        for name, relation in agreement.by_relation.items():
            assert relation.first == sum(one == name for one, _ in pairs)
            assert relation.second == sum(other == name for _, other in pairs)
            assert relation.both == pairs.count((name, name))
            own = slow_kappa([(str(one == name), str(other == name)) for one, other in pairs])
            assert relation.kappa == (None if own is None else pytest.approx(float(own)))


def test_is_measured_on_request_and_over_the_same_words() -> None:
    gold, other = sentence("a b", [0, 1]), sentence("ab", [0])
    assert wnparse.evaluate([gold], [gold]).systems[0].agreement is None
    assert wnparse.evaluate([gold], [other], agreement=True).systems[0].agreement is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    gold = [(["w", "x", "y"], [0, 1, 1], ["root", "obj", "obl"]), (["z"], [0], ["root"])]
    system = [(["w", "x", "y"], [0, 1, 2], ["root", "iobj", "obl"]), (["z"], [0], ["root"])]
    for name, rows in (("gold", gold), ("system", system)):
        (tmp_path / name).write_bytes(b"".join(conllu(*row, sent_id=f"s{n}") for n, row in enumerate(rows, 1)))
    return tmp_path


def test_prints_agreement(wnparse_inside: Run, folder: Path) -> None:
    text = wnparse_inside("eval", "gold", "system", "--agreement").stdout.decode()
    for row in (["same head %", "75.00"], ["same relation, % of these", "66.67"], ["relations", "0.400"]):
        assert " ".join(row) in " ".join(text.split())
    document = json.loads(wnparse_inside("eval", "gold", "system", "--agreement", "--json").stdout)
    (system,) = document["systems"]
    assert system["agreement"]["by_relation"]["obj"] == {"first": 1, "second": 0, "both": 0, "kappa": 0.0}
    assert "agreement" not in json.loads(wnparse_inside("eval", "gold", "system", "--json").stdout)["systems"][0]
    page = wnparse_inside("eval", "gold", "system", "--agreement", "--html", "-").stdout.decode()
    assert "For heads it is not defined" in page


def test_writes_the_words_that_differ(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("eval", "gold", "system", "gold", "--differences", "d.tsv")
    assert (result.returncode, result.stderr) == (0, b"")
    with (folder / "d.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [(row["word"], row["system"]) for row in rows] == [("2", "system"), ("3", "system")]
    assert list(rows[1].values()) == [
        "1",
        "s1",
        "4",
        "3",
        "y",
        "1",
        "w",
        "obl",
        "X",
        "system",
        "2",
        "x",
        "obl",
        "X",
    ]
    assert Counter(row["deprel"] for row in rows) == {"obj": 1, "obl": 1}


def test_differences_of_other_words_are_left_out(wnparse_inside: Run, folder: Path) -> None:
    (folder / "other").write_bytes(conllu(["wx", "y"], [0, 1]) + conllu(["z"], [0], ["dep"], tag="Y"))
    result = wnparse_inside("eval", "gold", "other", "--differences", "d.tsv", "--agreement")
    assert result.returncode == 0
    assert b"d.tsv: left out 1 sentence" in result.stderr
    (row,) = (folder / "d.tsv").read_text().splitlines()[1:]
    assert row.split("\t")[-4:] == ["0", "ROOT", "dep", "Y"]
    assert b"kappa" not in result.stdout


def test_refuses_another_extension(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("eval", "gold", "system", "--differences", "d.csv")
    assert (result.returncode, result.stderr.count(b"\n")) == (2, 1)
    assert b".tsv" in result.stderr
    assert not (folder / "d.csv").exists()
