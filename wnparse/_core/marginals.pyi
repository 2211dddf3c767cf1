from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

def sum_one(
    scores: npt.ArrayLike, single_root: bool, projective: bool, marginals: bool
) -> tuple[npt.NDArray[np.float64] | None, float] | None: ...
def sum_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
    single_root: bool,
    projective: bool,
    marginals: bool,
    threads: int,
) -> tuple[npt.NDArray[np.float64] | None, npt.NDArray[np.float64], list[int]]: ...
