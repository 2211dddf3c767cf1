"""Rules on the command line: rules, eval --rules, train --rules, info."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import wnparse
from support.commands import Run
from support.pages import checked
from support.treebanks import conllu, first_sentences
from wnparse.decoding import registry
from wnparse.rules import Rules

MINE = '[[rule]]\nname = "one-subject"\nreason = "r"\nat-most = 1\ndependents = { relation = "nsubj" }\n'
TWO = conllu(["a", "b", "c"], [2, 0, 2], ["nsubj", "root", "nsubj"], sent_id="two")
ONE = conllu(["a", "b", "c"], [2, 0, 2], ["nsubj", "root", "obj"], sent_id="one")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "gold").write_bytes(ONE + ONE)
    (tmp_path / "system").write_bytes(TWO + ONE)
    return tmp_path


def test_prints_a_table(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("rules", "--rules", "mine.toml", "--examples", "1", "system", "gold")
    assert result.returncode == 0
    assert result.stderr == b""
    assert result.stdout.decode().splitlines() == [
        "mine.toml    cases  broken  sentences  satisfied %  system    gold  kept",
        "one-subject      4       1          1        75.00   50.00  100.00    no",
        "",
        "1 of 4 sentences breaks a rule (25.00 %)",
        "",
        "train would keep 0 of 1 rule (at least 99 % satisfied); left out: one-subject",
        "",
        "one-subject: two at system:1",
        "  [a 1<-2 nsubj] [b 2<-0 root] [c 3<-2 nsubj]",
    ]


def test_prints_json(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside(
        "rules", "--rules", "mine.toml", "--json", "--examples", "3", "--coverage", "70", "system"
    )
    document = json.loads(result.stdout)
    tally = {"cases": 2, "broken": 1, "violations": 1, "sentences": 1, "satisfied": 50.0}
    assert document["all"] == {"sentences": 2, "breaking": 1, "rules": {"one-subject": tally}}
    assert document["files"] == [{"name": "system", **document["all"]}]
    assert document["left_out"] == {"one-subject": "satisfied in 50.00 % of 2 cases"}
    assert (document["kept"], document["coverage"], document["skipped"]) == ([], 70, 0)
    assert document["rules"] == "mine.toml"
    (example,) = document["examples"]
    assert (example["rule"], example["words"], example["line"]) == ("one-subject", [1, 2, 3], 1)


def test_auto_chooses_rules_by_the_relations(wnparse_inside: Run, folder: Path) -> None:
    named = wnparse_inside("rules", "--rules", "ud", "system", "gold")
    assert wnparse_inside("rules", "system", "gold").stdout == named.stdout
    assert wnparse_inside("rules", "-", "gold", stdin=TWO + ONE).stdout.count(b"\n") == named.stdout.count(b"\n")
    old = conllu(["a", "b", "c"], [2, 0, 2], ["nsubj", "root", "dobj"])
    assert wnparse_inside("rules", stdin=old).stdout.startswith(b"ud1 ")
    other = wnparse_inside("rules", stdin=conllu(["a", "b"], [2, 0], ["SBJ", "ROOT"]))
    assert (other.returncode, other.stdout) == (1, b"")
    assert other.stderr.startswith(b"wnparse: ")
    assert b"--rules" in other.stderr
    assert other.stderr.count(b"\n") == 1


@pytest.mark.filterwarnings("ignore:the treebank does not say which tokens")
def test_rules_that_are_always_kept(wnparse_inside: Run, folder: Path) -> None:
    (folder / "mine.toml").write_text(MINE + "always = true\n")
    result = wnparse_inside("rules", "--rules", "mine.toml", "system")
    assert result.stdout.splitlines()[1].endswith(b" always")
    document = json.loads(wnparse_inside("rules", "--rules", "mine.toml", "--json", "system").stdout)
    assert document["kept"] == document["always"] == ["one-subject"]
    (folder / "train").write_bytes((ONE + TWO) * 5)
    wnparse.train("train", epochs=1, rules="mine.toml").save("m")
    rules = wnparse.load("m").rules
    assert rules is not None
    assert rules.rules[0].always


def test_writes_a_page(wnparse_inside: Run, folder: Path) -> None:
    plain = wnparse_inside("rules", "--rules", "mine.toml", "system", "gold")
    result = wnparse_inside("rules", "--rules", "mine.toml", "system", "gold", "--html", "report.html")
    assert (result.returncode, result.stderr, result.stdout) == (0, b"", plain.stdout)
    page = (folder / "report.html").read_text()
    checked(page)
    assert page.count("<figure") == 1
    assert page.count('class="word marked"') == 4  # three words, and the legend
    for text in (
        "one-subject",
        "75.00",
        "1 of 4 sentences",
        "words to look at",
        "arcs that break a rule",
        "system:1",
    ):
        assert text in page
    none = wnparse_inside("rules", "--rules", "mine.toml", "gold", "--html", "-").stdout.decode()
    checked(none)
    assert "<figure" not in none
    empty = wnparse_inside("rules", "--html", "-", stdin=b"")
    assert empty.returncode == 0
    assert b"no sentences" in empty.stdout


@pytest.mark.parametrize(
    "options, status, message",
    [
        (["--rules", "absent"], 2, b"'absent'; expected auto, ud, ud1"),
        (["--rules", "."], 2, b"Is a directory"),
        (["--rules", "gold"], 1, b"gold:2: not TOML: "),
        (["--coverage", "0"], 2, b"--coverage"),
        (["--tsv"], 2, b"--tsv"),
    ],
)
def test_refuses_bad_options(
    wnparse_inside: Run, folder: Path, options: list[str], status: int, message: bytes
) -> None:
    result = wnparse_inside("rules", "gold", *options)
    assert (result.returncode, result.stdout) == (status, b"")
    assert message in result.stderr
    assert result.stderr.count(b"\n") == 1


def test_reports_or_skips_bad_sentences(wnparse_inside: Run, folder: Path) -> None:
    bad = conllu(["a", "b"], [2, 2], ["nsubj", "root"])
    (folder / "bad").write_bytes(ONE + bad)
    stopped = wnparse_inside("rules", "bad")
    assert (stopped.returncode, stopped.stdout) == (1, b"")
    assert stopped.stderr.startswith(b"wnparse: bad:")
    skipped = wnparse_inside("rules", "bad", "--skip-bad")
    assert skipped.returncode == 0
    assert skipped.stderr.startswith(b"wnparse: skipped 1 ")


def test_reports_relations_that_do_not_occur(wnparse_inside: Run, folder: Path) -> None:
    (folder / "slip.toml").write_text(MINE.replace("nsubj", "nsbuj"))
    result = wnparse_inside("rules", "--rules", "slip.toml", "gold")
    assert result.stderr.startswith(b"wnparse: slip.toml: rule 'one-subject': ")
    assert result.stderr.endswith(b"did you mean nsubj?\n")
    assert result.stderr.count(b"\n") == 1
    assert wnparse_inside("rules", "--rules", "ud", "gold").stderr == b""
    (folder / "more.toml").write_text('include = "ud"\n' + MINE)
    assert wnparse_inside("rules", "--rules", "more.toml", "gold").stderr == b""
    assert re.fullmatch(b"wnparse: no sentences.*\n", wnparse_inside("rules", "--rules", "ud", stdin=b"").stderr)


def test_eval_counts_broken_rules(wnparse_inside: Run, folder: Path) -> None:
    result = wnparse_inside("eval", "gold", "system", "gold", "--rules", "mine.toml")
    assert result.stdout.decode().splitlines()[-5:] == [
        "Broken rules of mine.toml",
        "                    gold            system              gold",
        "               sentences  times  sentences  times  sentences  times",
        "  any rule             0      0          1      1          0      0",
        "  one-subject          0      0          1      1          0      0",
    ]
    document = json.loads(wnparse_inside("eval", "gold", "system", "--rules", "mine.toml", "--json").stdout)[
        "rules"
    ]
    assert document["name"] == "mine.toml"
    assert document["gold"]["breaking"] == 0
    assert [system["rules"]["one-subject"]["violations"] for system in document["systems"]] == [1]
    page = wnparse_inside("eval", "gold", "system", "--rules", "mine.toml", "--html", "-").stdout
    assert b"Broken rules of mine.toml" in page


def test_train_keeps_rules_that_the_treebank_satisfies(wnparse_inside: Run, folder: Path) -> None:
    (folder / "train").write_bytes(first_sentences("dev", 60))
    result = wnparse_inside("train", "train", "-o", "m", "--epochs", "1")
    (line,) = [line for line in result.stderr.decode().splitlines() if line.startswith("rules")]
    model = wnparse.load("m")
    assert model.rules is not None
    names = [rule.name for rule in model.rules]
    assert "too-many-subjects" in names
    assert "punct-is-nonproj-strict" not in names
    assert line.startswith(f"rules of the treebank: {len(names)} of 40 of ud (99 %); ")
    assert "left out: punct-is-nonproj-strict (" in line
    description = wnparse_inside("info", "m").stdout.decode()
    assert f"rules        {len(names)} of ud: 0-is-not-root " in description
    assert "  left out   punct-is-nonproj-strict, " in description
    assert json.loads(wnparse_inside("info", "m", "--json").stdout)["kept_rules"] == names
    again = wnparse.train("train", epochs=1)
    again.save("again")
    assert Path("again").read_bytes() == Path("m").read_bytes()


@pytest.mark.parametrize(
    "options, names",
    [
        (["--rules", "none"], None),
        (["--unlabelled"], None),
        (["--rules", "mine.toml"], ["one-subject"]),
        (["--rules", "riedel-clarke-2006"], ["P1-det"]),
    ],
)
def test_train_keeps_the_requested_rules(
    wnparse_inside: Run, folder: Path, options: list[str], names: list[str]
) -> None:
    (folder / "train").write_bytes(first_sentences("dev", 30))
    assert wnparse_inside("train", "train", "-o", "m", "--epochs", "1", *options).returncode == 0
    rules = wnparse.load("m").rules
    assert (rules and [rule.name for rule in rules]) == names
    assert b"\nrules        " in wnparse_inside("info", "m").stdout


@pytest.mark.filterwarnings("ignore:the treebank does not say which tokens")
def test_coverage_decides_which_rules_are_kept(wnparse_inside: Run, folder: Path) -> None:
    (folder / "train").write_bytes((ONE + TWO) * 5)
    assert wnparse.train("train", epochs=1, rules="mine.toml").rules is None
    rules = wnparse.train("train", epochs=1, rules=Rules.parse(MINE), rule_coverage=50).rules
    assert rules is not None
    for coverage in (0, 101, float("nan")):
        with pytest.raises(ValueError, match="rule_coverage"):
            wnparse.train("train", rule_coverage=coverage)
    with pytest.raises(ValueError, match="which are about relations; leave out"):
        wnparse.train("train", rules="ud", labelled=False)
    result = wnparse_inside("train", "train", "-o", "m", "--rules", "ud", "--unlabelled")
    assert result.returncode == 2
    assert b"which are about relations; leave out" in result.stderr


def test_a_checkpoint_belongs_to_its_rules(wnparse_inside: Run, folder: Path) -> None:
    (folder / "train").write_bytes(first_sentences("dev", 20))
    run = ["train", "train", "-o", "m", "--epochs", "1", "--checkpoint", "c"]
    assert wnparse_inside(*run).returncode == 0
    assert wnparse_inside(*run, "--resume").returncode == 0
    result = wnparse_inside(*run, "--resume", "--rules", "none")
    assert result.returncode == 1
    assert b"other rules" in result.stderr


def test_a_decoder_in_python_drops_the_rules_of_a_model(folder: Path) -> None:
    (folder / "train").write_bytes(first_sentences("dev", 20))
    model = wnparse.train(folder / "train", epochs=1, order=1)
    assert model.rules is not None
    registry.register_decoder(
        "mine", lambda scores, constraints, **limits: wnparse.decode(scores, constraints=constraints)
    )
    sentences = list(wnparse.read(folder / "train"))[:2]
    try:
        with pytest.warns(UserWarning, match="'mine' cannot enforce"):
            assert len(list(model.parse(sentences, decoder="mine"))) == 2
        with pytest.raises(ValueError, match="'mine' supports arcs only"):
            model.parse(sentences, decoder="mine", rules="ud")
    finally:
        del registry.DECODERS["mine"]
