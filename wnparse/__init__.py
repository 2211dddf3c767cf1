"""Graph-based dependency parsing with guaranteed well-nested trees of bounded block degree."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wnparse.arc_marginals import log_partition, marginals, marginals_batch
    from wnparse.batch_decoding import decode_batch
    from wnparse.conllu import Sentence, read
    from wnparse.constraints import Constraints
    from wnparse.decoding import decode
    from wnparse.errors import (
        InfeasibleError,
        LimitError,
        ModelError,
        RulesError,
        TreebankError,
        WnparseError,
    )
    from wnparse.model import Model, load
    from wnparse.parts import Parts
    from wnparse.rules import Rules
    from wnparse.solution import Batch, Ranking, Solution
    from wnparse.training_run import train
    from wnparse.trees import block_degree, gap_degree, is_projective, is_well_nested, structure
    from wnparse.writing import write

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
    "__version__",
    "block_degree",
    "decode",
    "decode_batch",
    "gap_degree",
    "is_projective",
    "is_well_nested",
    "load",
    "log_partition",
    "marginals",
    "marginals_batch",
    "read",
    "structure",
    "train",
    "write",
]

# Where the public names live. They are imported on first use: the command line stays quick to start.
_HOMES = {
    **dict.fromkeys(("log_partition", "marginals", "marginals_batch"), "wnparse.arc_marginals"),
    **dict.fromkeys(("Sentence", "read"), "wnparse.conllu"),
    "write": "wnparse.writing",
    "Constraints": "wnparse.constraints",
    "decode": "wnparse.decoding",
    "decode_batch": "wnparse.batch_decoding",
    **dict.fromkeys(
        ("InfeasibleError", "LimitError", "ModelError", "RulesError", "TreebankError", "WnparseError"),
        "wnparse.errors",
    ),
    **dict.fromkeys(("Model", "load"), "wnparse.model"),
    "Parts": "wnparse.parts",
    "Rules": "wnparse.rules",
    **dict.fromkeys(("Batch", "Ranking", "Solution"), "wnparse.solution"),
    "train": "wnparse.training_run",
    **dict.fromkeys(
        ("block_degree", "gap_degree", "is_projective", "is_well_nested", "structure"), "wnparse.trees"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        message = f"module 'wnparse' has no attribute '{name}'"
        raise AttributeError(message)
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
