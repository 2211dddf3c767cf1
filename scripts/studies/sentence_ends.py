"""Sentence ends: whether the scores of tags and trees improve the decisions of the tokenizer.

For each place of a development set where the tokenizer decides whether a sentence ends, the words before and after
it, up to the neighbouring sentence ends, are parsed as two sentences and as one. Logistic regression, trained on
one half of the places and tested on the other (20 times), decides from the score of the tokenizer alone, and
together with differences in the score of trees, in the log probabilities of tags and in those of heads. The script
prints the number of wrong decisions.

    python scripts/studies/sentence_ends.py en-ewt en-ewt.wnp    # a model of `wnparse train` with --dev
"""

from __future__ import annotations

import sys
from math import log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import numpy as np

import wnparse
from bench.lab import data, make_parser, report
from support.tokenizer_oracles import TokenizerOracle
from wnparse.crossval.suspects.logistic_regression import learn_regression
from wnparse.tokenizer.treebank_text import Paragraph, join_paragraphs, read_sentence_text
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

MOST_WORDS = 150  # of two sentences together
LEAST_PROBABILITY = 0.005
REPEATS = 20
WAYS = {
    "tokenizer alone": [0],
    "and trees": [0, 1],
    "and tags": [0, 2],
    "and heads": [0, 3],
    "and all": [0, 1, 2, 3],
}


class RecordingOracle(TokenizerOracle):
    """Remembers the score of each sentence end that it decides on."""

    def sentence_keys(self, facts: list, k: int, start: int) -> list[int]:
        """Return the features of a place."""
        keys = super().sentence_keys(facts, k, start)
        self.scores[k] = self.score("sentences", keys)
        return keys


def find_candidates(oracle: RecordingOracle, paragraph: Paragraph) -> list[tuple[int, bool, list[str], list[str]]]:
    """Return the score of each possible sentence end, whether one ends there, and the words around it."""
    oracle.scores = {}
    sentences = oracle.split(paragraph.text)
    tokens = [token for sentence in sentences for token in sentence]
    ends = np.cumsum([len(sentence) for sentence in sentences]) - 1
    gold = {end for end, is_last in zip(paragraph.ends, paragraph.last, strict=True) if is_last}

    def words(first: int, last: int) -> list[str]:
        chosen = tokens[first : last + 1]
        return [word for token in chosen for word in token.words or (paragraph.text[token.begin : token.end],)]

    candidates = []
    for k, score in oracle.scores.items():
        before, after = ends[ends < k], ends[ends > k]
        if len(after):
            left = words(int(before[-1]) + 1 if len(before) else 0, k)
            right = words(k + 1, int(after[0]))
            if len(left) + len(right) <= MOST_WORDS:
                candidates.append((score, tokens[k].end in gold, left, right))
    return candidates


def log_probability(sentence: Sentence, name: str) -> float:
    """Return the sum of the logarithms of probabilities in MISC."""
    total = 0.0
    for word in sentence:
        items = dict(item.partition("=")[::2] for item in word.misc.split("|"))
        total += log(max(float(items.get(name, 1)), LEAST_PROBABILITY))
    return total


def main() -> None:
    """Measure one treebank."""
    parser = make_parser(__doc__)
    parser.add_argument("treebank")
    parser.add_argument("model", type=Path)
    options = parser.parse_args()
    model = wnparse.load(options.model)
    assert model.tokenizer is not None
    oracle = RecordingOracle(model.tokenizer)
    sentences = Reader([data(options.treebank, "dev")], heads="ignored")
    paragraphs = join_paragraphs([read_sentence_text(sentence) for sentence in sentences])
    candidates = [found for paragraph in paragraphs for found in find_candidates(oracle, paragraph)]
    texts = [words for _, _, left, right in candidates for words in (left, right, left + right)]
    trees = list(model.parse(texts, confidence=True))
    rows = []
    for (score, _, _, _), left, right, both in zip(candidates, trees[::3], trees[1::3], trees[2::3], strict=True):
        parses = [sentence.parse.score for sentence in (left, right, both) if sentence.parse]
        row = [float(score), parses[0] + parses[1] - parses[2]]
        for name in ("TagProb", "HeadProb"):
            apart = log_probability(left, name) + log_probability(right, name)
            row.append(apart - log_probability(both, name))
        rows.append(row)
    table, gold = np.array(rows), np.array([is_end for _, is_end, _, _ in candidates])
    report(f"{options.treebank}: places", str(len(gold)))
    report("  wrong, tokenizer as it is", str(int(((table[:, 0] > 0) != gold).sum())))
    rng = np.random.default_rng(0)
    folds = [rng.permutation(len(gold)) % 2 for _ in range(REPEATS)]
    for name, columns in WAYS.items():
        wrong = 0
        for fold in folds:
            for held_out in (0, 1):
                inside, outside = fold == held_out, fold != held_out
                learned = learn_regression(table[outside][:, columns], gold[outside], np.ones(outside.sum()))
                wrong += int(((learned.log_odds(table[inside][:, columns]) > 0) != gold[inside]).sum())
        report(f"  wrong, {name}", f"{wrong / REPEATS:.1f}")


if __name__ == "__main__":
    main()
