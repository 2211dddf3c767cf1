from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]

def look_up_table(
    keys: npt.NDArray[np.uint64], numbers: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]: ...

class TaggerTables:
    def __init__(
        self, arrays: Arrays, tags: int, values: int, fine_tags: int, bundles: int, scripts: int
    ) -> None: ...

class Tagger:
    def __init__(
        self,
        arrays: Arrays,
        names: dict[str, list[str]],
        columns: Sequence[bool],
        open_scripts: int,
        beam: int,
        drop: int,
        threshold: int,
    ) -> None: ...
    def tag(
        self,
        sentences: list[Any],
        retag: bool = False,
        inverse_temperature: float = 0,
        count: int = 1,
        gap: int = 0,
    ) -> list[list[tuple[bytes, npt.NDArray[np.int32], list[float] | None, int]]]: ...
