import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]
UInt64Array = npt.NDArray[np.uint64]

MOST_LABELS: int

def freeze(keys: UInt64Array, weights: Int32Array, bits: int) -> npt.NDArray[np.uint32]: ...
def freeze_rows(
    keys: UInt64Array,
    begin: npt.NDArray[np.int64],
    labels: Int32Array,
    weights: Int32Array,
    bits: int,
    label_count: int,
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]: ...
