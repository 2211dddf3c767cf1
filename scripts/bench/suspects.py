"""How many planted errors `wnparse crossval --suspects` finds, and how much quicker two processes are than one.

Errors are planted at random in the training and development parts of treebanks, in 1 % of the words: in every
other one the head is moved to another word, so that the tree stays one; in the others the relation is replaced by
another, drawn as often as the treebank has it. Then the parts are cross-validated as one treebank, as if nobody
knew. Told is which share of the first 100 and 500 suspects was planted, beside what chance and the plain order of
disagreement find (the order of the treebank, words whose tree the first model contradicts: its expectation), and
the same among the suspects of the development part alone. What was there before counts as right, whatever it is.

With --near errors are less random: a head moves to a word beside the right one, and a relation becomes one that
the treebank gives to words of the same tag.

    python scripts/bench/suspects.py                                 # three treebanks, half an hour
    python scripts/bench/suspects.py --treebanks tr-imst --seeds 2 --planting 3
    python scripts/bench/suspects.py --speed                         # 10 folds of tr-imst, two processes over one
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.lab import load_part, make_parser, report
from wnparse.crossval.crossval import CrossValidation, cross_validation
from wnparse.crossval.processes import run_calls
from wnparse.crossval.suspects.find import Suspect
from wnparse.crossval.suspects.perturb import is_below
from wnparse.training.options import TrainOptions
from wnparse.treebanks.sentence import Sentence

SHARE = 0.01
TARGET, TARGET_SPEED = 60.0, 1.7
WordPosition = tuple[int, int]  # sentence, word


def plant(sentences: Sequence[Sentence], seed: int, near: bool) -> tuple[list[Sentence], dict[WordPosition, str]]:
    """The sentences with errors, and what is wrong with which words."""
    chance = random.Random(f"{seed} planted")
    given = _relations(sentences, by_tag=near)
    words = [
        (i, m)
        for i, sentence in enumerate(sentences)
        for m in range(1, len(sentence) + 1)
        if sentence.heads[m] > 0
    ]
    chosen = chance.sample(words, round(SHARE * sum(map(len, sentences))))
    by_sentence: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, (i, m) in enumerate(chosen):
        by_sentence[i].append((m, ("head", "relation")[number % 2]))
    changed, planted = list(sentences), {}
    for i, errors in by_sentence.items():
        heads, relations = sentences[i].heads.tolist(), ["", *sentences[i].column("deprel")]
        tags = ["", *sentences[i].column("upos")]
        for m, kind in errors:
            places = [h for h in range(1, len(heads)) if h != heads[m] and not is_below(heads, h, m)]
            if near:
                places = [h for h in places if abs(h - heads[m]) <= 2]
            others = [relation for relation in given[tags[m] if near else ""] if relation != relations[m]]
            if kind == "head" and places:
                heads[m] = chance.choice(places)
            elif others:
                kind, relations[m] = "relation", chance.choice(others)
            else:
                continue
            planted[i, m] = kind
        changed[i] = sentences[i].with_tree(heads, relations)
    return changed, planted


def _relations(sentences: Sequence[Sentence], *, by_tag: bool) -> dict[str, list[str]]:
    """The relations of words below others, by their tag or all of them."""
    relations_of: dict[str, list[str]] = defaultdict(list)
    for sentence in sentences:
        rows = zip(sentence.column("upos"), sentence.column("deprel"), sentence.heads[1:].tolist(), strict=True)
        for tag, relation, head in rows:
            if head > 0:
                relations_of[tag if by_tag else ""].append(relation)
    return relations_of


def contradicted(run: CrossValidation) -> list[WordPosition]:
    """The words to which the first model gives another head or relation, in the order of the treebank."""
    return [
        (i, word)
        for task in run.tasks()
        if task.options.seed == run.seeds[0]
        for i, features in zip(run.inside(task.fold), run.results[task.key].features, strict=True)
        for word in (np.flatnonzero(features.rows[:, 9:11].any(axis=1)) + 1).tolist()
    ]


def precision(suspects: Sequence[Suspect], planted: dict[WordPosition, str], count: int) -> float:
    """The percentage of the first so many that was planted."""
    return 100 * float(np.mean([(suspect.sentence, suspect.word) in planted for suspect in suspects[:count]]))


def validated(sentences: list[Sentence], options: argparse.Namespace, jobs: int) -> CrossValidation:
    """Cross-validate a treebank."""
    training = TrainOptions(order=options.order, epochs=options.epochs, only="parser").complete()
    run = cross_validation(
        sentences,
        [training],
        folds=options.folds,
        seeds=range(1, options.seeds + 1),
        features=not options.speed,
    )
    for _ in run.run(lambda calls: run_calls(calls, jobs)):
        pass
    if run.failures:
        sys.exit(str(next(iter(run.failures.values()))))
    return run


def bench_treebank(name: str, options: argparse.Namespace) -> float:
    """Report one treebank; the precision of the first hundred."""
    train, dev = (load_part(name, part) for part in ("train", "dev"))
    sentences, planted = plant([*train, *dev], options.planting, options.near)
    run = validated(sentences, options, options.jobs)
    suspects = run.suspects(None, 0.0)
    words = sum(map(len, sentences))
    plain = contradicted(run)
    las = run.summary(0)["las"].mean
    chance, disagreement = 100 * len(planted) / words, 100 * np.mean([place in planted for place in plain])
    first = precision(suspects, planted, 100)
    heads = [planted.get((suspect.sentence, suspect.word)) for suspect in suspects[:100]].count("head")
    kinds = f"{heads} of them heads"
    report(
        f"{name}: planted among the first 100", f"{first:.0f} % ({kinds})", f">= {TARGET:.0f} %", first >= TARGET
    )
    report("  among the first 500", f"{precision(suspects, planted, 500):.1f} %")
    report("  by chance, and by plain disagreement", f"{chance:.1f} %, {disagreement:.1f} % (LAS {las:.2f})")
    in_dev = [suspect for suspect in suspects if suspect.sentence >= len(train)]
    planted_in_dev = sum(i >= len(train) for i, _ in planted)
    report(
        f"  dev part alone, {planted_in_dev} planted: first 100, 500",
        f"{precision(in_dev, planted, 100):.0f} %, {precision(in_dev, planted, 500):.1f} %",
    )
    in_train = [suspect for suspect in suspects if suspect.sentence < len(train)]
    report(
        f"  training part alone, {len(planted) - planted_in_dev} planted: first 100, 500",
        f"{precision(in_train, planted, 100):.0f} %, {precision(in_train, planted, 500):.1f} %",
    )
    return first


def cpu_seconds() -> float:
    """What this process and those that it has ended have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def bench_speed(options: argparse.Namespace) -> None:
    """Time a cross-validation in one process and in two."""
    sentences = load_part("tr-imst", "train")
    seconds, spent = dict.fromkeys((1, 2), float("inf")), dict.fromkeys((1, 2), float("inf"))
    for jobs in (1, 2) * options.repeats:  # by turns: others may use the machine
        start, before = time.perf_counter(), cpu_seconds()
        validated(sentences, options, jobs)
        seconds[jobs] = min(seconds[jobs], time.perf_counter() - start)
        spent[jobs] = min(spent[jobs], cpu_seconds() - before)
    gain = seconds[1] / seconds[2]
    report(
        f"tr-imst, {options.folds} folds, order {options.order}: 2 processes over 1",
        f"{gain:.2f}x ({seconds[1]:.0f} s, {seconds[2]:.0f} s; of CPU {spent[1]:.0f} s, {spent[2]:.0f} s)",
        f">= {TARGET_SPEED}x",
        gain >= TARGET_SPEED,
    )


def main() -> None:
    """Parse the options and run."""
    parser = make_parser(__doc__)
    names = ["tr-imst", "eu-bdt", "nl-alpino-cdb"]
    parser.add_argument("--treebanks", nargs="+", default=names, metavar="NAME")
    parser.add_argument("--planting", type=int, default=1, help="seed of the errors")
    parser.add_argument("--near", action="store_true", help="errors that are less random")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--order", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3, help="of each time; the shortest counts")
    parser.add_argument("--speed", action="store_true", help="the time of one process and of two alone")
    options = parser.parse_args()
    if options.speed:
        options.folds = 10
        bench_speed(options)
        return
    print(f"order {options.order}, {options.epochs} epochs, {options.folds} folds, {options.seeds} seeds")
    precisions = [bench_treebank(name, options) for name in options.treebanks]
    mean = sum(precisions) / len(precisions)
    report("planted among the first 100, on average", f"{mean:.1f} %", f">= {TARGET:.0f} %", mean >= TARGET)


if __name__ == "__main__":
    main()
