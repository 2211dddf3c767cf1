"""A network as a second scorer: the sum of its scores and those of the linear model.

With s the scores of the linear model and T its temperature (`wnparse.parser.confidence`), s / T and the log
probabilities p of a network are on the same scale. Trees maximise s + w T p for a weight w, which, like the
temperature of the sum, its crossing penalty and its weight of tags, is learned on a development set
(`wnparse.training.neural_sum`). The core adds the scores before it decodes: score, bound and certificate are those
of the sum.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from wnparse._core.tokens import Tokens
from wnparse.neural.network import Network
from wnparse.neural.runtime import MISSING, is_installed
from wnparse.parser.confidence import Calibration
from wnparse.parser.joint import LARGEST_JOINT_WEIGHT
from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.storage.strict_json import Reader, number, table
from wnparse.storage.tensors import Arrays
from wnparse.treebanks.sentence import Sentence

LIKELY = math.log(0.01)  # heads with a larger log probability are not pruned
LARGEST_WEIGHT = 1e3


@dataclass(frozen=True, eq=False, repr=False)
class NeuralScorer:
    """A network, and what was learned of the sum of both scorers.

    Attributes
    ----------
    network : Network
        The network.
    weight : float
        The weight of its log probabilities against scores divided by their temperature.
    calibration : Calibration
        The temperature of the sum.
    crossing_penalty, joint_weight : float
        As in `wnparse.parser.model.Model`, for the sum.
    """

    network: Network
    weight: float
    calibration: Calibration
    crossing_penalty: float = 0.0
    joint_weight: float = 0.0

    def add_scores(self, sentences: Sequence[Sentence], tokens: Sequence[Tokens], unit: float) -> None:
        """Add the scores of the network to sentences; `unit` is what a nat is worth, in units of weights."""
        for sentence, encoded in zip(sentences, tokens, strict=True):
            start = time.perf_counter()
            scores = self.network.score(sentence)
            encoded.add_scores(*scores, unit=unit, likely=LIKELY, seconds=time.perf_counter() - start)

    def figures(self) -> dict[str, Any]:
        """Return its sizes and what was learned of the sum."""
        return {**self.header(), "bytes": self.network.size}

    def header(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {
            **self.network.header(),
            "weight": self.weight,
            "calibration": asdict(self.calibration),
            "crossing_penalty": self.crossing_penalty,
            "joint_weight": self.joint_weight,
        }

    @staticmethod
    def read_header(value: Any) -> dict[str, Any]:
        """Check and read its entry in the header of a model file."""
        return table(**HEADER)(value)

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return self.network.stored()

    @classmethod
    def of(cls, arrays: Arrays, header: dict[str, Any]) -> NeuralScorer:
        """Make the scorer of a model file; ValueError if arrays and header do not fit together."""
        network = Network.of(arrays, {name: header[name] for name in Network.HEADER})
        return cls(network, **{name: value for name, value in header.items() if name not in Network.HEADER})


# The keys of its header, each with what reads it.
HEADER: dict[str, Reader] = {
    **Network.HEADER,
    "weight": number(0, LARGEST_WEIGHT),
    "calibration": Calibration.read,
    "crossing_penalty": number(0, LARGEST_PENALTY),
    "joint_weight": number(0, LARGEST_JOINT_WEIGHT),
}


def as_neural_weight(value: Any) -> float:
    """Check the weight of a network; ValueError if it is not a number from 0 to `LARGEST_WEIGHT`."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LARGEST_WEIGHT:
        raise ValueError(f"neural_weight is {value!r}; expected a number from 0 to {LARGEST_WEIGHT:g}")
    return float(value)


def require_runtime() -> None:
    """Raise ValueError if ONNX Runtime is not installed."""
    if not is_installed():
        raise ValueError(f"the network of the model {MISSING}; or parse without it (--no-neural)")
