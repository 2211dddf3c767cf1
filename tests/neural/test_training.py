"""Training a network: the same function as the reference, learning, interruption, half-annotated sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra neural)")
pytest.importorskip("onnxruntime")

from support import neural_oracles as reference  # noqa: E402
from support.treebanks import blanked  # noqa: E402
from support.treebanks import sentences as parse_all  # noqa: E402
from wnparse.neural import training  # noqa: E402
from wnparse.neural.network import Network  # noqa: E402
from wnparse.neural.sizes import INPUTS, NetworkSizes  # noqa: E402
from wnparse.neural.torch_network import Batch, Lesson, TorchNetwork, make_batch  # noqa: E402
from wnparse.neural.training import Example, NetworkTrainer, single_thread  # noqa: E402
from wnparse.neural.vocabulary import Vocabulary  # noqa: E402
from wnparse.treebanks.sentence import Sentence  # noqa: E402


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let networks be small, so that tests are quick."""
    monkeypatch.setattr(training, "DIMENSIONS", dict.fromkeys(INPUTS, 16))
    for name, value in {"HIDDEN": 24, "ARCS": 24, "LABELS": 16, "LEAST_BATCH": 60}.items():
        monkeypatch.setattr(training, name, value)


def labels_of(treebank: Sequence[Sentence]) -> list[str]:
    return sorted({label for sentence in treebank for label in sentence.column("deprel")} - {"_"})


def examples_of(treebank: Sequence[Sentence]) -> list[Example]:
    names = labels_of(treebank)
    return [
        Example(
            sentence,
            np.array(
                [-1, *(names.index(name) if name in names else -1 for name in sentence.column("deprel"))], np.int32
            ),
        )
        for sentence in treebank
    ]


def make_run(treebank: Sequence[Sentence], copies: Sequence[Sentence] = (), seed: int = 1) -> NetworkTrainer:
    relations = len(labels_of(treebank))
    return NetworkTrainer(examples_of(treebank), examples_of(copies), relations=relations, used=INPUTS, seed=seed)


def finish(run: NetworkTrainer, epochs: int | None = None) -> list[float]:
    losses = []
    while run.epoch < (epochs or run.epochs):
        loss = run.run_epoch(lambda: False, lambda words: None)
        assert loss is not None
        losses.append(loss)
    return losses


def exact_network(treebank: list[Sentence]) -> tuple[TorchNetwork, Network]:
    """A network whose weights are numbers that 8 bits can hold, in both forms."""
    vocabulary = Vocabulary(treebank, INPUTS)
    dimensions = {"form": 6, "lemma": 5, "upos": 4, "xpos": 3, "feats": 7, "affixes": 5}
    sizes = NetworkSizes(
        {name: (vocabulary.rows(name), dimensions[name]) for name in INPUTS}, 2, 8, arcs=9, labels=5, relations=4
    )
    network, rng = TorchNetwork(sizes), np.random.default_rng(1)
    with torch.no_grad():
        for name, weights in network.named_parameters():
            numbers = rng.integers(-63, 64, weights.shape)
            if weights.ndim == 2:
                numbers[:, 0] = 63
            if name.startswith("embeddings"):
                numbers[-1] = 0
            weights.copy_(torch.from_numpy(numbers / 128))
    return network, Network(vocabulary.table() | network.stored(), sizes)


def batch_of(treebank: list[Sentence], sentences: Sequence[Sentence]) -> Batch:
    vocabulary = Vocabulary(treebank, INPUTS)
    return make_batch(
        [
            Lesson(vocabulary.look_up(sentence), [], sentence.heads, np.full(len(sentence) + 1, -1, np.int32))
            for sentence in sentences
        ]
    )


def test_pytorch_computes_what_the_reference_does(sample: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rounding to 8 bits, for several sentences at a time."""
    monkeypatch.setattr(reference, "rounded", lambda values: values)
    treebank, sentences = sample[:20], [*sample[:4], *sample[20:24]]
    network, stored = exact_network(treebank)
    network.eval()
    batch = batch_of(treebank, sentences)
    with torch.no_grad():
        scores, of_modifier, of_head = network(batch)
    first = 0
    for number, sentence in enumerate(sentences):
        arcs, factors, heads = reference.network_scores(stored, sentence)
        end = first + len(sentence) + 1
        found = torch.log_softmax(scores[number, : end - first, : end - first], 1).numpy()
        np.testing.assert_allclose(found[1:], arcs[1:], rtol=1e-3, atol=1e-4)
        modifiers, chosen = np.arange(1, end - first), np.maximum(sentence.heads[1:], 0)
        with torch.no_grad():
            labels = network.label_scores(of_modifier[first + modifiers], of_head[first + chosen]).numpy()
        expected = np.einsum("mrl,mr->ml", factors[modifiers], heads[chosen])
        np.testing.assert_allclose(labels, expected, rtol=1e-3, atol=1e-4)
        first = end


def test_eight_bits_change_scores_little(sample: list[Sentence]) -> None:
    network, stored = exact_network(sample[:20])
    network.eval()
    for sentence in sample[:5]:
        with torch.no_grad():
            scores, _, _ = network(batch_of(sample[:20], [sentence]))
        exact = torch.softmax(scores[0], 1).numpy()
        assert np.abs(np.exp(stored.score(sentence).arcs[1:]) - exact[1:]).max() < 0.1


def test_learns_a_treebank(sample: list[Sentence], small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LSTM", training.LSTM._replace(most=60))
    monkeypatch.setattr(training, "RATE", 2e-2)
    treebank = [sentence for sentence in sample if len(sentence) < 12][:30]
    run = make_run(treebank)
    with single_thread():
        losses = finish(run)
    assert losses[-1] < losses[0] / 3
    network, names, right, words = run.network(), labels_of(treebank), 0, 0
    for sentence in treebank:
        scores = network.score(sentence)
        heads = scores.arcs.argmax(axis=1)
        assert scores.of_modifier is not None and scores.of_head is not None
        labels = np.einsum("mrl,mr->ml", scores.of_modifier, scores.of_head[heads]).argmax(axis=1)
        gold = [names.index(name) for name in sentence.column("deprel")]
        right += int(((heads == sentence.heads)[1:] & (labels[1:] == gold)).sum())
        words += len(sentence)
    assert right > 0.6 * words


def test_words_without_annotation_add_no_loss(sample: list[Sentence]) -> None:
    network, _ = exact_network(sample[:20])
    network.eval()
    vocabulary = Vocabulary(sample[:20], INPUTS)
    sentence = next(one for one in sample if len(one) > 6)
    labels = np.full(len(sentence) + 1, -1, np.int32)
    labels[1:] = np.arange(len(sentence)) % 4

    def loss(heads: np.ndarray, own: np.ndarray) -> float:
        with torch.no_grad():
            return float(network.loss(make_batch([Lesson(vocabulary.look_up(sentence), [], heads, own)])))

    nothing = np.full_like(sentence.heads, -1)
    assert loss(nothing, np.full_like(labels, -1)) == 0
    assert loss(nothing, labels) == 0  # a label without a head says nothing
    singles = []
    for word in range(1, len(sentence) + 1):
        heads = nothing.copy()
        heads[word] = sentence.heads[word]
        singles.append(loss(heads, labels))
    assert np.mean(singles) == pytest.approx(loss(sentence.heads, labels), rel=1e-4)
    heads_alone = loss(sentence.heads, np.full_like(labels, -1))
    assert heads_alone < loss(sentence.heads, labels)


def arrays_of(network: Network) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in network.arrays.items()}


def test_the_seed_decides_the_bytes(sample: list[Sentence], small: None) -> None:
    treebank = sample[:12]
    copies = parse_all(blanked(b"".join(sentence.raw for sentence in treebank), 3).decode())
    found = []
    for seed in (1, 1, 2):
        run = make_run(treebank, copies, seed)
        with single_thread():
            finish(run, 3)
        found.append(arrays_of(run.network()))
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("batches", [1, 4, 7])
def test_a_run_continues_to_the_same_bytes(sample: list[Sentence], small: None, batches: int) -> None:
    treebank = sample[:12]
    whole, first, second = make_run(treebank), make_run(treebank), make_run(treebank)
    with single_thread():
        finish(whole, 4)
        stop = iter([False] * batches)
        while first.run_epoch(lambda: next(stop, True), lambda words: None) is not None:
            pass
        second.restore(*first.state())
        finish(second, 4)
    assert arrays_of(whole.network()) == arrays_of(second.network())
    assert first.fingerprint() == second.fingerprint() != make_run(treebank, seed=2).fingerprint()


def test_small_treebanks_have_small_batches(sample: list[Sentence]) -> None:
    run = make_run(sample[:1])
    with single_thread():
        finish(run, 1)
    assert run.network().score(sample[0]).arcs.shape[0] == len(sample[0]) + 1
