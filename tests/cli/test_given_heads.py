"""HEAD of the input: not looked at by ``parse``, or kept with ``--keep-heads`` as far as it can be."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wnparse
from support.commands import Run
from support.treebanks import blanked, conllu, first_sentences, sentences, words
from wnparse.decoding.constraints import Constraints
from wnparse.parser import parser
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import parse_sentence
from wnparse.trees import structure

ODD = {
    "cycle": ["2", "1", "0"],
    "no root": ["2", "3", "1"],
    "self-loop": ["1", "0", "2"],
    "outside": ["9", "0", "2"],
    "huge": ["99999999999", "0", "2"],
    "negative": ["-1", "0", "2"],
    "text": ["root", "0", "x y"],
    "empty": ["", "", ""],
    "half a cycle": ["2", "1", "_"],
}


def tree(*heads: str, deprel: str = "dep") -> bytes:
    rows = [f"{i}\tw\tw\tNOUN\tNNn\t_\t{head}\t{deprel}\t_\t_\n" for i, head in enumerate(heads, 1)]
    return "".join(["# sent_id = odd\n", *rows, "\n"]).encode()


GOOD = tree("0", "1", "1").replace(b"odd", b"good")


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("options", [[], ["--k-best", "1"], ["--skip-bad"], ["--jobs", "2"]])
def test_parse_ignores_heads_of_the_input(wnparse_inside: Run, model: str, name: str, options: list[str]) -> None:
    for deprel in ("dep", "", "a|b c"):
        result = wnparse_inside("parse", "-m", model, *options, stdin=GOOD + tree(*ODD[name], deprel=deprel))
        clean = wnparse_inside("parse", "-m", model, *options, stdin=GOOD + tree("_", "_", "_", deprel="_"))
        assert result.returncode == 0, result.stderr
        assert result.stdout == clean.stdout
        assert b"skipped" not in result.stderr


@pytest.mark.parametrize("name", ODD)
def test_refuses_bad_given_heads(wnparse_inside: Run, model: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "t").write_bytes(GOOD + tree(*ODD[name]) + GOOD)
    result = wnparse_inside("parse", "-m", model, "t", "--keep-heads", "-o", "out")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(b"wnparse: t:7: ")
    assert not (tmp_path / "out").exists()
    for jobs in ("1", "2"):
        skipped = wnparse_inside("parse", "-m", model, "t", "--keep-heads", "--skip-bad", "--jobs", jobs)
        assert skipped.returncode == 0
        assert skipped.stdout == (tmp_path / "t").read_bytes()
        assert re.search(b"skipped 1 .*: t:7: ", skipped.stderr)


def test_leaves_out_a_sentence_with_other_errors(wnparse_inside: Run, model: str) -> None:
    short = tree("1", "0").replace(b"\t_\n\n", b"\n\n")
    result = wnparse_inside("parse", "-m", model, "--keep-heads", "--skip-bad", stdin=GOOD + short + GOOD)
    assert result.stdout == GOOD * 2


def test_a_cycle_among_some_heads_is_shown() -> None:
    for heads, cycle in (
        (["_", "3", "2", "_"], "2 → 3 → 2"),
        (["_", "1", "4", "5", "3"], "3 → 4 → 5 → 3"),
        (["3", "_", "1"], "1 → 3 → 1"),
    ):
        with pytest.raises(wnparse.TreebankError, match=f"^t:{1 + int(cycle[0])}: .*cycle: {cycle};"):
            parse_sentence(tree(*heads), path="t", heads="given")
        assert not parse_sentence(tree(*heads)).annotated  # to be looked at, as by wnparse show
        ignored = parse_sentence(tree(*heads), heads="ignored")
        assert ignored.heads.tolist() == [-1] * (len(heads) + 1)
    assert parse_sentence(tree("_", "1", "2", "2"), heads="given").heads.tolist() == [-1, -1, 1, 2, 2]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_given_heads_are_refused_where_no_tree_has_them(n: int) -> None:
    """Against enumeration: heads are accepted if and only if some tree has them."""
    whole = [
        heads
        for heads in itertools.product(range(n + 1), repeat=n)
        if all(reaches_root(word, heads) for word in range(1, n + 1))
    ]
    for given in itertools.product(range(-1, n + 1), repeat=n):
        expected = any(all(g in (-1, h) for g, h in zip(given, heads, strict=True)) for heads in whole)
        try:
            parse_sentence(conllu(["w"] * n, given), heads="given")
        except wnparse.TreebankError:
            assert not expected, given
        else:
            assert expected, given


def reaches_root(word: int, heads: tuple[int, ...]) -> bool:
    for _ in heads:
        word = heads[word - 1] if word else 0
    return word == 0


RELAXED = [
    # Two roots: the single root alone, though nothing else is broken.
    ("2 wn single", ["0", "0", "_", "_"], "single root"),
    # 1 -> 3, 2 -> 4 interleave; their heads leave it so.
    ("2 wn single", ["5", "5", "1", "2", "0"], "well-nestedness"),
    ("2 - single", ["5", "5", "1", "2", "0"], ""),
    ("1 - single", ["3", "0", "2", "1", "2", "3"], "block degree"),
    ("1 wn single", ["5", "5", "1", "2", "0"], "structural constraints"),
    ("2 wn single", ["0", "0", "1", "2"], "single root and well-nestedness"),
    ("1 - single", ["0", "0", "1", "2"], "all constraints"),
    ("1 wn single", ["0", "0", "1", "2"], "all constraints"),
    ("1 - multi", ["0", "0", "1", "2"], "block degree"),
    ("none - single", ["0", "0", "1", "_"], "single root"),
    # Word 1 has three blocks: 1, 3, 5.
    ("2 wn single", ["6", "6", "1", "6", "1", "0"], "block degree"),
]


@pytest.mark.parametrize("constraints, heads, relaxed", RELAXED)
def test_relaxes_only_what_is_impossible(
    wnparse_inside: Run, model: str, constraints: str, heads: list[str], relaxed: str
) -> None:
    degree, nested, root = constraints.split()
    options = [
        "--block-degree",
        degree,
        "--well-nested" if nested == "wn" else "--no-well-nested",
        f"--{root}-root",
    ]
    result = wnparse_inside("parse", "-m", model, "--keep-heads", *options, stdin=tree(*heads))
    assert result.returncode == 0
    notices = [line for line in result.stderr.decode().splitlines() if "relaxed" in line]
    assert notices == ([f"wnparse: <stdin>:1: relaxed {relaxed}"] if relaxed else [])
    predicted = [row[6].decode() for row in words(result.stdout)]
    assert all(head in ("_", after) for head, after in zip(heads, predicted, strict=True))


LOSSES = {
    (): "",
    ("single root",): "single root",
    ("well-nestedness",): "well-nestedness",
    ("block degree",): "block degree",
    ("single root", "well-nestedness"): "single root and well-nestedness",
    ("single root", "block degree"): "single root and block degree",
    ("well-nestedness", "block degree"): "structural constraints",
    ("single root", "well-nestedness", "block degree"): "all constraints",
}


@pytest.mark.parametrize("decoder", ["bnb", "lr"])
def test_no_constraint_is_relaxed_without_need(model: str, decoder: str) -> None:
    """Compare with enumeration: the first set of constraints whose removal allows the given heads is relaxed."""
    n, rng = 5, np.random.default_rng(1)
    trees = [
        np.array([-1, *heads], np.int32)
        for heads in itertools.product(range(n + 1), repeat=n)
        if all(reaches_root(word, heads) for word in range(1, n + 1))
    ]
    constraints = Constraints(2, True, True)
    parser = Parser(wnparse.load(model), ParseOptions(decoder=decoder, constraints=constraints, keep_heads=True))
    for _ in range(150):
        heads = trees[rng.integers(len(trees))].copy()
        heads[1:][rng.random(n) < 0.4] = -1
        parsed = parser.parse([parse_sentence(conllu(["w"] * n, heads[1:].tolist()))])[0]
        assert parsed.parse
        assert all((heads == -1) | (heads == parsed.parse.heads))
        possible = [broken(tree, constraints) for tree in trees if all((heads == -1) | (heads == tree))]
        lost = next(parts for parts in LOSSES if any(names <= set(parts) for names in possible))
        assert parsed.fallback == LOSSES[lost]
        assert broken(parsed.parse.heads, constraints) <= set(lost)


def broken(heads: npt.NDArray[np.int32], constraints: Constraints) -> set[str]:
    shape = structure(heads)
    limits = {
        "block degree": shape.block_degree > (constraints.block_degree or len(heads)),
        "well-nestedness": constraints.well_nested and not shape.well_nested,
        "single root": constraints.single_root and shape.roots > 1,
    }
    return {name for name, there in limits.items() if there}


@pytest.mark.parametrize(
    "heads, relaxed",
    [
        (["0", "0", "_"], "single root"),
        (["3", "4", "0", "_"], "projectivity"),
        (["0", "0", "1", "2"], "all constraints"),
    ],
)
def test_eisner_relaxes_as_little_as_possible(model: str, heads: list[str], relaxed: str) -> None:
    options = ParseOptions(decoder="eisner", constraints=Constraints(single_root=True), keep_heads=True)
    parsed = Parser(wnparse.load(model), options).parse([parse_sentence(tree(*heads))])[0]
    assert parsed.fallback == relaxed


@pytest.mark.parametrize("k", [None, 3])
def test_all_attempts_share_one_time_limit(model: str, monkeypatch: pytest.MonkeyPatch, k: int | None) -> None:
    """Where searches end at their limits, each attempt has what those before it left, the last next to none."""
    requested: list[tuple[str, float]] = []
    limit = parser._limited

    def note(*arguments: Any) -> Any:
        options = limit(*arguments)
        assert options.time_limit is not None
        requested.append((options.decoder, options.time_limit))
        return options

    def search(*arguments: Any) -> list[Any]:
        decoder, seconds = requested[-1]
        if decoder == "msa":
            return scorer.parse(*arguments)
        spent = (0.0, min(seconds, 0.06), 0.0)
        return [SimpleNamespace(trees=[], limited=True, complete=True, head_scores=None, seconds=spent)]

    loaded = wnparse.load(model)
    scorer = loaded._scorer
    loaded.__dict__["_scorer"] = SimpleNamespace(parse=search)
    monkeypatch.setattr(parser, "_limited", note)
    options = ParseOptions(constraints=Constraints(2, True, True), time_limit=0.1, keep_heads=True, k=k)
    parsed = Parser(loaded, options).parse([parse_sentence(tree("_", "1", "1", "_", "_"))])[0]
    assert parsed.parse
    assert parsed.fallback == "structural constraints, because a limit was reached"
    assert parsed.parse.heads[2:4].tolist() == [1, 1]
    assert [decoder for decoder, _ in requested] == ["bnb", "bnb", "msa"]
    given = [seconds for _, seconds in requested]
    assert given[0] == 0.1
    assert given[1] == pytest.approx(0.04)
    assert given[2] <= 0.001


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_unparsed_sentences_have_no_tree(wnparse_inside: Run, model: str, jobs: str) -> None:
    gold = first_sentences("test", 6)
    options = ["-m", model, "--max-words", "9", "--jobs", jobs]
    long = [sentence for sentence in sentences(gold) if len(sentence) > 9]
    assert 0 < len(long) < 6
    result = wnparse_inside("parse", *options, stdin=gold)
    assert result.stderr.count(b"left without a tree") == len(long)
    empty = sentences(blanked(gold, 6, 7))
    for before, after in zip(empty, sentences(result.stdout), strict=True):
        assert after.raw == before.raw if len(after) > 9 else after.annotated
    with_heads = wnparse_inside("parse", *options, "--keep-heads", stdin=gold)
    assert with_heads.stdout == gold
    assert with_heads.stderr.count(b"left as it is") == len(long)


@pytest.mark.filterwarnings("ignore:the sentences. empty")
def test_python_returns_unparsed_sentences_without_a_tree(model: str) -> None:
    loaded = wnparse.load(model)
    (sentence,) = loaded.parse(sentences(conllu(["w"] * 5001, [0, *range(1, 5001)])))
    assert sentence.parse is None
    assert not (sentence.heads[1:] >= 0).any()
    assert set(sentence.column("deprel")) == {"_"}


def test_heads_can_be_ignored_from_python(tmp_path: Path, model: str) -> None:
    (tmp_path / "t").write_bytes(GOOD + tree(*ODD["text"]))
    assert [
        sentence.annotated for sentence in wnparse.load(model).parse(read(tmp_path / "t", heads="ignored"))
    ] == [True] * 2
