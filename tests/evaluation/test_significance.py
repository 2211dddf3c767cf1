"""Approximate randomisation against the enumeration of all sign changes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from wnparse.evaluation.significance import CHUNK, randomisation_p_value


def exact_p_value(differences: Sequence[int]) -> float:
    """The share of all sign changes that reach the observed sum."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(value >= observed for value in sums) / len(sums)


@pytest.mark.parametrize(
    "differences", [[3, -1, 2, 1], [1, 1, 1, 1, 1, 1, -1], [5, 0, 0, -5, 2], [4, 4, -1, 2, 2, 0, 7]]
)
def test_p_value_equals_enumeration(differences: list[int]) -> None:
    trials = 100_000
    exact = exact_p_value(differences)
    p_value = randomisation_p_value(np.array(differences), trials=trials)
    assert p_value == pytest.approx(exact, abs=5 * (0.25 / trials) ** 0.5)


def test_p_value_counts_itself() -> None:
    large = np.full(200, 3)
    assert randomisation_p_value(large, trials=999) == 1 / 1000
    assert randomisation_p_value(-large, trials=999) == 1 / 1000
    assert randomisation_p_value(np.zeros(50, np.int64), trials=999) == 1
    assert randomisation_p_value(np.zeros(0, np.int64), trials=10) == 1


def test_p_value_repeats_and_draws_in_pieces() -> None:
    differences = np.array([2, -1, 1, 1, 3, -2, 1])
    trials = 2 * CHUNK + 17
    first = randomisation_p_value(differences, trials=trials, seed=3)
    assert first == randomisation_p_value(differences, trials=trials, seed=3)
    assert first != randomisation_p_value(differences, trials=trials, seed=4)
    assert first == pytest.approx(exact_p_value(differences.tolist()), abs=0.01)
