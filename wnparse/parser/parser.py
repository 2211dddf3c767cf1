"""Parsing of sentences, as used by the command line, `Model.parse`, training and clusters.

Many sentences are parsed in one call of the core, which releases the interpreter lock, so that threads run in
parallel. Sentences do not affect each other: the output depends neither on their neighbours nor on the number of
threads.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse._core import conllu as core
from wnparse._core.scorer import Parses
from wnparse._core.watching import Watcher
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import find_decoder, refuse_arcs_only
from wnparse.parser.confidence import head_probabilities
from wnparse.parser.fallbacks import Attempt, free_attempts, keeping_attempts
from wnparse.parser.joint import best_together, usual_sequences
from wnparse.parser.neural_scorer import require_runtime
from wnparse.parser.options import ParseOptions
from wnparse.parser.output import drop_deps, mark
from wnparse.parser.parses import Parsed, Timings
from wnparse.rules.compile import compile_rules
from wnparse.rules.crossing_penalty import with_crossing_penalty
from wnparse.tagger.tagger import Tagging
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.fixed import keep_only_fixed, restore_fixed_tags
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    from wnparse.parser.model import Model

LONGEST_TOGETHER = 500  # words of a sentence that is parsed in one call with others
SCORED_WORDS = 500  # in one call of the core if there is a network: its scores take some 25 KB per word
LEAST_SECONDS = 1e-3  # for the last attempts, if the others have used up the time
HOW_TO_CALIBRATE = "train it with a development set (wnparse train --dev)"


@dataclass
class _Search:
    """The search for the tree of a tagged sentence."""

    sentence: Sentence
    attempts: Iterator[Attempt]
    seconds_left: float | None
    spent: tuple[float, ...] = (0.0, 0.0, 0.0)  # for features, decoding and labels
    limited: bool = False  # a limit ended an attempt
    parsed: Parsed | None = None


class Parser:
    """A model with its options, checked.

    Raises
    ------
    ValueError
        If the model cannot do what the options request.
    """

    def __init__(self, model: Model, options: ParseOptions) -> None:
        if model.only_tags:
            if model.tagger is None:
                raise ValueError("the model only splits text; train one without --only tokenizer")
            raise ValueError("the model only tags; train one without --only tagger")
        decoder = find_decoder(options.decoder)
        if model.order > 1:
            refuse_arcs_only(options.decoder, f"models of order {model.order}")
        self.tuned = model._tuned(options.neural_weight)
        if options.needs_probabilities and self.tuned.calibration is None:
            raise ValueError(f"the model is not calibrated and cannot estimate confidence; {HOW_TO_CALIBRATE}")
        if options.neural_weight and model.neural is None:
            raise ValueError("the model has no network to weigh; train one with wnparse train --neural")
        if self.tuned is not model:
            require_runtime()
        self.model = model
        self.options = options
        price = self.tuned.crossing_penalty if options.crossing_penalty is None else options.crossing_penalty
        priced = decoder.whole and options.decoder != "eisner" and options.constraints.block_degree != 1
        rules = with_crossing_penalty(options.rules, price if priced else 0.0)
        # Rules are about labels, which an unlabelled model does not have.
        self.program = compile_rules(rules, model.labels) if rules and model.labels else None
        self.sequences = options.tag_sequences or usual_sequences(model.order, self.tuned.joint_weight)
        self.prunes = options.prune and model.first_pass is not None
        self._free = list(free_attempts(options))
        self._keeping = [*keeping_attempts(options), *free_attempts(options, "given heads")]

    @property
    def arcs_alone(self) -> bool:
        """Whether neither parts nor rules are scored."""
        return self.model.order == 1 and self.program is None

    def stream(
        self, sentences: Iterable[Sentence], jobs: int = 1, at_hand: Callable[[], bool] | None = None
    ) -> Iterator[Parsed]:
        """Parse sentences in a stream and keep their order; see `wnparse.treebanks.chunks.in_chunks`."""
        watcher = Watcher()
        return in_chunks(sentences, functools.partial(self.parse, watcher=watcher), jobs, at_hand, watcher.stop)

    def parse(self, sentences: list[Sentence], watcher: Watcher | None = None) -> list[Parsed]:
        """Parse sentences; those without words are returned unchanged, those with too many words get no tree.

        If the model has a tagger, it fills in missing tags; with several tag sequences, tags and tree are chosen
        jointly.
        """
        tagger, options = self.model.tagger, self.options
        if options.keep_fixed:
            sentences = [keep_only_fixed(sentence, tagger.columns if tagger else ()) for sentence in sentences]
        alternatives = [[Tagging(sentence, 0.0)] for sentence in sentences]
        if tagger is not None:
            alternatives = tagger.alternatives(
                sentences,
                self.sequences,
                retag=options.retag and not options.keep_fixed,
                confidence=options.confidence,
            )
        if tagger is not None and options.keep_fixed:
            alternatives = [
                [Tagging(restore_fixed_tags(tagging.sentence, sentence), tagging.odds) for tagging in taggings]
                for sentence, taggings in zip(sentences, alternatives, strict=True)
            ]
        searches = [
            self._start(tagging.sentence, len(taggings)) for taggings in alternatives for tagging in taggings
        ]
        watcher = watcher or Watcher()
        waiting = [search for search in searches if search.parsed is None]
        while waiting:  # the first attempts are made together; the few that fail are repeated
            self._attempt([search for search in waiting if len(search.sentence) <= LONGEST_TOGETHER], watcher)
            for search in waiting:
                if len(search.sentence) > LONGEST_TOGETHER:
                    self._attempt_alone(search, watcher)
            waiting = [search for search in waiting if search.parsed is None]
        done = iter(searches)
        return [self._choose([(next(done), tagging.odds) for tagging in taggings]) for taggings in alternatives]

    def _start(self, sentence: Sentence, sequences: int) -> _Search:
        """Prepare the search for a sentence, whose tag sequences share its time."""
        options, words = self.options, len(sentence)
        keeps = options.keeps_heads and bool((sentence.heads[1:] >= 0).any())
        attempts = iter(self._free)
        if keeps:
            attempts = (attempt for attempt in self._keeping if attempt.may_succeed(sentence))
        limit = None if options.time_limit is None else options.time_limit / sequences
        search = _Search(sentence, attempts, limit)
        if words == 0:
            search.parsed = Parsed(sentence, (sentence.raw,))
        elif words > options.max_words:
            search.parsed = self.leave(
                sentence, f"not parsed: {words:,} words exceed the limit of {options.max_words:,}"
            )
        return search

    def leave(self, sentence: Sentence, reason: str) -> Parsed:
        """Return a sentence without a tree; its old heads are cleared, unless they are to be kept."""
        raw = sentence.raw
        if not self.options.keeps_heads:
            raw = core.splice(raw, sentence.fields, np.full_like(sentence.heads, -1), ["_"] * len(sentence.heads))
        return Parsed(sentence, (drop_deps(raw) if self.options.drop_deps else raw,), fallback=reason)

    def _attempt_alone(self, search: _Search, watcher: Watcher) -> None:
        """Make the next attempt at a long sentence, for which there may not be enough memory."""
        try:
            self._attempt([search], watcher)
        except MemoryError:
            words = len(search.sentence)
            search.parsed = self.leave(search.sentence, f"not parsed: not enough memory for {words:,} words")

    def _attempt(self, searches: list[_Search], watcher: Watcher) -> None:
        """Make the next attempt at each sentence, all in one call of the core; some may find no tree."""
        attempts = [self._next_attempt(search) for search in searches]
        running = [(search, attempt) for search, attempt in zip(searches, attempts, strict=True) if attempt]
        if not running:
            return
        groups: dict[tuple[str, ...], list[tuple[_Search, Attempt]]] = {}
        for search, attempt in running:
            groups.setdefault(self._unknown_relations(search.sentence, attempt), []).append((search, attempt))
        for unknown, group in groups.items():
            for part in [group] if self.tuned is self.model else _parts(group, SCORED_WORDS):
                self._decode(part, unknown, watcher)

    def _unknown_relations(self, sentence: Sentence, attempt: Attempt) -> tuple[str, ...]:
        """Return the given relations that the model does not have, but rules may mention."""
        if self.program is None or not attempt.keep_heads:
            return ()
        return tuple(sorted(set(_given_relations(sentence)) - set(self.model.labels) - {NOTHING}))

    def _decode(self, running: list[tuple[_Search, Attempt]], unknown: tuple[str, ...], watcher: Watcher) -> None:
        """Make attempts at sentences, which have the same unknown relations, in one call of the core."""
        sentences, program, options = [search.sentence for search, _ in running], self.program, self.options
        if program and unknown:
            program = compile_rules(program.rules, [*self.model.labels, *unknown])
        numbers = {label: number for number, label in enumerate([*self.model.labels, *unknown])}
        numbers[NOTHING] = -1  # not given, even if a treebank without relations was learned
        results = self.model._scorer.parse(
            self.model._encode(sentences, options.neural_weight),
            [_limited(attempt, search).settings for search, attempt in running],
            self.prunes,
            watcher,
            [search.sentence.heads if attempt.keep_heads else None for search, attempt in running],
            program.core if program else None,
            [program.predicates.bits(sentence) for sentence in sentences] if program else None,
            options.k or 1,
            options.needs_probabilities,
            [
                np.array([-1, *(numbers.get(name, -1) for name in _given_relations(search.sentence))], np.int32)
                if program and attempt.keep_heads
                else None
                for search, attempt in running
            ],
        )
        for (search, attempt), result in zip(running, results, strict=True):
            self._finish(search, attempt, result)

    def _next_attempt(self, search: _Search) -> Attempt | None:
        """Return what to try next; if nothing is left, leave the sentence without a tree."""
        for attempt in search.attempts:
            # The last attempt, which needs no search, is made even if no time is left.
            if search.seconds_left != 0 or attempt.options.decoder == "msa":
                return attempt
            search.limited = True
        search.parsed = self.leave(search.sentence, "not parsed: no tree was found")
        return None

    def _finish(self, search: _Search, attempt: Attempt, result: Parses) -> None:
        """Store the trees that an attempt found, if any."""
        search.spent = tuple(map(sum, zip(search.spent, result.seconds, strict=True)))
        if search.seconds_left is not None:
            search.seconds_left = max(0.0, search.seconds_left - sum(result.seconds))
        search.limited = search.limited or result.limited
        if not result.trees:
            return
        relaxed = attempt.relaxed
        if relaxed and search.limited:
            relaxed += ", because a limit was reached"
        sentence, model, options = search.sentence, self.model, self.options
        probabilities: npt.NDArray[np.float64] | None = None
        if options.needs_probabilities:
            assert result.head_scores is not None and self.tuned.calibration is not None
            probabilities = head_probabilities(
                result.head_scores,
                self.tuned.calibration,
                attempt.options,
                order=model.order,
                pruned=self.prunes,
                given=sentence.heads if attempt.keep_heads else None,
            )
        parses = []
        for tree in result.trees:
            labels = _keep_relations(sentence, tree.heads, tree.labels) if attempt.keep_heads else tree.labels
            parses.append(
                Parse(
                    tree.heads,
                    labels,
                    tree.score,
                    tree.upper_bound,
                    tree.certified,
                    tree.iterations,
                    tree.nodes,
                    result.seconds,
                    tree.broken,
                    None if probabilities is None else probabilities[np.arange(len(tree.heads)), tree.heads],
                    _with_rules(relaxed) if tree.broken else relaxed,
                    result.complete,
                )
            )
        raws = mark(
            sentence,
            parses,
            ranked=options.k is not None,
            confidence=options.confidence,
            blank_below=options.blank_below,
        )
        search.parsed = Parsed(
            sentence,
            tuple(map(drop_deps, raws)) if options.drop_deps else raws,
            tuple(parses),
            sum(search.spent),
            _describe_relaxed(parses),
            self.prunes or model.order > 1,
            Timings(*result.seconds),
        )

    def _choose(self, searches: list[tuple[_Search, float]]) -> Parsed:
        """Return the best of several trees, each with other tags; its seconds are those of all."""
        alternatives = [(search.parsed, odds) for search, odds in searches if search.parsed is not None]
        if len(alternatives) == 1:
            return alternatives[0][0]
        best, _ = alternatives[best_together(alternatives, self.tuned.joint_weight)]
        seconds = sum(parsed.seconds for parsed, _ in alternatives)
        timings = Timings(*map(sum, zip(*(parsed.timings for parsed, _ in alternatives), strict=True)))
        return best._replace(seconds=seconds, timings=timings, alternatives=tuple(alternatives))


def _parts(group: list[tuple[_Search, Attempt]], words: int) -> Iterator[list[tuple[_Search, Attempt]]]:
    """Divide attempts into lists of so many words, or a few more."""
    part: list[tuple[_Search, Attempt]] = []
    size = 0
    for search, attempt in group:
        part.append((search, attempt))
        size += len(search.sentence)
        if size >= words:
            yield part
            part, size = [], 0
    if part:
        yield part


def _limited(attempt: Attempt, search: _Search) -> DecodeOptions:
    """Return the options of an attempt within the time that is left."""
    if search.seconds_left is None:
        return attempt.options
    return replace(attempt.options, time_limit=max(search.seconds_left, LEAST_SECONDS))


def _given_relations(sentence: Sentence) -> list[str]:
    """Return the relations of the words that have a head, ``_`` for others."""
    heads = sentence.heads[1:].tolist()
    return [name if head >= 0 else NOTHING for name, head in zip(sentence.column("deprel"), heads, strict=True)]


def _keep_relations(sentence: Sentence, heads: npt.NDArray[np.int32], labels: list[str] | None) -> list[str]:
    """Return labels with the relations of the input where its heads were kept."""
    labels = labels or ["_"] * len(heads)
    for word, relation in enumerate(sentence.column("deprel"), 1):
        if sentence.heads[word] == heads[word] and relation != NOTHING:
            labels[word] = relation
    return labels


def _describe_relaxed(parses: list[Parse]) -> str:
    """Describe what was relaxed for the trees of a sentence: for the first, and that later ones break rules."""
    relaxed = parses[0].fallback
    broken = [rank for rank, parse in enumerate(parses, 1) if parse.broken]
    if broken and broken[0] > 1:
        return f"{_with_rules(relaxed)} (from tree {broken[0]} on)"
    return relaxed


def _with_rules(relaxed: str) -> str:
    return f"{relaxed} and rules" if relaxed else "rules"
