"""Score matrices, in seeded families and as Hypothesis strategies with ties, -inf and integers; random trees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

FloatArray = npt.NDArray[np.floating]


def gaussian(rng: np.random.Generator, n: int) -> FloatArray:
    return rng.normal(size=(n + 1, n + 1))


def integer(rng: np.random.Generator, n: int) -> FloatArray:
    """Few values, so that many trees tie."""
    return rng.integers(-2, 3, size=(n + 1, n + 1)).astype(np.float64)


def sparse(rng: np.random.Generator, n: int) -> FloatArray:
    """Many arcs forbidden: often no projective tree is left, sometimes no tree at all."""
    scores = gaussian(rng, n)
    scores[rng.random(scores.shape) < rng.uniform(0.2, 0.7)] = -np.inf
    return scores


def constant(rng: np.random.Generator, n: int) -> FloatArray:
    return np.full((n + 1, n + 1), rng.choice([-3.0, 0.0, 7.5]))


def offset(rng: np.random.Generator, n: int) -> FloatArray:
    """Small differences between large scores: what a tolerance by magnitude would swallow."""
    return 1000 + 0.001 * gaussian(rng, n)


FAMILIES: dict[str, Callable[[np.random.Generator, int], FloatArray]] = {
    "gaussian": gaussian,
    "integer": integer,
    "sparse": sparse,
    "constant": constant,
    "offset": offset,
}


def spoil_ignored(scores: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Fill row 0 and the diagonal, which are ignored, with what would be an error elsewhere."""
    junk = np.array([np.nan, np.inf, -np.inf, 1e30])
    scores[0] = rng.choice(junk, size=len(scores))
    np.fill_diagonal(scores, rng.choice(junk, size=len(scores)))
    return scores


@st.composite
def score_matrices(draw: st.DrawFn, max_words: int = 5) -> FloatArray:
    """Small matrices of either dtype: floats, few integers, -inf; row 0 and diagonal hold anything."""
    n = draw(st.integers(0, max_words))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    element = draw(
        st.sampled_from(
            [
                st.floats(-100, 100, width=16),
                st.integers(-2, 2),
                st.one_of(st.just(-np.inf), st.integers(-3, 3)),
                st.one_of(st.just(-np.inf), st.floats(-1, 1, width=16)),
            ]
        )
    )
    rows = draw(st.lists(st.lists(element, min_size=n + 1, max_size=n + 1), min_size=n + 1, max_size=n + 1))
    return np.array(rows, dtype)


constraints = st.fixed_dictionaries(
    {
        "block_degree": st.sampled_from([None, 1, 2, 3, 4]),
        "well_nested": st.booleans(),
        "single_root": st.booleans(),
    }
)


@st.composite
def trees(draw: st.DrawFn, most: int = 12, least: int = 1) -> list[int]:
    """Heads of a random tree, without that of node 0: words in random order, each below one before it."""
    n = draw(st.integers(least, most))
    order = [0, *draw(st.permutations(range(1, n + 1)))]
    heads = [0] * (n + 1)
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    return heads[1:]


def pairs(most: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    """Two trees over the same words."""
    return st.integers(1, most).flatmap(lambda n: st.tuples(trees(n, n), trees(n, n)))
