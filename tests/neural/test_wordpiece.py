"""The tokenizer of BERT, by hand and compared with the package tokenizers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from support.neural_oracles import tiny_encoder
from wnparse.neural.wordpiece import PieceOptions, WordPiece
from wnparse.treebanks.sentence import Sentence

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##aff",
    "##able",
    "want",
    "##ed",
    ",",
    "e",
    "##tude",
    "\u4e2d",
]


def cut(form: str, **changes: bool) -> list[str]:
    options = {"lowercase": True, "strip_accents": True, "ideographs": True, "longest": 20, **changes}
    return [PIECES[number] for number in WordPiece(PIECES, PieceOptions(**options)).cut(form)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "form, pieces",
    [
        ("unaffable", ["un", "##aff", "##able"]),
        ("Unwanted,", ["[UNK]", ","]),
        ("wanted,want", ["want", "##ed", ",", "want"]),
        ("want ed", ["want", "[UNK]"]),
        ("\u00c9tude", ["e", "##tude"]),
        ("un\u4e2dwant", ["un", "\u4e2d", "want"]),
        ("wa\u200bnt", ["want"]),
        ("", ["[UNK]"]),
        ("\u0301", ["[UNK]"]),
        ("want" + "ed" * 9, ["[UNK]"]),
    ],
)
def test_cuts_words_by_hand(form: str, pieces: list[str]) -> None:
    assert cut(form) == pieces


def test_options_are_used() -> None:
    assert cut("Want", lowercase=False) == ["[UNK]"]
    assert cut("\u00c9tude", strip_accents=False) == ["[UNK]"]
    assert cut("un\u4e2dwant", ideographs=False) == ["[UNK]"]


def test_agrees_with_the_package_tokenizers(sample: list[Sentence], tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    forms = sorted({form for sentence in sample for form in sentence.column("form")})
    folder, rng = tiny_encoder(tmp_path / "e", forms[::2]), random.Random(1)
    described = json.loads((folder / "tokenizer.json").read_text())
    pieces = list(described["model"]["vocab"])
    forms += [
        "".join(rng.choice("aebc,.!'\u4e2d\u00e9 \u00ad-") for _ in range(rng.randrange(1, 9))) for _ in range(500)
    ]
    other = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(described["model"]["vocab"], unk_token="[UNK]", max_input_chars_per_word=100)
    )
    other.normalizer = tokenizers.normalizers.BertNormalizer(strip_accents=False, lowercase=True)
    other.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    cutter = WordPiece(pieces, PieceOptions(lowercase=True, strip_accents=False, ideographs=True, longest=100))
    for form in forms:
        assert list(cutter.cut(form)) == (other.encode(form, add_special_tokens=False).ids or [1]), form
