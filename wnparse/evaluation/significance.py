"""Approximate randomisation: how often two equally good systems would differ as much as observed.

Noreen 1989, *Computer-Intensive Methods for Testing Hypotheses*; Yeh 2000, *More Accurate Tests for the
Statistical Significance of Result Differences*, section 3. If the systems were alike, the results of a
sentence could as well have come from either. A trial exchanges the results of each sentence or not, by a
fair coin, and p is the proportion of trials whose difference, of either sign, is at least the observed one.

Both systems are scored on the same words, so the difference of accuracies is sum(d) / words with d the
difference of right words in each sentence; exchanging a sentence turns the sign of its d. Sentences with the
same |d| are alike: of n such, a trial turns Binomial(n, 1/2). So a trial costs as many draws as there are
values of |d|, not as many as sentences, with the same distribution. Sums of integers are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

# Trials drawn at once, so that memory does not grow with the number of trials.
CHUNK = 1 << 16


def randomisation_p_value(
    differences: npt.NDArray[np.int64], *, trials: int = 10_000, seed: int | Sequence[int] = 1
) -> float:
    """Estimate the two-sided p-value of a summed difference.

    Parameters
    ----------
    differences : ndarray
        int64[sentences]: right words of one system less those of the other.
    trials : int
        Number of random exchanges.
    seed : int or sequence of int
        The same seed gives the same value.

    Returns
    -------
    float
        (r + 1) / (trials + 1), where r trials differ at least as much as the data; never 0.
    """
    observed = abs(int(differences.sum()))
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    generator = np.random.default_rng(seed)
    reached = 0
    for start in range(0, trials, CHUNK):
        rows = min(CHUNK, trials - start)
        # turned[t, i] of counts[i] sentences change sign: their sum is sizes[i] (counts[i] - 2 turned[t, i]).
        turned = generator.binomial(counts, 0.5, size=(rows, len(counts)))
        sums = (counts - 2 * turned) @ sizes
        reached += int((np.abs(sums) >= observed).sum())
    return (reached + 1) / (trials + 1)
