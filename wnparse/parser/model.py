"""A trained model: its data, parsing and tagging; `wnparse.parser.model_file` reads and writes it.

Weights are 16-bit integers in units of a scale, as the core looks them up
(cext/scorer/weights/frozen_weights.hpp).
"""

from __future__ import annotations

import functools
import io
import itertools
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar, overload

from wnparse._core.scorer import Scorer
from wnparse._core.tables import LabelCandidates
from wnparse._core.tokens import Tokens
from wnparse.decoding.checks import as_count
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import show_keywords
from wnparse.errors import InfeasibleError
from wnparse.parser.confidence import Calibration
from wnparse.parser.features import compile_templates
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.model_file import load_model, reduce_model, save_model
from wnparse.parser.neural_scorer import NeuralScorer
from wnparse.parser.options import ParseKeywords, ParseOptions, parse_options
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.part_features import compile_part_templates
from wnparse.parser.pruner import Pruner
from wnparse.parser.summary import describe_loss
from wnparse.parser.tokens import UsedColumns, encode_all, watch_input
from wnparse.rules import Rules
from wnparse.storage.tensors import Arrays
from wnparse.tagger.tagger import Tagger
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.inputs import SpacyDoc, Treebank, Words, as_inputs, check_sentences, regroup
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.text_input import TextSource

if TYPE_CHECKING:
    import conllu
    from typing_extensions import Unpack

# What becomes a sentence, or several, of the same type. Only one sentence can become k trees.
One = TypeVar("One", bound="Sentence | conllu.TokenList")
OneOrMore = TypeVar("OneOrMore", bound="Sentence | conllu.TokenList | SpacyDoc")

show_parse_keywords = show_keywords(
    ParseKeywords, ParseOptions, block_degree="model", well_nested="model", single_root="model", rules="model",
    crossing_penalty="model", tag_sequences="model",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A trained tokenizer, tagger, parser, or several of them; `wnparse.load` and `wnparse.train` make it.

    A model without templates has no parser. As long as its file is unchanged, a model is pickled as the path and
    the checksum of the file, otherwise completely.

    Attributes
    ----------
    weights : dict
        The tables of weights. Of arcs: ``slots``, uint32[4 * 2 ** b], b >= 1
        (cext/scorer/weights/frozen_weights.hpp). Of labels, if there are any: ``fingerprints``,
        uint16[8 * 2 ** c], c >= 1, ``places``, as many uint32, and ``rows``, uint32
        (cext/scorer/weights/frozen_label_weights.hpp).
    scale : float
        Value of a weight of 1 in the tables.
    templates : list of str
        The features of arcs.
    labels : list of str
        The names of the labels; an unlabelled parser has none.
    label_table : dict
        Which labels are candidates for which tags: ``keys``, uint64[k], ascending; ``begin``, int32[k + 1], from 0
        and ascending; ``labels``, int32, those of key i from begin[i] to begin[i + 1], ascending.
    columns : UsedColumns
        The columns that it reads.
    constraints : Constraints
        The constraints that its training treebank suggests.
    first_pass : FirstPass or None
        The first pass, if there is one.
    info : dict
        Training options, the structure of the treebank, figures of the training run.
    calibration : Calibration or None
        Temperatures that turn scores into probabilities, if it was trained with a development set.
    order : int
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings.
    part_templates : list of str
        The features of parts of higher order.
    pruner : Pruner or None
        The model that leaves few heads of each word, at order 2 and more.
    tagger : Tagger or None
        The tagger of UPOS, XPOS, FEATS and LEMMA, if it was trained with one.
    rules : Rules or None
        Rules that trees must satisfy in addition to the constraints: those that its training treebank satisfies.
    crossing_penalty : float
        Penalty of each pair of crossing arcs, if it was trained with a development set.
    joint_weight : float
        Weight of tags against trees where several tag sequences are tried (`wnparse.parser.joint`); 0 keeps the
        best tags.
    tokenizer : Tokenizer or None
        What splits text into sentences, tokens and words, if it was trained with it.
    neural : NeuralScorer or None
        A network whose scores are added to those of the linear model, if it was trained with one.
    """

    weights: Arrays = field(default_factory=dict)
    scale: float = 1.0
    templates: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    label_table: Arrays = field(default_factory=dict)
    columns: UsedColumns = field(default_factory=lambda: UsedColumns(lemma=False, xpos=False, feats=False))
    constraints: Constraints = field(default_factory=Constraints)
    first_pass: FirstPass | None = None
    info: dict[str, Any] = field(default_factory=dict)
    calibration: Calibration | None = None
    order: int = 1
    part_templates: list[str] = field(default_factory=list)
    pruner: Pruner | None = None
    tagger: Tagger | None = None
    rules: Rules | None = None
    crossing_penalty: float = 0.0
    joint_weight: float = 0.0
    tokenizer: Tokenizer | None = None
    neural: NeuralScorer | None = None
    # Path and checksum of the file that it was loaded from; `replace` does not copy them.
    _source: tuple[str, str] | None = field(default=None, init=False)

    def __repr__(self) -> str:
        place = f" from {self._source[0]}" if self._source else ""
        if self.only_tags:
            parts = [name for name in ("tokenizer", "tagger") if getattr(self, name)]
            return f"<Model{place}: {' and '.join(f'a {part}' for part in parts)}>"
        labels = f"{len(self.labels)} labels" if self.labels else "no labels"
        columns = " ".join(name for name, used in asdict(self.columns).items() if used)
        size = f"{self.size / 1e6:.1f} MB of weights"
        return f"<Model{place}: {self.constraints.describe()}, {labels}, columns form upos {columns}, {size}>"

    def __copy__(self) -> Model:
        copied = replace(self)
        object.__setattr__(copied, "_source", self._source)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        copied = copy(self)
        for name in ("templates", "labels", "part_templates", "info"):  # nothing writes to arrays
            object.__setattr__(copied, name, deepcopy(getattr(self, name), memo))
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_model(self)

    @property
    def size(self) -> int:
        """Bytes of its weights."""
        own = sum(int(table.nbytes) for table in self.weights.values())
        return own + (int(self.pruner.slots.nbytes) if self.pruner else 0)

    @property
    def only_tags(self) -> bool:
        """Whether it has no parser."""
        return not self.templates

    @functools.cached_property
    def _scorer(self) -> Scorer:
        """The compiled parser; threads may share it."""
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

    def _tuned(self, neural_weight: float | None = None) -> Model | NeuralScorer:
        """Return what has the calibration, crossing penalty and joint weight: those of the sum, or without it."""
        return self if neural_weight == 0 or self.neural is None else self.neural

    def _encode(self, sentences: list[Sentence], neural_weight: float | None = None) -> list[Tokens]:
        """Return sentences as the scorer reads them, with the scores of the network if there is one.

        Parameters
        ----------
        sentences : list of Sentence
            With tags.
        neural_weight : float, optional
            The weight of the network, 0 for none; None is the one that the model has learned.
        """
        tokens = encode_all(sentences, self.columns)
        if self.neural is not None and neural_weight != 0:
            assert self.calibration is not None  # the model file guarantees it
            weight = self.neural.weight if neural_weight is None else neural_weight
            unit = weight * self.calibration.temperature(self.first_pass is not None) / self.scale
            self.neural.add_scores(sentences, tokens, unit)
        return tokens

    @overload
    def parse(
        self,
        sentences: Iterable[OneOrMore],
        *,
        k: None = ...,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[OneOrMore]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Words],
        *,
        k: None = ...,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Sentence]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[One],
        *,
        k: int,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[list[One]]: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Words],
        *,
        k: int,
        jobs: int = ...,
        strict: bool = ...,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[list[Sentence]]: ...

    @show_parse_keywords
    def parse(
        self,
        sentences: Treebank,
        *,
        k: int | None = None,
        jobs: int = 1,
        strict: bool = False,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Any]:
        """Parse sentences as `wnparse parse` does, with the constraints of the model unless others are given.

        Parameters
        ----------
        sentences : iterable of Sentence, conllu.TokenList, lists of words or Docs of spaCy
            With tags, unless the model has a tagger; heads and relations are replaced. The sentences of a Doc are
            those of its sentence starts. If it has none, the tokenizer of the model finds them. Without tokenizer,
            the Doc is one sentence.
        decoder : str
            One of `wnparse.decoding.registry.DECODERS`. One that does not support block degree or nesting (`msa`)
            drops those of the model with a UserWarning, and refuses those that are requested.
        k : int, optional
            Number of trees: each sentence becomes a list of its k best trees, or of fewer if fewer exist, with
            ``# rank`` and ``# score``. Trees that break fewer hard rules come first, then those that score more.
            `msa`, `eisner` and `bnb` rank trees.
        confidence : bool
            Whether MISC gets ``HeadProb``, the probability of each head; the model must be calibrated.
        blank_below : float, optional
            Heads whose probability is below this number are written as ``_``, with their relations. The model must
            be calibrated. It cannot be used together with `k`.
        block_degree : int, None or "model"
            Maximum number of blocks of a yield, None for any number; "model", the default, is the model's.
        well_nested, single_root : bool or "model"
            As for `decode`; "model", the default, is the model's.
        max_iterations : int
            Maximum iterations of a relaxation.
        max_nodes : int
            Maximum nodes of the search; scaled down for long sentences so that the time stays similar.
        time_limit : float, optional
            Maximum seconds per sentence; trees may then differ from machine to machine.
        max_words : int
            Longer sentences are left without a tree.
        prune : bool
            Whether the model's first pass drops arcs.
        keep_heads : bool
            Whether words that have a head keep it, with its relation.
        keep_fixed : bool
            Whether words with ``Fixed=Yes`` in MISC keep head, relation and tags. All others are parsed and, if
            the model has a tagger, tagged again. TreebankError if such a word has no head.
        drop_deps : bool
            Whether DEPS is cleared, and empty nodes are removed.
        rules : Rules, str, path or None
            Rules that labelled trees must satisfy: rules, a bundled name, the path of a rule file, or none;
            "model", the default, is the model's.
        crossing_penalty : float or "model"
            Penalty of each pair of crossing arcs in a labelled tree, 0 for none; "model", the default, is the
            model's.
        jobs : int
            Number of threads; trees do not depend on it. With several, or sentences in a list, many are parsed at
            a time.
        strict : bool
            Whether to raise an error if no tree satisfies constraints and rules. Otherwise they are relaxed one by
            one, and ``sentence.parse.fallback`` names them.
        retag : bool
            Whether the model's tagger replaces given tags.
        tag_sequences : int or "model"
            Number of tag sequences that are parsed; the best tags and tree together are kept. "model", the
            default, is 4 if the model is of order 2 or more and has a joint weight, else 1.

        Returns
        -------
        iterator of Sentence, conllu.TokenList or Doc, or of lists of them if k is given
            Each of the type of its input, with the new tree; lists of words become a Sentence. The inputs are not
            changed. The attribute `parse` of a Sentence or TokenList has score, upper bound, certificate and what
            was relaxed. It is None for a sentence that was not parsed: one without words, or one with too many,
            which is left without a tree.

        Raises
        ------
        TypeError
            If `sentences` is something else, for example a path or one sentence, or if k trees of a Doc are
            requested.
        ValueError
            If the decoder is unknown, does not rank trees or does not support a requested constraint, or the model
            is not calibrated.
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

    def _parse(self, parser: Parser, items: Treebank, jobs: int, strict: bool) -> Iterator[list[Any]]:
        """Yield the trees of each input, of the type of the input."""
        together = jobs > 1 or isinstance(items, Sequence)

        def parse_all(sentences: Iterator[Sentence]) -> Iterator[Parsed]:
            if self.tagger is None:  # a tagger would fill empty columns
                sentences = watch_input(sentences, self.columns, self.info, warnings.warn)
            return parser.stream(sentences, jobs, lambda: together)

        for one, results in regroup(as_inputs(items, self.tokenizer), parse_all):
            for parsed in results:
                if strict and parsed.fallback:
                    where = f"{parsed.sentence.path}:{parsed.sentence.line}"
                    raise InfeasibleError(
                        f"{where}: none of the {parser.options.constraints.describe()} satisfies everything; "
                        f"{describe_loss(parsed, parser.options)}"
                    )
            if parser.options.k is None:
                yield [one.like([next(parsed.trees()) for parsed in results])]
            elif one.words is None:
                yield [one.like([tree]) for tree in results[0].trees()]
            else:
                raise TypeError(
                    "a Doc has one tree per sentence, not k; parse its sentences instead: "
                    "[Sentence.from_spacy(span) for span in doc.sents]"
                )

    @overload
    def tag(
        self, sentences: Iterable[OneOrMore], *, retag: bool = ..., confidence: bool = ..., jobs: int = ...
    ) -> Iterator[OneOrMore]: ...

    @overload
    def tag(
        self, sentences: Iterable[Words], *, retag: bool = ..., confidence: bool = ..., jobs: int = ...
    ) -> Iterator[Sentence]: ...

    def tag(
        self, sentences: Treebank, *, retag: bool = False, confidence: bool = False, jobs: int = 1
    ) -> Iterator[Any]:
        """Tag sentences as `wnparse tag` does: UPOS, XPOS, FEATS and LEMMA, if the model learned them.

        Inputs and results have the types of `parse`. A word whose UPOS is ``_`` gets all that it lacks; a column
        that is empty in a whole sentence is filled; everything else stays and counts as right, unless `retag`
        replaces it. `confidence` writes the probability of each UPOS that was filled in into MISC (``TagProb``).
        The tags do not depend on `jobs`. ValueError if the model has no tagger.
        """
        check_sentences(sentences)
        if self.tagger is None:
            raise ValueError("the model has no tagger; train one without --only parser")
        jobs = as_count(jobs, "jobs", 1)
        together = jobs > 1 or isinstance(sentences, Sequence)
        work = functools.partial(self.tagger.tag, retag=retag, confidence=confidence)
        inputs = as_inputs(sentences, self.tokenizer)
        tagged = regroup(inputs, lambda stream: in_chunks(stream, work, jobs, lambda: together))
        return (one.like(results) for one, results in tagged)

    def tokenize(self, text: str) -> list[Sentence]:
        """Split text into sentences, tokens and words as `wnparse tokenize` does.

        A blank line ends a paragraph. The sentences have ``# newpar``, ``# sent_id`` and ``# text``, and MISC says
        what is between tokens, so that the text can be rebuilt. ValueError if the model has no tokenizer, or if
        the text has surrogates, which are not characters.
        """
        return list(self._read_text(text))

    @show_parse_keywords
    def parse_text(
        self, text: str, *, jobs: int = 1, strict: bool = False, **options: Unpack[ParseKeywords]
    ) -> Iterator[Sentence]:
        """Split text into sentences, and parse them as `wnparse parse --input text` does.

        Parameters
        ----------
        text : str
            Sentences and paragraphs; a blank line ends a paragraph.
        jobs, strict, **options
            As for `parse`, for one tree per sentence.

        Returns
        -------
        iterator of Sentence
            With ``# text``, tags, lemmas and trees; see `tokenize` and `parse`.

        Raises
        ------
        ValueError
            If the model has no tokenizer, or an option cannot be used; see `tokenize` and `parse`.
        """
        return self.parse(self._read_text(text), jobs=jobs, strict=strict, **options)

    def _read_text(self, text: str) -> Reader:
        if self.tokenizer is None:
            raise ValueError(
                "the model has no tokenizer; train it on a treebank with # text, and SpaceAfter=No in MISC"
            )
        if not isinstance(text, str):
            raise TypeError(f"expected a str, not {type(text).__name__} {text!r:.60}")
        try:
            stream = io.BytesIO(text.encode())
        except UnicodeEncodeError as error:
            raise ValueError(
                f"character {error.start} of the text is a surrogate; expected text that can be written as UTF-8"
            ) from None
        return Reader([TextSource(stream, itertools.count(1), self.tokenizer)])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model; the file appears completely or not at all."""
        save_model(self, os.fspath(path))


def load(path: str | os.PathLike[str]) -> Model:
    """Open a model file; ModelError, in one line, if it cannot be used: truncated, altered, of another format.

    The whole content of the file is checked, so that a forged file can cause wrong trees, but no other harm.
    """
    return load_model(os.fspath(path), Model)
