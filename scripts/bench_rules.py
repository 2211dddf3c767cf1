"""What rules cost and what they are worth: each figure beside its target.

Models are trained once and kept; the rules are those that the training set keeps, whatever a model has stored, so
that the same model parses with and without them. Sets are chosen by --part: dev is for choosing, test for tables.
"""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import mean
from tempfile import NamedTemporaryFile

from combined_parses import SYSTEMS, vote
from figures import least, report, rows_parser
from parser_runs import ROOT, Bench, data, model_path

import wnparse
from wnparse.decoding.constraints import Constraints
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.rules import Rules
from wnparse.rules.coverage import RuleCounts, count_rules, kept_rules
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import structure

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


def parsers(bench: Bench, name: str) -> tuple[Rules, Parser, Parser]:
    """The rules that a treebank keeps, and parsers with them and without."""
    model = wnparse.load(model_path(bench, name, True))
    rules, _ = kept_rules(Reader([data(name, "train")]), Rules.load(RULES[name]))
    return (
        rules,
        Parser(model, ParseOptions(constraints=model.constraints, rules=rules)),
        Parser(model, ParseOptions(constraints=model.constraints)),
    )


def trees(gold: list[Sentence], parsed: list[Parsed]) -> list[Sentence]:
    """The sentences with what was found for them."""
    return [
        sentence.with_tree(each.parse.heads, each.parse.labels)
        for sentence, each in zip(gold, parsed, strict=True)
        if each.parse
    ]


def las(gold: list[Sentence], found: list[Sentence]) -> float:
    """Labelled attachment score, whole labels."""
    right = words = 0
    for sentence, other in zip(gold, found, strict=True):
        words += len(sentence)
        columns = [zip(each.heads[1:].tolist(), each.column("deprel"), strict=True) for each in (sentence, other)]
        right += sum(answer == guess for answer, guess in zip(*columns, strict=True))
    return 100 * right / words


class Rows:
    """The rows of the table, by name."""

    def __init__(self, bench: Bench, part: str, udpipe: Path) -> None:
        self.bench = bench
        self.part = part
        self.udpipe = udpipe
        self.run = lru_cache(self._run)

    def _run(self, name: str) -> Run:
        rules, with_rules, without = parsers(self.bench, name)
        gold = [each for each in Reader([data(name, self.part)]) if len(each)]
        found = [list(parser.stream(gold, at_hand=lambda: True)) for parser in (with_rules, without)]
        return Run(name, gold, rules, with_rules, *found)

    def _counts(self, run: Run, parsed: list[Parsed]) -> RuleCounts:
        return count_rules(trees(run.gold, parsed), run.rules)

    def broken(self) -> None:
        """Sentences that break a kept rule."""
        for name in self.bench.treebanks:
            run = self.run(name)
            before, after = (self._counts(run, parsed) for parsed in (run.without, run.with_rules))
            share = 100 * after.breaking / after.sentences
            told = sum(each.parse is not None and each.parse.broken > 0 for each in run.with_rules)
            without = 100 * before.breaking / before.sentences
            figure = f"{share:.2f} % ({without:.1f} % without), {told} given up and said"
            report(f"{name}: sentences that break a kept rule", figure, f"< {BROKEN} %", share < BROKEN)

    def accuracy(self) -> None:
        """LAS with rules and without."""
        gains = []
        for name in self.bench.treebanks:
            run = self.run(name)
            before, after = (las(run.gold, trees(run.gold, parsed)) for parsed in (run.without, run.with_rules))
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
            share = 100 * mean(each.parse is not None and each.parse.certified for each in parsed)
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
            _, with_rules, without = parsers(self.bench, name)
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

    def combine(self) -> None:
        """Our order 1, our eisner and UDPipe as one, where there is a model of UDPipe's."""
        for name in self.bench.treebanks:
            if not (self.udpipe / f"{name}.udpipe").exists():
                report(f"{name}: combined", f"no {name}.udpipe in {self.udpipe.name}")
                continue
            rules, with_rules, _ = parsers(self.bench, name)
            votes = vote(name, self.part, with_rules.model, rules, self.udpipe)
            single = [las(votes.gold, system) for system in votes.systems]
            found = [each.sentence for each in votes.combined]
            told = ", ".join(f"{system} {figure:.2f}" for system, figure in zip(SYSTEMS, single, strict=True))
            after = las(votes.gold, found)
            report(f"{name}: combined LAS, {self.part}", f"{after:.2f} ({told})", ">= best", after >= max(single))
            shape = with_rules.options.constraints
            breaking = count_rules(found, rules).breaking
            invalid = sum(not is_valid(each, shape) for each in found)
            figure = f"{breaking} break a rule, {invalid} the shape, of {len(found)}"
            report(f"{name}: combined trees", figure, "0", breaking == invalid == 0)

    def validator(self) -> None:
        """Errors of UD's own validator, levels 2 and 3, that kept rules are named after."""
        for name in VALIDATED:
            if name not in self.bench.treebanks:
                continue
            run = self.run(name)
            counts = [validate(trees(run.gold, parsed)) for parsed in (run.without, run.with_rules)]
            covered = [sum(count[rule.name] for rule in run.rules) for count in counts]
            left = {rule.name: counts[1][rule.name] for rule in run.rules if counts[1][rule.name]}
            figure = f"{covered[1]} ({covered[0]} without) {left or ''}"
            report(f"{name}: errors of the validator that rules cover", figure, "0", covered[1] == 0)


def slowest_of(parser: Parser, parsed: list[Parsed], repeats: int) -> float:
    """CPU seconds of the slowest sentence; those that may be it are parsed again, and count at their quickest."""
    few = [each.sentence for each in sorted(parsed, key=lambda each: -each.seconds)[:20]]
    return max(
        least(repeats, lambda: list(parser.stream([sentence], at_hand=lambda: True)), time.process_time)  # noqa: B023
        for sentence in few
    )


def is_valid(sentence: Sentence, shape: Constraints) -> bool:
    """Whether a tree has the shape."""
    found = structure(sentence.heads)
    return (
        (shape.block_degree is None or found.block_degree <= shape.block_degree)
        and (found.well_nested or not shape.well_nested)
        and (found.roots == 1 or not shape.single_root)
    )


def validate(sentences: list[Sentence]) -> Counter[str]:
    """How often the validator reports each test, by its name."""
    from udtools import Validator

    heap = io.StringIO()
    with NamedTemporaryFile(suffix=".conllu") as file, redirect_stdout(heap), redirect_stderr(heap):
        file.writelines(sentence.raw for sentence in sentences)
        file.flush()
        state = Validator(lang="en", level=3, output=None).validate_file(file.name)
    return Counter(incident.testid for incident in state.error_tracker)


def main() -> None:
    """Run the rows that are asked for."""
    names = ("broken", "accuracy", "certified", "speed", "combine", "validator")
    parser = rows_parser(__doc__, names)
    parser.add_argument("--models", type=Path, default=ROOT / "build" / "models", help="where models are kept")
    parser.add_argument("--udpipe", type=Path, help="where models of UDPipe are kept; default: udpipe of --models")
    parser.add_argument("--treebanks", nargs="+", default=list(RULES), choices=list(RULES))
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--order", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--part", default="dev", choices=("dev", "test"))
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.models, options.treebanks, options.epochs, options.repeats, options.order)
    rows = Rows(bench, options.part, options.udpipe or options.models / "udpipe")
    for name in options.rows:
        row: Callable[[], None] = getattr(rows, name)
        row()


if __name__ == "__main__":
    main()
