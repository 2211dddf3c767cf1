"""A trained parser: weights, templates, labels, columns and constraints; one file.

`wnparse.parser.model_file` describes the file. Weights are 16-bit integers in units of a scale, as the core looks
them up (cext/scorer/weights/frozen_weights.hpp). `load` checks all that a file says: the core reads nothing
unchecked.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from wnparse._core.scorer import Scorer
from wnparse._core.tables import LabelCandidates
from wnparse.decoding.checks import as_count
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import show_keywords
from wnparse.errors import InfeasibleError, ModelError
from wnparse.parser.confidence import Calibration
from wnparse.parser.features import compile_templates
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.model_file import file_arrays, model_fields, read_header, write_header
from wnparse.parser.options import ParseKeywords, ParseOptions, parse_options
from wnparse.parser.parser import Parser
from wnparse.parser.part_features import compile_part_templates
from wnparse.parser.pruner import Pruner
from wnparse.parser.tokens import UsedColumns, watch_input
from wnparse.rules import Rules
from wnparse.storage.files import open_output
from wnparse.storage.tensors import Arrays, read_checked, read_metadata, write_tensors
from wnparse.tagger.tagger import Tagger, tag_stream
from wnparse.treebanks.sentence import Sentence, as_sentence, check_sentences
from wnparse.wording import printable

if TYPE_CHECKING:
    import conllu
    from typing_extensions import Unpack


show_parse_keywords = show_keywords(
    ParseKeywords, ParseOptions, block_degree="model", well_nested="model", single_root="model", rules="model",
    crossing_price="model", tag_sequences="model",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A trained parser.

    It is pickled by the path of its file and a checksum while the file is there and says the same, else whole.

    Attributes
    ----------
    weights : dict
        The tables of weights. Of arcs: ``slots``, uint32[4 * 2 ** b], b >= 1
        (cext/scorer/weights/frozen_weights.hpp). Of labels, if there are any: ``fingerprints``,
        uint16[8 * 2 ** c], c >= 1, ``places``, as many uint32, and ``rows``, uint32
        (cext/scorer/weights/frozen_label_weights.hpp).
    scale : float
        What a weight of 1 in the table stands for.
    templates, labels : list of str
        The features, and the names of the labels; no labels make an unlabelled parser.
    label_table : dict
        Which labels are candidates for which tags: ``keys``, uint64[k], ascending; ``begin``, int32[k + 1], from 0
        and ascending; ``labels``, int32, those of key i from begin[i] to begin[i + 1], ascending.
    columns, constraints : UsedColumns, Constraints
        The columns it reads, and the constraints that its training treebank suggests.
    first_pass : FirstPass or None
        The first pass, if there is one.
    info : dict
        Training options, the structure of the treebank, figures of the training run.
    calibration : Calibration or None
        What makes probabilities of its scores, if it was trained with a development set.
    order : int
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings.
    part_templates : list of str
        The features of parts of higher order.
    pruner : Pruner or None
        What leaves few heads of each word, at order 2 and more.
    tagger : Tagger or None
        What fills UPOS, XPOS, FEATS and LEMMA, if it was trained with one.
    rules : Rules or None
        What its trees are held to beside the constraints: the rules that its training treebank keeps.
    crossing_price : float
        What a tree pays for each pair of arcs that cross, if it was trained with a development set.
    joint_weight : float
        What tags count beside trees where several are tried (`wnparse.parser.joint`); 0: the best are kept.
    """

    weights: Arrays
    scale: float
    templates: list[str]
    labels: list[str]
    label_table: Arrays
    columns: UsedColumns
    constraints: Constraints
    first_pass: FirstPass | None
    info: dict[str, Any] = field(default_factory=dict)
    calibration: Calibration | None = None
    order: int = 1
    part_templates: list[str] = field(default_factory=list)
    pruner: Pruner | None = None
    tagger: Tagger | None = None
    rules: Rules | None = None
    crossing_price: float = 0.0
    joint_weight: float = 0.0
    # Path and checksum of the file that it was loaded from; `replace` does not copy them.
    _source: tuple[str, str] | None = field(default=None, init=False)

    def __repr__(self) -> str:
        if self.only_tags:
            return f"<Model{f' from {self._source[0]}' if self._source else ''}: a tagger>"
        labels = f"{len(self.labels)} labels" if self.labels else "no labels"
        columns = " ".join(name for name, used in asdict(self.columns).items() if used)
        size = f"{self.size / 1e6:.1f} MB of weights"
        place = f" from {self._source[0]}" if self._source else ""
        return f"<Model{place}: {self.constraints.describe()}, {labels}, columns form upos {columns}, {size}>"

    def __copy__(self) -> Model:
        return self._with(**self._fields())

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        shared = ("weights", "label_table", "first_pass", "pruner", "tagger")  # arrays that nothing writes to
        found = {
            name: value if name in shared else deepcopy(value, memo) for name, value in self._fields().items()
        }
        return self._with(**found)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._source:
            checksum, told = read_metadata(self._source[0])
            # What was changed in place, in the file or here, does not get lost.
            if checksum == self._source[1] and told.get("wnparse") == write_header(self):
                return _load_again, self._source
        return _restore, (self._fields(),)

    def _fields(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.init}

    def _with(self, **changes: Any) -> Model:
        """Make a model with these fields that was loaded from the same file."""
        model = Model(**changes)
        object.__setattr__(model, "_source", self._source)
        return model

    @property
    def size(self) -> int:
        """Bytes of its weights."""
        own = sum(int(table.nbytes) for table in self.weights.values())
        return own + (int(self.pruner.slots.nbytes) if self.pruner else 0)

    @property
    def only_tags(self) -> bool:
        """Whether it is a tagger and no parser."""
        return not self.templates

    @functools.cached_property
    def scorer(self) -> Scorer:
        """The model at work; threads may share it."""
        choice = LabelCandidates(**self.label_table, count=len(self.labels)) if self.labels else None
        scorer = Scorer(
            compile_templates(self.templates),
            choice,
            **self.weights,
            scale=self.scale,
            order=self.order,
            parts=compile_part_templates(self.part_templates),
            names=self.labels,
        )
        if self.first_pass is not None:
            scorer.use_first_pass(**vars(self.first_pass))
        if self.pruner is not None:
            scorer.use_pruner(**vars(self.pruner))
        return scorer

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        k: None = ...,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Sentence | conllu.TokenList]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        k: int,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[list[Sentence | conllu.TokenList]]: ...

    @show_parse_keywords
    def parse(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        k: int | None = None,
        jobs: int = 1,
        strict: bool = False,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Sentence | conllu.TokenList] | Iterator[list[Sentence | conllu.TokenList]]:
        """Parse sentences as `wnparse parse` does; the constraints are the model's, unless others are given.

        Parameters
        ----------
        sentences : iterable of Sentence or conllu.TokenList
            With tags, unless the model has a tagger; heads and relations are replaced.
        decoder : str
            One of `wnparse.decoding.registry.DECODERS`. One that knows no block degree or nesting (`msa`) drops
            the model's with a UserWarning, and refuses those that are asked for.
        k : int, optional
            How many trees: each sentence becomes a list of its k best ones, of fewer if there are not as many,
            with ``# rank`` and ``# score``. Trees that break fewer hard rules come first, then those with higher
            scores. `msa`, `eisner` and `bnb` rank trees.
        confidence : bool
            Whether MISC gets ``HeadProb``, the probability of each head; the model must be calibrated.
        block_degree : int, None or "model"
            The most blocks of a yield, None for any number; "model", the default, is what the model suggests.
        well_nested, single_root : bool or "model"
            As for `decode`; "model", the default, is what the model suggests.
        max_iterations, max_nodes : int
            Limits of a relaxation and of the search; fewer nodes for long sentences, which take as long.
        time_limit : float, optional
            Seconds for the search of a sentence; trees may then differ from machine to machine.
        max_words : int
            Longer sentences are left without a tree.
        prune : bool
            Whether the model's first pass drops arcs.
        heads_from_input : bool
            Whether words that have a head keep it, with its relation.
        drop_deps : bool
            Whether DEPS is cleared, and empty nodes are removed.
        rules : Rules, str, path or None
            What labelled trees are held to: rules, a bundled name or the path of a rule file, or none; "model",
            the default, is what the model has stored.
        crossing_price : float or "model"
            What a labelled tree pays for each pair of arcs that cross, 0 for nothing; "model", the default, is
            what the model has learned.
        jobs : int
            Threads; trees do not depend on it. With several, or sentences in a list, many are parsed at a time.
        strict : bool
            Whether to raise where no tree satisfies constraints and rules. Else they are given up one after the
            other, and ``sentence.parse.fallback`` says which.
        retag : bool
            Whether the model's tagger replaces tags that are given.
        tag_sequences : int or "model"
            How many sequences of tags are tried, of which the best tags and tree together are kept. "model", the
            default, is 4 if the model is of order 2 or more and has learned how to weigh them, else 1.

        Returns
        -------
        iterator of Sentence or conllu.TokenList, or of lists of them if k is given
            Each as it came, with the new tree; its attribute `parse` has score, upper bound, certificate and what
            was given up. It is None for a sentence that was not parsed: without words, or with too many, which has
            no tree then.

        Raises
        ------
        TypeError
            If something else is given for sentences: a path, for example, or one sentence.
        ValueError
            If the decoder is unknown, does not rank trees or cannot honour a constraint that is asked for, or the
            model is not calibrated.
        InfeasibleError
            If no tree satisfies the constraints, and `strict` is set.

        Warns
        -----
        UserWarning
            Once, if columns that the model uses are empty in the sentences, or in their first thousand words.
        """
        check_sentences(sentences)
        chosen, notices = parse_options(self, k=k, **options)
        for notice in notices:
            warnings.warn(notice, stacklevel=2)
        ranked = self._parse(Parser(self, chosen), sentences, as_count(jobs, "jobs", 1), strict)
        return ranked if k is not None else (trees[0] for trees in ranked)

    def _parse(
        self, parser: Parser, sentences: Iterable[Sentence | conllu.TokenList], jobs: int, strict: bool
    ) -> Iterator[list[Sentence | conllu.TokenList]]:
        """The trees of each sentence, of the type of the sentence."""
        waiting: deque[Sentence | conllu.TokenList] = deque()

        def feed() -> Iterator[Sentence]:
            for number, given in enumerate(sentences, 1):
                waiting.append(given)
                yield as_sentence(given, number)

        def warn(message: str) -> None:
            warnings.warn(message, UserWarning, stacklevel=2)

        together = jobs > 1 or isinstance(sentences, Sequence)
        # What lacks tags gets them from a tagger.
        watched = feed() if self.tagger else watch_input(feed(), self.columns, self.info, warn)
        for parsed in parser.stream(watched, jobs, lambda: together):
            given = waiting.popleft()
            if strict and parsed.fallback:
                where = f"{parsed.sentence.path}:{parsed.sentence.line}"
                raise InfeasibleError(
                    f"{where}: no {parser.options.constraints.describe()}; gave up {parsed.fallback}"
                )
            yield [given] if not len(parsed.sentence) else list(parsed.trees(given))

    def tag(
        self,
        sentences: Iterable[Sentence | conllu.TokenList],
        *,
        retag: bool = False,
        confidence: bool = False,
        jobs: int = 1,
    ) -> Iterator[Sentence | conllu.TokenList]:
        """Tag sentences as `wnparse parse --tag-only` does: UPOS, XPOS, FEATS and LEMMA, if it learned them.

        A word whose UPOS is ``_`` gets what it lacks, and a column that is empty in a whole sentence is filled;
        everything else stays and is taken for granted, unless `retag` replaces it. `confidence` writes the
        probability of each UPOS that was filled in into MISC (``TagProb``); the tags do not depend on `jobs`.
        ValueError if the model has no tagger.
        """
        check_sentences(sentences)
        if self.tagger is None:
            raise ValueError("the model has no tagger; train one with --tagger or --tagger-only")
        return tag_stream(self.tagger, sentences, retag, confidence, as_count(jobs, "jobs", 1))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model; the file appears whole or not at all."""
        with open_output(os.fspath(path)) as stream:
            write_tensors(stream, file_arrays(self), {"wnparse": write_header(self)})


def load(path: str | os.PathLike[str]) -> Model:
    """Open a model file; ModelError, in one line, if it cannot be used: truncated, altered, of another format.

    All that the file says is checked, so that a file of a stranger can give bad trees, and nothing worse.
    """
    path = os.fspath(path)
    header: dict[str, Any] = {}
    arrays, _, checksum = read_checked(path, lambda metadata: header.update(read_header(metadata)))
    try:
        fields = model_fields(arrays, header)
        model = Model(**fields) if "templates" in fields else tagging_model(fields["tagger"], fields["info"])
        if not model.only_tags:
            model.scorer  # noqa: B018 -- the core checks the arrays when it is given them
    except ValueError as error:
        raise ModelError(f"{path}: {printable(str(error))}") from None
    if checksum:  # The path is absolute: who unpickles the model may be in another folder.
        object.__setattr__(model, "_source", (str(Path(path).absolute()), checksum))
    return model


def tagging_model(tagger: Tagger, info: dict[str, Any]) -> Model:
    """Make a model that only tags."""
    return Model(
        weights={},
        scale=1.0,
        templates=[],
        labels=[],
        label_table={},
        columns=UsedColumns(lemma=False, xpos=False, feats=False),
        constraints=Constraints(),
        first_pass=None,
        info=info,
        tagger=tagger,
    )


def _load_again(path: str, checksum: str) -> Model:
    """Unpickle a model from its file; ModelError if the file is gone, or another by now."""
    try:
        model = load(path)
    except OSError as error:
        raise ModelError(
            f"{path}: {error.strerror}; a model that was pickled by its path needs its file"
        ) from error
    if model._source != (path, checksum):
        raise ModelError(
            f"{path}: is not the model that was pickled (checksum {checksum}), which was pickled by its path"
        )
    return model


def _restore(found: dict[str, Any]) -> Model:
    """Unpickle a model that was pickled whole."""
    return Model(**found)
