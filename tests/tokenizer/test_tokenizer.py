"""Splitting text: the core does what a slow reference does, and loses nothing; learning is repeatable."""

from __future__ import annotations

import functools
import io
import pickle
import random
import time

import numpy as np
import pytest

from support.places import DATA
from support.tokenizer_oracles import TokenizerOracle
from wnparse.tokenizer.split_scripts import Casing, choose_place, learn_casing, make_script, parse_script
from wnparse.tokenizer.tokenizer import Token, Tokenizer
from wnparse.tokenizer.training import TokenizerLessons, TokenizerOptions, learn_tokenizer
from wnparse.tokenizer.treebank_text import join_paragraphs, read_sentence_text
from wnparse.treebanks.reader import Reader, read
from wnparse.treebanks.sentence import Sentence

PIECES = [
    *" \n\t.,!?'\"-()«»…:;/@&%$€0123", "\u00a0", "\u3000", "\u200d", "\u0301", "\ufeff", "\x00", "\x1b",
    "\ud800", "\u202e", "the", "The", "THE", "dog", "isn't", "didn't", "U.S.", "Mr.", "www.a.org", "http://x.y/z",
    "a@b.c", "3.14", "1,000", "你好", "世界。", "ひらがな", "カタカナ", "ภาษาไทย", "שלום", "مرحبا؟",
    "\U0001f600", "\U0001f468\u200d\U0001f469", "İstanbul", "ß", "Ǆ", "e\u0301", "...", "--", "!!!",
    "dámelo", "nas", "zum",
]  # fmt: skip


@functools.cache
def sample() -> tuple[Sentence, ...]:
    return tuple(Reader([DATA / "train.conllu"], heads="ignored"))


@functools.cache
def tokenizer() -> Tokenizer:
    learned = learn_tokenizer(TokenizerLessons(sample()), TokenizerOptions(epochs=3))
    assert learned is not None
    return learned


def random_text(rng: random.Random) -> str:
    forms = [form for sentence in rng.sample(sample(), 3) for form in sentence.column("form")]
    pieces = rng.choices([*PIECES, *forms, *[" "] * 30], k=rng.randrange(60))
    return "".join(pieces)


@pytest.mark.parametrize("seed", range(60))
def test_splits_as_the_reference_does(seed: int) -> None:
    oracle, rng = TokenizerOracle(tokenizer()), random.Random(f"split {seed}")
    for _ in range(5):
        text = random_text(rng)
        assert tokenizer().split(text) == oracle.split(text), repr(text)
        (expected,) = oracle.split(text, one_sentence=True) or [[]]
        assert tokenizer().split_sentence(text) == expected, repr(text)


@pytest.mark.parametrize("seed", range(20))
def test_every_character_is_in_one_token(seed: int) -> None:
    text = random_text(random.Random(f"characters {seed}"))
    at = 0
    for sentence in tokenizer().split(text):
        assert sentence
        for token in sentence:
            assert at <= token.begin < token.end
            assert not text[at : token.begin].strip()
            assert not any(map(str.isspace, text[token.begin : token.end]))
            at = token.end
    assert not text[at:].strip()


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
def test_white_space_has_no_sentences(text: str) -> None:
    assert tokenizer().split(text) == []
    assert tokenizer().split_sentence(text) == []


@pytest.mark.parametrize("piece", ["a", ".", "你", "a.", "\U0001f600", "(", "1,"])
def test_long_text_without_spaces_takes_linear_time(piece: str) -> None:
    seconds = []
    for count in (20_000, 160_000):
        text = piece * count
        start = time.process_time()
        tokenizer().core.split(text)
        seconds.append(time.process_time() - start)
    assert seconds[1] < 24 * seconds[0] + 0.2  # 8 times as long; the machine may be busy


def test_learns_the_sample() -> None:
    paragraphs = TokenizerLessons(tuple(Reader([DATA / "dev.conllu"], heads="ignored"))).paragraphs
    right = total = right_ends = ends = 0
    for number, paragraph in enumerate(paragraphs):
        sentences = tokenizer().split(paragraph.text)
        tokens = [token for sentence in sentences for token in sentence]
        gold = list(map(Token, paragraph.begins, paragraph.ends, paragraph.words))
        right += len(set(tokens) & set(gold))
        total += max(len(tokens), len(gold))
        gold_ends = {end for end, last in zip(paragraph.ends, paragraph.last, strict=True) if last}
        right_ends += len(gold_ends & {sentence[-1].end for sentence in sentences})
        ends += len(gold_ends)
        assert number >= 0
    assert right > 0.97 * total
    assert right_ends > 0.9 * ends


def test_same_bytes() -> None:
    first, second = (learn_tokenizer(TokenizerLessons(sample()), TokenizerOptions(epochs=2)) for _ in range(2))
    other = learn_tokenizer(TokenizerLessons(sample()), TokenizerOptions(epochs=2, seed=2))
    assert first and second and other
    assert first.header() == second.header()
    assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
    assert any(not np.array_equal(first.arrays[name], other.arrays[name]) for name in first.arrays)


def test_can_be_stopped() -> None:
    calls = iter([False, False, True])
    assert learn_tokenizer(TokenizerLessons(sample()), TokenizerOptions(), stop=lambda: next(calls)) is None


def test_pickles() -> None:
    copied = pickle.loads(pickle.dumps(tokenizer()))
    text = "She didn't come. The dog (old) barks!"
    assert copied.split(text) == tokenizer().split(text)


# The text of a treebank.

TREEBANK = """\
# newdoc id = a
# newpar
# text = Dámelo, ya.
1-3\tDámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tDa\t_\t_\t_\t_\t_\t_\t_\t_
2\tme\t_\t_\t_\t_\t_\t_\t_\t_
3\tlo\t_\t_\t_\t_\t_\t_\t_\t_
4\t,\t_\t_\t_\t_\t_\t_\t_\t_
5\tya\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
6\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No

# text = Sí 10 000
1\tSí\t_\t_\t_\t_\t_\t_\t_\t_
1.1\tvoy\t_\t_\t_\t_\t_\t_\t_\t_
2\t10 000\t_\t_\t_\t_\t_\t_\t_\t_

# newdoc_id = b
1\tNo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\t!\t_\t_\t_\t_\t_\t_\t_\t_

"""


def texts_of(treebank: str) -> list[Sentence]:
    return list(read(io.BytesIO(treebank.encode()), heads="ignored"))


def test_rebuilds_the_text_of_a_treebank() -> None:
    first, second = join_paragraphs([read_sentence_text(sentence) for sentence in texts_of(TREEBANK)])
    assert first.text == "Dámelo, ya.Sí 10 000" and second.text == "No!"
    tokens = [first.text[b:e] for b, e in zip(first.begins, first.ends, strict=True)]
    assert tokens == ["Dámelo", ",", "ya", ".", "Sí", "10", "000"]
    assert first.words == [("Da", "me", "lo"), *[None] * 6]
    assert first.last == [False, False, False, True, False, False, True]


def test_spaces_of_the_text_count() -> None:
    words = "".join(f"{number}\t{form}" + "\t_" * 8 + "\n" for number, form in enumerate("你好。", 1))
    lines = f"# text = 你好。\n{words}\n"
    (paragraph,) = join_paragraphs([read_sentence_text(sentence) for sentence in texts_of(lines)])
    assert paragraph.text == "你好。" and paragraph.ends == [1, 2, 3]
    assert TokenizerLessons(texts_of(lines)).describes_text


@pytest.mark.parametrize("comment", ["", "# text = a b .\n"])
def test_treebank_that_does_not_describe_its_text(comment: str) -> None:
    rows = "".join(f"{i}\t{form}" + 8 * "\t_" + "\n" for i, form in enumerate("ab.", 1))
    lessons = TokenizerLessons(texts_of(comment + rows + "\n"))
    assert not lessons.describes_text and not lessons.paragraphs


# Words of multiword tokens.


@pytest.mark.parametrize(
    ("form", "words", "other", "expected"),
    [
        ("dámelo", ("da", "me", "lo"), "Dímelo", None),
        ("cómpralo", ("compra", "lo"), "Míralo", ("Mira", "lo")),
        ("evdeki", ("evde", "ki"), "yerdeki", ("yerde", "ki")),
        ("don't", ("do", "n't"), "Didn't", ("Did", "n't")),
        ("nas", ("em", "as"), "nas", ("em", "as")),
    ],
)
def test_scripts(form: str, words: tuple[str, ...], other: str, expected: tuple[str, ...] | None) -> None:
    script = make_script(form, words, 0)
    assert parse_script(script.text()) == script
    assert script.apply(form, Casing()) == words
    if expected:
        assert script.apply(other, Casing()) == expected


def test_casing_of_other_words() -> None:
    script = make_script("no", ("em", "o"), 0)
    assert script.apply("No", Casing(title=True)) == ("Em", "o")
    assert script.apply("NO", Casing(upper=True)) == ("EM", "O")
    assert script.apply("No", Casing()) == ("em", "o")
    assert learn_casing([("No", ("Em", "o")), ("NO", ("em", "o"))]) == Casing(title=True, upper=False)


def test_the_word_with_the_letters_of_the_form() -> None:
    assert choose_place([("evdeki", ("evde", "ki")), ("yerdeki", ("yerde", "ki"))]) == 0
    assert choose_place([("wbyt", ("w", "byt")), ("wgdl", ("w", "gdl"))]) == -1


@pytest.mark.parametrize(
    "text",
    [
        *("", "a\tb", "\t\t0\t\t\t", "\t\tx\t\t\t\tb", "\t\t2\t\t\t\tb", "\t\t0\tx\t\t\tb"),
        *("\t\t0\t\t\t\t", "\t\t-2\t\t\t\tb", "\t\t0\t\t\t\tb\nc", "\t\t0\t\t\t\t\0"),
    ],
)
def test_refuses_what_is_no_script(text: str) -> None:
    with pytest.raises(ValueError, match="not a script"):
        parse_script(text)
