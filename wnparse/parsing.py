"""Parsing a stream: sentences in, parsed sentences out, in order, on one or several threads.

The core releases the interpreter lock while it scores and decodes, so that threads run side by side. Each
sentence is parsed by itself: the output does not depend on their number.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from wnparse._core import conllu as core
from wnparse._core.parser import DecoderSettings
from wnparse.conllu import Sentence
from wnparse.constraints import Constraints
from wnparse.model import Model, Parse, decoder_settings

CHUNK = 32  # sentences that a thread takes at once
LONGEST = 10_000  # words: the score matrix then takes 400 MB
MOST_NODES = 20_000  # of a search
MOST_WORK = (
    20_000_000  # nodes times squared words: a long sentence has fewer nodes, so that none stalls a pipeline
)


@dataclass(frozen=True)
class ParsingOptions:
    """What parsing can be told."""

    decoder: str
    constraints: Constraints
    max_iterations: int = 200
    max_nodes: int | None = None  # None: MOST_NODES, fewer for long sentences
    prune: bool = True  # by the model's first pass, if it has one


@dataclass(frozen=True)
class Parsed:
    """One sentence of the output."""

    sentence: Sentence
    raw: bytes  # what to write
    parse: Parse | None  # None: it has no words, or is too long
    seconds: float
    fallback: str  # "" or what had to be given up


class Parser:
    """A model with its options, checked."""

    def __init__(self, model: Model, options: ParsingOptions) -> None:
        self.model = model
        self.options = options
        self.settings = self._limited(options.max_nodes or MOST_NODES)
        self.relaxed = decoder_settings("msa", Constraints(single_root=options.constraints.single_root))
        self.unconstrained = decoder_settings("msa", Constraints())

    def _limited(self, nodes: int) -> DecoderSettings:
        options = self.options
        return decoder_settings(
            options.decoder, options.constraints, max_iterations=options.max_iterations, max_nodes=nodes
        )

    def _attempts(self, words: int) -> Iterator[tuple[str, DecoderSettings, bool]]:
        """What to try, best first: arcs that were pruned come back before any constraint is given up."""
        settings = self.settings
        if self.options.max_nodes is None and words * words * MOST_NODES > MOST_WORK:
            settings = self._limited(max(1, MOST_WORK // (words * words)))
        yield "", settings, self.options.prune
        yield "pruning", settings, False
        yield "structural constraints", self.relaxed, False
        yield "all constraints", self.unconstrained, False

    def parse(self, sentence: Sentence) -> Parsed:
        """Parse one sentence; a sentence without words is passed on as it is."""
        start = time.perf_counter()
        if not 0 < len(sentence) <= LONGEST:
            given_up = "" if len(sentence) == 0 else f"parsing: more than {LONGEST:,} words"
            return Parsed(sentence, sentence.raw, None, 0.0, given_up)
        for fallback, settings, prune in self._attempts(len(sentence)):
            found = self.model.parse_sentence(sentence, settings, prune=prune)
            if found is not None:
                raw = core.splice(sentence.raw, sentence.fields, found.heads, found.labels)
                return Parsed(sentence, raw, found, time.perf_counter() - start, fallback)
        return Parsed(sentence, sentence.raw, None, time.perf_counter() - start, "parsing: no tree at all")

    def parse_all(self, sentences: Iterable[Sentence], jobs: int = 1) -> Iterator[Parsed]:
        """Parse sentences in a stream and keep their order."""
        if jobs == 1:
            yield from map(self.parse, sentences)
            return
        with ThreadPoolExecutor(jobs) as pool:
            pending: deque[Future[list[Parsed]]] = deque()
            for chunk in _chunks(sentences):
                pending.append(pool.submit(lambda chunk: [self.parse(each) for each in chunk], chunk))
                if len(pending) > 2 * jobs:
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()


def _chunks(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    chunk: list[Sentence] = []
    for sentence in sentences:
        chunk.append(sentence)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
