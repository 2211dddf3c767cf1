import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

class Tokens:
    atoms: UInt64Array
    morphs: UInt64Array
    morph_begin: Int32Array
    class_counts: Int32Array
    def __init__(
        self, atoms: UInt64Array, morphs: UInt64Array, morph_begin: Int32Array, class_counts: Int32Array
    ) -> None: ...

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

class Learner:
    def __init__(self, templates: Int32Array, choice: LabelChoice | None, margin: float) -> None: ...
    @property
    def features(self) -> int: ...
    def learn(
        self, tokens: Tokens, heads: Int32Array, labels: Int32Array, settings: DecoderSettings, beam: int
    ) -> tuple[int, int] | None: ...
    def averaged(self) -> tuple[UInt64Array, npt.NDArray[np.float64]]: ...
    def state(self) -> tuple[float, UInt64Array, npt.NDArray[np.float32], npt.NDArray[np.float64]]: ...
    def restore(
        self, step: float, keys: UInt64Array, weights: npt.NDArray[np.float32], sums: npt.NDArray[np.float64]
    ) -> None: ...

class Scorer:
    def __init__(
        self, templates: Int32Array, choice: LabelChoice | None, slots: npt.NDArray[np.uint32], scale: float
    ) -> None: ...
    def scores(self, tokens: Tokens, beam: int) -> tuple[npt.NDArray[np.float32], Int32Array]: ...
    def parse(
        self,
        tokens: Tokens,
        settings: DecoderSettings,
        beam: int,
        seconds: npt.NDArray[np.float64] | None = None,
    ) -> tuple[Int32Array, Int32Array, float, float, bool, int, int] | None: ...

def freeze(keys: UInt64Array, weights: Int32Array, bits: int) -> npt.NDArray[np.uint32]: ...
def label_keys(atoms: UInt64Array, heads: Int32Array) -> UInt64Array: ...
