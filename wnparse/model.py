"""A trained parser: weights, templates, labels, columns and constraints; one file that is mapped, not read.

The file is that of `wnparse.tensors`, which readers of safetensors open too. Weights are 16-bit integers in units
of a scale, as the core looks them up (cext/scorer/weights/frozen_weights.hpp).
"""

from __future__ import annotations

import functools
import json
import math
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.freezing import freeze, freeze_rows
from wnparse._core.scorer import Scorer
from wnparse._core.tables import LabelChoice
from wnparse.confidence import Calibration
from wnparse.conllu import Sentence, as_sentences, parse_sentence
from wnparse.constraints import Constraints, as_count
from wnparse.decoders import find_decoder
from wnparse.encode import Columns, watch_columns
from wnparse.errors import InfeasibleError, ModelError
from wnparse.features import compile_templates
from wnparse.files import open_output
from wnparse.first_pass import FirstPass
from wnparse.parsing import Parsed, Parser, ParsingOptions
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

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = ...,
        k: None = ...,
        confidence: bool = ...,
        jobs: int = ...,
        strict: bool = ...,
    ) -> Iterator[Sentence | conllu.TokenList]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = ...,
        k: int,
        confidence: bool = ...,
        jobs: int = ...,
        strict: bool = ...,
    ) -> Iterator[list[Sentence | conllu.TokenList]]: ...

    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        decoder: str = "bnb",
        k: int | None = None,
        confidence: bool = False,
        jobs: int = 1,
        strict: bool = False,
    ) -> Iterator[Sentence | conllu.TokenList] | Iterator[list[Sentence | conllu.TokenList]]:
        """Parse sentences with the constraints of the model, as `wnparse parse` does.

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
        jobs : int
            Threads; the trees do not depend on it. With several, or if the sentences are in a list, many are
            parsed at a time.
        strict : bool
            Whether to raise where no tree satisfies the constraints. Else they are given up one after the other,
            and ``sentence.parse.fallback`` says which.

        Returns
        -------
        iterator of Sentence or conllu.TokenList, or of lists of them if k is given
            Each as it came, with the new tree; its attribute `parse` has score, upper bound, certificate and what
            was given up. It is None for a sentence that was left as it is: without words, or with too many.

        Raises
        ------
        ValueError
            If the decoder is unknown or does not rank trees, or the model is not calibrated.
        InfeasibleError
            If no tree satisfies the constraints, and `strict` is set.

        Warns
        -----
        UserWarning
            Once, if columns that the model uses are empty in the sentences, or in their first thousand words.
        """
        constraints = self.constraints
        if not find_decoder(decoder).structural:
            constraints = Constraints(single_root=constraints.single_root)
        parser = Parser(self, ParsingOptions(decoder, constraints, k=k, confidence=confidence))
        ranked = self._parse(parser, sentences, as_count(jobs, "jobs", 1), strict)
        return ranked if k is not None else (trees[0] for trees in ranked)

    def _parse(
        self, parser: Parser, sentences: Iterable[Sentence | conllu.TokenList], jobs: int, strict: bool
    ) -> Iterator[list[Sentence | conllu.TokenList]]:
        """The trees of each sentence, of the type of the sentence."""
        waiting: deque[Sentence | conllu.TokenList] = deque()

        def feed() -> Iterator[Sentence]:
            for given in sentences:
                waiting.append(given)
                yield from as_sentences([given])

        def warn(message: str) -> None:
            warnings.warn(message, UserWarning, stacklevel=2)

        together = jobs > 1 or isinstance(sentences, Sequence)
        watched = watch_columns(feed(), self.columns, warn, "the sentences")
        for parsed in parser.parse_all(watched, jobs, lambda: together):
            given = waiting.popleft()
            if strict and parsed.fallback:
                where = f"{parsed.sentence.path}:{parsed.sentence.line}"
                message = f"{where}: no {parser.options.constraints.describe()}; gave up {parsed.fallback}"
                raise InfeasibleError(message)
            yield [given] if not parsed.parses else list(_trees(given, parsed))

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


def _trees(given: Sentence | conllu.TokenList, parsed: Parsed) -> Iterator[Sentence | conllu.TokenList]:
    """The trees of a sentence, each with what is known of it."""
    for raw, parse in zip(parsed.raws, parsed.parses, strict=True):
        tree = parse_sentence(raw, path=parsed.sentence.path, line=parsed.sentence.line)
        result: Any = tree if isinstance(given, Sentence) else tree.to_tokenlist()
        result.parse = parse
        yield result


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
