"""Commands on half-annotated treebanks: words without a head or a relation."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import conllu, first_sentences
from wnparse.treebanks.reader import read

# A complete sentence, one with two arcs, and one without annotation.
COMPLETE = conllu(["a", "b", "c"], [2, 0, 2], ["nsubj", "root", "obj"], sent_id="complete")
HALF = conllu(["a", "b", "c", "d"], [2, -1, 2, -1], ["nsubj", "_", "obj", "_"], sent_id="half")
NOTHING = conllu(["a", "b"], [-1, -1], ["_", "_"], sent_id="nothing")
CYCLE = conllu(["a", "b", "c"], [2, 1, -1], ["nsubj", "obj", "_"])
BLANK = b"\t_\t_\t_\t_\n"  # the end of a line without head and relation
COUNTS = {"sentences": 3, "complete_sentences": 1, "words": 9, "heads": 5, "relations": 5}
LINE = "half-annotated: 5 of 9 words have a head and 5 a relation; 1 of 3 sentences are complete"


@pytest.fixture
def half(tmp_path: Path) -> str:
    (tmp_path / "half.conllu").write_bytes(COMPLETE + HALF + NOTHING)
    return "half.conllu"


@pytest.mark.parametrize("command", [["stats"], ["rules", "--rules", "ud"]])
def test_reports_what_is_annotated(wnparse_command: Run, half: str, tmp_path: Path, command: list[str]) -> None:
    printed = wnparse_command(*command, half, "--html", "page.html")
    assert (printed.returncode, LINE in printed.stdout.decode()) == (0, True)
    assert LINE in (tmp_path / "page.html").read_text()
    report = json.loads(wnparse_command(*command, half, "--json").stdout)
    assert report["files"][0]["annotated"] == report["all"]["annotated"] == COUNTS


@pytest.mark.parametrize("command", [["stats"], ["rules", "--rules", "ud"], ["eval", "complete.conllu"]])
def test_a_cycle_among_given_heads_is_an_error(wnparse_command: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "complete.conllu").write_bytes(COMPLETE + COMPLETE)
    result = wnparse_command(*command, "-", stdin=COMPLETE + CYCLE)
    assert result.returncode == 1
    assert b"<stdin>:6:" in result.stderr
    skipped = wnparse_command(*command, "-", "--skip-bad", "--json", stdin=COMPLETE + CYCLE)
    assert json.loads(skipped.stdout)["skipped"] == 1


def test_stats_measures_complete_sentences(wnparse_command: Run, half: str, tmp_path: Path) -> None:
    (tmp_path / "complete.conllu").write_bytes(COMPLETE)
    complete = json.loads(wnparse_command("stats", "complete.conllu", "--json").stdout)["all"]
    assert "annotated" not in complete
    measured = json.loads(wnparse_command("stats", half, "--json").stdout)["all"]
    assert {key: value for key, value in measured.items() if key != "annotated"} == complete


def test_stats_without_a_complete_sentence(wnparse_command: Run, tmp_path: Path) -> None:
    result = wnparse_command("stats", "-", "--html", "page.html", stdin=HALF + NOTHING)
    assert result.stdout.startswith(b"half-annotated: 2 of 6 words")
    assert b"no complete sentence in the input" in result.stderr
    assert "There are no complete sentences." in (tmp_path / "page.html").read_text()


def test_rules_counts_cases_that_are_annotated(wnparse_command: Run, half: str, tmp_path: Path) -> None:
    rule = '[[rule]]\nname = "{0}"\nreason = "{0}"\n{1}\n'
    (tmp_path / "two.toml").write_text(
        rule.format("arc", 'forbid = { relation = "obj" }')
        + rule.format("count", 'at-most = 1\ndependents = { relation = "obj" }')
    )
    report = json.loads(wnparse_command("rules", "--rules", "two.toml", half, "--json").stdout)
    assert {name: counts["cases"] for name, counts in report["all"]["rules"].items()} == {"arc": 2, "count": 1}


def test_eval_scores_annotated_words(wnparse_command: Run, half: str, tmp_path: Path) -> None:
    system = HALF.replace(b"\t_\t_\t_\t_\n", b"\t0\troot\t_\t_\n", 1).replace(
        b"\t_\t_\t_\t_\n", b"\t2\tobj\t_\t_\n"
    )
    other = NOTHING.replace(b"\t_\t_\t_\t_\n", b"\t0\troot\t_\t_\n")
    (tmp_path / "system.conllu").write_bytes(COMPLETE + system + other)
    printed = wnparse_command("eval", half, "system.conllu", "--html", "page.html")
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert f"annotation: {LINE}; other words are not scored" in " ".join(printed.stdout.decode().split())
    assert LINE in (tmp_path / "page.html").read_text()
    report = json.loads(wnparse_command("eval", half, "system.conllu", "--json", "--rules", "ud").stdout)
    assert report["gold"]["annotated"] == COUNTS
    scores = report["systems"][0]
    assert (scores["words"], scores["uas"], scores["las"]) == (5, 100.0, 100.0)
    # The other way round, words without a head are wrong.
    result = wnparse_command("eval", "system.conllu", half, "--json")
    assert b"half.conllu: 4 words without a head" in result.stderr
    assert json.loads(result.stdout)["systems"][0]["uas"] == pytest.approx(100 * 5 / 9)


def test_show_draws_what_is_there(wnparse_command: Run, half: str, tmp_path: Path) -> None:
    gapped = conllu(["a", "b", "c"], [0, -1, 1], ["root", "_", "obj"])
    text = wnparse_command("show", "-", stdin=gapped).stdout.decode()
    assert "1 word without head, yields not shown" in text
    assert text.count("▼") == 2
    assert "━" not in text
    assert wnparse_command("show", half, "--html", "page.html", "--svg", "page.svg").returncode == 0
    assert "4 words, 2 words without head" in (tmp_path / "page.html").read_text()
    assert wnparse_command("show", half, "--block-degree", "1+").stdout.count(b"words, projective") == 1


def test_show_compares_with_missing_heads(wnparse_command: Run, half: str, tmp_path: Path) -> None:
    filled = HALF.replace(BLANK, b"\t0\troot\t_\t_\n", 1).replace(BLANK, b"\t2\tobj\t_\t_\n")
    (tmp_path / "filled.conllu").write_bytes(COMPLETE + filled + NOTHING)
    for files in ([half, "filled.conllu"], ["filled.conllu", half]):
        text = wnparse_command("show", files[0], "--differs-from", files[1]).stdout.decode()
        assert text.count("below: 2 words differ") == 1
        assert "complete" not in text


def blank_arcs(text: bytes, rate: float) -> bytes:
    """Remove the heads of some words, with their relations, and some relations alone."""
    rng, lines = random.Random(8), []
    for line in text.split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 10 and cells[0].isdigit():
            if rng.random() < rate:
                cells[6:8] = [b"_", b"_"]
            elif rng.random() < 0.05:
                cells[7] = b"_"
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)


def test_crossval_scores_annotated_words_and_parses_the_others(wnparse_inside: Run, tmp_path: Path) -> None:
    text = blank_arcs(first_sentences("dev", 60), 0.4)
    (tmp_path / "some.conllu").write_bytes(text)
    done = wnparse_inside(
        *("crossval", "some.conllu", "--folds", "3", "--jobs", "1", "--order", "1", "--epochs", "2"),
        *("--only", "parser", "--predictions", "p.conllu", "--suspects", "s.conllu", "--json", "--html", "c.html"),
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    partial, parsed = list(read(tmp_path / "some.conllu", heads="given")), list(read(tmp_path / "p.conllu"))
    heads = sum(int((sentence.heads[1:] >= 0).sum()) for sentence in partial)
    assert report["annotated"]["heads"] == heads == sum(run["words"] for run in report["settings"][0]["runs"])
    assert report["annotated"]["relations"] < heads < report["annotated"]["words"]
    assert b"half-annotated" in done.stderr
    assert "half-annotated" in (tmp_path / "c.html").read_text()
    assert all(sentence.annotated for sentence in parsed)
    # Only what is annotated is suspected.
    suspects = list(read(tmp_path / "s.conllu", heads="given"))
    assert suspects
    for sentence in suspects:
        rows = zip(sentence.column("misc"), sentence.heads[1:], sentence.column("deprel"), strict=True)
        assert all(head >= 0 and relation != "_" for misc, head, relation in rows if "Suspect=" in misc)


def test_train_reports_what_is_annotated_and_that_there_is_no_shape(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 40) + HALF)
    result = wnparse_command("train", "t.conllu", "-o", "m", "--only", "parser", "--order", "1", "--epochs", "1")
    assert result.returncode == 0
    lines = result.stderr.decode().splitlines()
    assert lines[1].startswith("half-annotated: ") and "40 of 41 sentences are complete" in lines[1]
    assert "no shape" in lines[2]


def test_train_stores_the_shape_that_is_given(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 40) + HALF + CYCLE)
    train = ("train", "t.conllu", "-o", "m", "--only", "parser", "--order", "1", "--epochs", "1")
    result = wnparse_command(*train, "--block-degree", "1", "--multi-root")
    assert result.returncode == 0
    assert b"t.conllu" in result.stderr and b"cycle" in result.stderr and b"skipped" in result.stderr
    assert json.loads(wnparse_command("info", "m", "--json").stdout)["constraints"] == {
        "block_degree": 1,
        "well_nested": False,
        "single_root": False,
    }
    assert wnparse_command(*train, "--block-degree", "0").returncode == 2


def test_crossval_skips_cycles_in_half_annotated_sentences(wnparse_inside: Run, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 20) + CYCLE)
    command = ("crossval", "t.conllu", "--folds", "2", "--jobs", "1", "--order", "1", "--epochs", "1")
    result = wnparse_inside(*command, "--only", "parser", "--json")
    assert result.returncode == 0
    assert b"cycle" in result.stderr and b"skipped" in result.stderr
