"""A network that scores arcs and labels: its arrays, as a model file stores them, and its scores of a sentence.

Embeddings of form, lemma, tags, FEATS and affixes, and vectors of a pretrained encoder if there is one, go through
bidirectional LSTMs, and a biaffine classifier scores heads and labels (Dozat & Manning 2017, *Deep Biaffine
Attention for Neural Dependency Parsing*). Weights are 8-bit integers. O(n² + n · weights) per sentence.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.neural import Embeddings
from wnparse.neural.biaffine import build_scorer
from wnparse.neural.dense import specify
from wnparse.neural.encoder import Encoder
from wnparse.neural.runtime import open_session, run
from wnparse.neural.sizes import INPUTS, NetworkSizes
from wnparse.storage.strict_json import Reader, check_depth, optional, partial_table, table
from wnparse.storage.tensors import Arrays, take
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    import onnxruntime

PREFIX = "neural/"  # of its arrays in a model file
# Its arrays besides those of matrices; with R rows in all, a table of 2^b slots: cext/neural/embeddings.hpp.
EMBEDDINGS: dict[str, Any] = {
    "embeddings/keys": np.uint64,  # [2^b] cext/neural/word_keys.hpp
    "embeddings/rows": np.int32,  # [2^b] 0..R - 1
    "embeddings/weights": np.int8,
    "embeddings/scales": np.float32,  # [R]
}
Float32Array = npt.NDArray[np.float32]


class NetworkScores(NamedTuple):
    """What a network says of a sentence: see `wnparse._core.tokens.Tokens.add_scores`."""

    arcs: Float32Array
    of_modifier: Float32Array | None
    of_head: Float32Array | None


def _read_info(value: Any) -> dict[str, Any]:
    check_depth(value)
    return partial_table()(value)


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A trained network.

    Attributes
    ----------
    arrays : dict
        Embeddings and matrices: see `EMBEDDINGS` and `NetworkSizes.matrices`.
    sizes : NetworkSizes
        The sizes.
    info : dict
        Training options and figures.
    encoder : Encoder or None
        A pretrained encoder whose vectors are inputs, too.
    """

    arrays: Arrays
    sizes: NetworkSizes
    info: dict[str, Any] = field(default_factory=dict)
    encoder: Encoder | None = None

    # The keys of its header, each with what reads it.
    HEADER: ClassVar[dict[str, Reader]] = {
        "sizes": NetworkSizes.read, "info": _read_info, "encoder": optional(table(**Encoder.HEADER)),
    }  # fmt: skip

    @functools.cached_property
    def embeddings(self) -> Embeddings:
        """The compiled first layer; threads may share it."""
        keys, rows, values, scales = (self.arrays[name] for name in EMBEDDINGS)
        return Embeddings(keys, rows, values, scales, [self.sizes.inputs[name] for name in INPUTS])

    @functools.cached_property
    def session(self) -> onnxruntime.InferenceSession:
        """The layers behind it; threads may share them."""
        return open_session(build_scorer(self.arrays, self.sizes))

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("arrays", "sizes", "info", "encoder")}

    def score(self, sentence: Sentence) -> NetworkScores:
        """Score the heads and labels of the words of a sentence."""
        inputs = self.embeddings.look_up(sentence)
        if self.encoder is not None:
            inputs = np.concatenate([inputs, self.encoder.encode(sentence)], axis=1)
        arcs, *of_labels = run(self.session, x=inputs)
        return NetworkScores(arcs, *of_labels) if of_labels else NetworkScores(arcs, None, None)

    @property
    def size(self) -> int:
        """Bytes of its arrays."""
        return sum(int(array.nbytes) for array in self._all_arrays().values())

    def _all_arrays(self) -> Arrays:
        return self.arrays | (self.encoder.arrays if self.encoder else {})

    def header(self) -> dict[str, Any]:
        """Return its entry in the header of a model file."""
        return {
            "sizes": asdict(self.sizes),
            "info": self.info,
            "encoder": self.encoder and self.encoder.header(),
        }

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: array for name, array in self._all_arrays().items()}

    @classmethod
    def of(cls, arrays: Arrays, header: dict[str, Any]) -> Network:
        """Make the network of a model file; ValueError if arrays and header do not fit together."""
        sizes, encoder = header["sizes"], header["encoder"]
        if sizes.encoder != (encoder["sizes"].hidden if encoder else 0):
            raise ValueError(f"{sizes.encoder} dimensions of an encoder; expected as many as it has")
        own = _take(arrays, specify(sizes.matrices()), EMBEDDINGS)
        if encoder:
            expected = encoder["sizes"].arrays(len(encoder["pieces"]))
            header = {**header, "encoder": Encoder(_take(arrays, expected), **encoder)}
        network = cls(arrays=own, **header)
        try:
            network.embeddings  # noqa: B018 -- the core checks the arrays when it is given them
        except ValueError as error:
            raise ValueError(f"{PREFIX}embeddings: {error}") from None
        return network


def _take(
    arrays: Arrays, expected: Mapping[str, tuple[Any, int]], others: Mapping[str, Any] | None = None
) -> Arrays:
    """Take arrays of expected types and sizes, and others of expected types, out of those of a file."""
    dtypes = {**(others or {}), **{name: dtype for name, (dtype, _) in expected.items()}}
    taken = take(arrays, PREFIX, dtypes)
    for name, (_, size) in expected.items():
        if taken[name].size != size:
            raise ValueError(f"array {PREFIX}{name} has {taken[name].size} numbers; expected {size}")
    return taken
