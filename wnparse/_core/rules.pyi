import numpy as np
import numpy.typing as npt

Nodes = tuple[int, ...]

class CompiledRules:
    words: int
    features: int
    table: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint64]
    penalties: npt.NDArray[np.float64]
    classes: npt.NDArray[np.int32]
    def __init__(
        self,
        table: npt.NDArray[np.int32],
        masks: npt.NDArray[np.uint64],
        penalties: npt.NDArray[np.float64],
        classes: npt.NDArray[np.int32],
        label_class: npt.NDArray[np.int32],
        words: int,
        features: int = ...,
    ) -> None: ...

class CountedRules:
    def __init__(
        self,
        table: npt.NDArray[np.int32],
        classes: npt.NDArray[np.int32],
        rules: npt.NDArray[np.int32],
        sets: npt.NDArray[np.int32],
        count: int,
        words: int,
        features: int,
    ) -> None: ...
    def find(
        self,
        heads: npt.NDArray[np.int32],
        labels: npt.NDArray[np.int32],
        label_sets: npt.NDArray[np.uint64],
        bits: npt.NDArray[np.uint64],
    ) -> list[tuple[list[Nodes], list[tuple[Nodes, int, Nodes]]]]: ...
