"""What rules cost and what they are worth: each figure next to its target.

Models are trained once and kept; the rules are those that the training set keeps, whatever a model has stored, so
that the same model parses with and without them. Sets are chosen by --part: dev is for choosing, test for tables.

    python scripts/bench/rules.py accuracy --treebanks tr-imst
"""

from __future__ import annotations

import io
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import mean
from tempfile import NamedTemporaryFile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import (
    Bench,
    attachment_scores,
    data,
    least,
    load_part,
    make_bench,
    make_bench_parser,
    model_path,
    report,
)
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.rules import Rules
from wnparse.rules.coverage import RuleCounts, count_rules, kept_rules
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

RULES = {
    "pt-bosque": "ud",
    "es-ancora": "ud",
    "tr-imst": "ud",
    "en-ewt": "ud",
    "eu-bdt": "ud1",
    "nl-alpino-cdb": "riedel-clarke-2006",
}
GAIN = {1: 0.2, 2: 0.05, 3: 0.05}  # LAS, mean
LEAST_GAIN = -0.05
BROKEN, CERTIFIED, SLOWDOWN, SLOWEST = 0.1, 99.8, 1.25, 0.1
VALIDATED = ("en-ewt", "pt-bosque")


@dataclass(frozen=True)
class Run:
    """A treebank parsed with rules and without."""

    name: str
    gold: list[Sentence]
    rules: Rules
    parser: Parser  # with rules
    with_rules: list[Parsed]
    without: list[Parsed]


def make_parsers(bench: Bench, name: str) -> tuple[Rules, Parser, Parser]:
    """Return the rules that a treebank keeps, and parsers with them and without."""
    model = wnparse.load(model_path(bench, name, True))
    rules, _ = kept_rules(Reader([data(name, "train")]), Rules.load(RULES.get(name, "ud")))
    return (
        rules,
        Parser(model, ParseOptions(constraints=model.constraints, rules=rules)),
        Parser(model, ParseOptions(constraints=model.constraints)),
    )


def with_trees(gold: list[Sentence], parsed: list[Parsed]) -> list[Sentence]:
    """Return the sentences with the trees that were found for them."""
    return [
        sentence.with_tree(result.parse.heads, result.parse.labels)
        for sentence, result in zip(gold, parsed, strict=True)
        if result.parse
    ]


class Rows:
    """The rows of the table, by name."""

    def __init__(self, bench: Bench, part: str) -> None:
        self.bench = bench
        self.part = part
        self.run = lru_cache(self._run)

    def _run(self, name: str) -> Run:
        rules, with_rules, without = make_parsers(self.bench, name)
        gold = load_part(name, self.part)
        results = [list(parser.stream(gold, at_hand=lambda: True)) for parser in (with_rules, without)]
        return Run(name, gold, rules, with_rules, *results)

    def _counts(self, run: Run, parsed: list[Parsed]) -> RuleCounts:
        return count_rules(with_trees(run.gold, parsed), run.rules)

    def broken(self) -> None:
        """Sentences that break a kept rule."""
        for name in self.bench.treebanks:
            run = self.run(name)
            before, after = (self._counts(run, parsed) for parsed in (run.without, run.with_rules))
            share = 100 * after.breaking / after.sentences
            relaxed = sum(result.parse is not None and result.parse.broken > 0 for result in run.with_rules)
            without = 100 * before.breaking / before.sentences
            figure = f"{share:.2f} % ({without:.1f} % without), {relaxed} given up and said"
            report(f"{name}: sentences that break a kept rule", figure, f"< {BROKEN} %", share < BROKEN)

    def accuracy(self) -> None:
        """LAS with rules and without."""
        gains = []
        for name in self.bench.treebanks:
            run = self.run(name)
            before, after = (attachment_scores(run.gold, parsed)[1] for parsed in (run.without, run.with_rules))
            gains.append(after - before)
            reached = gains[-1] >= LEAST_GAIN
            report(
                f"{name}: LAS, {self.part}",
                f"{before:.2f} -> {after:.2f} ({gains[-1]:+.2f})",
                f">= {LEAST_GAIN}",
                reached,
            )
        target = GAIN[self.bench.order]
        report("LAS gained, mean", f"{mean(gains):+.2f}", f">= +{target}", mean(gains) >= target)

    def certified(self) -> None:
        """Proofs, and the CPU time of the slowest sentence."""
        for name in self.bench.treebanks:
            run = self.run(name)
            parsed = run.with_rules
            share = 100 * mean(sentence.parse is not None and sentence.parse.certified for sentence in parsed)
            report(f"{name}: certified with rules", f"{share:.2f} %", f">= {CERTIFIED} %", share >= CERTIFIED)
            slowest = slowest_of(run.parser, parsed, self.bench.repeats)
            report(
                f"{name}: slowest sentence",
                f"{1e3 * slowest:.1f} ms",
                f"<= {1e3 * SLOWEST:.0f} ms",
                slowest <= SLOWEST,
            )

    def speed(self) -> None:
        """Whole parses with rules over without, passes in turn."""
        for name in self.bench.treebanks:
            _, with_rules, without = make_parsers(self.bench, name)
            gold = list(Reader([data(name, self.part)]))
            seconds = [float("inf")] * 2
            for _ in range(self.bench.repeats):
                for place, parser in enumerate((with_rules, without)):
                    start = time.process_time()
                    for _ in parser.stream(gold, at_hand=lambda: True):
                        pass
                    seconds[place] = min(seconds[place], time.process_time() - start)
            ratio = seconds[0] / seconds[1]
            figure = f"{ratio:.2f}x ({seconds[1]:.3f} -> {seconds[0]:.3f} s)"
            report(f"{name}: whole parse with rules over without", figure, f"<= {SLOWDOWN}x", ratio <= SLOWDOWN)

    def validator(self) -> None:
        """Errors of UD's own validator, levels 2 and 3, that kept rules are named after."""
        for name in VALIDATED:
            if name not in self.bench.treebanks:
                continue
            run = self.run(name)
            counts = [validate(with_trees(run.gold, parsed)) for parsed in (run.without, run.with_rules)]
            covered = [sum(count[rule.name] for rule in run.rules) for count in counts]
            left = {rule.name: counts[1][rule.name] for rule in run.rules if counts[1][rule.name]}
            figure = f"{covered[1]} ({covered[0]} without) {left or ''}"
            report(f"{name}: errors of the validator that rules cover", figure, "0", covered[1] == 0)
            totals = [sum(count.values()) for count in (validate(run.gold), *counts)]
            figure = f"annotation {totals[0]}, without rules {totals[1]}, with rules {totals[2]}"
            report(
                f"{name}: all errors of the validator up to level 3",
                figure,
                "(fewer with rules)",
                totals[2] < totals[1],
            )


def slowest_of(parser: Parser, parsed: list[Parsed], repeats: int) -> float:
    """CPU seconds of the slowest sentence; those that may be it are parsed again, and count at their quickest."""
    few = [result.sentence for result in sorted(parsed, key=lambda result: -result.seconds)[:20]]
    return max(
        least(repeats, lambda: list(parser.stream([sentence], at_hand=lambda: True)), time.process_time)  # noqa: B023
        for sentence in few
    )


def validate(sentences: list[Sentence]) -> Counter[str]:
    """How often the validator reports each test, by its name."""
    from udtools import Validator

    heap = io.StringIO()
    with NamedTemporaryFile(suffix=".conllu") as file, redirect_stdout(heap), redirect_stderr(heap):
        file.writelines(sentence.raw for sentence in sentences)
        file.flush()
        state = Validator(lang="ud", level=3, output=None).validate_file(file.name)
    return Counter(incident.testid for incident in state.error_tracker)


def main() -> None:
    """Run the rows that the command line names."""
    names = ("broken", "accuracy", "certified", "speed", "validator")
    parser = make_bench_parser(__doc__, names, treebanks=list(RULES), repeats=7)
    parser.add_argument("--part", default="dev", choices=("dev", "test"))
    options = parser.parse_args()
    rows = Rows(make_bench(options), options.part)
    for name in options.rows:
        row: Callable[[], None] = getattr(rows, name)
        row()


if __name__ == "__main__":
    main()
