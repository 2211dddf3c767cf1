"""The options of training: one list for `wnparse.train`, the command line, cross-validation and the model file.

`TrainKeywords` repeats the list of `TrainOptions` for type checkers; a test compares the two.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any, Literal, TypedDict

from wnparse.decoding.checks import LARGEST_COUNT, as_count, as_flag
from wnparse.parser.part_features import MOST_ORDER
from wnparse.rules import Rules, as_rules
from wnparse.rules.coverage import COVERAGE
from wnparse.training.learners import USUAL_K, USUAL_LIMIT, USUAL_MARGIN, check_learner, find_learner

FOLDS = 10
# Options that a model does not record: what comes of them is a part of the model.
_NOT_RECORDED = ("rules", "rule_coverage", "tagger", "folds")


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
    learner, margin, C, k : str, float, float, int
        How weights are learned (`wnparse.training.learners`); None is the usual value of the learner.
    order : int or None
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings; None is the
        usual order of the learner.
    rules : Rules, "auto" or None
        Rules to enforce, restricted to those that the treebank satisfies; "auto" is what its relations suggest.
    rule_coverage : float
        Percentage of the cases it applies to in which the treebank must satisfy a rule.
    tagger : bool
        Whether a tagger is learned, too, and trees from jack-knifed tags.
    folds : int
        Number of folds for jack-knifing.
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
    C: float | None = None
    k: int | None = None
    order: int | None = None
    rules: Rules | str | os.PathLike[str] | None = "auto"
    rule_coverage: float = COVERAGE
    tagger: bool = False
    folds: int = FOLDS

    def __post_init__(self) -> None:
        for name, least, most in (("epochs", 1, LARGEST_COUNT), ("seed", 0, inf), ("folds", 2, LARGEST_COUNT)):
            object.__setattr__(self, name, as_count(getattr(self, name), name, least, most))
        for name in ("labelled", "lemma", "xpos", "feats", "prune", "tagger"):
            object.__setattr__(self, name, as_flag(getattr(self, name), name))
        if not 0 < self.rule_coverage <= 100:
            raise ValueError(f"rule_coverage is {self.rule_coverage:g}; expected a percentage above 0, up to 100")
        if self.order is not None and as_count(self.order, "order", 1) > MOST_ORDER:
            raise ValueError(f"order is {self.order}; expected 1 to {MOST_ORDER}")
        if self.rules != "auto":
            object.__setattr__(self, "rules", as_rules(self.rules))

    def complete(self) -> TrainOptions:
        """Fill in the usual values of the learner; ValueError if it does not use what it is given."""
        check_learner(
            self.learner, limit=self.C, k=self.k, margin=self.margin, decoder=self.decoder, order=self.order
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
    C: float | None
    k: int | None
    order: int | None
    rules: Rules | Literal["auto"] | str | os.PathLike[str] | None
    rule_coverage: float
    tagger: bool
    folds: int
