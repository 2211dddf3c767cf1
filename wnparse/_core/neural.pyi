from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

INPUT_COUNT: int

class Sentence(Protocol):
    @property
    def raw(self) -> bytes: ...
    @property
    def fields(self) -> npt.NDArray[np.int32]: ...

def word_keys(sentence: Sentence) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]: ...

class Embeddings:
    def __init__(
        self,
        keys: npt.NDArray[np.uint64],
        rows: npt.NDArray[np.int32],
        values: npt.NDArray[np.int8],
        scales: npt.NDArray[np.float32],
        shapes: Sequence[tuple[int, int]],
    ) -> None: ...
    @property
    def width(self) -> int: ...
    def look_up(self, sentence: Sentence) -> npt.NDArray[np.float32]: ...
