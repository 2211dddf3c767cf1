"""The best sequences of tags, compared with enumeration."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from support.places import DATA
from support.tag_learners import EVERY, EVERYTHING, learner_of
from support.treebanks import sentences
from wnparse._core.tagger_learner import TagLearner
from wnparse.parser.model import load
from wnparse.tagger.tagger import FARTHEST, Tagger
from wnparse.tagger.training import Lessons
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence, parse_sentence

FAR = 1e9


@pytest.fixture(scope="module")
def short(sample: list[Sentence]) -> Lessons:
    return Lessons(sorted(sample, key=len)[:60])


@pytest.fixture(scope="module")
def learner(short: Lessons) -> TagLearner:
    trained = learner_of(short, EVERY, EVERYTHING)
    trained.learn(np.arange(len(short), dtype=np.int32))
    return trained


@pytest.fixture(scope="module")
def calibrated(only_tags: str) -> Tagger:
    loaded = load(only_tags).tagger
    assert loaded is not None
    return loaded


def best_of_each_tag(learner: TagLearner, number: int, size: int, tags: int) -> dict[tuple[int, int], float]:
    """The best score of all sequences in which a word has a tag."""
    best: dict[tuple[int, int], float] = {}
    for sequence in product(range(tags), repeat=size):
        score = learner.score(number, sequence)
        for key in enumerate(sequence):
            best[key] = max(best.get(key, -np.inf), score)
    return best


def test_each_other_tag_has_its_best_sequence(short: Lessons, learner: TagLearner) -> None:
    checked = 0
    for number, sentence in enumerate(short.sentences):
        if len(sentence) not in (2, 3):
            continue
        best, _ = learner.find(number)
        expected = best_of_each_tag(learner, number, len(sentence), len(short.names))
        alternatives = learner.alternatives(number, EVERY, FAR)
        for tags, score in alternatives:
            assert learner.score(number, tags) == pytest.approx(score, abs=1e-3)
        for (word, tag), score in expected.items():
            if tag == best[word]:
                continue
            among = [value for tags, value in alternatives if tags[word] == tag]
            assert max(among) == pytest.approx(score, abs=1e-3)
            checked += 1
    assert checked > 100


def test_alternatives_are_ordered_and_limited(short: Lessons, learner: TagLearner) -> None:
    for number in range(len(short)):
        best, top = learner.find(number)
        alternatives = learner.alternatives(number, EVERY, FAR)
        scores = [score for _, score in alternatives]
        assert scores == sorted(scores, reverse=True)
        sequences = [tuple(best), *(tuple(tags) for tags, _ in alternatives)]
        assert len(set(sequences)) == len(sequences)
        assert learner.alternatives(number, 3, FAR) == alternatives[:3]
        gap = top - scores[len(scores) // 2]
        assert learner.alternatives(number, EVERY, gap) == [
            alternative for alternative in alternatives if top - alternative[1] <= gap
        ]
        assert learner.alternatives(number, 0, FAR) == []


def test_scores_of_a_narrow_beam_are_those_of_its_sequences(short: Lessons) -> None:
    narrow = learner_of(short, 2, EVERYTHING)
    narrow.learn(np.arange(20, dtype=np.int32))
    some = 0
    for number in range(len(short)):
        for tags, score in narrow.alternatives(number, EVERY, FAR):
            assert narrow.score(number, tags) == pytest.approx(score, abs=1e-3)
            some += 1
    assert some


def test_the_first_alternative_is_that_of_tag(calibrated: Tagger, bare: bytes) -> None:
    given = sentences(bare)
    ways = calibrated.alternatives(given, 5)
    assert [first.sentence.raw for first, *_ in ways] == [sentence.raw for sentence in calibrated.tag(given)]
    assert max(map(len, ways)) > 1
    for alternatives in ways:
        odds = [way.odds for way in alternatives]
        assert odds[0] == 0
        assert odds == sorted(odds, reverse=True)
        assert odds[-1] >= -FARTHEST - 1e-6
        tags = [way.sentence.column("upos") for way in alternatives]
        assert len(set(map(tuple, tags))) == len(tags) <= 5


def test_given_tags_are_the_same_in_all_alternatives(calibrated: Tagger, bare: bytes) -> None:
    """Every second word has its tag."""
    tagged = calibrated.tag(sentences(bare))
    text = bytearray()
    for alternative in tagged:
        for number, line in enumerate(alternative.raw.split(b"\n")):
            cells = line.split(b"\t")
            if len(cells) == 10 and number % 2:
                cells[2:6] = [b"_"] * 4
            text += b"\t".join(cells) + b"\n"
        del text[-1]
    given = sentences(bytes(text))
    some = 0
    for sentence, ways in zip(given, calibrated.alternatives(given, 4), strict=True):
        for way in ways:
            pairs = zip(sentence.column("upos"), way.sentence.column("upos"), strict=True)
            assert all(before in ("_", after) for before, after in pairs)
        some += len(ways) > 1
    assert some


def test_fully_tagged_sentences_have_one_alternative(tagger: Tagger, sample: list[Sentence]) -> None:
    assert [len(ways) for ways in tagger.alternatives(sample[:40], 4)] == [1] * 40


def test_odds_agree_with_probabilities(calibrated: Tagger, bare: bytes) -> None:
    """Where one word alone has another tag, the odds of the two are those of its probability."""
    given = sentences(bare)
    close = 0
    for best, *others in calibrated.core.tag(
        given, False, calibrated.unit_inverse_temperature, 9, calibrated.drop
    ):
        probabilities = best[2]
        assert probabilities is not None
        tags = parse_sentence(best[0]).column("upos")
        for raw, _, _, behind in others:
            pairs = zip(tags, parse_sentence(raw).column("upos"), strict=True)
            differing = [i for i, (one, other) in enumerate(pairs, 1) if one != other]
            if len(differing) != 1:
                continue
            probability, odds = (
                probabilities[differing[0]],
                math.exp(-calibrated.unit_inverse_temperature * behind),
            )
            assert odds <= (1 - probability) / probability * (1 + 1e-6)
            close += math.isclose(odds, (1 - probability) / probability, rel_tol=1e-6)
    assert close


def one_sentence(forms: list[str]) -> Sentence:
    rows = "".join(f"{i}\t{form}" + "\t_" * 8 + "\n" for i, form in enumerate(forms, 1))
    (sentence,) = sentences(rows + "\n")
    return sentence


def test_refuses_a_sentence_without_end(calibrated: Tagger) -> None:
    """Scores of a hundred thousand words would not fit; its last words have the tags that they have alone."""
    forms = [form for sentence in read(DATA / "train.conllu") for form in sentence.column("form")] * 4
    forms = forms[:100_000]
    (whole,) = calibrated.tag([one_sentence(forms)])
    (end,) = calibrated.tag([one_sentence(forms[-2_000:])])
    assert whole.column("upos")[-1_900:] == end.column("upos")[-1_900:]
    assert len(set(whole.column("upos"))) > 5
    (ways,) = calibrated.alternatives([one_sentence(forms)], 3)
    assert [way.odds for way in ways] == sorted((way.odds for way in ways), reverse=True)
    assert len(ways) == 3
