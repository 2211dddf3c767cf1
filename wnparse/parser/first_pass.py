"""The first pass: a small model of tags that drops unlikely heads before words are scored.

It is learned from the same treebank before the parser itself, which then learns to choose among the heads that are
left (cext/scorer/first_pass).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.storage.strict_json import number, table, whole
from wnparse.storage.tensors import Arrays, take

SCALE = 1 / 1000  # value of a weight of 1
LARGEST_CUTOFF = 1e15
PREFIX = "first_pass/"  # of its arrays in a model file
ARRAYS = {"tags": np.uint64, "types": np.uint64, "weights": np.int16}


@dataclass(frozen=True)
class FirstPass:
    """The first pass: it drops the unlikely heads of each word.

    Attributes
    ----------
    tags, types : ndarray
        uint64[t], t <= 60, and uint64[u], u <= 200: the hashes of the tags, and of tags with FEATS, that occur in
        its training data; ascending.
    weights : ndarray
        int16[`FirstPassLayout::size`] (cext/scorer/first_pass/first_pass_scores.hpp): its tables.
    cutoff : int
        Heads that score more than this below the best of their word are dropped.
    most : int
        The maximum number of heads of a word that are kept, apart from ties.
    close : float
        Arcs that score more than this below the best of their word are kept, but get no labels.
    """

    tags: npt.NDArray[np.uint64]
    types: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.int16]
    cutoff: int
    most: int
    close: float

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: getattr(self, name) for name in ARRAYS}

    def limits(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {"cutoff": self.cutoff, "max_heads": self.most, "label_cutoff": self.close}

    @staticmethod
    def read_limits(value: Any) -> dict[str, Any]:
        """Check and read its entry in the header of a model file."""
        limits = table(cutoff=whole(1), max_heads=whole(1), label_cutoff=number(0, LARGEST_CUTOFF))(value)
        return {"cutoff": limits["cutoff"], "most": limits["max_heads"], "close": limits["label_cutoff"]}

    @classmethod
    def of(cls, arrays: Arrays, limits: dict[str, Any]) -> FirstPass:
        """Undo `stored`, with limits as `read_limits` returns them."""
        return cls(**{**take(arrays, PREFIX, ARRAYS), **limits})
