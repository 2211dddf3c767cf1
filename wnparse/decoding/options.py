"""The options of decoding: one list for `decode`, `decode_batch`, parsing, training and the command line.

`DecodeOptions` checks them once and makes the settings that the core reads. `DecodeKeywords` repeats the list for
type checkers, because Python has no other way to type keyword arguments; a test compares the two.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict, TypeVar

from wnparse._core.settings import Settings
from wnparse.decoding.checks import as_count, as_seconds
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.python_decoders import decode_arcs, decode_whole
from wnparse.decoding.registry import find_decoder, names_of

# Methods as published, for comparison with the defaults, which are faster: Corro et al. 2016 as a whole and its
# parts. Their cuts (4) and (5) instead of stronger ones, their problem reduction (sections 6.2 and 6.3) instead of
# reduced costs, Camerini's direction instead of the subgradient, no local search.
VARIANTS: dict[str | None, dict[str, bool]] = {
    None: {"paper_cuts": False, "paper_fixing": False, "camerini": False, "local_search": True},
    "corro2016": {"paper_cuts": True, "paper_fixing": True, "camerini": True, "local_search": False},
    "corro2016-cuts": {"paper_cuts": True, "paper_fixing": False, "camerini": False, "local_search": True},
    "corro2016-fixing": {"paper_cuts": False, "paper_fixing": True, "camerini": False, "local_search": True},
    "camerini": {"paper_cuts": False, "paper_fixing": False, "camerini": True, "local_search": True},
    "no-local-search": {"paper_cuts": False, "paper_fixing": False, "camerini": False, "local_search": False},
}


@dataclass(frozen=True, kw_only=True)
class DecodeOptions:
    """Options of the search for the best tree; ValueError if they are unknown or contradict each other.

    Attributes
    ----------
    decoder : str
        A name of `wnparse.decoding.registry.DECODERS`.
    constraints : Constraints
        Which trees are valid.
    max_iterations, max_nodes : int
        Maximum iterations of a relaxation, and nodes of a search.
    time_limit : float or None
        Maximum seconds per sentence.
    variant : str or None
        A name of `VARIANTS`, for `lr` and `bnb`; None is the default.
    """

    decoder: str = "bnb"
    constraints: Constraints = field(default_factory=Constraints)
    max_iterations: int = 200
    max_nodes: int = 20_000  # fewer for sentences of more than 31 words, so that the time stays similar
    time_limit: float | None = None
    variant: str | None = None

    def __post_init__(self) -> None:
        decoder = find_decoder(self.decoder)
        if self.constraints.structural and not decoder.structural:
            trees, able = self.constraints.describe(), names_of(lambda entry: entry.structural)
            raise ValueError(f"decoder '{self.decoder}' cannot enforce {trees}; expected one of {able}")
        if decoder.extra and importlib.util.find_spec(decoder.extra[1]) is None:
            name, module = decoder.extra
            raise ValueError(
                f"decoder '{self.decoder}' needs {module}, which is not installed: pip install 'wnparse[{name}]'"
            )
        if not isinstance(self.variant, (str, type(None))) or self.variant not in VARIANTS:
            known = ", ".join(name for name in VARIANTS if name)
            raise ValueError(f"variant={self.variant!r} is unknown; expected one of {known}")
        if self.variant and (not decoder.searches or decoder.code is None):
            raise ValueError(f"decoder '{self.decoder}' does not support variants; expected 'lr' or 'bnb'")
        for name in ("max_iterations", "max_nodes"):
            object.__setattr__(self, name, as_count(getattr(self, name), name, 1))
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", as_seconds(self.time_limit, "time_limit"))

    @functools.cached_property
    def settings(self) -> Settings:
        """The options as the core reads them."""
        decoder, constraints = find_decoder(self.decoder), self.constraints
        function = None
        if decoder.function is not None:
            run = decode_whole if decoder.whole else decode_arcs
            function = functools.partial(run, decoder.name, decoder.function, constraints)
        return Settings(
            -1 if decoder.code is None else decoder.code,
            constraints.block_degree or 0,
            constraints.well_nested,
            constraints.single_root,
            max_iterations=self.max_iterations,
            max_nodes=self.max_nodes,
            time_limit=self.time_limit or 0.0,
            **VARIANTS[self.variant],
            function=function,
        )


class DecodeKeywords(TypedDict, total=False):
    """The keywords of `decode` and `decode_batch` that are options, for type checkers."""

    constraints: Constraints | None
    block_degree: int | None
    well_nested: bool
    single_root: bool
    max_iterations: int
    max_nodes: int
    time_limit: float | None
    variant: str | None


def decode_options(decoder: str, keywords: Mapping[str, Any]) -> DecodeOptions:
    """Make options of the keywords of `decode`; they are cached, because that takes a fraction of the time."""
    # A decoder that is written in Python may be replaced by another one with the same name.
    if find_decoder(decoder).function is None:
        try:
            return _cached_options(decoder, **keywords)
        except TypeError:  # a value that cannot be hashed, or a keyword that does not exist
            pass
    return _cached_options.__wrapped__(decoder, **keywords)


# Typed, so that block_degree=True does not find the options of block_degree=1.
@functools.lru_cache(maxsize=256, typed=True)
def _cached_options(
    decoder: str,
    *,
    constraints: Constraints | None = None,
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    **options: Any,
) -> DecodeOptions:
    if unknown := options.keys() - {option.name for option in fields(DecodeOptions)}:
        known = ", ".join(DecodeKeywords.__annotations__)
        raise TypeError(f"unknown option {', '.join(sorted(unknown))}; expected {known}")
    if constraints is None:
        constraints = Constraints(block_degree, well_nested, single_root)
    elif not isinstance(constraints, Constraints):
        raise ValueError(f"constraints={constraints!r}: expected a wnparse.Constraints")
    elif block_degree is not None or well_nested or single_root:
        raise ValueError("expected either constraints, or block_degree, well_nested and single_root")
    return DecodeOptions(decoder=decoder, constraints=constraints, **options)


Function = TypeVar("Function", bound=Callable[..., Any])


def show_keywords(keywords: type, *sources: type, **defaults: Any) -> Callable[[Function], Function]:
    """Let `help` and notebooks show the keywords of a TypedDict instead of ``**options``.

    Their defaults are those of the dataclasses `sources`, or those that are passed here.
    """
    defaults = {option.name: option.default for source in sources for option in fields(source)} | defaults
    shown = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=annotation)
        for name, annotation in keywords.__annotations__.items()
    ]

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        named = [value for value in signature.parameters.values() if value.kind is not value.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=named + shown)  # type: ignore[attr-defined]
        return function

    return show


show_decode_keywords = show_keywords(DecodeKeywords, Constraints, DecodeOptions, constraints=None)
