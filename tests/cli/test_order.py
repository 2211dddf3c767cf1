"""Models of order 2 and 3 on the command line: valid trees whatever the limits, threads, given heads, reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.places import DATA
from support.treebanks import blanked, comment, first_sentences, one_sentence, sentences, words
from wnparse.rules.violations import RuleCounter
from wnparse.treebanks.sentence import Sentence

TIGHT = ["--block-degree", "2", "--well-nested", "--single-root"]


@pytest.fixture(scope="module", params=[2, 3])
def higher(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of 120 sentences, calibrated on 50 others."""
    path = tmp_path_factory.mktemp("higher") / "m.wnp"
    (path.parent / "t").write_bytes(first_sentences("dev", 120))
    (path.parent / "d").write_bytes(first_sentences("test", 50))
    arguments = [
        "train",
        "t",
        "--dev",
        "d",
        "-o",
        str(path),
        "--epochs",
        "2",
        "--order",
        str(request.param),
        "--only",
        "parser",
    ]
    subprocess.run([sys.executable, "-m", "wnparse", *arguments], check=True, capture_output=True, cwd=path.parent)
    return str(path)


def check_valid(trees: list[Sentence], block_degree: int = 2) -> None:
    for sentence in trees:
        structure = wnparse.trees.structure(sentence.heads)
        assert structure.block_degree <= block_degree
        assert structure.well_nested
        assert structure.roots == 1


@pytest.mark.parametrize(
    "limits", [[], ["--max-nodes", "1"], ["--time-limit", "0.001"], ["--max-iterations", "1"], ["--no-prune"]]
)
@pytest.mark.parametrize("decoder", ["bnb", "lr", "msa-eisner", "eisner"])
def test_every_tree_is_valid(
    wnparse_inside: Run, higher: str, raw: bytes, tmp_path: Path, decoder: str, limits: list[str]
) -> None:
    arguments = ["parse", "-m", higher, "--decoder", decoder, *TIGHT, *limits, "--report", "r"]
    result = wnparse_inside(*arguments, stdin=raw)
    assert result.returncode == 0, result.stderr
    trees = sentences(result.stdout)
    assert len(trees) == 40
    rows = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    reports = [row for row in rows if "score" in row]
    assert len(reports) >= 40
    relaxed = [bool(row.get("fallback")) for row in reports[:40]]
    if "--time-limit" not in limits:
        assert not any(relaxed)
    check_valid([tree for tree, lost in zip(trees, relaxed, strict=True) if not lost])
    for row in reports[:40]:
        assert row["upper_bound"] is None or row["score"] <= row["upper_bound"] + 1e-6


def test_threads_do_not_change_the_output(wnparse_inside: Run, higher: str) -> None:
    gold = (DATA / "test.conllu").read_bytes()
    one, two = (wnparse_inside("parse", "-m", higher, "--jobs", jobs, stdin=gold) for jobs in ("1", "2"))
    assert one.returncode == 0
    assert one.stdout == two.stdout
    assert one.stderr.count(b"relaxed") == two.stderr.count(b"relaxed") == 0


def test_given_heads_are_kept(wnparse_inside: Run, higher: str) -> None:
    """Every other head of gold trees; relations that were given stay too."""
    gold = first_sentences("test", 30)
    rows, count = [row.split(b"\t") for row in gold.split(b"\n")], 0
    for row in rows:
        if row[0].isdigit() and (count := count + 1) % 2:
            row[6] = row[7] = b"_"
    given = b"\n".join(b"\t".join(row) for row in rows)
    result = wnparse_inside("parse", "-m", higher, "--keep-heads", stdin=given)
    assert result.returncode == 0
    for before, after in zip(words(given), words(result.stdout), strict=True):
        assert before[6] in (b"_", after[6])
        assert before[7] in (b"_", after[7])
    free = wnparse_inside("parse", "-m", higher, stdin=blanked(gold, 6, 7))
    right, unaided = (
        np.mean([a[6] == b[6] for a, b in zip(words(gold), words(run.stdout), strict=True)])
        for run in (result, free)
    )
    assert right > unaided


def test_a_tree_that_is_given_whole_is_kept(wnparse_inside: Run, higher: str) -> None:
    gold = first_sentences("test", 30)
    result = wnparse_inside(
        "parse", "-m", higher, "--keep-heads", "--block-degree", "none", "--no-well-nested", stdin=gold
    )
    assert result.stdout == gold


@pytest.mark.slow
@pytest.mark.parametrize("size", [200, 1000])
def test_long_sentences_end_within_a_limit(wnparse_inside: Run, higher: str, size: int) -> None:
    start = time.perf_counter()
    result = wnparse_inside("parse", "-m", higher, *TIGHT, "--time-limit", "1", stdin=one_sentence(size))
    assert result.returncode == 0
    # Pruning, scoring and every search under rules included.
    assert time.perf_counter() - start < (30 if os.environ.get("CI") else 2.5)
    (tree,) = sentences(result.stdout)
    assert tree.annotated
    if b"relaxed" not in result.stderr:
        check_valid([tree])


@pytest.mark.parametrize("options", [[], ["--decoder", "msa"], ["--decoder", "eisner"], ["--no-prune"]])
def test_ranks_trees_by_rules_and_score(wnparse_inside: Run, higher: str, raw: bytes, options: list[str]) -> None:
    """The first tree is that of plain parse, scores fall, no two trees are the same, all are valid."""
    plain = sentences(wnparse_inside("parse", "-m", higher, *options, stdin=raw).stdout)
    result = wnparse_inside("parse", "-m", higher, *options, "--k-best", "4", stdin=raw)
    assert result.returncode == 0, result.stderr
    ranked = sentences(result.stdout)
    firsts = [i for i, tree in enumerate(ranked) if "# rank = 1" in tree.comments]
    assert len(firsts) == len(plain)
    assert len(ranked) > 3 * len(plain)
    exact = 0
    for tree, first, end in zip(plain, firsts, [*firsts[1:], len(ranked)], strict=True):
        group = ranked[first:end]
        assert 1 <= len(group) <= 4  # the pruner leaves few trees of short sentences
        assert len({candidate.heads.tobytes() for candidate in group}) == len(group)
        ranks = [
            (int(comment(candidate, "broken", "0")), -float(comment(candidate, "score"))) for candidate in group
        ]
        assert ranks == sorted(ranks)
        exact += np.array_equal(tree.heads, group[0].heads) and tree.column("deprel") == group[0].column("deprel")
        if not options:
            check_valid(group, 3)
    # A search for one tree and one for several may end at a limit with different ones.
    assert exact >= len(plain) - 1 if options[:1] != ["--decoder"] else exact > 0.8 * len(plain)


def test_the_first_of_a_ranking_is_the_parse(wnparse_inside: Run, higher: str, raw: bytes) -> None:
    plain = wnparse_inside("parse", "-m", higher, stdin=raw)
    ranked = wnparse_inside("parse", "-m", higher, "--k-best", "1", stdin=raw)
    assert words(plain.stdout) == words(ranked.stdout)


@pytest.mark.parametrize("options", [[], ["--decoder", "lr"], ["--k-best", "2"], ["--no-prune"], ["--jobs", "2"]])
def test_prints_confidence(wnparse_inside: Run, higher: str, raw: bytes, options: list[str]) -> None:
    result = wnparse_inside("parse", "-m", higher, "--confidence", *options, stdin=raw)
    assert result.returncode == 0, result.stderr
    probabilities = [float(row[9].split(b"HeadProb=")[1].split(b"|")[0]) for row in words(result.stdout)]
    assert all(0 <= probability <= 1 for probability in probabilities)
    assert 0.5 < np.mean(probabilities) < 0.999
    if "--k-best" not in options:
        free = wnparse_inside("parse", "-m", higher, *options, stdin=raw)
        assert [row[:9] for row in words(free.stdout)] == [row[:9] for row in words(result.stdout)]


def test_given_heads_have_full_confidence(wnparse_inside: Run, higher: str) -> None:
    """These words have no other head, so their probability is 1."""
    gold = first_sentences("test", 10)
    result = wnparse_inside("parse", "-m", higher, "--keep-heads", "--confidence", stdin=gold)
    assert result.returncode == 0
    assert all(b"HeadProb=1.00" in row[9] for row in words(result.stdout))


def test_confidence_is_calibrated(higher: str) -> None:
    """The mean probability of held-out heads is near their accuracy."""
    model = wnparse.load(higher)
    assert model.calibration is not None
    assert model.calibration.pruned is None
    assert 0 <= model.calibration.rest <= 0.5
    gold = list(wnparse.read(DATA / "test.conllu"))[50:]
    probabilities, right = [], []
    for sentence, parsed in zip(gold, model.parse(gold, confidence=True), strict=True):
        probabilities += parsed.parse.head_probabilities.tolist()[1:]  # type: ignore[union-attr]
        right += (parsed.heads == sentence.heads).tolist()[1:]
    assert abs(np.mean(probabilities) - np.mean(right)) < 0.05


def test_rules_see_given_relations(higher: str) -> None:
    """What a given relation breaks is counted, and other words do not break it further."""
    rule = '[[rule]]\nname = "one"\nreason = "-"\nat-most = 1\ndependents = { relation = "nsubj" }\n'
    rules = wnparse.Rules.parse(rule)
    given = [sentence for sentence in wnparse.read(DATA / "test.conllu") if 3 < len(sentence) < 15][:30]
    partial, broken = [], []
    for number, sentence in enumerate(given):
        heads, relations = np.full_like(sentence.heads, -1), ["_"] * len(sentence.heads)
        root = int(np.flatnonzero(sentence.heads == 0)[0])
        others = [word for word in range(1, len(sentence) + 1) if word != root][: 1 + number % 2]
        for word in others:
            heads[word], relations[word] = root, "nsubj"
        partial.append(sentence.with_tree(heads, relations))
        broken.append(number % 2)
    parsed = list(
        wnparse.load(higher).parse(partial, keep_heads=True, rules=rules, block_degree=None, well_nested=False)
    )
    assert [sentence.parse.broken for sentence in parsed] == broken
    counter = RuleCounter(rules)
    counts = [sum(taken.units for taken in counter.look(sentence)[0].violations) for sentence in parsed]
    assert counts == broken
