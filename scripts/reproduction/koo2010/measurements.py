"""Measurements of Koo et al. 2010, section 7, and of Corro et al. 2016, Table 4, on test sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import wnparse
from bench.lab import count_right
from reproduction.laboratory import PRICE, Laboratory, is_valid
from reproduction.models import ORDERS, model_path, training_seconds
from reproduction.store import Result
from wnparse._core.laboratory import trace
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.tokens import encode
from wnparse.treebanks.sentence import Sentence

DECODERS = ("msa", "eisner", "lr", "bnb")
ALONE = ("scores as they are", "balanced scores")
TRACED = ("sib", "gs")  # the models of Koo et al.
LONGEST_LOOP = 5_000  # iterations: K of the paper
POINTS = (1, 2, 5, 10, 20, 50, 100, 250, 1_000, LONGEST_LOOP)  # K of Figure 4
EDGES = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 200)  # iterations up to which a bin of Figure 3 goes


def reason_to_skip(laboratory: Laboratory, words: int) -> str:
    """Why no parsers of higher order are trained on a treebank; nothing if they are."""
    most = laboratory.options.higher_words
    return f"more training words than --higher-words {most:,}" if words > most else ""


def held_to(model: wnparse.Model, decoder: str) -> Constraints:
    """What a decoder holds trees to: the model's constraints, but for the plain relaxation the root alone."""
    return Constraints(single_root=model.constraints.single_root) if decoder == "msa" else model.constraints


def parse_test(
    model: wnparse.Model,
    sentences: Sequence[Sentence],
    decoder: str,
    *,
    max_iterations: int = DecodeOptions.max_iterations,
    repeats: int = 1,
) -> tuple[dict[str, Any], list[Parsed]]:
    """Parse sentences one by one: figures, and what was found; each sentence's least time of several passes."""
    options = ParseOptions(
        decoder=decoder, constraints=held_to(model, decoder), max_iterations=max_iterations, crossing_penalty=PRICE
    )
    parser = Parser(model, options)
    passes = [[parser.parse([sentence])[0] for sentence in sentences] for _ in range(repeats)]
    words, heads, labels = count_right(sentences, passes[0]).sum(axis=0).tolist()
    trees = [parsed.parse for parsed in passes[0] if parsed.parse is not None]
    valid = sum(is_valid(tree.heads, model.constraints) for tree in trees)
    certified = sum(tree.certified for tree in trees)
    decoding = np.min([[parsed.timings.decoding for parsed in results] for results in passes], axis=0)
    whole = np.min([[parsed.seconds for parsed in results] for results in passes], axis=0)
    return {
        "uas": 100 * heads / words,
        "las": 100 * labels / words,
        "valid": 100 * valid / len(sentences),
        "certified": 100 * certified / len(sentences),
        "decoding_seconds": float(decoding.sum()),
        "parse_seconds": float(whole.sum()),
    }, passes[0]


def orders_step(laboratory: Laboratory) -> Result:
    """Koo's Tables 1 and 3, Corro's Table 4: the parser of each order with each decoder."""
    sentences = laboratory.treebank.sentences("test")
    rows = {}
    constraints = Constraints()
    for kind in ORDERS:
        path = model_path(laboratory, kind)
        model = wnparse.load(str(path))
        constraints = model.constraints
        rows[kind] = {
            "training_user_seconds": training_seconds(path),
            "model_bytes": path.stat().st_size,
            "decoders": {
                decoder: parse_test(model, sentences, decoder, repeats=laboratory.options.repeats)[0]
                for decoder in DECODERS
            },
        }
    return {
        "constraint": vars(constraints),
        "sentences": len(sentences),
        "lessons": len(laboratory.treebank.sentences("train")) * laboratory.options.epochs,
        "gold_valid": 100 * float(np.mean([is_valid(sentence.heads, constraints) for sentence in sentences])),
        "rows": rows,
    }


def automata_step(laboratory: Laboratory) -> Result:
    """Koo's section 7.6, Figures 3 and 4: automata without a tree, those run again, and limits of iterations."""
    sentences = laboratory.treebank.sentences("test")
    rows = {}
    for kind in TRACED:
        model = wnparse.load(str(model_path(laboratory, kind)))
        rows[kind] = {**trace_automata(model, sentences), "limits": stop_early(model, sentences)}
    return {"sentences": len(sentences), "rows": rows}


def trace_automata(model: wnparse.Model, sentences: Sequence[Sentence]) -> dict[str, Any]:
    """Precision and recall of what automata choose by themselves; automata that iterations run, in percent."""
    settings = DecodeOptions(
        decoder="msa", constraints=held_to(model, "msa"), max_iterations=LONGEST_LOOP
    ).settings
    words = 0
    chosen, right = np.zeros(2), np.zeros(2)
    shares: list[list[float]] = [[] for _ in EDGES]
    going = np.zeros(len(EDGES), np.int64)
    for sentence in sentences:
        tokens = encode(sentence, model.columns)
        traced = trace(model._scorer, tokens, settings, model.first_pass is not None)
        words += len(sentence)
        if traced is None:
            continue
        _, runs, *alone = traced
        chosen += [arcs.sum() for arcs in alone]
        right += [arcs[np.arange(1, len(arcs)), sentence.heads[1:]].sum() for arcs in alone]
        bins = np.searchsorted(EDGES, np.arange(1, len(runs) + 1))
        for place in range(len(EDGES)):
            shares[place] += (100 * runs[bins == place] / (len(sentence) + 1)).tolist()
        going += len(runs) >= np.array(EDGES)
    return {
        "alone": {
            way: {"precision": 100 * right[place] / max(chosen[place], 1), "recall": 100 * right[place] / words}
            for place, way in enumerate(ALONE)
        },
        "recomputed": [
            {"iterations": edge, "percent": float(np.mean(percentages)), "sentences": int(count)}
            for edge, percentages, count in zip(EDGES, shares, going.tolist(), strict=True)
            if percentages
        ],
    }


def stop_early(model: wnparse.Model, sentences: Sequence[Sentence]) -> list[dict[str, float]]:
    """Accuracy, certificates and trees that are those of the largest limit, by limits of iterations."""
    figures, parsed = zip(
        *(parse_test(model, sentences, "msa", max_iterations=limit) for limit in POINTS), strict=True
    )
    heads = [[sentence.parse.heads for sentence in results if sentence.parse] for results in parsed]
    points = []
    for limit, row, trees in zip(POINTS, figures, heads, strict=True):
        same = [np.array_equal(a, b) for a, b in zip(trees, heads[-1], strict=True)]
        points.append(
            {
                "iterations": limit,
                "uas": row["uas"],
                "certified": row["certified"],
                "same": 100 * float(np.mean(same)),
                "decoding_seconds": row["decoding_seconds"],
            }
        )
    return points
