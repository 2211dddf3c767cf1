"""The graph of a network behind its inputs: bidirectional LSTMs, vectors of heads and modifiers, biaffine scores.

With x the inputs, one row per token, and v the output of the last LSTM,

    [d, h, e, g] = leaky ReLU (v V + b),                       V: `vectors`
    arcs_mh = log softmax over heads h != m of  (d_m U + u) · h_h,         U: `arcs`
    of_modifier_mrl = sum_q (e_mq, 1) W_q(rl),   of_head_h = (g_h, 1),       W: `labels`

and the score of label l is of_head_h · of_modifier_ml (cext/features/extra_scores.hpp).
"""

from __future__ import annotations

import numpy as np

from wnparse.neural.dense import add_dense
from wnparse.neural.onnx_file import EXTENSIONS, Graph
from wnparse.neural.sizes import NetworkSizes
from wnparse.storage.tensors import Arrays

SLOPE = 0.1  # of the leaky ReLU
FORBIDDEN = -1e9  # added to the scores of words as their own heads


def build_scorer(arrays: Arrays, sizes: NetworkSizes) -> bytes:
    """Return the graph from inputs x [n + 1, width] to arcs [n + 1, n + 1], of_modifier and of_head."""
    graph, width, arcs, labels = Graph(), sizes.width, sizes.arcs, sizes.labels
    value = graph.input("x", np.float32, ["tokens", width])
    for layer in range(sizes.layers):
        value = _add_lstm(graph, arrays, f"lstm{layer}", value, width, sizes.hidden)
        width = 2 * sizes.hidden
    vectors = graph.one("LeakyRelu", add_dense(graph, arrays, "vectors", value, width), alpha=SLOPE)
    parts = [arcs, arcs] + ([labels, labels] if sizes.relations else [])
    modifier, head, *of_labels = graph.add("Split", vectors, graph.integers(*parts), outputs=len(parts), axis=1)
    heads = graph.one("Transpose", head, perm=[1, 0])
    scores = graph.one("MatMul", add_dense(graph, arrays, "arcs", modifier, arcs), heads)
    own = graph.one("Mul", graph.one("EyeLike", scores), graph.constant(np.array(FORBIDDEN, np.float32)))
    graph.output(graph.one("LogSoftmax", graph.one("Add", scores, own), axis=1), "arcs", ["tokens", "tokens"])
    if sizes.relations:
        factors = add_dense(graph, arrays, "labels", of_labels[0], labels)
        shape = graph.integers(-1, labels + 1, sizes.relations)
        graph.output(graph.one("Reshape", factors, shape), "of_modifier", ["tokens", labels + 1, sizes.relations])
        ones = graph.one("Pad", of_labels[1], graph.integers(0, 0, 0, 1), graph.constant(np.array(1, np.float32)))
        graph.output(ones, "of_head", ["tokens", labels + 1])
    return graph.model()


def _add_lstm(graph: Graph, arrays: Arrays, name: str, value: str, width: int, hidden: int) -> str:
    """Add a bidirectional LSTM; its gates are in the order of ONNX: input, output, forget, cell."""

    def both(kind: str, part: str, *shape: int) -> str:
        directions = [arrays[f"{name}/{direction}/{kind}/{part}"] for direction in ("forward", "backward")]
        return graph.constant(np.stack(directions).reshape(2, *shape))

    bias = [arrays[f"{name}/{direction}/input/bias"] for direction in ("forward", "backward")]
    zeros = np.zeros((2, 4 * hidden), np.int8)
    outputs = graph.one(
        "DynamicQuantizeLSTM",
        graph.one("Unsqueeze", value, graph.integers(1)),  # a batch of one sentence
        both("input", "weights", width, 4 * hidden),
        both("recurrent", "weights", hidden, 4 * hidden),
        graph.constant(np.pad(np.stack(bias), ((0, 0), (0, 4 * hidden)))),
        "", "", "", "",
        both("input", "scales", 4 * hidden),
        graph.constant(zeros),
        both("recurrent", "scales", 4 * hidden),
        graph.constant(zeros),
        domain=EXTENSIONS[0],
        hidden_size=hidden,
        direction="bidirectional",
    )  # fmt: skip
    return graph.one("Reshape", outputs, graph.integers(-1, 2 * hidden))
