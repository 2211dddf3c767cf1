"""``wnparse eval`` as a user meets it: tables, JSON, pipes, errors and exit codes."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from wnparse.cli.eval import _tags
from wnparse.cli.main import cli
from wnparse.reports.eval_tables import short_labels

GOLD = """\
# sent_id = one
1-2\tdunno\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\t_\tAUX\tVB\t_\t2\taux\t_\t_
2\tknow\t_\tVERB\tVB\t_\t0\troot\t_\t_
3\tit\t_\tPRON\tPRP\t_\t2\tobj\t_\t_
3.1\tghost\t_\t_\t_\t_\t_\t_\t_\t_
4\t,\t_\tPUNCT\t,\t_\t2\tpunct\t_\t_

1\tyes\t_\tINTJ\tUH\t_\t0\troot\t_\t_
2\t!\t_\tSYM\t.\t_\t1\tpunct\t_\t_

"""
# One relation and the head of the comma are wrong: UAS 5/6, LAS 4/6.
SYSTEM = GOLD.replace("2\tobj", "2\tnsubj").replace("\t2\tpunct", "\t3\tpunct")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.conllu").write_text(GOLD)
    (tmp_path / "system.conllu").write_text(SYSTEM)
    return tmp_path


def shell(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wnparse", "eval", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, cwd=folder, timeout=60, check=False
    )


def call(folder: Path, *arguments: str, stdin: str = "") -> Any:
    """Run the command in this process and read its JSON."""
    paths = [str(folder / word) if word.endswith((".conllu", ".gz")) else word for word in arguments]
    result = CliRunner().invoke(cli, ["eval", "--json", *paths], input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_prints_a_table(folder: Path) -> None:
    result = shell(folder, "gold.conllu", "system.conllu")
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[0] == "gold: gold.conllu, 2 sentences, 6 words"
    scores = dict(re.split(r"\s{2,}", line) for line in lines[lines.index("Scores") + 2 :][:6])
    assert scores == {
        "UAS": "83.33",
        "LAS": "66.67",
        "LAS with subtypes": "66.67",
        "CLAS": "66.67",
        "complete sentences, unlabelled (UC)": "50.00",
        "complete sentences, labelled (LC)": "50.00",
    }
    assert re.search(r"single root +100\.00 +100\.00\n", result.stdout)


def test_prints_a_table_of_two_systems_with_all_options(folder: Path) -> None:
    options = ["--by", "length", "--by", "relation", "--by", "distance", "--ignore-punct", "--block-degree", "4"]
    result = shell(folder, "gold.conllu", "system.conllu", "gold.conllu", "--well-nested", *options)
    assert (result.returncode, result.stderr) == (0, "")
    assert "scored: 5 words, those not tagged PUNCT" in result.stdout
    assert re.search(
        r"\n +system\.conllu +gold\.conllu\n +UAS +100\.00 +100\.00\n +LAS +80\.00 +100\.00", result.stdout
    )
    assert re.search(r"valid: well-nested, block degree <= 4 +100\.00 +100\.00 +100\.00\n", result.stdout)
    assert re.search(
        r"Difference from system\.conllu.*\n.*\n +gold\.conllu +\+0\.00 +1\.0000 +\+20\.00 +1\.0000", result.stdout
    )
    for title in ("By sentence length", "By relation", "By arc length"):
        assert f"\n\n{title}" in result.stdout
    assert re.search(r"\n +1-10 +2 +5 +100\.00 +80\.00 +100\.00 +50\.00 +100\.00 +100\.00", result.stdout)


def test_reads_pipes_on_either_side(folder: Path) -> None:
    expected = call(folder, "gold.conllu", "system.conllu")["systems"][0]
    through_system = call(folder, "gold.conllu", "-", stdin=SYSTEM)["systems"][0]
    assert through_system == {**expected, "file": "<stdin>"}
    result = shell(folder, "-", "system.conllu", "--json", stdin=GOLD)
    document = json.loads(result.stdout)
    assert document["gold"]["file"] == "<stdin>"
    assert document["systems"] == [{**expected, "file": "system.conllu"}]


def test_reads_compressed_input(folder: Path) -> None:
    (folder / "system.conllu.gz").write_bytes(gzip.compress(SYSTEM.encode()))
    assert call(folder, "gold.conllu", "system.conllu.gz")["systems"][0]["uas"] == pytest.approx(100 * 5 / 6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], 6),
        (["--ignore-punct"], 5),
        (["--ignore-tags", "PUNCT,SYM"], 4),
        (["--ignore-tags", ",", "--ignore-tags", "."], 4),
        (["--ignore-tags", ", . UH"], 3),
        (["--ignore-tags", "PRP", "--ignore-punct"], 4),
    ],
)
def test_can_ignore_punctuation(folder: Path, options: list[str], words: int) -> None:
    assert call(folder, "gold.conllu", "system.conllu", *options)["systems"][0]["words"] == words


def test_splits_lists_of_tags() -> None:
    context, parameter = click.Context(cli), click.Option(["--ignore-tags"])
    assert _tags(context, parameter, ()) == set()
    assert _tags(context, parameter, ("`` '' : , .", "A,B")) == {"``", "''", ":", ",", ".", "A", "B"}
    for value in ("", "A,,B", " "):
        with pytest.raises(click.BadParameter, match="tag is empty"):
            _tags(context, parameter, (value,))


def test_shortens_labels() -> None:
    assert short_labels(["a/x.conllu", "b/y.conllu"]) == ["x.conllu", "y.conllu"]
    assert short_labels(["c/a/x.conllu", "c/b/x.conllu"]) == ["a/x.conllu", "b/x.conllu"]
    assert short_labels(["x.conllu", "x.conllu"]) == ["system 1", "system 2"]
    assert short_labels(["a/" + 30 * "x"]) == ["system 1"]


def test_p_values_repeat_and_follow_the_seed(folder: Path) -> None:
    (folder / "long.conllu").write_text(GOLD * 12)
    (folder / "first.conllu").write_text(SYSTEM * 8 + GOLD * 4)
    (folder / "second.conllu").write_text(GOLD * 6 + SYSTEM * 6)
    files = ["long.conllu", "first.conllu", "second.conllu", "--trials", "9999"]
    p_values = [call(folder, *files, "--seed", seed)["systems"][1]["significance"] for seed in ("1", "1", "2")]
    assert p_values[0] == p_values[1] != p_values[2]
    assert p_values[0]["uas"]["difference"] == pytest.approx(100 * 2 / 72)
    assert all(0.5 < metric["p_value"] < 1 for metric in p_values[0].values())


def test_single_root_makes_multi_root_trees_invalid(folder: Path) -> None:
    (folder / "two.conllu").write_text((folder / "gold.conllu").read_text().replace("\t2\t", "\t0\t"))
    options = ["gold.conllu", "two.conllu", "--block-degree", "1"]
    assert call(folder, *options)["systems"][0]["validity"]["valid"] == 100
    document = call(folder, *options, "--single-root")
    assert document["constraint"]["single_root"] is True
    assert document["gold"]["validity"]["valid"] == 100
    assert document["systems"][0]["validity"]["valid"] < 100
    assert re.search(
        r"valid: block degree <= 1, single root +100\.00 ", shell(folder, *options, "--single-root").stdout
    )


def test_json_has_the_scores(folder: Path) -> None:
    document = call(folder, "gold.conllu", "system.conllu", "--block-degree", "1")
    system = document["systems"][0]
    assert (document["gold"]["sentences"], document["gold"]["words"]) == (2, 6)
    assert document["constraint"] == {"block_degree": 1, "well_nested": False, "single_root": False}
    assert system["uas"] == 100 * (5 / 6)
    assert system["validity"]["valid"] == 100
    assert system["validity"]["block_degree"] == {"1": 100, "2": 100, "3": 100}
    assert system["nonprojective"] == {"gold": 0, "system": 0, "precision": None, "recall": None, "f1": None}
    assert "by_length" not in system
    assert system["significance"] == {}


def test_names_the_first_different_token(folder: Path) -> None:
    (folder / "other.conllu").write_text(SYSTEM.replace("\tit\t", "\tthat\t"))
    result = shell(folder, "gold.conllu", "system.conllu", "other.conllu")
    assert (result.returncode, result.stdout) == (1, "")
    assert re.fullmatch(r"wnparse: other\.conllu:5: .*'that' here; gold\.conllu:5 .*'it'\n", result.stderr)


def test_reports_missing_sentences_of_a_pipe(folder: Path) -> None:
    result = shell(folder, "gold.conllu", "-", stdin=SYSTEM.split("\n\n")[0])
    assert (result.returncode, result.stdout) == (1, "")
    assert re.fullmatch(r"wnparse: <stdin>:7: .*sentence one; gold\.conllu:9 .*'yes !'\n", result.stderr)
    result = shell(folder, "gold.conllu", "-")
    assert result.returncode == 1
    assert re.fullmatch(r"wnparse: <stdin>: no sentences; gold\.conllu:3 .*sentence one\n", result.stderr)


def test_words_of_a_system_without_head_are_wrong(folder: Path) -> None:
    result = shell(folder, "gold.conllu", "-", "--json", stdin=SYSTEM.replace("\t0\troot", "\t_\t_"))
    assert (result.returncode, "<stdin>: 2 words without a head" in result.stderr) == (0, True)
    scores = json.loads(result.stdout)["systems"][0]
    before = json.loads(shell(folder, "gold.conllu", "-", "--json", stdin=SYSTEM).stdout)["systems"][0]
    assert scores["uas"] == pytest.approx(before["uas"] - 100 * 2 / scores["words"])


def test_bad_usage_is_exit_2(folder: Path) -> None:
    for arguments in (
        ["gold.conllu"],
        ["gold.conllu", "absent.conllu"],
        ["-", "-"],
        ["gold.conllu", "system.conllu", "--block-degree", "0"],
        ["gold.conllu", "system.conllu", "--by", "colour"],
        ["gold.conllu", "system.conllu", "--ignore-tags", ""],
        ["gold.conllu", "system.conllu", "--trials", "0"],
        ["gold.conllu", "system.conllu", "--trials", "2147483647"],
    ):
        paths = [str(folder / word) if word in {"gold.conllu", "system.conllu"} else word for word in arguments]
        result = CliRunner().invoke(cli, ["eval", *paths])
        assert result.exit_code == 2, arguments
        assert "Error: " in result.output
        assert isinstance(result.exception, SystemExit)


def test_reports_empty_input(folder: Path) -> None:
    (folder / "empty.conllu").write_text("")
    result = shell(folder, "empty.conllu", "-", "--by", "length", "--by", "relation", "--by", "distance")
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"UAS +n/a", result.stdout)
    document = call(folder, "empty.conllu", "-", "--by", "length")
    assert (document["systems"][0]["uas"], document["systems"][0]["by_length"]) == (None, {})


def test_help_has_examples() -> None:
    result = CliRunner().invoke(cli, ["eval", "--help"])
    assert result.exit_code == 0
    assert "Examples:\n    wnparse eval gold.conllu system.conllu\n" in result.output


def test_other_tokens_and_sentences_are_aligned_by_characters(folder: Path) -> None:
    # The second sentence is part of the first, and its two words are one.
    other = SYSTEM[: SYSTEM.index("\n1\tyes")] + "5\tyes!\t_\tINTJ\tUH\t_\t2\tdiscourse\t_\t_\n\n"
    (folder / "other.conllu").write_text(other)
    report = call(
        folder, "gold.conllu", "other.conllu", "system.conllu", "--by", "relation", "--rules", "ud", "--quiet"
    )
    first, second = report["systems"]
    segments = {name: (figures["gold"], figures["system"]) for name, figures in first["segmentation"].items()}
    assert segments == {"tokens": (5, 4), "sentences": (2, 1), "words": (6, 5)}
    assert first["uas"] == pytest.approx(100 * 2 * 3 / (6 + 5))
    assert (second["uas"], second["segmentation"]["words"]["f1"]) == (pytest.approx(100 * 5 / 6), 100)
    assert not first["by_relation"] and not second["significance"] and first["uc"] is None
    assert [counts["sentences"] for counts in report["rules"]["systems"]] == [1, 2]
    result = shell(folder, "gold.conllu", "other.conllu", "system.conllu", "--html", "page.html")
    assert (result.returncode, result.stderr.count("\n")) == (0, 1) and "aligned" in result.stderr
    assert re.search(r"Sentences +0\.00 +100\.00", result.stdout)
    page = (folder / "page.html").read_text()
    assert "Block degree" in page and "by sentence length" not in page
