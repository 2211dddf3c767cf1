"""Which columns a tagger fills, and with what."""

from __future__ import annotations

import re

import pytest

from support.treebanks import blanked, first_sentences, sentences
from wnparse.errors import TreebankError
from wnparse.tagger.bundles import collect_bundles, split_bundle
from wnparse.tagger.tagger import COLUMNS, Tagger
from wnparse.tagger.training import LEAST_STEP, MOST_LEAST, Lessons, TaggerOptions, learn_tagger, measure_tags
from wnparse.treebanks.sentence import Sentence

TAGS = (2, 3, 4, 5)


def tagged(tagger: Tagger, text: str | bytes, *, retag: bool = False) -> list[Sentence]:
    return tagger.tag(sentences(text), retag=retag)


def test_tags_the_test_set_accurately(tagger: Tagger) -> None:
    gold = sentences(first_sentences("test", 40))
    predicted = tagged(tagger, blanked(first_sentences("test", 40), *TAGS))
    words = sum(map(len, gold))
    for column, least in (("upos", 85), ("feats", 75), ("lemma", 80)):
        right = sum(
            a == b
            for g, f in zip(gold, predicted, strict=True)
            for a, b in zip(g.column(column), f.column(column), strict=True)
        )
        assert 100 * right / words > least, column


def test_offsets_are_those_of_the_new_bytes(tagger: Tagger) -> None:
    for sentence in tagged(tagger, blanked(first_sentences("test", 40), *TAGS)):
        assert (sentence.fields == sentences(sentence.raw)[0].fields).all()


def test_only_the_four_columns_change(tagger: Tagger) -> None:
    raw = blanked(first_sentences("test", 40), *TAGS)
    output = b"".join(sentence.raw for sentence in tagged(tagger, raw))
    assert output != raw
    assert blanked(output, *TAGS) == raw


def test_leaves_complete_sentences_unchanged(tagger: Tagger) -> None:
    given = sentences(first_sentences("test", 5))
    complete = [
        sentence for sentence in given if all(set(sentence.column(name)) != {"_"} for name in tagger.columns)
    ]
    assert complete
    assert all(result is sentence for result, sentence in zip(tagger.tag(complete), complete, strict=True))


def rows(*lines: str) -> str:
    return "".join(f"{i}\t{line}\t_\t_\t_\t_\n" for i, line in enumerate(lines, 1)) + "\n"


def columns(sentence: Sentence, word: int) -> list[str]:
    return [sentence.column(name)[word - 1] for name in COLUMNS]


def test_keeps_and_uses_given_tags(tagger: Tagger) -> None:
    (sentence,) = tagged(tagger, rows("le\t_\tNOUN\tNNn\t_", "pesare\t_\t_\t_\t_", "x\tmy\tODD\t_\tMood=Odd"))
    assert sentence.column("upos")[0] == "NOUN"  # not the article
    assert sentence.column("upos")[1] != "_"
    assert columns(sentence, 3) == ["my", "ODD", "_", "Mood=Odd"]
    assert sentence.column("feats")[0] == "_"  # the column is not empty, and the word has a tag
    assert sentence.column("lemma")[0] == "_"


def test_an_empty_column_is_filled(tagger: Tagger) -> None:
    (sentence,) = tagged(tagger, rows("le\t_\tDET\t_\t_", "pesare\t_\tNOUN\t_\t_"))
    assert sentence.column("upos") == ["DET", "NOUN"]
    assert "_" not in sentence.column("lemma")
    assert all("Number=Sing" in feats for feats in sentence.column("feats"))
    assert sentence.column("xpos") == ["DA", "NNn"]


def test_retag_replaces_all(tagger: Tagger) -> None:
    (sentence,) = tagged(tagger, rows("a\tmy\tODD\tODD\tMood=Odd"), retag=True)
    assert not {"my", "ODD", "Mood=Odd"} & set(columns(sentence, 1))


@pytest.mark.parametrize(
    "form", ["İSTANBUL", "ß", "ΟΔΟΣ", "كتابها", "👍🏽", "7", "a", "_", "x" * 10_000, "é" * 10_000, "a b", "#"]
)
def test_tags_words_of_all_kinds(tagger: Tagger, form: str) -> None:
    (sentence,) = tagged(tagger, rows(f"{form}\t_\t_\t_\t_"))
    assert sentence.column("form") == [form]
    assert sentence.column("lemma")[0]
    assert sentence.column("upos")[0] in tagger.names["tags"]


def test_keeps_line_ends_comments_ranges_and_empty_nodes(tagger: Tagger) -> None:
    text = "# text = le\r\n1-2\tle\t_\t_\t_\t_\t_\t_\t_\tX=1\r\n1\tex\t_\t_\t_\t_\t_\t_\t_\t_\r\n" \
        "1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\r\n2\tle\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n\r\n"  # fmt: skip
    (sentence,) = tagged(tagger, text)
    assert blanked(sentence.raw, *TAGS) == text.encode()
    assert sentence.column("upos") == ["ADP", "DET"]


def test_bundles_are_sorted_and_valid(tagger: Tagger) -> None:
    for sentence in tagged(tagger, blanked(first_sentences("test", 40), *TAGS)):
        for feats in sentence.column("feats"):
            values = split_bundle(feats)
            names = [value.partition("=")[0].lower() for value in values]
            assert names == sorted(set(names))
            assert all(re.fullmatch(r"[^=|]+=[^=|]+", value) for value in values)


def test_predicts_unseen_bundles_of_features() -> None:
    """A word is a stem, -sin- or -plu-, and -nom or -acc; plural accusatives are seen nowhere."""
    stems = [f"{a}{b}{c}" for a in "ptk" for b in "aeiou" for c in "lmr"]
    endings = {
        "sinnom": "Case=Nom|Number=Sing",
        "plunom": "Case=Nom|Number=Plur",
        "sinacc": "Case=Acc|Number=Sing",
    }
    text = "".join(
        rows(f"{stem}{ending}\t{stem}\tNOUN\t_\t{feats}") for stem in stems for ending, feats in endings.items()
    )
    tagger = learn_tagger(Lessons(sentences(text)), TaggerOptions(threshold=0.0))
    assert tagger is not None
    (sentence,) = tagged(tagger, rows("sanpluacc\t_\t_\t_\t_"))
    assert sentence.column("feats") == ["Case=Acc|Number=Plur"]
    assert sentence.column("lemma") == ["san"]


def test_several_values_of_an_attribute_are_one() -> None:
    bundles, numbers = collect_bundles(["_", "_"], ["Gender=Fem,Masc|Number=Sing", "_"])
    assert bundles.values == ["Gender=Fem,Masc", "Number=Sing"]
    assert numbers.tolist() == [0, 1]


def test_a_treebank_without_tags_is_refused() -> None:
    with pytest.raises(TreebankError, match="no word has a tag"):
        Lessons(sentences(rows("a\t_\t_\t_\t_")))


def test_the_same_data_give_the_same_tagger(sample: list[Sentence]) -> None:
    first, second = (learn_tagger(Lessons(sample[:40]), TaggerOptions(epochs=2)) for _ in range(2))
    assert first is not None and second is not None
    assert first.names == second.names
    assert all((first.arrays[name] == second.arrays[name]).all() for name in first.arrays)


def test_small_weights_are_left_out_of_a_tagger_that_would_be_too_large(
    tagger: Tagger, sample: list[Sentence]
) -> None:
    usual = TaggerOptions(epochs=4)
    assert tagger.info["options"]["least"] == usual.least
    megabytes = 0.7 * tagger.size / 1e6
    smaller = learn_tagger(Lessons(sample), TaggerOptions(epochs=4, largest=megabytes))
    assert smaller is not None
    assert smaller.size <= 1e6 * megabytes
    assert smaller.info["options"]["least"] > usual.least
    gold = sentences(first_sentences("test", 100))
    scores = [measure_tags(candidate, gold, candidate.tag(gold, retag=True)) for candidate in (tagger, smaller)]
    for column, score in scores[0].items():
        assert scores[1][column] > score - 1.0


def test_a_tagger_that_cannot_be_small_enough_ends_too(sample: list[Sentence]) -> None:
    learned = learn_tagger(Lessons(sample[:50]), TaggerOptions(epochs=1, largest=0.0))
    assert learned is not None
    assert MOST_LEAST <= learned.info["options"]["least"] < MOST_LEAST * LEAST_STEP
