from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher

class Solution:
    @property
    def heads(self) -> npt.NDArray[np.int32]: ...
    @property
    def score(self) -> float: ...
    @property
    def upper_bound(self) -> float: ...
    @property
    def certified(self) -> bool: ...
    @property
    def iterations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def labels(self) -> list[str] | None: ...
    @property
    def broken(self) -> int: ...
    def __init__(
        self,
        heads: npt.NDArray[np.int32],
        score: float,
        upper_bound: float,
        certified: bool,
        iterations: int,
        nodes: int,
        labels: list[str] | None = ...,
        broken: int = ...,
    ) -> None: ...

Rows = tuple[tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]], ...]

def solve(
    scores: npt.ArrayLike, settings: Settings, watcher: Watcher | None = None, parts: Rows | None = None
) -> Solution | None: ...
def solve_kbest(
    scores: npt.ArrayLike, settings: Settings, k: int, watcher: Watcher | None = None, parts: Rows | None = None
) -> tuple[list[Solution], bool] | None: ...
def solve_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    threads: int,
    parts: Sequence[Rows] | None = None,
) -> tuple[
    tuple[
        npt.NDArray[np.int32],
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.int64],
    ],
    list[int],
]: ...
