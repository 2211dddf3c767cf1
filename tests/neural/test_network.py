"""The network of a model: keys, embeddings and the graph in ONNX, compared with a slow reference in NumPy."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from campaigns.networks import random_network
from support import neural_oracles as reference
from support.treebanks import sentences
from wnparse._core.neural import INPUT_COUNT, Embeddings, word_keys
from wnparse.neural.sizes import INPUTS
from wnparse.neural.vocabulary import LEAST, Vocabulary
from wnparse.treebanks.sentence import Sentence

pytest.importorskip("onnxruntime")

ODD = """\
1	İ	σΣ	X	_	A=1|B=2	0	root	_	_
2	é	_	_	Y	_	1	dep	_	_
3	ΟΔΟΣ	x	X	Y	A=1	1	dep	_	_

"""


def test_keys_are_those_of_the_reference(sample: list[Sentence]) -> None:
    for sentence in [*sample[:30], *sentences(ODD)]:
        keys, begin = word_keys(sentence)
        expected = reference.word_keys(sentence)
        assert len(begin) == len(expected) * INPUT_COUNT + 1
        for token, of_token in enumerate(expected):
            for i, name in enumerate(INPUTS):
                place = token * INPUT_COUNT + i
                assert sorted(keys[begin[place] : begin[place + 1]].tolist()) == sorted(of_token[name])


def test_rows_are_those_of_frequent_keys(sample: list[Sentence]) -> None:
    treebank = sample[:20]
    vocabulary = Vocabulary(treebank, INPUTS)
    counts = {
        name: Counter(
            key for sentence in treebank for token in reference.word_keys(sentence) for key in token[name]
        )
        for name in INPUTS
    }
    for name in INPUTS:
        frequent = sorted(key for key, count in counts[name].items() if count >= LEAST[name])
        assert vocabulary.keys[name].tolist() == frequent
    for sentence in [*treebank[:5], *sample[20:25], *sentences(ODD)]:
        bags = vocabulary.look_up(sentence)
        for t, token in enumerate(reference.word_keys(sentence)):
            for name in INPUTS:
                known = vocabulary.keys[name].tolist()
                rows, begin = bags[name]
                expected = [known.index(key) + 1 for key in token[name] if key in known] or [0]
                assert sorted(rows[begin[t] : begin[t + 1]].tolist()) == sorted(expected)


def test_embeddings_are_sums_of_rows(sample: list[Sentence]) -> None:
    network = random_network(sample[:20], 4, seed=1)
    for sentence in [*sample[:5], *sample[20:25], *sentences(ODD)]:
        embedded = network.embeddings.look_up(sentence)
        np.testing.assert_allclose(embedded, reference.embed(network, sentence), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("layers", [0, 1, 2])
@pytest.mark.parametrize("relations", [0, 1, 7])
def test_the_graph_computes_what_the_reference_does(sample: list[Sentence], layers: int, relations: int) -> None:
    network = random_network(sample[:20], relations, seed=layers, layers=layers)
    for sentence in [*sample[:6], *sample[20:24], *[one for one in sample if len(one) == 1][:1]]:
        scores = network.score(sentence)
        expected = reference.network_scores(network, sentence)
        words = np.arange(1, len(sentence) + 1)
        assert scores.arcs.shape == (len(sentence) + 1, len(sentence) + 1)
        for found, wanted in zip(scores, expected, strict=False):
            assert found is not None
            np.testing.assert_allclose(found[words], wanted[words], rtol=1e-3, atol=2e-2)
        assert (scores.of_modifier is None) == (relations == 0)
        np.testing.assert_allclose(np.exp(scores.arcs[words]).sum(axis=1), 1.0, rtol=1e-4)


def test_scores_do_not_depend_on_other_sentences(sample: list[Sentence]) -> None:
    network = random_network(sample[:20], 5, seed=3)
    alone = [network.score(sentence) for sentence in sample[:10]]
    again = [network.score(sentence) for sentence in reversed(sample[:10])][::-1]
    for first, second in zip(alone, again, strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize(
    "change, keyword",
    [
        ({"shapes": [(1, 1)] * 5}, "6"),
        ({"shapes": [(1, 0), *[(1, 1)] * 5]}, "expected both"),
        ({"shapes": [(-1, 1), *[(1, 1)] * 5]}, "expected both"),
        ({"shapes": [(1 << 40, 1), *[(1, 1)] * 5]}, "fewer"),
        ({"values": np.zeros(5, np.int8)}, "expected 6"),
        ({"scales": np.zeros(7, np.float32)}, "expected 6"),
        ({"keys": np.zeros(3, np.uint64)}, "power of two"),
        ({"rows": np.zeros(8, np.int32)}, "as many rows"),
        (
            {"shapes": [(0, 0)] * 6, "values": np.zeros(0, np.int8), "scales": np.zeros(0, np.float32)},
            "at least one",
        ),
    ],
)
def test_refuses_embeddings_that_do_not_fit(change: dict[str, object], keyword: str) -> None:
    good = {
        "keys": np.zeros(4, np.uint64), "rows": np.zeros(4, np.int32), "values": np.zeros(6, np.int8),
        "scales": np.zeros(6, np.float32), "shapes": [(1, 1)] * 6,
    }  # fmt: skip
    Embeddings(**good)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=keyword):
        Embeddings(**{**good, **change})  # type: ignore[arg-type]


def test_rows_of_another_input_count_as_unknown(sample: list[Sentence]) -> None:
    """A forged table may lead a key to a row of another input, or to none."""
    network = random_network(sample[:20], 4, seed=1)
    rows = network.arrays["embeddings/rows"]
    unknown = network.embeddings.look_up(sentences(ODD.replace("\tX\t", "\tQ\t"))[0])
    for row in (-1, 1 << 30, -(1 << 31), len(network.arrays["embeddings/scales"]) - 1):
        forged = np.full_like(rows, row)
        changed = Embeddings(
            network.arrays["embeddings/keys"], forged, network.arrays["embeddings/weights"],
            network.arrays["embeddings/scales"], [network.sizes.inputs[name] for name in INPUTS],
        )  # fmt: skip
        embedded = changed.look_up(sample[0])
        width = network.sizes.inputs["form"][1]
        assert np.array_equal(embedded[1:, :width], np.tile(unknown[1, :width], (len(sample[0]), 1)))
