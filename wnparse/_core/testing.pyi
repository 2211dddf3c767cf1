import numpy as np
import numpy.typing as npt

def separate(
    heads: npt.NDArray[np.int32], block_degree: int, well_nested: bool, paper: bool
) -> list[tuple[tuple[tuple[int, ...], ...], int, int]]: ...
