from collections.abc import Callable

from wnparse._core.external import Answer, Problem

CHAOS: bool
DECODERS: list[tuple[str, int, bool, bool, bool]]

def set_chaos(seed: int, stops: bool = ...) -> None: ...

class Settings:
    function: Callable[[Problem], Answer | None] | None
    def __init__(
        self,
        decoder: int,
        block_degree: int,
        well_nested: bool,
        single_root: bool,
        *,
        max_iterations: int,
        max_nodes: int,
        time_limit: float,
        paper_cuts: bool,
        paper_fixing: bool,
        camerini: bool,
        local_search: bool,
        function: Callable[[Problem], Answer | None] | None = ...,
    ) -> None: ...
