"""Training: epochs of a learner over a treebank, the best of them by a development set.

Sentences are shuffled anew in each epoch by a generator of seed and epoch alone, so that an interrupted run can
go on from a checkpoint to the same bytes.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from wnparse import __version__
from wnparse._core.learner import Learner
from wnparse._core.tables import LabelChoice, label_keys
from wnparse._core.tokens import Tokens
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import find_decoder, refuse_python
from wnparse.errors import TreebankError
from wnparse.parser.features import compile_templates, default_templates
from wnparse.parser.first_pass import FirstPass, learn_first_pass
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.part_features import compile_part_templates, default_part_templates
from wnparse.parser.pruner import Pruner
from wnparse.parser.summary import count_right
from wnparse.parser.tokens import Columns, encode, filled_columns, is_filled
from wnparse.rules import Rules
from wnparse.rules.coverage import COVERAGE, detect_rules, kept_rules
from wnparse.storage.quantise import quantise
from wnparse.storage.tensors import Arrays
from wnparse.training.calibration import learn_calibration
from wnparse.training.crossing_price import LearnedPrice, learn_price
from wnparse.training.learners import USUAL_K, USUAL_LIMIT, USUAL_MARGIN, check_learner, find_learner
from wnparse.training.pruner import Kept, PrunedTreebank, prune_treebank, widen
from wnparse.treebanks.label_names import check_column
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.stats import measure
from wnparse.treebanks.word_input import have_spaces

ITERATIONS = 20  # of the relaxation of a sentence, while parts of higher order are learned
CLOSE = 2.5  # margins: an arc that loses by more, before labels are looked at, gets none

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TrainingOptions:
    """Options of a training run; None is the usual value of the learner (`wnparse.training.learners`)."""

    epochs: int = 10
    seed: int = 1
    decoder: str = "msa"
    labelled: bool = True
    lemma: bool = True
    xpos: bool = True
    feats: bool = True
    prune: bool = True
    margin: float | None = None
    learner: str = "perceptron"
    C: float | None = None
    k: int | None = None
    order: int | None = None
    rules: Rules | Literal["auto"] | None = "auto"  # auto is what the relations of the treebank suggest
    rule_coverage: float = COVERAGE

    def complete(self) -> TrainingOptions:
        """The same with the usual values of the learner; ValueError if it has no use for what it is told."""
        check_learner(
            self.learner,
            limit=self.C,
            k=self.k,
            margin=self.margin,
            decoder=self.decoder,
            order=self.order,
        )
        learner = find_learner(self.learner)
        if isinstance(self.rules, Rules) and not self.labelled:
            raise ValueError("rules are about relations, which an unlabelled parser does not learn")
        return replace(
            self,
            margin=USUAL_MARGIN if self.margin is None and not learner.clips else self.margin,
            C=USUAL_LIMIT if self.C is None and learner.clips else self.C,
            k=USUAL_K if self.k is None and learner.ranks else self.k,
            order=learner.order if self.order is None else self.order,
        )

    def recorded(self) -> dict[str, Any]:
        """What a model remembers: what its learner has a use for, and the order if it is not the first."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in ("rules", "rule_coverage"):  # what comes of them is a part of the model
            del known[name]
        told = {name: value for name, value in known.items() if value is not None}
        return told if self.order != 1 else {name: value for name, value in told.items() if name != "order"}


@dataclass(frozen=True)
class Progress:
    """What a training run tells after an epoch; percentages from 0 to 100."""

    epoch: int
    updates: int  # sentences that changed the weights
    features: int
    train_uas: float
    train_las: float | None
    dev_uas: float | None
    dev_las: float | None
    seconds: float
    words_per_second: float
    best: bool


@dataclass
class Example:
    """A training sentence as the core sees it."""

    tokens: Tokens
    heads: Int32Array
    labels: Int32Array


class Trainer:
    """A training run that can be stopped after any sentence and taken up again."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        options: TrainingOptions,
        twins: Sequence[Sentence] = (),
    ) -> None:
        """Prepare a run; `twins` are the same sentences with other tags: every second lesson is of these."""
        options = options.complete()
        sentences = [sentence for sentence in sentences if len(sentence)]
        if not sentences:
            raise TreebankError("no sentences to train on; expected a treebank with heads")
        dev = [sentence for sentence in dev if len(sentence)] if dev is not None else None
        if dev is not None and not dev:
            raise TreebankError("no sentences in the development set; expected a treebank with heads")
        check_relations(sentences, options)
        assert options.order is not None
        self.options, self.order = options, options.order
        self.columns = _columns(sentences, options)
        self.uses_upos, self.words_with_spaces = is_filled(sentences, "upos"), have_spaces(sentences)
        self.names: list[str] = []
        self.examples = self._encode(sentences)
        self.twins = self._encode([sentence for sentence in twins if len(sentence)])
        self.dev = dev
        self.templates = default_templates(labelled=options.labelled, unused=self.columns.unused)
        self.part_templates = default_part_templates(self.order, self.columns.unused)
        self.label_table = self._label_table() if options.labelled else {}
        choice = LabelChoice(**self.label_table, count=len(self.names)) if options.labelled else None
        self.margin = USUAL_MARGIN if options.margin is None else options.margin
        limit = self.margin * (options.C or 0.0)
        # A smaller margin makes smaller weights, and so does a smaller C.
        self.largest_step = min(1.0, limit if options.C else self.margin / USUAL_MARGIN)
        self.learner = Learner(
            compile_templates(self.templates),
            choice,
            self.margin,
            find_learner(options.learner).code,
            limit,
            options.k or 1,
            self.order,
            compile_part_templates(self.part_templates),
        )
        self.words = sum(len(sentence) for sentence in sentences)
        structure = measure(sentences)
        chosen = structure.choose()
        assert chosen is not None
        single_root = structure.has_single_roots()
        self.constraints = Constraints(chosen.block_degree, chosen.well_nested, single_root)
        self.structure = {
            "sentences": structure.sentences,
            "words": structure.words,
            "coverage": chosen.coverage,
            "several_roots": 100 * structure.several_roots / structure.sentences,
        }
        self.rules, self.told_rules = _choose_rules(sentences, options)
        used = (
            self.constraints if find_decoder(options.decoder).structural else Constraints(single_root=single_root)
        )
        refuse_python(options.decoder)
        self.settings = DecodeOptions(
            decoder=options.decoder,
            constraints=used,
            max_iterations=ITERATIONS if self.order > 1 else DecodeOptions.max_iterations,
        ).settings
        self.first_pass: FirstPass | None = None
        self.pruner: Pruner | None = None  # of order 2 and more
        self.kept: list[Kept] = []  # what it leaves of each sentence, and behind them of each twin
        self.epoch = 0  # finished
        self.position = 0  # sentences of the running epoch that are done
        self.counts = [0, 0, 0]  # updates, right heads, right labels of the running epoch
        self.history: list[dict[str, Any]] = []
        self.best: Model | None = None
        self.best_score = -1.0
        self.price: LearnedPrice | None = None  # known in the end

    def _encode(self, sentences: list[Sentence]) -> list[Example]:
        ids = {name: number for number, name in enumerate(self.names)}
        examples = []
        for sentence in sentences:
            labels = [ids.setdefault(name, len(ids)) for name in sentence.column("deprel")]
            examples.append(
                Example(encode(sentence, self.columns), sentence.heads, np.array([0, *labels], np.int32))
            )
        self.names = list(ids)
        return examples

    def _label_table(self) -> Arrays:
        """Collect the labels seen with each pair of tags and direction, each modifier's tag, and at all."""
        seen: dict[int, set[int]] = defaultdict(set)
        for example in self.examples + self.twins:
            rows = label_keys(example.tokens.atoms, example.heads).tolist()
            for keys, label in zip(rows, example.labels[1:].tolist(), strict=True):
                for key in keys:
                    seen[key].add(label)
        keys = sorted(seen)
        return {
            "keys": np.array(keys, np.uint64),
            "begin": np.cumsum([0] + [len(seen[key]) for key in keys]).astype(np.int32),
            "labels": np.array([label for key in keys for label in sorted(seen[key])], np.int32),
        }

    def run_epoch(self, stop: Callable[[], bool], tick: Callable[[int, int], None]) -> Progress | None:
        """Run one epoch, or what is left of it; None if it was stopped.

        Parameters
        ----------
        stop : callable
            Asked after each sentence.
        tick : callable
            Told the words of each sentence and how many heads were right.
        """
        start = time.perf_counter()
        if not self.prepare(stop):
            return None
        order = list(range(len(self.examples)))
        random.Random(f"{self.options.seed} {self.epoch}").shuffle(order)
        while self.position < len(order):
            example, kept = self.lesson(order[self.position])
            size = len(example.heads) - 1
            found = self.learner.learn(example.tokens, example.heads, example.labels, self.settings, kept)
            right, labelled = found or (0, 0)  # without a tree, no head is right
            self.counts[0] += self.learner.changed
            self.counts[1] += right
            self.counts[2] += labelled
            self.position += 1
            tick(size, right)
            if stop():
                return None
        self.epoch += 1
        progress = self._finish_epoch(time.perf_counter() - start)
        self.position, self.counts = 0, [0, 0, 0]
        return progress

    def lesson(self, number: int) -> tuple[Example, Kept | None]:
        """What is learned from a sentence in this epoch, its twin in every second one, and what is left of it."""
        if self.twins and (number + self.epoch) % 2:
            return self.twins[number], self.kept[len(self.examples) + number] if self.kept else None
        return self.examples[number], self.kept[number] if self.kept else None

    @property
    def prepared(self) -> bool:
        """Whether all that is learned before the parser itself has been."""
        first = self.first_pass is not None or not self.options.prune
        return first and (self.pruner is not None or self.order == 1)

    def prepare(
        self,
        stop: Callable[[], bool],
        tick: Callable[[int, int], None] = lambda words, right: None,
        tell: Callable[[PrunedTreebank], object] = lambda pruned: None,
    ) -> bool:
        """Learn what drops arcs, unless that has been done: the first pass and the pruner; False if stopped."""
        lessons, twins = (
            [(each.tokens, each.heads) for each in examples] for examples in (self.examples, self.twins)
        )
        if self.options.prune and self.first_pass is None:
            first_pass = learn_first_pass(lessons, self.options.seed, CLOSE * max(self.margin, 1.0), stop)
            if first_pass is None:
                return False
            self.use_first_pass(widen(first_pass) if self.order > 1 else first_pass)
        if self.order > 1 and self.pruner is None:
            pruned = prune_treebank(
                lessons,
                twins,
                self.templates,
                self.first_pass,
                self.options.seed,
                self.constraints.single_root,
                stop,
                tick,
            )
            if pruned is None:
                return False
            self.pruner, self.kept = pruned.pruner, pruned.kept
            tell(pruned)
        return True

    def use_first_pass(self, first_pass: FirstPass) -> None:
        """Learn, from now on, to choose among the heads that a first pass leaves."""
        self.first_pass = first_pass
        self.learner.use_first_pass(**vars(first_pass))

    def _finish_epoch(self, seconds: float) -> Progress:
        """Average the weights, and keep them if they are the best so far."""
        model = self.model()
        uas, las = evaluate(model, self.dev) if self.dev is not None else (None, None)
        score = (las if self.options.labelled else uas) if self.dev is not None else float(self.epoch)
        assert score is not None
        best = score > self.best_score
        updates, heads, labels = self.counts
        progress = Progress(
            epoch=self.epoch,
            updates=updates,
            features=self.learner.features,
            train_uas=100 * heads / self.words,
            train_las=100 * labels / self.words if self.options.labelled else None,
            dev_uas=uas,
            dev_las=las,
            seconds=seconds,
            words_per_second=self.words / seconds,
            best=best,
        )
        kept = {
            name: value for name, value in asdict(progress).items() if name not in ("seconds", "words_per_second")
        }
        self.history.append(kept)
        if best:
            self.best_score = score
            self.best = replace(model, info={**model.info, "epoch": self.epoch, "history": list(self.history)})
        return progress

    def finish(self) -> Model | None:
        """The best model so far, with its confidence and its price if there is a development set to learn them."""
        if self.best is None or not self.dev:
            return self.best
        best = replace(self.best, calibration=learn_calibration(self.best, self.dev))
        self.price = learn_price(best, self.dev, self.margin)
        return best if self.price is None else replace(best, crossing_price=self.price.chosen.price)

    @property
    def augmented(self) -> bool:
        """Whether training finds its trees with costs added, so that its scores are lower than a parser's."""
        return find_learner(self.options.learner).augments and self.margin > 0

    @property
    def least_weight(self) -> float:
        """What a weight must come to to be kept in a model."""
        return find_learner(self.options.learner).least * self.largest_step

    def model(self) -> Model:
        """The model that the weights so far make."""
        rows = self.learner.averaged_rows() if self.options.labelled else None
        weights, scale = quantise(self.learner.averaged(), rows, len(self.names), self.least_weight)
        return Model(
            weights=weights,
            scale=scale,
            templates=self.templates,
            labels=self.names if self.options.labelled else [],
            label_table=self.label_table,
            columns=self.columns,
            constraints=self.constraints,
            first_pass=self.first_pass,
            order=self.order,
            part_templates=self.part_templates,
            pruner=self.pruner,
            rules=self.rules,
            info={
                "wnparse": __version__,
                "options": self.options.recorded(),
                "treebank": self.structure,
                "uses_upos": self.uses_upos,
                "words_with_spaces": self.words_with_spaces,
                **({"rules": self.told_rules} if self.told_rules else {}),
                "epoch": self.epoch,
                "history": list(self.history),
            },
        )


def check_relations(sentences: Sequence[Sentence], options: TrainingOptions) -> None:
    """Raise TreebankError if a model cannot hold the relations of a treebank."""
    if options.labelled:
        check_column(sentences, "deprel", "relations (DEPREL)", "strip subtypes, or train with --unlabelled")


def _choose_rules(
    sentences: list[Sentence], options: TrainingOptions
) -> tuple[Rules | None, dict[str, Any] | None]:
    """The rules that the treebank keeps, and what there is to say of them; nothing if there are none to choose."""
    rules = options.rules if options.labelled else None
    if rules == "auto":
        relations = Counter(label for sentence in sentences for label in sentence.column("deprel"))
        name = detect_rules(relations)
        rules = Rules.load(name) if name else None
    if rules is None:
        return None, None
    kept, left_out = kept_rules(sentences, rules, options.rule_coverage)
    told = {
        "name": rules.name,
        "coverage": options.rule_coverage,
        "rules": len(rules),
        "left_out": {each.name: each.why for each in left_out},
    }
    return kept if len(kept) else None, told


def _columns(sentences: list[Sentence], options: TrainingOptions) -> Columns:
    """Columns that are asked for and not empty in the training data."""
    filled = filled_columns(sentences)
    return Columns(
        lemma=filled.lemma and options.lemma,
        xpos=filled.xpos and options.xpos,
        feats=filled.feats and options.feats,
    )


def evaluate(model: Model, sentences: Sequence[Sentence]) -> tuple[float, float | None]:
    """UAS and LAS (whole labels) of a model, decoding as in training by the best arborescence."""
    parser = Parser(
        model, ParseOptions(decoder="msa", constraints=Constraints(single_root=model.constraints.single_root))
    )
    words = heads = labels = 0
    for parsed in parser.stream(sentences, at_hand=lambda: True):
        words += len(parsed.sentence)
        right, labelled = count_right(parsed.parse, parsed.sentence)
        heads += right
        labels += labelled
    return 100 * heads / max(words, 1), 100 * labels / max(words, 1) if model.labels else None
