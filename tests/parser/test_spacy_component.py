"""The component of spaCy's pipelines: it fills Docs as `Model.parse` does, and is stored with its pipeline."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import wnparse

spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'wnparse[spacy]'")

TEXTS = ["The dog barks.  It sleeps.", "", " \n", "The cat sleeps in the house.\n\nThe dog sees it."]


def pipeline(path: str, **options: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("wnparse", config={"model": path, "options": options})
    return nlp


def cells(doc: Any) -> list[tuple[Any, ...]]:
    """What is in the tokens of a Doc."""
    return [(t.text, t.pos_, t.tag_, t.lemma_, str(t.morph), t.head.i, t.dep_, t.is_sent_start) for t in doc]


def test_fills_docs_as_a_model_does(both: str) -> None:
    nlp, model = pipeline(both), wnparse.load(both)
    assert model.tokenizer is not None
    blank = spacy.blank("en")
    for text in TEXTS:
        doc = nlp(text)
        (expected,) = model.parse([blank(text)])
        assert cells(doc) == cells(expected)
        words = [token for token in doc if not token.is_space]
        assert all(token.pos_ and token.dep_ for token in words)
        assert len(list(doc.sents)) == (2 if words else len(doc) > 0)
        assert sum(token.dep_ == "ROOT" for token in words) == (2 if words else 0)


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_batches_do_not_matter(both: str, batch_size: int) -> None:
    nlp = pipeline(both, jobs=2)
    docs = list(nlp.pipe(TEXTS * 2, batch_size=batch_size))
    assert list(map(cells, docs)) == [cells(nlp(text)) for text in TEXTS * 2]
    pairs = nlp.pipe([(text, number) for number, text in enumerate(TEXTS)], as_tuples=True, batch_size=batch_size)
    assert [(doc.text, number) for doc, number in pairs] == [(text, i) for i, text in enumerate(TEXTS)]


def test_is_stored_with_its_pipeline(both: str, tmp_path: Path) -> None:
    nlp = pipeline(both, retag=True)
    nlp.to_disk(tmp_path / "nlp")
    loaded = spacy.load(tmp_path / "nlp")
    assert loaded.config["components"]["wnparse"]["model"] == both
    for other in (loaded, pickle.loads(pickle.dumps(nlp))):
        assert list(map(cells, other.pipe(TEXTS))) == list(map(cells, nlp.pipe(TEXTS)))


def test_other_components_come_first_and_their_tags_stay(both: str) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": [";"]})
    nlp.add_pipe("attribute_ruler").add(patterns=[[{"LOWER": "dog"}]], attrs={"POS": "PROPN"})
    nlp.add_pipe("wnparse", config={"model": both})
    doc = nlp("The dog barks . It sleeps ;")
    assert len(list(doc.sents)) == 1 and doc[1].pos_ == "PROPN"
    assert nlp.analyze_pipes()["problems"]["wnparse"] == []


def test_a_model_without_a_parser_tags(only_tags: str) -> None:
    doc = pipeline(only_tags)("The dog sleeps.")
    (expected,) = wnparse.load(only_tags).tag([["The", "dog", "sleeps", "."]])
    assert [token.pos_ for token in doc] == expected.column("upos")
    assert not doc.has_annotation("DEP") and len(list(doc.sents)) == 1


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({}, Exception, "model"),
        ({"model": "no/such.wnp"}, FileNotFoundError, r"no/such\.wnp"),
        ({"options": {"decoder": "x"}}, ValueError, "unknown decoder 'x'"),
        ({"options": {"k": 2}}, ValueError, "leave out the option k"),
    ],
)
def test_refuses_wrong_configurations(
    both: str, config: dict[str, Any], error: type[Exception], message: str
) -> None:
    if "options" in config:
        config = {"model": both, **config}
    with pytest.raises(error, match=message):
        spacy.blank("en").add_pipe("wnparse", config=config)
