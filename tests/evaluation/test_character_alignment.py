"""Systems with other tokens or sentences: the scores are those of the official evaluator of CoNLL 2018."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.places import DATA
from support.treebanks import source
from wnparse.evaluation.evaluate import Evaluation, SystemEvaluation, evaluate
from wnparse.treebanks.parallel import read_groups
from wnparse.treebanks.reader import read

RELATIONS = ["nsubj", "nsubj:pass", "obj", "case", "det", "punct", "advmod", "aux", "cc", "mark", "flat:name"]
SCORES = {"uas": "UAS", "las": "LAS", "clas": "CLAS"}
TAGS = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "mlas": "MLAS",
    "blex": "BLEX",
}
SEGMENTS = {"tokens": "Tokens", "sentences": "Sentences", "words": "Words"}


def split(text: str, rng: random.Random, most: int) -> Iterator[str]:
    """Cut a text at random into pieces of at most so many characters."""
    at = 0
    while at < len(text):
        length = rng.randint(1, most)
        yield text[at : at + length]
        at += length


def annotate(text: str, rng: random.Random) -> str:
    """Cut a text into sentences, tokens and words, and give them random tags and trees."""
    lines = []
    for sentence in split(text, rng, 12):
        words: list[str] = []
        ranges: dict[int, tuple[int, str]] = {}
        for token in split(sentence, rng, 3):
            parts = [token]
            if rng.random() < 0.3:
                parts = [rng.choice([*token, "a", "B", "x y"]) for _ in range(rng.randint(1, 3))]
                ranges[len(words) + 1] = (len(words) + len(parts), token)
            words += parts
        order = rng.sample(range(1, len(words) + 1), len(words))  # heads come earlier in this order
        heads = {word: rng.choice(order[:place]) if place else 0 for place, word in enumerate(order)}
        for number, form in enumerate(words, 1):
            if number in ranges:
                last, token = ranges[number]
                lines.append(f"{number}-{last}\t{token}" + "\t_" * 8)
            relation = rng.choice(RELATIONS) if heads[number] else "root"
            shown = form if rng.random() < 0.9 or any(first <= number for first in ranges) else f"{form} "
            columns = [str(number), shown, rng.choice("ab_"), rng.choice("NV"), rng.choice("xy")]
            feats = rng.choice(["_", "Case=Nom", "Case=Nom|Own=1", "Case=Acc"])
            lines.append("\t".join([*columns, feats, str(heads[number]), relation, "_", "_"]))
        lines.append("")
    return "".join(line + "\n" for line in lines)


def evaluate_officially(gold: str, system: str) -> dict[str, float]:
    from udtools import udeval

    loaded = [udeval.load_conllu(io.StringIO(text), "file", {}) for text in (gold, system)]
    return {name: 100 * score.f1 for name, score in udeval.evaluate(*loaded).items()}


def figures(system: SystemEvaluation) -> dict[str, float | None]:
    assert system.segmentation is not None
    scores = {title: getattr(system.scores, name) for name, title in SCORES.items()}
    tags = {title: getattr(system.tags, name) for name, title in TAGS.items()}
    return {title: getattr(system.segmentation, name).f1 for name, title in SEGMENTS.items()} | scores | tags


def compare(gold: str, *systems: str) -> Evaluation:
    return evaluate(source(gold, "gold"), *(source(system, "system") for system in systems))


@pytest.mark.parametrize("seed", range(400))
def test_scores_are_those_of_the_official_evaluator(seed: int) -> None:
    pytest.importorskip("udtools", reason="udtools is not installed (dev extra)")
    rng = random.Random(seed)
    text = "".join(rng.choice("abAé…") for _ in range(rng.randint(1, 60)))
    gold, *systems = (annotate(text, rng) for _ in range(3))
    evaluation = compare(gold, *systems)
    if evaluation.same_words:  # with very short texts
        return
    for system, result in zip(systems, evaluation.systems, strict=True):
        expected = evaluate_officially(gold, system)
        for name, value in figures(result).items():
            assert (value or 0) == pytest.approx(expected[name], abs=1e-9), name
    assert not evaluation.systems[0].by_relation and not evaluation.systems[1].significance


@pytest.mark.parametrize("name", ["tr-imst", "pt-bosque", "en-ewt"])
def test_real_text_with_other_segments(name: str, treebanks: Path) -> None:
    pytest.importorskip("udtools", reason="udtools is not installed (dev extra)")
    sentences_read = zip(read(treebanks / name / "dev.conllu"), range(120), strict=False)
    gold = "".join(sentence.raw.decode() for sentence, _ in sentences_read)
    sentences = [sentence.splitlines() for sentence in gold.strip("\n").split("\n\n")]
    joined = []
    for number, lines in enumerate(sentences):
        rows = [line for line in lines if not line.startswith("#") and "." not in line.split("\t")[0]]
        if number % 3 == 1 and not any("-" in row.split("\t")[0] for row in [*rows, *joined[-1]]):
            joined[-1] += [_shift(row, len(joined[-1])) for row in rows]
        else:
            joined.append(rows)
    system = "".join("\n".join(rows) + "\n\n" for rows in joined)
    evaluation = compare(gold, system)
    expected = evaluate_officially(gold, system)
    for title, value in figures(evaluation.systems[0]).items():
        assert value == pytest.approx(expected[title], abs=1e-9), title


def _shift(row: str, words: int) -> str:
    """Number a word as part of a longer sentence; its root depends on the first word."""
    columns = row.split("\t")
    columns[0] = str(int(columns[0]) + words)
    columns[6] = str(int(columns[6]) + words) if columns[6] != "0" else "1"
    return "\t".join(columns)


def test_the_same_words_have_the_scores_of_single_sentences() -> None:
    text = Path(DATA / "dev.conllu").read_text().split("\n\n")[:20]
    gold = "\n\n".join(text) + "\n\n"
    assert compare(gold, gold).same_words
    # One sentence is cut into two; all others count as before.
    words = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n2\tc\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    pieces = (
        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n2\tc\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    )
    evaluation = compare(gold + words, gold + pieces)
    assert not evaluation.same_words
    (system,) = evaluation.systems
    assert system.segmentation is not None
    assert system.segmentation.sentences.recall == pytest.approx(100 * 20 / 21)
    same = evaluation.words - 2
    assert system.scores.uas == pytest.approx(100 * 2 * same / (2 * same + 2 + 3))  # the head of c is not aligned
    assert system.scores.uc is None


def test_words_that_are_not_scored_count_on_neither_side() -> None:
    gold = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n2\t!\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    system = (
        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n3\t!\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    )
    (result,) = evaluate(source(gold), source(system), ignore_upos=["PUNCT"]).systems
    assert (result.scores.words, result.scores.uas, result.tags.upos) == (1, 0, 0)
    (result,) = evaluate(source(gold), source(system)).systems
    assert result.tags.upos == pytest.approx(100 * 2 / 5)
    # A word without a head in gold is scored for its tag only.
    half = gold.replace("\t1\tpunct", "\t_\t_")
    (result,) = evaluate(read(io.BytesIO(half.encode())), source(system)).systems
    assert (result.scores.words, result.scores.uas) == (1, 0)
    assert result.tags.upos == pytest.approx(100 * 2 / 5)


def test_groups_are_as_small_as_possible() -> None:
    def sentence(*forms: str) -> str:
        return "".join(f"{i}\t{form}" + "\t_" * 8 + "\n" for i, form in enumerate(forms, 1)) + "\n"

    inputs = (
        sentence("a", "b") + sentence("c") + sentence("d") + sentence("e"),
        sentence("a") + sentence("b") + sentence("c") + sentence("d", "e"),
        sentence("ab") + sentence("c") + sentence("d") + sentence("e"),
    )
    groups = list(read_groups([read(io.BytesIO(text.encode())) for text in inputs], ["x", "y", "z"]))
    assert [list(map(len, group.inputs)) for group in groups] == [[1, 2, 1], [1, 1, 1], [2, 1, 2]]
    assert [group.same_words for group in groups] == [False, True, False]
