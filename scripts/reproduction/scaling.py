"""How time grows: of decoding with the length of the sentence, of training with the size of the treebank."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from bench.lab import run
from reproduction.laboratory import DECODERS, Laboratory, Variant
from reproduction.store import Result
from reproduction.treebanks import write_first
from wnparse._core.laboratory import time_kernel

# Lengths at which a bin begins, about sqrt(2) apart.
BINS = (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256)
SHARES = (8, 4, 2, 1)  # of the training data: an eighth, ..., all


def lengths_step(laboratory: Laboratory) -> Result:
    """Kernel time of all test sentences, summed by bins of their length."""
    test = laboratory.test_set
    bins = np.searchsorted(BINS, test.lengths, side="right") - 1
    times = {
        decoder: time_kernel(
            test.matrices, None, Variant(decoder).settings(test.constraints), laboratory.options.repeats
        )[1]
        for decoder in DECODERS
    }
    rows = []
    for number in np.unique(bins).tolist():
        inside = bins == number
        rows.append(
            {
                "from": BINS[number],
                "sentences": int(inside.sum()),
                "words": int(test.lengths[inside].sum()),
                "seconds": {decoder: float(seconds[inside].sum()) for decoder, seconds in times.items()},
            }
        )
    return {"bins": rows}


def training_step(laboratory: Laboratory) -> Result:
    """User seconds of `wnparse train` for one epoch, the first pass included, on growing parts of the treebank."""
    train = laboratory.treebank.required("train")
    sentences = len(laboratory.treebank.sentences("train"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for share in SHARES:
            source = Path(folder, f"{share}.conllu")
            words = write_first(train, source, max(1, sentences // share))
            options = ["-o", str(Path(folder, "m.wnp")), "--only", "parser", "--epochs", "1", "--order", "1"]
            user = run(Path(folder), "train", str(source), *options)[0]
            rows.append({"sentences": max(1, sentences // share), "words": words, "user_seconds": user})
    return {"rows": rows}
