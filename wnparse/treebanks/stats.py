"""The structure of a treebank, as in Table 1 of Corro et al. 2016, and the constraints that it suggests.

One pass, O(words + blocks); memory grows with the variety of the trees, not with their number.
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from wnparse._core import trees as core
from wnparse.treebanks.inputs import Treebank, as_sentences
from wnparse.treebanks.partial import AnnotationCounter
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.tag_stats import TagStats

PAPER_COVERAGE = 99.0  # percent; section 7.1
TABLE_DEGREES = 4  # block degrees 1..4 have their own rows in Table 1, the rest is "> 4"
COVERAGE_DEGREES = 5


@dataclass(frozen=True)
class Choice:
    """The most constrained combination that covers enough of a treebank."""

    block_degree: int
    well_nested: bool
    coverage: float  # percent of the sentences


@dataclass
class TreebankStats:
    """Counts over the complete sentences of a treebank, in which every word has a head; `merge` adds another's.

    Attributes
    ----------
    name : str
        The name of the treebank.
    words : int
        Words of complete sentences.
    lengths : Counter
        Sentences by their length.
    cells : Counter
        Sentences by block degree and whether they are well-nested.
    edge_degrees : Counter
        Sentences by their edge degree.
    nonprojective_arcs : int
        Arcs that are not projective.
    several_roots : int
        Sentences with several roots.
    examples : dict
        The first sentences of unusual cells, if requested.
    annotation : AnnotationCounter
        How much is annotated in all sentences.
    tags : TagStats or None
        Counts of tags, features and relations in all sentences, if requested.
    """

    name: str = ""
    words: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    cells: Counter[tuple[int, bool]] = field(default_factory=Counter)
    edge_degrees: Counter[int] = field(default_factory=Counter)
    nonprojective_arcs: int = 0
    several_roots: int = 0
    examples: dict[tuple[int, bool], list[Sentence]] = field(default_factory=dict)
    annotation: AnnotationCounter = field(default_factory=AnnotationCounter)
    tags: TagStats | None = None

    @property
    def sentences(self) -> int:
        """Complete sentences with at least one word."""
        return self.lengths.total()

    @property
    def largest_block_degree(self) -> int:
        """The block degree of the treebank; 0 if it is empty."""
        return max((degree for degree, _ in self.cells), default=0)

    def add(self, sentence: Sentence, examples: int = 0) -> None:
        """Count one sentence, and its structure if it is complete; keep the first few of each unusual cell."""
        self.annotation.add(sentence)
        if self.tags is not None:
            self.tags.add(sentence)
        if not sentence.annotated:
            return
        block_degree, well_nested, edge_degree, crossed, roots = core.measure(sentence.heads)
        length = len(sentence)
        self.words += length
        self.lengths[length] += 1
        cell = (block_degree, well_nested)
        self.cells[cell] += 1
        self.edge_degrees[edge_degree] += 1
        self.nonprojective_arcs += crossed
        self.several_roots += roots > 1
        if examples and (block_degree > 2 or not well_nested):
            stored = self.examples.setdefault(cell, [])
            if len(stored) < examples:
                stored.append(sentence)

    def merge(self, other: TreebankStats, examples: int = 0) -> None:
        """Add the counts of another treebank."""
        self.annotation.merge(other.annotation)
        if self.tags is not None and other.tags is not None:
            self.tags.merge(other.tags)
        self.words += other.words
        self.nonprojective_arcs += other.nonprojective_arcs
        self.several_roots += other.several_roots
        self.lengths += other.lengths
        self.cells += other.cells
        self.edge_degrees += other.edge_degrees
        for cell, sentences in other.examples.items():
            stored = self.examples.setdefault(cell, [])
            stored.extend(sentences[: examples - len(stored)])

    def covered(self, block_degree: float, well_nested: bool) -> float:
        """Return the percentage of sentences within a block degree and, if required, well-nested."""
        inside = sum(
            count
            for (degree, nested), count in self.cells.items()
            if degree <= block_degree and (nested or not well_nested)
        )
        return _percent(inside, self.sentences)

    def choose(self, coverage: float = PAPER_COVERAGE) -> Choice | None:
        """Apply the paper's rule (section 7.1), made exact.

        The smallest k for which well-nested trees of block degree <= k cover enough; only if no k does, the
        smallest k without well-nestedness. None for an empty treebank.
        """
        for well_nested in (True, False):
            for degree in range(1, self.largest_block_degree + 1):
                covered = self.covered(degree, well_nested)
                if covered >= coverage:
                    return Choice(degree, well_nested, covered)
        return None

    def has_single_roots(self, coverage: float = PAPER_COVERAGE) -> bool:
        """Return whether enough sentences have one root, by the rule of `choose`."""
        return _percent(self.sentences - self.several_roots, self.sentences) >= coverage

    def median_length(self) -> float:
        """Return the median sentence length; the mean of the middle two if their number is even."""
        if not self.sentences:
            return 0.0
        lengths = sorted(self.lengths)
        ends = list(itertools.accumulate(self.lengths[length] for length in lengths))
        middle = ((self.sentences - 1) // 2, self.sentences // 2)
        return sum(lengths[bisect.bisect_right(ends, place)] for place in middle) / 2

    def as_dict(self, coverage: float = PAPER_COVERAGE) -> dict[str, Any]:
        """Return all figures under the keys that docs/reference/json.md documents; percentages from 0 to 100."""
        total = self.sentences
        choice = self.choose(coverage)
        degrees = range(1, max(COVERAGE_DEGREES, choice.block_degree if choice else 0) + 1)
        nonprojective = total - sum(count for (degree, _), count in self.cells.items() if degree == 1)
        gaps: Counter[int] = Counter()
        for (degree, _), count in self.cells.items():
            gaps[degree - 1] += count
        annotated = self.annotation.counts()
        return {
            "name": self.name,
            "sentences": total,
            "words": self.words,
            **({"annotated": annotated.as_dict()} if annotated.partial else {}),
            "length": {
                "mean": self.words / total if total else 0.0,
                "median": self.median_length(),
                "max": max(self.lengths, default=0),
            },
            "nonprojective_sentences": _percent(nonprojective, total),
            "nonprojective_arcs": _percent(self.nonprojective_arcs, self.words),
            "several_roots": _percent(self.several_roots, total),
            "structure": [self._structure_row(degree) for degree in range(1, TABLE_DEGREES + 2)],
            "block_degree": _distribution(gaps, total, shift=1),
            "gap_degree": _distribution(gaps, total),
            "edge_degree": _distribution(self.edge_degrees, total),
            "coverage": [
                {
                    "block_degree": degree,
                    "well_nested": self.covered(degree, True),
                    "any": self.covered(degree, False),
                }
                for degree in degrees
            ],
            "choice": choice and {**vars(choice), "required": coverage},
            **({"tags": self.tags.as_dict()} if self.tags is not None else {}),
        }

    def _structure_row(self, degree: int) -> dict[str, Any]:
        """One row of Table 1; the last one gathers all larger block degrees."""
        last = degree > TABLE_DEGREES
        row: dict[str, Any] = {"block_degree": f">{TABLE_DEGREES}" if last else str(degree)}
        for key, nested in (("well_nested", True), ("ill_nested", False)):
            inside = sum(
                count
                for (cell_degree, cell_nested), count in self.cells.items()
                if cell_nested == nested and (cell_degree >= degree if last else cell_degree == degree)
            )
            row[key] = _percent(inside, self.sentences)
        return row


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0


def _distribution(counts: Counter[int], total: int, shift: int = 0) -> dict[str, Any]:
    """Mean, maximum and percentage of each value."""
    return {
        "mean": sum((value + shift) * count for value, count in counts.items()) / total if total else 0.0,
        "max": max(counts, default=-shift) + shift,
        "percent": {str(value + shift): _percent(counts[value], total) for value in sorted(counts)},
    }


def stats(sentences: Treebank, name: str = "", examples: int = 0, *, tags: bool = False) -> TreebankStats:
    """Describe the structure of a treebank, as `wnparse stats` does.

    Parameters
    ----------
    sentences : iterable of Sentence, conllu.TokenList or Doc of spaCy
        Those without words are ignored. The structure is that of the sentences in which every word has a head.
    name : str
        The name of the treebank.
    examples : int
        Number of sentences to keep of each unusual cell (ill-nested, or block degree 3 and more).
    tags : bool
        Whether to count UPOS tags, features and relations as well, with their most frequent words.

    Returns
    -------
    TreebankStats
        Its `as_dict` has all figures, `covered` the percentage of trees that a constraint allows, and `choose` the
        constraint that covers 99 %.

    Examples
    --------
    >>> from wnparse import Sentence
    >>> stats([Sentence.from_words(["What", "is", "it"], heads=[2, 0, 1])]).choose()
    Choice(block_degree=2, well_nested=True, coverage=100.0)
    """
    treebank = TreebankStats(name, tags=TagStats() if tags else None)
    for sentence in as_sentences(sentences):
        if len(sentence):
            treebank.add(sentence, examples)
    return treebank
