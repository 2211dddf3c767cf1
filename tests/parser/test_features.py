"""Features by hand and by a slow reference: keys, scores of arcs and of labels as sums over templates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from support import feature_oracles as reference
from support.models import NO_ROWS
from support.treebanks import THREE_WORDS, sentences
from wnparse._core.freezing import freeze
from wnparse._core.scorer import Scorer
from wnparse._core.tables import label_keys
from wnparse._core.tokens import Tokens
from wnparse.parser.features import compile_templates, default_templates, parse_template
from wnparse.parser.model import Model
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.storage.quantise import quantise
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence


def test_computes_features_counted_by_hand() -> None:
    """The arc 3 -> 1 spans one noun; two values of FEATS meet at 3 -> 2, one of them of the same attribute."""
    (sentence,) = sentences(THREE_WORDS)
    count = {
        template: len(list(reference.keys(sentence, 0, template, 3, 1)))
        for template in ("hP mP", "hP mP b", "hP mP c", "d", "hF mP", "hF mF", "hF mF agree")
    }
    assert count == {"hP mP": 1, "hP mP b": 1, "hP mP c": 3, "d": 1, "hF mP": 2, "hF mF": 2, "hF mF agree": 0}
    assert len(list(reference.keys(sentence, 0, "hF mF", 3, 2))) == 4
    assert len(list(reference.keys(sentence, 0, "hF mF agree", 3, 2))) == 1
    assert len(list(reference.keys(sentence, 0, "hP mP b", 0, 3))) == 2


def random_model(treebank: list[Sentence], templates: list[str], seed: int) -> dict[int, int]:
    """Random weights for the features of some arcs."""
    rng = np.random.default_rng(seed)
    weights: dict[int, int] = {}
    for sentence in treebank:
        for number, template in enumerate(templates):
            for m in range(1, len(sentence) + 1):
                for key in reference.keys(sentence, number, template, int(rng.integers(0, len(sentence) + 1)), m):
                    weights[key] = int(rng.integers(-30000, 30000)) or 1
    return weights


def test_scores_are_sums_over_templates(sample: list[Sentence]) -> None:
    templates = default_templates(labelled=False)
    treebank = [sentence for sentence in sample if len(sentence) <= 8][:5] + sentences(THREE_WORDS)
    weights = random_model(treebank, templates, 1)
    keys = np.array(list(weights), np.uint64)
    slots = freeze(keys, np.array(list(weights.values()), np.int32), 18)  # no bucket overflows
    scorer = Scorer(compile_templates(templates), None, slots, *NO_ROWS, 1.0)
    for sentence in treebank * 2:  # the second time from what was remembered of token types
        scores, _ = scorer.scores(encode(sentence, UsedColumns()), False)
        for m in range(1, len(sentence) + 1):
            for h in range(len(sentence) + 1):
                expected = sum(
                    weights.get(key, 0)
                    for number, template in enumerate(templates)
                    for key in reference.keys(sentence, number, template, h, m)
                )
                assert h == m or scores[m, h] == expected


def test_labels_are_sums_over_templates(sample: list[Sentence]) -> None:
    """Compare the scores of labels, in a learner and frozen, with sums over the learner's state."""
    treebank = [sentence for sentence in sample if len(sentence) <= 8][:6]
    trainer = Trainer(treebank, None, TrainOptions(epochs=2, prune=False, order=1))
    for _ in range(2):
        trainer.run_epoch()
    arcs, (keys, begin, labels, weights) = trainer.learner.averaged(), trainer.learner.averaged_rows()
    tables, scale = quantise(arcs, (keys, begin, labels, weights), len(trainer.names))
    model = replace(trainer.model(), weights=tables, scale=scale)  # with the smallest weights too
    rows: dict[int, dict[int, int]] = {}
    for i, key in enumerate(keys.tolist()):
        span = slice(begin[i], begin[i + 1])
        numbers = np.rint(weights[span] / model.scale).astype(int).tolist()
        rows[key] = dict(zip(labels[span].tolist(), numbers, strict=True))
    for sentence in treebank * 2:  # the second time from what was remembered of token types
        tokens = encode(sentence, model.columns)
        chosen = model._scorer.label(tokens, sentence.heads)
        allowed = label_candidates(model, tokens, sentence.heads)
        for m in range(1, len(sentence) + 1):
            sums: Counter[int] = Counter(dict.fromkeys(allowed[m], 0))
            for number, template in enumerate(model.templates):
                if "label" in template:
                    for key in reference.keys(sentence, number, template, int(sentence.heads[m]), m):
                        sums.update({label: w for label, w in rows.get(key, {}).items() if label in sums})
            best = max(sums.values())
            assert sums[chosen[m]] == best
            assert chosen[m] == min(label for label, value in sums.items() if value == best)


def label_candidates(model: Model, tokens: Tokens, heads: np.ndarray) -> list[list[int]]:
    """The labels that were seen with each word's tags."""
    table = model.label_table
    places = {key: place for place, key in enumerate(table["keys"].tolist())}
    allowed: list[list[int]] = [[]]
    for keys in label_keys(tokens.atoms, heads).tolist():
        place = next(places[key] for key in keys if key in places)
        allowed.append(table["labels"][table["begin"][place] : table["begin"][place + 1]].tolist())
    return allowed


def test_refuses_unknown_words_of_templates() -> None:
    with pytest.raises(ValueError, match="unknown word 'hY'"):
        parse_template("hP hY")
    assert not any("L" in text for text in default_templates(labelled=True, unused="L"))
