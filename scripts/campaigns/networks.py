"""Small networks with random weights, which need no training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wnparse.neural.dense import quantise_columns, quantise_rows
from wnparse.neural.network import Network
from wnparse.neural.sizes import INPUTS, NetworkSizes
from wnparse.neural.vocabulary import Vocabulary
from wnparse.treebanks.sentence import Sentence

DIMENSIONS = {"form": 6, "lemma": 5, "upos": 4, "xpos": 3, "feats": 7, "affixes": 5}


def random_network(
    treebank: Sequence[Sentence], relations: int, seed: int, layers: int = 2, spread: float = 0.4
) -> Network:
    """Return a network whose vocabulary is that of a treebank."""
    rng = np.random.default_rng(seed)
    vocabulary = Vocabulary(treebank, INPUTS)
    sizes = NetworkSizes(
        inputs={name: (vocabulary.rows(name), DIMENSIONS[name]) for name in INPUTS},
        layers=layers, hidden=8 if layers else 0, arcs=9, labels=5 if relations else 0, relations=relations,
    )  # fmt: skip
    parts = [quantise_rows("embeddings", rng.normal(0, 1, shape)) for shape in sizes.inputs.values()]
    arrays = vocabulary.table() | {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name, (inputs, outputs) in sizes.matrices().items():
        bias = None if name.endswith("/recurrent") else rng.normal(0, spread, outputs)
        arrays |= quantise_columns(name, rng.normal(0, spread, (inputs, outputs)), bias)
    return Network(arrays, sizes)
