from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CompiledRules
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.treebanks.sentence import Sentence

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
    @property
    def sentence(self) -> Sentence | None: ...
    @sentence.setter
    def sentence(self, sentence: Sentence | None) -> None: ...
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
        sentence: Sentence | None = ...,
    ) -> None: ...
    def to_sentence(self) -> Sentence: ...
    def _repr_svg_(self) -> str | None: ...

Rows = tuple[tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]], ...]

def solve(
    scores: npt.ArrayLike, settings: Settings, watcher: Watcher | None = None, parts: Rows | None = None
) -> Solution | None: ...

Matrices = Sequence[npt.ArrayLike] | npt.NDArray[np.generic]
# The names of the labels, their scores, rules, and the predicates of the nodes of each sentence.
Labels = tuple[Sequence[str], Any, CompiledRules | None, Sequence[npt.NDArray[np.uint64]]]
Refused = list[tuple[int, str]]

def solve_batch(
    batch: Matrices,
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    threads: int,
    parts: Sequence[Rows] | None = None,
    labels: Labels | None = None,
) -> tuple[
    tuple[
        npt.NDArray[np.int32],
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.int64],
        npt.NDArray[np.int32],
        npt.NDArray[np.int32] | None,
    ],
    list[int],
    Refused,
]: ...
def solve_kbest(
    batch: Matrices,
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    k: int,
    threads: int,
    parts: Sequence[Rows] | None = None,
    labels: Labels | None = None,
) -> tuple[list[tuple[list[Solution], bool] | None], list[int], Refused]: ...
