"""Table 2 of Koo et al. 2010: linear programs of Martins et al. 2009, dual decomposition and our searches.

All solve the same problems: those that trained models with siblings, and with grandparents too, make of sentences;
and random ones of ten words, with normal scores on the steps of the automata and, for the latter models, on
grandparents. A random problem has no score for a side without children.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import wnparse
from reproduction.laboratory import PRICE
from reproduction.martins2009.ilp import Formulation, Scores
from wnparse._core.external import Problem
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.ilp.decoder import solve_problem
from wnparse.decoding.registry import DECODERS, register_decoder
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.treebanks.sentence import Sentence

PROGRAMS = {"LP(S)": ("single", False), "LP(M)": ("multi", False), "ILP": ("single", True)}
# Our decoders, and their limits of iterations; K of the paper.
SEARCHES = {"DD-5000": ("msa", 5_000), "DD-250": ("msa", 250), "B&B": ("bnb", 5_000)}
OURS = "ilp"
RANDOM_WORDS = 10
RANDOM_WHOLE = 5  # random problems that are solved as integer programs, too: they take long
LONGEST = 25  # words of a sentence
SECONDS = 10.0  # of the clock, for an integer program and for a search
PASSES = 3  # of our searches on a sentence; the fastest counts
CLOSE = 1e-6


@dataclass
class Tally:
    """What a way of solving has come to."""

    seconds: list[float] = field(default_factory=list)
    right: int = 0  # heads
    proved: int = 0  # whole solutions, or certificates
    refuted: int = 0  # of these, where another way has found a better tree
    iterations: list[int] = field(default_factory=list)  # of our searches

    def add(self, seconds: float, heads: Any, gold: Any, proved: bool) -> None:
        """Count one sentence."""
        self.seconds.append(seconds)
        self.right += int((heads == gold)[1:].sum())
        self.proved += bool(proved)


def problem_scores(problem: Problem) -> Scores:
    """A problem as the programs take it."""
    arcs = {(h, m): float(problem.scores[m, h]) for m, h in np.argwhere(problem.scores > -np.inf).tolist() if m}
    assert problem.parts is not None
    siblings, grandparents, *third = problem.parts
    assert not any(len(rows) for rows, _ in third)
    chains: dict[str, dict[Any, float]] = {
        "next_siblings": {}, "first_children": {}, "last_children": {}, "childless": {},
    }  # fmt: skip
    for (h, a, b, right), score in zip(siblings[0].tolist(), siblings[1].tolist(), strict=True):
        if any(m != h and (h, m) not in arcs for m in (a, b)):
            continue
        if a == b:
            chains["childless"][h, right] = score
        elif a == h:
            chains["first_children"][h, b] = score
        elif b == h:
            chains["last_children"][h, a] = score
        else:
            chains["next_siblings"][h, a, b] = score
    over = {
        (g, h, m): score
        for (g, h, m), score in zip(grandparents[0].tolist(), grandparents[1].tolist(), strict=True)
        if (g, h) in arcs and (h, m) in arcs
    }
    return Scores(problem.words, arcs, grandparents=over, **chains)


class Catcher:
    """The decoder `ilp`, timed; it keeps the problem that it was given last."""

    def __init__(self) -> None:
        self.problem: Problem | None = None
        self.seconds = 0.0

    def __call__(self, problem: Problem) -> Any:
        """Decode."""
        self.problem = problem
        start = time.process_time()
        solution = solve_problem(problem)
        self.seconds = time.process_time() - start
        return solution


@contextlib.contextmanager
def catching() -> Iterator[Catcher]:
    """A catcher that decodes under the name `caught`, for a while."""
    catcher = Catcher()
    register_decoder("caught", catcher, searches=True, whole=True)
    try:
        yield catcher
    finally:
        del DECODERS["caught"]


def solve_programs(problem: Problem, gold: Any, tallies: dict[str, Tally], *, exact: bool = True) -> float | None:
    """Solve a problem by the programs of Martins et al.; the value of the integer one, if asked for and proved."""
    scores, value, heads = problem_scores(problem), None, np.full(problem.words + 1, -1)
    for name, (trees, whole) in PROGRAMS.items():
        if whole and not exact:
            continue
        start = time.process_time()
        solution = Formulation(scores, trees, single_root=problem.single_root).solve(whole, SECONDS)
        spent = time.process_time() - start
        if solution is not None:
            heads, value = solution.heads, solution.value if whole else None
        # Where time is up, the tree of the relaxation counts.
        tallies[name].add(spent, heads, gold, solution is not None and (whole or solution.whole))
    return value


def compare_sentences(model: wnparse.Model, sentences: Sequence[Sentence]) -> dict[str, Any]:
    """Parse sentences in all ways."""
    tallies = {name: Tally() for name in (*PROGRAMS, *SEARCHES, OURS)}
    free = Constraints(single_root=model.constraints.single_root)
    different = 0
    with catching() as catcher:
        parsers = {
            name: Parser(
                model,
                ParseOptions(decoder=decoder, constraints=free, max_iterations=limit, crossing_penalty=PRICE),
            )
            for name, (decoder, limit) in SEARCHES.items()
        }
        ours = Parser(
            model, ParseOptions(decoder="caught", constraints=free, time_limit=SECONDS, crossing_penalty=PRICE)
        )
        for sentence in sentences:
            catcher.problem = None
            parse = ours.parse([sentence])[0].parse
            assert parse
            assert catcher.problem is not None
            tallies[OURS].add(catcher.seconds, parse.heads, sentence.heads, parse.certified)
            values = {OURS: (parse.score, parse.certified)}
            for name, parser in parsers.items():
                passes = [parser.parse([sentence])[0] for _ in range(PASSES)]
                best = passes[0].parse
                assert best
                seconds = min(result.timings.decoding for result in passes)
                tallies[name].add(seconds, best.heads, sentence.heads, best.certified)
                tallies[name].iterations.append(best.iterations)
                values[name] = best.score, best.certified
            value = solve_programs(catcher.problem, sentence.heads, tallies)
            different += refute(values | ({"ILP": (value, True)} if value is not None else {}), tallies)
    words = sum(map(len, sentences))
    rows = {
        name: {
            "uas": 100 * tally.right / words,
            "proved": 100 * tally.proved / len(sentences),
            "refuted": 100 * tally.refuted / len(sentences),
            "iterations": max(tally.iterations, default=None),
            "seconds": float(np.mean(tally.seconds)),
        }
        for name, tally in tallies.items()
    }
    return {"rows": rows, "different": different}


def refute(values: dict[str, tuple[float, bool]], tallies: dict[str, Tally]) -> int:
    """Count certificates of trees that are not the best: by way, the score of its tree and whether it is proved.

    A better tree refutes a certificate whether it is proved itself or not. Returns 1 if there was any.
    """
    best = max(score for score, _ in values.values())
    wrong = [
        name for name, (score, proved) in values.items() if proved and score < best - CLOSE * max(1.0, abs(best))
    ]
    for name in wrong:
        tallies[name].refuted += 1
    return int(bool(wrong))


def random_parts(rng: np.random.Generator, words: int, grandparents: bool) -> wnparse.Parts:
    """Normal scores on all steps of automata, and on grandparents if asked for."""
    nodes = range(words + 1)
    # A step goes outwards on one side, from the head itself or a child to a child, or to the head: the end.
    steps = [
        (h, a, b)
        for h in nodes
        for a in nodes
        for b in nodes
        if (a == h) != (b == h) and (a or a == h) and (b or b == h)
    ]
    steps += [(h, a, b) for h in nodes for a in nodes if a for b in nodes if b and (h < a < b or h > a > b)]
    over = [(g, h, m) for g in nodes for h in nodes if h for m in nodes if m and len({g, h, m}) == 3]
    drawn = (over, rng.normal(size=len(over))) if grandparents else None
    return wnparse.Parts(siblings=(steps, rng.normal(size=len(steps))), grandparents=drawn)


def compare_random(count: int, grandparents: bool) -> dict[str, Any]:
    """Decode random problems in all ways: how many are proved, and the time that takes."""
    rng = np.random.default_rng([count, grandparents])
    tallies = {name: Tally() for name in (*PROGRAMS, *SEARCHES, OURS)}
    different = 0
    scores, gold = np.zeros((RANDOM_WORDS + 1,) * 2), np.full(RANDOM_WORDS + 1, -1)
    with catching() as catcher:
        for number in range(count):
            parts = random_parts(rng, RANDOM_WORDS, grandparents)
            solution = wnparse.decode(scores, "caught", parts=parts, time_limit=SECONDS)
            tallies[OURS].add(catcher.seconds, solution.heads, gold, solution.certified)
            values = {OURS: (solution.score, solution.certified)}
            for name, (decoder, limit) in SEARCHES.items():
                start = time.process_time()
                solution = wnparse.decode(scores, decoder, parts=parts, max_iterations=limit, time_limit=SECONDS)
                tallies[name].add(time.process_time() - start, solution.heads, gold, solution.certified)
                tallies[name].iterations.append(solution.iterations)
                values[name] = solution.score, solution.certified
            assert catcher.problem is not None
            value = solve_programs(catcher.problem, gold, tallies, exact=number < RANDOM_WHOLE)
            different += refute(values | ({"ILP": (value, True)} if value is not None else {}), tallies)
    rows = {
        name: {
            "proved": 100 * tally.proved / len(tally.seconds),
            "refuted": 100 * tally.refuted / len(tally.seconds),
            "iterations": max(tally.iterations, default=None),
            "seconds": float(np.mean(tally.seconds)),
        }
        for name, tally in tallies.items()
    }
    return {"rows": rows, "different": different}
