"""Training as one call: what `wnparse.train` does."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from wnparse.decoding.checks import as_count, as_flag
from wnparse.errors import TreebankError
from wnparse.parser.model import Model
from wnparse.parser.part_features import MOST_ORDER
from wnparse.rules import Rules, as_rules
from wnparse.tagger.training import TaggerOptions
from wnparse.training.jackknife import FOLDS, jackknife, with_tagger
from wnparse.training.joint_weight import learn_joint_weight, with_joint_weight
from wnparse.training.trainer import Progress, Trainer, TrainingOptions, check_relations
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence, as_sentences, check_sentences

if TYPE_CHECKING:
    import conllu

    Path = str | os.PathLike[str]
    Source = Path | Iterable[Path] | Iterable[Sentence | conllu.TokenList]


def train(
    treebank: Source,
    dev: Source | None = None,
    *,
    epochs: int = TrainingOptions.epochs,
    seed: int = TrainingOptions.seed,
    decoder: str = TrainingOptions.decoder,
    labelled: bool = TrainingOptions.labelled,
    lemma: bool = TrainingOptions.lemma,
    xpos: bool = TrainingOptions.xpos,
    feats: bool = TrainingOptions.feats,
    prune: bool = TrainingOptions.prune,
    margin: float | None = TrainingOptions.margin,
    learner: str = TrainingOptions.learner,
    C: float | None = TrainingOptions.C,  # noqa: N803
    k: int | None = TrainingOptions.k,
    order: int | None = TrainingOptions.order,
    rules: Rules | str | os.PathLike[str] | None = TrainingOptions.rules,
    rule_coverage: float = TrainingOptions.rule_coverage,
    tagger: bool = False,
    folds: int = FOLDS,
    progress: Callable[[Progress], object] | None = None,
) -> Model:
    """Learn a parser, as `wnparse train` does: the same data and options give the same model.

    Parameters
    ----------
    treebank : path, paths, or iterable of Sentence or conllu.TokenList
        Trees to learn from.
    dev : the same, optional
        Development set: the epoch that is best on it is kept, and calibrated on it. Without it the last is.
    epochs, seed : int
        How often the treebank is gone through, and what shuffles it.
    decoder : str
        Which one looks for the best tree while learning; one of the core.
    labelled : bool
        Whether relations are learned too.
    lemma, xpos, feats : bool
        Whether these columns are used; empty ones are not in any case.
    prune : bool
        Whether a first pass drops hopeless arcs.
    margin, learner, C, k : optional
        How weights are learned: see ``docs/learners.md``. None is the usual value of the learner.
    order : int, optional
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings. None is 2,
        or 1 if the learner knows arcs alone.
    rules : Rules, str, path or None
        Rules that its trees are held to, as far as the treebank keeps them: a bundled name, a rule file, or
        "auto", the default: `ud` or `ud1` if the treebank's relations are those, else none. See ``docs/rules.md``.
    rule_coverage : float
        Percentage of its chances to be broken in which the treebank must keep a rule.
    tagger : bool
        Whether UPOS, XPOS, FEATS and LEMMA are learned, too, and trees from jack-knifed tags: ``docs/tagger.md``.
    folds : int
        Parts of the treebank: each is tagged, with `tagger`, by a tagger of the others.
    progress : callable, optional
        Told of each epoch when it ends: ``epoch``, ``train_uas``, ``dev_las``, ``seconds`` and more.

    Returns
    -------
    Model
        `Model.save` writes it.

    Raises
    ------
    TreebankError
        Bad data, a word without head, or no sentences at all.
    RulesError
        A rule file that cannot be used.
    ValueError
        Options that are unknown or contradict each other.
    """
    if not 0 < rule_coverage <= 100:
        raise ValueError(f"rule_coverage is {rule_coverage:g}; expected a percentage above 0, up to 100")
    if margin is not None and not 0 <= margin < math.inf:
        raise ValueError(f"margin is {margin:g}; expected a finite number of at least 0")
    if order is not None and as_count(order, "order", 1) > MOST_ORDER:
        raise ValueError(f"order is {order}; expected 1 to {MOST_ORDER}")
    options = TrainingOptions(
        epochs=as_count(epochs, "epochs", 1),
        seed=as_count(seed, "seed", 0),
        decoder=decoder,
        labelled=as_flag(labelled, "labelled"),
        lemma=as_flag(lemma, "lemma"),
        xpos=as_flag(xpos, "xpos"),
        feats=as_flag(feats, "feats"),
        prune=as_flag(prune, "prune"),
        margin=margin,
        learner=learner,
        C=C,
        k=k,
        order=order,
        rules=_as_rules(rules),
        rule_coverage=rule_coverage,
    ).complete()
    sentences, held_out = _read_trees(treebank), None if dev is None else _read_trees(dev)
    gold, tagged = held_out, None
    if as_flag(tagger, "tagger"):
        check_relations(sentences, options)
        taught = TaggerOptions(seed=options.seed)
        tagged = jackknife(sentences, held_out, taught, folds=as_count(folds, "folds", 2))
        assert tagged is not None
        sentences, held_out = tagged.sentences, tagged.dev
    trainer = Trainer(sentences, held_out, options, tagged.gold if tagged else ())
    while trainer.epoch < options.epochs:
        told = trainer.run_epoch(lambda: False, lambda words, right: None)
        if progress and told:
            progress(told)
    model = trainer.finish()
    assert model is not None
    if tagged is None:
        return model
    model = with_tagger(model, tagged, folds)
    return with_joint_weight(model, learn_joint_weight(model, gold or []))


def _as_rules(rules: Rules | str | os.PathLike[str] | None) -> Rules | Literal["auto"] | None:
    return "auto" if rules == "auto" else as_rules(rules)


def _read_trees(source: Source) -> list[Sentence]:
    """The sentences of a path, of several, or of an iterable; TreebankError if a word has no head."""
    if isinstance(source, (str, os.PathLike)):
        return list(Reader([source], heads="required"))
    check_sentences(source)
    given = list(source)
    paths = [each for each in given if isinstance(each, (str, os.PathLike))]
    if paths and len(paths) == len(given):
        return list(Reader(paths, heads="required"))
    sentences = list(as_sentences(given))  # type: ignore[arg-type]
    for sentence in sentences:
        if not sentence.annotated:
            word = int(np.argmin(sentence.heads[1:])) + 1
            raise TreebankError(
                "head _ where a tree is needed; expected 0 or the id of another word",
                sentence.path,
                sentence.line_of(word),
            )
    return sentences
