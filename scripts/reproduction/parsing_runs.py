"""Runs of the parser itself, file to file: accuracy, validity and user time by decoder; speed by jobs."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.lab import open_parser, parse_file
from reproduction.laboratory import DECODERS, PRICE, Laboratory
from reproduction.store import Result
from wnparse.evaluation.evaluate import SystemEvaluation, evaluate
from wnparse.treebanks.reader import Reader

LEAST_WORDS = 20_000  # a shorter test set is timed on several copies in a row


def scores_of(system: SystemEvaluation) -> dict[str, Any]:
    """What tables tell of a system; LAS with whole labels, as peers count it."""
    validity = system.validity
    return {
        "uas": system.scores.uas,
        "las": system.scores.las_subtypes,
        "complete": system.scores.uc,
        "valid": validity.valid,
        "nested2": validity.well_nested_block_degree[2],
        "nested3": validity.well_nested_block_degree[3],
        "single_root": validity.single_root,
    }


def evaluate_files(gold: str, systems: list[str], laboratory: Laboratory) -> list[dict[str, Any]]:
    """Score outputs against a test set, validity under the constraints of the model."""
    constraints = laboratory.test_set.constraints
    evaluation = evaluate(
        Reader([gold]),
        *(Reader([system]) for system in systems),
        block_degree=constraints.block_degree,
        well_nested=constraints.well_nested,
        trials=1,  # differences are not reported
    )
    return [scores_of(system) for system in evaluation.systems]


def long_enough(laboratory: Laboratory, folder: Path) -> str:
    """The test set in a file, as many times over as its timing needs."""
    text = Path(laboratory.treebank.required("test")).read_bytes().rstrip(b"\n") + b"\n\n"
    copies = -(-LEAST_WORDS // int(laboratory.test_set.lengths.sum()))
    source = folder / "source.conllu"
    source.write_bytes(text * copies)
    return str(source)


def sentence_seconds(laboratory: Laboratory) -> dict[str, float]:
    """Time of the whole parse with each decoder: each sentence's least of several passes, summed.

    A sentence is parsed by all decoders in a row, so that what else the machine does slows all of them; each is
    first, second, ... in one pass, so that none profits more than others from what the one before left in caches.
    """
    sentences = laboratory.treebank.sentences("test")
    parsers = [open_parser(str(laboratory.model_path), decoder, PRICE) for decoder in DECODERS]
    least = np.full((len(parsers), len(sentences)), np.inf)
    for turn in range(len(parsers)):
        for place, sentence in enumerate(sentences):
            for step in range(len(parsers)):
                number = (turn + place + step) % len(parsers)
                seconds = parsers[number].parse([sentence])[0].seconds
                least[number, place] = min(least[number, place], seconds)
    return dict(zip(DECODERS, least.sum(axis=1).tolist(), strict=True))


def decoders_step(laboratory: Laboratory) -> Result:
    """Table 3: the parser with each decoder; and the user time of the default one, file to file."""
    model, gold, test = str(laboratory.model_path), laboratory.treebank.required("test"), laboratory.test_set
    with tempfile.TemporaryDirectory() as folder:
        source, timed = long_enough(laboratory, Path(folder)), Path(folder, "timed.conllu")
        targets = {decoder: Path(folder, f"{decoder}.conllu") for decoder in DECODERS}
        for decoder, target in targets.items():
            parse_file(model, gold, target, decoder=decoder, crossing_penalty=PRICE)
        scores = evaluate_files(gold, [str(target) for target in targets.values()], laboratory)
        passes = [
            parse_file(model, source, timed, crossing_penalty=PRICE) for _ in range(laboratory.options.repeats)
        ]
    whole = sentence_seconds(laboratory)
    rows = {
        decoder: {**figures, "parse_seconds": whole[decoder]}
        for decoder, figures in zip(DECODERS, scores, strict=True)
    }
    spent = laboratory.model_path.with_suffix(".json")
    return {
        "sentences": len(test.matrices),
        "words": int(test.lengths.sum()),
        "constraint": vars(test.constraints),
        "model_bytes": laboratory.model_path.stat().st_size,
        "training_user_seconds": json.loads(spent.read_text())["user"] if spent.exists() else None,
        "words_per_second": passes[0][2] / min(user for user, _, _ in passes),
        "rows": rows,
    }


def jobs_step(laboratory: Laboratory) -> Result:
    """Words a second of the clock by the number of threads."""
    model, cores = str(laboratory.model_path), os.cpu_count() or 1
    most = max(2, 2 * cores)
    counts = [2**power for power in range(most.bit_length()) if 2**power <= most]
    load = os.getloadavg()[0]
    passes: dict[int, list[tuple[float, float, int]]] = {jobs: [] for jobs in counts}
    with tempfile.TemporaryDirectory() as folder:
        source = long_enough(laboratory, Path(folder))
        for _ in range(laboratory.options.repeats):
            for jobs, measured in passes.items():
                target = Path(folder, f"{jobs}.conllu")
                measured.append(parse_file(model, source, target, jobs=jobs, crossing_penalty=PRICE))
        outputs = {Path(folder, f"{jobs}.conllu").read_bytes() for jobs in counts}
    rows = []
    for jobs, measured in passes.items():
        user, clock, words = (min(column) for column in zip(*measured, strict=True))
        rows.append({"jobs": jobs, "words_per_second": words / clock, "user_seconds": user})
    return {"cores": cores, "load": load, "same_output": len(outputs) == 1, "rows": rows}
