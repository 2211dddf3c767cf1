from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.settings import Settings
from wnparse._core.tables import LabelCandidates
from wnparse._core.tokens import Tokens

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

LEARNERS: list[tuple[str, int, bool, bool, bool, bool]]

class Learner:
    def __init__(
        self,
        templates: Int32Array,
        candidates: LabelCandidates | None,
        margin: float,
        method: int = 0,
        limit: float = 0,
        k: int = 1,
        order: int = 1,
        parts: Int32Array | None = None,
    ) -> None: ...
    def ignore_unannotated(self) -> None: ...
    @property
    def changed(self) -> bool: ...
    @property
    def features(self) -> int: ...
    def use_first_pass(
        self,
        tags: UInt64Array,
        types: UInt64Array,
        weights: npt.NDArray[np.int16],
        cutoff: int,
        most: int,
        close: float,
    ) -> None: ...
    def learn(
        self,
        tokens: Tokens,
        heads: Int32Array,
        labels: Int32Array,
        settings: Settings,
        kept: tuple[Int32Array, Int32Array, Int32Array] | None = None,
    ) -> tuple[int, int] | None: ...
    def averaged(self) -> tuple[UInt64Array, npt.NDArray[np.float64]]: ...
    def averaged_rows(
        self,
    ) -> tuple[UInt64Array, npt.NDArray[np.int64], Int32Array, npt.NDArray[np.float64]]: ...
    def state(self) -> tuple[float, dict[str, npt.NDArray[Any]]]: ...
    def restore(self, step: float, arrays: dict[str, npt.NDArray[Any]]) -> None: ...

class HeadSelector:
    def __init__(self, templates: Int32Array) -> None: ...
    def use_first_pass(
        self,
        tags: UInt64Array,
        types: UInt64Array,
        weights: npt.NDArray[np.int16],
        cutoff: int,
        most: int,
        close: float,
    ) -> None: ...
    def learn(self, tokens: Tokens, heads: Int32Array, rate: float) -> int: ...
    def averaged(self) -> tuple[UInt64Array, npt.NDArray[np.float64]]: ...
