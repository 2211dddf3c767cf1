"""Lemma scripts: a script made of a form and its lemma gives the lemma back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.places import DATA
from wnparse._core.tagger_learner import apply_lemma_script, make_lemma_script, script_length
from wnparse.tagger.lemma_scripts import collect_scripts
from wnparse.treebanks.reader import read

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\t\n"), min_size=1, max_size=12)


def back(form: str, lemma: str) -> str | None:
    return apply_lemma_script(make_lemma_script(form, lemma), form)


@pytest.mark.parametrize(
    ("form", "lemma", "script"),
    [
        ("casas", "casa", "l\t0\t\t1\t"),
        ("Casas", "casa", "l\t0\t\t1\t"),
        ("Lisboa", "Lisboa", "k\t0\t\t0\t"),
        ("gemaakt", "maken", "l\t2\t\t3\tken"),
        ("opgebeld", "opbellen", "l\t4\top\t1\tlen"),
        ("LISBOA", "Lisboa", "t\t0\t\t0\t"),
        ("nato", "NATO", "u\t0\t\t0\t"),
        ("went", "go", "=go"),
        ("è", "essere", "=essere"),
    ],
)
def test_makes_the_expected_script(form: str, lemma: str, script: str) -> None:
    assert make_lemma_script(form, lemma) == script
    assert apply_lemma_script(script, form) == lemma


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("İstanbul'da", "İstanbul"),  # the lower case of the dotted capital is two characters
        ("IŞIK", "ışık"),
        ("Straße", "Straße"),
        ("STRASSE", "Straße"),
        ("ΟΔΟΣ", "οδός"),
        ("λόγους", "λόγος"),
        ("كتابها", "كتاب"),
        ("👍🏽", "👍"),
        ("7", "7"),
        ("a", "A"),
        ("_", "_"),
        ("x" * 10_000, "x" * 9_999),
        ("x" * 10_000, "y"),
        ("ab" * 5_000, "b" + "ab" * 900),
    ],
)
def test_round_trips_letters_of_all_kinds(form: str, lemma: str) -> None:
    assert back(form, lemma) == lemma


@pytest.mark.parametrize("lemma", ["", "y" * 2_000, "a\rb", "ß" * 1_000])
def test_uses_the_form_for_a_lemma_that_is_too_long(lemma: str) -> None:
    assert back("Form", lemma) == "Form"


@pytest.mark.parametrize(
    "script",
    [
        *("", "=", "=a\tb", "=a\nb", "=a\rb", "=a\0b", "=" + "a" * 2_000, "x\t0\t\t0\t", "k", "k\t0\t\t0"),
        *("kk\t0\t\t0\t", "k\t0\t\t0\t\t", "l\t-1\t\t0\t", "l\t\t\t0\t", "l\t0\t\tx\t", "l\t1000000\t\t0\t"),
        *("u\t0\ta\n\t0\t", "t\t99999999999999999999\t\t0\t", "\t0\t\t0\t"),
    ],
)
def test_refuses_invalid_scripts(script: str) -> None:
    with pytest.raises(ValueError, match="is not a lemma script"):
        apply_lemma_script(script, "form")


@given(WORDS, WORDS)
def test_round_trips_any_two_words(form: str, lemma: str) -> None:
    assert back(form, lemma) == lemma


def test_a_script_leaves_something_of_the_form() -> None:
    script = make_lemma_script("abcde", "cx")
    assert script_length(script) == 4
    assert apply_lemma_script(script, "abcd") is None
    assert apply_lemma_script(script, "vwxyz") == "xx"


def test_rules_are_scripts_of_several_forms() -> None:
    scripts, rules, of_word = collect_scripts(["cats", "dogs", "went", "dogs"], ["cat", "dog", "go", "dog"])
    assert scripts[:rules] == ["l\t0\t\t1\t"]
    assert [scripts[number] for number in of_word.tolist()] == ["l\t0\t\t1\t", "l\t0\t\t1\t", "=go", "l\t0\t\t1\t"]


def test_the_sample_round_trips() -> None:
    pairs = {
        pair for s in read(DATA / "train.conllu") for pair in zip(s.column("form"), s.column("lemma"), strict=True)
    }
    assert all(back(form, lemma) == lemma for form, lemma in pairs)


@pytest.mark.slow
def test_all_treebanks_round_trip(treebanks: Path) -> None:
    for path in sorted(treebanks.glob("*/train.conllu")):
        pairs = {pair for s in read(path) for pair in zip(s.column("form"), s.column("lemma"), strict=True)}
        wrong = [pair for pair in pairs if back(*pair) != pair[1]]
        assert not wrong, path
