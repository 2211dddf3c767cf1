"""Reports of parsed sentences: counts, which add up, and one line of JSON per sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from wnparse.parser.options import ParseOptions
from wnparse.parser.parses import Parsed
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural

PLACES = 3  # sentences that are named of each kind


class SourceLine(NamedTuple):
    """A sentence in its file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def source_line(parsed: Parsed) -> SourceLine:
    """Return where a sentence was read."""
    return SourceLine(parsed.sentence.path, parsed.sentence.line)


def count_right(parse: Parse | None, gold: Sentence) -> tuple[int, int]:
    """Count the words with the right head, and those with the right head and label (whole) if there are labels."""
    if parse is None:
        return 0, 0
    right = (parse.heads[1:] == gold.heads[1:]).tolist()
    pairs = zip(right, parse.labels[1:], gold.column("deprel"), strict=True) if parse.labels else ()
    return sum(right), sum(head and guess == label for head, guess, label in pairs)


@dataclass
class Counts:
    """Counts over sentences; the counts of several parts of a text can be added in any order.

    Attributes
    ----------
    certified, searched, unbounded, pruned, fallbacks : int
        Sentences whose trees are proved best, whose best arborescence was not valid, without a bound, whose arcs
        were pruned, for which something was relaxed.
    slowest : tuple or None
        Seconds and words of the sentence that took longest, and where it is.
    doubtful : list of SourceLine
        The first sentences that are not certified.
    """

    sentences: int = 0
    words: int = 0
    certified: int = 0
    searched: int = 0
    unbounded: int = 0
    pruned: int = 0
    fallbacks: int = 0
    slowest: tuple[float, int, SourceLine] | None = None
    doubtful: list[SourceLine] = field(default_factory=list)

    def count(self, parsed: Parsed, options: ParseOptions) -> None:
        """Count a sentence."""
        words = len(parsed.sentence)
        self.sentences += words > 0
        self.words += words
        self.fallbacks += bool(parsed.fallback)
        certified = bool(parsed.parses) and all(parse.certified for parse in parsed.parses)
        self.certified += certified
        if words and not certified and len(self.doubtful) < PLACES:
            self.doubtful.append(source_line(parsed))
        if parsed.parse is None:
            return
        self.searched += _was_searched(parsed, options)
        self.unbounded += math.isinf(parsed.parse.upper_bound)
        self.pruned += parsed.pruned
        if self.slowest is None or parsed.seconds > self.slowest[0]:
            self.slowest = parsed.seconds, words, source_line(parsed)

    def add(self, other: Counts) -> None:
        """Add the counts of what follows."""
        for name in ("sentences", "words", "certified", "searched", "unbounded", "pruned", "fallbacks"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest = max(filter(None, (self.slowest, other.slowest)), default=None)
        self.doubtful = [*self.doubtful, *other.doubtful][:PLACES]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Counts:
        """Return the counts from the data that `dataclasses.asdict` made of them."""
        slowest = data["slowest"] and (*data["slowest"][:2], SourceLine(*data["slowest"][2]))
        return cls(**{**data, "slowest": slowest, "doubtful": [SourceLine(*place) for place in data["doubtful"]]})

    def within(self, path: str, lines_before: int) -> Counts:
        """Return the counts of a part of a file with places in the whole file."""

        def move(place: SourceLine) -> SourceLine:
            return SourceLine(path, place.line + lines_before)

        slowest = self.slowest and (*self.slowest[:2], move(self.slowest[2]))
        return replace(self, slowest=slowest, doubtful=[move(place) for place in self.doubtful])

    def describe_parsing(self, options: ParseOptions, seconds: float, *, arcs_alone: bool) -> str:
        """Describe size, speed and certificates in one line.

        `arcs_alone` is true if neither parts nor rules were scored. Otherwise nothing is known about the best
        arborescence, because iterations concern parts and rules as well.
        """
        parts = [f"{self.describe_size()}, {self.words / seconds:,.0f} words/s"]
        degree, nested = options.constraints.block_degree, options.constraints.well_nested
        known = arcs_alone and options.k is None
        if known and options.decoder not in ("msa", "eisner") and degree != 1 and (degree or nested):
            parts.append(
                f"{100 * (1 - self.searched / self.sentences):.2f} % of the best arborescences were valid"
            )
        if options.decoder == "eisner" and degree != 1:
            # Its proofs are about projective trees only; if it found none, another decoder was used.
            share = 100 * self.unbounded / self.sentences
            parts.append("best projective trees" if share == 100 else f"{share:.2f} % best projective trees")
        else:
            parts.append(f"{100 * self.certified / self.sentences:.2f} % provably optimal")
        if self.pruned:
            parts[-1] += f" (within pruned arcs: {100 * self.pruned / self.sentences:.2f} % of the sentences)"
        if self.slowest:
            longest, words, place = self.slowest
            parts.append(f"slowest {1e3 * longest:.1f} ms ({words:,} {plural(words, 'word')}, {place})")
        return "; ".join(parts)

    def summarise(self, seconds: float, skipped: int) -> dict[str, Any]:
        """Return the figures of a run for JSON; `skipped` sentences were malformed."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "seconds": round(seconds, 3),
            "words_per_second": round(self.words / seconds, 1) if seconds else None,
            "certified": self.certified,
            "relaxed": self.fallbacks,
            "skipped": skipped,
        }

    def describe_size(self) -> str:
        """Describe the numbers of sentences and words."""
        sentences = f"{self.sentences:,} {plural(self.sentences, 'sentence')}"
        return f"{sentences}, {self.words:,} {plural(self.words, 'word')}"


def _was_searched(parsed: Parsed, options: ParseOptions) -> bool:
    """Return whether the best arborescence was not valid."""
    assert parsed.parse
    if parsed.fallback:
        return True
    if options.decoder == "msa-eisner":
        return not parsed.parse.certified
    return parsed.parse.iterations > 1


def describe_loss(parsed: Parsed, options: ParseOptions) -> str:
    """Describe what was relaxed for a sentence, or why it was not parsed."""
    if parsed.parse:
        return f"relaxed {parsed.fallback}"
    state = "as it is" if options.keep_heads else "without a tree"
    return f"{parsed.fallback}; left {state}"


def describe_notices(parsed: Parsed, options: ParseOptions) -> Iterator[str]:
    """Describe what was relaxed for a sentence, and whether trees are missing."""
    if parsed.fallback:
        yield describe_loss(parsed, options)
    if not parsed.complete:
        count = len(parsed.parses)
        yield f"a limit was reached after {count} of {options.k} {plural(options.k or 0, 'tree')}"


def report_line(parsed: Parsed, number: int, *, ranked: bool) -> bytes:
    """Return one line of JSON for a sentence; nothing for one without words."""
    if not len(parsed.sentence):
        return b""
    best = parsed.parse
    micros = {name: round(1e6 * seconds, 1) for name, seconds in parsed.timings._asdict().items()}
    line: dict[str, Any] = {
        "sentence": number,
        "sent_id": parsed.sentence.sent_id,
        "words": len(parsed.sentence),
        "score": best and best.score,
        "upper_bound": best and _finite(best.upper_bound),
        "certified": bool(best and best.certified),
        "pruned": parsed.pruned,
        "iterations": best.iterations if best else 0,
        "nodes": best.nodes if best else 0,
        "microseconds": {**micros, "total": round(1e6 * parsed.seconds, 1)},
        "fallback": parsed.fallback,
    }
    if ranked:
        line["trees"] = [
            {
                "score": parse.score,
                "upper_bound": _finite(parse.upper_bound),
                "certified": parse.certified,
                "broken": parse.broken,
            }
            for parse in parsed.parses
        ]
        line["complete"] = parsed.complete
    return json.dumps(line, allow_nan=False).encode() + b"\n"


def _finite(bound: float) -> float | None:
    """Return None for an unknown bound: JSON has no infinity."""
    return bound if math.isfinite(bound) else None
