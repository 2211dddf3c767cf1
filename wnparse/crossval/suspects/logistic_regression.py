"""Logistic regression: weights that distinguish two kinds of rows, and the probability of the second kind.

Newton's method on the penalised likelihood (iteratively reweighted least squares; Hastie, Tibshirani & Friedman
2009, *The Elements of Statistical Learning*, section 4.4.1). Columns are standardised, and their weights penalised
by their squares. O(rows columns²) per iteration; there are about a dozen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PENALTY = 1.0
ITERATIONS = 100
SMALL_STEP = 1e-9
MAX_LOG_ODDS = 30.0

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LogisticRegression:
    """The weights, and how rows are standardised."""

    means: FloatArray  # [columns]
    scales: FloatArray  # [columns], 1 where a column never changes
    weights: FloatArray  # [columns + 1], the last of them constant

    def log_odds(self, rows: FloatArray) -> FloatArray:
        """Return the log odds of each row [rows, columns] to be of the second kind."""
        odds: FloatArray = _with_constant((rows - self.means) / self.scales) @ self.weights
        return odds


def learn_regression(
    rows: FloatArray, second: npt.NDArray[np.bool_], row_weights: FloatArray
) -> LogisticRegression:
    """Learn to distinguish rows of the second kind from the others.

    Parameters
    ----------
    rows : ndarray, shape (rows, columns)
        Finite numbers.
    second : ndarray of bool, shape (rows,)
        Which rows are of the second kind.
    row_weights : ndarray, shape (rows,)
        Weight of each row.
    """
    means = np.average(rows, axis=0, weights=row_weights)
    scales = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=row_weights))
    scales = np.where(scales > 0, scales, 1.0)
    columns = _with_constant((rows - means) / scales)
    penalties = np.full(columns.shape[1], PENALTY)
    penalties[-1] = SMALL_STEP  # the constant is free; rows of one kind alone still have a solution

    def negative_log_likelihood(weights: FloatArray) -> float:
        odds = columns @ weights
        return float(row_weights @ np.logaddexp(0, np.where(second, -odds, odds)) + penalties @ weights**2 / 2)

    weights = np.zeros(columns.shape[1])
    loss = negative_log_likelihood(weights)
    for _ in range(ITERATIONS):
        probabilities = 1 / (1 + np.exp(-np.clip(columns @ weights, -MAX_LOG_ODDS, MAX_LOG_ODDS)))
        gradient = columns.T @ (row_weights * (probabilities - second)) + penalties * weights
        variances = row_weights * probabilities * (1 - probabilities)
        hessian = (columns * variances[:, None]).T @ columns + np.diag(penalties)
        step = np.linalg.solve(hessian, gradient)
        # A whole step may overshoot where almost all rows are certain.
        while (lower := negative_log_likelihood(weights - step)) > loss + SMALL_STEP:
            step = step / 2
        weights, gained, loss = weights - step, loss - lower, lower
        if gained < SMALL_STEP:
            break
    return LogisticRegression(means, scales, weights)


def _with_constant(rows: FloatArray) -> FloatArray:
    return np.column_stack([rows, np.ones(len(rows))])
