"""What `wnparse combine` makes of three parsers: our order 1, our projective decoder, and UDPipe 1.

All have gold tags. Weights are learned on the development set; figures of a development set are those of its
halves, each with the weights of the other one. Models of UDPipe are NAME.udpipe in the folder of --udpipe.

    python scripts/bench/combine.py --part test
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import Bench, load_part, make_bench, make_bench_parser, report
from bench.rules import RULES, make_parsers, with_trees
from bench.udpipe import INSTALLED, MISSING, run_udpipe
from wnparse.combination.combine import Combined, combine
from wnparse.combination.votes import learn_weights
from wnparse.decoding.constraints import Constraints
from wnparse.evaluation.evaluate import evaluate
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.rules.coverage import count_rules
from wnparse.treebanks.sentence import Sentence, parse_sentence

SYSTEMS = ("order 1", "eisner", "UDPipe")
Trees = list[Sentence]


def udpipe_trees(model: Path, gold: Trees) -> Trees:
    """Parse gold tags with UDPipe."""
    output, _ = run_udpipe(model, b"".join(sentence.raw for sentence in gold), tag=False)
    return [parse_sentence(text + b"\n\n") for text in output.split(b"\n\n") if text]


def our_trees(model: Model, decoder: str, constraints: Constraints, rules: Rules, gold: Trees) -> Trees:
    """Parse gold tags with our parser, under the rules."""
    parser = Parser(model, ParseOptions(decoder=decoder, constraints=constraints, rules=rules))
    return with_trees(gold, list(parser.stream(gold, at_hand=lambda: True)))


def all_systems(name: str, part: str, model: Model, rules: Rules, udpipe: Path) -> list[Trees]:
    """Return the gold trees of a part of a treebank, and those of each system."""
    gold = load_part(name, part)
    projective = Constraints(1, False, model.constraints.single_root)
    return [
        gold,
        our_trees(model, "bnb", model.constraints, rules, gold),
        our_trees(model, "eisner", projective, rules, gold),
        udpipe_trees(udpipe, gold),
    ]


def vote(learn: Sequence[Trees], use: Sequence[Trees], shape: Constraints, rules: Rules) -> list[Combined]:
    """Combine trees with the weights that gold trees and those of the systems teach."""
    return list(
        combine(
            use,
            learn_weights(zip(*learn, strict=True)),
            block_degree=shape.block_degree,
            well_nested=shape.well_nested,
            single_root=shape.single_root,
            rules=rules,
        )
    )


def bench_treebank(bench: Bench, name: str, part: str, udpipe: Path) -> None:
    """Compare the combined trees of a treebank with those of each system."""
    rules, parser, _ = make_parsers(bench, name)
    shape = parser.options.constraints
    gold, *systems = everything = all_systems(name, part, parser.model, rules, udpipe)
    if part == "dev":
        half = len(gold) // 2
        first, second = [treebank[:half] for treebank in everything], [treebank[half:] for treebank in everything]
        combined = [*vote(second, first[1:], shape, rules), *vote(first, second[1:], shape, rules)]
    else:
        dev = all_systems(name, "dev", parser.model, rules, udpipe)
        combined = vote(dev, systems, shape, rules)
    trees = [combination.sentence for combination in combined]
    scores = [system.scores.las_subtypes or 0.0 for system in evaluate(gold, *systems, trees, trials=1).systems]
    single = ", ".join(f"{system} {score:.2f}" for system, score in zip(SYSTEMS, scores, strict=False))
    reached = scores[-1] >= max(scores[:-1])
    report(f"{name}: combined LAS, {part}", f"{scores[-1]:.2f} ({single})", ">= best", reached)
    breaking = count_rules(trees, rules).breaking
    invalid = sum(not shape.allow(tree.heads) for tree in trees)
    figure = f"{breaking} break a rule, {invalid} the shape, of {len(trees)}"
    report(f"{name}: combined trees", figure, "0", breaking == invalid == 0)


def main() -> None:
    """Compare the treebanks that have a model of UDPipe."""
    parser = make_bench_parser(__doc__, treebanks=list(RULES))
    parser.add_argument("--udpipe", type=Path, help="folder of UDPipe's models; default: udpipe of --models")
    parser.add_argument("--part", default="dev", choices=("dev", "test"))
    options = parser.parse_args()
    if not INSTALLED:
        sys.exit(MISSING)
    for name in options.treebanks:
        udpipe = (options.udpipe or options.models / "udpipe") / f"{name}.udpipe"
        if udpipe.exists():
            bench_treebank(make_bench(options), name, options.part, udpipe)
        else:
            report(f"{name}: combined", f"{udpipe}: not there")


if __name__ == "__main__":
    main()
