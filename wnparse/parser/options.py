"""The options of parsing: one list for `Model.parse`, the command line, training and clusters.

`ParseOptions` extends the options of decoding. `ParseKeywords` repeats the list for type checkers; a test compares
the two. `parse_options` joins what was requested with what the model suggests.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from wnparse.decoding.checks import as_count, as_flag, as_probability
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import as_rank, find_decoder, join_constraints, refuse_arcs_only
from wnparse.parser.joint import check_sequences
from wnparse.parser.neural_scorer import as_neural_weight
from wnparse.rules import Rules, as_rules
from wnparse.rules.crossing_penalty import as_penalty

if TYPE_CHECKING:
    from wnparse.parser.model import Model

LONGEST = 5_000  # words: scores and decoding take some 80 bytes for each pair of words, 2 GB


@dataclass(frozen=True, kw_only=True)
class ParseOptions(DecodeOptions):
    """How sentences are parsed; ValueError if options are unknown or contradict each other.

    Attributes
    ----------
    max_words : int
        Longer sentences are left without a tree.
    prune : bool
        Whether the model's first pass drops arcs, if it has one.
    keep_heads : bool
        Whether words that have a head keep it, with its relation.
    keep_fixed : bool
        Whether words with Fixed=Yes in MISC keep head, relation and tags; all others are parsed and tagged again.
    drop_deps : bool
        Whether DEPS is cleared, and empty nodes are removed.
    k : int or None
        Number of trees per sentence; None is the best one, without comments.
    confidence : bool
        Whether MISC gets HeadProb and TagProb.
    blank_below : float or None
        Heads that are less probable are written as ``_``, with their relations; None writes all.
    rules : Rules or None
        Rules that trees must satisfy.
    crossing_penalty : float or None
        Penalty of each pair of crossing arcs; None is the model's.
    neural_weight : float or None
        Weight of the scores of the model's network, 0 to leave it out; None is the model's.
    retag : bool
        Whether the model's tagger replaces given tags.
    tag_sequences : int or None
        Number of tag sequences that are tried; None is the usual number, if the model has a weight of tags.
    """

    max_words: int = LONGEST
    prune: bool = True
    keep_heads: bool = False
    keep_fixed: bool = False
    drop_deps: bool = False
    k: int | None = None
    confidence: bool = False
    blank_below: float | None = None
    rules: Rules | None = None
    crossing_penalty: float | None = None
    neural_weight: float | None = None
    retag: bool = False
    tag_sequences: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "max_words", as_count(self.max_words, "max_words", 1))
        for name in ("prune", "keep_heads", "keep_fixed", "drop_deps", "confidence", "retag"):
            object.__setattr__(self, name, as_flag(getattr(self, name), name))
        if self.k is not None:
            object.__setattr__(self, "k", as_rank(self.k, self.decoder))
        if self.keep_heads and self.keep_fixed:
            raise ValueError(
                "keep_heads and keep_fixed (--keep-heads, --keep-fixed) exclude each other; give one of them"
            )
        if self.blank_below is not None:
            object.__setattr__(self, "blank_below", as_probability(self.blank_below, "blank_below"))
            if self.k is not None:
                raise ValueError("blank_below (--blank-below) needs a single tree; leave out k (--k-best)")
        if self.crossing_penalty is not None:
            object.__setattr__(self, "crossing_penalty", as_penalty(self.crossing_penalty))
        if self.neural_weight is not None:
            object.__setattr__(self, "neural_weight", as_neural_weight(self.neural_weight))
        if self.rules:
            refuse_arcs_only(self.decoder, "rules")

    @property
    def keeps_heads(self) -> bool:
        """Whether any given heads are kept."""
        return self.keep_heads or self.keep_fixed

    @property
    def needs_probabilities(self) -> bool:
        """Whether the probabilities of heads are computed."""
        return self.confidence or self.blank_below is not None


class ParseKeywords(TypedDict, total=False):
    """The keywords of `Model.parse` that are options, for type checkers; "model" is what the model suggests."""

    decoder: str
    block_degree: int | Literal["model"] | None
    well_nested: bool | Literal["model"]
    single_root: bool | Literal["model"]
    max_iterations: int
    max_nodes: int
    time_limit: float | None
    max_words: int
    prune: bool
    keep_heads: bool
    keep_fixed: bool
    drop_deps: bool
    confidence: bool
    blank_below: float | None
    rules: Rules | str | os.PathLike[str] | None
    crossing_penalty: float | Literal["model"]
    neural_weight: float | Literal["model"]
    retag: bool
    tag_sequences: int | Literal["model"]


def parse_options(model: Model, *, k: int | None = None, **keywords: Any) -> tuple[ParseOptions, list[str]]:
    """Join what is requested with what a model suggests.

    Returns
    -------
    options, notices : ParseOptions, list of str
        The options; and lines that say which suggestions the decoder cannot enforce and so drops.

    Raises
    ------
    ValueError
        If options are unknown or contradict each other.
    """
    keywords = {name: value for name, value in keywords.items() if not _is_model(value)}
    decoder = keywords.get("decoder", ParseOptions.decoder)
    shape = {
        name: keywords.pop(name) for name in ("block_degree", "well_nested", "single_root") if name in keywords
    }
    constraints, notice = join_constraints(decoder, model.constraints, **shape)
    notices = [notice] if notice else []
    rules = as_rules(keywords.pop("rules")) if "rules" in keywords else model.rules
    if rules and rules is model.rules and not find_decoder(decoder).whole:
        notices.append(f"decoder '{decoder}' cannot enforce the rules of the model; they are dropped")
        rules = None
    if (sequences := keywords.get("tag_sequences")) is not None:
        check_sequences(sequences, model._tuned(keywords.get("neural_weight")).joint_weight)
    return ParseOptions(constraints=constraints, rules=rules, k=k, **keywords), notices


def _is_model(value: object) -> bool:
    return isinstance(value, str) and value == "model"
