"""``wnparse parse --k-best``: all trees of tiny sentences, order, comments, ids, options."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path

import conllu
import numpy as np
import pytest

import wnparse
from support import decoding_oracles as oracle
from support.commands import Run
from support.decoding_cases import RANKING
from support.treebanks import columns, comment, one_sentence, sentences
from wnparse.decoding.registry import DECODERS
from wnparse.parser.output import with_rank
from wnparse.parser.tokens import encode
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.sentence import Sentence

ROWS = ["Posara posara NOUN NNn", "reipolavet reipolir VERB VP", "lodrinivan lodriniva NOUN NNa", ". . PUNCT ZS"]


def sentence(n: int, *comments: str, end: str = "\n\n", newline: str = "\n") -> bytes:
    lines = [f"{i}\t" + row.replace(" ", "\t") + "\t_\t_\t_\t_\t_" for i, row in enumerate(ROWS[:n], 1)]
    return ((newline).join([*comments, *lines]) + end).encode()


def groups(data: bytes) -> list[list[Sentence]]:
    """The trees of each sentence."""
    rankings: list[list[Sentence]] = []
    for tree in sentences(data):
        if comment(tree, "rank") == "1":
            rankings.append([])
        rankings[-1].append(tree)
        assert comment(tree, "rank") == str(len(rankings[-1]))
    return rankings


@pytest.mark.parametrize(
    "options, limits",
    [
        (["--decoder", "msa"], (None, False, True)),
        (["--decoder", "msa", "--multi-root"], (None, False, False)),
        (["--decoder", "eisner"], (1, False, True)),
        (["--block-degree", "1"], (1, False, True)),
        (["--block-degree", "2", "--well-nested", "--multi-root"], (2, True, False)),
        (["--block-degree", "none", "--no-well-nested", "--no-prune"], (None, False, True)),
    ],
)
@pytest.mark.parametrize("n", [1, 3, 4])
def test_ranks_all_trees_of_tiny_sentences(
    wnparse_inside: Run, model: str, options: list[str], limits: tuple[int | None, bool, bool], n: int
) -> None:
    parser = wnparse.load(model)
    (given,) = sentences(sentence(n))
    prune = "--no-prune" not in options
    scores, _ = parser._scorer.scores(encode(given, parser.columns), prune)
    every = oracle.Enumeration(scores)
    expected = np.sort(every.scores[every.trees.valid(*limits) & (every.scores > -np.inf)])[::-1]
    assert len(expected) > (n > 1)
    for k in (1, 2, 7, 1000):
        (trees,) = groups(
            wnparse_inside("parse", "-m", model, *options, "--k-best", str(k), stdin=given.raw).stdout
        )
        printed = np.array([float(comment(tree, "score")) for tree in trees])
        np.testing.assert_allclose(printed, expected[:k], rtol=1e-6)
        assert (np.diff(printed) <= 0).all()
        rows = [every.find(tree.heads) for tree in trees]
        assert None not in rows and len(set(rows)) == len(rows)
        np.testing.assert_allclose(every.scores[rows], printed, rtol=1e-6)
        for tree in trees:
            best = parser._scorer.label(encode(given, parser.columns), tree.heads)[1:].tolist()
            assert tree.column("deprel") == [parser.labels[label] if label >= 0 else "_" for label in best]


@pytest.mark.parametrize("options", [[], *(["--decoder", name] for name in RANKING), ["--no-prune"]])
def test_the_first_tree_is_the_parse(wnparse_inside: Run, model: str, raw: bytes, options: list[str]) -> None:
    plain = sentences(wnparse_inside("parse", "-m", model, *options, stdin=raw).stdout)
    ranked = groups(wnparse_inside("parse", "-m", model, *options, "--k-best", "4", stdin=raw).stdout)
    assert len(plain) == len(ranked) == 40
    for one, trees in zip(plain, ranked, strict=True):
        assert len(trees) == 4
        assert columns(trees[0].raw)[-len(one) - 2 :] == columns(one.raw)[-len(one) - 2 :]
        assert len({tree.heads.tobytes() for tree in trees}) == 4


def test_jobs_do_not_change_output_and_report(
    wnparse_command: Run, model: str, raw: bytes, tmp_path: Path
) -> None:
    command = ["parse", "-m", model, "--k-best", "3", "--report", "r", "--jobs"]
    first = wnparse_command(*command, "1", stdin=raw)
    assert wnparse_command(*command, "3", stdin=raw).stdout == first.stdout
    lines = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    assert len(lines) == 40
    for line, trees in zip(lines, groups(first.stdout), strict=True):
        assert line["sent_id"] == trees[0].sent_id
        assert [str(tree["score"]) for tree in line["trees"]] == [comment(tree, "score") for tree in trees]
        assert line["score"] == line["trees"][0]["score"]
        assert all(tree["certified"] and tree["score"] <= tree["upper_bound"] for tree in line["trees"])
    assert b"100.00 % provably optimal" in first.stderr
    assert b"best arborescences" not in first.stderr


def test_given_heads_are_in_every_tree(wnparse_inside: Run, model: str, raw: bytes) -> None:
    parsed = sentences(wnparse_inside("parse", "-m", model, stdin=raw).stdout)
    half = [tree.with_tree(np.where(np.arange(len(tree) + 1) % 2, tree.heads, -1)) for tree in parsed]
    text = b"".join(tree.raw for tree in half)
    rankings = groups(wnparse_inside("parse", "-m", model, "--keep-heads", "--k-best", "3", stdin=text).stdout)
    for given, trees in zip(half, rankings, strict=True):
        fixed = given.heads >= 0
        assert len(trees) == 3 or len(given) < 6
        for tree in trees:
            assert (tree.heads[fixed] == given.heads[fixed]).all()
            assert len(set(tree.column("deprel")) & {"_"}) == 0


def test_a_long_sentence_does_not_stall(wnparse_command: Run, model: str) -> None:
    result = wnparse_command("parse", "-m", model, "--k-best", "3", stdin=one_sentence(300))
    assert result.returncode == 0
    (trees,) = groups(result.stdout)
    scores = [float(comment(tree, "score")) for tree in trees]
    assert len(trees) == 3 and scores == sorted(scores, reverse=True)
    limits = wnparse.load(model).constraints
    for tree in trees:
        bound = comment(tree, "upper_bound")
        assert not bound or float(bound) >= float(comment(tree, "score"))
        assert limits.block_degree is None or wnparse.block_degree(tree.heads) <= limits.block_degree
        assert wnparse.is_well_nested(tree.heads) or not limits.well_nested


def test_writes_rank_and_score_as_comments(wnparse_inside: Run, model: str) -> None:
    old = ["# newdoc id = d", "# newpar", "# sent_id = s 1", "# rank = 7", "# score = 3", "# upper_bound = 4"]
    text = sentence(3, *old, "# text = a b c") + b"# no words\n\n" + sentence(1)
    output = wnparse_inside("parse", "-m", model, "--k-best", "2", stdin=text).stdout.decode()
    output = re.sub(r"# score = [-\d.]+\n", "# score = S\n", output)
    comments = [[line for line in block.split("\n") if line[:1] == "#"] for block in output.split("\n\n")]
    assert comments == [
        ["# newdoc id = d", "# newpar", "# sent_id = s 1", "# text = a b c", "# rank = 1", "# score = S"],
        ["# sent_id = s 1-rank2", "# text = a b c", "# rank = 2", "# score = S"],
        ["# no words"],
        ["# rank = 1", "# score = S"],
        [],
    ]


def parse_of(score: float, upper_bound: float, certified: bool) -> Parse:
    return Parse(np.array([-1, 0, 1], np.int32), None, score, upper_bound, certified, 1, 1, (0.0, 0.0, 0.0))


def test_keeps_the_byte_order_mark_of_the_first_tree() -> None:
    mark = b"\xef\xbb\xbf"
    for newline in ("\n", "\r\n"):
        end = newline.encode()
        raw = mark + end + sentence(2, "# sent_id = x", end=newline, newline=newline)
        first, second = (with_rank(raw, rank, parse_of(1.5, 2.5, rank == 1)) for rank in (1, 2))
        assert first.startswith(mark + end + b"# sent_id = x" + end + b"# rank = 1" + end + b"# score = 1.5" + end)
        assert second.startswith(b"# sent_id = x-rank2" + end + b"# rank = 2" + end + b"# score = 1.5" + end)
        assert b"upper_bound" not in first
        assert b"# upper_bound = 2.5" + end in second
        assert first.endswith(end * 2) and second.endswith(end * 2)
        assert [len(tree) for tree in sentences(first + second)] == [2, 2]
    bare = with_rank(mark + sentence(2, end=""), 1, parse_of(0.0, np.inf, False))
    assert bare.startswith(mark + b"# rank = 1\n# score = 0.0\n1\t")
    assert bare.endswith(b"_\n\n")


def test_other_tools_read_the_output(wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    output = wnparse_inside("parse", "-m", model, "--k-best", "3", "--drop-deps", stdin=raw).stdout
    lists = conllu.parse(output.decode())
    assert [tokens.metadata["rank"] for tokens in lists] == ["1", "2", "3"] * 40
    assert len({tokens.metadata["sent_id"] for tokens in lists}) == 120
    for _, trees in groupby(lists, lambda tokens: tokens.metadata["text"]):
        scores = [float(tokens.metadata["score"]) for tokens in trees]
        assert scores == sorted(scores, reverse=True)
    validator = pytest.importorskip("udtools.validator")
    (tmp_path / "k.conllu").write_bytes(output)
    assert validator.Validator(lang="en", level=2).validate_files([str(tmp_path / "k.conllu")]).passed()
    repeated = re.sub(rb"-rank\d\n", b"\n", output)
    (tmp_path / "k.conllu").write_bytes(repeated)
    assert not validator.Validator(lang="en", level=2).validate_files([str(tmp_path / "k.conllu")]).passed()


@pytest.mark.parametrize(
    "options, message",
    [
        *((["--decoder", name], b"expected one of msa, eisner, bnb") for name in DECODERS if name not in RANKING),
        (["--decoder", "msa", "--block-degree", "2"], b"cannot enforce"),
        (["--k-best", "0"], b"--k-best"),
    ],
)
def test_refuses_contradictory_options(
    wnparse_inside: Run, model: str, options: list[str], message: bytes
) -> None:
    result = wnparse_inside("parse", "-m", model, "--k-best", "2", *options, "-o", "out")
    assert result.returncode == 2
    assert message in result.stderr.splitlines()[-1]
    assert not Path("out").exists()


def test_python_returns_the_same_rankings(model: str, raw: bytes) -> None:
    parser = wnparse.load(model)
    given = sentences(raw)[:5] + sentences(b"# no words\n\n")
    rankings = list(parser.parse(given, k=3))
    assert [len(trees) for trees in rankings] == [3] * 5 + [1]
    assert rankings[-1] == given[-1:]
    plain = list(parser.parse(given[:5]))
    for one, trees in zip(plain, rankings[:5], strict=True):
        assert isinstance(one, Sentence)
        first = trees[0]
        assert isinstance(first, Sentence)
        assert first.heads.tolist() == one.heads.tolist()
        assert first.column("deprel") == one.column("deprel")
    lists = [sentence.to_tokenlist() for sentence in given[:2]]
    ranked = list(parser.parse(lists, k=2, decoder="msa", block_degree=None, well_nested=False))
    assert [tokens.metadata["rank"] for trees in ranked for tokens in trees] == ["1", "2", "1", "2"]
    with pytest.raises(ValueError, match="expected one of msa, eisner, bnb"):
        parser.parse(given, k=2, decoder="lr")
    with pytest.raises(ValueError, match="k"):
        parser.parse(given, k=0)
