"""The decoders by name, what each can do, and what one of them is told: the registry behind `wnparse.decode`.

Those of the core are listed in cext/problem/settings.hpp; others may be written in Python, and the core calls them
where it would run a kernel of its own (wnparse.decoding.python_decoders). One of those comes with wnparse: `ilp`.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from wnparse._core import settings as core
from wnparse._core.decoding import Solution
from wnparse._core.settings import Settings
from wnparse.decoding.checks import as_count, as_flag, as_seconds
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.python_decoders import decode_arcs, decode_whole

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

# Limits of the searches, unless they are told otherwise.
MAX_ITERATIONS = 200  # of a relaxation
MAX_NODES = 20_000  # of a search; of a sentence of more than 31 words fewer, which take as long


@dataclass(frozen=True)
class Decoder:
    """A decoder and what it can do.

    Attributes
    ----------
    name : str
        What users call it.
    structural : bool
        Whether its trees can be held to a block degree and to well-nestedness.
    searches : bool
        Whether it iterates, and so has limits and variants.
    ranks : bool
        Whether it finds the k best trees.
    code : int or None
        Its number in the core; None if it is written in Python.
    function : callable or None
        One that is written in Python, see `register_decoder`.
    whole : bool
        Whether it knows parts of higher order, labels and rules, and not arcs alone.
    extra : tuple of str or None
        The extra that it needs, and the module that this brings.
    """

    name: str
    structural: bool
    searches: bool
    ranks: bool
    code: int | None = None
    function: Callable[..., Any] | None = None
    whole: bool = True
    extra: tuple[str, str] | None = None


def _solve_ilp(problem: Problem) -> Answer | None:
    from wnparse.decoding.ilp.decoder import solve_problem  # who needs no solver need not wait for it

    return solve_problem(problem)


DECODERS = {
    name: Decoder(name, structural, searches, ranks, code)
    for name, code, structural, searches, ranks in core.DECODERS
}
DECODERS["ilp"] = Decoder(
    "ilp", structural=True, searches=True, ranks=False, function=_solve_ilp, extra=("ilp", "highspy")
)


def register_decoder(
    name: str,
    function: Callable[..., Solution | Answer | None],
    *,
    structural: bool = True,
    searches: bool = False,
    whole: bool = False,
) -> Decoder:
    """Add a decoder that is written in Python; `decode`, `decode_batch` and `Model.parse` then know it by name.

    Training decodes in the core, and takes none. What the decoder returns is checked: a tree that is not valid, or
    a score that is not its own, is a RuntimeError.

    Parameters
    ----------
    name : str
        Not that of another decoder.
    function : callable
        ``function(scores, constraints, *, max_iterations, max_nodes, time_limit)`` is given a float64 array
        (n + 1, n + 1), checked, with -inf in row 0 and on the diagonal, and `Constraints`. It returns a
        `Solution`, or None if no tree satisfies the constraints; LimitError if a limit comes first.
    structural, searches : bool
        As of `Decoder`.
    whole : bool
        Whether it takes parts of higher order, labels and rules, too: ``function(problem)`` is given a
        `wnparse._core.external.Problem` then, and returns heads, under rules the place of each word's choice, an
        upper bound, the tolerance of its proof, iterations and nodes; or None.
    """
    if name in DECODERS:
        raise ValueError(f"there is a decoder {name!r} already")
    DECODERS[name] = Decoder(name, structural, searches, ranks=False, function=function, whole=whole)
    return DECODERS[name]


def find_decoder(name: str) -> Decoder:
    """Look a decoder up; ValueError lists the known ones."""
    if not isinstance(name, str) or name not in DECODERS:
        raise ValueError(f"unknown decoder {name!r}; known: {', '.join(DECODERS)}")
    return DECODERS[name]


def constrained_decoder(name: str, constraints: Constraints) -> Decoder:
    """Find a decoder that keeps to the constraints; ValueError if it cannot."""
    entry = find_decoder(name)
    if constraints.structural and not entry.structural:
        able = ", ".join(name for name, other in DECODERS.items() if other.structural)
        raise ValueError(f"decoder '{name}' cannot be held to {constraints.describe()}; these can: {able}")
    return entry


def join_constraints(
    decoder: str,
    suggested: Constraints,
    *,
    block_degree: int | Literal["model"] | None = "model",
    well_nested: bool | Literal["model"] = "model",
    single_root: bool | Literal["model"] = "model",
) -> tuple[Constraints, str]:
    """Join the constraints that are asked for with those that a model suggests.

    Returns
    -------
    constraints, notice : Constraints, str
        What to hold trees to; and a line that says which of the model's constraints the decoder cannot honour and
        so drops, empty if there is none.

    Raises
    ------
    ValueError
        If the decoder is unknown, or cannot honour a constraint that is asked for.
    """
    entry = find_decoder(decoder)
    asked = Constraints(
        None if block_degree == "model" else block_degree,
        False if well_nested == "model" else well_nested,
        suggested.single_root if single_root == "model" else single_root,
    )
    joined = Constraints(
        suggested.block_degree if block_degree == "model" else asked.block_degree,
        suggested.well_nested if well_nested == "model" else asked.well_nested,
        asked.single_root,
    )
    if entry.structural or not joined.structural:
        return joined, ""
    if asked.structural:
        able = ", ".join(name for name, other in DECODERS.items() if other.structural)
        raise ValueError(f"decoder '{decoder}' cannot honour a block degree or well-nestedness; these can: {able}")
    dropped = Constraints(joined.block_degree, joined.well_nested).describe()
    return asked, f"decoder '{decoder}' drops the model's constraint: {dropped}"


def check_options(
    decoder: str,
    constraints: Constraints,
    *,
    max_iterations: int = MAX_ITERATIONS,
    max_nodes: int = MAX_NODES,
    time_limit: float | None = None,
    paper_cuts: bool = False,
    paper_fixing: bool = False,
    camerini: bool = False,
    local_search: bool = True,
) -> tuple[Decoder, dict[str, Any]]:
    """Check a decoder, its constraints and options against each other; ValueError says what is wrong."""
    entry = constrained_decoder(decoder, constraints)
    if entry.extra and importlib.util.find_spec(entry.extra[1]) is None:
        name, module = entry.extra
        raise ValueError(
            f"decoder '{decoder}' needs {module}, which is not installed: pip install 'wnparse[{name}]'"
        )
    variants = {
        "paper_cuts": as_flag(paper_cuts, "paper_cuts"),
        "paper_fixing": as_flag(paper_fixing, "paper_fixing"),
        "camerini": as_flag(camerini, "camerini"),
        "local_search": as_flag(local_search, "local_search"),
    }
    changed = [name for name, value in variants.items() if value != (name == "local_search")]
    if changed and (not entry.searches or entry.code is None):
        raise ValueError(f"decoder '{decoder}' has no option {', '.join(changed)}; 'lr' and 'bnb' have")
    limits = {
        "max_iterations": as_count(max_iterations, "max_iterations", 1),
        "max_nodes": as_count(max_nodes, "max_nodes", 1),
        "time_limit": 0.0 if time_limit is None else as_seconds(time_limit, "time_limit"),
    }
    return entry, {**limits, **variants}


def make_settings(decoder: str, constraints: Constraints, **options: Any) -> Settings:
    """What the core is told; options as of `check_options`."""
    entry, checked = check_options(decoder, constraints, **options)
    function = None
    if entry.function is not None:
        run = decode_whole if entry.whole else decode_arcs
        function = functools.partial(run, entry.name, entry.function, constraints)
    return Settings(
        -1 if entry.code is None else entry.code,
        constraints.block_degree or 0,
        constraints.well_nested,
        constraints.single_root,
        **checked,
        function=function,
    )


def refuse_python(decoder: str) -> None:
    """ValueError if a decoder is written in Python, where one of the core is needed."""
    if find_decoder(decoder).code is None:
        able = ", ".join(name for name, other in DECODERS.items() if other.code is not None)
        raise ValueError(f"decoder '{decoder}' is written in Python; one of the core is needed here: {able}")


def as_rank(k: object, decoder: str) -> int:
    """Check the number of trees that is asked for; ValueError says which decoders rank trees."""
    count = as_count(k, "k", 1)
    if not find_decoder(decoder).ranks:
        able = ", ".join(name for name, entry in DECODERS.items() if entry.ranks)
        raise ValueError(
            f"decoder '{decoder}' finds one tree, and k={k!r} are asked for; these rank trees: {able}"
        )
    return count
