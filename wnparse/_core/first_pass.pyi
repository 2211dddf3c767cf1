import numpy as np
import numpy.typing as npt

from wnparse._core.tokens import Tokens

UInt64Array = npt.NDArray[np.uint64]

MOST_TAGS: int
MOST_TYPES: int

class FirstPassLearner:
    def __init__(self, tags: UInt64Array, types: UInt64Array) -> None: ...
    def learn(self, tokens: Tokens, heads: npt.NDArray[np.int32], rate: float) -> None: ...
    def averaged(self) -> npt.NDArray[np.float64]: ...
