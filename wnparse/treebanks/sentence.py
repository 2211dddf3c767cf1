"""Sentences of CoNLL-U (and CoNLL-X) without loss.

A sentence stores its bytes; a table of offsets, filled by the compiled scanner, locates the columns of each word.
So ``write(read(x)) == x`` byte for byte, and columns that are not used are never decoded. A block without words
(comments alone, or extra blank lines) is a sentence of length 0, so that it is not lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from wnparse._core import conllu as core
from wnparse.errors import TreebankError
from wnparse.storage.files import BOM
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.scan_errors import check_relations, describe_scan_error
from wnparse.treebanks.spacy_docs import make_doc, read_words, words_of
from wnparse.treebanks.words import Cells, write_words
from wnparse.treebanks.words import Heads as WordHeads

if TYPE_CHECKING:
    import conllu
    import pandas
    from spacy.tokens import Doc, Span
    from spacy.vocab import Vocab

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

Heads = Literal["required", "optional", "given", "ignored"]
_TREES: dict[Heads, core.Trees] = {
    "required": core.Trees.WHOLE,
    "optional": core.Trees.WHOLE,
    "given": core.Trees.COMPLETABLE,
    "ignored": core.Trees.IGNORED,
}
Int32Array = npt.NDArray[np.int32]


class MultiwordToken(NamedTuple):
    """Some words that are written as one."""

    first: int  # word
    last: int
    form: str
    misc: str = "_"


_MULTIWORD_LINE = re.compile(rb"\n(\d+)-(\d+)\t([^\r\n]*)")


class Word(NamedTuple):
    """A word of a sentence, with its columns as CoNLL-U has them; an empty one is ``_``.

    Attributes
    ----------
    id : int
        Its number in the sentence, from 1.
    form : str
        The word itself.
    lemma : str
        Its lemma.
    upos : str
        Its universal tag.
    xpos : str
        Its tag of another tag set.
    feats : str
        Its features, separated by ``|``.
    head : int or None
        The id of its head: 0 for a root, None if HEAD is empty.
    deprel : str
        Its relation to its head.
    deps : str
        Its arcs in the enhanced graph.
    misc : str
        Anything else, separated by ``|``.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    deps: str
    misc: str


class Sentence:
    """One sentence of a treebank; `wnparse.read` and `Sentence.from_words` make it.

    ``len(sentence)`` is the number of words. Iterating gives `Word` objects, and so does ``sentence[i]``, counted
    from 0: ``sentence[0]`` has the id 1. A notebook shows the tree as a picture.

    Attributes
    ----------
    raw : bytes
        Everything read, comments and line ends included.
    fields : ndarray
        int32[n + 1, 11]: byte offset of each column of word i; see `wnparse._core.conllu.scan`.
    heads : ndarray
        int32[n + 1], read-only; heads[0] == -1, and -1 where HEAD is ``_``. `with_tree` makes a copy with others.
    path : str
        The name of the file that it was read from.
    line : int
        The number of its first line in that file.
    parse : Parse or None
        Properties of the tree that a model assigned: score, bound, certificate, and what was relaxed.
    """

    __slots__ = ("_heads", "fields", "line", "parse", "path", "raw")

    def __init__(self, raw: bytes, fields: Int32Array, heads: Int32Array, path: str = "", line: int = 1) -> None:
        self.raw = raw
        self.fields = fields
        heads.setflags(write=False)  # the bytes would not follow
        self._heads = heads
        self.path = path
        self.line = line
        self.parse: Parse | None = None

    def __len__(self) -> int:
        """Return the number of words; multiword tokens and empty nodes do not count."""
        return len(self._heads) - 1

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Word: ...

    @overload
    def __getitem__(self, index: slice) -> list[Word]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Word | list[Word]:
        return self.words[index]

    def __reduce__(self) -> tuple[Any, ...]:
        # The constructor makes heads read-only, which arrays are not after unpickling.
        return Sentence, (self.raw, self.fields, self._heads, self.path, self.line), (None, {"parse": self.parse})

    def __repr__(self) -> str:
        name = " ".join(filter(None, ["Sentence", self.sent_id]))
        return f"<{name} of {len(self)} words at {self.path}:{self.line}>"

    @property
    def heads(self) -> Int32Array:
        """The heads of its words."""
        return self._heads

    @heads.setter
    def heads(self, heads: object) -> NoReturn:
        raise AttributeError(
            "the heads of a sentence are read-only; sentence.with_tree(heads) makes a copy with other heads"
        )

    @property
    def annotated(self) -> bool:
        """Whether every word has a head."""
        return bool((self.heads[1:] >= 0).all())

    def column(self, name: str) -> list[str]:
        """Return a column of all words, in any case: ``column("FORM")``; ValueError if there is no such column."""
        if name not in COLUMNS and str(name).lower() not in COLUMNS:
            raise ValueError(f"there is no column {name!r}; expected one of {', '.join(COLUMNS)}")
        return core.column(self.raw, self.fields, COLUMNS.index(name.lower()))

    @property
    def words(self) -> list[Word]:
        """The words with their columns."""
        columns: list[Sequence[Any]] = [self.column(name) for name in COLUMNS]
        columns[0] = range(1, len(self) + 1)
        columns[COLUMNS.index("head")] = [None if head < 0 else head for head in self.heads[1:].tolist()]
        return [Word(*values) for values in zip(*columns, strict=True)]

    @property
    def text(self) -> str:
        """The value of ``# text``; without it, the tokens, with spaces unless MISC has ``SpaceAfter=No``."""
        text = self._comment("text")
        if text is not None:
            return text
        words, tokens = self.words, {token.first: token for token in self.multiword_tokens}
        pieces, at = [], 1
        while at <= len(words):
            token = tokens.get(at) or words[at - 1]
            pieces.append(token.form + ("" if "SpaceAfter=No" in token.misc.split("|") else " "))
            at = token.last + 1 if isinstance(token, MultiwordToken) else at + 1
        return "".join(pieces).rstrip()

    @property
    def comments(self) -> list[str]:
        """The comment lines, with their ``#``."""
        lines = self.raw.removeprefix(BOM).decode().split("\n")
        return [line.rstrip("\r") for line in lines if line.startswith("#")]

    @property
    def sent_id(self) -> str | None:
        """The value of ``# sent_id``, if there is one."""
        return self._comment("sent_id")

    def _comment(self, name: str) -> str | None:
        for comment in self.comments:
            key, equals, value = comment[1:].partition("=")
            if equals and key.strip() == name:
                return value.strip()
        return None

    @property
    def multiword_tokens(self) -> list[MultiwordToken]:
        """The multiword tokens, in their order."""
        if b"-" not in self.raw:
            return []
        lines = _MULTIWORD_LINE.findall(b"\n" + self.raw.removeprefix(BOM))
        tokens = ((first, last, rest.decode().split("\t")) for first, last, rest in lines)
        return [MultiwordToken(int(first), int(last), cells[0], cells[-1]) for first, last, cells in tokens]

    def line_of(self, word: int) -> int:
        """Return the line number of a word in its file."""
        return self.line + self.raw.count(b"\n", 0, int(self.fields[word, 0]))

    def with_tree(self, heads: Sequence[int] | Int32Array, deprels: Sequence[str] | None = None) -> Sentence:
        """Copy the sentence with HEAD (and DEPREL) of its words replaced and nothing else.

        Parameters
        ----------
        heads : sequence of int
            n + 1 of them, heads[0] == -1; a negative head is written as ``_``.
        deprels : sequence of str, optional
            n + 1 relations, the first of them unused. Without it DEPREL stays. ValueError if one is empty.
        """
        if len(heads) != len(self) + 1 or (deprels is not None and len(deprels) != len(heads)):
            raise ValueError(
                f"expected {len(self) + 1} heads and relations, because the sentence has {len(self)} words"
            )
        check_relations(deprels or ())
        heads = np.ascontiguousarray(heads, np.int32)
        raw = core.splice(self.raw, self.fields, heads, None if deprels is None else list(deprels))
        return parse_sentence(raw, path=self.path, line=self.line, heads="optional")

    def with_columns(self, raw: bytes, fields: Int32Array) -> Sentence:
        """Make a sentence with the same heads, whose bytes and offsets are known."""
        return Sentence(raw, fields, self._heads, self.path, self.line)

    @classmethod
    def from_words(
        cls,
        forms: Sequence[str],
        upos: Cells = None,
        heads: WordHeads | None = None,
        deprels: Cells = None,
        *,
        lemmas: Cells = None,
        xpos: Cells = None,
        feats: Cells = None,
        misc: Cells = None,
        sent_id: str | None = None,
        text: str | None = None,
    ) -> Sentence:
        """Make a sentence from its words.

        Parameters
        ----------
        forms : sequence of str
            The words.
        upos, deprels, lemmas, xpos, feats, misc : iterable, optional
            One value per word; None and an empty string are written as ``_``. FEATS and MISC may also be
            dictionaries.
        heads : sequence of int, optional
            One head per word: 0 for a root, None or -1 if it is unknown. The n + 1 `heads` and `labels` of a
            `Solution`, whose first ones are those of node 0, are accepted, too.
        sent_id, text : str, optional
            Value of the comment of this name.

        Raises
        ------
        TypeError, ValueError
            If a column has another length, or a value cannot be written.
        TreebankError
            If all words have a head and the heads do not form a tree.

        Examples
        --------
        >>> sentence = Sentence.from_words(["The", "dog"], ["DET", "NOUN"], heads=[2, 0])
        >>> [(word.form, word.head) for word in sentence]
        [('The', 2), ('dog', 0)]
        """
        columns = {"lemmas": lemmas, "upos": upos, "xpos": xpos, "feats": feats, "deprels": deprels, "misc": misc}
        comments = {"sent_id": sent_id, "text": text}
        return parse_sentence(write_words(forms, columns, heads, comments), path="<words>")

    def to_dict(self) -> dict[str, Any]:
        """Return the id, the text and the words, with all columns, as JSON can store them."""
        return {"sent_id": self.sent_id, "text": self.text, "words": [word._asdict() for word in self.words]}

    def to_pandas(self) -> pandas.DataFrame:
        """Return a table with one row per word and one column per column; ImportError without pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas, which is not installed: pip install pandas") from None
        table = pandas.DataFrame(self.words, columns=COLUMNS)
        return table.astype({"id": "int64", "head": "Int64"}).set_index("id")

    @classmethod
    def from_spacy(cls, tokens: Doc | Span) -> Sentence:
        """Convert a Doc or Span of spaCy; without dependencies, the sentence has no heads.

        Tokens of white space are left out. A Doc of several sentences becomes one Sentence with several roots; use
        the spans of ``doc.sents`` for one Sentence each.
        """
        return cls.from_words(**read_words(words_of(tokens)))

    def to_spacy(self, vocab: Vocab) -> Doc:
        """Convert to a Doc of spaCy (extra ``spacy``), with tags, lemmas, morphology and, if complete, the tree.

        Words are tokens, also those of multiword tokens. Only the first of several roots remains one.
        """
        return make_doc(self, vocab)

    def _repr_svg_(self) -> str | None:
        from wnparse.treebanks.pictures import draw_pictures, picture

        return draw_pictures([picture(self, 0)]) if len(self) else None

    def to_tokenlist(self) -> conllu.TokenList:
        """Convert to the type of the ``conllu`` library, which loses some details.

        TreebankError if that library cannot read the sentence, for example a HEAD that is not a number.
        """
        import conllu

        text = self.raw.removeprefix(BOM).decode().replace("\r\n", "\n").strip("\n")
        if not text:
            return conllu.TokenList([])
        try:
            return conllu.parse_token_and_metadata(text)
        except (conllu.exceptions.ParseException, ValueError) as error:
            message = f"the conllu library cannot read the sentence ({error}); expected valid CoNLL-U"
            raise TreebankError(" ".join(message.split()), self.path, self.line) from error

    @classmethod
    def from_tokenlist(cls, tokens: conllu.TokenList, path: str = "<conllu>", line: int = 1) -> Sentence:
        """Convert from the type of the ``conllu`` library; columns that its tokens lack are ``_``."""
        return parse_sentence(complete_tokens(tokens, path).serialize().encode(), path=path, line=line)


class BadSentence(Sentence):
    """Placeholder of a sentence that cannot be used, so that others keep their places; it has no words.

    Attributes
    ----------
    error : TreebankError
        What is wrong with it.
    """

    __slots__ = ("error",)

    def __init__(self, error: TreebankError) -> None:
        nothing = np.zeros((1, len(COLUMNS) + 1), np.int32)
        super().__init__(b"", nothing, np.full(1, -1, np.int32), error.path, error.line)
        self.error = error

    def line_of(self, word: int) -> int:
        """The line that is wrong."""
        return self.line


def _check_bytes(raw: bytes, path: str, line: int, offset: int) -> None:
    """Raise TreebankError for bytes that are not UTF-8 text, with the line and the byte offset in the file."""
    at, message = raw.find(b"\0"), "NUL byte at offset {}; expected UTF-8 text (is this UTF-16 or a binary file?)"
    try:
        (raw if at < 0 else raw[:at]).decode()
    except UnicodeDecodeError as error:
        at = error.start
        message = f"byte 0x{raw[at]:02x} at offset {{}} is not UTF-8 ({error.reason}); expected a UTF-8 file"
    if at >= 0:
        raise TreebankError(message.format(offset + at), path, line + raw.count(b"\n", 0, at))


def parse_sentence(raw: bytes, *, path: str = "", line: int = 1, heads: Heads = "optional") -> Sentence:
    """Scan the bytes of one sentence.

    Parameters
    ----------
    raw : bytes
        UTF-8; comments, words and the closing blank line.
    path, line : str, int
        File name and line number for error messages.
    heads : {"required", "optional", "given", "ignored"}
        Whether HEAD may be ``_``, and which other values are valid; see `Reader`.

    Raises
    ------
    TreebankError
        At the line of the first flaw, or if there is more than one sentence.
    """
    _check_bytes(raw, path, line, 0)
    if not raw:
        return _wordless(raw, path, line)
    (_, end, _, *scanned), *_ = core.scan(raw, len(BOM) if raw.startswith(BOM) else 0, True, _TREES[heads])
    if raw[end:].strip():
        raise TreebankError(
            "more than one sentence; expected the bytes of one sentence", path, line + raw.count(b"\n", 0, end)
        )
    return _sentence(raw, scanned, path, line, heads)


def _wordless(raw: bytes, path: str, line: int) -> Sentence:
    """Return a sentence of length 0, whose bytes may be anything."""
    return Sentence(raw, np.zeros((1, len(COLUMNS) + 1), np.int32), np.full(1, -1, np.int32), path, line)


def _sentence(raw: bytes, scanned: Sequence[Any], path: str, line: int, heads: Heads) -> Sentence:
    """Return the sentence that the scanner describes; TreebankError if it found a flaw."""
    fields, tree, flaw, at, detail, missing_at = scanned
    if flaw:
        raise TreebankError(describe_scan_error(flaw, detail, raw, at), path, line + at)
    if missing_at >= 0 and heads == "required":
        raise TreebankError(
            "the head is _, but a full tree is required; expected 0 or the id of another word",
            path,
            line + missing_at,
        )
    return Sentence(raw, fields, tree, path, line)


def is_filled(sentences: Iterable[Sentence], column: str) -> bool:
    """Return whether a column contains anything but ``_``."""
    return any(value != "_" for sentence in sentences for value in sentence.column(column))


def name_type(value: object) -> str:
    """Return the type and the beginning of a value for a message of one line."""
    return f"{type(value).__name__} {' '.join(repr(value).split()):.60}"


OLDER_NAMES = ("upostag", "xpostag")  # conllu's aliases of upos and xpos


def complete_tokens(tokens: conllu.TokenList, path: str) -> conllu.TokenList:
    """Give tokens all columns in their order, and numbers where none has any; TreebankError if one has others."""
    import conllu

    numbered = any("id" in token for token in tokens)
    rows = []
    for number, token in enumerate(tokens, 1):
        if unknown := set(token) - {*COLUMNS, *OLDER_NAMES}:
            raise TreebankError(
                f"token {number} has {', '.join(sorted(unknown))}; expected the columns {', '.join(COLUMNS)}", path
            )
        row = {name: token.get(name) for name in COLUMNS}
        if not numbered:
            row["id"] = number
        row["deps"] = row["deps"] or None  # conllu does not write empty lists
        rows.append(conllu.Token(row))
    return conllu.TokenList(rows, tokens.metadata)
