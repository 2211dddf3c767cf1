"""Words that annotators have fixed: ``Fixed=Yes`` in MISC means that a parser keeps head, relation and tags.

Everything else is parsed and tagged again. Heads of other words are not read, so that they may contradict the
fixed ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from wnparse.errors import TreebankError
from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import COLUMNS, Sentence, parse_sentence

FIXED = "Fixed=Yes"
TAG_COLUMNS = ("lemma", "upos", "xpos", "feats")

Cells = Mapping[tuple[int, str], bytes]  # by word and column


def fixed_words(sentence: Sentence) -> list[int]:
    """Return the words that are fixed."""
    return [word for word, misc in enumerate(sentence.column("misc"), 1) if FIXED in misc.split("|")]


def keep_only_fixed(sentence: Sentence, tags: Collection[str] = ()) -> Sentence:
    """Return the sentence with the heads and relations of its fixed words only.

    Parameters
    ----------
    sentence : Sentence
        Its HEAD column may contain anything where words are not fixed.
    tags : collection of str
        The columns of tags that are cleared where words are not fixed.

    Raises
    ------
    TreebankError
        At a fixed word without a head, and if the heads of fixed words are not part of a tree.
    """
    fixed, heads = fixed_words(sentence), sentence.column("head")
    for word in fixed:
        if heads[word - 1] == NOTHING:
            raise TreebankError(
                f"the word is marked {FIXED}, but its head is _; give it a head, or remove the mark",
                sentence.path,
                sentence.line_of(word),
            )
    free = sorted(set(range(1, len(sentence) + 1)).difference(fixed))
    cells = {(word, column): b"_" for word in free for column in ("head", "deprel", *tags)}
    return parse_sentence(_replace_cells(sentence, cells), path=sentence.path, line=sentence.line, heads="given")


def restore_fixed_tags(tagged: Sentence, sentence: Sentence) -> Sentence:
    """Return a tagged sentence with the tags that its fixed words had before, if they had a UPOS tag."""
    upos = sentence.column("upos")
    cells = {
        (word, column): _cell(sentence, word, column)
        for word in fixed_words(sentence)
        if upos[word - 1] != NOTHING
        for column in TAG_COLUMNS
    }
    if not cells:
        return tagged
    raw = _replace_cells(tagged, cells)
    return tagged.with_columns(raw, parse_sentence(raw, heads="ignored").fields)


def _bounds(sentence: Sentence, word: int, column: str) -> tuple[int, int]:
    """Return where a cell begins and ends in the bytes of a sentence."""
    place = COLUMNS.index(column)
    return int(sentence.fields[word, place]), int(sentence.fields[word, place + 1]) - 1


def _cell(sentence: Sentence, word: int, column: str) -> bytes:
    begin, end = _bounds(sentence, word, column)
    return sentence.raw[begin:end]


def _replace_cells(sentence: Sentence, cells: Cells) -> bytes:
    """Return the bytes of a sentence with other cells."""
    pieces, last = [], 0
    for (begin, end), value in sorted((_bounds(sentence, *place), value) for place, value in cells.items()):
        pieces += [sentence.raw[last:begin], value]
        last = end
    return b"".join([*pieces, sentence.raw[last:]])
