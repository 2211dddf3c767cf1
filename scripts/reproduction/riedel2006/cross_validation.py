"""Measurements of Riedel & Clarke 2006 by cross-validation: constraints on labelled trees, their gain and cost.

*Incremental Integer Linear Programming for Non-projective Dependency Parsing*, section 5. Parsers of first order
are learned by single-best MIRA on all folds but one, and parse that one: without constraints (the best
arborescence), and with the rules that the other folds keep, by the paper's loop (`incremental_ilp`),
by the decoder `ilp` and by `bnb`.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import wnparse
from reproduction.findings import RIEDEL, language
from reproduction.laboratory import Laboratory
from reproduction.riedel2006.ruled_decoding import (
    Clock,
    Held,
    Tree,
    decode_freely,
    decode_ruled,
    narrowed,
    score_labels,
)
from reproduction.store import Result, say, slug
from studies.learners import train
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.rules import Rules
from wnparse.rules.compile import compile_rules
from wnparse.rules.coverage import detect_rules, kept_rules
from wnparse.training.options import TrainOptions
from wnparse.treebanks.folds import split_folds
from wnparse.treebanks.sentence import Sentence

RULES = "riedel-clarke-2006"
EDGES = (10, 20, 30, 40, 50)  # words up to which a bin of Table 2 goes; the last bin has no end
NARROW = (5, 10)  # q of Table 3
FEW_ROUNDS = 20  # fewer suffice for 99 % of the paper's sentences, section 3.1
CLOSE = 1e-6  # of the larger of 1 and the score: two scores that differ by more are different
WHOLE = ("bl", "loop", "ilp", "bnb")  # systems that get all labelled arcs
# Pairs of systems that solve the same problem.
COMPARED = {"loop": "bnb", "ilp": "bnb", **{f"loop {q}": f"bnb {q}" for q in NARROW}}

Record = dict[str, Any]


def reason_to_skip(laboratory: Laboratory, words: int) -> str:
    """Why the loop is not run on a treebank; nothing if it is, as always in the paper's language."""
    most = laboratory.options.incremental_words
    if words > most and not language(laboratory.treebank.name, RIEDEL["data"]):
        return f"not Dutch, and more training words than --incremental-words {most:,}"
    return "" if importlib.util.find_spec("highspy") else "highspy is not installed"


def rules_of(sentences: Sequence[Sentence]) -> tuple[Rules, dict[str, str]]:
    """The rules that trees keep: of Universal Dependencies if these are theirs, else of the paper."""
    relations = Counter(relation for sentence in sentences for relation in sentence.column("deprel"))
    return kept_rules(sentences, Rules.load(detect_rules(relations) or RULES))


def fold_model(laboratory: Laboratory, sentences: Sequence[Sentence], name: str) -> tuple[wnparse.Model, float]:
    """The parser of some folds, learned unless it is there, and the user seconds that its learning took."""
    treebank, epochs = laboratory.treebank, laboratory.options.epochs
    folder = laboratory.store.folder.resolve() / "models" / "mira"
    path = folder / f"{treebank.digest}-{slug(treebank.name)}-{epochs}-{slug(name)}.wnp"
    spent = path.with_suffix(".json")
    if not (path.exists() and spent.exists()):
        folder.mkdir(exist_ok=True)
        say(f"{treebank.name}: learning by MIRA, {name}, {epochs} epochs ...")
        # The paper's parsers are learned without constraints.
        (last,) = train(sentences, TrainOptions(epochs=epochs, learner="mira", order=1, rules=None), [epochs])
        last.model.save(path)
        spent.write_text(json.dumps({"user": last.seconds}))
    return wnparse.load(str(path)), float(json.loads(spent.read_text())["user"])


class Systems:
    """All that decodes a sentence, by the names of the results."""

    def __init__(self, constraints: Constraints) -> None:
        from reproduction.riedel2006.incremental_ilp import solve_incrementally  # highspy may be missing
        from wnparse.decoding.ilp.decoder import solve_problem

        self.bnb = DecodeOptions(decoder="bnb", constraints=constraints).settings
        self.loop = Clock(solve_incrementally)
        self.ilp = Clock(lambda problem: (solve_problem(problem), None))
        self.loop_settings, self.ilp_settings = (
            decoder.settings(constraints) for decoder in (self.loop, self.ilp)
        )

    def run(self, held: Held, programs: bool) -> dict[str, Tree]:
        """Decode one sentence by each; without integer programs by the core alone."""
        trees = {"bl": decode_freely(held), "bnb": decode_ruled(held, held.scores, self.bnb)}
        if not programs:
            return trees
        trees["loop"] = decode_ruled(held, held.scores, self.loop_settings, self.loop)
        trees["ilp"] = decode_ruled(held, held.scores, self.ilp_settings, self.ilp)
        for q in NARROW:
            few = narrowed(held.scores, q)
            trees[f"loop {q}"] = decode_ruled(held, few, self.loop_settings, self.loop)
            trees[f"bnb {q}"] = decode_ruled(held, few, self.bnb)
        return trees


def judge(held: Held, trees: dict[str, Tree], names: Sequence[str]) -> Record:
    """What is kept of a sentence: right words, time, rounds; where no tree is found, that without rules counts."""
    gold, relations = held.sentence.heads[1:], np.array(held.sentence.column("deprel"))
    relation_names = np.array([*names, "_"])
    record: Record = {"words": len(held.sentence), "systems": {}}
    for name, tree in trees.items():
        shown = tree if tree.found else trees["bl"]
        right = shown.heads[1:] == gold
        labelled = right & (relation_names[shown.labels[1:]] == relations)
        record["systems"][name] = {
            "heads": int(right.sum()),
            "labels": int(labelled.sum()),
            "seconds": tree.seconds,
            "found": tree.found,
        }
        if tree.rounds is not None:
            spent = {"rounds": tree.rounds.count, "first": tree.rounds.seconds[0], "limited": tree.rounds.limited}
            record["systems"][name] |= spent
    for name, other in COMPARED.items():
        if name in trees:
            record["systems"][name]["differs"] = differs(trees[name], trees[other])
    return record


def differs(tree: Tree, other: Tree) -> bool | None:
    """Whether two decoders disagree, on the best score or on there being a tree; None if one proved nothing."""
    if not (tree.proved and other.proved):
        return None
    if not (tree.found and other.found):
        return tree.found != other.found
    return abs(tree.score - other.score) > CLOSE * max(1.0, abs(tree.score))


def accuracy(records: Sequence[Record], name: str) -> Record:
    """Labelled and unlabelled accuracy, sentences without an error; and the whole time."""
    rows = [(record["words"], record["systems"][name]) for record in records]
    words, count = sum(size for size, _ in rows), len(rows)
    return {
        "las": 100 * sum(row["labels"] for _, row in rows) / words,
        "uas": 100 * sum(row["heads"] for _, row in rows) / words,
        "complete_labelled": 100 * sum(row["labels"] == size for size, row in rows) / count,
        "complete": 100 * sum(row["heads"] == size for size, row in rows) / count,
        "seconds": sum(row["seconds"] for _, row in rows),
        "limited": sum(row.get("limited", False) for _, row in rows),
        "without_tree": sum(not row["found"] for _, row in rows),
        "compared": sum(row.get("differs") is not None for _, row in rows),
        "different": sum(row.get("differs") is True for _, row in rows),
    }


def by_length(records: Sequence[Record]) -> Iterable[Record]:
    """Table 2: means of the sentences of each bin that has any."""
    places = np.searchsorted(EDGES, [record["words"] for record in records])
    for place in range(len(EDGES) + 1):
        of_length = [record["systems"] for record, at in zip(records, places.tolist(), strict=True) if at == place]
        if of_length:
            loops = [systems["loop"] for systems in of_length]
            yield {
                "column": place,
                "sentences": len(of_length),
                "seconds": {
                    name: float(np.mean([systems[name]["seconds"] for systems in of_length])) for name in WHOLE
                },
                "rounds": float(np.mean([loop["rounds"] for loop in loops])),
                "first": float(np.mean([loop["first"] for loop in loops])),
                "limited": sum(loop["limited"] for loop in loops),
            }


def incremental_step(laboratory: Laboratory) -> Result:
    """Tables 1 to 3: learn on all folds but one, and parse that one by every system."""
    sentences = laboratory.treebank.sentences("train")
    folds, step = laboratory.options.incremental_folds, laboratory.options.incremental_step
    fold_of = split_folds(sentences, folds)
    records: list[Record] = []
    training, names, left_out = 0.0, "", Counter[str]()
    for fold in range(folds):
        others, held_out = (
            [sentence for sentence, own in zip(sentences, fold_of, strict=True) if (own == fold) == wanted]
            for wanted in (False, True)
        )
        model, seconds = fold_model(laboratory, others, f"fold {fold + 1} of {folds} left out")
        training += seconds
        rules, dropped = rules_of(others)
        names = rules.name
        left_out.update(dropped.keys())
        constraints = Constraints(single_root=model.constraints.single_root)
        program, systems = compile_rules(rules, model.labels), Systems(constraints)
        for place, sentence in enumerate(held_out):
            held = Held(sentence, score_labels(model, sentence), program, constraints)
            records.append(judge(held, systems.run(held, place % step == 0), model.labels))
    solved = [record for record in records if "loop" in record["systems"]]
    rounds = np.array([record["systems"]["loop"]["rounds"] for record in solved])
    return {
        "folds": folds,
        "all_sentences": len(records),
        "sentences": len(solved),
        "rules": names,
        "left_out": dict(left_out),
        "training_user_seconds": training,
        "all_systems": {name: accuracy(records, name) for name in ("bl", "bnb")},
        "systems": {name: accuracy(solved, name) for name in solved[0]["systems"]},
        "bins": list(by_length(solved)),
        "most_rounds": int(rounds.max()),
        "few_rounds": 100 * float(np.mean(rounds < FEW_ROUNDS)),
    }
