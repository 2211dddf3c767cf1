"""The options of training: one list for `wnparse.train`, the command line, cross-validation and the model file.

`TrainKeywords` repeats the list of `TrainOptions` for type checkers; a test compares the two.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any, Literal, TypedDict

from wnparse.decoding.checks import LARGEST_COUNT, as_count, as_flag
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.registry import refuse_python
from wnparse.parser.part_features import MOST_ORDER
from wnparse.rules import Rules, as_rules
from wnparse.rules.coverage import COVERAGE
from wnparse.training.learners import USUAL_MARGIN, USUAL_STEP, USUAL_TREES, check_learner, find_learner

ONLY = ("parser", "tagger", "tokenizer")
JACKKNIFE = 10
# Options that a model does not record: what comes of them is a part of the model.
_NOT_RECORDED = (
    "block_degree",
    "well_nested",
    "single_root",
    "rules",
    "rule_coverage",
    "only",
    "jackknife",
    "neural",
    "encoder",
)


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """How a model is trained; ValueError if options are unknown or contradict each other.

    Attributes
    ----------
    epochs, seed : int
        Number of passes over the treebank, and the seed that shuffles it.
    decoder : str
        The decoder that finds the best tree while learning; one of the core.
    labelled : bool
        Whether relations are learned.
    lemma, xpos, feats : bool
        Whether these columns are used, unless they are empty.
    prune : bool
        Whether a first pass drops hopeless arcs.
    learner, margin, max_step, learner_trees : str, float, float, int
        How weights are learned (`wnparse.training.learners`); None is the usual value of the learner.
    order : int or None
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings; None is the
        usual order of the learner.
    block_degree, well_nested, single_root : int or None, bool, bool
        The constraints that the model stores; "auto" derives each of them from the treebank.
    rules : Rules, "auto" or None
        Rules to enforce, restricted to those that the treebank satisfies; "auto" is what its relations suggest.
    rule_coverage : float
        Percentage of the cases it applies to in which the treebank must satisfy a rule.
    only : "parser", "tagger", "tokenizer" or None
        None trains a tokenizer, if the treebank says how text becomes tokens, a tagger, if it has UPOS tags, and a
        parser on jack-knifed tags; "parser" trains a parser alone, on the given tags; "tagger" and "tokenizer"
        train these alone.
    jackknife : int
        Number of folds for jack-knifing; a smaller treebank has as many folds as sentences.
    neural : bool
        Whether a network is trained in addition to the linear parser.
    encoder : str or None
        The directory of a pretrained encoder for the network, which is then trained, too.
    """

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
    max_step: float | None = None
    learner_trees: int | None = None
    order: int | None = None
    block_degree: int | Literal["auto"] | None = "auto"
    well_nested: bool | Literal["auto"] = "auto"
    single_root: bool | Literal["auto"] = "auto"
    rules: Rules | str | os.PathLike[str] | None = "auto"
    rule_coverage: float = COVERAGE
    only: Literal["parser", "tagger", "tokenizer"] | None = None
    jackknife: int = JACKKNIFE
    neural: bool = False
    encoder: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        for name, least, most in (("epochs", 1, LARGEST_COUNT), ("seed", 0, inf), ("jackknife", 2, LARGEST_COUNT)):
            object.__setattr__(self, name, as_count(getattr(self, name), name, least, most))
        for name in ("labelled", "lemma", "xpos", "feats", "prune", "neural"):
            object.__setattr__(self, name, as_flag(getattr(self, name), name))
        Constraints(**self.shape)  # checks them
        if self.only not in (None, *ONLY):
            raise ValueError(f"only is {self.only!r}; expected {', '.join(map(repr, ONLY))}, or None for all")
        if not 0 < self.rule_coverage <= 100:
            raise ValueError(f"rule_coverage is {self.rule_coverage:g}; expected a percentage above 0, up to 100")
        if self.order is not None and as_count(self.order, "order", 1) > MOST_ORDER:
            raise ValueError(f"order is {self.order}; expected 1 to {MOST_ORDER}")
        if self.encoder is not None:
            object.__setattr__(self, "encoder", os.fspath(self.encoder))
            object.__setattr__(self, "neural", True)
        if self.rules != "auto":
            object.__setattr__(self, "rules", as_rules(self.rules))

    @property
    def shape(self) -> dict[str, Any]:
        """The constraints that are given, as keywords of `Constraints`."""
        given = {name: getattr(self, name) for name in ("block_degree", "well_nested", "single_root")}
        return {name: value for name, value in given.items() if value != "auto"}

    def complete(self) -> TrainOptions:
        """Fill in the usual values of the learner; ValueError if it does not use what it is given."""
        check_learner(
            self.learner,
            max_step=self.max_step,
            learner_trees=self.learner_trees,
            margin=self.margin,
            decoder=self.decoder,
            order=self.order,
        )
        refuse_python(self.decoder)
        if self.neural:
            self._check_neural()
        learner = find_learner(self.learner)
        if isinstance(self.rules, Rules) and not self.labelled:
            raise ValueError(
                "an unlabelled parser cannot use rules, which are about relations; leave out one of the two"
            )
        return replace(
            self,
            margin=USUAL_MARGIN if self.margin is None and not learner.clips else self.margin,
            max_step=USUAL_STEP if self.max_step is None and learner.clips else self.max_step,
            learner_trees=USUAL_TREES if self.learner_trees is None and learner.ranks else self.learner_trees,
            order=learner.order if self.order is None else self.order,
        )

    def _check_neural(self) -> None:
        """Raise ValueError if a network cannot be trained."""
        if self.only in ("tagger", "tokenizer"):
            raise ValueError(
                f"a network (--neural) is a part of a parser, which --only {self.only} does not train"
            )
        missing = [name for name in ("torch", "onnxruntime") if importlib.util.find_spec(name) is None]
        if missing:
            needed = " and ".join(missing)
            raise ValueError(f"--neural needs {needed}, which is not installed: pip install 'wnparse[neural]'")

    def recorded(self) -> dict[str, Any]:
        """Return what a model records: the options that its learner uses, and the order if it is not the first."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        left_out = {*_NOT_RECORDED, *(["order"] if self.order == 1 else [])}
        return {name: value for name, value in values.items() if value is not None and name not in left_out}


class TrainKeywords(TypedDict, total=False):
    """The keywords of `wnparse.train` that are options, for type checkers."""

    epochs: int
    seed: int
    decoder: str
    labelled: bool
    lemma: bool
    xpos: bool
    feats: bool
    prune: bool
    margin: float | None
    learner: str
    max_step: float | None
    learner_trees: int | None
    order: int | None
    block_degree: int | Literal["auto"] | None
    well_nested: bool | Literal["auto"]
    single_root: bool | Literal["auto"]
    rules: Rules | Literal["auto"] | str | os.PathLike[str] | None
    rule_coverage: float
    only: Literal["parser", "tagger", "tokenizer"] | None
    jackknife: int
    neural: bool
    encoder: str | os.PathLike[str] | None
