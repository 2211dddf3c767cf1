"""The pruner of a parser of order 2: accuracy and time, by how many heads of each word it keeps.

The pruner drops heads that score too far below the best head of their word (the cut-off in nats), and keeps at
most so many. Both limits are changed in a trained model; with --train, parsers are also trained with them.
Columns: heads per word, the percentage of gold heads among them, LAS (whole labels), and CPU seconds on the
development set. All trees are decoded with the constraints and rules of the model.

    python scripts/studies/pruning.py tr-imst eu-bdt
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import Bench, load_part, make_parser, model_path, report
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import count_right
from wnparse.parser.tokens import encode
from wnparse.training.pruner import CUTOFF
from wnparse.treebanks.sentence import Sentence

LIMITS = ((4, 12), (5, 12), (6, 8), (6, 12), (6, 20), (7, 12), (7, 20), (8, 12), (8, 20), (9, 20))  # cut-off, most
REPEATS = 2


def measure(model: Model, sentences: Sequence[Sentence]) -> str:
    """Return the figures of a model."""
    options = ParseOptions(constraints=model.constraints, rules=model.rules)
    parser, seconds, parses = Parser(model, options), float("inf"), []
    for _ in range(REPEATS):
        start = time.process_time()
        parses = list(parser.stream(sentences, at_hand=lambda: True))
        seconds = min(seconds, time.process_time() - start)
    right = sum(count_right(parsed.parse, gold)[1] for parsed, gold in zip(parses, sentences, strict=True))
    heads = kept = words = 0
    for sentence in sentences:
        chosen = model._scorer.choose(encode(sentence, model.columns), parser.options.settings)
        assert chosen is not None
        begin, open_heads, _ = chosen
        words += len(sentence)
        heads += len(open_heads)
        kept += sum(sentence.heads[m] in open_heads[begin[m] : begin[m + 1]] for m in range(1, len(sentence) + 1))
    accuracy = f"LAS {100 * right / words:.2f}  {seconds:.2f} s"
    return f"{heads / words:5.2f} heads per word  {100 * kept / words:.2f} % of gold heads  {accuracy}"


def main() -> None:
    """Measure the treebanks."""
    parser = make_parser(__doc__)
    parser.add_argument("treebanks", nargs="+", metavar="TREEBANK")
    parser.add_argument("--models", type=Path, default=Path("build/models"))
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.models.resolve(), options.treebanks, order=2, epochs=10)
    for name in options.treebanks:
        model, sentences = wnparse.load(model_path(bench, name, True)), load_part(name, "dev")
        assert model.pruner is not None
        for cutoff, most in LIMITS:
            pruner = replace(model.pruner, cutoff=round(model.pruner.cutoff * cutoff / CUTOFF), most=most)
            report(
                f"{name}: cut-off {cutoff} nats, at most {most} heads",
                measure(replace(model, pruner=pruner), sentences),
            )


if __name__ == "__main__":
    main()
