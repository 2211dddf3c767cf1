import numpy as np
import numpy.typing as npt

def separate(
    heads: npt.NDArray[np.int32], block_degree: int, well_nested: bool, paper: bool
) -> list[tuple[tuple[tuple[int, ...], ...], int, int]]: ...
def gap_chart(
    weights: npt.NDArray[np.float64], single_root: bool, any_tree: bool
) -> npt.NDArray[np.int32] | None: ...
def first_tree(
    weights: npt.NDArray[np.float64], block_degree: int, well_nested: bool, single_root: bool
) -> npt.NDArray[np.int32] | None: ...
def hildreth(
    gram: npt.NDArray[np.float64],
    violations: npt.NDArray[np.float64],
    limit: float,
    tolerance: float,
    passes: int,
) -> tuple[npt.NDArray[np.float64], bool]: ...
def head_automata(
    child_pay: npt.NDArray[np.float64],
    parent_pay: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int32],
    scores: npt.NDArray[np.float64],
    single_root: bool,
) -> (
    tuple[
        npt.NDArray[np.float64],
        npt.NDArray[np.int32],
        npt.NDArray[np.uint8],
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
    ]
    | None
): ...
