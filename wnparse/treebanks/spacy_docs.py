"""Sentences and the Docs of spaCy: tokens are words, TAG is XPOS, POS is UPOS, MORPH is FEATS and DEP is DEPREL.

Tokens of white space are not words; in a Doc with trees, each depends on the word before it, or on the first word.
A sentence of spaCy has exactly one root, whose relation is ``ROOT``: further roots depend on the first one. A word
with a head needs a relation, which is ``dep`` if there is none. If only some sentences of a Doc have a tree, the
first word of each other sentence is a root, and the rest has no heads.

spaCy is imported only where a Doc is made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wnparse.treebanks.ud import TAGS
from wnparse.treebanks.words import EMPTY

if TYPE_CHECKING:
    from spacy.strings import StringStore
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab

    from wnparse.treebanks.sentence import MultiwordToken, Sentence, Word
    from wnparse.treebanks.text_input import TextSplitter

ROOT, DEP = "ROOT", "dep"


def is_doc(value: object) -> bool:
    """Return whether this is a Doc; nobody has one without importing spaCy."""
    module = sys.modules.get("spacy.tokens")
    return module is not None and isinstance(value, module.Doc)


def words_of(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens that are words."""
    return [token for token in tokens if not token.is_space]


def read_words(words: Sequence[Token]) -> dict[str, Any]:
    """Return words and their columns, as `Sentence.from_words` takes them."""
    numbers = {token.i: number for number, token in enumerate(words, 1)}
    return {
        "forms": [" ".join(token.text.split()) for token in words],
        "lemmas": [token.lemma_ for token in words],
        "upos": [token.pos_ for token in words],
        "xpos": [token.tag_ for token in words],
        "feats": [str(token.morph) for token in words],
        "heads": [_number_of_head(token, numbers) for token in words],
        "deprels": ["root" if token.dep_ == ROOT else token.dep_ for token in words],
        "misc": [None if token.whitespace_ else "SpaceAfter=No" for token in words],
    }


def _number_of_head(token: Token, numbers: dict[int, int]) -> int | None:
    """Return the number of the head; a token without a head is its own head and has no relation."""
    if token.head.i != token.i:
        return numbers.get(token.head.i)
    return 0 if token.dep else None


def make_doc(sentence: Sentence, vocab: Vocab) -> Doc:
    """Make a Doc of one sentence; ImportError without spaCy."""
    try:
        from spacy.tokens import Doc
    except ImportError:
        raise ImportError("to_spacy needs spaCy, the extra 'spacy': pip install 'wnparse[spacy]'") from None
    inside = {word: token for token in sentence.multiword_tokens for word in range(token.first, token.last + 1)}
    spaces = [_has_space(word, inside.get(word.id)) for word in sentence]
    doc = Doc(vocab, words=sentence.column("form"), spaces=spaces)
    fill(doc, [list(doc)] if len(doc) else [], [sentence] if len(doc) else [])
    return doc


def _has_space(word: Word, token: MultiwordToken | None) -> bool:
    """Return whether a space follows a word; there is none within a multiword token."""
    if token is not None and word.id < token.last:
        return False
    return "SpaceAfter=No" not in (token or word).misc.split("|")


def cut(doc: Doc, splitter: TextSplitter | None = None) -> list[list[Token]]:
    """Return the words of each sentence of a Doc; if it has no sentence starts, a splitter finds them."""
    words = words_of(doc)
    starts = [False] * len(words)
    if doc.has_annotation("SENT_START"):
        starts = [bool(token.is_sent_start) for token in words]
    elif splitter is not None:
        ends = _sentence_ends(doc.text, splitter)
        numbers = np.searchsorted(ends, [token.idx for token in words], side="right")
        starts = [False, *(numbers[1:] != numbers[:-1]).tolist()]
    sentences: list[list[Token]] = []
    for token, starts_here in zip(words, starts, strict=False):
        if starts_here or not sentences:
            sentences.append([])
        sentences[-1].append(token)
    return sentences


def _sentence_ends(text: str, splitter: TextSplitter) -> list[int]:
    """Return the offsets at which sentences end; a blank line ends a paragraph."""
    ends, begin = [], 0
    for part in re.split(r"(\n[^\S\n]*\n)", text):
        ends += [begin + sentence[-1][1] for sentence in splitter.split(part)]
        begin += len(part)
    return ends


def fill(doc: Doc, words: Sequence[Sequence[Token]], sentences: Sequence[Sentence]) -> None:
    """Write the tags and trees of sentences into a Doc; `words` are the tokens of each sentence."""
    has_trees = any(sentence.annotated for sentence in sentences)
    names: list[int | str] = ["TAG", "POS", "LEMMA", "MORPH", *(["HEAD", "DEP"] if has_trees else ["SENT_START"])]
    rows: dict[int, list[int]] = {}
    for tokens, sentence in zip(words, sentences, strict=True):
        root = _find_root(sentence)
        for token, word in zip(tokens, sentence, strict=True):
            rows[token.i] = _tag_values(doc, word)
            if not has_trees:
                rows[token.i].append(1 if word.id == 1 else -1)
                continue
            head = tokens[(word.head or root) - 1 if sentence.annotated else 0]
            relation = DEP if word.deprel == EMPTY else word.deprel
            relation = ROOT if word.id == root else relation if sentence.annotated else EMPTY
            rows[token.i] += [head.i - token.i, _add(doc.vocab.strings, relation)]
    before = min(rows, default=0)
    for token in doc:
        if token.i in rows:
            before = token.i
        else:
            rows[token.i] = _space_values(doc, token)
            rows[token.i] += [before - token.i, _add(doc.vocab.strings, DEP)] if has_trees else [-1]
    values = [[value % 2**64 for value in rows[i]] for i in range(len(doc))]
    array: Any = np.array(values, np.uint64).reshape(len(doc), len(names))  # spaCy calls it an array of int32
    doc.from_array(names, array)


def _find_root(sentence: Sentence) -> int:
    """Return the first root, or the first word of a sentence without a tree."""
    return sentence.heads.tolist().index(0) if sentence.annotated and len(sentence) else 1


def _tag_values(doc: Doc, word: Word) -> list[int]:
    """Return TAG, POS, LEMMA and MORPH of a word."""
    upos = word.upos if word.upos in (EMPTY, *TAGS) else "X"
    values = [_add(doc.vocab.strings, value) for value in (word.xpos, upos, word.lemma)]
    return [*values, 0 if word.feats == EMPTY else int(doc.vocab.morphology.add(word.feats))]


def _space_values(doc: Doc, token: Token) -> list[int]:
    """Return TAG, POS, LEMMA and MORPH of white space, as the taggers of spaCy have them."""
    return [_add(doc.vocab.strings, value) for value in ("_SP", "SPACE", token.text, EMPTY)]


def _add(strings: StringStore, value: str) -> int:
    return 0 if value == EMPTY else int(strings.add(value))
