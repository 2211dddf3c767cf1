from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

class Sentence(Protocol):
    @property
    def raw(self) -> bytes: ...
    @property
    def fields(self) -> npt.NDArray[np.int32]: ...

class Tokens:
    @property
    def atoms(self) -> npt.NDArray[np.uint64]: ...
    def add_scores(
        self,
        arcs: npt.NDArray[np.float32],
        of_modifier: npt.NDArray[np.float32] | None,
        of_head: npt.NDArray[np.float32] | None,
        unit: float,
        likely: float,
        seconds: float = 0.0,
    ) -> None: ...

def encode(sentences: Sequence[Sentence], lemma: bool, fine_tag: bool, feats: bool) -> list[Tokens]: ...
def token_types(tokens: Tokens) -> npt.NDArray[np.uint64]: ...
