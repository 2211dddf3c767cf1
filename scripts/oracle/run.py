"""The long run of the oracle: `ilp`, without our tree as its start, against `bnb`, on real and on random problems.

    python scripts/oracle/run.py --models build/models --sentences 200
    python scripts/oracle/run.py random --matrices 500

What `ilp` finds is scored again by the definitions (`scripts/oracle/definitions.py`). Any difference is printed
with what it takes to see it again, and ends the run with status 1.
"""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import Bench, data, load_part, make_bench, make_bench_parser, model_path, report
from oracle.definitions import tree_worth
from wnparse._core.external import Problem
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.ilp.decoder import solve_problem
from wnparse.decoding.registry import DECODERS, register_decoder
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.rules import Rules
from wnparse.rules.coverage import kept_rules
from wnparse.treebanks.reader import Reader

TREEBANKS = {"tr-imst": "ud", "nl-alpino-cdb": "riedel-clarke-2006", "pt-bosque": "ud", "eu-bdt": "ud1"}
SHAPES = {"free": Constraints(single_root=True), "shapes": Constraints(2, True, True)}
CLOSE = 1e-7  # of the larger of 1 and the score: what a proof of the solver may miss


def alike(ours: tuple[float, int], other: tuple[float, int]) -> bool:
    """Whether scores and broken rules are the same."""
    return ours[1] == other[1] and abs(ours[0] - other[0]) <= CLOSE * max(1.0, abs(ours[0]))


@dataclass
class Tally:
    """What was compared, and what came of it."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, where: str, ours: tuple[float, int, bool], other: tuple[float, int, bool]) -> None:
        """Compare score, broken rules and certificate of `bnb` with those of `ilp`."""
        self.counts["compared"] += 1
        if not (ours[2] and other[2]):
            self.counts["not proved by " + ("bnb" if not ours[2] else "ilp")] += 1
            return
        if not alike(ours[:2], other[:2]):
            self.differences.append(f"{where}: bnb {ours}, ilp {other}")


def cold(problem: Problem) -> Any:
    """Decode without a tree to begin with, and score what is found again."""
    solution = solve_problem(problem, warm=False)
    if solution is not None and solution[0] is not None and problem.words:
        value, broken = tree_worth(problem, solution[0].tolist(), solution[1])
        if solution[2] < value - CLOSE * max(1.0, abs(value)):
            raise AssertionError(f"a bound of {solution[2]} for a tree of {value} by our own count")
        _WORTH.append((value, broken))
    return solution


_WORTH: list[tuple[float, int]] = []


def figures_of(parsed: Parsed) -> tuple[float, int, bool]:
    """Score, broken rules and certificate of a parse."""
    assert parsed.parse
    return parsed.parse.score, parsed.parse.broken, parsed.parse.certified and not parsed.fallback


def compare_treebank(bench: Bench, name: str, count: int, seconds: float) -> Iterator[tuple[str, Tally]]:
    """Parse the first sentences of a dev set in both ways, with each combination of shapes and rules."""
    model = wnparse.load(model_path(bench, name, True))
    rules, _ = kept_rules(Reader([data(name, "train")]), Rules.load(TREEBANKS.get(name, "ud")))
    gold = [sentence for sentence in load_part(name, "dev") if len(sentence) <= 40][:count]
    for shape, constraints in SHAPES.items():
        for ruled in (None, rules):
            tally = Tally()
            ours = Parser(model, ParseOptions(constraints=constraints, rules=ruled, crossing_penalty=0.0))
            other = Parser(
                model,
                ParseOptions(
                    decoder="cold-ilp",
                    constraints=constraints,
                    rules=ruled,
                    time_limit=seconds,
                    crossing_penalty=0.0,
                ),
            )
            start = time.process_time()
            for sentence in gold:
                _WORTH.clear()
                reference = figures_of(other.parse([sentence])[0])
                if _WORTH and reference[2] and not alike(reference[:2], _WORTH[-1]):
                    tally.differences.append(f"{sentence.sent_id}: core scores {reference[:2]}, we {_WORTH[-1]}")
                tally.add(f"{name} {sentence.sent_id}", figures_of(ours.parse([sentence])[0]), reference)
            tally.seconds = time.process_time() - start
            yield f"{name}, order {bench.order}, {shape}{', rules' if ruled else ''}", tally


def compare_random(count: int, seconds: float) -> Iterator[tuple[str, Tally]]:
    """Decode random, tied and sparse matrices of up to 25 words in both ways."""
    limits = {
        "free": {}, "projective": {"block_degree": 1}, "nested": {"well_nested": True},
        "shapes": {"block_degree": 2, "well_nested": True, "single_root": True},
    }  # fmt: skip
    for family in ("random", "tied", "sparse"):
        tally, rng = Tally(), np.random.default_rng([count, *family.encode()])
        start = time.process_time()
        for number in range(count):
            n = int(rng.integers(1, 26))
            scores = rng.normal(size=(n + 1, n + 1))
            scores[np.arange(1, n + 1), np.maximum(np.arange(n) - rng.integers(0, 3, n), 0)] += 4.0
            if family == "tied":
                scores = np.round(scores)
            if family == "sparse":
                scores[rng.random(scores.shape) < 0.5] = -np.inf
            for shape, options in limits.items():
                _WORTH.clear()
                results = [attempt(scores, name, seconds, options) for name in ("bnb", "cold-ilp")]
                if _WORTH and not alike(results[1][:2], _WORTH[-1]):
                    tally.differences.append(f"{family} {number}: core scores {results[1][:2]}, we {_WORTH[-1]}")
                tally.add(f"{family} {number} {shape}", *results)
        tally.seconds = time.process_time() - start
        yield f"{family} matrices, up to 25 words", tally


def attempt(scores: object, decoder: str, seconds: float, options: dict[str, object]) -> tuple[float, int, bool]:
    """Score and certificate; no tree is an answer, too."""
    try:
        solution = wnparse.decode(scores, decoder, time_limit=seconds, **options)  # type: ignore[call-overload]
    except wnparse.InfeasibleError:
        return -1e9, 0, True
    except wnparse.LimitError:
        return -1e9, 0, False
    return solution.score, 0, solution.certified


def run(parts: Iterator[tuple[str, Tally]]) -> int:
    """Print what was compared; how many differences there were."""
    differences = 0
    for what, tally in parts:
        counts = ", ".join(f"{count} {name}" for name, count in tally.counts.items())
        differences += len(tally.differences)
        figure = f"{len(tally.differences)} differences ({counts}; {tally.seconds:.0f} s)"
        report(what, figure, "0", not tally.differences)
        for line in tally.differences:
            print(f"  {line}", flush=True)
    return differences


def main() -> None:
    """Compare what is asked for."""
    parser = make_bench_parser(__doc__, ("order1", "order2", "random"), treebanks=list(TREEBANKS))
    parser.add_argument("--sentences", type=int, default=100, help="of each treebank")
    parser.add_argument("--matrices", type=int, default=100, help="of each family")
    parser.add_argument("--seconds", type=float, default=10.0, help="for a sentence")
    given = parser.parse_args()
    register_decoder("cold-ilp", cold, searches=True, whole=True)
    assert DECODERS["cold-ilp"].whole
    differences = 0
    for row in given.rows:
        if row == "random":
            differences += run(compare_random(given.matrices, given.seconds))
            continue
        bench = replace(make_bench(given), order=int(row[-1]))
        compare: Callable[[str], Iterator[tuple[str, Tally]]] = functools.partial(
            compare_treebank, bench, count=given.sentences, seconds=given.seconds
        )
        differences += sum(run(compare(name)) for name in given.treebanks)
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
