"""The sizes of a network, in the header of a model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wnparse.storage.strict_json import list_of, table, whole
from wnparse.treebanks.label_names import MOST_LABELS

INPUTS = ("form", "lemma", "upos", "xpos", "feats", "affixes")  # of a word: cext/neural/word_keys.hpp
MOST_ROWS, MOST_SIZE, MOST_LAYERS = 1 << 24, 4096, 8


@dataclass(frozen=True)
class NetworkSizes:
    """The sizes of a network.

    Attributes
    ----------
    inputs : dict
        For each of `INPUTS` the rows and the dimensions of its embeddings; both are 0 if it is not used.
    layers, hidden : int
        The number of bidirectional LSTMs, and the cells of each direction.
    arcs, labels : int
        Dimensions of the vectors that are compared, for arcs and for labels.
    relations : int
        The number of labels; 0 if the network only scores arcs.
    encoder : int
        Dimensions of the vectors of a pretrained encoder; 0 if there is none.
    """

    inputs: dict[str, tuple[int, int]]
    layers: int
    hidden: int
    arcs: int
    labels: int
    relations: int
    encoder: int = 0

    @classmethod
    def read(cls, value: Any) -> NetworkSizes:
        """Check and read the sizes in the header of a model file."""
        size, relations = whole(0, MOST_SIZE), whole(0, MOST_LABELS)
        shapes = table(**dict.fromkeys(INPUTS, list_of(whole(0, MOST_ROWS))))
        sizes = table(
            inputs=shapes,
            layers=whole(0, MOST_LAYERS),
            hidden=size,
            arcs=whole(1, MOST_SIZE),
            labels=size,
            relations=relations,
            encoder=size,
        )(value)
        for name, shape in sizes["inputs"].items():
            if len(shape) != 2 or shape[1] > MOST_SIZE or (shape[0] == 0) != (shape[1] == 0):
                raise ValueError(f"inputs: {name}: expected rows and dimensions, or two zeros")
        if (sizes["layers"] > 0) != (sizes["hidden"] > 0) or (sizes["relations"] > 0) != (sizes["labels"] > 0):
            raise ValueError(
                "layers without hidden cells, or relations without dimensions of labels, or the reverse"
            )
        inputs = {name: tuple(shape) for name, shape in sizes["inputs"].items()}
        return cls(**{**sizes, "inputs": inputs})

    @property
    def width(self) -> int:
        """The numbers that stand for a word."""
        return sum(dimensions for _, dimensions in self.inputs.values()) + self.encoder

    def matrices(self) -> dict[str, tuple[int, int]]:
        """Return the shapes of its matrices, inputs by outputs."""
        width, shapes = self.width, {}
        for layer in range(self.layers):
            for direction in ("forward", "backward"):
                shapes[f"lstm{layer}/{direction}/input"] = width, 4 * self.hidden
                shapes[f"lstm{layer}/{direction}/recurrent"] = self.hidden, 4 * self.hidden
            width = 2 * self.hidden
        shapes["vectors"] = width, 2 * (self.arcs + self.labels)
        shapes["arcs"] = self.arcs, self.arcs
        if self.relations:
            shapes["labels"] = self.labels, (self.labels + 1) * self.relations
        return shapes
