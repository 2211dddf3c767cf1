"""A finished tagger compared with a slow reference and with enumeration."""

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
def reference(tagger: Tagger) -> SlowTagger:
    return SlowTagger(tagger)


def agree(tagger: Tagger, reference: SlowTagger, given: list[Sentence]) -> None:
    for sentence in tagger.tag(given):
        expected = reference.tag(sentence.column("form"))
        assert {name: sentence.column(name) for name in expected} == expected


def test_agrees_with_the_reference_on_the_test_set(tagger: Tagger, reference: SlowTagger) -> None:
    agree(tagger, reference, sentences(blanked(first_sentences("test", 12), *TAGS)))


def test_agrees_with_the_reference_on_words_of_all_kinds(tagger: Tagger, reference: SlowTagger) -> None:
    agree(tagger, reference, [bare(*STRANGE), *(bare(form) for form in STRANGE)])


def test_agrees_with_the_reference_on_unseen_classes(sample: list[Sentence]) -> None:
    """Without a threshold values are often better by themselves."""
    tagger = learn_tagger(Lessons(sample[:80]), TaggerOptions(epochs=2, threshold=0.0), limits=Limits(seen=1))
    assert tagger is not None
    given = sentences(blanked(first_sentences("test", 8), *TAGS))
    agree(tagger, SlowTagger(tagger), given)
    seen = set(tagger.names["bundles"])
    assert any(feats not in seen for sentence in tagger.tag(given) for feats in sentence.column("feats"))


def test_a_wide_beam_finds_the_best_of_all_sequences(tagger: Tagger, reference: SlowTagger) -> None:
    exact = replace(tagger, beam=10_000, drop=2**30)
    given = [
        sentence for sentence in sentences(blanked(first_sentences("test", 60), *TAGS)) if len(sentence) <= 7
    ][:4]
    assert given
    for sentence in given:
        short = bare(*sentence.column("form")[:3])
        words = reference.words(short.column("form"))
        (result,) = exact.tag([short])
        numbers = [tagger.names["tags"].index(tag) for tag in result.column("upos")]
        choices = [reference.candidates(words[i]) for i in range(1, len(short) + 1)]
        best = max(reference.sequence_score(words, list(tags)) for tags in product(*choices))
        assert reference.sequence_score(words, numbers) == best


def test_agrees_with_the_reference_on_probabilities(tagger: Tagger, reference: SlowTagger) -> None:
    """Compare the probability of each tag given all others."""
    (given,) = sentences(blanked(first_sentences("test", 1), *TAGS))
    inverse_temperature = 0.01
    (((_, _, probabilities, _),),) = tagger.core.tag([given], False, inverse_temperature)
    assert probabilities is not None
    forms = given.column("form")
    words, tags = reference.words(forms), reference.search(reference.words(forms), len(forms))
    for i, tag in enumerate(tags, 1):
        scores = {}
        for other in reference.candidates(words[i]):
            changed = [FIRST, FIRST, *tags]
            changed[i + 1] = other
            around = range(i, min(i + 2, len(tags)) + 1)
            scores[other] = sum(
                reference.tag_scores(words, k, changed[k], changed[k - 1]).get(changed[k + 1], 0) for k in around
            )
        total = sum(math.exp(inverse_temperature * (score - scores[tag])) for score in scores.values())
        assert probabilities[i] == pytest.approx(1 / total, rel=1e-6)
