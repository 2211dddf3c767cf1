"""A trained parser: weights, templates, labels, columns and constraints; one file that is mapped, not read.

The file is that of `wnparse.tensors`, which readers of safetensors open too. Weights are 16-bit integers in units
of a scale, as the core looks them up (cext/scorer/weights/frozen_weights.hpp).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.freezing import freeze, freeze_rows
from wnparse._core.scorer import Scorer
from wnparse._core.settings import Settings
from wnparse._core.tables import LabelChoice
from wnparse.confidence import Calibration
from wnparse.conllu import Sentence, as_sentences, parse_sentence
from wnparse.constraints import Constraints
from wnparse.decoders import as_rank, find_decoder, make_settings
from wnparse.encode import Columns, encode_all
from wnparse.errors import InfeasibleError, ModelError
from wnparse.features import compile_templates
from wnparse.files import open_output
from wnparse.first_pass import FirstPass
from wnparse.marks import mark
from wnparse.ranking import Request, rank_trees
from wnparse.solution import Parse
from wnparse.tensors import Arrays, read_tensors, write_tensors

if TYPE_CHECKING:
    import conllu

FORMAT = 4
OLDEST_FORMAT = 3  # that is read: its arrays are the same, with holes between them
LARGEST = 32767
SMALLEST_SCALE = 1e-3
FILLING = 2.0  # features a bucket of four slots at most: a fuller table loses more of them
ROW_FILLING = 4.0  # features a bucket of eight slots at most
TABLES = ("slots", "row_tags", "row_places", "row_entries")
HOW_TO_CALIBRATE = "train it with a development set (wnparse train --dev)"


@dataclass(frozen=True)
class Model:
    """A trained parser.

    Attributes
    ----------
    weights : dict
        The tables of weights: ``slots`` uint32[4 * buckets] of arcs, and those of labels: ``row_tags``,
        ``row_places``, ``row_entries``.
    scale : float
        What a weight of 1 in the table stands for.
    templates, labels : list of str
        The features, and the names of the labels; no labels make an unlabelled parser.
    label_table : dict
        Which labels are candidates for which tags: ``keys``, ``begin``, ``labels``.
    columns, constraints : Columns, Constraints
        The columns it reads, and the constraints that its training treebank suggests.
    first_pass : FirstPass or None
        The first pass, if there is one.
    info : dict
        Training options, the structure of the treebank, figures of the training run.
    calibration : Calibration or None
        What makes probabilities of its scores, if it was trained with a development set.
    """

    weights: Arrays
    scale: float
    templates: list[str]
    labels: list[str]
    label_table: Arrays
    columns: Columns
    constraints: Constraints
    first_pass: FirstPass | None
    info: dict[str, Any] = field(default_factory=dict)
    calibration: Calibration | None = None

    @property
    def size(self) -> int:
        """Bytes of its weights."""
        return sum(int(table.nbytes) for table in self.weights.values())

    @functools.cached_property
    def scorer(self) -> Scorer:
        """The model at work; threads may share it."""
        choice = LabelChoice(**self.label_table) if self.labels else None
        scorer = Scorer(compile_templates(self.templates), choice, **self.weights, scale=self.scale)
        if self.first_pass is not None:
            scorer.use_first_pass(**vars(self.first_pass))
        return scorer

    def parse_sentence(self, sentence: Sentence, settings: Settings, *, prune: bool = True) -> Parse | None:
        """Parse one sentence; None if no tree satisfies the constraints."""
        return self.parse_sentences([sentence], [settings], prune=prune)[0]

    def parse_sentences(
        self, sentences: list[Sentence], settings: list[Settings], *, prune: bool = True
    ) -> list[Parse | None]:
        """Parse sentences, each with its settings, in one go; None where no tree satisfies the constraints."""
        tokens = encode_all(sentences, self.columns)
        found = self.scorer.parse(tokens, settings, prune and self.first_pass is not None)
        return [None if each is None else Parse(each[0], self._names(each[1]), *each[2:]) for each in found]

    def _names(self, labels: npt.NDArray[np.int32]) -> list[str] | None:
        return ["", *map(self.labels.__getitem__, labels.tolist()[1:])] if self.labels else None

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = ...,
        k: None = ...,
        confidence: bool = ...,
    ) -> Iterator[Sentence | conllu.TokenList]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = ...,
        k: int,
        confidence: bool = ...,
    ) -> Iterator[list[Sentence | conllu.TokenList]]: ...

    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = "bnb",
        k: int | None = None,
        confidence: bool = False,
    ) -> Iterator[Sentence | conllu.TokenList] | Iterator[list[Sentence | conllu.TokenList]]:
        """Parse sentences with the constraints of the model.

        Parameters
        ----------
        sentences : iterable of Sentence or conllu.TokenList
            With tags; heads and relations are replaced.
        decoder : str
            One of `wnparse.decoders.DECODERS`; those that know no structural constraints ignore them.
        k : int, optional
            How many trees: each sentence becomes a list of its k best ones, of fewer if there are not as many, in
            falling score, with ``# rank`` and ``# score``. `msa`, `eisner` and `bnb` rank trees.
        confidence : bool
            Whether MISC gets ``HeadProb``, the probability of each head; the model must be calibrated.

        Returns
        -------
        iterator of Sentence or conllu.TokenList, or of lists of them if k is given
            Each as it came, with the new tree.

        Raises
        ------
        ValueError
            If the decoder is unknown or does not rank trees, or the model is not calibrated.
        InfeasibleError
            If no tree satisfies the constraints.
        """
        constraints = self.constraints
        if not find_decoder(decoder).structural:
            constraints = Constraints(single_root=constraints.single_root)
        if confidence and self.calibration is None:
            message = f"the model is not calibrated, so that its confidence is not known; {HOW_TO_CALIBRATE}"
            raise ValueError(message)
        request = Request(decoder, constraints, None if k is None else as_rank(k, decoder), confidence)
        ranked = (self._parse_one(given, request) for given in sentences)
        return ranked if k is not None else (trees[0] for trees in ranked)

    def _parse_one(
        self, given: Sentence | conllu.TokenList, request: Request
    ) -> list[Sentence | conllu.TokenList]:
        """The trees that are asked for, of the type of the sentence."""
        (sentence,) = as_sentences([given])
        if len(sentence) == 0:
            return [given]
        if request.k is None and not request.confidence:
            settings = make_settings(request.decoder, request.constraints)
            one = self.parse_sentence(sentence, settings) or self.parse_sentence(sentence, settings, prune=False)
            found = [one] if one else []
        else:
            found = rank_trees(self, sentence, request)
            found = found or rank_trees(self, sentence, replace(request, prune=False))
        if not found:
            message = f"{sentence.path}:{sentence.line}: no {request.constraints.describe()}"
            raise InfeasibleError(message)
        trees = [
            parse_sentence(raw, path=sentence.path, line=sentence.line)
            for raw in mark(sentence, found, ranked=request.k is not None)
        ]
        return list(trees) if isinstance(given, Sentence) else [tree.to_tokenlist() for tree in trees]

    def save(self, path: str) -> None:
        """Write the model; the file appears whole or not at all."""
        header = {
            "format": FORMAT,
            "scale": self.scale,
            "templates": self.templates,
            "labels": self.labels,
            "columns": asdict(self.columns),
            "constraints": asdict(self.constraints),
            "pruner": self.first_pass.limits() if self.first_pass else None,
            "calibration": asdict(self.calibration) if self.calibration else None,
            "info": self.info,
        }
        arrays = {**self.weights, **{f"label_{name}": array for name, array in self.label_table.items()}}
        if self.first_pass:
            arrays |= self.first_pass.arrays()
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
    if not OLDEST_FORMAT <= header["format"] <= FORMAT:
        known = f"this version of wnparse reads formats {OLDEST_FORMAT} to {FORMAT}"
        message = f"{path}: has model format {header['format']}; {known}"
        raise ModelError(message)
    if header["format"] == OLDEST_FORMAT and "options" in header["info"]:
        header["info"]["options"].setdefault("learner", "perceptron")  # format 3 left out the usual learner
    labels = {name.removeprefix("label_"): array for name, array in arrays.items() if name.startswith("label_")}
    return Model(
        weights={name: arrays[name] for name in TABLES},
        scale=header["scale"],
        templates=header["templates"],
        labels=header["labels"],
        label_table=labels,
        columns=Columns(**header["columns"]),
        constraints=Constraints(**header["constraints"]),
        first_pass=FirstPass.of(arrays, header["pruner"]) if header["pruner"] else None,
        info=header["info"],
        calibration=Calibration(**header["calibration"]) if header.get("calibration") else None,
    )


Weighted = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]
WeightedRows = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float64]]


def quantise(arcs: Weighted, rows: WeightedRows | None = None, least: float = 0.0) -> tuple[Arrays, float]:
    """Lay averaged weights out as the tables of a model: (tables, scale).

    Weights smaller than `least`, and those that round to 0, are left out: most features were updated once or so,
    say next to nothing, and would only make the tables too large for the nearer caches.
    """
    largest = max(float(np.abs(part[-1]).max(initial=0.0)) for part in (arcs, rows) if part is not None)
    scale = max(largest / LARGEST, SMALLEST_SCALE)

    def round_off(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
        return np.where(np.abs(weights) < least, 0, np.rint(weights / scale)).astype(np.int32)

    keys, weights = arcs
    numbers = round_off(weights)
    tables: Arrays = {"slots": freeze(keys, numbers, _bits(np.count_nonzero(numbers) / FILLING))}
    if rows is not None:
        keys, begin, labels, weights = rows
        numbers = round_off(weights)
        counts = np.concatenate([[0], np.cumsum(numbers != 0)])
        kept = np.count_nonzero(counts[begin[1:]] - counts[begin[:-1]])
        tables["row_tags"], tables["row_places"], tables["row_entries"] = freeze_rows(
            keys, begin, labels, numbers, _bits(kept / ROW_FILLING), int(labels.max(initial=0)) + 1
        )
    return tables, scale


def _bits(size: float) -> int:
    """Of the number of the last place in a table of at least that size."""
    return max(2, math.ceil(math.log2(max(size, 1))))
