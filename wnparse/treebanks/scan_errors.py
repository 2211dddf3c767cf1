"""Messages of one line for what is wrong with a sentence, and what is expected instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wnparse._core import conllu as core
from wnparse.storage.files import BOM

HEAD_COLUMN = 6
MOST_SHOWN = 10  # words of a cycle
# Flaws of the tree only: the forms and tags of such a sentence can be read.
TREE_FLAWS = frozenset(
    {core.Flaw.HEAD_TEXT, core.Flaw.HEAD_OUTSIDE, core.Flaw.SELF_LOOP, core.Flaw.NO_ROOT, core.Flaw.CYCLE}
)


def quote(text: bytes) -> str:
    """Return a text in quotes, shortened."""
    shown = text.decode("utf-8", "backslashreplace")
    return "'" + (shown if len(shown) <= 40 else shown[:37] + "...") + "'"


def describe_scan_error(flaw: int, detail: int, raw: bytes, line: int) -> str:
    """Describe a flaw that the scanner found on a line, and what is expected instead."""
    columns = raw.split(b"\n", line + 1)[line].rstrip(b"\r").removeprefix(BOM).split(b"\t")
    ident = quote(columns[0])
    head = quote(columns[HEAD_COLUMN]) if len(columns) > HEAD_COLUMN else ""
    messages: dict[int, Callable[[], str]] = {
        core.Flaw.COLUMN_COUNT: lambda: f"{detail} columns; expected 10, separated by tabs",
        core.Flaw.SPACES: lambda: "columns are separated by spaces; expected 10 columns separated by tabs",
        core.Flaw.BLANKS: lambda: "a line of white space only; expected an empty line after each sentence",
        core.Flaw.WORD_ID: lambda: (
            f"id {ident} at the place of word {detail}; expected {detail}, "
            f"a range such as {detail}-{detail + 1}, or an empty node such as {detail - 1}.1"
        ),
        core.Flaw.RANGE_ID: lambda: (
            f"multiword token {ident} before word {detail}; expected {detail}-j with j >= {detail}"
        ),
        core.Flaw.RANGE_END: lambda: (
            f"multiword token {ident} ends after the last word; expected a range within the sentence"
        ),
        core.Flaw.RANGE_OVERLAP: lambda: (
            f"multiword token {ident} overlaps the previous one; expected it to begin after word {detail}"
        ),
        core.Flaw.EMPTY_NODE_ID: lambda: (
            f"empty node {ident} after word {detail}; expected {detail}.1, {detail}.2 and so on"
        ),
        core.Flaw.HEAD_TEXT: lambda: f"head {head} is not a word id; expected 0, the id of another word, or _",
        core.Flaw.HEAD_OUTSIDE: lambda: f"head {detail} does not exist; expected 0 to {len(_heads(raw))}",
        core.Flaw.SELF_LOOP: lambda: f"word {ident} is its own head; expected 0 or the id of another word",
        core.Flaw.NO_ROOT: lambda: (
            f"no word has head 0, and the heads form a cycle: {_show_cycle(raw, 1)}; expected at least one root"
        ),
        core.Flaw.CYCLE: lambda: (
            f"the heads form a cycle: {_show_cycle(raw, detail)}; expected a tree whose root has head 0"
        ),
        core.Flaw.NO_WORDS: lambda: "only multiword tokens or empty nodes; expected at least one word with id 1",
    }
    return messages[flaw]()


def _heads(raw: bytes) -> dict[int, bytes]:
    """Return the column HEAD of each word."""
    rows = (row.split(b"\t") for row in raw.removeprefix(BOM).split(b"\n"))
    return {int(row[0]): row[HEAD_COLUMN] for row in rows if row[0].isdigit()}


def _show_cycle(raw: bytes, word: int) -> str:
    """Return the cycle of heads that a word leads to, such as ``2 → 5 → 3 → 2``; long ones are shortened."""
    heads = _heads(raw)
    steps: dict[int, int] = {}
    while word not in steps:
        steps[word] = len(steps)
        word = int(heads[word])
    cycle = list(steps)[steps[word] :]
    shown = [str(member) for member in cycle[:MOST_SHOWN]] + ["..."] * (len(cycle) > MOST_SHOWN)
    return " → ".join([*shown, str(word)])


def check_relations(relations: Sequence[str]) -> None:
    """Raise ValueError if the relation of a word cannot be written: it is empty, or has a tab or newline."""
    for word, relation in enumerate(relations[1:], 1):
        if relation == "" or "\t" in relation or "\n" in relation:
            raise ValueError(
                f"the relation of word {word} is {relation!r:.60}; expected a name such as 'obj', or '_'"
            )
