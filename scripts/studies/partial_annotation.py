"""Training on half-annotated treebanks: the LAS that is lost if heads and relations of some words are blank.

Words are made blank in four ways: at random, in whole clauses (subtrees of verbs), where a first-order parser that
was trained on the other half of the treebank is least sure, and, for comparison, in whole sentences, which leaves
the same number of annotated words. LAS is that of the epoch that `train` keeps, on the development set, with gold
tags; seconds are CPU time of training. Finished runs are kept in a file of JSON lines and are not repeated.

    python scripts/studies/partial_annotation.py --jobs 2         # three treebanks, three seeds: an hour or more
    python scripts/studies/partial_annotation.py tr-imst --seeds 1 --patterns full random-50
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wnparse
from bench.lab import load_part, make_parser, report
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

TREEBANKS = ("tr-imst", "eu-bdt", "pt-bosque")
LOSS = {"random-50": (1.5, 2.0), "random-30": (0.8, 1.2)}  # LAS below the full treebank: mean, and any treebank
RIVALS = {"random-50": "sentences-50", "random-30": "sentences-30"}  # with as many annotated words
SLOWDOWN = 2.0
CERTAIN_EPOCHS = 3  # of the parser whose confidence is used


def blank(sentence: Sentence, words: set[int]) -> Sentence:
    """Return a sentence without the heads and relations of some words."""
    heads, relations = sentence.heads.tolist(), ["_", *sentence.column("deprel")]
    for word in words:
        heads[word], relations[word] = -1, "_"
    return sentence.with_tree(heads, relations)


def blank_random(sentences: Sequence[Sentence], part: float, rng: random.Random) -> list[Sentence]:
    """Blank words at random."""
    return [
        blank(sentence, {word for word in range(1, len(sentence) + 1) if rng.random() < part})
        for sentence in sentences
    ]


def blank_clauses(sentences: Sequence[Sentence], part: float, rng: random.Random) -> list[Sentence]:
    """Blank the subtrees of verbs, in random order, until a part of the words of the treebank is blank."""
    verbs = [
        (number, word)
        for number, sentence in enumerate(sentences)
        for word, tag in enumerate(sentence.column("upos"), 1)
        if tag in ("VERB", "AUX")
    ]
    rng.shuffle(verbs)
    chosen: dict[int, set[int]] = defaultdict(set)
    left = part * sum(map(len, sentences))
    for number, verb in verbs:
        if left <= 0:
            break
        inside = find_yield(sentences[number].heads.tolist(), verb) - chosen[number]
        chosen[number] |= inside
        left -= len(inside)
    return [blank(sentence, chosen[number]) for number, sentence in enumerate(sentences)]


def find_yield(heads: list[int], top: int) -> set[int]:
    """Return a word and all words below it."""
    inside = {top}
    while True:
        more = {word for word in range(1, len(heads)) if heads[word] in inside} - inside
        if not more:
            return inside
        inside |= more


def blank_unsure(sentences: Sequence[Sentence], part: float, rng: random.Random) -> list[Sentence]:
    """Blank the words whose heads are the least sure for a parser that was trained on the other half."""
    order = list(range(len(sentences)))
    rng.shuffle(order)
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    sure: list[tuple[float, int, int]] = []
    for half, other in (halves, halves[::-1]):
        teachers, held_out = [sentences[i] for i in other], [sentences[i] for i in half]
        cut = len(teachers) * 9 // 10  # the rest calibrates
        model = wnparse.train(
            teachers[:cut], dev=teachers[cut:], only="parser", order=1, epochs=CERTAIN_EPOCHS, rules=None
        )
        for number, parsed in zip(half, model.parse(held_out, confidence=True), strict=True):
            for word, misc in enumerate(parsed.column("misc"), 1):
                items = dict(item.partition("=")[::2] for item in misc.split("|"))
                sure.append((float(items.get("HeadProb", 0)), number, word))
    sure.sort()
    chosen: dict[int, set[int]] = defaultdict(set)
    for _, number, word in sure[: round(part * len(sure))]:
        chosen[number].add(word)
    return [blank(sentence, chosen[number]) for number, sentence in enumerate(sentences)]


def drop_sentences(sentences: Sequence[Sentence], part: float, rng: random.Random) -> list[Sentence]:
    """Leave out sentences at random."""
    return [sentence for sentence in sentences if rng.random() >= part]


def keep_all(sentences: Sequence[Sentence], part: float, rng: random.Random) -> list[Sentence]:
    """Return the treebank as it is."""
    return list(sentences)


Change = Callable[[Sequence[Sentence], float, random.Random], list[Sentence]]
PATTERNS: dict[str, tuple[Change, float]] = {
    "full": (keep_all, 0.0),
    "random-50": (blank_random, 0.5),
    "random-30": (blank_random, 0.3),
    "sentences-50": (drop_sentences, 0.5),
    "sentences-30": (drop_sentences, 0.3),
    "clauses-50": (blank_clauses, 0.5),
    "unsure-50": (blank_unsure, 0.5),
    "not-completed-50": (blank_random, 0.5),
}


def train_once(name: str, pattern: str, seed: int, epochs: int) -> dict[str, object]:
    """Train on one treebank with one pattern; return the figures."""
    change, part = PATTERNS[pattern]
    sentences = change(load_part(name, "train"), part, random.Random(f"{seed} {part}"))
    start = time.process_time()
    trainer = Trainer(
        sentences, load_part(name, "dev"), TrainOptions(only="parser", order=2, epochs=epochs, seed=seed)
    )
    if pattern.startswith("not-completed"):
        trainer.learner.ignore_unannotated()
    trainer.run()
    las = max(figures["dev_las"] for figures in trainer.history)
    seconds = time.process_time() - start
    return {"treebank": name, "pattern": pattern, "seed": seed, "epochs": epochs, "las": las, "seconds": seconds}


def main() -> None:
    """Run what has not been run, and print the table."""
    parser = make_parser(__doc__)
    parser.add_argument("treebanks", nargs="*", default=list(TREEBANKS), metavar="TREEBANK")
    parser.add_argument("--patterns", nargs="+", default=list(PATTERNS), choices=list(PATTERNS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("build/partial-annotation.jsonl"))
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    lines = options.results.read_text().splitlines() if options.results.exists() else []
    results = {
        (run["treebank"], run["pattern"], run["seed"], run["epochs"]): run for run in map(json.loads, lines)
    }
    wanted = [
        (name, pattern, seed, options.epochs)
        for seed in options.seeds
        for pattern in options.patterns
        for name in options.treebanks
    ]
    with ProcessPoolExecutor(options.jobs) as pool, options.results.open("a") as file:
        futures = [pool.submit(train_once, *key) for key in wanted if key not in results]
        for future in as_completed(futures):
            run = future.result()
            results[run["treebank"], run["pattern"], run["seed"], run["epochs"]] = run
            print(json.dumps(run), file=file, flush=True)
            print(f"{run['treebank']} {run['pattern']} seed {run['seed']}: LAS {run['las']:.2f}", file=sys.stderr)
    average = partial(average_over_seeds, results, options.seeds, options.epochs)
    compare(average, options.treebanks, options.patterns)


def average_over_seeds(
    results: dict[tuple[str, str, int, int], dict[str, float]],
    seeds: Sequence[int],
    epochs: int,
    name: str,
    pattern: str,
    figure: str = "las",
) -> float:
    """Return the mean of a figure."""
    return mean(results[name, pattern, seed, epochs][figure] for seed in seeds)


def compare(average: Callable[..., float], treebanks: Sequence[str], patterns: Sequence[str]) -> None:
    """Print LAS of all patterns, and the figures next to their targets."""
    print("pattern".ljust(20), *(name.rjust(12) for name in treebanks))
    for pattern in patterns:
        print(pattern.ljust(20), *(f"{average(name, pattern):12.2f}" for name in treebanks))
    if "full" not in patterns:
        return
    for pattern in [pattern for pattern in LOSS if pattern in patterns]:
        losses = {name: average(name, "full") - average(name, pattern) for name in treebanks}
        most_mean, most = LOSS[pattern]
        report(
            f"{pattern}: mean loss",
            f"{mean(losses.values()):.2f}",
            f"<= {most_mean}",
            mean(losses.values()) <= most_mean,
        )
        for name, loss in losses.items():
            report(f"{pattern}, {name}: loss", f"{loss:.2f}", f"<= {most}", loss <= most)
            seconds = average(name, pattern, "seconds") / average(name, "full", "seconds")
            report(f"{pattern}, {name}: training time", f"{seconds:.2f}x", f"<= {SLOWDOWN}x", seconds <= SLOWDOWN)
            if RIVALS[pattern] in patterns:
                gain = average(name, pattern) - average(name, RIVALS[pattern])
                report(f"{pattern}, {name}: above {RIVALS[pattern]}", f"{gain:+.2f}", "> 0", gain > 0)


if __name__ == "__main__":
    main()
