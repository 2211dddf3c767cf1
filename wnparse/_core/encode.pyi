import numpy as np
import numpy.typing as npt

def encode(
    raw: bytes, fields: npt.NDArray[np.int32], lemma: bool, fine_tag: bool, feats: bool
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
