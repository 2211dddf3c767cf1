from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

class Sentence(Protocol):
    @property
    def raw(self) -> bytes: ...
    @property
    def fields(self) -> Int32Array: ...

class Tokens:
    @property
    def atoms(self) -> UInt64Array: ...

def encode(sentences: Sequence[Sentence], lemma: bool, fine_tag: bool, feats: bool) -> list[Tokens]: ...

class LabelChoice:
    def __init__(self, keys: UInt64Array, begin: Int32Array, labels: Int32Array) -> None: ...

class DecoderSettings:
    def __init__(
        self,
        decoder: int,
        block_degree: int,
        well_nested: bool,
        single_root: bool,
        max_iterations: int,
        max_nodes: int,
    ) -> None: ...

class FirstPassLearner:
    def __init__(self, tags: UInt64Array, types: UInt64Array) -> None: ...
    def learn(self, tokens: Tokens, heads: Int32Array, rate: float) -> None: ...
    def averaged(self) -> npt.NDArray[np.float64]: ...

class Learner:
    def __init__(
        self,
        templates: Int32Array,
        choice: LabelChoice | None,
        margin: float,
        method: int = 0,
        limit: float = 0,
        k: int = 1,
    ) -> None: ...
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
        self, tokens: Tokens, heads: Int32Array, labels: Int32Array, settings: DecoderSettings
    ) -> tuple[int, int] | None: ...
    def averaged(self) -> tuple[UInt64Array, npt.NDArray[np.float64]]: ...
    def averaged_rows(
        self,
    ) -> tuple[UInt64Array, npt.NDArray[np.int64], Int32Array, npt.NDArray[np.float64]]: ...
    def state(self) -> tuple[float, dict[str, npt.NDArray[Any]]]: ...
    def restore(self, step: float, arrays: dict[str, npt.NDArray[Any]]) -> None: ...

class Scorer:
    def __init__(
        self,
        templates: Int32Array,
        choice: LabelChoice | None,
        slots: npt.NDArray[np.uint32],
        row_tags: npt.NDArray[np.uint16],
        row_places: npt.NDArray[np.uint32],
        row_entries: npt.NDArray[np.uint32],
        scale: float,
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
    def scores(self, tokens: Tokens, prune: bool) -> tuple[npt.NDArray[np.float32], Int32Array]: ...
    def parse(
        self, sentences: list[Tokens], settings: list[DecoderSettings], prune: bool
    ) -> list[tuple[Int32Array, Int32Array, float, float, bool, int, int, tuple[float, float, float]] | None]: ...
    def label(self, tokens: Tokens, heads: Int32Array) -> Int32Array: ...

def label_keys(atoms: UInt64Array, heads: Int32Array) -> UInt64Array: ...
def token_types(tokens: Tokens) -> UInt64Array: ...
