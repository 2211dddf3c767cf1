"""A pretrained transformer as an input of a network: a vector for each word from the pieces of the sentence.

The encoder of BERT (Devlin, Chang, Lee & Toutanova 2019; Vaswani et al. 2017, *Attention Is All You Need*): with x
the vectors of pieces,

    x = LayerNorm(piece + position + type embeddings)
    x = LayerNorm(x + softmax(Q K^T / sqrt d) V O),  x = LayerNorm(x + GELU(x A) B)      in each layer

and a word has the mean over its pieces of a weighted sum of the last layers. Long sentences are cut between words
into stretches of as many pieces as there are positions. O(pieces²) per stretch.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from wnparse.neural.dense import add_dense, add_rows, specify
from wnparse.neural.onnx_file import Graph
from wnparse.neural.runtime import open_session, run
from wnparse.neural.wordpiece import PieceOptions, WordPiece, read_pieces
from wnparse.storage.strict_json import Reader, number, table, whole
from wnparse.storage.tensors import Arrays
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    import onnxruntime

PREFIX = "encoder/"  # of its arrays, behind that of the network
MOST_SIZE, MOST_LAYERS, MOST_POSITIONS = 4096, 64, 8192
NORMS = ("norm", "attention_norm", "output_norm")

Float32Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class EncoderSizes:
    """The sizes of an encoder.

    Attributes
    ----------
    hidden, intermediate : int
        Dimensions of a vector, and within the layers.
    layers, heads : int
        Number of layers, and of attention heads.
    positions : int
        The most pieces of a stretch, the first and last one included.
    mixed : int
        The number of last layers that are summed up.
    epsilon : float
        Added to variances.
    """

    hidden: int
    intermediate: int
    layers: int
    heads: int
    positions: int
    mixed: int
    epsilon: float

    @classmethod
    def read(cls, value: Any) -> EncoderSizes:
        """Check and read the sizes in the header of a model file."""
        size, layers = whole(1, MOST_SIZE), whole(1, MOST_LAYERS)
        sizes = cls(
            **table(
                hidden=size, intermediate=size, layers=layers, heads=size, positions=whole(8, MOST_POSITIONS),
                mixed=layers, epsilon=number(0, 1),
            )(value)
        )  # fmt: skip
        if sizes.hidden % sizes.heads or sizes.mixed > sizes.layers:
            raise ValueError("expected heads that divide the dimensions, and at most all layers in the sum")
        return sizes

    def matrices(self) -> dict[str, tuple[int, int]]:
        """Return the shapes of its matrices, inputs by outputs."""
        shapes = {}
        for layer in range(self.layers):
            for name in ("query", "key", "value", "attention"):
                shapes[f"{PREFIX}layer{layer}/{name}"] = self.hidden, self.hidden
            shapes[f"{PREFIX}layer{layer}/intermediate"] = self.hidden, self.intermediate
            shapes[f"{PREFIX}layer{layer}/output"] = self.intermediate, self.hidden
        return shapes

    def arrays(self, pieces: int) -> dict[str, tuple[Any, int]]:
        """Return type and size of all arrays by name."""
        arrays = specify(self.matrices())
        for name, rows in (("pieces", pieces), ("positions", self.positions)):
            arrays[f"{PREFIX}{name}/weights"] = np.int8, rows * self.hidden
            arrays[f"{PREFIX}{name}/scales"] = np.float32, rows
        norms = [f"{PREFIX}norm"]
        norms += [
            f"{PREFIX}layer{i}/{name}" for i in range(self.layers) for name in ("attention_norm", "output_norm")
        ]
        for norm in norms:
            arrays[f"{norm}/scale"] = arrays[f"{norm}/bias"] = np.float32, self.hidden
        arrays[f"{PREFIX}segment"] = np.float32, self.hidden
        arrays[f"{PREFIX}mix"] = np.float32, self.mixed
        return arrays


@dataclass(frozen=True, eq=False, repr=False)
class Encoder:
    """A pretrained encoder.

    Attributes
    ----------
    arrays : dict
        Matrices, embeddings and the rest: see `EncoderSizes.arrays`.
    sizes : EncoderSizes
        The sizes.
    pieces : list of str
        The vocabulary.
    options : PieceOptions
        How words are cut into pieces.
    """

    arrays: Arrays
    sizes: EncoderSizes
    pieces: list[str]
    options: PieceOptions

    # The keys of its header, each with what reads it.
    HEADER: ClassVar[dict[str, Reader]] = {
        "sizes": EncoderSizes.read, "pieces": read_pieces, "options": PieceOptions.read,
    }  # fmt: skip

    @functools.cached_property
    def tokenizer(self) -> WordPiece:
        """What cuts words into pieces."""
        return WordPiece(self.pieces, self.options)

    @functools.cached_property
    def session(self) -> onnxruntime.InferenceSession:
        """The encoder at work; threads may share it."""
        return open_session(build_encoder(self.arrays, self.sizes))

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("arrays", "sizes", "pieces", "options")}

    def encode(self, sentence: Sentence) -> Float32Array:
        """Return a vector for each word, and before them one for the root, [n + 1, hidden]."""
        parts = []
        for number_of, (pieces, means) in enumerate(self.stretches(sentence)):
            (vectors,) = run(self.session, pieces=pieces, means=means)
            parts.append(vectors if number_of == 0 else vectors[1:])
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def stretches(self, sentence: Sentence) -> Iterator[tuple[npt.NDArray[np.int64], Float32Array]]:
        """Yield the pieces of stretches of a sentence, and what averages those of the root and of each word."""
        cutter, most = self.tokenizer, self.sizes.positions - 2
        words = [cutter.cut(form)[:most] for form in sentence.column("form")]
        begin = 0
        while True:
            end, count = begin, 0
            while end < len(words) and count + len(words[end]) <= most:
                count += len(words[end])
                end += 1
            yield _join(words[begin:end], cutter.first, cutter.last)
            begin = end
            if begin == len(words):
                return

    def header(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {"sizes": asdict(self.sizes), "pieces": self.pieces, "options": self.options.written()}


def _join(words: list[tuple[int, ...]], first: int, last: int) -> tuple[npt.NDArray[np.int64], Float32Array]:
    """Return the pieces of words between a first and a last one, and the matrix that averages them."""
    pieces = [first, *(piece for word in words for piece in word), last]
    means = np.zeros((len(words) + 1, len(pieces)), np.float32)
    means[0, 0] = 1  # the first piece stands for the root
    at = 1
    for number_of, word in enumerate(words, 1):
        means[number_of, at : at + len(word)] = 1 / len(word)
        at += len(word)
    return np.array(pieces, np.int64), means


def build_encoder(arrays: Arrays, sizes: EncoderSizes) -> bytes:
    """Return the graph from pieces [p] and means [n + 1, p] to vectors [n + 1, hidden]."""
    graph, hidden = Graph(), sizes.hidden
    numbers = graph.input("pieces", np.int64, ["pieces"])
    means = graph.input("means", np.float32, ["tokens", "pieces"])
    positions = graph.one(
        "Range",
        graph.constant(np.array(0, np.int64)),
        graph.one("Size", numbers),
        graph.constant(np.array(1, np.int64)),
    )
    value = graph.one(
        "Add",
        add_rows(graph, arrays, f"{PREFIX}pieces", numbers, hidden),
        add_rows(graph, arrays, f"{PREFIX}positions", positions, hidden),
    )
    value = _add_norm(
        graph, arrays, f"{PREFIX}norm", graph.one("Add", value, graph.constant(arrays[f"{PREFIX}segment"])), sizes
    )
    mixed: list[str] = []
    for layer in range(sizes.layers):
        value = _add_layer(graph, arrays, f"{PREFIX}layer{layer}", value, sizes)
        if layer >= sizes.layers - sizes.mixed:
            weight = arrays[f"{PREFIX}mix"][layer - sizes.layers + sizes.mixed]
            mixed.append(graph.one("Mul", value, graph.constant(np.array(weight, np.float32))))
    graph.output(graph.one("MatMul", means, graph.one("Sum", *mixed)), "vectors", ["tokens", hidden])
    return graph.model()


def _add_layer(graph: Graph, arrays: Arrays, name: str, value: str, sizes: EncoderSizes) -> str:
    """Add self-attention and what follows it."""
    hidden, heads = sizes.hidden, sizes.heads
    shape = graph.integers(-1, heads, hidden // heads)

    def project(kind: str, *order: int) -> str:
        vectors = add_dense(graph, arrays, f"{name}/{kind}", value, hidden)
        return graph.one("Transpose", graph.one("Reshape", vectors, shape), perm=order)

    scale = graph.constant(np.array((hidden // heads) ** -0.5, np.float32))
    scores = graph.one("MatMul", graph.one("Mul", project("query", 1, 0, 2), scale), project("key", 1, 2, 0))
    context = graph.one("MatMul", graph.one("Softmax", scores, axis=-1), project("value", 1, 0, 2))
    joined = graph.one("Reshape", graph.one("Transpose", context, perm=[1, 0, 2]), graph.integers(-1, hidden))
    attended = add_dense(graph, arrays, f"{name}/attention", joined, hidden)
    value = _add_norm(graph, arrays, f"{name}/attention_norm", graph.one("Add", value, attended), sizes)
    inner = add_dense(graph, arrays, f"{name}/intermediate", value, hidden)
    # GELU(x) = x (1 + erf(x / sqrt 2)) / 2
    half, one, root = (graph.constant(np.array(number_of, np.float32)) for number_of in (0.5, 1.0, 2**-0.5))
    error = graph.one("Add", graph.one("Erf", graph.one("Mul", inner, root)), one)
    active = graph.one("Mul", graph.one("Mul", inner, half), error)
    output = add_dense(graph, arrays, f"{name}/output", active, sizes.intermediate)
    return _add_norm(graph, arrays, f"{name}/output_norm", graph.one("Add", value, output), sizes)


def _add_norm(graph: Graph, arrays: Arrays, name: str, value: str, sizes: EncoderSizes) -> str:
    scale, bias = (graph.constant(arrays[f"{name}/{part}"]) for part in ("scale", "bias"))
    return graph.one("LayerNormalization", value, scale, bias, axis=-1, epsilon=sizes.epsilon)
