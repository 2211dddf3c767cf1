"""The decoders by name, and what each can do: the registry behind `wnparse.decode`.

The decoders of the core are listed in cext/problem/settings.hpp. Others may be written in Python; the core calls
them instead of its own kernels (wnparse.decoding.python_decoders). One of these is part of wnparse: `ilp`.
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
        Its name for users.
    structural : bool
        Whether it can enforce a block degree and well-nestedness.
    searches : bool
        Whether it iterates, and therefore has limits and variants.
    ranks : bool
        Whether it finds the k best trees.
    code : int or None
        Its number in the core; None if it is written in Python.
    function : callable or None
        The function of a decoder that is written in Python, see `register_decoder`.
    whole : bool
        Whether it supports parts of higher order, labels and rules, not only arcs.
    extra : tuple of str or None
        The extra that it needs, and the module that this extra installs.
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
    from wnparse.decoding.ilp.decoder import solve_problem  # importing the solver takes time

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
    """Add a decoder that is written in Python; `decode`, `decode_batch` and `Model.parse` then accept its name.

    Training decodes in the core, and does not accept it. What the decoder returns is checked: a tree that is not
    valid, or a score that is not that of the tree, is a RuntimeError.

    Parameters
    ----------
    name : str
        A name that no other decoder has.
    function : callable
        ``function(scores, constraints, *, max_iterations, max_nodes, time_limit)`` receives a float64 array
        (n + 1, n + 1), checked, with -inf in row 0 and on the diagonal, and `Constraints`. It returns a
        `Solution`, or None if no tree satisfies the constraints; it raises LimitError if a limit is reached first.
    structural : bool
        Whether it can enforce a block degree and well-nestedness.
    searches : bool
        Whether it iterates, and therefore has limits.
    whole : bool
        Whether it also takes parts of higher order, labels and rules: ``function(problem)`` then receives a
        `wnparse._core.external.Problem`. It returns heads, under rules the place of each word's choice, an upper
        bound, the tolerance of its proof, iterations and nodes; or None.
    """
    if name in DECODERS:
        raise ValueError(f"decoder {name!r} is already registered; expected a new name")
    DECODERS[name] = Decoder(name, structural, searches, ranks=False, function=function, whole=whole)
    return DECODERS[name]


def find_decoder(name: str) -> Decoder:
    """Look a decoder up; ValueError lists the known ones."""
    if not isinstance(name, str) or name not in DECODERS:
        raise ValueError(f"unknown decoder {name!r}; expected one of {', '.join(DECODERS)}")
    return DECODERS[name]


def names_of(matches: Callable[[Decoder], bool]) -> str:
    """List the names of the decoders that match, for messages."""
    return ", ".join(name for name, decoder in DECODERS.items() if matches(decoder))


def join_constraints(
    decoder: str,
    suggested: Constraints,
    *,
    block_degree: int | Literal["model"] | None = "model",
    well_nested: bool | Literal["model"] = "model",
    single_root: bool | Literal["model"] = "model",
) -> tuple[Constraints, str]:
    """Join the constraints that are requested with those that a model suggests.

    Returns
    -------
    constraints, notice : Constraints, str
        The constraints to enforce; and a line that names the constraints of the model that the decoder does not
        support and therefore drops, empty if there are none.

    Raises
    ------
    ValueError
        If the decoder is unknown, or does not support a constraint that is requested.
    """
    entry = find_decoder(decoder)
    joined = Constraints(
        suggested.block_degree if block_degree == "model" else block_degree,
        suggested.well_nested if well_nested == "model" else well_nested,
        suggested.single_root if single_root == "model" else single_root,
    )
    if entry.structural or not joined.structural:
        return joined, ""
    if block_degree not in ("model", None) or well_nested not in ("model", False):
        able = names_of(lambda entry: entry.structural)
        raise ValueError(
            f"decoder '{decoder}' cannot enforce a block degree or well-nestedness; expected one of {able}"
        )
    dropped = Constraints(joined.block_degree, joined.well_nested).describe()
    notice = f"decoder '{decoder}' cannot enforce {dropped}, as the model suggests; the constraint is dropped"
    return Constraints(single_root=joined.single_root), notice


def refuse_python(decoder: str) -> None:
    """Raise ValueError for a decoder that is written in Python, where one of the core is needed."""
    if find_decoder(decoder).code is None:
        able = names_of(lambda entry: entry.code is not None)
        raise ValueError(f"decoder '{decoder}' is written in Python; expected one of the core: {able}")


def refuse_arcs_only(decoder: str, feature: str) -> None:
    """Raise ValueError if a decoder supports arcs only, and so does not support a feature such as rules."""
    if not find_decoder(decoder).whole:
        able = names_of(lambda entry: entry.whole)
        raise ValueError(f"decoder '{decoder}' supports arcs only, not {feature}; expected one of {able}")


def as_rank(k: object, decoder: str) -> int:
    """Check the number of trees that is requested; ValueError lists the decoders that rank trees."""
    count = as_count(k, "k", 1)
    if not find_decoder(decoder).ranks:
        able = names_of(lambda entry: entry.ranks)
        raise ValueError(f"decoder '{decoder}' finds one tree only, not k={k!r}; expected one of {able}")
    return count
