from enum import IntEnum

import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]

class Flaw(IntEnum):
    NONE = 0
    COLUMN_COUNT = 1
    SPACES = 2
    BLANKS = 3
    WORD_ID = 4
    RANGE_ID = 5
    RANGE_END = 6
    EMPTY_NODE_ID = 7
    HEAD_TEXT = 8
    HEAD_OUTSIDE = 9
    SELF_LOOP = 10
    NO_ROOT = 11
    CYCLE = 12
    NO_WORDS = 13
    RANGE_OVERLAP = 14

class Trees(IntEnum):
    IGNORED = 0
    WHOLE = 1
    COMPLETABLE = 2

def scan(
    block: bytes, skip: int, last: bool, trees: Trees
) -> list[tuple[int, int, int, Int32Array | None, Int32Array | None, int, int, int, int]]: ...
def column(raw: bytes, fields: Int32Array, c: int) -> list[str]: ...
def splice(
    raw: bytes,
    fields: Int32Array,
    heads: Int32Array,
    deprels: list[str] | None,
    miscs: list[str] | None = None,
) -> bytes: ...
def replace_misc(raw: bytes, fields: Int32Array, miscs: list[str]) -> bytes: ...
