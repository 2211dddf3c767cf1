"""The text of a treebank: paragraphs with the offsets of their tokens, as a tokenizer learns from them.

Sentences are joined by one space, or by nothing after a final ``SpaceAfter=No``. A paragraph begins at
``# newpar``, ``# newdoc`` and ``# newdoc_id``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wnparse.storage.files import BOM
from wnparse.treebanks.sentence import Sentence

BOUNDARIES = ("newpar", "newdoc")  # beginnings of comments; `newdoc_id` is used by some treebanks
FORM, MISC = 1, 9


@dataclass(frozen=True)
class SurfaceToken:
    """A token as it stands in the text."""

    form: str
    words: tuple[str, ...] | None  # of a multiword token
    space_after: bool


@dataclass
class Paragraph:
    """A text with its tokens; `last` says which of them end a sentence."""

    text: str = ""
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    words: list[tuple[str, ...] | None] = field(default_factory=list)
    last: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class SentenceText:
    """A sentence as its tokens and comments describe its text."""

    tokens: list[SurfaceToken]
    text: str | None  # of ``# text``
    begins_paragraph: bool


def read_sentence_text(sentence: Sentence) -> SentenceText:
    """Return the tokens of a sentence, with spaces as ``# text`` has them if it fits, else as MISC says."""
    tokens: list[SurfaceToken] = []
    text, begins_paragraph, last_word = None, False, 0
    words: list[str] = []
    for line in sentence.raw.removeprefix(BOM).decode().splitlines() if len(sentence) else ():
        if line.startswith("#"):
            key, equals, value = line[1:].partition("=")
            if equals and key.strip() == "text":
                text = value.strip()
            begins_paragraph |= key.strip().startswith(BOUNDARIES)
            continue
        columns = line.split("\t")
        if len(columns) <= FORM or "." in columns[0]:
            continue
        first, dash, last = columns[0].partition("-")
        if not dash and int(first) <= last_word:
            words.append(columns[FORM])
            if int(first) == last_word:
                tokens[-1] = SurfaceToken(tokens[-1].form, tuple(words), tokens[-1].space_after)
            continue
        if dash:
            last_word, words = int(last), []
        is_joined = len(columns) > MISC and "SpaceAfter=No" in columns[MISC].split("|")
        tokens.append(SurfaceToken(columns[FORM], None, not is_joined))
    return SentenceText(_with_spaces(tokens, text), text, begins_paragraph)


def _with_spaces(tokens: list[SurfaceToken], text: str | None) -> list[SurfaceToken]:
    """Return tokens with the spaces of a text between them, if it has just these tokens."""
    if text is None:
        return tokens
    spaced, at = [], 0
    for token in tokens:
        if not text.startswith(token.form, at):
            return tokens
        at += len(token.form)
        is_last = at == len(text)
        has_space = token.space_after if is_last else text[at].isspace()
        while at < len(text) and text[at].isspace():
            at += 1
        spaced.append(SurfaceToken(token.form, token.words, has_space))
    return spaced if at == len(text) else tokens


def describes_text(sentences: Iterable[SentenceText]) -> bool:
    """Return whether a treebank says how text becomes tokens: whether some tokens have no space between them."""
    return any(not token.space_after for sentence in sentences for token in sentence.tokens)


def join_paragraphs(sentences: Sequence[SentenceText]) -> list[Paragraph]:
    """Return the paragraphs of a treebank.

    A tokenizer never makes a token with a space inside, so that such a token becomes several.
    """
    paragraphs: list[Paragraph] = []
    pieces: list[str] = []
    at, space_before = 0, False
    for sentence in sentences:
        if not sentence.tokens:
            continue
        if not paragraphs or sentence.begins_paragraph:
            if paragraphs:
                paragraphs[-1].text = "".join(pieces)
            paragraphs.append(Paragraph())
            pieces, at, space_before = [], 0, False
        paragraph = paragraphs[-1]
        for token in sentence.tokens:
            parts = token.form.split()
            for number, part in enumerate(parts):
                if space_before:
                    pieces.append(" ")
                    at += 1
                pieces.append(part)
                paragraph.begins.append(at)
                at += len(part)
                paragraph.ends.append(at)
                paragraph.words.append(token.words if len(parts) == 1 else None)
                paragraph.last.append(False)
                space_before = number + 1 < len(parts) or token.space_after
        if paragraph.last:
            paragraph.last[-1] = True
    if paragraphs:
        paragraphs[-1].text = "".join(pieces)
    return [paragraph for paragraph in paragraphs if paragraph.begins]
