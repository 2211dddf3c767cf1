"""The results of a finished run over a corpus: counts, warnings and reports, in the order of the inputs.

The results of pieces have lines within these pieces; here they become lines of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wnparse.cluster.records import PieceResult, Records
from wnparse.cluster.worker import REPORT
from wnparse.errors import TreebankError
from wnparse.parser.summary import Counts, Place

_NUMBER = re.compile(rb'^\{"sentence": (\d+)', re.MULTILINE)


class Loss(NamedTuple):
    """What a sentence relaxed."""

    place: Place
    text: str


class CorpusSummary:
    """The results of all pieces together.

    Attributes
    ----------
    counts : Counts
        Of all sentences.
    losses : list of Loss
        The sentences that relaxed something.
    skipped : int
        How many bad sentences were left out; `first_skipped` says what is wrong with the first.
    empty : list of str
        The inputs that lack columns, in a line each.
    """

    def __init__(self, records: Records) -> None:
        self.counts = Counts()
        self.losses: list[Loss] = []
        self.skipped = 0
        self.first_skipped: TreebankError | None = None
        self.empty: list[str] = []
        for name, _, result, lines in _results(records):
            self.counts.add(result.counts.within(name, lines))
            self.losses += [Loss(Place(name, line + lines), text) for line, text in result.warnings]
            self.skipped += result.skipped
            if result.first_skipped and self.first_skipped is None:
                message, line = result.first_skipped
                self.first_skipped = TreebankError(message, name, line and line + lines)
            if result.empty:
                self.empty.append(f"{name}: {result.empty}")


def _results(records: Records) -> Iterator[tuple[str, Path, PieceResult, int]]:
    """Yield the name of the file, the part, the result and the lines before it, for each piece."""
    for source, pieces in zip(records.inputs, records.pieces, strict=True):
        lines = 0
        for piece in pieces:
            yield source.name, records.part(piece), records.results[piece], lines
            lines += records.results[piece].lines


def join_reports(records: Records) -> Iterator[bytes]:
    """Yield the report of all sentences, numbered as on one machine; FileNotFoundError if parts are gone."""
    before = 0
    for _, part, result, _ in _results(records):

        def number(match: re.Match[bytes], before: int = before) -> bytes:
            return b'{"sentence": %d' % (int(match[1]) + before)

        yield _NUMBER.sub(number, Path(f"{part}{REPORT}").read_bytes())
        before += result.counts.sentences
