"""Slow references of a second scorer: a network in NumPy, and what scores add to trees, in units of a grid."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from support.feature_oracles import hash_text
from wnparse.neural.encoder import Encoder, EncoderSizes
from wnparse.neural.network import Network
from wnparse.neural.pretrained import weight_shapes
from wnparse.neural.sizes import INPUTS
from wnparse.treebanks.sentence import Sentence

SEED, ROOT = 500, 1000  # of hashes
STEPS, FARTHEST, LARGEST = 128, 32.0, 1 << 28
Float32Array = npt.NDArray[np.float32]


class Extra(NamedTuple):
    """The arguments of `Tokens.add_scores`."""

    arcs: Float32Array  # [n + 1, n + 1]
    of_modifier: Float32Array | None  # [n + 1, rank, labels]
    of_head: Float32Array | None  # [n + 1, rank]
    unit: float
    likely: float = -math.inf  # all heads are kept


def in_units(nats: float, unit: float) -> int:
    """Round as the core does: to a grid, then to whole units; what is no number counts as the least."""
    if not nats > -FARTHEST:
        nats = -FARTHEST
    grid = float(np.rint(min(nats, FARTHEST) * STEPS)) / STEPS
    return int(np.rint(max(-LARGEST, min(LARGEST, grid * unit))))


def label_logs(extra: Extra, h: int, m: int) -> npt.NDArray[np.float64]:
    """The log probability of each label of an arc."""
    assert extra.of_modifier is not None and extra.of_head is not None
    scores = extra.of_head[h].astype(np.float64) @ extra.of_modifier[m].astype(np.float64)
    return scores - scores.max() - math.log(np.exp(scores - scores.max()).sum())


def random_extra(words: int, labels: int, rng: np.random.Generator, unit: float, spread: float = 3.0) -> Extra:
    """Random log probabilities of heads, and random factors of labels."""
    arcs = rng.normal(0, spread, (words + 1, words + 1))
    arcs -= np.log(np.exp(arcs).sum(axis=1, keepdims=True))
    rank = int(rng.integers(1, 5))
    factors = rng.normal(0, 1, (words + 1, rank, labels)), rng.normal(0, 1, (words + 1, rank))
    of_modifier, of_head = (factor.astype(np.float32) for factor in factors)
    return Extra(arcs.astype(np.float32), of_modifier, of_head, unit)


# The network: one token, one gate and one product after the other.


def word_keys(sentence: Sentence) -> list[dict[str, list[int]]]:
    """The keys of each token, the root first, input by input."""
    names = ("form", "lemma", "upos", "xpos")
    tokens = [{name: [hash_text("", SEED + ROOT + i)] for i, name in enumerate(INPUTS)}]
    columns = [sentence.column(name) for name in (*names, "feats")]
    for form, lemma, upos, xpos, feats in zip(*columns, strict=True):
        low = form.lower()
        keys = {
            name: [hash_text(text, SEED + i)]
            for i, (name, text) in enumerate(zip(names, (low, lemma, upos, xpos), strict=True))
        }
        keys["feats"] = [hash_text(value, SEED + 4) for value in feats.split("|") if feats != "_"]
        keys["affixes"] = []
        for k in range(1, min(4, len(low)) + 1):
            keys["affixes"] += [hash_text(low[:k], SEED + 5 + 10 * k), hash_text(low[-k:], SEED + 10 + 10 * k)]
        tokens.append(keys)
    return tokens


def embed(network: Network, sentence: Sentence) -> Float32Array:
    """The sums of the embeddings of each token."""
    arrays, first, value = network.arrays, {}, 0
    tables: dict[str, Float32Array] = {}
    for name in INPUTS:
        count, dimensions = network.sizes.inputs[name]
        first[name] = sum(len(table) for table in tables.values())
        weights = arrays["embeddings/weights"][value : value + count * dimensions].reshape(count, dimensions)
        tables[name] = arrays["embeddings/scales"][first[name] :][:count, None] * weights.astype(np.float32)
        value += count * dimensions
    keys, numbers = arrays["embeddings/keys"].tolist(), arrays["embeddings/rows"].tolist()
    rows = {key: row for key, row in zip(keys, numbers, strict=True) if key}
    embedded = []
    for token in word_keys(sentence):
        parts = []
        for name in INPUTS:
            known = [rows[key] - first[name] for key in token[name] if key in rows]
            if network.sizes.inputs[name][0]:
                parts.append(sum(tables[name][row] for row in known or [0]))
        embedded.append(np.concatenate(parts))
    return np.array(embedded, np.float32)


def rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Values after they were rounded to 8 bits, as DynamicQuantizeLinear of ONNX is defined."""
    least, most = min(0.0, float(values.min())), max(0.0, float(values.max()))
    scale = (most - least) / 255 or 1.0
    zero = np.clip(np.rint(-least / scale), 0, 255)
    return (np.clip(np.rint(values / scale) + zero, 0, 255) - zero) * scale


def matrix(network: Network, name: str) -> npt.NDArray[np.float64]:
    """A matrix as numbers, inputs by outputs."""
    scales = network.arrays[f"{name}/scales"].astype(np.float64)
    return network.arrays[f"{name}/weights"].reshape(-1, len(scales)) * scales


def dense(network: Network, name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return rounded(values) @ matrix(network, name) + network.arrays[f"{name}/bias"]


def lstm(network: Network, name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A bidirectional LSTM; gates: input, output, forget, cell."""

    def sigmoid(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return 1 / (1 + np.exp(-x))

    outputs = []
    for direction in ("forward", "backward"):
        inputs = dense(network, f"{name}/{direction}/input", values)
        recurrent = matrix(network, f"{name}/{direction}/recurrent")
        state = cell = np.zeros(network.sizes.hidden)
        states = []
        for row in inputs if direction == "forward" else inputs[::-1]:
            gates = row + (rounded(state) @ recurrent if state.any() else 0.0)
            first, output, forget, new = np.split(gates, 4)
            cell = sigmoid(forget) * cell + sigmoid(first) * np.tanh(new)
            state = sigmoid(output) * np.tanh(cell)
            states.append(state)
        outputs.append(np.array(states if direction == "forward" else states[::-1]))
    return np.concatenate(outputs, axis=1)


def network_scores(network: Network, sentence: Sentence) -> tuple[npt.NDArray[np.float64], ...]:
    """Arcs, and the factors of labels if there are labels."""
    sizes = network.sizes
    values = embed(network, sentence).astype(np.float64)
    for layer in range(sizes.layers):
        values = lstm(network, f"lstm{layer}", values)
    values = dense(network, "vectors", values)
    values = np.where(values > 0, values, 0.1 * values)
    bounds = np.cumsum([sizes.arcs, sizes.arcs, sizes.labels])
    modifier, head, of_modifier, of_head = np.split(values, bounds, axis=1)
    arcs = dense(network, "arcs", modifier) @ head.T
    np.fill_diagonal(arcs, -1e9)
    arcs -= arcs.max(axis=1, keepdims=True)
    arcs -= np.log(np.exp(arcs).sum(axis=1, keepdims=True))
    if not sizes.relations:
        return (arcs,)
    factors = dense(network, "labels", of_modifier).reshape(-1, sizes.labels + 1, sizes.relations)
    return arcs, factors, np.concatenate([of_head, np.ones((len(of_head), 1))], axis=1)


# A pretrained encoder like BERT.


def tiny_encoder(folder: Path, words: Sequence[str], seed: int = 1, **changes: object) -> Path:
    """Write an encoder with random weights, whose vocabulary has the characters of some words, and some words."""
    rng = np.random.default_rng(seed)
    config = {
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": 12, "intermediate_size": 20,
        "num_hidden_layers": 3, "num_attention_heads": 3, "max_position_embeddings": 24, "layer_norm_eps": 1e-12,
        **changes,
    }  # fmt: skip
    characters = sorted({character for word in words for character in word.lower()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *characters, *(f"##{character}" for character in characters)]
    pieces += sorted({word.lower() for word in words if len(word) > 1})[::2]
    sizes = EncoderSizes(12, 20, 3, 3, int(str(config["max_position_embeddings"])), 3, 1e-12)
    weights = {
        name: (rng.normal(0, 0.5, shape) + (name.endswith("LayerNorm.weight"))).astype(np.float32)
        for name, shape in weight_shapes(sizes, len(pieces)).items()
    }
    tokenizer = {
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": {piece: number for number, piece in enumerate(pieces)},
        },
        "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": False,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
    }  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    save_file(weights, folder / "model.safetensors")
    return folder


def encoder_vectors(encoder: Encoder, sentence: Sentence) -> npt.NDArray[np.float64]:
    """The vector of each word, and of the root before them; stretches are cut as the encoder cuts them."""
    sizes, arrays, found = encoder.sizes, encoder.arrays, []

    def numbers(name: str) -> npt.NDArray[np.float64]:
        scales = arrays[f"encoder/{name}/scales"].astype(np.float64)
        return arrays[f"encoder/{name}/weights"].reshape(len(scales), -1) * scales[:, None]

    def project(name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        scales = arrays[f"encoder/{name}/scales"].astype(np.float64)
        weights = arrays[f"encoder/{name}/weights"].reshape(-1, len(scales)) * scales
        return rounded(values) @ weights + arrays[f"encoder/{name}/bias"]

    def norm(name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        centred = values - values.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + sizes.epsilon)
        return centred / deviation * arrays[f"encoder/{name}/scale"] + arrays[f"encoder/{name}/bias"]

    for pieces, means in encoder.stretches(sentence):
        value = norm(
            "norm", numbers("pieces")[pieces] + numbers("positions")[: len(pieces)] + arrays["encoder/segment"]
        )
        states = []
        for layer in (f"layer{i}" for i in range(sizes.layers)):
            query, key, content = (project(f"{layer}/{name}", value) for name in ("query", "key", "value"))
            context, width = np.zeros_like(value), sizes.hidden // sizes.heads
            for head in range(sizes.heads):
                part = slice(head * width, (head + 1) * width)
                scores = query[:, part] @ key[:, part].T / math.sqrt(width)
                shares = np.exp(scores - scores.max(axis=1, keepdims=True))
                context[:, part] = shares / shares.sum(axis=1, keepdims=True) @ content[:, part]
            value = norm(f"{layer}/attention_norm", value + project(f"{layer}/attention", context))
            inner = project(f"{layer}/intermediate", value)
            active = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
            value = norm(f"{layer}/output_norm", value + project(f"{layer}/output", active))
            states.append(value)
        mixed = sum(
            share * state for share, state in zip(arrays["encoder/mix"], states[-sizes.mixed :], strict=True)
        )
        found.append(means.astype(np.float64) @ mixed if not found else (means.astype(np.float64) @ mixed)[1:])
    return np.concatenate(found)
