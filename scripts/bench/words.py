"""Trees from words or text alone: models of `wnparse train`, next to UDPipe 1 trained on the same files.

Rows: jackknife (LAS by the tags that a parser learned from), words (LAS next to UDPipe's), joint (tags and trees
together), text (LAS from raw text next to UDPipe's, and what splitting costs), pipeline (speed), training (time).
UDPipe trains for an hour, and parsers for minutes: all models are kept in the folder of --models. Everything is
chosen on development sets.

    python scripts/bench/words.py words joint --treebanks tr-imst
"""

from __future__ import annotations

import functools
import io
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import (
    COMPARED,
    Bench,
    data,
    forms_alone,
    least,
    make_bench,
    make_bench_parser,
    model_path,
    parse_file,
    report,
    run,
    without_tags,
)
from bench.tokenizer import raw_paragraphs
from bench.udpipe import (
    INSTALLED,
    ITERATIONS,
    MISSING,
    run_udpipe,
    tokenize_udpipe,
    udpipe_model,
    udpipe_tokenizer,
)
from wnparse.evaluation.evaluate import evaluate
from wnparse.training.joint_weight import learn_joint_weight
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

TRAINING = "pt-bosque"
TRAINING_SECONDS = 360
LEAST_SPEED = 45_000  # words/s, forms to trees
LEAST_GAIN, MEAN_GAIN = 1.0, 2.5  # LAS over UDPipe, order 2
KNIFE_GAIN = 0.5
TEXT_GAIN, MOST_SLOWER = 4.0, 1.1  # LAS over UDPipe; CPU time from text compared with that from words


@dataclass
class WordsBench:
    """What is measured, and what averages are made of."""

    bench: Bench
    split: str
    iterations: tuple[int, int]  # of UDPipe's tagger and parser
    gains: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # per row, of each treebank

    def gold(self, name: str) -> Path:
        """Return the file that is parsed."""
        return Path(data(name, self.split))

    def udpipe(self, name: str) -> Path:
        """Return UDPipe's tagger and parser of a treebank."""
        folder = self.bench.models / "udpipe"
        return udpipe_model(data(name, "train"), data(name, "dev"), name, folder, True, self.iterations)


def word_model(words: WordsBench, name: str, order: int) -> Path:
    """A tagger and a parser of jack-knifed tags, trained unless they are there; user seconds are kept, too."""
    path = words.bench.models / f"{name}-words-{words.bench.epochs}{f'-order{order}' if order > 1 else ''}.wnp"
    if not path.exists():
        files = [data(name, "train"), "--dev", data(name, "dev"), "-o", str(path)]
        options = ["--order", str(order), "--epochs", str(words.bench.epochs)]
        user, _, memory = run(words.bench.models, "train", *files, *options)
        path.with_suffix(".json").write_text(json.dumps({"user": user, "memory": memory}))
    return path


def las(gold: Path, parsed: bytes) -> float:
    """LAS as the CoNLL 2018 evaluator counts it."""
    (system,) = evaluate(read(gold), read(io.BytesIO(parsed)), trials=1).systems
    assert system.scores.las is not None
    return float(system.scores.las)


def parsed(model: wnparse.Model, sentences: list[Sentence]) -> bytes:
    """Sentences with the trees of a model."""
    return b"".join(sentence.raw for sentence in model.parse(sentences))


def measure_jackknife(name: str, words: WordsBench) -> None:
    """LAS on gold and predicted tags, of parsers that learned from jack-knifed and from gold tags."""
    gold = words.gold(name)
    right = list(read(gold))
    bare = list(read(io.BytesIO(without_tags(gold))))
    for order in (1, 2):
        own = wnparse.load(word_model(words, name, order))
        plain = wnparse.load(model_path(replace(words.bench, order=order), name, True))
        tagged = list(own.tag(bare))
        what = f"{name} {words.split}, order {order}"
        scores = {
            (how, tags): las(gold, parsed(model, sentences))  # type: ignore[arg-type]
            for how, model in (("jack-knifed", own), ("gold", plain))
            for tags, sentences in (("gold", right), ("predicted", tagged))
        }
        for (how, tags), score in scores.items():
            report(f"{what}: LAS on {tags} tags", f"{score:.2f}", f"learned from {how} tags")
        more = scores["jack-knifed", "predicted"] - scores["gold", "predicted"]
        loss = {how: scores[how, "gold"] - scores[how, "predicted"] for how in ("jack-knifed", "gold")}
        report(f"{what}: loss by predicted tags", f"{loss['jack-knifed']:.2f}, {loss['gold']:.2f} without")
        words.gains[f"jackknife loss {order}"].append(loss["gold"] - loss["jack-knifed"])
        words.gains[f"jackknife score {order}"].append(more)


def measure_words(name: str, words: WordsBench) -> None:
    """LAS from forms alone, order 2, next to UDPipe's."""
    gold = words.gold(name)
    bare = forms_alone(gold)
    model = wnparse.load(word_model(words, name, 2))
    ours = las(gold, parsed(model, list(read(io.BytesIO(bare)))))
    figure = f"order 2 {ours:.2f}"
    if not INSTALLED:
        report(f"{name} {words.split}: LAS from forms", figure, MISSING)
        return
    score = las(gold, run_udpipe(words.udpipe(name), bare)[0])
    words.gains["words"].append(ours - score)
    reached = ours - score >= LEAST_GAIN
    report(
        f"{name} {words.split}: LAS from forms", f"{figure}, UDPipe {score:.2f}", f">= +{LEAST_GAIN:g}", reached
    )


def measure_joint(name: str, words: WordsBench) -> None:
    """LAS with the best tags and with tags and trees together, order 2; weights are those of the other half."""
    gold = list(read(words.gold(name)))
    model = wnparse.load(word_model(words, name, 2))
    dev = list(read(data(name, "dev")))
    halves = [dev[0::2], dev[1::2]] if words.split == "dev" else [dev]
    weights = [learned.weight for half in halves if (learned := learn_joint_weight(model, half))]
    ways = {"best tags": [0.0] * len(weights), "together": weights[::-1]}
    scores, seconds = {}, {}
    for how, chosen in ways.items():
        parts, start = [], time.process_time()
        for k, weight in enumerate(chosen):
            bare = list(read(io.BytesIO(forms_alone(words.gold(name)))))[k :: len(chosen)]
            parts.append([sentence.raw for sentence in replace(model, joint_weight=weight).parse(bare)])
        seconds[how] = time.process_time() - start
        dealt = [parts[i % len(parts)][i // len(parts)] for i in range(len(gold))]
        scores[how] = las(words.gold(name), b"".join(dealt))
    words.gains["joint"].append(scores["together"] - scores["best tags"])
    figures = ", ".join(f"{how} {score:.2f}" for how, score in scores.items())
    cost = f"{seconds['together'] / seconds['best tags']:.2f} times the CPU"
    report(
        f"{name} {words.split}: LAS from forms",
        figures,
        f"weights {' '.join(map('{:g}'.format, weights))}, {cost}",
    )


def measure_text(name: str, words: WordsBench) -> None:
    """LAS from raw text, order 2, next to UDPipe's; and CPU time compared with that of the same words."""
    gold = words.gold(name)
    text = "\n\n".join(raw_paragraphs(str(gold))) + "\n"
    model = wnparse.load(word_model(words, name, 2))
    if model.tokenizer is None:
        report(f"{name} {words.split}: LAS from text", "no tokenizer")
        return
    ours = [sentence.raw for sentence in model.parse_text(text)]
    score = las(gold, b"".join(ours))
    tokens = list(model.tokenize(text))
    costs = [
        least(words.bench.repeats, functools.partial(consume, work), time.process_time)
        for work in (lambda: model.parse_text(text), lambda: model.parse(tokens))
    ]
    slower = costs[0] / costs[1]
    report(f"{name}: text to trees", f"{slower:.2f} times words to trees", f"<= {MOST_SLOWER}",
           slower <= MOST_SLOWER)  # fmt: skip
    figure = f"order 2 {score:.2f}"
    if not INSTALLED:
        report(f"{name} {words.split}: LAS from text", figure, MISSING)
        return
    folder = words.bench.models / "udpipe"
    tokenized, _ = tokenize_udpipe(udpipe_tokenizer(data(name, "train"), data(name, "dev"), name, folder), text)
    other = las(gold, run_udpipe(words.udpipe(name), tokenized.encode())[0])
    words.gains["text"].append(score - other)
    report(f"{name} {words.split}: LAS from text", f"{figure}, UDPipe {other:.2f}")


def consume(work: Callable[[], Iterable[object]]) -> None:
    """Go through the results of some work."""
    for _ in work():
        pass


def measure_pipeline(name: str, words: WordsBench) -> None:
    """Words a second of CPU from a file of forms to a file of trees; order 1, one thread, start-up left out."""
    path = str(word_model(words, name, 1))
    source, target = words.bench.models / "forms.conllu", words.bench.models / "trees.conllu"
    source.write_bytes(forms_alone(words.gold(name)) * 3)
    speed = 0.0
    for _ in range(words.bench.repeats):
        seconds, _, count = parse_file(path, str(source), target)
        speed = max(speed, count / seconds)
    report(f"{name}: forms to trees", f"{speed:,.0f} words/s", f">= {LEAST_SPEED:,}", speed >= LEAST_SPEED)
    source.unlink()
    target.unlink()


def measure_training(name: str, words: WordsBench) -> None:
    """CPU time of training a tagger and a parser of order 1."""
    record = json.loads(word_model(words, name, 1).with_suffix(".json").read_text())
    reached = record["user"] <= TRAINING_SECONDS if name == TRAINING else None
    target = "" if reached is None else f"<= {TRAINING_SECONDS} s"
    report(f"{name}: training", f"{record['user']:.0f} s of CPU", target, reached)


def report_averages(words: WordsBench) -> None:
    """Averages over treebanks next to their targets."""
    targets = {"words": MEAN_GAIN, "joint": 0.0, "text": TEXT_GAIN}
    names = {
        "words": "LAS over UDPipe, order 2",
        "joint": "LAS by tags and trees together",
        "text": "LAS from text over UDPipe, order 2",
    }
    for order in (1, 2):
        condition = f"by jack-knifing, order {order}"
        targets |= {f"jackknife loss {order}": KNIFE_GAIN, f"jackknife score {order}": KNIFE_GAIN}
        names |= {
            f"jackknife loss {order}": f"LAS lost less from gold to predicted tags {condition}",
            f"jackknife score {order}": f"LAS on predicted tags more {condition}",
        }
    for row, gains in words.gains.items():
        gain = mean(gains)
        what = f"average of {len(gains)}: {names[row]}"
        report(what, f"{gain:+.2f}", f">= {targets[row]:+g}", gain >= targets[row])


ROWS: dict[str, Callable[[str, WordsBench], None]] = {
    "jackknife": measure_jackknife,
    "words": measure_words,
    "joint": measure_joint,
    "text": measure_text,
    "pipeline": measure_pipeline,
    "training": measure_training,
}


def main() -> None:
    """Run the rows that the command line names, treebank by treebank."""
    parser = make_bench_parser(__doc__, ROWS, treebanks=COMPARED)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    help_text = "iterations of UDPipe's tagger and parser, to save time; default: its own"
    parser.add_argument(
        "--udpipe", type=int, nargs=2, metavar=("TAGGER", "PARSER"), default=ITERATIONS, help=help_text
    )
    options = parser.parse_args()
    words = WordsBench(make_bench(options), options.split, tuple(options.udpipe))
    for name in options.treebanks:
        for row in options.rows:
            ROWS[row](name, words)
    report_averages(words)


if __name__ == "__main__":
    main()
