"""Thousands of tags: what a model can hold is checked before training, and tags cost no more than they must."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import sentences
from wnparse.errors import TreebankError
from wnparse.parser.model import Model, load
from wnparse.storage.strict_json import LONGEST_NAME
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger, measure_tags
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.label_names import MOST_LABELS

WORDS = 10  # of a sentence


def treebank(count: int, values: Callable[[int], dict[str, str]]) -> str:
    """Words w0, w1, ... with columns of their own, ten in a sentence."""
    rows = []
    for k in range(count):
        cells = {"lemma": "_", "upos": "X", "xpos": "_", "feats": "_", "deprel": "dep", **values(k)}
        place = k % WORDS + 1
        tags = "\t".join(cells[name] for name in ("lemma", "upos", "xpos", "feats"))
        rows.append(f"{place}\tw{k}\t{tags}\t{place - 1}\t{cells['deprel']}\t_\t_\n")
    return "".join(row + ("\n" if k % WORDS == WORDS - 1 else "") for k, row in enumerate(rows)) + "\n"


TOO_MANY = MOST_LABELS + 10 - MOST_LABELS % WORDS  # and whole sentences


@pytest.mark.parametrize(
    "values, options, keywords",
    [
        (lambda k: {"upos": f"T{k}"}, [], [b"32,770 tags (UPOS)", b"merge"]),
        (lambda k: {"xpos": f"T{k}"}, ["--only", "tagger"], [b"32,770 tags (XPOS)", b"blank XPOS"]),
        (lambda k: {"feats": f"F=V{k}"}, [], [b"32,770 combinations of FEATS", b"blank"]),
        (
            lambda k: {"feats": f"F=V{k // 2}", "xpos": f"{k % 2}"},
            [],
            [b"combinations of XPOS and FEATS"],
        ),
        (lambda k: {"deprel": f"r{k}"}, ["--only", "parser"], [b"32,770 relations", b"--unlabelled"]),
        (lambda k: {"deprel": f"r{k}"}, [], [b"32,770 relations", b"subtypes"]),
    ],
)
def test_too_many_labels_are_refused_before_training(
    wnparse_inside: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    values: Callable[[int], dict[str, str]],
    options: list[str],
    keywords: list[bytes],
) -> None:
    for name in ("wnparse.training.jackknife.learn_tagger", "wnparse.training.train.learn_tagger"):
        monkeypatch.setattr(name, lambda *_, **__: pytest.fail("training has begun"))
    (tmp_path / "t.conllu").write_text(treebank(TOO_MANY, values))
    done = wnparse_inside("train", "t.conllu", "-o", "m.wnp", *options)
    assert done.returncode == 1
    *notices, error = done.stderr.splitlines()
    assert all(keyword in error for keyword in [*keywords, b"at most 32,767"])
    assert all(b"no tokenizer is trained" in notice for notice in notices)
    assert not (tmp_path / "m.wnp").exists()


@pytest.mark.parametrize("column", ["upos", "xpos", "feats", "deprel"])
@pytest.mark.parametrize("value", ["", "x" * (LONGEST_NAME + 1), "a\rb"])
def test_refuses_names_that_a_model_cannot_store_with_their_line(column: str, value: str) -> None:
    text = treebank(20, lambda k: {column: value if k == 12 else "x"})
    given = [*sentences(text)]
    with pytest.raises(TreebankError) as caught:
        Lessons(given) if column != "deprel" else Trainer(given, None, TrainOptions())
    assert caught.value.line == 14 and "\n" not in str(caught.value)


def test_empty_values_of_feats_are_left_out(tmp_path: Path) -> None:
    given = [*sentences(treebank(20, lambda k: {"feats": "|Case=Nom||Number=Sing|"}))]
    lessons = Lessons(given)
    assert lessons.bundles.values == ["Case=Nom", "Number=Sing"]
    tagger = learn_tagger(lessons, TaggerOptions(epochs=1, lemma_epochs=1))
    assert tagger is not None
    Model(tagger=tagger).save(tmp_path / "m.wnp")
    assert [sentence.raw for sentence in load(tmp_path / "m.wnp").tag(given, retag=True)] == [
        sentence.raw for sentence in given
    ]


def seconds(work: Callable[[], object]) -> float:
    """Measure the time of this process: others may be busy."""
    start = time.process_time()
    work()
    return time.process_time() - start


def test_thousands_of_tags_are_learned_and_weighed(tmp_path: Path) -> None:
    """A word costs as much as it has candidates; its probability took the square of the number of tags."""
    known = [*sentences(treebank(6_000, lambda k: {"upos": f"T{k}"}))]
    unknown = [*sentences(treebank(1_000, lambda k: {"upos": f"T{k}"}).replace("\tw", "\tv"))]
    lessons = Lessons([*known * 3, *unknown])
    taggers = []
    assert seconds(lambda: taggers.append(learn_tagger(lessons, TaggerOptions(epochs=2, lemma_epochs=1)))) < 10
    (tagger,) = taggers
    assert tagger is not None
    assert measure_tags(tagger, known, tagger.tag(known, retag=True))["UPOS"] > 99
    assert seconds(lambda: finish_tagger(tagger, unknown[:20])) < 2
    Model(tagger=tagger).save(tmp_path / "m.wnp")
    again = load(tmp_path / "m.wnp").tag(unknown, retag=True, confidence=True)
    assert [sentence.raw for sentence in again] == [
        sentence.raw for sentence in tagger.tag(unknown, retag=True, confidence=True)
    ]
