"""Scores of tags and lemmas, MLAS and BLEX: by hand and by the official evaluator."""

from __future__ import annotations

import io
import itertools
import json
import random
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import sentences
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.tag_scores import universal_features
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence

METRICS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "MLAS", "BLEX")
GOLD = (
    "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n"
    "2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur|Odd=Yes\t3\tnsubj\t_\t_\n"
    "3\tbark\t_\tVERB\tVB\tMood=Ind|Tense=Pres\t0\troot\t_\t_\n\n"
)


def official(gold: str, system: str) -> dict[str, float]:
    from udtools import udeval

    files = [udeval.load_conllu(io.StringIO(text), "text", {"multiple_roots_okay": 1}) for text in (gold, system)]
    metrics = udeval.evaluate(*files)
    return {metric.lower(): 100 * metrics[metric].f1 for metric in METRICS}


def scores_of(gold: str, system: str) -> dict[str, float | None]:
    scores = evaluate(sentences(gold), sentences(system)).systems[0].tags
    return {metric.lower(): getattr(scores, metric.lower()) for metric in METRICS}


def test_identical_tags_score_100() -> None:
    assert set(scores_of(GOLD, GOLD).values()) == {100}


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("DET", "PRON", {"upos": 1, "alltags": 1, "mlas": 1}),  # a function word of "dogs"
        ("NNS", "NN", {"xpos": 1, "alltags": 1}),
        ("Odd=Yes", "Odd=No", {}),
        ("Mood=Ind|Tense=Pres", "Tense=Pres|Mood=Ind", {}),
        ("Number=Plur", "Number=Sing", {"ufeats": 1, "alltags": 1, "mlas": 1}),
        ("\tdog\t", "\tdogs\t", {"lemmas": 1, "blex": 1}),
        ("bark\t_", "bark\tbark", {}),  # gold leaves it open
    ],
)
def test_a_wrong_value_lowers_the_right_metrics(old: str, new: str, wrong: dict[str, int]) -> None:
    assert GOLD.count(old) == 1
    words = {"mlas": 2, "blex": 2}
    expected = {
        metric.lower(): pytest.approx(100 * (1 - wrong.get(metric.lower(), 0) / words.get(metric.lower(), 3)))
        for metric in METRICS
    }
    assert scores_of(GOLD, GOLD.replace(old, new)) == expected
    assert scores_of(GOLD, GOLD.replace(old, new)) == official(GOLD, GOLD.replace(old, new))


def test_universal_features_are_sorted() -> None:
    assert universal_features("Tense=Past|Odd=1|Mood=Ind") == "Mood=Ind|Tense=Past"
    assert universal_features("_") == ""


def damaged(sentence: Sentence, rng: random.Random) -> str:
    """The sentence with other tags, lemmas and, at the leaves, heads here and there."""
    leaves = set(range(1, len(sentence) + 1)) - set(sentence.heads.tolist())
    rows = []
    for line in sentence.raw.decode().split("\n"):
        cells = line.split("\t")
        if cells[0].isdigit():
            for column, other in ((2, "x"), (3, "NOUN"), (4, "NN"), (5, "Case=Nom|Number=Sing"), (7, "det")):
                if rng.random() < 0.1:
                    cells[column] = rng.choice([other, "_"])
            if int(cells[0]) in leaves and rng.random() < 0.2:
                cells[6] = str(rng.choice([k for k in range(len(sentence) + 1) if k not in leaves]))
        rows.append("\t".join(cells))
    return "\n".join(rows)


@pytest.mark.parametrize("treebank", ["en-ewt", "pt-bosque", "grc-agldt", "nl-alpino-cdb", "tr-imst"])
def test_equals_the_official_evaluator_on_treebanks(treebank: str, treebanks: Path) -> None:
    rng = random.Random(treebank)
    chosen = itertools.islice(
        (sentence for sentence in read(treebanks / treebank / "dev.conllu") if len(sentence)), 150
    )
    pairs = [(sentence.raw.decode(), damaged(sentence, rng)) for sentence in chosen]
    gold, system = ("".join(side) for side in zip(*pairs, strict=True))
    scores = scores_of(gold, system)
    assert scores == official(gold, system)
    assert 0 < (scores["alltags"] or 0) < (scores["upos"] or 0) < 100


def test_scores_unseen_words_separately(wnparse_inside: Run, tmp_path: Path) -> None:
    system = GOLD.replace("NOUN", "VERB").replace("\tthe\t", "\tThe\t")
    for name, text in (("gold", GOLD), ("system", system), ("train", GOLD.replace("dogs", "cats"))):
        (tmp_path / name).write_text(text)
    output = wnparse_inside("eval", "gold", "system", "--unseen-from", "train", "--by", "upos", "--json").stdout
    (scores,) = json.loads(output)["systems"]
    assert scores["unseen_tags"] | {"mlas": 0, "blex": 0} == {
        "words": 1, "upos": 0, "xpos": 100, "ufeats": 100, "alltags": 0, "lemmas": 100, "mlas": 0, "blex": 0,
    }  # fmt: skip
    assert scores["tag_confusion"] == {"DET": {"DET": 1}, "NOUN": {"VERB": 1}, "VERB": {"VERB": 1}}
    assert scores["by_upos"]["VERB"]["precision"] == 50
    shown = wnparse_inside("eval", "gold", "system", "--unseen-from", "train", "--by", "upos").stdout.decode()
    assert "Tags and lemmas of 1 words" in shown
    assert "NOUN as VERB" in shown
    page = wnparse_inside("eval", "gold", "system", "--html", "-").stdout.decode()
    assert "Tags of system" in page


def test_does_not_score_ignored_tags() -> None:
    result = evaluate(sentences(GOLD), sentences(GOLD.replace("DT", "X")), ignore_upos={"DET"})
    assert result.systems[0].tags.words == 2
    assert result.systems[0].tags.xpos == 100
