"""Random damage to CoNLL-U files, lists of words and rule files; campaigns and tests share it.

A mutator takes a random generator and the bytes of a file, and returns other bytes. The same generator makes the
same bytes again.
"""

from __future__ import annotations

import gzip
import lzma
import random
import re
from collections.abc import Callable, Sequence

from campaigns.odd_values import (
    BAD_BYTES,
    BOMS,
    CODE_POINTS,
    FIELDS,
    IDENTIFIERS,
    LINE_ENDS,
    NUMBERS,
    PATTERNS,
    TOML_KEYS,
    TOML_VALUES,
)

Mutator = Callable[[random.Random, bytes], bytes]


def change_bytes(rng: random.Random, data: bytes) -> bytes:
    """Flip, delete, insert or repeat bytes, or cut the file short."""
    at = rng.randrange(len(data) + 1)
    size = rng.choice([1, 1, 1, 2, 5, 50])
    kind = rng.randrange(7)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + size :]
    if kind == 3:
        return data[:at] + rng.randbytes(size) + data[at:]
    if kind == 4:
        return data[:at] + data[at : at + size] * rng.choice([2, 3, 50]) + data[at + size :]
    if kind == 5:
        return data[:at]
    return data[:at] + rng.choice([b"\t", b"\n", b" ", b"_", b"#", b"\r", b"-", b"."]) + data[at:]


def change_lines(rng: random.Random, data: bytes) -> bytes:
    """Drop, repeat, swap, move, join, split or blank lines."""
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(9)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines.insert(other, lines.pop(at))
    elif kind == 4:
        lines[at : at + 2] = [b"".join(lines[at : at + 2])]
    elif kind == 5:
        middle = rng.randrange(len(lines[at]) + 1)
        lines[at : at + 1] = [lines[at][:middle], lines[at][middle:]]
    elif kind == 6:
        lines[at] = rng.choice(
            [b"", b" ", b"\t", b"\r", b"\t" * 9, "\u00a0".encode(), b"#", b"# ", b"#c", b"# c = "]
        )
    elif kind == 7:
        lines[at:at] = [lines[at]] * rng.choice([2, 10, 200])
    else:
        lines[at:at] = [rng.choice([b"", b" ", b"# comment", b"# sent_id = x", b"# text = y", b"# newdoc"])]
    return b"\n".join(lines)


def change_fields(rng: random.Random, data: bytes) -> bytes:
    """Blank, swap, add or remove columns of a line, or give them odd values."""
    lines = data.split(b"\n")
    rows = [number for number, line in enumerate(lines) if b"\t" in line]
    if not rows:
        return change_lines(rng, data)
    at = rng.choice(rows)
    columns = lines[at].split(b"\t")
    first, second = rng.randrange(len(columns)), rng.randrange(len(columns))
    kind = rng.randrange(8)
    if kind == 0:
        columns[first], columns[second] = columns[second], columns[first]
    elif kind == 1:
        columns.insert(first, columns[second])
    elif kind == 2:
        del columns[first]
    elif kind == 3:
        lines[at] = lines[at].replace(b"\t", rng.choice([b" ", b"  ", b"\t\t", b"\\t", b""]), rng.choice([1, -1]))
        return b"\n".join(lines)
    elif kind == 4:
        columns[0] = rng.choice(IDENTIFIERS + NUMBERS).encode()
    elif kind == 5 and len(columns) > 6:
        columns[6] = rng.choice([*NUMBERS, str(rng.randrange(30))]).encode()
    elif kind == 6:
        columns[first] = rng.choice(FIELDS + NUMBERS).encode()
    else:
        columns[first] = rng.choice(["", "_"]).encode()
    lines[at] = b"\t".join(columns)
    return b"\n".join(lines)


def change_heads(rng: random.Random, data: bytes) -> bytes:
    """Set heads of one sentence to random words: cycles, several roots, none, gaps."""
    blocks = data.split(b"\n\n")
    at = rng.randrange(len(blocks))
    lines = blocks[at].split(b"\n")
    words = sum(line[:1].isdigit() for line in lines)
    share = rng.choice([0.1, 0.5, 1.0])
    for number, line in enumerate(lines):
        columns = line.split(b"\t")
        if len(columns) == 10 and rng.random() < share:
            columns[6] = rng.choice([b"_", b"0", b"%d" % rng.randint(0, words + 1)])
            lines[number] = b"\t".join(columns)
    blocks[at] = b"\n".join(lines)
    return b"\n\n".join(blocks)


def change_encoding(rng: random.Random, data: bytes) -> bytes:
    """Use another encoding or other line ends, or insert bytes and characters that are trouble."""
    at = rng.randrange(len(data) + 1)
    text = data.decode("utf-8", "replace")
    kind = rng.randrange(8)
    if kind == 0:
        return text.encode(rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"]))
    if kind == 1:
        return text.encode(rng.choice(["latin-1", "cp1252", "ascii"]), "replace") + rng.choice([b"", b"\xe9\n"])
    if kind == 2:
        return rng.choice(BOMS) * rng.choice([1, 1, 2]) + data
    if kind == 3:
        return data[:at] + rng.choice(BOMS + BAD_BYTES) + data[at:]
    if kind == 4:
        return data[:at] + rng.choice(CODE_POINTS).encode() + data[at:]
    if kind == 5:
        return data.replace(b"\n", rng.choice(LINE_ENDS), rng.choice([-1, 1, 3]))
    if kind == 6:
        return rng.choice(LINE_ENDS).join(data.rsplit(b"\n", rng.choice([1, 2, 5])))
    return data.replace(b"a", rng.choice(CODE_POINTS).encode(), rng.choice([1, 5]))


def lengthen(rng: random.Random, data: bytes) -> bytes:
    """Make a line, a field, a sentence or the number of columns very long."""
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(5)
    size = rng.choice([100, 1000, 10_000, 10_000, 300_000])
    if kind == 0:
        return (
            data[:at]
            + rng.choice([b"a", "é".encode(), b"|A=B", b" ", b"9", b"-", b"(", b"[", b"{"]) * size
            + data[at:]
        )
    if kind == 1:
        return data[:at] + b"\t_" * min(size, 10_000) + data[at:]
    if kind == 2:
        rows = [b"%d\tw\t_\tX\t_\t_\t%d\tdep\t_\t_\n" % (word, word - 1) for word in range(1, min(size, 3000) + 1)]
        return data[:at] + b"\n\n" + b"".join(rows) + b"\n" + data[at:]
    if kind == 3:
        return b"\n" * min(size, 10_000) + data
    return data[:at] + b"\n# " + b"c" * size + b"\n" + data[at:]


def change_toml(rng: random.Random, data: bytes) -> bytes:
    """Change, drop, repeat or exchange tokens of a rule file, or values of its keys."""
    text = data.decode("utf-8", "surrogateescape")
    tokens = re.findall(r'"[^"\n]*"|[\w-]+|\s+|.', text)
    if not tokens:
        return data
    at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    kind = rng.randrange(8)
    if kind == 0:
        tokens[at] = ""
    elif kind == 1:
        tokens[at] *= 2
    elif kind == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 3:
        tokens[at] = rng.choice(TOML_VALUES)
    elif kind == 4:
        tokens[at] = tokens[other]
    else:
        wanted = {5: r"^[a-z-]+$", 6: r'^"', 7: r'^("|\d|true$)'}[kind]
        places = [number for number, token in enumerate(tokens) if re.match(wanted, token)]
        if places:
            chosen = {5: TOML_KEYS, 6: [f"'{pattern}'" for pattern in PATTERNS], 7: TOML_VALUES}[kind]
            tokens[rng.choice(places)] = rng.choice(chosen)
    return "".join(tokens).encode("utf-8", "surrogateescape")


def nest_toml(rng: random.Random, data: bytes) -> bytes:
    """Add deep nesting, many rules, many alternatives, or a key with a pattern or number."""
    depth = rng.choice([2, 5, 30, 100, 240, 1000, 5000])
    kind = rng.randrange(8)
    rule = b'\n[[rule]]\nname = "n%d"\nreason = "r"\n' % rng.randrange(10**6)
    if kind == 0:
        return data + rule + b"forbid = " + b"{ any = [" * depth + b'{ upos = "X" }' + b"] }" * depth + b"\n"
    if kind == 1:
        return data + rule + b"forbid = " + b"[" * depth + b"]" * depth + b"\n"
    if kind == 2:
        return data + rule + b".".join([b"a"] * depth) + b" = 1\n"
    if kind == 3:
        pair = b'any = [{ upos = "A" }, { upos = "B" }]'
        return data + rule + b"forbid = { any = [{ " + pair + b" }, { " + pair + b" }] }\n" * min(depth, 3)
    if kind == 4:
        return data + b"".join(
            b'\n[[rule]]\nname = "m%d"\nreason = "r"\nforbid = { relation = "x%d" }\n' % (number, number)
            for number in range(min(depth, 1100))
        )
    if kind == 5:
        pattern = rng.choice(PATTERNS)
        return data + rule + f"forbid = {{ form-matches = '{pattern}' }}\n".encode()
    if kind == 6:
        return data + rule + f'forbid = {{ relation = "x" }}\npenalty = {rng.choice(TOML_VALUES)}\n'.encode()
    listed = ", ".join(f'"w{number}"' for number in range(depth))
    return data + rule + f"forbid = {{ form = [{listed}] }}\n".encode()


def compress(rng: random.Random, data: bytes, suffix: str) -> bytes:
    """Compress a file, and often truncate or damage it."""
    packed = gzip.compress(data, mtime=0) if suffix == ".gz" else lzma.compress(data)
    at = rng.randrange(len(packed))
    kind = rng.randrange(7)
    if kind == 0:
        return packed[:at]
    if kind == 1:
        return packed[:at] + bytes([packed[at] ^ 1 << rng.randrange(8)]) + packed[at + 1 :]
    if kind == 2:
        return packed + rng.choice([b"x", b"\0" * 100, packed, packed[:at]])
    if kind == 3:
        return data
    if kind == 4:
        return packed[: rng.randrange(20)]
    return packed


CONLLU: Sequence[Mutator] = (
    *([change_bytes] * 4 + [change_lines] * 4 + [change_fields] * 6 + [change_heads] * 4 + [change_encoding] * 3),
    lengthen,
)
WORDS: Sequence[Mutator] = (*([change_bytes] * 4 + [change_lines] * 6 + [change_encoding] * 4), lengthen)
RULES: Sequence[Mutator] = (
    *([change_toml] * 10 + [nest_toml] * 2 + [change_bytes] * 3 + [change_lines] * 3 + [change_encoding]),
    lengthen,
)


def mutate(rng: random.Random, data: bytes, mutators: Sequence[Mutator]) -> bytes:
    """Apply one to four random mutators."""
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])):
        data = rng.choice(mutators)(rng, data) or b"\n"
    return data


def cut_sentences(rng: random.Random, data: bytes, most: int) -> bytes:
    """Return some neighbouring sentences of a file, at most so many bytes, the last one whole or not."""
    start = data.find(b"\n\n", rng.randrange(len(data)))
    start = 0 if start < 0 or start + 2 >= len(data) else start + 2
    piece = data[start : start + rng.randrange(most // 10, most)]
    end = piece.rfind(b"\n\n")
    return piece[: end + 2] if end >= 0 and rng.random() < 0.8 else piece
