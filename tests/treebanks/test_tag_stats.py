"""Counts of tags, relations and features, against a count over the lines of files that shares no code."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import wnparse
from support.places import DATA
from support.treebanks import THREE_WORDS, sentences
from wnparse.treebanks.tag_stats import TagStats, count_tags, fold_case


def fold(values: list[str]) -> Counter[str]:
    """Merge values with capital letters into the same value without, where that occurs."""
    counts = Counter(values)
    for value in list(counts):
        if value != value.lower() and value.lower() in counts:
            counts[value.lower()] += counts.pop(value)
    return counts


def count_lines(path: Path) -> dict[str, object]:
    """The counts of stats.xml: size, different forms and lemmas, tags, features with their tags, relations."""
    sentences = words = tokens = fused = 0
    forms, lemmas, fusions, tags, relations = [], [], [], [], []
    features: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tagged: defaultdict[str, list[str]] = defaultdict(list)
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        sentences += 1
        for line in block.split("\n"):
            if line.startswith("#") or re.match(r"\d+\.", line):
                continue
            cells = line.split("\t")
            if "-" in cells[0]:
                first, last = map(int, cells[0].split("-"))
                tokens -= last - first
                fused += 1
                fusions.append(cells[1])
                continue
            tokens, words = tokens + 1, words + 1
            forms.append(cells[1])
            lemmas += [cells[2]] if cells[2] != "_" else []
            tags.append(cells[3])
            tagged[cells[3]].append(cells[2])
            relations.append(cells[7])
            for feature in cells[5].split("|") if cells[5] != "_" else []:
                features[feature][cells[3]] += 1
    return {
        "sizes": [sentences, tokens, words, fused],
        "different": [len(fold(forms)), len(fold(lemmas)), len(fold(fusions))],
        "upos": Counter(tags),
        "deprel": Counter(relations),
        "feats": dict(features),
        "lemmas": {tag: fold(values) for tag, values in tagged.items()},
    }


@pytest.mark.parametrize("name", ["dev", "english/dev"])
def test_counts_are_those_of_stats_xml(name: str) -> None:
    compare(DATA / f"{name}.conllu")


@pytest.mark.parametrize("name", ["tr-imst", "pt-bosque", "en-ewt"])
def test_counts_of_real_treebanks_are_those_of_stats_xml(name: str, treebanks: Path) -> None:
    compare(treebanks / name / "dev.conllu")


def compare(path: Path) -> None:
    """Compare the counts of a file with those of its lines."""
    expected, counts = count_lines(path), wnparse.stats(wnparse.read(path), tags=True).tags
    assert counts is not None
    figures = counts.as_dict()
    sizes = ("sentences", "tokens", "words", "multiword_tokens")
    assert [figures[key] for key in sizes] == expected["sizes"]
    different = ("different_forms", "different_lemmas", "different_multiword_tokens")
    assert [figures[key] for key in different] == expected["different"]
    for key in ("upos", "deprel"):
        assert {name: count["count"] for name, count in figures[key].items()} == expected[key]
        assert sum(count["percent"] for count in figures[key].values()) == pytest.approx(100)
    assert {name: count["upos"] for name, count in figures["feats"].items()} == expected["feats"]
    for tag, lemmas in expected["lemmas"].items():  # type: ignore[attr-defined]
        lemmas.pop("_", None)
        ranked = sorted(lemmas, key=lambda lemma: (-lemmas[lemma], lemma))
        assert figures["upos"][tag]["lemmas"] == {lemma: lemmas[lemma] for lemma in ranked[:5]}


def test_orders_and_examples() -> None:
    text = THREE_WORDS + THREE_WORDS.replace("Dogs\tdog", "Cats\tcat").replace("nsubj", "nsubj:pass")
    counts = count_tags(sentences(text + THREE_WORDS.replace("\tThe\t", "\tthe\t")))
    assert list(counts.relations()) == ["det", "nsubj", "nsubj:pass", "root"]
    assert list(counts.features()) == ["Case=Nom", "Definite=Def", "Number=Plur", "Tense=Past"]
    assert counts.features()["Number=Plur"].upos == {"NOUN": 3, "VERB": 3}
    assert counts.as_dict()["upos"]["DET"]["forms"] == {"the": 3}
    assert counts.as_dict()["upos"]["NOUN"]["lemmas"] == {"dog": 2, "cat": 1}


def test_what_is_not_annotated_does_not_count() -> None:
    counts = count_tags(sentences(THREE_WORDS.replace("NOUN", "_").replace("nsubj", "_").replace("dog", "_")))
    figures = counts.as_dict()
    assert figures["words"] == 3
    assert set(figures["upos"]) == {"DET", "VERB"}
    assert set(figures["deprel"]) == {"det", "root"}
    assert figures["different_lemmas"] == 2
    assert figures["feats"]["Case=Nom"]["upos"] == {}


def test_merges() -> None:
    parts = [count_tags(sentences(text)) for text in (THREE_WORDS, THREE_WORDS.upper(), "")]
    total = TagStats()
    for part in parts:
        total.merge(part)
    assert total == count_tags(sentences(THREE_WORDS + THREE_WORDS.upper()))
    assert (total.sentences, total.tokens) == (2, 6)


def test_folds_case_only_if_the_lower_case_occurs() -> None:
    assert fold_case({"The": 2, "the": 1, "Anna": 3, "USA": 1, "usa": 1}) == {"the": 3, "Anna": 3, "usa": 2}
