"""Strings to hashes: the compiled core and a slow reference see the same letters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support import feature_oracles as reference
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.treebanks.sentence import parse_sentence

UNUSED = reference.hash_text("", 99)
# No tabs, line ends, NUL, nor halves of surrogate pairs: a column of CoNLL-U has none.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r")
# Letters whose lower case is two characters, depends on the neighbours, or is not of the same length in UTF-8.
ODD_ONES = st.sampled_from("ΣσςİIıßẞǅAz0²٣Ⅷ-_.'\u0301\u0345\u00ad")
FORMS = st.text(CHARACTERS | ODD_ONES | ODD_ONES, min_size=1, max_size=9)


def text_of(forms: list[str], columns: str = "L\tP\tQ\tA=1|B=2") -> bytes:
    """A sentence of these forms."""
    rows = (f"{i}\t{form}\t{columns}\t_\t_\t_\t_\n" for i, form in enumerate(forms, 1))
    return ("".join(rows) + "\n").encode()


@given(st.lists(FORMS, min_size=1, max_size=4))
def test_computes_attributes_of_a_token(forms: list[str]) -> None:
    sentence = parse_sentence(text_of(forms))
    atoms = encode(sentence, UsedColumns()).atoms
    assert atoms.tolist() == [
        [reference.atom(sentence, token, letter) for letter in reference.ATOMS] for token in range(len(forms) + 1)
    ]


def test_lowers_every_character_as_python_does() -> None:
    every = [chr(i) for i in range(1, 0x20000) if chr(i) not in "\t\n\r" and not 0xD800 <= i < 0xE000]
    whole = encode(parse_sentence(text_of(every)), UsedColumns()).atoms[1:, 0]
    lower = encode(parse_sentence(text_of([c.lower() for c in every])), UsedColumns()).atoms[1:, 0]
    assert (whole == lower).all()
    changed = [i for i, c in enumerate(every) if c.lower() != c]
    assert len(changed) > 1000
    assert [int(whole[i]) for i in changed] == [reference.hash_text(every[i].lower(), 0) for i in changed]


def test_unused_columns_are_empty() -> None:
    sentence = parse_sentence(text_of(["w"]))
    for columns, at in (
        (UsedColumns(lemma=False), 1),
        (UsedColumns(xpos=False), 3),
        (UsedColumns(feats=False), 8),
    ):
        atoms = encode(sentence, columns).atoms[1].tolist()
        expected = [reference.atom(sentence, 1, letter) for letter in reference.ATOMS]
        expected[at] = UNUSED
        assert atoms == expected
