"""A network as a second scorer: what its scores add to those of the linear model, how fast, and what explains it.

Rows: accuracy (the sum next to each scorer alone, gold tags), words (the same with predicted tags), speed (of the
whole parse, memory and size), bits (what 8 bits cost), seeds, linear (the sum of two linear models instead),
networks (the sum of two networks instead). LAS compares whole labels. Training takes 10 to 60 minutes per network;
models are kept in the folder of --models. A network alone is the sum with a very large weight, without crossing
penalty and rules.

    python scripts/bench/neural.py accuracy speed --treebanks tr-imst
    python scripts/bench/neural.py accuracy --treebanks en-ewt --encoder DIRECTORY --first 5000
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import Bench, data, forms_alone, load_part, make_bench, make_bench_parser, report, run
from wnparse.neural.network import Network, NetworkScores
from wnparse.parser.model import Model
from wnparse.parser.neural_scorer import NeuralScorer
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import count_right
from wnparse.storage.quantise import quantise
from wnparse.training.calibration import learn_calibration
from wnparse.training.neural_sum import make_run, tune_sum
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

TREEBANKS = ["tr-imst", "eu-bdt", "pt-bosque", "nl-alpino-cdb"]
ALONE = 30.0  # the weight of a network that is measured alone
MEAN_GAIN, ENCODER_GAIN = 1.0, 2.0  # LAS over the linear model
LEAST_SPEED = 8_000  # words/s
MOST_BYTES, MOST_MEMORY = 8e6, 150e6
MOST_LOSS = 0.1  # LAS, for 8 bits
SEEDS = (1, 2, 3)


@dataclass
class NeuralBench:
    """What is measured on which split, and the gains so far."""

    bench: Bench
    split: str
    encoder: str | None
    first: int | None
    gains: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def gold(self, name: str) -> list[Sentence]:
        """Return the sentences that are parsed."""
        return load_part(name, self.split)


@dataclass(frozen=True)
class Figures:
    """LAS, and the percentage of trees that are certified within the arcs that pruning leaves."""

    las: float
    certified: float


def train(neural: NeuralBench, name: str, *options: str, label: str = "") -> Path:
    """Train a model with a network, unless it is there."""
    kind = f"{'encoder' if neural.encoder else 'neural'}{label}"
    path = neural.bench.models / f"{name}{f'-{neural.first}' if neural.first else ''}-{kind}.wnp"
    if not path.exists():
        print(f"training {path.name} ...", file=sys.stderr, flush=True)
        source = Path(data(name, "train"))
        if neural.first:
            source = neural.bench.models / f"{name}-{neural.first}.conllu"
            source.write_bytes(b"".join(sentence.raw for sentence in load_part(name, "train", neural.first)))
        network = ["--encoder", neural.encoder] if neural.encoder else ["--neural"]
        files = [str(source), "--dev", data(name, "dev"), "-o", str(path), *network]
        user, _, memory = run(neural.bench.models, "train", *files, *options)
        path.with_suffix(".json").write_text(json.dumps({"user": user, "memory": memory}))
    return path


def measure(
    model: Model, sentences: Sequence[Sentence], weight: float | None = None, **options: object
) -> Figures:
    """Parse with a weight of the network; None is the model's."""
    used = {"constraints": model.constraints, "rules": model.rules, "neural_weight": weight, **options}
    parser = Parser(model, ParseOptions(**used))  # type: ignore[arg-type]
    parses = list(parser.stream(sentences, at_hand=lambda: True))
    right = sum(count_right(parsed.parse, gold)[1] for parsed, gold in zip(parses, sentences, strict=True))
    certified = mean(bool(parsed.parse and parsed.parse.certified) for parsed in parses)
    return Figures(100 * right / sum(map(len, sentences)), 100 * certified)


def compare(neural: NeuralBench, name: str, row: str, model: Model, sentences: Sequence[Sentence]) -> None:
    """Report the sum next to each scorer alone."""
    linear, both = measure(model, sentences, 0.0), measure(model, sentences)
    alone = measure(model, sentences, ALONE, rules=None, crossing_penalty=0.0)
    gain, weight = both.las - linear.las, model.neural.weight if model.neural else 0
    neural.gains[row].append(gain)
    figure = f"{both.las:.2f} (linear {linear.las:.2f}, network {alone.las:.2f}; weight {weight:g})"
    report(f"{name} {neural.split}: LAS of the sum", figure, "> network", both.las > alone.las)
    report(f"{name}: gain over the linear model", f"{gain:+.2f}", "")
    report(f"{name}: certified trees", f"{both.certified:.2f} % (linear {linear.certified:.2f} %)")


def measure_accuracy(name: str, neural: NeuralBench) -> None:
    """Gold tags."""
    model = wnparse.load(train(neural, name, "--only", "parser"))
    compare(neural, name, "accuracy", model, neural.gold(name))


def measure_words(name: str, neural: NeuralBench) -> None:
    """Words alone: the tagger of the model predicts all tags."""
    model = wnparse.load(train(neural, name, label="-words"))
    gold = neural.gold(name)
    bare = [one for one in read(io.BytesIO(forms_alone(data(name, neural.split))), heads="ignored") if len(one)]
    figures = []
    for weight in (0.0, None):
        options = ParseOptions(constraints=model.constraints, rules=model.rules, neural_weight=weight)
        parses = Parser(model, options).stream(bare, at_hand=lambda: True)
        right = sum(count_right(parsed.parse, one)[1] for parsed, one in zip(parses, gold, strict=True))
        figures.append(100 * right / sum(map(len, gold)))
    neural.gains["words"].append(figures[1] - figures[0])
    report(f"{name} {neural.split}: LAS from words alone", f"{figures[1]:.2f} (linear {figures[0]:.2f})")


def measure_speed(name: str, neural: NeuralBench) -> None:
    """CPU time of the whole parse on one core, memory, size."""
    path = train(neural, name, "--only", "parser")
    model = wnparse.load(path)
    assert model.neural is not None
    sentences = load_part(name, "dev")
    words = sum(map(len, sentences))

    def seconds(weight: float | None) -> float:
        options = ParseOptions(constraints=model.constraints, rules=model.rules, neural_weight=weight)
        parser, best = Parser(model, options), float("inf")
        for _ in range(neural.bench.repeats):
            start = time.process_time()
            for _ in parser.stream(sentences, at_hand=lambda: True):
                pass
            best = min(best, time.process_time() - start)
        return best

    both, linear = words / seconds(None), words / seconds(0.0)
    report(f"{name}: words/s on one core", f"{both:,.0f} (linear {linear:,.0f})", f">= {LEAST_SPEED:,}",
           both >= LEAST_SPEED)  # fmt: skip
    size = model.neural.network.size
    report(
        f"{name}: bytes of the network",
        f"{size / 1e6:.1f} MB",
        f"<= {MOST_BYTES / 1e6:.0f} MB",
        size <= MOST_BYTES,
    )
    # A small process of its own: a child of this one would begin with its memory.
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"
    )
    command = [sys.executable, "-m", "wnparse", "parse", "-q", "-m", str(path), data(name, "dev")]
    shown = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=True)
    memory = int(shown.stdout)
    report(f"{name}: memory of wnparse parse", f"{memory / 1e6:.0f} MB", f"<= {MOST_MEMORY / 1e6:.0f} MB",
           memory <= MOST_MEMORY)  # fmt: skip


class FloatNetwork:
    """The network of a finished run in single precision, with the scores of PyTorch."""

    def __init__(self, trainer: Trainer) -> None:
        import torch

        self._run = make_run(trainer)
        self._torch = torch

    def train(self) -> Network:
        """Train it; return the network in 8 bits."""
        from wnparse.neural.training import single_thread

        with single_thread():
            while self._run.epoch < self._run.epochs:
                self._run.run_epoch(lambda: False, lambda words: None)
        self._average = self._run.averaged()
        return self._run.network()

    def score(self, sentence: Sentence) -> NetworkScores:
        """Score a sentence."""
        batch, torch = self._run.batch([sentence]), self._torch
        with torch.no_grad():
            scores, of_modifier, of_head = self._average(batch)
            factors = self._average.labels(of_modifier).view(len(of_head), -1, self._average.sizes.relations)
            ones = torch.nn.functional.pad(of_head, (0, 1), value=1.0)
            arcs = torch.log_softmax(scores[0], 1)
        return NetworkScores(arcs.numpy(), factors.numpy(), ones.numpy())


def make_trainer(name: str, seed: int, **options: object) -> tuple[Trainer, Model]:
    """Train a linear parser on gold tags."""
    trainer = Trainer(
        load_part(name, "train"),
        load_part(name, "dev"),
        TrainOptions(only="parser", seed=seed, **options),  # type: ignore[arg-type]
    )
    trainer.run()
    model = trainer.finish()
    assert model is not None
    return trainer, model


def measure_bits(name: str, neural: NeuralBench) -> None:
    """Networks in 8 bits and in single precision, with the same weight."""
    trainer, model = make_trainer(name, 1)
    exact = FloatNetwork(trainer)
    network = exact.train()
    dev = load_part(name, "dev")
    tuned, _ = tune_sum(model, network, dev, dev, trainer.margin)
    assert tuned.neural is not None
    floating = replace(tuned, neural=replace(tuned.neural, network=exact))  # type: ignore[arg-type]
    eight, full = measure(tuned, dev).las, measure(floating, dev).las
    report(f"{name} dev: LAS in 8 bits, in single precision", f"{eight:.2f}, {full:.2f}", f"<= {MOST_LOSS} lower",
           full - eight <= MOST_LOSS)  # fmt: skip
    options = {"weight": ALONE, "rules": None, "crossing_penalty": 0.0}
    eight, full = measure(tuned, dev, **options).las, measure(floating, dev, **options).las  # type: ignore[arg-type]
    report(f"{name} dev: the same of the network alone", f"{eight:.2f}, {full:.2f}")


def measure_seeds(name: str, neural: NeuralBench) -> None:
    """Several seeds of both scorers."""
    gains, sums = [], []
    for seed in SEEDS:
        label = f"-seed{seed}" if seed > 1 else ""
        model = wnparse.load(train(neural, name, "--only", "parser", "--seed", str(seed), label=label))
        gold = neural.gold(name)
        linear, both = measure(model, gold, 0.0).las, measure(model, gold).las
        sums.append(both)
        gains.append(both - linear)
    figures = ", ".join(f"{gain:+.2f}" for gain in gains)
    report(f"{name} {neural.split}: gain with seeds {SEEDS}", f"{figures}; LAS {mean(sums):.2f} on average")


def measure_linear(name: str, neural: NeuralBench) -> None:
    """Two linear models with different seeds: the sum of their scores is that of the sum of their weights."""
    trainers = [make_trainer(name, seed) for seed in SEEDS[:2]]
    dev = load_part(name, "dev")
    alone = [measure(model, dev).las for _, model in trainers]
    (first, model), (second, _) = trainers
    arcs = add_weights(first.learner.averaged(), second.learner.averaged())
    rows = add_rows(first.learner.averaged_rows(), second.learner.averaged_rows(), first.names, second.names)
    weights, scale = quantise(arcs, rows, len(first.names), first.least_weight)
    both = replace(model, weights=weights, scale=scale)
    both = replace(both, calibration=learn_calibration(both, dev))
    figure = f"{measure(both, dev).las:.2f} (alone {', '.join(f'{las:.2f}' for las in alone)})"
    report(f"{name} dev: LAS of the sum of two linear models", figure)


def add_weights(first: tuple, second: tuple) -> tuple:  # type: ignore[type-arg]
    """Add weights by key."""
    keys, where = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    sums = np.zeros(len(keys))
    np.add.at(sums, where, np.concatenate([first[1], second[1]]))
    return keys, sums


def add_rows(first: tuple, second: tuple, names: list[str], others: list[str]) -> tuple:  # type: ignore[type-arg]
    """Add rows of weights of labels by key and name."""
    table: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for (keys, begin, labels, weights), number_of in (
        (first, {i: i for i in range(len(names))}),
        (second, {i: names.index(name) for i, name in enumerate(others)}),
    ):
        for row, key in enumerate(keys.tolist()):
            for place in range(begin[row], begin[row + 1]):
                table[key][number_of[int(labels[place])]] += float(weights[place])
    keys = np.array(sorted(table), np.uint64)
    begin = np.cumsum([0, *(len(table[key]) for key in sorted(table))])
    labels = np.array([label for key in sorted(table) for label in sorted(table[key])], np.int32)
    weights = np.array([table[key][label] for key in sorted(table) for label in sorted(table[key])])
    return keys, begin, labels, weights


class BothNetworks:
    """The mean of the scores of two networks."""

    def __init__(self, first: Network, second: Network, order: list[int]) -> None:
        self._first, self._second, self._order = (
            first,
            second,
            order,
        )  # labels of the second, as the first has them

    def score(self, sentence: Sentence) -> NetworkScores:
        """Score a sentence."""
        one, two = self._first.score(sentence), self._second.score(sentence)
        assert one.of_modifier is not None and two.of_modifier is not None
        assert one.of_head is not None and two.of_head is not None
        factors = np.concatenate([one.of_modifier, two.of_modifier[:, :, self._order]], axis=1) / 2
        arcs = (one.arcs + two.arcs) / 2
        return NetworkScores(
            arcs, np.ascontiguousarray(factors), np.concatenate([one.of_head, two.of_head], axis=1)
        )


def measure_networks(name: str, neural: NeuralBench) -> None:
    """Two networks with different seeds, without a linear model and with one."""
    models = [
        wnparse.load(train(neural, name, "--only", "parser", *(["--seed", "2"] if seed > 1 else []),
                           label=f"-seed{seed}" if seed > 1 else ""))
        for seed in SEEDS[:2]
    ]  # fmt: skip
    dev, first = load_part(name, "dev"), models[0]
    scorers = [model.neural for model in models]
    assert isinstance(scorers[0], NeuralScorer) and isinstance(scorers[1], NeuralScorer)
    order = [models[1].labels.index(label) for label in first.labels]
    both = replace(scorers[0], network=BothNetworks(scorers[0].network, scorers[1].network, order))  # type: ignore[arg-type]
    together = replace(first, neural=both)
    options = {"weight": ALONE, "rules": None, "crossing_penalty": 0.0}
    alone = [measure(model, dev, **options).las for model in models]  # type: ignore[arg-type]
    figure = f"{measure(together, dev, **options).las:.2f} (alone {', '.join(f'{las:.2f}' for las in alone)})"  # type: ignore[arg-type]
    report(f"{name} dev: LAS of two networks", figure)
    sums = f"{measure(together, dev).las:.2f} (with one {measure(first, dev).las:.2f})"
    report(f"{name} dev: LAS of the linear model and two networks", sums)


ROWS: dict[str, Callable[[str, NeuralBench], None]] = {
    "accuracy": measure_accuracy,
    "words": measure_words,
    "speed": measure_speed,
    "bits": measure_bits,
    "seeds": measure_seeds,
    "linear": measure_linear,
    "networks": measure_networks,
}


def main() -> None:
    """Run the rows that are named."""
    parser = make_bench_parser(__doc__, ROWS, treebanks=TREEBANKS)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--encoder", metavar="DIR", help="a pretrained encoder, for the rows accuracy and speed")
    parser.add_argument("--first", type=int, metavar="N", help="train on the first N sentences")
    options = parser.parse_args()
    encoder = str(Path(options.encoder).resolve()) if options.encoder else None
    neural = NeuralBench(make_bench(options), options.split, encoder, options.first)
    for row in options.rows:
        for name in neural.bench.treebanks:
            ROWS[row](name, neural)
    for row, gains in neural.gains.items():
        target = ENCODER_GAIN if encoder else MEAN_GAIN
        wanted = {"accuracy": f">= {target}", "words": f">= {target}"}[row]
        report(f"{row}: mean gain in LAS, {neural.split}", f"{mean(gains):+.2f}", wanted, mean(gains) >= target)


if __name__ == "__main__":
    main()
