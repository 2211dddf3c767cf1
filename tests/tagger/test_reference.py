"""A finished tagger against its slow twin and against enumeration."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest

from support.tagger_oracles import FIRST, SlowTagger
from support.treebanks import blanked, first_sentences, sentences
from wnparse.tagger.lexicon import Limits
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.treebanks.sentence import Sentence

TAGS = (2, 3, 4, 5)
STRANGE = ["İSTANBUL'da", "ΟΔΟΣ", "Straße", "كتابها", "👍🏽", "7.5", "a", "_", "x" * 200, "é" * 61, "DES"]


def bare(*forms: str) -> Sentence:
    rows = "".join(f"{i}\t{form}" + "\t_" * 8 + "\n" for i, form in enumerate(forms, 1))
    return sentences(rows + "\n")[0]


@pytest.fixture(scope="module")
def twin(tagger: Tagger) -> SlowTagger:
    return SlowTagger(tagger)


def agree(tagger: Tagger, twin: SlowTagger, given: list[Sentence]) -> None:
    for found in tagger.tag(given):
        expected = twin.tag(found.column("form"))
        assert {name: found.column(name) for name in expected} == expected


def test_sentences_of_the_test_set(tagger: Tagger, twin: SlowTagger) -> None:
    agree(tagger, twin, sentences(blanked(first_sentences("test", 12), *TAGS)))


def test_words_of_all_kinds(tagger: Tagger, twin: SlowTagger) -> None:
    agree(tagger, twin, [bare(*STRANGE), *(bare(form) for form in STRANGE)])


def test_classes_that_were_never_seen(sample: list[Sentence]) -> None:
    """Without a threshold values are often better by themselves."""
    tagger = learn_tagger(Lessons(sample[:80]), TaggerOptions(epochs=2, threshold=0.0), limits=Limits(seen=1))
    assert tagger is not None
    given = sentences(blanked(first_sentences("test", 8), *TAGS))
    agree(tagger, SlowTagger(tagger), given)
    seen = set(tagger.names["bundles"])
    assert any(feats not in seen for each in tagger.tag(given) for feats in each.column("feats"))


def test_a_wide_beam_finds_the_best_of_all_sequences(tagger: Tagger, twin: SlowTagger) -> None:
    exact = replace(tagger, beam=10_000, drop=2**30)
    given = [each for each in sentences(blanked(first_sentences("test", 60), *TAGS)) if len(each) <= 7][:4]
    assert given
    for each in given:
        short = bare(*each.column("form")[:3])
        words = twin.words(short.column("form"))
        (found,) = exact.tag([short])
        numbers = [tagger.names["tags"].index(tag) for tag in found.column("upos")]
        choices = [twin.candidates(words[i]) for i in range(1, len(short) + 1)]
        best = max(twin.sequence_score(words, list(tags)) for tags in product(*choices))
        assert twin.sequence_score(words, numbers) == best


def test_probabilities_of_tags(tagger: Tagger, twin: SlowTagger) -> None:
    """Of each tag given all others."""
    (given,) = sentences(blanked(first_sentences("test", 1), *TAGS))
    inverse_temperature = 0.01
    (((_, _, chances, _),),) = tagger.core.tag([given], False, inverse_temperature)
    assert chances is not None
    forms = given.column("form")
    words, tags = twin.words(forms), twin.search(twin.words(forms), len(forms))
    for i, tag in enumerate(tags, 1):
        scores = {}
        for other in twin.candidates(words[i]):
            changed = [FIRST, FIRST, *tags]
            changed[i + 1] = other
            around = range(i, min(i + 2, len(tags)) + 1)
            scores[other] = sum(
                twin.tag_scores(words, k, changed[k], changed[k - 1]).get(changed[k + 1], 0) for k in around
            )
        total = sum(math.exp(inverse_temperature * (score - scores[tag])) for score in scores.values())
        assert chances[i] == pytest.approx(1 / total, rel=1e-6)
