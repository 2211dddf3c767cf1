"""Output of parses in CoNLL-U: a probability in MISC, rank and score as comments.

MISC is a list of ``Name=Value`` between bars, and comments are ``# name = value``
(https://universaldependencies.org/format.html). All trees of a sentence stay readable one by one: sent_id is
unique, and the comments that begin a document or paragraph are written before the first tree only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from wnparse._core import conllu as core
from wnparse.storage.files import BOM
from wnparse.treebanks.annotations import with_comments, with_confidence
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.sentence import Sentence

RANKING = (b"rank", b"score", b"upper_bound", b"broken", b"complete")
BEGINNINGS = (b"newdoc", b"newpar", b"global.columns")
_EMPTY_NODE = re.compile(rb"^(\xef\xbb\xbf)?\d+\.\d+\t.*(?:\n|\Z)", re.MULTILINE)
_DEPS = re.compile(rb"^((?:\xef\xbb\xbf)?\d[^\t\n]*\t(?:[^\t\n]*\t){7})[^\t\n]+", re.MULTILINE)


def mark(
    sentence: Sentence, parses: Sequence[Parse], *, ranked: bool, confidence: bool, blank_below: float | None
) -> tuple[bytes, ...]:
    """Return the sentence with the heads and labels of each of its parses.

    Without labels DEPREL becomes ``_``, because old relations do not fit new heads. With `confidence`, MISC gets
    the probabilities of heads; `ranked` adds comments with rank and score. Heads that are less probable than
    `blank_below` are left out.
    """
    given = sentence.column("misc") if confidence else []
    raws = []
    for rank, parse in enumerate(parses, 1):
        miscs = None
        if confidence and parse.head_probabilities is not None:
            miscs = ["_", *map(with_confidence, given, parse.head_probabilities[1:].tolist())]
        labels = ["_"] * len(parse.heads) if parse.labels is None else parse.labels
        heads = parse.heads
        if blank_below is not None and parse.head_probabilities is not None:
            blank = parse.head_probabilities < blank_below
            heads = np.where(blank, -1, heads).astype(np.int32)
            labels = ["_" if is_blank else label for is_blank, label in zip(blank, labels, strict=True)]
        raw = core.splice(sentence.raw, sentence.fields, heads, labels, miscs)
        raws.append(with_rank(raw, rank, parse) if ranked else raw)
    return tuple(raws)


def with_rank(raw: bytes, rank: int, parse: Parse) -> bytes:
    """Return a sentence with its rank as comments before the first word, and an empty line at the end.

    The upper bound of the score of this rank is written if it is known and the tree is not proved to have the
    rank. Two more comments state how often the tree breaks hard rules, and that a limit shortened the list.
    """
    text = raw.removeprefix(BOM) if rank == 1 else raw.removeprefix(BOM).lstrip(b"\r\n")
    marks = [b"# rank = %d" % rank, b"# score = %s" % repr(parse.score).encode()]
    if not parse.certified and math.isfinite(parse.upper_bound):
        marks.append(b"# upper_bound = %s" % repr(parse.upper_bound).encode())
    if parse.broken:
        marks.append(b"# broken = %d" % parse.broken)
    if not parse.complete:
        marks.append(b"# complete = no")
    marked = with_comments(text, marks, lambda lines: _comments(lines, rank))
    return (BOM if rank == 1 and raw.startswith(BOM) else b"") + marked


def _comments(lines: Iterable[bytes], rank: int) -> Iterator[bytes]:
    """Return the comments for a tree of some rank: without those of an older ranking, and with a unique id."""
    for line in lines:
        name, equals, _ = line.removeprefix(b"#").partition(b"=")
        name = name.strip()
        if (equals and name in RANKING) or (rank > 1 and name.split(b" ")[0] in BEGINNINGS):
            continue
        text = line.rstrip()
        yield text + b"-rank%d" % rank + line[len(text) :] if rank > 1 and equals and name == b"sent_id" else line


def drop_deps(raw: bytes) -> bytes:
    """Clear DEPS, and remove empty nodes, which nothing else refers to."""
    return _DEPS.sub(rb"\g<1>_", _EMPTY_NODE.sub(rb"\1", raw))
