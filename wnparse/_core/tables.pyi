import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

class LabelCandidates:
    def __init__(self, keys: UInt64Array, begin: Int32Array, labels: Int32Array, count: int) -> None: ...

def label_keys(atoms: UInt64Array, heads: Int32Array) -> UInt64Array: ...
