"""The road from a sentence to its tree, and from a stream of them, in order, on one or several threads.

The command line, `Model.parse` and the evaluation of training all go through `Parser`. The core releases the
interpreter lock while it scores and decodes, so that threads run side by side. Each sentence is parsed by itself:
the output does not depend on their number.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core import conllu as core
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import (
    MAX_ITERATIONS,
    MAX_NODES,
    as_rank,
    check_options,
    find_decoder,
    make_settings,
)
from wnparse.errors import LimitError
from wnparse.parser.fallbacks import Attempt, free_attempts, keeping_attempts, may_hold
from wnparse.parser.joint import best_together, usual_sequences
from wnparse.parser.output import mark, with_parse
from wnparse.parser.parses import Parse
from wnparse.parser.ranking import LIMITED, Scored, keep_relations, rank_in_core, rank_trees, score_sentence
from wnparse.parser.tokens import encode_all
from wnparse.rules import Rules
from wnparse.rules.crossing_price import with_price
from wnparse.rules.program import compile_rules
from wnparse.tagger.tagger import Tagging
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.sentence import Sentence, parse_sentence

if TYPE_CHECKING:
    import conllu

    from wnparse.parser.model import Model

LONGEST_TOGETHER = 500  # words of a sentence that is parsed in one go with others
LONGEST = 5_000  # words: scores and decoding take some 80 bytes for each pair of words, 2 GB

LEAST_SECONDS = 1e-3  # for the last attempts, where the others have used up the time
NO_TREE = -math.inf  # the score where a limit came before the first valid tree
HOW_TO_CALIBRATE = "train it with a development set (wnparse train --dev)"

_EMPTY_NODE = re.compile(rb"^(\xef\xbb\xbf)?\d+\.\d+\t.*(?:\n|\Z)", re.MULTILINE)
_DEPS = re.compile(rb"^((?:\xef\xbb\xbf)?\d[^\t\n]*\t(?:[^\t\n]*\t){7})[^\t\n]+", re.MULTILINE)


@dataclass(frozen=True)
class ParsingOptions:
    """What parsing can be told."""

    decoder: str = "bnb"
    constraints: Constraints = field(default_factory=Constraints)
    max_iterations: int = MAX_ITERATIONS
    max_nodes: int = MAX_NODES
    time_limit: float | None = None  # seconds for a sentence
    max_words: int = LONGEST
    prune: bool = True  # by the model's first pass, if it has one
    heads_from_input: bool = False
    drop_deps: bool = False
    k: int | None = None  # trees of a sentence; None: the best one, without comments
    confidence: bool = False  # HeadProb in MISC, and TagProb
    rules: Rules | None = None  # that trees are held to
    crossing_price: float | None = None  # of a pair of arcs; None: the model's
    retag: bool = False  # replace tags that are given, if the model has a tagger
    tag_sequences: int | None = None  # that are tried; None: as many as usual, if the model has a weight of tags


class Timings(NamedTuple):
    """Where the seconds of a sentence went."""

    features: float = 0.0  # hashing its words, choosing and scoring arcs
    decoding: float = 0.0  # and confidence
    labels: float = 0.0  # scoring and choosing them


class Parsed(NamedTuple):
    """One sentence of the output."""

    sentence: Sentence
    raws: tuple[bytes, ...]  # what to write: the sentence with each of its trees
    parses: tuple[Parse, ...] = ()  # in falling score; none if it has no words, or could not be parsed
    seconds: float = 0.0
    fallback: str = ""  # what had to be given up
    pruned: bool = False  # whether score and bound are those of the arcs that a first pass left
    timings: Timings = Timings()  # where the seconds went

    @property
    def raw(self) -> bytes:
        """All that is to be written."""
        return self.raws[0] if len(self.raws) == 1 else b"".join(self.raws)

    def trees(self, given: Sentence | conllu.TokenList) -> Iterator[Sentence | conllu.TokenList]:
        """Its trees, of the type of what was given, each with what is known of it."""
        for raw, parse in zip(self.raws, self.parses or (None,), strict=True):
            tree = parse_sentence(raw, path=self.sentence.path, line=self.sentence.line)
            result: Any = tree if isinstance(given, Sentence) else tree.to_tokenlist()
            result.parse = parse
            yield result

    @property
    def parse(self) -> Parse | None:
        """The best tree, if there is one."""
        return self.parses[0] if self.parses else None

    @property
    def lost(self) -> str:
        """What was relaxed for the best tree."""
        return self.parses[0].fallback if self.parses else self.fallback

    @property
    def complete(self) -> bool:
        """Whether all trees are there that were requested, or that there are."""
        return all(each.complete for each in self.parses)


class Effort:
    """What the attempts at a sentence share: its scores, and the seconds that are left for searching."""

    def __init__(self, seconds: float | None) -> None:
        self.left = seconds
        self.scored: Scored | None = None

    @contextlib.contextmanager
    def search(self) -> Iterator[None]:
        """Take the time of a search off what is left."""
        start = time.perf_counter()
        try:
            yield
        finally:
            if self.left is not None:
                self.left = max(0.0, self.left - (time.perf_counter() - start))


class Parser:
    """A model with its options, checked."""

    def __init__(self, model: Model, options: ParsingOptions) -> None:
        if model.only_tags:
            raise ValueError("the model only tags; train one without --tagger-only")
        self.model = model
        self.options = options
        decoder, _ = check_options(
            options.decoder,
            options.constraints,
            max_iterations=options.max_iterations,
            max_nodes=options.max_nodes,
            time_limit=options.time_limit,
        )
        if options.rules and not decoder.whole:
            raise ValueError(
                f"decoder '{options.decoder}' is written in Python and knows no rules; parse without them"
            )
        if model.order > 1 and not decoder.whole:
            higher = f"the model is of order {model.order}; train one with order 1"
            raise ValueError(
                f"decoder '{options.decoder}' is written in Python and knows arcs alone, and {higher}"
            )
        if options.k is not None:
            as_rank(options.k, options.decoder)
        if options.confidence and model.calibration is None:
            raise ValueError(
                f"the model is not calibrated, so that its confidence is not known; {HOW_TO_CALIBRATE}"
            )
        price = model.crossing_price if options.crossing_price is None else options.crossing_price
        priced = decoder.whole and options.decoder != "eisner" and options.constraints.block_degree != 1
        rules = with_price(options.rules, price if priced else 0.0)
        # An unlabelled model has nothing that a rule could speak of.
        self.program = compile_rules(rules, model.labels) if rules and model.labels else None
        self.sequences = options.tag_sequences or usual_sequences(model.order, model.joint_weight)
        self.marked = options.k is not None or options.confidence
        # The core goes all the way where it has nothing to show on it.
        self.direct = not self.marked
        asked = options.decoder, options.constraints, self.prunes
        self.attempts = list(free_attempts(*asked))
        self.keeping_attempts = [*keeping_attempts(*asked), *free_attempts(*asked, "given heads")]

    @property
    def arcs_alone(self) -> bool:
        """Whether neither parts nor rules are priced."""
        return self.model.order == 1 and self.program is None

    @property
    def prunes(self) -> bool:
        """Whether the model's first pass drops arcs."""
        return self.options.prune and self.model.first_pass is not None

    def parse(self, sentence: Sentence, watcher: Watcher | None = None) -> Parsed:
        """Parse one sentence; one without words is passed on as it is, one with too many without a tree."""
        (ways,) = self._tag([sentence])
        watcher = watcher or Watcher()
        limit = self._limit_of(ways)
        return self._choose([(self._parse(tagged, watcher, limit), odds) for tagged, odds in ways])

    def _tag(self, sentences: list[Sentence]) -> list[list[Tagging]]:
        """Fill what sentences lack, if the model has a tagger: in several ways, if tags and trees go together."""
        tagger = self.model.tagger
        if tagger is None:
            return [[Tagging(sentence, 0.0)] for sentence in sentences]
        options = self.options
        return tagger.alternatives(sentences, self.sequences, retag=options.retag, confidence=options.confidence)

    def _limit_of(self, ways: list[Tagging]) -> float | None:
        """The seconds for each of the ways to tag a sentence: together they have those of the sentence."""
        limit = self.options.time_limit
        return None if limit is None else limit / len(ways)

    def _choose(self, ways: list[tuple[Parsed, float]]) -> Parsed:
        """The best of several trees, each of other tags; its seconds are those of all."""
        if len(ways) == 1:
            return ways[0][0]
        trees, odds = [(parsed.parse, parsed.lost) for parsed, _ in ways], [odds for _, odds in ways]
        best = ways[best_together(trees, odds, self.model.joint_weight)][0]
        timings = Timings(*map(sum, zip(*(parsed.timings for parsed, _ in ways), strict=True)))
        return best._replace(seconds=sum(parsed.seconds for parsed, _ in ways), timings=timings)

    def _parse(
        self,
        sentence: Sentence,
        watcher: Watcher,
        time_limit: float | None,
        tried: Parse | Literal[False] | None = False,
    ) -> Parsed:
        """Parse one sentence; `tried` is what came of the first attempt, if it has been made."""
        words = len(sentence)
        if words == 0:
            return Parsed(sentence, (sentence.raw,))
        if words > self.options.max_words:
            return self.leave(sentence, f"parsing: {words:,} words are more than {self.options.max_words:,}")
        try:
            return self._try_all(sentence, watcher, time_limit, tried)
        except MemoryError:
            return self.leave(sentence, f"parsing: no memory for {words:,} words")

    def leave(self, sentence: Sentence, why: str) -> Parsed:
        """A sentence that is not parsed; heads that were to be replaced must not pass for ours."""
        raw = sentence.raw
        if not self.options.heads_from_input:
            raw = core.splice(raw, sentence.fields, np.full_like(sentence.heads, -1), ["_"] * len(sentence.heads))
        return Parsed(sentence, (drop_deps(raw) if self.options.drop_deps else raw,), fallback=why)

    def _try_all(
        self, sentence: Sentence, watcher: Watcher, time_limit: float | None, tried: Parse | Literal[False] | None
    ) -> Parsed:
        """Try to satisfy all that is asked for, then less and less."""
        start = time.perf_counter()
        keeping = self.options.heads_from_input and bool((sentence.heads[1:] >= 0).any())
        attempts = self.keeping_attempts if keeping else self.attempts
        limited = bool(tried)
        effort = Effort(time_limit)
        for attempt in attempts if tried is False else attempts[1:]:
            if attempt.keep_heads and not may_hold(attempt, sentence):
                continue
            try:
                found = self._find(sentence, attempt, watcher, effort)
            except LimitError:
                limited = True
                continue
            if found:
                return self._parsed(sentence, attempt, tuple(found), start, limited)
        return self.leave(sentence, "parsing: no tree at all")

    def parse_chunk(self, sentences: list[Sentence], watcher: Watcher | None = None) -> list[Parsed]:
        """Parse each sentence as `parse` does, but most of them in one go, so that threads rarely need the GIL."""
        return [self._choose(ways) for ways in self.parse_ways(sentences, watcher)]

    def parse_ways(
        self, sentences: list[Sentence], watcher: Watcher | None = None
    ) -> list[list[tuple[Parsed, float]]]:
        """Each sentence with all tags that are tried, each with its best tree, and the odds of the tags."""
        tagged = self._tag(sentences)
        each = [(way.sentence, self._limit_of(ways)) for ways in tagged for way in ways]
        parsed = iter(self._parse_tagged(each, watcher or Watcher()))
        return [[(next(parsed), odds) for _, odds in ways] for ways in tagged]

    def _parse_tagged(self, sentences: list[tuple[Sentence, float | None]], watcher: Watcher) -> list[Parsed]:
        """Parse sentences that have all their tags, each within its seconds."""
        usual = self.direct and not self.options.heads_from_input
        longest = min(self.options.max_words, LONGEST_TOGETHER)
        together = [each for each in sentences if usual and 0 < len(each[0]) <= longest]
        attempt = self.attempts[0]
        results = iter(self._search(together, attempt, watcher) if together else ())
        parsed = []
        for sentence, limit in sentences:
            if not (usual and 0 < len(sentence) <= longest):
                parsed.append(self._parse(sentence, watcher, limit))
                continue
            found = next(results)
            if found and found.score > NO_TREE:
                start = time.perf_counter() - sum(found.seconds)
                parsed.append(self._parsed(sentence, attempt, (found,), start))
            else:
                parsed.append(self._parse(sentence, watcher, limit, found))
        return parsed

    def _parsed(
        self,
        sentence: Sentence,
        attempt: Attempt,
        found: tuple[Parse, ...],
        start: float,
        limited: bool = False,
    ) -> Parsed:
        """The sentence with its trees; old relations do not go with the new heads of an unlabelled model."""
        lost = attempt.given_up + (", since a limit came first" if limited and attempt.given_up else "")
        found = tuple(each._replace(fallback=_with_rules(lost) if each.broken else lost) for each in found)
        lost = found[0].fallback
        broken = [rank for rank, each in enumerate(found, 1) if each.broken]
        if broken and broken[0] > 1:  # those of the first trees are named already
            lost = f"{_with_rules(lost)} (from tree {broken[0]} on)"
        raws: tuple[bytes, ...]
        if self.marked:
            raws = tuple(mark(sentence, found, ranked=self.options.k is not None, unlabelled="_"))
        else:
            raws = (with_parse(sentence, found[0], unlabelled="_"),)
        if self.options.drop_deps:
            raws = tuple(map(drop_deps, raws))
        pruned = attempt.prune or self.model.order > 1
        timings = Timings(*found[-1].seconds)
        return Parsed(sentence, raws, found, time.perf_counter() - start, lost, pruned, timings)

    def _settings(self, attempt: Attempt, time_limit: float | None) -> Settings:
        """What the core is told."""
        options = self.options
        # Another function may have the name by now of one that is written in Python.
        make = _settings if find_decoder(attempt.decoder).function is None else _settings.__wrapped__
        return make(attempt.decoder, attempt.constraints, options.max_iterations, options.max_nodes, time_limit)

    def _search(
        self, limited: list[tuple[Sentence, float | None]], attempt: Attempt, watcher: Watcher
    ) -> list[Parse | None]:
        """The best tree of each sentence within its seconds, if there is one; the core goes all the way."""
        sentences = [sentence for sentence, _ in limited]
        settings = [self._settings(attempt, limit) for _, limit in limited]
        tokens = encode_all(sentences, self.model.columns)
        given = [sentence.heads for sentence in sentences] if attempt.keep_heads else None
        program = self.program
        found = self.model.scorer.parse(
            tokens,
            settings,
            attempt.prune,
            watcher,
            given,
            program.core if program else None,
            [program.predicates.bits(sentence) for sentence in sentences] if program else None,
        )
        return [
            None
            if each is None
            else Parse(each[0], None if each[2] == NO_TREE else self._names(each[1]), *each[2:])
            for each in found
        ]

    def _names(self, labels: npt.NDArray[np.int32]) -> list[str] | None:
        names = self.model.labels
        return ["", *(names[label] if label >= 0 else "_" for label in labels.tolist()[1:])] if names else None

    def _find(self, sentence: Sentence, attempt: Attempt, watcher: Watcher, effort: Effort) -> list[Parse]:
        """The trees that are asked for, if there are any; LimitError if a limit came before the first."""
        if effort.left == 0 and attempt.decoder != "msa":
            raise LimitError(LIMITED)
        # The last resort needs no search of its own; of a ranking it has at least the first tree.
        left = None if effort.left is None else max(effort.left, LEAST_SECONDS)
        if self.direct and (self.model.order > 1 or self.program is not None or not attempt.keep_heads):
            with effort.search():
                (found,) = self._search([(sentence, left)], attempt, watcher)
            if found is not None and found.score == NO_TREE:
                raise LimitError(LIMITED)
            if found is not None and attempt.keep_heads:
                found = found._replace(labels=keep_relations(sentence, found.heads, found.labels))
            return [] if found is None else [found]
        options = self.options
        if self.model.order > 1 or self.program is not None:
            settings = self._settings(attempt, left)
            with effort.search():
                return rank_in_core(
                    self.model,
                    sentence,
                    attempt.decoder,
                    attempt.constraints,
                    settings,
                    watcher,
                    k=options.k,
                    confidence=options.confidence,
                    prune=attempt.prune,
                    keep_heads=attempt.keep_heads,
                    program=self.program,
                )
        if effort.scored is None or effort.scored.prune != attempt.prune:
            effort.scored = score_sentence(self.model, sentence, prune=attempt.prune)
        with effort.search():
            return rank_trees(
                self.model,
                effort.scored,
                attempt.decoder,
                attempt.constraints,
                self._settings(attempt, left),
                watcher,
                k=options.k,
                confidence=options.confidence,
                keep_heads=attempt.keep_heads,
            )

    def parse_all(
        self, sentences: Iterable[Sentence], jobs: int = 1, at_hand: Callable[[], bool] | None = None
    ) -> Iterator[Parsed]:
        """Parse sentences in a stream and keep their order.

        Parameters
        ----------
        sentences : iterable of Sentence
            What it raises is raised after all sentences before it have been yielded.
        jobs : int
            Threads.
        at_hand : callable, optional
            Whether the next sentence is there already. Where one may have to be waited for, all that came before
            it are yielded first. By default one job never looks ahead, and several always do.
        """
        watcher = Watcher()
        yield from in_chunks(
            sentences, lambda chunk: self.parse_chunk(chunk, watcher), jobs, at_hand, watcher.stop
        )


def _with_rules(lost: str) -> str:
    """What is relaxed, rules included."""
    return f"{lost} and rules" if lost else "rules"


@functools.lru_cache(maxsize=1024)
def _settings(
    decoder: str, constraints: Constraints, max_iterations: int, max_nodes: int, time_limit: float | None
) -> Settings:
    return make_settings(
        decoder, constraints, max_iterations=max_iterations, max_nodes=max_nodes, time_limit=time_limit
    )


def drop_deps(raw: bytes) -> bytes:
    """Blank DEPS; empty nodes, which nothing else attaches, go with it."""
    return _DEPS.sub(rb"\g<1>_", _EMPTY_NODE.sub(rb"\1", raw))
