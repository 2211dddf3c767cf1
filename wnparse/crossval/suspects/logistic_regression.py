"""Logistic regression: weights that tell two kinds of rows apart, with the probability of the second kind.

Newton's method on the penalised likelihood (iteratively reweighted least squares; Hastie, Tibshirani & Friedman
2009, *The Elements of Statistical Learning*, section 4.4.1). Columns are standardised, and their weights penalised
by their squares. O(rows columns²) an iteration, of which there are a dozen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PENALTY = 1.0
ITERATIONS = 100
SMALL_STEP = 1e-9
FARTHEST = 30.0  # log odds

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LogisticRegression:
    """What was learned."""

    means: FloatArray  # [columns]
    scales: FloatArray  # [columns], 1 where a column never changes
    weights: FloatArray  # [columns + 1], the last of them constant

    def log_odds(self, rows: FloatArray) -> FloatArray:
        """The log odds of each row [rows, columns] to be of the second kind."""
        found: FloatArray = _extended((rows - self.means) / self.scales) @ self.weights
        return found


def learn_regression(rows: FloatArray, second: npt.NDArray[np.bool_], shares: FloatArray) -> LogisticRegression:
    """Learn to tell rows of the second kind from the others.

    Parameters
    ----------
    rows : ndarray, shape (rows, columns)
        Finite numbers.
    second : ndarray of bool, shape (rows,)
        Which are of the second kind.
    shares : ndarray, shape (rows,)
        How often each row counts.
    """
    means = np.average(rows, axis=0, weights=shares)
    scales = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=shares))
    scales = np.where(scales > 0, scales, 1.0)
    columns = _extended((rows - means) / scales)
    penalties = np.full(columns.shape[1], PENALTY)
    penalties[-1] = SMALL_STEP  # the constant is free; rows of one kind alone still have a solution
    weights = np.zeros(columns.shape[1])
    loss = _loss(columns, second, shares, penalties, weights)
    for _ in range(ITERATIONS):
        chances = 1 / (1 + np.exp(-np.clip(columns @ weights, -FARTHEST, FARTHEST)))
        slope = columns.T @ (shares * (chances - second)) + penalties * weights
        bend = (columns * (shares * chances * (1 - chances))[:, None]).T @ columns + np.diag(penalties)
        step = np.linalg.solve(bend, slope)
        # A whole step may overshoot where almost all rows are certain.
        while (lower := _loss(columns, second, shares, penalties, weights - step)) > loss + SMALL_STEP:
            step = step / 2
        weights, gained, loss = weights - step, loss - lower, lower
        if gained < SMALL_STEP:
            break
    return LogisticRegression(means, scales, weights)


def _extended(rows: FloatArray) -> FloatArray:
    return np.column_stack([rows, np.ones(len(rows))])


def _loss(
    columns: FloatArray,
    second: npt.NDArray[np.bool_],
    shares: FloatArray,
    penalties: FloatArray,
    weights: FloatArray,
) -> float:
    """Negative log likelihood and penalty."""
    odds = columns @ weights
    return float(shares @ np.logaddexp(0, np.where(second, -odds, odds)) + penalties @ weights**2 / 2)
