"""What `ilp` costs: each figure next to its target, and next to what papers report.

Times are those of decoding, without features: seconds of CPU, but of `bnb` at order 2 by the
clock; the least of several passes. Sentences are those of dev sets; models are trained once and kept.

    python scripts/bench/ilp.py shapes order2 --treebanks tr-imst --sentences 50
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import data, least, make_bench, make_bench_parser, model_path, report
from reproduction.findings import RIEDEL
from wnparse._core.decoding import solve
from wnparse._core.external import Problem
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.ilp.decoder import solve_problem
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import register_decoder
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.rules import Rules
from wnparse.rules.coverage import kept_rules
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

SHAPES = Constraints(2, True, True)
# Riedel & Clarke (2006), Table 2: the longest sentence of each column, and how many times faster we must be.
LENGTHS = {10: 5, 20: 20, 30: 50, 40: 50, 50: 50, 10_000: 50}
RULED = "nl-alpino-cdb"
CLOSE = 1e-7


class Clock:
    """The decoder, and the seconds of CPU that its calls took, whatever else the machine does."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.core_seconds = 0.0  # of `bnb` on the same matrices, where arcs are all there is
        self.of_core: list[float] = []  # of each sentence of the last pass
        register_decoder("clocked-ilp", self, searches=True, whole=True)

    def __call__(self, problem: Problem) -> Any:
        """Decode."""
        start = time.process_time()
        solution = solve_problem(problem)
        self.seconds += time.process_time() - start
        if problem.parts is None and problem.choices is None:
            shape = problem.block_degree or 0, problem.well_nested, problem.single_root
            settings = DecodeOptions(decoder="bnb", constraints=Constraints(shape[0] or None, *shape[1:])).settings
            self.core_seconds = least(5, lambda: solve(problem.scores, settings), time.process_time)
        return solution


def timed(
    parser: Parser, sentences: list[Sentence], repeats: int, clock: Clock | None = None
) -> tuple[list[float], list[Parsed]]:
    """Seconds that decoding took, the least of several passes; and what was found."""
    best = [float("inf")] * len(sentences)
    parsed: list[Parsed] = []
    for _ in range(repeats):
        parsed, core = [], []
        for place, sentence in enumerate(sentences):
            if clock:
                clock.seconds = 0.0
            parsed.append(parser.parse([sentence])[0])
            seconds = clock.seconds if clock else parsed[-1].timings.decoding
            core.append(clock.core_seconds if clock else 0.0)
            best[place] = min(best[place], seconds)
        if clock:
            clock.of_core = core
    return best, parsed


def proved(parsed: list[Parsed]) -> str:
    """How many trees are proved to be the best."""
    count = sum(sentence.parse is not None and sentence.parse.certified for sentence in parsed)
    return f"{count} of {len(parsed)} proved"


def all_proved(parsed: list[Parsed]) -> bool:
    """Whether all are."""
    return all(sentence.parse is not None and sentence.parse.certified for sentence in parsed)


def same_scores(first: list[Parsed], second: list[Parsed]) -> int:
    """How many pairs of trees have different scores where both are proved."""
    count = 0
    for one, other in zip(first, second, strict=True):
        assert one.parse
        assert other.parse
        if one.parse.certified and other.parse.certified and one.parse.broken == other.parse.broken:
            unit = max(1.0, abs(one.parse.score))
            count += abs(one.parse.score - other.parse.score) > CLOSE * unit
    return count


class Rows:
    """The rows of the table, by name."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.bench = make_bench(options)
        self.most: int = options.sentences
        self.clock = Clock()

    def _sentences(self, name: str, longest: int) -> list[Sentence]:
        return [sentence for sentence in Reader([data(name, "dev")]) if 0 < len(sentence) <= longest]

    def shapes(self) -> None:
        """Order 1 with shapes where the best arborescence is invalid."""
        self._compare(1, SHAPES, 50, milliseconds=6, times=200)

    def order2(self) -> None:
        """Order 2 on pruned arcs; papers report 1.4 to 1.8 s."""
        self._compare(2, Constraints(single_root=True), 40, milliseconds=300, times=10)

    def _compare(self, order: int, shape: Constraints, longest: int, milliseconds: float, times: float) -> None:
        """Compare `ilp` and `bnb` on sentences of all treebanks."""
        seconds: list[float] = []
        faster: list[float] = []
        whole: list[Parsed] = []
        different = 0
        for name in self.bench.treebanks:
            model = wnparse.load(model_path(replace(self.bench, order=order), name, True))
            ilp, bnb = (
                Parser(model, ParseOptions(decoder=decoder, constraints=shape, crossing_penalty=0.0))
                for decoder in ("clocked-ilp", "bnb")
            )
            sentences = [s for s in self._sentences(name, longest) if order > 1 or is_searched(bnb.parse([s])[0])]
            spent, parsed = timed(ilp, sentences[: self.most], self.bench.repeats, self.clock)
            quick, other = timed(bnb, sentences[: self.most], 5)
            seconds += spent
            faster += self.clock.of_core if order == 1 else quick
            whole += parsed
            different += same_scores(parsed, other)
        figure = f"{1e3 * mean(seconds):.2f} ms (median {1e3 * median(seconds):.2f}), {proved(whole)}"
        reached = 1e3 * mean(seconds) <= milliseconds and all_proved(whole)
        report(f"order {order}, n <= {longest}", figure, f"<= {milliseconds:g} ms, all proved", reached)
        ratio = mean(seconds) / mean(faster)
        figure = f"{ratio:.0f}x, {different} different scores"
        reached = ratio >= times and not different
        report(f"order {order}: bnb faster than ilp", figure, f">= {times:g}x, equal scores", reached)

    def rules(self) -> None:
        """Labelled with rules, by length, next to Riedel and Clarke's times."""
        model = wnparse.load(model_path(self.bench, RULED, True))
        satisfied, _ = kept_rules(Reader([data(RULED, "train")]), Rules.load("riedel-clarke-2006"))
        ilp, bnb = (
            Parser(
                model,
                ParseOptions(
                    decoder=decoder,
                    constraints=Constraints(single_root=True),
                    rules=satisfied,
                    crossing_penalty=0.0,
                ),
            )
            for decoder in ("clocked-ilp", "bnb")
        )
        shortest, different = 1, 0
        for (most, target), theirs in zip(LENGTHS.items(), RIEDEL["table2"]["cnstr"], strict=True):
            sentences = [s for s in self._sentences(RULED, most) if len(s) >= shortest][: self.most]
            if sentences:
                times, parsed = timed(ilp, sentences, self.bench.repeats, self.clock)
                different += same_scores(parsed, timed(bnb, sentences, 1)[1])
                seconds = mean(times)
                words = f"{shortest}-{most}" if most < 1_000 else f">= {shortest}"
                figure = (
                    f"{1e3 * seconds:.2f} ms ({theirs / seconds:.0f}x), {len(parsed)} sentences, {proved(parsed)}"
                )
                report(f"rules, {words} words", figure, f"{1e3 * theirs:.1f} ms; >= {target}x",
                       theirs / seconds >= target)  # fmt: skip
            shortest = most + 1
        report("rules: different scores of bnb and ilp", str(different), "0", not different)


def is_searched(parsed: Parsed) -> bool:
    """Whether the best arborescence was not valid."""
    return parsed.parse is not None and parsed.parse.iterations > 1


def main() -> None:
    """Run the rows that the command line names."""
    names = ["tr-imst", "nl-alpino-cdb", "pt-bosque", "eu-bdt"]
    parser = make_bench_parser(__doc__, ("shapes", "rules", "order2"), treebanks=names)
    parser.add_argument("--sentences", type=int, default=200, help="of each treebank, or length, at most")
    options = parser.parse_args()
    rows = Rows(options)
    for name in options.rows:
        row: Callable[[], None] = getattr(rows, name)
        row()


if __name__ == "__main__":
    main()
