"""Time and precision of the marginals next to their targets, in one run.

Matrices are float32 from fixed seeds (score_matrices.py), in one padded batch on one thread; the least of several
passes counts. The same run measures the textbook way by LAPACK: numpy.linalg.inv of the Laplacians
of the same batch, in double, rows less their best score. Precision is measured where the answer is known: pairs of
words that want each other by some score.

    python scripts/bench/marginals.py            # all rows
    python scripts/bench/marginals.py --quick    # 50 sentences a row
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import least, make_parser, report
from bench.score_matrices import padded_batch

FloatArray = npt.NDArray[np.floating]
MICRO = 1e6
TARGET = 60.0  # microseconds, n = 30


def invert_laplacians(batch: FloatArray) -> FloatArray:
    """Marginals p[m, h] of a batch by the inverse of the Laplacian, multi-root, as textbooks give it."""
    scores = batch.astype(np.float64)
    nodes = scores.shape[1]
    diagonal = np.arange(nodes)
    scores[:, diagonal, diagonal] = -np.inf
    weights = np.exp(scores[:, 1:] - scores[:, 1:].max(axis=2, keepdims=True))
    laplacian = -weights[:, :, 1:]
    words = np.arange(nodes - 1)
    laplacian[:, words, words] = weights.sum(axis=2)
    inverse = np.linalg.inv(laplacian)
    own = inverse[:, words, words][:, :, None]
    chances = np.zeros_like(scores)
    chances[:, 1:, 0] = weights[:, :, 0] * own[:, :, 0]
    chances[:, 1:, 1:] = weights[:, :, 1:] * (own - inverse.transpose(0, 2, 1))
    return chances


def bench_time(sentences: int, repeats: int) -> None:
    """Time batches of all lengths, over all trees and over projective ones."""
    print("\nmarginals_batch, float32, hard scores, one thread: microseconds a sentence")
    for n in (10, 20, 30, 50, 100):
        batch = padded_batch("hard", n, max(10, sentences * 20 // n // 10))
        inverse = least(repeats, lambda: invert_laplacians(batch)) / len(batch) * MICRO  # noqa: B023
        for projective in (False, True):
            for single_root in (False, True):
                work = lambda: wnparse.marginals_batch(batch, projective=projective, single_root=single_root)  # noqa: B023, E731
                micros = least(repeats, work) / len(batch) * MICRO
                roots = ", single root" if single_root else ""
                name = f"{'projective' if projective else 'all trees'}{roots}, n = {n}"
                beside = "" if projective or single_root else f"; LAPACK inverse {inverse:.1f}"
                target = f"<= {TARGET:.0f}" if n == 30 else ""
                report(name, f"{micros:.1f}{beside}", target, micros <= TARGET if target else None)


def bench_far_scores(repeats: int) -> None:
    """Time scores that leave the range of doubles, where numbers have their own exponent."""
    print("\nscores times 200, 30 and 300 words: microseconds a sentence")
    for n, count in ((30, 50), (300, 1)):
        batch = 200 * padded_batch("gaussian", n, count)
        for projective in (False, True):
            work = lambda: wnparse.marginals_batch(batch, projective=projective)  # noqa: B023, E731
            figure = f"{least(max(repeats // 3, 1), work) / count * MICRO:.0f}"
            report(f"{'projective' if projective else 'all trees'}, n = {n}", figure)


def bench_precision() -> None:
    """Compare the errors where words want each other."""
    print("\nlargest error: a row's sum, and a known probability, where pairs of words want each other by a score")
    for score in (10, 20, 30, 40, 100, 1000):
        # Pairs meet only in the root, and their words are alike: three trees, of weights 1, e^score and e^score.
        scores = np.full((1, 21, 21), -np.inf)
        scores[:, :, 0] = 0
        for first in range(1, 20, 2):
            scores[:, first, first + 1] = scores[:, first + 1, first] = score
        weight = np.exp(-float(score))
        truth = (1 + weight) / (2 + weight)
        errors = []
        for way in (wnparse.marginals_batch, invert_laplacians):
            try:
                chances = way(scores)
                errors.append(float(abs(chances[0, 1:, 0] - truth).max()))
                errors[-1] = max(errors[-1], float(abs(chances[0, 1:].sum(axis=1) - 1).max()))
            except np.linalg.LinAlgError:
                errors.append(float("nan"))
        report(f"score {score}", f"{errors[0]:.0e}; LAPACK inverse {errors[1]:.0e}", "<= 1e-9", errors[0] <= 1e-9)


def main() -> None:
    """Run all rows."""
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="50 sentences a row, 3 passes")
    quick = parser.parse_args().quick
    sentences, repeats = (50, 3) if quick else (200, 15)
    bench_time(sentences, repeats)
    bench_far_scores(repeats)
    bench_precision()


if __name__ == "__main__":
    main()
