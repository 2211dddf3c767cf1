"""Learning the pruner of a parser of higher order, and pruning the training treebank.

A pruner works better on its training data than on other sentences, so that a parser that learned from its output
would rely on it too much. The treebank is therefore cut in two, and each half is pruned by a model of the other
(cf. stacked learning: Wolpert 1992; Martins, Das, Smith & Xing 2008). The pruner itself is learned from both.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from wnparse._core.learner import HeadSelector
from wnparse._core.scorer import Scorer
from wnparse._core.tokens import Tokens
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.features import compile_templates
from wnparse.parser.first_pass import SCALE, FirstPass
from wnparse.parser.pruner import Pruner
from wnparse.storage.quantise import quantise
from wnparse.storage.tensors import Arrays
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.folds import deal

FOLDS = 2
EPOCHS = 3
RATE = 0.1  # of the stochastic gradient
CUTOFF = 6.0  # nats: a head that is exp(6) = 400 times less likely than the best is dropped
LEARNING_CUTOFF = 8.5  # the same for sentences to learn from: a parser learns more from more trees
MOST = 12  # heads of a word
LEAST = 0.02  # weights that come to less are left out
FIRST_CUTOFF, FIRST_MOST = 10.0, 20  # what the first pass leaves it: more than it leaves a parser of arcs

PASSES = EPOCHS * FOLDS  # over the treebank
KEPT_ARRAYS = ("begin", "heads", "tree")

Int32Array = npt.NDArray[np.int32]
Lesson = tuple[Tokens, Int32Array]  # tokens and gold heads
KeptArcs = tuple[Int32Array, Int32Array, Int32Array]  # begin, heads, tree: see `Scorer.choose`


@dataclass(frozen=True)
class PrunedTreebank:
    """A pruner, and what pruners of other sentences leave of each sentence, gold heads added."""

    pruner: Pruner
    kept_arcs: list[KeptArcs]
    heads: float  # per word, gold heads that were added not counted
    gold: float  # percentage of gold heads that were left

    def describe_heads(self) -> str:
        """Describe how many heads are left, and how many gold heads are among them."""
        return f"{self.heads:.2f} heads per word, {self.gold:.2f} % of gold heads among them"


def widen(first_pass: FirstPass) -> FirstPass:
    """Let a first pass leave more, since what it drops is lost."""
    return replace(first_pass, cutoff=round(FIRST_CUTOFF / SCALE), most=FIRST_MOST)


def prune_treebank(
    lessons: Sequence[Lesson],
    copies: Sequence[Lesson],
    templates: list[str],
    first_pass: FirstPass | None,
    seed: int,
    single_root: bool,
    watcher: TrainingWatcher,
) -> PrunedTreebank | None:
    """Learn a pruner and prune the treebank that it is learned from; None if it was stopped.

    Parameters
    ----------
    lessons : sequence
        Tokens and gold heads int32[n + 1] of each sentence.
    copies : sequence
        The same sentences with other tags, or nothing: pruned as their sentences are, and not learned from.
    templates : list of str
        Those of the parser; the ones of arcs count.
    first_pass : FirstPass or None
        What drops heads before.
    seed : int
        Of the shuffling.
    single_root : bool
        Whether trees have one.
    watcher : TrainingWatcher
        Sees each sentence, and may stop the work.
    """
    settings = DecodeOptions(decoder="msa", constraints=Constraints(single_root=single_root)).settings
    kept_arcs: list[KeptArcs | None] = [None] * (len(lessons) + len(copies))
    heads = gold = 0
    fold_of = deal([1] * len(lessons), FOLDS).tolist()
    for fold in range(FOLDS):
        inside = [i for i, own in enumerate(fold_of) if own == fold]
        others = [lesson for lesson, own in zip(lessons, fold_of, strict=True) if own != fold] or list(lessons)
        pruner = _learn(others, templates, first_pass, f"{seed} pruner {fold}", watcher)
        if pruner is None:
            return None
        wider = replace(pruner, cutoff=round(LEARNING_CUTOFF / CUTOFF * pruner.cutoff))
        scorer = _scorer(wider, templates, first_pass)
        for i in inside:
            tokens, right = lessons[i]
            kept_arcs[i] = left = scorer.choose(tokens, settings, right)
            assert left is not None  # without structural constraints there is always a tree
            begin, open_heads, _ = scorer.choose(tokens, settings) or left
            heads += len(open_heads)
            gold += sum(right[m] in open_heads[begin[m] : begin[m + 1]].tolist() for m in range(1, len(right)))
            if copies:
                kept_arcs[len(lessons) + i] = scorer.choose(copies[i][0], settings, right)
            if watcher.is_stopped():
                return None
    whole = _learn(lessons, templates, first_pass, f"{seed} pruner", watcher)
    if whole is None:
        return None
    words = sum(len(right) - 1 for _, right in lessons)
    annotated = sum(int((right[1:] >= 0).sum()) for _, right in lessons)
    pruned = [heads_left for heads_left in kept_arcs if heads_left is not None]
    return PrunedTreebank(whole, pruned, heads / words, 100 * gold / annotated)


def _learn(
    lessons: Sequence[Lesson],
    templates: list[str],
    first_pass: FirstPass | None,
    seed: str,
    watcher: TrainingWatcher,
) -> Pruner | None:
    """Learn one pruner; None if it was stopped."""
    learner = HeadSelector(compile_templates(templates))
    if first_pass is not None:
        learner.use_first_pass(**vars(first_pass))
    for epoch in range(EPOCHS):
        order = list(range(len(lessons)))
        random.Random(f"{seed} {epoch}").shuffle(order)
        for index in order:
            tokens, right = lessons[index]
            watcher.on_words(len(right) - 1, learner.learn(tokens, right, RATE / (1 + epoch)))
            if watcher.is_stopped():
                return None
    tables, scale = quantise(learner.averaged(), least=LEAST)
    return Pruner(tables["slots"], round(CUTOFF / scale), MOST)


def _scorer(pruner: Pruner, templates: list[str], first_pass: FirstPass | None) -> Scorer:
    scorer = Scorer(compile_templates(templates), None, np.zeros(16, np.uint32))
    if first_pass is not None:
        scorer.use_first_pass(**vars(first_pass))
    scorer.use_pruner(**vars(pruner))
    return scorer


def join_kept_arcs(sentences: Sequence[KeptArcs]) -> Arrays:
    """Concatenate the arcs that are left of all sentences into three arrays."""
    return {
        f"kept_{name}": np.concatenate(parts)
        for name, parts in zip(KEPT_ARRAYS, zip(*sentences, strict=True), strict=True)
    }


def split_kept_arcs(arrays: Arrays) -> list[KeptArcs]:
    """Undo `join_kept_arcs`."""
    begins, heads, trees = (arrays[f"kept_{name}"] for name in KEPT_ARRAYS)
    sentences, first, head = [], 0, 0
    # A tree begins with -1, and no word has that head.
    for tree in np.split(trees, np.flatnonzero(trees == -1)[1:]):
        begin = begins[first : first + len(tree) + 1]
        sentences.append((begin, heads[head : head + begin[-1]], tree))
        first += len(begin)
        head += int(begin[-1])
    return sentences
