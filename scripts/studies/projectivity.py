"""How projective trees are, and what the price of crossing arcs is worth, on development sets.

The price is learned on one half of a development set, every other sentence, and the other half is parsed with it;
then the halves change places, so that all sentences count and none has had a say in its own price. The other
decoders parse without a price, all under the rules of the model.

    python scripts/studies/projectivity.py --order 2
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import attachment_scores, load_part, make_bench, make_bench_parser, model_path, report
from wnparse.decoding.constraints import Constraints
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.training.crossing_penalty import learn_crossing_penalty
from wnparse.training.learners import USUAL_MARGIN
from wnparse.treebanks.sentence import Sentence

DECODERS = ("msa", "eisner", "msa-eisner", "bnb")
LOSS = 0.15  # LAS below the best of the decoders
APART = 4.0  # percent of the sentences


def parse(model: Model, gold: list[Sentence], decoder: str, price: float) -> list[Parsed]:
    """Parse by a decoder, under the constraints of the model as far as it knows them."""
    constraints = model.constraints
    if decoder in ("msa", "eisner"):
        constraints = Constraints(single_root=constraints.single_root)
    options = ParseOptions(decoder=decoder, constraints=constraints, rules=model.rules, crossing_penalty=price)
    return list(Parser(model, options).stream(gold, at_hand=lambda: True))


def measure(gold: list[Sentence], parsed: list[Parsed]) -> tuple[float, float]:
    """LAS with whole labels, and the share of projective trees."""
    projective = [
        sentence.parse is not None and wnparse.is_projective(sentence.parse.heads) for sentence in parsed
    ]
    return attachment_scores(gold, parsed)[1], 100 * sum(projective) / len(gold)


def main() -> None:
    """Compare the default parse with all decoders, and its trees with gold ones."""
    bench = make_bench(make_bench_parser(__doc__).parse_args())
    print(f"\nprojective trees, order {bench.order}, dev: LAS and share; prices are learned on the other half")
    for name in bench.treebanks:
        model = replace(wnparse.load(model_path(bench, name, True)), crossing_penalty=0.0)
        gold = load_part(name, "dev")
        measured = {decoder: measure(gold, parse(model, gold, decoder, 0.0)) for decoder in DECODERS}
        for decoder, (las, share) in measured.items():
            report(f"{name}, {decoder}", f"LAS {las:.2f}, {share:.2f} % projective")
        halves, prices = [gold[::2], gold[1::2]], []
        for half in halves:
            learned = learn_crossing_penalty(model, half, USUAL_MARGIN)
            prices.append(learned.chosen.price if learned else 0.0)
        parsed = [parse(model, half, "bnb", price) for half, price in zip(halves, prices[::-1], strict=True)]
        las, share = measure([*halves[0], *halves[1]], [*parsed[0], *parsed[1]])
        best = max(figures[0] for figures in measured.values())
        figure = f"LAS {las:.2f}, {las - best:+.2f} to the best (prices {prices[0]:g}, {prices[1]:g})"
        report(f"{name}, bnb with a price", figure, f">= -{LOSS}", las >= best - LOSS)
        wanted = 100 * sum(map(wnparse.is_projective, (sentence.heads for sentence in gold))) / len(gold)
        apart = share - wanted
        figure = f"{share:.2f} % ({measured['bnb'][1]:.2f} % without), gold {wanted:.2f} %: {apart:+.2f}"
        report(f"{name}, projective trees", figure, f"+-{APART:g}", abs(apart) <= APART)


if __name__ == "__main__":
    main()
