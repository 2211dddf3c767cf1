"""What is told at the end of a run over a corpus: counts, warnings and reports, in the order of the inputs.

Tasks tell of lines within their pieces; here they become lines of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wnparse.cluster.records import Records
from wnparse.cluster.worker import REPORT
from wnparse.errors import TreebankError
from wnparse.parser.summary import Counts, Place

_NUMBER = re.compile(rb'^\{"sentence": (\d+)', re.MULTILINE)


class Loss(NamedTuple):
    """What a sentence gave up."""

    place: Place
    text: str


class CorpusSummary:
    """All that finished tasks told.

    Attributes
    ----------
    counts : Counts
        Of all sentences.
    losses : list of Loss
        The sentences that gave something up.
    skipped : int
        How many bad sentences were left out; `first_skipped` is what is wrong with the first.
    empty : list of str
        The inputs that lack columns, in a line each.
    """

    def __init__(self, records: Records) -> None:
        self.counts = Counts()
        self.losses: list[Loss] = []
        self.skipped = 0
        self.first_skipped: TreebankError | None = None
        self.empty: list[str] = []
        for name, _, told, lines in _pieces(records):
            self.counts.add(Counts.from_json(told["counts"], name, lines))
            self.losses += [Loss(Place(name, line + lines), text) for line, text in told["warnings"]]
            self.skipped += told["skipped"]
            if told["first_skipped"] and self.first_skipped is None:
                message, line = told["first_skipped"]
                self.first_skipped = TreebankError(message, name, line and line + lines)
            if told["empty"]:
                self.empty.append(f"{name}: {told['empty']}")


def _pieces(records: Records) -> Iterator[tuple[str, Path, dict[str, Any], int]]:
    """The name of the file, the part, what was told and the lines before it, for each piece that is done."""
    for source, each in enumerate(records.inputs):
        lines = 0
        for task, place in records.pieces(source):
            if task in records.done:
                told = records.done[task]["pieces"][place]
                yield each.name, records.part(records.cut.tasks[task][place]), told, lines
                lines += told["lines"]


def join_reports(records: Records) -> Iterator[bytes]:
    """The report of all sentences, numbered through, as on one machine; FileNotFoundError if parts are gone."""
    before = 0
    for _, part, told, _ in _pieces(records):

        def number(found: re.Match[bytes], before: int = before) -> bytes:
            return b'{"sentence": %d' % (int(found[1]) + before)

        yield _NUMBER.sub(number, Path(f"{part}{REPORT}").read_bytes())
        before += told["counts"]["sentences"]
