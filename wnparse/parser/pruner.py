"""The pruner of a parser of higher order: a first-order model that leaves few heads of each word.

There are many parts of several arcs. Only those whose heads are likely according to a first-order model without
labels are scored (cext/scorer/arc_pruner.hpp). `wnparse.training.pruner` trains the pruner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.storage.strict_json import table, whole
from wnparse.storage.tensors import Arrays, take

PREFIX = "pruner/"  # of its arrays in a model file
ARRAYS = {"slots": np.uint32}


@dataclass(frozen=True)
class Pruner:
    """The pruner: it selects the heads of each word that get parts of higher order.

    Attributes
    ----------
    slots : ndarray
        uint32[4 * 2 ** b], b >= 1: weights of the templates of arcs, in the format of a model
        (cext/scorer/weights/frozen_weights.hpp).
    cutoff : int
        Heads that score more than this below the best of their word are dropped.
    most : int
        The maximum number of heads of a word, apart from ties; heads of the best tree are always kept.
    """

    slots: npt.NDArray[np.uint32]
    cutoff: int
    most: int

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: getattr(self, name) for name in ARRAYS}

    def limits(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {"cutoff": self.cutoff, "max_heads": self.most}

    @staticmethod
    def read_limits(value: Any) -> dict[str, Any]:
        """Check and read its entry in the header of a model file."""
        limits = table(cutoff=whole(0), max_heads=whole(1))(value)
        return {"cutoff": limits["cutoff"], "most": limits["max_heads"]}

    @classmethod
    def of(cls, arrays: Arrays, limits: dict[str, Any]) -> Pruner:
        """Undo `stored`, with limits as `read_limits` returns them."""
        return cls(**{**take(arrays, PREFIX, ARRAYS), **limits})
