"""A tokenizer: from text to sentences, tokens and words.

Every character that is not whitespace belongs to one token. Whitespace always ends a token. The core
(cext/tokenizer) splits a paragraph per call, without the interpreter lock.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from wnparse._core import tokenizer as core
from wnparse.storage.strict_json import Reader, check_depth, partial_table, table, texts
from wnparse.storage.tensors import Arrays, take
from wnparse.tokenizer.split_scripts import Casing, SplitScript, parse_script

PREFIX = "tokenizer/"  # of its arrays in a model file
# Its arrays, all of one dimension. `wnparse._core.tokenizer` checks what they must hold; with S scripts, of which
# 0 is that of tokens of one word, and tables of 2^b slots:
ARRAYS: dict[str, Any] = {
    # Weights of token ends, of sentence ends, of scripts: cext/scorer/weights/frozen_weights.hpp.
    "breaks/slots": np.uint32,
    "sentences/slots": np.uint32,
    "multiwords/slots": np.uint32,
    # Bits: between which kinds of characters a token may end, between which classes of tokens a sentence.
    "break_pairs": np.uint32,  # [32]
    "sentence_pairs": np.uint32,  # [64]: without, and with a space
    # Look-up tables, [2^b] each: cext/tagger/lookup_table.hpp. A number that names nothing counts as none.
    "words/keys": np.uint64,  # hashes of lower-cased forms that were seen several times
    "words/status": np.int32,  # how they were written, and whether they begin sentences; only a feature
    "script_words/keys": np.uint64,  # hashes of lower-cased forms
    "script_words/script_lists": np.int32,  # the list of scripts that a form may have
    "affixes/keys": np.uint64,  # hashes of what scripts remove at front and back
    "affixes/script_lists": np.int32,  # the list of scripts that remove it
    "script_lists/begin": np.int32,  # rises from 0; numbers rise within a list
    "script_lists/scripts": np.int32,  # 0..S - 1
    "affix_lengths": np.int32,  # pairs: characters at front and back that the scripts of unknown words remove
    "script_affixes": np.int32,  # [2 * S]: the same for each script
}


class Token(NamedTuple):
    """A token: offsets in code points of the text, and the words of a multiword token."""

    begin: int
    end: int
    words: tuple[str, ...] | None


@dataclass(frozen=True, eq=False, repr=False)
class Tokenizer:
    """A trained tokenizer.

    Attributes
    ----------
    arrays : dict
        Tables of weights, of words and of scripts: see `ARRAYS`.
    scripts : list of str
        Scripts of multiword tokens (`wnparse.tokenizer.split_scripts`); script 0 is not among them.
    casing : Casing
        How words are written that a multiword token does not have.
    info : dict
        Training options and figures.
    """

    arrays: Arrays
    scripts: list[str]
    casing: Casing
    info: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def core(self) -> core.Tokenizer:
        """The compiled tokenizer; threads may share it."""
        return core.Tokenizer(self.arrays, len(self.scripts) + 1)

    @functools.cached_property
    def _parsed(self) -> list[SplitScript]:
        return [parse_script(text) for text in self.scripts]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("arrays", "scripts", "casing", "info")}

    @property
    def size(self) -> int:
        """Bytes of its tables."""
        return sum(int(table.nbytes) for table in self.arrays.values())

    def split(self, text: str) -> list[list[Token]]:
        """Split one paragraph (no blank line in it) into sentences of tokens.

        Whitespace between tokens is in no token.
        """
        begins, ends, scripts, last = self.core.split(text)
        tokens = self._tokens(text, begins.tolist(), ends.tolist(), scripts)
        bounds = [0, *(np.flatnonzero(last) + 1).tolist()]
        return [tokens[first:end] for first, end in itertools.pairwise(bounds)]

    def split_sentence(self, text: str) -> list[Token]:
        """Split the text of one sentence into tokens."""
        begins, ends, scripts, _ = self.core.split(text, one_sentence=True)
        return self._tokens(text, begins.tolist(), ends.tolist(), scripts)

    def _tokens(self, text: str, begins: list[int], ends: list[int], scripts: Any) -> list[Token]:
        tokens = list(map(Token._make, zip(begins, ends, [None] * len(begins), strict=True)))
        for k in np.flatnonzero(scripts).tolist():
            form = text[begins[k] : ends[k]]
            words = self._parsed[scripts[k] - 1].apply(form, self.casing)
            tokens[k] = Token(begins[k], ends[k], words)
        return tokens

    def figures(self) -> dict[str, Any]:
        """Return the sizes of its inventories, with training options and figures."""
        facts: dict[str, Any] = {
            "known_words": int(np.count_nonzero(self.arrays["words/keys"])),
            "scripts": len(self.scripts),
            "bytes": self.size,
        }
        return {**facts, **self.info, **facts}  # a forged file may have anything in its info

    def header(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {"scripts": self.scripts, "casing": asdict(self.casing), "info": self.info}

    @staticmethod
    def read_header(value: Any) -> dict[str, Any]:
        """Check and read its entry in the header of a model file."""
        header = table(**HEADER)(value)
        check_depth(header["info"])
        return header

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: self.arrays[name] for name in ARRAYS}

    @classmethod
    def of(cls, arrays: Arrays, header: dict[str, Any]) -> Tokenizer:
        """Make the tokenizer of a model file; ValueError if arrays and header do not fit together."""
        tokenizer = cls(arrays=take(arrays, PREFIX, ARRAYS), **header)
        tokenizer.core  # noqa: B018 -- the core checks the arrays when it is given them
        return tokenizer


def _scripts(value: Any) -> list[str]:
    scripts = texts(value)
    for text in scripts:
        parse_script(text)
    return scripts


# The keys of its header, each with what reads it.
HEADER: dict[str, Reader] = {"scripts": _scripts, "casing": Casing.read, "info": partial_table()}
