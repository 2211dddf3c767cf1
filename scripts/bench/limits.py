"""Whether limits end searches on sparse matrices, next to their targets, in one run.

Two hundred matrices from fixed seeds, 30 to 200 words: 2 to 9 allowed heads a word, the rest forbidden, with a
valid tree planted or not, block degree 2 or 3, well-nested or not. Most hold no projective tree, so that a search
has nothing to begin with; many hold no valid tree, and no proof of that is short. Every one is decoded with a time
limit, by itself and in batches of 50, and without one, by the default limits of work.

    python scripts/bench/limits.py                  # all rows, some minutes
    python scripts/bench/limits.py alone batches    # only the rows that are named
    python scripts/bench/limits.py --quick          # a fifth of the matrices
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import make_parser, report

LENGTHS = (30, 50, 100, 150, 200)
HEADS = (2, 3, 4, 6, 9)  # allowed a word
CONSTRAINTS = tuple(wnparse.Constraints(degree, nested) for degree in (2, 3) for nested in (True, False))
LIMIT, MOST = 0.5, 0.7  # seconds: what is asked for, and what it may take


@dataclass(frozen=True)
class Case:
    """One matrix, and the trees that are valid."""

    scores: npt.NDArray[np.float64]
    constraints: wnparse.Constraints

    @property
    def words(self) -> int:
        """The length of the sentence."""
        return len(self.scores) - 1


def sparse(words: int, heads: int, constraints: wnparse.Constraints, *, planted: bool) -> Case:
    """Draw a matrix with so many heads a word; those of a valid tree are among them if it is planted."""
    degree = constraints.block_degree or 0
    rng = np.random.default_rng([words, heads, degree, constraints.well_nested, planted])
    scores = np.full((words + 1, words + 1), -np.inf)
    for word in range(1, words + 1):
        others = np.delete(np.arange(words + 1), word)
        chosen = rng.permutation(others)[: heads - planted]
        scores[word, chosen] = rng.normal(size=len(chosen))
    if planted:
        noise = rng.normal(size=scores.shape)
        tree = wnparse.decode(noise, "lr", constraints=constraints, max_iterations=20).heads
        scores[np.arange(1, words + 1), tree[1:]] = rng.normal(size=words)
    return Case(scores, constraints)


@lru_cache
def cases(quick: bool) -> list[Case]:
    """All matrices, or a fifth of them."""
    return [
        sparse(words, heads, constraints, planted=planted)
        for words in LENGTHS
        for heads in (HEADS[1:2] if quick else HEADS)
        for constraints in CONSTRAINTS
        for planted in (True, False)
    ]


def decode(
    case: Case, time_limit: float | None, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, str]:
    """How long one takes, and what comes of it."""
    start = clock()
    try:
        solution = wnparse.decode(case.scores, constraints=case.constraints, time_limit=time_limit)
    except wnparse.InfeasibleError:
        outcome = "no tree, proved"
    except wnparse.LimitError:
        outcome = "nothing"
    else:
        outcome = "best tree, proved" if solution.certified else "a tree"
        assert case.constraints.allow(solution.heads)
        assert solution.score <= solution.upper_bound
    return clock() - start, outcome


def count_outcomes(outcomes: list[str]) -> str:
    """Count how often each outcome occurs."""
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(Counter(outcomes).items()))


def bench_alone(quick: bool) -> None:
    """Decode each with a time limit."""
    print(f"\ndecode, time_limit={LIMIT}: seconds of the longest")
    for words in LENGTHS:
        outcomes = [decode(case, LIMIT) for case in cases(quick) if case.words == words]
        longest = max(seconds for seconds, _ in outcomes)
        figure = f"{longest:.2f} ({count_outcomes([outcome for _, outcome in outcomes])})"
        report(f"{words} words, {len(outcomes)} matrices", figure, f"<= {MOST}", longest <= MOST)


def bench_batches(quick: bool) -> None:
    """Decode all of one kind of tree in one call."""
    print(f"\ndecode_batch, one thread, time_limit={LIMIT}: seconds a sentence")
    for constraints in CONSTRAINTS:
        batch = [case.scores for case in cases(quick) if case.constraints == constraints]
        start = time.perf_counter()
        try:
            solutions = wnparse.decode_batch(batch, constraints=constraints, time_limit=LIMIT)
            outcome = f"{int((solutions.score > -np.inf).sum())} trees"
        except wnparse.InfeasibleError:
            outcome = "some without a tree"
        mean = (time.perf_counter() - start) / len(batch)
        name = f"{constraints.describe()}, {len(batch)} matrices"
        report(name, f"{mean:.2f} ({outcome})", f"<= {MOST}", mean <= MOST)


def bench_defaults(quick: bool) -> None:
    """Decode each without a time limit; it must end."""
    print("\ndecode, default limits of work: seconds of CPU time, median and longest")
    for words in LENGTHS:
        outcomes = [decode(case, None, time.process_time) for case in cases(quick) if case.words == words]
        times = [seconds for seconds, _ in outcomes]
        figure = f"{median(times):.3f}, {max(times):.2f} ({count_outcomes([outcome for _, outcome in outcomes])})"
        report(f"{words} words, {len(outcomes)} matrices", figure, "all end", True)


ROWS: dict[str, Callable[[bool], None]] = {
    "alone": bench_alone,
    "batches": bench_batches,
    "defaults": bench_defaults,
}


def main() -> None:
    """Run the rows that are named."""
    parser = make_parser(__doc__, ROWS)
    parser.add_argument("--quick", action="store_true", help="a fifth of the matrices")
    arguments = parser.parse_args()
    for name in arguments.rows:
        ROWS[name](arguments.quick)


if __name__ == "__main__":
    main()
