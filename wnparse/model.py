"""A trained parser: weights, templates, labels, columns and constraints; one file that is mapped, not read.

The file is that of `wnparse.tensors`. Weights are 16-bit integers in units of a scale, as the core looks them up
(cext/frozen_weights.hpp).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.parser import DecoderSettings, LabelChoice, Scorer, freeze
from wnparse.conllu import Sentence, as_sentences
from wnparse.constraints import Constraints
from wnparse.decoding import DECODERS, find_decoder
from wnparse.encode import Columns, encode
from wnparse.errors import InfeasibleError, ModelError
from wnparse.features import compile_templates
from wnparse.files import open_output
from wnparse.tensors import Arrays, read_tensors, write_tensors

if TYPE_CHECKING:
    import conllu

FORMAT = 1
LARGEST = 32767
SMALLEST_SCALE = 1e-3
FILLING = 2.8  # features a bucket of four slots: fuller buckets overflow too often

Int32Array = npt.NDArray[np.int32]


class Parse(NamedTuple):
    """The tree of one sentence, and how good it is known to be."""

    heads: Int32Array
    labels: list[str] | None  # n + 1 of them, the first unused
    score: float
    upper_bound: float
    certified: bool
    iterations: int
    nodes: int


def decoder_settings(
    decoder: str, constraints: Constraints, *, max_iterations: int = 200, max_nodes: int = 20000
) -> DecoderSettings:
    """A decoder and its constraints for the parser; ValueError if they do not go together."""
    entry = find_decoder(decoder)
    if constraints.structural and not entry.structural:
        able = ", ".join(name for name, other in DECODERS.items() if other.structural)
        message = f"decoder '{decoder}' cannot be held to {constraints.describe()}; these can: {able}"
        raise ValueError(message)
    return DecoderSettings(
        entry.code,
        constraints.block_degree or 0,
        constraints.well_nested,
        constraints.single_root,
        max_iterations,
        max_nodes,
    )


@dataclass(frozen=True)
class Model:
    """A trained parser.

    Attributes
    ----------
    slots : ndarray
        uint32[4 * buckets]: the table of weights.
    scale : float
        What a weight of 1 in the table stands for.
    templates, labels : list of str
        The features, and the names of the labels; no labels make an unlabelled parser.
    label_table : dict
        Which labels are candidates for which tags: ``keys``, ``begin``, ``labels``.
    columns, constraints : Columns, Constraints
        The columns it reads, and the constraints that its training treebank suggests.
    beam : int
        How many heads of a word have their labels scored; 0 is all.
    info : dict
        Training options, the structure of the treebank, figures of the training run.
    """

    slots: npt.NDArray[np.uint32]
    scale: float
    templates: list[str]
    labels: list[str]
    label_table: Arrays
    columns: Columns
    constraints: Constraints
    beam: int
    info: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def scorer(self) -> Scorer:
        """The model at work; threads may share it."""
        choice = LabelChoice(**self.label_table) if self.labels else None
        return Scorer(compile_templates(self.templates), choice, self.slots, self.scale)

    def parse_sentence(
        self, sentence: Sentence, settings: DecoderSettings, *, beam: int | None = None
    ) -> Parse | None:
        """Parse one sentence; None if no tree satisfies the constraints."""
        tokens = encode(sentence, self.columns)
        found = self.scorer.parse(tokens, settings, self.beam if beam is None else beam)
        if found is None:
            return None
        heads, labels, score, upper_bound, certified, iterations, nodes = found
        names = ["", *map(self.labels.__getitem__, labels.tolist()[1:])] if self.labels else None
        return Parse(heads, names, score, upper_bound, certified, iterations, nodes)

    def parse(
        self, sentences: Iterable[Sentence | conllu.TokenList], *, decoder: str = "bnb"
    ) -> Iterator[Sentence | conllu.TokenList]:
        """Parse sentences with the constraints of the model.

        Parameters
        ----------
        sentences : iterable of Sentence or conllu.TokenList
            With tags; heads and relations are replaced.
        decoder : str
            One of `wnparse.decoding.DECODERS`; those that know no structural constraints ignore them.

        Yields
        ------
        Sentence or conllu.TokenList
            Each as it came, with the new tree.

        Raises
        ------
        InfeasibleError
            If no tree satisfies the constraints.
        """
        constraints = self.constraints
        if not find_decoder(decoder).structural:
            constraints = Constraints(single_root=constraints.single_root)
        settings = decoder_settings(decoder, constraints)
        for given in sentences:
            (sentence,) = as_sentences([given])
            found = self.parse_sentence(sentence, settings) or self.parse_sentence(sentence, settings, beam=0)
            if found is None:
                message = f"{sentence.path}:{sentence.line}: no {constraints.describe()}"
                raise InfeasibleError(message)
            tree = sentence.with_tree(found.heads, found.labels)
            yield tree if isinstance(given, Sentence) else tree.to_tokenlist()

    def save(self, path: str) -> None:
        """Write the model; the file appears whole or not at all."""
        header = {
            "format": FORMAT,
            "scale": self.scale,
            "templates": self.templates,
            "labels": self.labels,
            "columns": asdict(self.columns),
            "constraints": asdict(self.constraints),
            "beam": self.beam,
            "info": self.info,
        }
        arrays = {"slots": self.slots, **{f"label_{name}": array for name, array in self.label_table.items()}}
        with open_output(path) as stream:
            write_tensors(stream, arrays, {"wnparse": json.dumps(header, ensure_ascii=False)})


def load(path: str) -> Model:
    """Open a model file; ModelError, in one line, if it is truncated, altered or of a newer version."""
    path = str(path)
    arrays, metadata = read_tensors(path)
    if "wnparse" not in metadata:
        message = f"{path}: is no model of wnparse"
        raise ModelError(message)
    header = json.loads(metadata["wnparse"])
    if header["format"] != FORMAT:
        message = f"{path}: has model format {header['format']}; this version of wnparse reads format {FORMAT}"
        raise ModelError(message)
    return Model(
        slots=arrays["slots"],
        scale=header["scale"],
        templates=header["templates"],
        labels=header["labels"],
        label_table={
            name.removeprefix("label_"): array for name, array in arrays.items() if name.startswith("label_")
        },
        columns=Columns(**header["columns"]),
        constraints=Constraints(**header["constraints"]),
        beam=header["beam"],
        info=header["info"],
    )


def quantise(
    keys: npt.NDArray[np.uint64], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.uint32], float]:
    """Lay averaged weights out as the table of a model: (slots, scale). Weights that round to 0 are left out."""
    scale = max(float(np.abs(weights).max(initial=0.0)) / LARGEST, SMALLEST_SCALE)
    numbers = np.rint(weights / scale).astype(np.int32)
    kept = int(np.count_nonzero(numbers))
    bits = max(2, math.ceil(math.log2(max(kept, 1) / FILLING)))
    return freeze(keys, numbers, bits), scale
