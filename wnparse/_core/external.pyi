import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CompiledRules

Int32Array = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
Rows = tuple[Int32Array, FloatArray]
Answer = tuple[Int32Array | None, Int32Array | None, float, float, int, int]

class Problem:
    words: int
    scores: FloatArray
    block_degree: int | None
    well_nested: bool
    single_root: bool
    max_iterations: int
    max_nodes: int
    broken_nodes: int
    time_limit: float | None
    known: Int32Array | None
    parts: tuple[Rows, Rows, Rows, Rows] | None
    choices: Rows | None
    rules: CompiledRules | None
    bits: npt.NDArray[np.uint64] | None
