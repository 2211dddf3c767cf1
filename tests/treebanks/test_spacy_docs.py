"""Docs of spaCy: to and from sentences, and parsed like sentences."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

import wnparse
from support.places import DATA
from support.treebanks import THREE_WORDS, sentence, sentences
from wnparse.parser.model import Model
from wnparse.treebanks.sentence import Sentence

spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'wnparse[spacy]'")

TEXT = "The dog  barks at the cat.\n\nIt sleeps."


@pytest.fixture(scope="module")
def nlp() -> Any:
    return spacy.blank("en")


@pytest.fixture(scope="module")
def loaded(both: str) -> Model:
    """A model that tags and parses."""
    return wnparse.load(both)


def cells(doc: Any) -> list[tuple[Any, ...]]:
    """What is in the tokens of a Doc."""
    return [(t.text, t.pos_, t.tag_, t.lemma_, str(t.morph), t.head.i, t.dep_, t.is_sent_start) for t in doc]


def test_a_doc_has_what_its_sentence_has(nlp: Any) -> None:
    (given,) = sentences(THREE_WORDS)
    doc = given.to_spacy(nlp.vocab)
    assert cells(doc) == [
        ("The", "DET", "DT", "the", "Definite=Def", 1, "det", True),
        ("Dogs", "NOUN", "NNS", "dog", "Case=Nom|Number=Plur", 2, "nsubj", False),
        ("ran", "VERB", "VBD", "run", "Number=Plur|Tense=Past", 2, "ROOT", False),
    ]
    assert doc.text == "The Dogs ran " and [span.text for span in doc.sents] == ["The Dogs ran"]
    assert Sentence.from_spacy(doc).raw == given.raw


def test_trees_of_the_sample_come_back(nlp: Any) -> None:
    for given in wnparse.read(DATA / "test.conllu"):
        doc = given.to_spacy(nlp.vocab)
        back = Sentence.from_spacy(doc)
        assert len(list(doc.sents)) == 1
        for name in ("form", "lemma", "upos", "xpos", "feats", "head", "deprel"):
            assert back.column(name) == given.column(name), name
        if not given.multiword_tokens:
            assert back.text == given.text


def test_white_space_is_no_word(nlp: Any, loaded: Model) -> None:
    doc = nlp(TEXT)
    assert Sentence.from_spacy(doc).column("form") == TEXT.replace(".", " .").split()
    assert Sentence.from_spacy(doc[1:4]).column("form") == ["dog", "barks"]
    (parsed,) = loaded.parse([nlp(" The dog  barks.  ")])
    assert [(t.pos_, t.tag_, t.head.i) for t in parsed if t.is_space] == [
        ("SPACE", "_SP", 1), ("SPACE", "_SP", 2), ("SPACE", "_SP", 5)
    ]  # fmt: skip


def test_several_roots_and_missing_trees_keep_sentences_together(nlp: Any) -> None:
    doc = sentence("a b c d", [2, 0, 0, 3], "dep root root dep").to_spacy(nlp.vocab)
    assert [(t.head.i, t.dep_) for t in doc] == [(1, "dep"), (1, "ROOT"), (1, "root"), (2, "dep")]
    assert len(list(doc.sents)) == 1
    bare = Sentence.from_words(["a", "b"], heads=[0, None]).to_spacy(nlp.vocab)
    assert not bare.has_annotation("DEP") and len(list(bare.sents)) == 1
    assert Sentence.from_spacy(bare).column("head") == ["_", "_"]


def test_heads_without_relations_are_kept(nlp: Any) -> None:
    doc = sentence("a b c", [2, 0, 2], "_ _ _").to_spacy(nlp.vocab)
    assert [(t.head.i, t.dep_) for t in doc] == [(1, "dep"), (1, "ROOT"), (1, "dep")]


def test_tags_that_spacy_does_not_have_are_x(nlp: Any) -> None:
    doc = Sentence.from_words(["a", "b"], ["NN", None]).to_spacy(nlp.vocab)
    assert [token.pos_ for token in doc] == ["X", ""] and not doc.has_annotation("MORPH")


def test_multiword_tokens_are_tokens_without_spaces(nlp: Any) -> None:
    rest = "\t_" * 7
    text = f"1-2\tdel\t_{rest}\n1\tde\t_{rest}\n2\tel\t_{rest}\n3\tmar{rest}\tSpaceAfter=No\n4\t!\t_{rest}\n\n"
    assert sentences(text)[0].to_spacy(nlp.vocab).text == "deel mar! "


def test_empty_docs(nlp: Any, loaded: Model) -> None:
    docs = [nlp(""), nlp("  \n"), Sentence.from_words([]).to_spacy(nlp.vocab)]
    for call in (loaded.parse, loaded.tag):
        assert [doc.text for doc in call(docs)] == ["", "  \n", ""]
    assert len(Sentence.from_spacy(docs[0])) == len(Sentence.from_spacy(docs[1])) == 0


def test_docs_are_parsed_like_their_sentences(nlp: Any, loaded: Model) -> None:
    docs = [nlp("It sleeps ."), nlp(TEXT)]
    for token in docs[1]:
        token.is_sent_start = token.text == "It"
    before = list(map(cells, docs))
    for jobs in (1, 2):
        parsed = list(loaded.parse(docs, jobs=jobs))
        assert list(map(cells, docs)) == before  # the inputs are not changed
        assert [len(list(doc.sents)) for doc in parsed] == [1, 2]
        spans = [["It", "sleeps", "."], *(Sentence.from_spacy(span) for span in docs[1].sents)]
        expected: Any = loaded.parse(spans)
        for span, tree in zip([s for doc in parsed for s in doc.sents], expected, strict=True):
            found = Sentence.from_spacy(span)
            for name in ("form", "lemma", "upos", "xpos", "feats", "head", "deprel"):
                assert found.column(name) == tree.column(name), name


def test_a_tokenizer_finds_the_sentences_of_a_text(nlp: Any, loaded: Model) -> None:
    assert loaded.tokenizer is not None
    text = f"{TEXT}  {TEXT}"
    (parsed,) = loaded.parse([nlp(text)])
    assert [" ".join(span.text.split()) for span in parsed.sents] == [s.text for s in loaded.tokenize(text)]
    assert len(list(parsed.sents)) == 4
    (without,) = replace(loaded, tokenizer=None).parse([nlp(text)])
    assert len(list(without.sents)) == 1


def test_given_tags_are_kept(nlp: Any, loaded: Model) -> None:
    doc = nlp("It sleeps .")
    doc[1].pos_, doc[0].lemma_ = "ADJ", "that"
    (parsed,) = loaded.parse([doc])
    assert parsed[1].pos_ == "ADJ" and parsed[0].lemma_ == "that" and parsed[0].pos_ == "PRON"
    (again,) = loaded.parse([doc], retag=True)
    assert again[1].pos_ != "ADJ"


def test_a_tagger_finds_no_trees(nlp: Any, loaded: Model) -> None:
    (tagged,) = loaded.tag([nlp("It sleeps .")])
    assert [token.pos_ for token in tagged] == ["PRON", "VERB", "PUNCT"]
    assert not tagged.has_annotation("DEP") and len(list(tagged.sents)) == 1


def test_sentences_that_are_too_long_get_no_tree(nlp: Any, loaded: Model) -> None:
    doc = nlp(TEXT)
    for token in doc:
        token.is_sent_start = token.text == "It"
    (parsed,) = loaded.parse([doc], max_words=5)
    first, second = parsed.sents
    assert {token.dep_ for token in first if not token.is_space} == {"ROOT", ""}
    assert Sentence.from_spacy(first).column("head") == ["0", *"_" * 6]
    assert [token.dep_ for token in second].count("ROOT") == 1 and "" not in {token.dep_ for token in second}
    (none,) = loaded.parse([doc], max_words=1)
    assert not none.has_annotation("DEP") and len(list(none.sents)) == 2


def test_refuses_k_trees_of_a_doc(nlp: Any, loaded: Model) -> None:
    with pytest.raises(TypeError, match=r"one tree per sentence, not k; .*from_spacy"):
        list(loaded.parse([nlp("It sleeps")], k=2))  # type: ignore[call-overload]
    rankings = list(loaded.parse([Sentence.from_spacy(nlp("It sleeps"))], k=2))
    assert len(rankings[0]) == 2


def test_refuses_one_doc_and_its_pieces(nlp: Any, loaded: Model) -> None:
    doc = nlp("It sleeps")
    with pytest.raises(TypeError, match=r"not one Doc; put it into a list, \[doc\]"):
        loaded.parse(doc)
    for source in ([doc[:]], [doc[0]]):
        with pytest.raises(TypeError, match=r"sentence 1: expected .*, not (Span|Token) "):
            list(loaded.parse(source))


def test_docs_can_be_written_and_pickled(nlp: Any, loaded: Model, tmp_path: Any) -> None:
    docs = list(loaded.parse([nlp("It sleeps ."), nlp("The dog barks .")]))
    wnparse.write(docs, tmp_path / "a.conllu")
    assert [tree.annotated for tree in wnparse.read(tmp_path / "a.conllu")] == [True, True]
    assert cells(pickle.loads(pickle.dumps(docs[0]))) == cells(docs[0])
