"""Labelled trees under rules from the scores of all arcs and labels: the same problem for every decoder.

A parser drops arcs and labels before it decodes; here every decoder gets all of them, so that times and scores can
be compared; or, by section 5.3 of Riedel & Clarke 2006, the best few of each word. O(n^2 L) for n words, L labels.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

import wnparse
from wnparse._core import decoding
from wnparse._core.settings import Settings
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import VARIANTS, DecodeOptions
from wnparse.decoding.python_decoders import decode_whole
from wnparse.decoding.solution import Batch
from wnparse.parser.tokens import encode
from wnparse.rules.compile import RuleProgram
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    from reproduction.riedel2006.incremental_ilp import Rounds
    from wnparse._core.external import Answer, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Held:
    """A held-out sentence as its parser scores it, under the rules of its parser."""

    sentence: Sentence
    scores: FloatArray  # [n + 1, n + 1, L], scores[m, h, l]: arc and label; -inf if the label is no candidate
    program: RuleProgram
    constraints: Constraints


@dataclass(frozen=True)
class Tree:
    """What a decoder found."""

    heads: IntArray
    labels: IntArray
    score: float
    seconds: float  # of CPU time
    proved: bool  # the best one, or that there is none
    rounds: Rounds | None = None

    @property
    def found(self) -> bool:
        """Whether there is a tree, and it keeps all rules."""
        return self.score > -np.inf


def score_labels(model: wnparse.Model, sentence: Sentence) -> FloatArray:
    """What every arc scores with every label, float64[n + 1, n + 1, L]; -inf in row 0 and on the diagonal."""
    tokens, nodes = encode(sentence, model.columns), np.arange(len(sentence) + 1)
    best, _ = model._scorer.scores(tokens, False)  # of each arc with its best label
    rows = [
        model._scorer.label_scores(tokens, np.where(nodes == h, 0, h).astype(np.int32), len(model.labels))
        for h in nodes
    ]
    labels = np.stack(rows, axis=1).astype(np.float64)
    labels[0] = labels[nodes, nodes] = -np.inf
    first = labels.max(axis=2, keepdims=True)
    below = labels - np.where(np.isfinite(first), first, 0.0)
    return np.where(np.isfinite(labels), best[..., None] + below, -np.inf)


def narrowed(scores: FloatArray, q: int) -> FloatArray:
    """The same with the q best labelled arcs of each word alone: section 5.3."""
    cells = scores.reshape(len(scores), -1)
    if cells.shape[1] <= q:
        return scores
    narrow = np.full_like(cells, -np.inf)
    best = np.argpartition(cells, -q, axis=1)[:, -q:]
    np.put_along_axis(narrow, best, np.take_along_axis(cells, best, axis=1), axis=1)
    return narrow.reshape(scores.shape)


def decode_freely(held: Held) -> Tree:
    """The best arborescence with the best labels: `bl`."""
    best, labels = held.scores.max(axis=2), held.scores.argmax(axis=2).astype(np.int32)
    settings = DecodeOptions(decoder="msa", constraints=held.constraints).settings
    start = time.process_time()
    solution = decoding.solve(best, settings)
    seconds = time.process_time() - start
    assert solution is not None, "all arcs are there"
    chosen = labels[np.arange(len(best)), solution.heads]
    return Tree(solution.heads, chosen, solution.score, seconds, True)


def decode_ruled(held: Held, scores: FloatArray, settings: Settings, clock: Clock | None = None) -> Tree:
    """The best tree that keeps all rules; `clock` is the decoder itself if it is written in Python."""
    arcs = np.where(np.isfinite(scores).any(axis=2), 0.0, -np.inf)
    bits = held.program.predicates.bits(held.sentence)
    start = time.process_time()
    labels = range(scores.shape[2]), [scores], held.program.core, [bits]
    columns, infeasible, _ = decoding.solve_batch([arcs], None, settings, 1, None, labels)
    seconds = clock.seconds if clock else time.process_time() - start
    rounds = clock.rounds if clock else None
    none = np.full(len(scores), -1, np.int32)
    if infeasible:
        return Tree(none, none, -np.inf, seconds, True, rounds)
    batch = Batch(*columns)
    certified, broken = bool(batch.certified[0]), bool(batch.broken[0])
    if broken or batch.score[0] == -np.inf:
        return Tree(none, none, -np.inf, seconds, broken and certified, rounds)
    assert batch.labels is not None
    return Tree(batch.heads[0], batch.labels[0], float(batch.score[0]), seconds, certified, rounds)


class Clock:
    """A decoder that is written in Python, and what its last call took."""

    def __init__(self, work: Callable[[Problem], tuple[Answer | None, Rounds | None]]) -> None:
        self.work = work
        self.seconds = 0.0
        self.rounds: Rounds | None = None

    def __call__(self, problem: Problem) -> Answer | None:
        """Decode."""
        start = time.process_time()
        answer, self.rounds = self.work(problem)
        self.seconds = time.process_time() - start
        return answer

    def settings(self, constraints: Constraints) -> Settings:
        """What the core is told to have it called; its trees are checked."""
        usual = DecodeOptions(constraints=Constraints(single_root=constraints.single_root))
        return Settings(
            -1, 0, False, constraints.single_root, max_iterations=usual.max_iterations, max_nodes=usual.max_nodes,
            time_limit=0.0, **VARIANTS[None],
            function=functools.partial(decode_whole, "clocked", self, constraints),
        )  # fmt: skip
