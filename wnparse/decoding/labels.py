"""Scores of labels and rules over them: checked, and as the core reads them."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import Array, as_arrays
from wnparse.decoding.registry import refuse_arcs_only

if TYPE_CHECKING:
    from wnparse._core.rules import CompiledRules
    from wnparse.rules import Rules
    from wnparse.treebanks.sentence import Sentence

Labels = tuple[Sequence[str], Array]
BatchLabels = tuple[Sequence[str], Sequence[Array] | Array]
# What the core reads: names, scores, rules, and the predicates of the nodes of each sentence.
LabelInput = tuple[tuple[str, ...], Any, "CompiledRules | None", "list[npt.NDArray[np.uint64]]"]


def label_input(
    labels: BatchLabels | None,
    rules: Rules | str | os.PathLike[str] | None,
    decoder: str,
    words: Sequence[int],
    sentences: Sequence[Sentence | None],
) -> LabelInput | None:
    """Return what the core reads of the labels and rules of sentences with so many words; None without labels."""
    if labels is None:
        if rules is not None:
            raise ValueError("rules without labels; expected labels=(names, scores) as well")
        return None
    names, scores = unpack_labels(labels)
    scores = as_arrays(scores)
    if rules is None:
        return names, scores, None, []
    refuse_arcs_only(decoder, "rules")
    core, bits = _compile(rules, names, words, sentences)
    return names, scores, core, bits


def unpack_labels(labels: BatchLabels) -> tuple[tuple[str, ...], Any]:
    """Return the names of labels and their scores; ValueError for anything else."""
    try:
        names, scores = labels
        known = _are_names(tuple(names))
    except (TypeError, ValueError):
        raise ValueError(
            "labels: expected (names, scores): the names of L labels, and an array (n + 1, n + 1, L), "
            "or (B, N, N, L) for a batch"
        ) from None
    if not known:
        raise ValueError("labels: expected at least one name, and names that are distinct strings")
    return tuple(names), scores


@functools.lru_cache(maxsize=64)
def _are_names(names: tuple[str, ...]) -> bool:
    """Return whether these can be the names of labels; cached, because there may be hundreds."""
    return bool(names) and all(isinstance(name, str) and name for name in names) and len(set(names)) == len(names)


def _compile(
    rules: Rules | str | os.PathLike[str],
    names: tuple[str, ...],
    words: Sequence[int],
    sentences: Sequence[Sentence | None],
) -> tuple[CompiledRules, list[npt.NDArray[np.uint64]]]:
    """Compile rules, and evaluate their predicates on each sentence."""
    # Rules are imported on demand, because most calls do not need them.
    from wnparse.rules import as_rules
    from wnparse.rules.compile import compile_rules

    loaded = as_rules(rules)
    assert loaded is not None
    program = compile_rules(loaded, names)
    predicates = program.predicates
    if not predicates.columns:  # what nodes satisfy does not depend on the words
        return program.core, [predicates.bits(None, max(words, default=0))] * len(words)
    if len(sentences) < len(words) or any(sentence is None for sentence in sentences):
        columns = ", ".join(predicates.columns)
        raise ValueError(f"the rules read {columns}; expected a sentence for each score matrix")
    return program.core, [predicates.bits(sentence) for sentence in sentences]
