import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution
from wnparse._core.rules import CompiledRules
from wnparse._core.settings import Settings
from wnparse._core.tables import LabelCandidates
from wnparse._core.tokens import Tokens
from wnparse._core.watching import Watcher

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

class Parses:
    trees: list[Solution]
    limited: bool
    complete: bool
    head_scores: npt.NDArray[np.float64] | None
    seconds: tuple[float, float, float]

class Scorer:
    def __init__(
        self,
        templates: Int32Array,
        candidates: LabelCandidates | None,
        slots: npt.NDArray[np.uint32],
        fingerprints: npt.NDArray[np.uint16] | None = None,
        places: npt.NDArray[np.uint32] | None = None,
        rows: npt.NDArray[np.uint32] | None = None,
        scale: float = 1.0,
        order: int = 1,
        parts: Int32Array | None = None,
        names: list[str] | None = None,
    ) -> None: ...
    def use_first_pass(
        self,
        tags: UInt64Array,
        types: UInt64Array,
        weights: npt.NDArray[np.int16],
        cutoff: int,
        most: int,
        close: float,
    ) -> None: ...
    def use_pruner(self, slots: npt.NDArray[np.uint32], cutoff: int, most: int) -> None: ...
    def choose(
        self, tokens: Tokens, settings: Settings, gold: Int32Array | None = None
    ) -> tuple[Int32Array, Int32Array, Int32Array] | None: ...
    def scores(self, tokens: Tokens, prune: bool) -> tuple[npt.NDArray[np.float32], Int32Array]: ...
    def parse(
        self,
        sentences: list[Tokens],
        settings: list[Settings],
        prune: bool,
        watcher: Watcher | None = None,
        given: list[Int32Array | None] | None = None,
        rules: CompiledRules | None = None,
        bits: list[UInt64Array] | None = None,
        k: int = 1,
        explain: bool = False,
        given_labels: list[Int32Array | None] | None = None,
    ) -> list[Parses]: ...
    def label(self, tokens: Tokens, heads: Int32Array) -> Int32Array: ...
    def label_scores(self, tokens: Tokens, heads: Int32Array, count: int) -> npt.NDArray[np.float32]: ...
