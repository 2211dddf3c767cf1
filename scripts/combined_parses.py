"""Three parsers' trees and what `combine` makes of them: our order 1, our projective decoder, and UDPipe 1.

All have gold tags. Weights are learned on the development set; figures of a development set are those of its
halves, each with the weights of the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from parser_runs import data

from wnparse.combination.combine import Combined, combine
from wnparse.combination.votes import learn_weights
from wnparse.decoding.constraints import Constraints
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.rules import Rules
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence, parse_sentence

SYSTEMS = ("order 1", "eisner", "UDPipe")
Trees = list[Sentence]


class Votes(NamedTuple):
    """Sentences with gold trees, with those of each system, and combined."""

    gold: Trees
    systems: list[Trees]
    combined: list[Combined]


def udpipe_trees(model: Path, gold: Trees) -> Trees:
    """What UDPipe's parser makes of gold tags."""
    from ufal import udpipe

    loaded = udpipe.Model.load(str(model))  # a pipeline does not keep it alive
    pipeline = udpipe.Pipeline(loaded, "conllu", "none", udpipe.Pipeline.DEFAULT, "conllu")
    text = b"".join(each.raw for each in gold).decode()
    found: str = pipeline.process(text, udpipe.ProcessingError())
    return [parse_sentence(each.encode() + b"\n\n") for each in found.split("\n\n") if each]


def parse_all(model: Model, decoder: str, constraints: Constraints, rules: Rules, gold: Trees) -> Trees:
    """Our trees, under the rules."""
    parser = Parser(model, ParseOptions(decoder=decoder, constraints=constraints, rules=rules))
    return [
        each.sentence.with_tree(each.parse.heads, each.parse.labels)
        for each in parser.stream(gold, at_hand=lambda: True)
        if each.parse
    ]


def all_systems(name: str, part: str, model: Model, rules: Rules, udpipe: Path) -> tuple[Trees, list[Trees]]:
    """Gold trees of a part of a treebank, and those of the systems."""
    gold = [each for each in Reader([data(name, part)]) if len(each)]
    projective = Constraints(1, False, model.constraints.single_root)
    return gold, [
        parse_all(model, "bnb", model.constraints, rules, gold),
        parse_all(model, "eisner", projective, rules, gold),
        udpipe_trees(udpipe / f"{name}.udpipe", gold),
    ]


def vote(name: str, part: str, model: Model, rules: Rules, udpipe: Path) -> Votes:
    """Combine the systems' trees of a part of a treebank."""
    gold, systems = all_systems(name, part, model, rules, udpipe)

    def voted(learn: Sequence[Trees], use: Sequence[Trees]) -> list[Combined]:
        shape = model.constraints
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

    if part != "dev":
        dev, others = all_systems(name, "dev", model, rules, udpipe)
        return Votes(gold, systems, voted([dev, *others], systems))
    half = len(gold) // 2
    first, second = [[each[:half] for each in (gold, *systems)], [each[half:] for each in (gold, *systems)]]
    return Votes(gold, systems, [*voted(second, first[1:]), *voted(first, second[1:])])
