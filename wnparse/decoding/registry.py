"""The decoders by name, and what each can do: the registry behind `wnparse.decode`.

Those of the core are listed in cext/problem/settings.hpp; others may be written in Python, and the core calls them
where it would run a kernel of its own (wnparse.decoding.python_decoders). One of those comes with wnparse: `ilp`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from wnparse._core import settings as core
from wnparse._core.decoding import Solution
from wnparse.decoding.checks import as_count
from wnparse.decoding.constraints import Constraints

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem


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
