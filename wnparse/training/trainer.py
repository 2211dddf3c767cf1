"""Training: epochs of a learner over a treebank, the best of them by a development set.

Sentences are shuffled in each epoch by a generator that depends on seed and epoch alone, so that an interrupted
run can continue from a checkpoint to the same bytes.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse import __version__
from wnparse._core.learner import Learner
from wnparse._core.tables import LabelCandidates, label_keys
from wnparse._core.tokens import Tokens
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.decoding.registry import find_decoder
from wnparse.errors import TreebankError
from wnparse.parser.features import compile_templates, default_templates
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.part_features import compile_part_templates, default_part_templates
from wnparse.parser.pruner import Pruner
from wnparse.parser.summary import count_right
from wnparse.parser.tokens import UsedColumns, encode
from wnparse.rules import Rules
from wnparse.rules.coverage import RuleCounts, count_rules, detect_rules, keep_rules
from wnparse.storage.quantise import quantise
from wnparse.storage.tensors import Arrays
from wnparse.training.calibration import learn_calibration
from wnparse.training.crossing_penalty import LearnedPenalty, learn_crossing_penalty
from wnparse.training.first_pass import learn_first_pass
from wnparse.training.learners import USUAL_MARGIN, find_learner
from wnparse.training.options import TrainOptions
from wnparse.training.pruner import PASSES, KeptArcs, prune_treebank, widen
from wnparse.training.watcher import Progress, TrainingWatcher
from wnparse.treebanks.label_names import check_column
from wnparse.treebanks.partial import Annotated, annotated_relations, count_annotated, has_relations
from wnparse.treebanks.sentence import Sentence, is_filled
from wnparse.treebanks.stats import stats
from wnparse.treebanks.word_input import have_spaces
from wnparse.wording import counted

ITERATIONS = 20  # of the relaxation of a sentence, while parts of higher order are learned
CLOSE = 2.5  # margins: an arc that loses by more, before labels are looked at, gets none

Int32Array = npt.NDArray[np.int32]


@dataclass
class Example:
    """A training sentence as the core sees it."""

    tokens: Tokens
    heads: Int32Array
    labels: Int32Array


@dataclass(frozen=True)
class TreebankFacts:
    """Constraints and rules that a treebank suggests."""

    constraints: Constraints
    structure: dict[str, Any]  # figures that a model records
    rules: Rules | None
    rule_info: dict[str, Any] | None  # figures of the rules that a model records
    rule_coverage: dict[str, tuple[float, float]]  # with annotated and predicted tags, if they differ
    annotated: Annotated


class Trainer:
    """A training run that can be stopped after any sentence and continued.

    Parameters
    ----------
    sentences, dev : sequence of Sentence
        The treebank, and the development set if there is one.
    options : TrainOptions
        How to learn.
    gold_copies : sequence of Sentence
        The same sentences with gold tags: every second lesson is one of these.
    watcher : TrainingWatcher, optional
        Watches the run.
    """

    def __init__(
        self,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        options: TrainOptions,
        gold_copies: Sequence[Sentence] = (),
        watcher: TrainingWatcher | None = None,
    ) -> None:
        options = options.complete()
        sentences, self.dev = check_data(sentences, dev, options)
        assert options.order is not None
        self.options, self.order = options, options.order
        self.watcher = watcher or TrainingWatcher()
        gold_copies = [sentence for sentence in gold_copies if len(sentence)]
        self.facts = describe_treebank(gold_copies or sentences, sentences if gold_copies else [], options)
        usable = self._find_usable(sentences)
        self.sentences = [sentences[i] for i in usable]
        self.gold_sentences = [gold_copies[i] for i in usable if gold_copies]
        self._encode(self.sentences, self.gold_sentences)
        self._make_learner()
        self.first_pass: FirstPass | None = None
        self.pruner: Pruner | None = None  # of order 2 and more
        self.kept_arcs: list[KeptArcs] = []  # what it leaves of each sentence, and after them of each gold copy
        self.epoch = 0  # finished
        self.position = 0  # sentences of the running epoch that are done
        self.counts = [0, 0, 0]  # updates, right heads, right labels of the running epoch
        self.history: list[dict[str, Any]] = []
        self.best: Model | None = None
        self.best_score = -1.0
        self.price: LearnedPenalty | None = None  # known at the end

    def _find_usable(self, sentences: list[Sentence]) -> list[int]:
        """Return the numbers of the sentences to learn from, and report what is missing in the others."""
        annotated = self.facts.annotated
        if annotated.stray:
            self.watcher.on_notice(
                f"{counted(annotated.stray, 'word')} with a relation (DEPREL) but without a head: "
                "they are taken as not annotated"
            )
        usable = []
        for number, sentence in enumerate(sentences):
            roots = int((sentence.heads[1:] == 0).sum())
            if not sentence.annotated and roots > 1 and self.facts.constraints.single_root:
                self.watcher.on_notice(
                    f"{sentence.path}:{sentence.line}: no tree with a single root has {roots} words with head 0; "
                    "the sentence is skipped"
                )
            elif (sentence.heads[1:] >= 0).any():
                usable.append(number)
        if not usable:
            raise TreebankError("every sentence is skipped; expected trees with a single root")
        return usable

    def _encode(self, sentences: list[Sentence], gold_copies: Sequence[Sentence]) -> None:
        """Turn sentences into what the core learns from."""
        self.words = sum(len(sentence) for sentence in sentences)
        self.columns = UsedColumns(
            **{
                column: getattr(self.options, column) and is_filled(sentences, column)
                for column in ("lemma", "xpos", "feats")
            }
        )
        self.uses_upos, self.words_with_spaces = is_filled(sentences, "upos"), have_spaces(sentences)
        ids: dict[str, int] = {}
        named = has_relations(sentences)

        def encode_all(sentences: Sequence[Sentence]) -> list[Example]:
            examples = []
            for sentence in sentences:
                names = sentence.column("deprel")
                numbers = np.full(len(names) + 1, -1, np.int32)
                for word in np.flatnonzero(annotated_relations(sentence, named)).tolist():
                    numbers[word + 1] = ids.setdefault(names[word], len(ids))
                examples.append(Example(encode(sentence, self.columns), sentence.heads, numbers))
            return examples

        self.places = [f"{sentence.path}:{sentence.line}" for sentence in sentences]
        self.examples = encode_all(sentences)
        self.gold_copies = encode_all(gold_copies)
        self.names = list(ids)
        self.heads = sum(int((example.heads[1:] >= 0).sum()) for example in self.examples)
        self.relations = sum(int((example.labels[1:] >= 0).sum()) for example in self.examples)

    def _make_learner(self) -> None:
        """Make the learner, and the settings of its decoder."""
        options = self.options
        self.templates = default_templates(labelled=options.labelled, unused=self.columns.unused)
        self.part_templates = default_part_templates(self.order, self.columns.unused)
        self.label_table = self._label_table() if options.labelled else {}
        choice = LabelCandidates(**self.label_table, count=len(self.names)) if options.labelled else None
        self.margin = USUAL_MARGIN if options.margin is None else options.margin
        limit = self.margin * (options.max_step or 0.0)
        learner = find_learner(options.learner)
        # A smaller margin makes smaller weights, and so does a smaller step.
        self.least_weight = learner.least * min(1.0, limit if options.max_step else self.margin / USUAL_MARGIN)
        self.learner = Learner(
            compile_templates(self.templates),
            choice,
            self.margin,
            learner.code,
            limit,
            options.learner_trees or 1,
            self.order,
            compile_part_templates(self.part_templates),
        )
        constraints = self.facts.constraints
        if not find_decoder(options.decoder).structural:
            constraints = Constraints(single_root=constraints.single_root)
        self.settings = DecodeOptions(
            decoder=options.decoder,
            constraints=constraints,
            max_iterations=ITERATIONS if self.order > 1 else DecodeOptions.max_iterations,
        ).settings

    def _label_table(self) -> Arrays:
        """Collect the labels seen with each pair of tags and direction, each modifier's tag, and at all."""
        seen: dict[int, set[int]] = defaultdict(set)
        for example in self.examples + self.gold_copies:
            rows = label_keys(example.tokens.atoms, example.heads).tolist()
            for keys, label in zip(rows, example.labels[1:].tolist(), strict=True):
                for key in keys if label >= 0 else ():
                    seen[key].add(label)
        keys = sorted(seen)
        return {
            "keys": np.array(keys, np.uint64),
            "begin": np.cumsum([0] + [len(seen[key]) for key in keys]).astype(np.int32),
            "labels": np.array([label for key in keys for label in sorted(seen[key])], np.int32),
        }

    def run(self) -> None:
        """Run what is left, until the last epoch is finished or the watcher stops it."""
        if not self.prepared:
            self.prepare()
            self.watcher.save(self)
        while self.epoch < self.options.epochs and not self.watcher.is_stopped():
            progress = self.run_epoch()
            if progress is not None:
                self.watcher.on_epoch(self, progress)
            self.watcher.save(self)

    def run_epoch(self) -> Progress | None:
        """Run one epoch, or what is left of it; None if it was stopped."""
        start = time.perf_counter()
        if not self.prepare():
            return None
        order = list(range(len(self.examples)))
        random.Random(f"{self.options.seed} {self.epoch}").shuffle(order)
        with self.watcher.stage(f"epoch {self.epoch + 1}", self.words):
            while self.position < len(order):
                self._learn(order[self.position])
                if self.watcher.is_stopped():
                    return None
        self.epoch += 1
        progress = self._finish_epoch(time.perf_counter() - start)
        self.position, self.counts = 0, [0, 0, 0]
        return progress

    def _learn(self, number: int) -> None:
        example, kept_arcs = self.lesson(number)
        result = self.learner.learn(example.tokens, example.heads, example.labels, self.settings, kept_arcs)
        if result is None and self.epoch == 0 and (example.heads[1:] < 0).any():
            self.watcher.on_notice(
                f"{self.places[number]}: no valid tree contains the given heads; the sentence is skipped"
            )
        right, labelled = result or (0, 0)  # without a tree, no head is right
        self.counts[0] += self.learner.changed
        self.counts[1] += right
        self.counts[2] += labelled
        self.position += 1
        self.watcher.on_words(len(example.heads) - 1, right)

    def lesson(self, number: int) -> tuple[Example, KeptArcs | None]:
        """Return what is learned from a sentence in this epoch, and what the pruner leaves of it."""
        if self.gold_copies and (number + self.epoch) % 2:
            return self.gold_copies[number], self.kept_arcs[
                len(self.examples) + number
            ] if self.kept_arcs else None
        return self.examples[number], self.kept_arcs[number] if self.kept_arcs else None

    @property
    def prepared(self) -> bool:
        """Whether first pass and pruner have been learned, as far as they are needed."""
        has_first_pass = self.first_pass is not None or not self.options.prune
        return has_first_pass and (self.pruner is not None or self.order == 1)

    def prepare(self) -> bool:
        """Learn the first pass and the pruner, which drop arcs, unless that has been done; False if stopped."""
        start = time.perf_counter()
        lessons, copies = (
            [(example.tokens, example.heads) for example in examples]
            for examples in (self.examples, self.gold_copies)
        )
        if self.options.prune and self.first_pass is None:
            close = CLOSE * max(self.margin, 1.0)
            first_pass = learn_first_pass(lessons, self.options.seed, close, self.watcher)
            if first_pass is None:
                return False
            self.use_first_pass(widen(first_pass) if self.order > 1 else first_pass)
        if self.order > 1 and self.pruner is None:
            single_root = self.facts.constraints.single_root
            with self.watcher.stage("pruner", PASSES * self.words):
                pruned = prune_treebank(
                    lessons, copies, self.templates, self.first_pass, self.options.seed, single_root, self.watcher
                )
            if pruned is None:
                return False
            self.pruner, self.kept_arcs = pruned.pruner, pruned.kept_arcs
            self.watcher.on_pruner(pruned, time.perf_counter() - start)
        return True

    def use_first_pass(self, first_pass: FirstPass) -> None:
        """Learn, from now on, to choose among the heads that a first pass leaves."""
        self.first_pass = first_pass
        self.learner.use_first_pass(**vars(first_pass))

    def _finish_epoch(self, seconds: float) -> Progress:
        """Average the weights, and keep them if they are the best so far."""
        model = self.model()
        uas, las = (None, None) if self.dev is None else dev_scores(model, self.dev)
        score = next(score for score in (las, uas, float(self.epoch)) if score is not None)
        best = score > self.best_score
        updates, heads, labels = self.counts
        progress = Progress(
            epoch=self.epoch,
            updates=updates,
            features=self.learner.features,
            train_uas=100 * heads / self.heads,
            train_las=100 * labels / max(self.relations, 1) if self.options.labelled else None,
            dev_uas=uas,
            dev_las=las,
            seconds=seconds,
            words_per_second=self.words / seconds,
            best=best,
        )
        figures = asdict(progress)
        del figures["seconds"], figures["words_per_second"]  # they differ from run to run
        self.history.append(figures)
        if best:
            self.best_score = score
            self.best = replace(model, info={**model.info, "epoch": self.epoch, "history": list(self.history)})
        return progress

    def finish(self) -> Model | None:
        """Return the best model so far, calibrated and with a crossing penalty if there is a development set."""
        if self.best is None or not self.dev:
            return self.best
        best = replace(self.best, calibration=learn_calibration(self.best, self.dev))
        self.price = learn_crossing_penalty(best, self.dev, self.margin)
        return best if self.price is None else replace(best, crossing_penalty=self.price.chosen.price)

    @property
    def augmented(self) -> bool:
        """Whether training adds costs to scores, so that its accuracy is lower than that of a parser."""
        return find_learner(self.options.learner).augments and self.margin > 0

    def model(self) -> Model:
        """Return the model of the weights so far."""
        rows = self.learner.averaged_rows() if self.options.labelled else None
        weights, scale = quantise(self.learner.averaged(), rows, len(self.names), self.least_weight)
        return Model(
            weights=weights,
            scale=scale,
            templates=self.templates,
            labels=self.names if self.options.labelled else [],
            label_table=self.label_table,
            columns=self.columns,
            constraints=self.facts.constraints,
            first_pass=self.first_pass,
            order=self.order,
            part_templates=self.part_templates,
            pruner=self.pruner,
            rules=self.facts.rules,
            info={
                "wnparse": __version__,
                "options": self.options.recorded(),
                "treebank": self.facts.structure,
                "uses_upos": self.uses_upos,
                "words_with_spaces": self.words_with_spaces,
                **({"rules": self.facts.rule_info} if self.facts.rule_info else {}),
                "epoch": self.epoch,
                "history": list(self.history),
            },
        )


def _with_heads(sentences: Sequence[Sentence], where: str) -> list[Sentence]:
    """Leave out sentences without words; TreebankError if none is left, or no word of them has a head."""
    with_words = [sentence for sentence in sentences if len(sentence)]
    if not with_words:
        raise TreebankError(f"no sentences {where}; expected a treebank with heads")
    if not any((sentence.heads[1:] >= 0).any() for sentence in with_words):
        first = with_words[0]
        message = f"no word {where} has a head; expected 0 or the id of another word in HEAD"
        raise TreebankError(message, first.path, first.line_of(1))
    return with_words


def check_data(
    sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
) -> tuple[list[Sentence], list[Sentence] | None]:
    """Return the sentences with words; TreebankError if none has a head, or there are too many relations."""
    sentences = _with_heads(sentences, "to train on")
    if options.labelled:
        check_column(sentences, "deprel", "relations (DEPREL)", "strip subtypes, or train with --unlabelled")
    return sentences, None if dev is None else _with_heads(dev, "in the development set")


def describe_treebank(
    sentences: list[Sentence], predicted: list[Sentence], options: TrainOptions
) -> TreebankFacts:
    """Derive constraints and rules from a treebank.

    Parameters
    ----------
    sentences : list of Sentence
        The treebank, with the annotated tags: these decide which rules are kept.
    predicted : list of Sentence
        The same sentences with predicted tags, to compare; empty if there are none.
    options : TrainOptions
        Which rules to choose from.
    """
    annotated = count_annotated(sentences)
    constraints, figures = _find_constraints(sentences, annotated, options)
    rules = _find_rules(sentences, options)
    if rules is None:
        return TreebankFacts(constraints, figures, None, None, {}, annotated)
    counts = count_rules(sentences, rules)
    satisfied, left_out = keep_rules(counts, options.rule_coverage)
    info = {"name": rules.name, "coverage": options.rule_coverage, "rules": len(rules), "left_out": left_out}
    coverage = _compare_coverage(counts, count_rules(predicted, rules)) if predicted else {}
    return TreebankFacts(constraints, figures, satisfied if len(satisfied) else None, info, coverage, annotated)


def _find_constraints(
    sentences: list[Sentence], annotated: Annotated, options: TrainOptions
) -> tuple[Constraints, dict[str, Any]]:
    """Return the constraints that cover enough of the complete trees, and the figures that a model records.

    If sentences are incomplete and few are complete, no shape is imposed: trees have one root if no sentence has
    two. The constraints of the options replace those of the treebank.
    """
    structure = stats(sentence for sentence in sentences if sentence.annotated)
    chosen = structure.choose()
    if chosen is not None and annotated.shows_shape:
        derived = Constraints(chosen.block_degree, chosen.well_nested, structure.has_single_roots())
    else:
        several = any((sentence.heads[1:] == 0).sum() > 1 for sentence in sentences)
        derived = Constraints(single_root=not several)
    constraints = replace(derived, **options.shape)
    coverage = chosen.coverage if chosen else 100.0
    if options.shape and structure.sentences:
        coverage = structure.covered(constraints.block_degree or inf, constraints.well_nested)
    figures = {
        "sentences": annotated.sentences,
        "words": annotated.words,
        "coverage": coverage,
        "several_roots": 100 * structure.several_roots / max(structure.sentences, 1),
    }
    if annotated.partial:
        figures |= {
            "complete_sentences": annotated.complete,
            "annotated_heads": annotated.heads,
            "annotated_relations": annotated.relations,
        }
    return constraints, figures


def _find_rules(sentences: list[Sentence], options: TrainOptions) -> Rules | None:
    """Return the rules of the options, or those that suit the relations of a treebank."""
    rules = options.rules if options.labelled else None
    if rules == "auto":
        relations = Counter(label for sentence in sentences for label in sentence.column("deprel"))
        name = detect_rules(relations)
        rules = Rules.load(name) if name else None
    assert rules is None or isinstance(rules, Rules)
    return rules


def _compare_coverage(annotated: RuleCounts, predicted: RuleCounts) -> dict[str, tuple[float, float]]:
    """Return how often rules are satisfied with annotated and with predicted tags, in percent, if that differs."""
    pairs = zip(annotated.rules, annotated.tallies, predicted.tallies, strict=True)
    return {
        rule.name: (first.satisfied, second.satisfied)
        for rule, first, second in pairs
        if first.satisfied != second.satisfied
    }


def dev_scores(model: Model, sentences: Sequence[Sentence]) -> tuple[float, float | None]:
    """Return UAS and LAS (whole labels) of a model; as in training, trees are the best arborescences."""
    parser = Parser(
        model, ParseOptions(decoder="msa", constraints=Constraints(single_root=model.constraints.single_root))
    )
    annotated = count_annotated(sentences)
    heads = labels = 0
    for parsed in parser.stream(sentences, at_hand=lambda: True):
        right, labelled = count_right(parsed.parse, parsed.sentence)
        heads += right
        labels += labelled
    las = 100 * labels / max(annotated.relations, 1) if model.labels else None
    return 100 * heads / max(annotated.heads, 1), las
