from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.learner import Learner
from wnparse._core.scorer import Scorer
from wnparse._core.settings import Settings
from wnparse._core.tokens import Tokens

Int32Array = npt.NDArray[np.int32]

def time_kernel(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    repeats: int,
    parts: Any = None,
    labels: Any = None,
) -> tuple[float, npt.NDArray[np.float64]]: ...
def reduce_root(scores: npt.ArrayLike, settings: Settings) -> npt.NDArray[np.bool_] | None: ...
def trace(
    scorer: Scorer, tokens: Tokens, settings: Settings, prune: bool
) -> tuple[Int32Array, Int32Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_]] | None: ...

class AutomataLearner:
    def __init__(self, learner: Learner) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def learn(
        self,
        tokens: Tokens,
        heads: Int32Array,
        labels: Int32Array,
        settings: Settings,
        kept: tuple[Int32Array, Int32Array, Int32Array],
    ) -> tuple[int, int]: ...
