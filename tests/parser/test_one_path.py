"""One road from sentence to tree: the command line, Python and training agree, and decoders may join them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import conllu
import numpy as np
import pytest

import wnparse
from support.commands import Run
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import DECODERS, find_decoder, register_decoder
from wnparse.decoding.solution import Solution
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer, dev_scores

FloatArray = np.ndarray[Any, np.dtype[np.float64]]


def best_of_core(
    scores: FloatArray, constraints: Constraints, *, max_iterations: int, max_nodes: int, time_limit: float | None
) -> Solution | None:
    """Decode as a decoder written in Python may do: here, with the core."""
    assert scores.dtype == np.float64 and (scores[0] == -np.inf).all() and (np.diag(scores) == -np.inf).all()
    assert max_iterations >= 1 and max_nodes >= 1
    try:
        return wnparse.decode(scores, "bnb", **vars(constraints))
    except wnparse.InfeasibleError:
        return None


def nothing(scores: FloatArray, constraints: Constraints, **limits: object) -> None:
    """Finds no tree."""


@pytest.fixture
def registered() -> Iterator[None]:
    register_decoder("core-again", best_of_core)
    register_decoder("none", nothing)
    yield
    del DECODERS["core-again"], DECODERS["none"]


def sentences(raw: bytes, folder: Path) -> list[wnparse.Sentence]:
    path = folder / "raw.conllu"
    path.write_bytes(raw)
    return list(wnparse.read(str(path)))


@pytest.mark.filterwarnings("ignore:decoder 'msa' cannot enforce")
@pytest.mark.parametrize("options", [{}, {"k": 3}, {"decoder": "eisner"}, {"decoder": "msa"}], ids=str)
def test_python_gives_the_same_as_the_command_line(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: dict[str, Any]
) -> None:
    flags = [word for name, value in options.items() for word in (f"--{name.replace('k', 'k-best')}", str(value))]
    if "decoder" in options:
        flags = ["--decoder", options["decoder"]]
    expected = wnparse_inside("parse", "-m", model, *flags, stdin=raw).stdout
    loaded, given = wnparse.load(model), sentences(raw, tmp_path)
    for jobs in (1, 2):
        results = loaded.parse(given, **options, jobs=jobs)
        trees = [tree for result in results for tree in (result if isinstance(result, list) else [result])]
        assert b"".join(tree.raw for tree in trees) == expected
        assert all(tree.parse.fallback == "" and tree.parse.score <= tree.parse.upper_bound for tree in trees)


def test_a_generator_is_not_read_ahead(model: str, raw: bytes, tmp_path: Path) -> None:
    taken = []

    def one_by_one() -> Iterator[wnparse.Sentence]:
        for sentence in sentences(raw, tmp_path):
            taken.append(sentence)
            yield sentence

    stream = wnparse.load(model).parse(one_by_one())
    next(stream)
    assert len(taken) == 1


def test_returns_token_lists_for_token_lists(model: str, raw: bytes) -> None:
    (tree, *_) = wnparse.load(model).parse(conllu.parse(raw.decode()), jobs=2)
    assert isinstance(tree, conllu.TokenList)
    assert [token["head"] for token in tree] == tree.parse.heads[1:].tolist()


@pytest.mark.usefixtures("registered")
def test_strict_parsing_raises_where_constraints_are_relaxed(model: str, raw: bytes, tmp_path: Path) -> None:
    loaded, given = wnparse.load(model), sentences(raw, tmp_path)
    assert loaded.constraints.structural
    trees = list(loaded.parse(given, decoder="none", rules=None))
    assert {tree.parse.fallback for tree in trees} == {"structural constraints"}
    free = loaded.parse(given, decoder="msa", block_degree=None, well_nested=False, rules=None)
    assert [tree.raw for tree in trees] == [tree.raw for tree in free]
    with pytest.raises(wnparse.InfeasibleError, match=r"raw.conllu:1: .*relaxed structural constraints"):
        next(loaded.parse(given, decoder="none", strict=True, rules=None))
    assert len(list(loaded.parse(given, strict=True))) == len(given)


@pytest.mark.usefixtures("registered")
def test_a_decoder_in_python_works_everywhere(model: str, raw: bytes, tmp_path: Path) -> None:
    scores = np.random.default_rng(1).normal(size=(5, 9, 9))
    limits: dict[str, Any] = {"block_degree": 2, "well_nested": True, "single_root": True}
    for matrix in scores:
        own, core = wnparse.decode(matrix, "core-again", **limits), wnparse.decode(matrix, "bnb", **limits)
        assert own.heads.tolist() == core.heads.tolist() and own.score == core.score
    lengths = [8, 3, 5, 8, 1]
    own_all = wnparse.decode_batch(scores, lengths, "core-again", **limits)
    core_all = wnparse.decode_batch(scores, lengths, "bnb", **limits)
    for column in ("heads", "score", "certified", "lengths"):
        assert np.array_equal(getattr(own_all, column), getattr(core_all, column))
    loaded, given = wnparse.load(model), sentences(raw, tmp_path)
    trees = [tree.raw for tree in loaded.parse(given, decoder="core-again", jobs=2, rules=None)]
    assert trees == [tree.raw for tree in loaded.parse(given, rules=None)]


@pytest.mark.usefixtures("registered")
def test_checks_the_contract_of_a_decoder_in_python() -> None:
    with pytest.raises(ValueError, match="is nan"):
        wnparse.decode(np.full((3, 3), np.nan), "core-again")
    with pytest.raises(ValueError, match=r"batch\[1\]: scores\[1, 0\] is nan"):
        wnparse.decode_batch([np.zeros((3, 3)), np.full((3, 3), np.nan)], decoder="core-again")
    with pytest.raises(wnparse.InfeasibleError, match="allow no trees"):
        wnparse.decode(np.zeros((3, 3)), "none")
    with pytest.raises(wnparse.InfeasibleError, match=r"batch\[0\], batch\[1\]"):
        wnparse.decode_batch(np.zeros((2, 3, 3)), decoder="none")
    with pytest.raises(ValueError, match="variants"):
        wnparse.decode(np.zeros((3, 3)), "core-again", variant="camerini")
    with pytest.raises(ValueError, match="finds one tree"):
        wnparse.decode(np.zeros((3, 3)), "core-again", k=2)
    with pytest.raises(ValueError, match="already"):
        register_decoder("bnb", nothing)
    assert find_decoder("none").code is None


def test_training_evaluates_as_parse_does(model: str, raw: bytes, tmp_path: Path) -> None:
    loaded, given = wnparse.load(model), sentences(raw, tmp_path)
    parser = Parser(
        loaded, ParseOptions(decoder="msa", constraints=Constraints(single_root=loaded.constraints.single_root))
    )
    parsed = [tree.parse for tree in parser.stream(given, 2) if tree.parse]
    gold = [sentence.with_tree(tree.heads, tree.labels) for sentence, tree in zip(given, parsed, strict=True)]
    assert dev_scores(loaded, gold) == (100.0, 100.0)


@pytest.mark.parametrize(
    "heads, score, bound, wrong",
    [
        ([-1, 2, 1], 0.0, 0.0, r"heads \[-1, 2, 1\]"),
        ([-1, 0], 0.0, 0.0, "over 2 words"),
        ([-1, 0, 0], 0.0, 0.0, "with a single root"),
        ([-1, 0, 1], 1.0, 1.0, "score 1.0; expected 0.0"),
        ([-1, 0, 1], 0.0, -1.0, "upper bound -1.0"),
    ],
)
def test_wrong_results_of_a_decoder_raise_runtime_error(
    heads: list[int], score: float, bound: float, wrong: str
) -> None:
    register_decoder("broken", lambda *_, **__: Solution(np.array(heads, np.int32), score, bound, False, 0, 0))
    try:
        with pytest.raises(RuntimeError, match=wrong):
            wnparse.decode(np.zeros((3, 3)), "broken", single_root=True)
    finally:
        del DECODERS["broken"]


@pytest.mark.usefixtures("registered")
def test_training_accepts_decoders_of_the_core_only(raw: bytes, tmp_path: Path) -> None:
    given = [s.with_tree(np.arange(-1, len(s), dtype=np.int32)) for s in sentences(raw, tmp_path)]
    with pytest.raises(ValueError, match="decoder 'core-again' is written in Python"):
        Trainer(given, None, TrainOptions(decoder="core-again", order=1))
