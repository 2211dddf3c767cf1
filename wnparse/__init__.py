"""Graph-based dependency parsing with guaranteed well-nested trees of bounded block degree."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wnparse.decoding.batch import decode_batch
    from wnparse.decoding.constraints import Constraints
    from wnparse.decoding.decode import decode
    from wnparse.decoding.marginals import (
        log_partition,
        log_partition_batch,
        marginals,
        marginals_batch,
    )
    from wnparse.decoding.parts import Parts
    from wnparse.decoding.solution import Batch, Ranking, Solution
    from wnparse.errors import (
        InfeasibleError,
        LimitError,
        ModelError,
        RulesError,
        TreebankError,
        WnparseError,
    )
    from wnparse.evaluation.evaluate import evaluate
    from wnparse.parser.model import Model, load
    from wnparse.rules import Rules
    from wnparse.training.train import train
    from wnparse.treebanks.draw import compare, draw
    from wnparse.treebanks.reader import read
    from wnparse.treebanks.sentence import Sentence, Word
    from wnparse.treebanks.stats import stats
    from wnparse.treebanks.writing import write
    from wnparse.trees import block_degree, gap_degree, is_projective, is_well_nested, structure

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Constraints",
    "InfeasibleError",
    "LimitError",
    "Model",
    "ModelError",
    "Parts",
    "Ranking",
    "Rules",
    "RulesError",
    "Sentence",
    "Solution",
    "TreebankError",
    "WnparseError",
    "Word",
    "__version__",
    "block_degree",
    "compare",
    "decode",
    "decode_batch",
    "draw",
    "evaluate",
    "gap_degree",
    "is_projective",
    "is_well_nested",
    "load",
    "log_partition",
    "log_partition_batch",
    "marginals",
    "marginals_batch",
    "read",
    "stats",
    "structure",
    "train",
    "write",
]

# Where the public names live. They are imported on first use: the command line stays quick to start.
_HOMES = {
    **dict.fromkeys(
        ("log_partition", "log_partition_batch", "marginals", "marginals_batch"), "wnparse.decoding.marginals"
    ),
    **dict.fromkeys(("Sentence", "Word"), "wnparse.treebanks.sentence"),
    "evaluate": "wnparse.evaluation.evaluate",
    "stats": "wnparse.treebanks.stats",
    **dict.fromkeys(("compare", "draw"), "wnparse.treebanks.draw"),
    "read": "wnparse.treebanks.reader",
    "write": "wnparse.treebanks.writing",
    "Constraints": "wnparse.decoding.constraints",
    "decode": "wnparse.decoding.decode",
    "decode_batch": "wnparse.decoding.batch",
    **dict.fromkeys(
        ("InfeasibleError", "LimitError", "ModelError", "RulesError", "TreebankError", "WnparseError"),
        "wnparse.errors",
    ),
    **dict.fromkeys(("Model", "load"), "wnparse.parser.model"),
    "Parts": "wnparse.decoding.parts",
    "Rules": "wnparse.rules",
    **dict.fromkeys(("Batch", "Ranking", "Solution"), "wnparse.decoding.solution"),
    "train": "wnparse.training.train",
    **dict.fromkeys(
        ("block_degree", "gap_degree", "is_projective", "is_well_nested", "structure"), "wnparse.trees"
    ),
}


if not TYPE_CHECKING:  # type checkers know the names from the imports above, and would accept any other one

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'wnparse' has no attribute '{name}'")
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value  # the next look-up does not come here
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
