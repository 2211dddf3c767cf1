"""Inputs as blocks of whole sentences, cut at blank lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, TextIO

from wnparse.errors import TreebankError
from wnparse.storage.files import pieces

# Offsets are int32; far below that, a missing blank line is the likelier story.
LONGEST_SENTENCE = 1 << 28


def read_blocks(source: str | BinaryIO | TextIO, name: str) -> Iterator[tuple[bytes, bool]]:
    """Yield stretches of whole sentences, then the rest with True; nothing (``b""``) before what may take time."""
    held: list[bytes] = []
    size = 0
    edge = b""  # the last bytes seen: a blank line may straddle two pieces
    for piece in pieces(source, name):
        if not piece:
            yield b"", False
            continue
        window = edge + piece
        edge = window[-2:]
        held.append(piece)
        size += len(piece)
        if b"\n\n" in window or b"\n\r\n" in window:
            data = b"".join(held)
            cut = max(data.rfind(b"\n\n") + 2, data.rfind(b"\n\r\n") + 3)
            yield data[:cut], False
            held, size = [data[cut:]], len(data) - cut
        elif size > LONGEST_SENTENCE:
            raise TreebankError(
                f"a sentence of more than {LONGEST_SENTENCE >> 20} MiB; expected a blank line after each", name
            )
    yield b"".join(held), True


def refuse_foreign(start: bytes, name: str) -> None:
    """Raise TreebankError for files that are UTF-16, or compressed without a name that says so."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TreebankError("the file is UTF-16 (offset 0); expected UTF-8: convert it with iconv", name, 1)
    if start.startswith((b"\x1f\x8b", b"\xfd7zXZ")):
        raise TreebankError("compressed data; expected text, or a name that ends in .gz or .xz", name, 1)
