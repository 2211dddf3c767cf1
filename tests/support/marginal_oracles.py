"""Arc marginals by enumeration and by the plain matrix-tree theorem, in long decimals; no compiled code."""

from __future__ import annotations

import decimal
from decimal import Decimal
from itertools import product

import numpy as np
import numpy.typing as npt

from support import decoding_oracles as oracle

FloatArray = npt.NDArray[np.floating]


def enumerate_marginals(
    scores: FloatArray, single_root: bool, projective: bool
) -> tuple[FloatArray, float] | None:
    every = oracle.Enumeration(scores)
    valid = every.trees.valid(1 if projective else None, False, single_root)
    totals = np.where(valid, every.scores, -np.inf)
    top = totals.max()
    if top == -np.inf:
        return None
    weights = np.exp(totals - top)
    probabilities = np.zeros(scores.shape)
    for m in range(1, len(scores)):
        np.add.at(probabilities[m], every.trees.heads[:, m], weights / weights.sum())
    return probabilities, float(top + np.log(weights.sum()))


def exact_marginals(scores: FloatArray, single_root: bool) -> FloatArray:
    """w(h, m) times a derivative of log det of the Laplacian, inverted by Gauss and Jordan with 1,000 digits."""
    n = len(scores) - 1
    with decimal.localcontext(decimal.Context(prec=1000, Emin=-(10**9), Emax=10**9)):
        zero = Decimal(0)
        weights = [
            [
                zero if h == m or scores[m, h] == -np.inf else Decimal(float(scores[m, h])).exp()
                for h in range(n + 1)
            ]
            for m in range(n + 1)
        ]
        # With small root weights the trees of one root are all that is left.
        for m in range(1, n + 1):
            weights[m][0] *= Decimal(10) ** -500 if single_root else 1
        rows = [
            [sum(weights[m]) if h == m else -weights[m][h] for h in range(1, n + 1)]
            + [Decimal(int(h == m)) for h in range(1, n + 1)]
            for m in range(1, n + 1)
        ]
        for k in range(n):
            pivot = rows[k][k]
            rows[k] = [value / pivot for value in rows[k]]
            for i in range(n):
                factor = rows[i][k]
                if i != k and factor:
                    rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
        inverse = [row[n:] for row in rows]
        probabilities = np.zeros((n + 1, n + 1))
        for m, h in product(range(1, n + 1), range(n + 1)):
            escape = inverse[m - 1][m - 1] - (inverse[h - 1][m - 1] if h else zero)
            probabilities[m, h] = float(weights[m][h] * escape)
    return probabilities
