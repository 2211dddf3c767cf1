"""What is wrong with a sentence, in one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wnparse._core import conllu as core
from wnparse.storage.files import BOM

HEAD_COLUMN = 6
# What concerns the tree alone: forms and tags of such a sentence can be read.
TREE_FLAWS = frozenset(
    {core.Flaw.HEAD_TEXT, core.Flaw.HEAD_OUTSIDE, core.Flaw.SELF_LOOP, core.Flaw.NO_ROOT, core.Flaw.CYCLE}
)


def quote(text: bytes) -> str:
    """Return a text in quotes, shortened."""
    shown = text.decode("utf-8", "backslashreplace")
    return "'" + (shown if len(shown) <= 40 else shown[:37] + "...") + "'"


def describe(flaw: int, detail: int, raw: bytes, line: int) -> str:
    """Say in English what the scanner found on a line, and what would be right."""
    columns = raw.split(b"\n", line + 1)[line].rstrip(b"\r").removeprefix(BOM).split(b"\t")
    ident = quote(columns[0])
    head = quote(columns[HEAD_COLUMN]) if len(columns) > HEAD_COLUMN else ""
    messages: dict[int, Callable[[], str]] = {
        core.Flaw.COLUMN_COUNT: lambda: f"{detail} columns; expected 10, separated by tabs",
        core.Flaw.SPACES: lambda: "columns are separated by spaces; expected 10 columns separated by tabs",
        core.Flaw.BLANKS: lambda: "a line of white space only; a sentence ends with an empty line",
        core.Flaw.WORD_ID: lambda: (
            f"id {ident} where word {detail} should follow; expected {detail}, "
            f"a range such as {detail}-{detail + 1}, or an empty node such as {detail - 1}.1"
        ),
        core.Flaw.RANGE_ID: lambda: (
            f"multiword token {ident} before word {detail}; expected {detail}-j with j >= {detail}"
        ),
        core.Flaw.RANGE_END: lambda: (
            f"multiword token {ident} ends behind the last word; expected a range within the sentence"
        ),
        core.Flaw.RANGE_OVERLAP: lambda: (
            f"multiword token {ident} overlaps the one before; expected it to begin after word {detail}"
        ),
        core.Flaw.EMPTY_NODE_ID: lambda: (
            f"empty node {ident} after word {detail}; expected {detail}.1, {detail}.2 and so on"
        ),
        core.Flaw.HEAD_TEXT: lambda: f"head {head} is no word id; expected 0, the id of another word, or _",
        core.Flaw.HEAD_OUTSIDE: lambda: f"head {detail} outside 0..{_count_words(raw)}",
        core.Flaw.SELF_LOOP: lambda: f"word {ident} is its own head; expected 0 or the id of another word",
        core.Flaw.NO_ROOT: lambda: "no word has head 0; expected at least one root",
        core.Flaw.CYCLE: lambda: (
            f"word {detail} is on a cycle of heads; expected a tree in which every word leads to 0"
        ),
        core.Flaw.NO_WORDS: lambda: "only multiword tokens or empty nodes; expected at least one word with id 1",
    }
    return messages[flaw]()


def _count_words(raw: bytes) -> int:
    return sum(row.split(b"\t", 1)[0].isdigit() for row in raw.split(b"\n"))


def check_relations(relations: Sequence[str]) -> None:
    """Raise ValueError if the relation of a word cannot be written: it is empty, or has a tab or newline."""
    for word, relation in enumerate(relations[1:], 1):
        if relation == "" or "\t" in relation or "\n" in relation:
            raise ValueError(
                f"the relation of word {word} is {relation!r:.60}; expected a name such as 'obj', or '_'"
            )
