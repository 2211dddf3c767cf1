"""The pruner of a parser of higher order: a first-order model that leaves few heads of each word.

Parts of several arcs are many: only those over heads that a first-order model without labels finds likely are
looked at (cext/scorer/arc_pruner.hpp). `wnparse.pruner_training` learns it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.tensors import Arrays


@dataclass(frozen=True)
class Pruner:
    """Which heads of a word are worth parts of higher order.

    Attributes
    ----------
    slots : ndarray
        uint32: weights of the templates of arcs, as those of a model.
    cutoff : int
        Heads that score more than this below the best of their word are dropped.
    most : int
        And all but this many, ties aside; the heads of the best tree stay in any case.
    """

    slots: npt.NDArray[np.uint32]
    cutoff: int
    most: int

    def widened(self, factor: float) -> Pruner:
        """The same with a cutoff so many times as large."""
        return replace(self, cutoff=round(factor * self.cutoff))

    def arrays(self) -> Arrays:
        """What it is stored as, with `limits`."""
        return {"pruner_slots": self.slots}

    def limits(self) -> dict[str, Any]:
        """How far it is trusted."""
        return {"cutoff": self.cutoff, "most": self.most}

    @classmethod
    def of(cls, arrays: Arrays, limits: dict[str, Any]) -> Pruner:
        """Undo `arrays` and `limits`."""
        return cls(arrays["pruner_slots"], **limits)
