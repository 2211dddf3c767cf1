"""The interface of the decoders: arguments, results and errors."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import wnparse
from support import strategies
from support.decoding_cases import SEARCHING, TIGHT, gaussian, same, tight_limits
from support.tree_oracles import is_tree
from wnparse.decoding.registry import DECODERS

FloatArray = strategies.FloatArray


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layouts_and_read_only_arrays_give_the_same(decoder: str, dtype: type) -> None:
    scores = gaussian(9, 3, dtype)
    wide = np.full((10, 17), np.nan, dtype)
    wide[:, :10] = scores
    spread = np.full((20, 20), np.nan, dtype)
    spread[::2, ::2] = scores
    read_only = scores.copy()
    read_only.flags.writeable = False
    raw = b"\0" + scores.tobytes()
    shifted = np.frombuffer(raw, np.uint8)[1:].view(dtype).reshape(10, 10)
    swapped = scores.astype(np.dtype(dtype).newbyteorder())
    expected = wnparse.decode(scores, decoder, **tight_limits(decoder))
    views = [
        np.asfortranarray(scores),
        wide[:, :10],
        spread[::2, ::2],
        read_only,
        shifted,
        swapped,
        scores[::-1][::-1],
    ]
    for view in views:
        assert same(wnparse.decode(view, decoder, **tight_limits(decoder)), expected)
    assert same(wnparse.decode(memoryview(scores), decoder, **tight_limits(decoder)), expected)


def test_accepts_floats_and_integers() -> None:
    small = np.array([[0, 0, 0], [1, 0, 5], [3, 2, 0]])
    for scores in (small, small.astype(np.int8), small.astype(np.float16), small.tolist(), small > 1):
        assert wnparse.decode(scores).certified
    assert wnparse.decode(small.tolist()).score == 8
    for dtype in (complex, object, np.longdouble, str):
        with pytest.raises(ValueError, match=r"dtype .*float32, float64 or integers"):
            wnparse.decode(small.astype(dtype))


@pytest.mark.parametrize("decoder", DECODERS)
def test_scores_are_not_changed(decoder: str) -> None:
    scores = gaussian(12)
    before = scores.copy()
    wnparse.decode(scores, decoder, **tight_limits(decoder))
    assert np.array_equal(scores, before)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.nan])
def test_refuses_every_nan_and_infinity(decoder: str, dtype: type, value: float) -> None:
    for n in (1, 2, 7, 8, 16, 33):
        clean = gaussian(n, n, dtype)
        padded = np.full((1, n + 3, n + 3), np.nan, dtype)
        for m, h in {(1, 0), (n, 0), (n, n - 1), (1, n), (n // 2 + 1, n // 2)} - {(1, 1)}:
            scores = clean.copy()
            scores[m, h] = value
            name = re.escape(f"scores[{m}, {h}] is {'inf' if value == np.inf else 'nan'}")
            with pytest.raises(ValueError, match=name):
                wnparse.decode(scores, decoder)
            padded[0, : n + 1, : n + 1] = scores
            with pytest.raises(ValueError, match=r"batch\[0\]: " + name):
                wnparse.decode_batch(padded, [n], decoder)


@pytest.mark.parametrize("decoder", DECODERS)
def test_row_zero_and_diagonal_are_ignored(decoder: str) -> None:
    for n in (1, 4, 12):
        scores = gaussian(n, n)
        spoilt = strategies.spoil_ignored(scores.copy(), np.random.default_rng(n))
        expected = wnparse.decode(scores, decoder, **tight_limits(decoder))
        assert same(wnparse.decode(spoilt, decoder, **tight_limits(decoder)), expected)


@pytest.mark.parametrize("shape", [(0, 0), (3, 4), (4, 3), (5,), (), (2, 3, 3)])
def test_refuses_wrong_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=re.escape(f"shape {shape}")):
        wnparse.decode(np.zeros(shape))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decoder": "cle"}, "unknown decoder 'cle'"),
        ({"decoder": None}, "unknown decoder None"),
        ({"decoder": ["msa"]}, "unknown decoder"),
        ({"decoder": "msa", "block_degree": 2}, "'msa' cannot enforce trees of block degree"),
        ({"decoder": "msa", "well_nested": True}, "'msa' cannot enforce well-nested trees"),
        ({"decoder": "msa", "block_degree": 1}, "'msa' cannot enforce projective trees"),
        ({"decoder": "eisner", "variant": "corro2016"}, "'eisner' does not support variants"),
        ({"decoder": "msa", "variant": "no-local-search"}, "'msa' does not support variants"),
        ({"block_degree": 0}, "block_degree=0: expected an integer"),
        ({"block_degree": 2**31}, "block_degree=2147483648: expected an integer"),
        ({"max_nodes": 10**5000}, "max_nodes=2**16609 and more"),
        ({"block_degree": -1}, "block_degree=-1"),
        ({"block_degree": True}, "block_degree=True"),
        ({"block_degree": 1.5}, "block_degree=1.5"),
        ({"block_degree": "2"}, "block_degree='2'"),
        ({"block_degree": [2]}, "block_degree="),
        ({"block_degree": 2**40}, "block_degree="),
        ({"well_nested": 1}, "well_nested=1"),
        ({"single_root": None}, "single_root=None"),
        ({"max_iterations": 0}, "max_iterations=0"),
        ({"max_nodes": -5}, "max_nodes=-5"),
        ({"max_nodes": 1e4}, "max_nodes=10000.0"),
        ({"variant": "corro"}, "variant='corro'"),
        ({"variant": ["camerini"]}, "variant="),
    ],
)
def test_refuses_wrong_options(options: dict[str, Any], message: str) -> None:
    wnparse.decode(gaussian(3), block_degree=1)  # block_degree=True must not find what 1 left behind
    with pytest.raises(ValueError, match=re.escape(message)):
        wnparse.decode(gaussian(3), **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        wnparse.decode_batch([gaussian(3)], **options)


def test_options_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        wnparse.decode(gaussian(3), "bnb", 2)  # type: ignore[misc]


def test_accepts_numpy_integers_and_flags() -> None:
    solution = wnparse.decode(gaussian(6), block_degree=np.int64(2), well_nested=np.bool_(True))  # type: ignore[arg-type]
    assert same(solution, wnparse.decode(gaussian(6), block_degree=2, well_nested=True))


@pytest.mark.parametrize("decoder", DECODERS)
def test_no_word_and_one_word(decoder: str) -> None:
    for dtype in (np.float32, np.float64):
        empty = wnparse.decode(np.full((1, 1), np.nan, dtype), decoder, single_root=True)
        assert empty.heads.tolist() == [-1]
        assert empty.score == 0
        one = wnparse.decode(np.array([[np.nan, np.inf], [-2.5, np.nan]], dtype), decoder, single_root=True)
        assert one.heads.tolist() == [-1, 0]
        assert one.score == -2.5


@pytest.mark.parametrize("decoder", DECODERS)
def test_raises_if_no_tree_is_feasible(decoder: str) -> None:
    orphan = gaussian(4)
    orphan[3] = -np.inf
    with pytest.raises(wnparse.InfeasibleError, match="allow no"):
        wnparse.decode(orphan, decoder)
    two_roots = gaussian(4)
    two_roots[[1, 2], 1:] = -np.inf
    assert wnparse.decode(two_roots, decoder).score > -np.inf
    with pytest.raises(wnparse.InfeasibleError, match="single root"):
        wnparse.decode(two_roots, decoder, single_root=True)
    with pytest.raises(wnparse.InfeasibleError, match=r"^batch\[1\], batch\[3\]: "):
        wnparse.decode_batch([gaussian(4), orphan, two_roots, orphan], decoder=decoder)


def test_raises_if_constraints_allow_no_tree() -> None:
    interleaved = np.full((5, 5), -np.inf)  # the only tree: 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 4
    for m, h in ((1, 0), (2, 0), (3, 1), (4, 2)):
        interleaved[m, h] = 1.0
    assert wnparse.decode(interleaved).score == 4
    for decoder in SEARCHING:
        with pytest.raises(wnparse.InfeasibleError, match="no well-nested trees"):
            wnparse.decode(interleaved, decoder, well_nested=True)
        with pytest.raises(wnparse.InfeasibleError, match="no projective trees"):
            wnparse.decode(interleaved, decoder, block_degree=1)
    with pytest.raises(wnparse.InfeasibleError, match="no projective tree"):
        wnparse.decode(interleaved, "msa-eisner", well_nested=True)


@pytest.mark.parametrize("decoder", DECODERS)
def test_lowest_float_as_a_mask_is_a_finite_arc(decoder: str) -> None:
    """Sums of such masks leave the range of float32; they are arcs all the same."""
    lowest = np.finfo(np.float32).min
    scores = np.full((5, 5), lowest, np.float32)
    scores[[1, 2, 3, 4], [2, 1, 4, 3]] = 0  # two cycles, and nothing but masks to break them
    solution = wnparse.decode(scores, decoder, **tight_limits(decoder))
    assert is_tree(solution.heads)
    assert solution.score == 2 * float(lowest)


def test_solution_is_a_record() -> None:
    solution = wnparse.decode(gaussian(5), **TIGHT)
    copy = pickle.loads(pickle.dumps(solution))
    assert same(copy, solution)
    assert repr(solution).startswith("Solution(heads=[-1, ")
    assert type(solution.certified) is bool
    with pytest.raises(AttributeError):
        solution.score = 3  # type: ignore[misc]
