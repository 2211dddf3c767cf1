"""Training a model: the one function behind `wnparse.train`, ``wnparse train`` and ``wnparse crossval``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from wnparse.decoding.options import show_keywords
from wnparse.errors import TreebankError
from wnparse.parser.model import Model
from wnparse.tagger.training import TaggerOptions
from wnparse.training.jackknife import jackknife
from wnparse.training.joint_weight import learn_joint_weight
from wnparse.training.options import TrainKeywords, TrainOptions
from wnparse.training.trainer import Trainer, check_relations
from wnparse.training.watcher import Progress, TrainingWatcher
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence, as_sentences, check_sentences

if TYPE_CHECKING:
    import conllu
    from typing_extensions import Unpack

    Path = str | os.PathLike[str]
    Source = Path | Iterable[Path] | Iterable[Sentence | conllu.TokenList]


def train_model(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TrainOptions,
    watcher: TrainingWatcher | None = None,
) -> Model | None:
    """Train a parser, and a tagger if the options request one; None if it was stopped before the first epoch.

    Parameters
    ----------
    sentences, dev : sequence of Sentence
        With heads.
    options : TrainOptions
        How to learn.
    watcher : TrainingWatcher, optional
        Watches the run, and may stop it: the best model so far is returned then.
    """
    options, watcher = options.complete(), watcher or TrainingWatcher()
    gold_dev, tagged = dev, None
    if options.tagger:
        check_relations(sentences, options)
        tagged = watcher.load_tags(sentences, dev, options)
        if tagged is None:
            start = time.perf_counter()
            tagger_options = TaggerOptions(seed=options.seed)
            tagged = jackknife(sentences, dev, tagger_options, folds=options.folds, stop=watcher.is_stopped)
            if tagged is None:
                return None
            watcher.on_tags(tagged, sentences, dev, options, time.perf_counter() - start)
        sentences, dev = tagged.sentences, tagged.dev
    trainer = Trainer(sentences, dev, options, tagged.gold if tagged else (), watcher)
    watcher.on_start(trainer)
    trainer.run()
    model = trainer.finish()
    if model is None:
        return None
    watcher.on_parser(trainer, model, gold_dev)
    if tagged is None:
        return model
    info = {**model.info, "jackknifed": {"folds": options.folds, **tagged.accuracy}}
    model = replace(model, tagger=tagged.tagger, info=info)
    learned = learn_joint_weight(model, gold_dev or [])
    watcher.on_joint_weight(model, learned)
    return model if learned is None else replace(model, joint_weight=learned.weight)


class _Caller(TrainingWatcher):
    """Calls a function at the end of each epoch."""

    def __init__(self, progress: Callable[[Progress], object]) -> None:
        self._progress = progress

    def on_epoch(self, trainer: Trainer, progress: Progress) -> None:
        """Pass on the figures."""
        self._progress(progress)


@show_keywords(TrainKeywords, TrainOptions)
def train(
    treebank: Source,
    dev: Source | None = None,
    *,
    progress: Callable[[Progress], object] | None = None,
    **options: Unpack[TrainKeywords],
) -> Model:
    """Learn a parser, as `wnparse train` does: the same data and options give the same model.

    Parameters
    ----------
    treebank : path, paths, or iterable of Sentence or conllu.TokenList
        Trees to learn from.
    dev : the same, optional
        Development set: the best epoch on it is kept, and calibrated on it. Without it the last epoch is kept.
    epochs, seed : int
        Number of passes over the treebank, and the seed that shuffles it.
    decoder : str
        The decoder that finds the best tree while learning; one of the core.
    labelled : bool
        Whether relations are learned, too.
    lemma, xpos, feats : bool
        Whether these columns are used, unless they are empty.
    prune : bool
        Whether a first pass drops unlikely arcs.
    margin, learner, C, k : optional
        How weights are learned: see ``docs/learners.md``. None is the usual value of the learner.
    order : int, optional
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings. None is 2,
        or 1 if the learner knows arcs alone.
    rules : Rules, str, path or None
        Rules to enforce, restricted to those that the treebank satisfies: a bundled name, a rule file, or "auto",
        the default: `ud` or `ud1` if the treebank has these relations, else none. See ``docs/rules.md``.
    rule_coverage : float
        Percentage of the cases it applies to in which the treebank must satisfy a rule.
    tagger : bool
        Whether UPOS, XPOS, FEATS and LEMMA are learned, too, and trees from jack-knifed tags: ``docs/tagger.md``.
    folds : int
        Number of folds for jack-knifing, with `tagger`.
    progress : callable, optional
        Called after each epoch with its figures: ``epoch``, ``train_uas``, ``dev_las``, ``seconds`` and more.

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
    chosen = TrainOptions(**options).complete()  # before anything is read
    trees, dev_trees = _read_trees(treebank), None if dev is None else _read_trees(dev)
    model = train_model(trees, dev_trees, chosen, _Caller(progress) if progress else None)
    assert model is not None
    return model


def _read_trees(source: Source) -> list[Sentence]:
    """Read the sentences of a path, of several, or of an iterable; TreebankError if a word has no head."""
    if isinstance(source, (str, os.PathLike)):
        return list(Reader([source], heads="required"))
    check_sentences(source)
    given = list(source)
    paths = [item for item in given if isinstance(item, (str, os.PathLike))]
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
