import numpy as np
import numpy.typing as npt

class Network:
    def __init__(
        self,
        nodes: int,
        tails: npt.NDArray[np.int32],
        heads: npt.NDArray[np.int32],
        capacities: npt.NDArray[np.float64],
    ) -> None: ...
    def cut(self, sources: list[int], sinks: list[int], limit: float) -> npt.NDArray[np.bool_] | None: ...
