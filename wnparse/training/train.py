"""Training a model: the one function behind `wnparse.train`, ``wnparse train`` and ``wnparse crossval``."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wnparse import __version__
from wnparse.decoding.options import show_keywords
from wnparse.errors import TreebankError
from wnparse.parser.model import Model
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.tokenizer.training import TokenizerLessons, TokenizerOptions, learn_tokenizer
from wnparse.training.jackknife import JackKnifed, jackknife
from wnparse.training.joint_weight import learn_joint_weight
from wnparse.training.options import TrainKeywords, TrainOptions
from wnparse.training.trainer import Trainer, check_data
from wnparse.training.watcher import Progress, TrainingWatcher
from wnparse.treebanks.inputs import Treebank, as_sentences, check_sentences
from wnparse.treebanks.partial import keep_completable
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Heads, Sentence, is_filled
from wnparse.treebanks.word_input import have_spaces

if TYPE_CHECKING:
    from typing_extensions import Unpack

    Path = str | os.PathLike[str]
    Source = Path | Iterable[Path] | Treebank


UNTOLD = "the treebank does not say which tokens have no space between them"
NO_TOKENIZER = f"{UNTOLD} (SpaceAfter=No, # text): no tokenizer is trained"


def train_model(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TrainOptions,
    watcher: TrainingWatcher | None = None,
    *,
    tokenizer: bool = True,
) -> Model | None:
    """Train a tokenizer, a tagger and a parser, or some of them; None if stopped before the parser's first epoch.

    Parameters
    ----------
    sentences, dev : sequence of Sentence
        With heads, unless only a tagger or tokenizer is trained.
    options : TrainOptions
        How to learn.
    watcher : TrainingWatcher, optional
        Watches the run, and may stop it: the best model so far is returned then.
    tokenizer : bool
        Whether a tokenizer is trained in addition to tagger and parser.
    """
    options, watcher = options.complete(), watcher or TrainingWatcher()
    if options.only == "tokenizer":
        return _train_tokenizer(sentences, options, watcher)
    if options.only == "tagger":
        _check_dev_tags(sentences, dev, watcher, tagger=True)
        return _train_tagger(sentences, dev, options, watcher)
    given = sentences
    sentences = keep_completable(sentences, watcher.on_notice)
    dev = None if dev is None else keep_completable(dev, watcher.on_notice)
    sentences, dev = check_data(sentences, dev, options)
    _require_dev(dev, options)
    learned_tokenizer = None
    if tokenizer and options.only is None:
        lessons = TokenizerLessons(given)
        if not lessons.describes_text:
            watcher.on_notice(NO_TOKENIZER)
        else:
            learned_tokenizer = _learn_tokenizer(lessons, options, watcher)
            if learned_tokenizer is None:
                return None
    model = _train_parser(sentences, dev, options, watcher)
    return model if model is None or learned_tokenizer is None else replace(model, tokenizer=learned_tokenizer)


def _train_parser(
    sentences: list[Sentence], dev: list[Sentence] | None, options: TrainOptions, watcher: TrainingWatcher
) -> Model | None:
    """Train a parser, and a tagger unless only a parser is wanted; None if there is no epoch."""
    trains_tagger = options.only is None and _can_train_tagger(sentences, watcher)
    if not _check_dev_tags(sentences, dev, watcher, tagger=trains_tagger) and not trains_tagger:
        dev = None
    gold_dev, tagged = dev, None
    if trains_tagger:
        tagged = _predict_tags(sentences, dev, options, watcher)
        if tagged is None:
            return None
        sentences, dev = tagged.sentences, tagged.dev
    trainer = Trainer(sentences, dev, options, tagged.gold if tagged else (), watcher)
    watcher.on_start(trainer)
    trainer.run()
    model = trainer.finish()
    if model is None:
        return None
    watcher.on_parser(trainer, model, gold_dev)
    if tagged is not None:
        info = {**model.info, "jackknifed": {"folds": tagged.folds, **tagged.accuracy}}
        model = replace(model, tagger=tagged.tagger, info=info)
        learned = learn_joint_weight(model, gold_dev or [])
        watcher.on_joint_weight(model, learned)
        model = model if learned is None else replace(model, joint_weight=learned.weight)
    if options.neural and model.calibration is not None and not watcher.is_stopped():
        from wnparse.training.neural_sum import add_network

        model = add_network(trainer, model, gold_dev or [], watcher)
    return model


def _require_dev(dev: Sequence[Sentence] | None, options: TrainOptions) -> None:
    """Raise ValueError if a network has no development set to learn its weight from."""
    if options.neural and not dev:
        raise ValueError("a network (--neural) needs a development set (--dev), from which its weight is learned")


def _learn_tokenizer(
    lessons: TokenizerLessons, options: TrainOptions, watcher: TrainingWatcher
) -> Tokenizer | None:
    """Learn a tokenizer; None if it was stopped.

    A run that is resumed learns it again: this takes a second, and gives the same bytes.
    """
    start = time.perf_counter()
    tokenizer = learn_tokenizer(lessons, TokenizerOptions(seed=options.seed), stop=watcher.is_stopped)
    if tokenizer is not None:
        watcher.on_tokenizer(tokenizer, time.perf_counter() - start)
    return tokenizer


def _train_tokenizer(
    sentences: Sequence[Sentence], options: TrainOptions, watcher: TrainingWatcher
) -> Model | None:
    """Train a model that only splits text; None if it was stopped."""
    lessons = TokenizerLessons(sentences)
    if not lessons.describes_text:
        raise TreebankError(f"{UNTOLD}; expected a treebank with SpaceAfter=No in MISC")
    tokenizer = _learn_tokenizer(lessons, options, watcher)
    return None if tokenizer is None else Model(tokenizer=tokenizer, info={"wnparse": __version__})


def _train_tagger(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TrainOptions,
    watcher: TrainingWatcher,
) -> Model | None:
    """Train a model that only tags; None if it was stopped."""
    start = time.perf_counter()
    lessons = Lessons(sentences)
    watcher.on_lessons(lessons)
    tagger = learn_tagger(lessons, TaggerOptions(seed=options.seed), stop=watcher.is_stopped)
    if tagger is None:
        return None
    tagger = finish_tagger(tagger, dev)
    watcher.on_tagger(tagger, dev, time.perf_counter() - start)
    return Model(tagger=tagger, info={"wnparse": __version__, "words_with_spaces": have_spaces(sentences)})


def _can_train_tagger(sentences: list[Sentence], watcher: TrainingWatcher) -> bool:
    """Return whether a tagger can be trained in addition to a parser; if not, report why."""
    if not is_filled(sentences, "upos"):
        watcher.on_notice("no word of the treebank has a UPOS tag: only a parser is trained, without a tagger")
    elif len(sentences) < 2:
        watcher.on_notice("one sentence is not enough for a tagger: only a parser is trained")
    else:
        return True
    return False


def _check_dev_tags(
    sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, watcher: TrainingWatcher, *, tagger: bool
) -> bool:
    """Return whether a development set has tags if the treebank has them; if not, report the consequence."""
    if dev is None or is_filled(dev, "upos") or not is_filled(sentences, "upos"):
        return True
    missing = "no word of the development set has a UPOS tag"
    if tagger:
        watcher.on_notice(f"{missing}: UPOS is not scored, and the confidence of tags is not calibrated")
    else:
        watcher.on_notice(
            f"{missing}, which the parser needs: the development set is not used; tag it first with wnparse tag"
        )
    return False


def _predict_tags(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TrainOptions,
    watcher: TrainingWatcher,
) -> JackKnifed | None:
    """Train a tagger and jack-knife the tags of the treebank, or load both; None if it was stopped."""
    tagged = watcher.load_tags(sentences, dev, options)
    if tagged is None:
        start = time.perf_counter()
        tagger_options = TaggerOptions(seed=options.seed)
        tagged = jackknife(sentences, dev, tagger_options, folds=options.jackknife, watcher=watcher)
        if tagged is not None:
            watcher.on_tags(tagged, sentences, dev, options, time.perf_counter() - start)
    return tagged


class _Caller(TrainingWatcher):
    """Calls a function at the end of each epoch, if there is one, and issues notices as warnings."""

    def __init__(self, progress: Callable[[Progress], object] | None) -> None:
        self._progress = progress

    def on_notice(self, message: str) -> None:
        """Issue a warning."""
        warnings.warn(message, stacklevel=5)  # the caller of `train`

    def on_epoch(self, trainer: Trainer, progress: Progress) -> None:
        """Pass on the figures."""
        if self._progress:
            self._progress(progress)


@show_keywords(TrainKeywords, TrainOptions)
def train(
    treebank: Source,
    dev: Source | None = None,
    *,
    progress: Callable[[Progress], object] | None = None,
    **options: Unpack[TrainKeywords],
) -> Model:
    """Train a tokenizer, a tagger and a parser, as `wnparse train` does.

    The same data and options give the same model.

    Parameters
    ----------
    treebank : path, paths, or iterable of Sentence or conllu.TokenList
        Tagged trees to learn from. If no word has a UPOS tag, only a parser is trained.
    dev : the same, optional
        Development set: the best epoch on it is kept, and calibrated on it. Without it the last epoch is kept.
    epochs : int
        Number of passes over the treebank.
    seed : int
        Seed of the random order of the sentences.
    decoder : str
        The decoder that finds the best tree while learning; one of the core.
    labelled : bool
        Whether relations are learned, too.
    lemma, xpos, feats : bool
        Whether the column is used. A column that is empty in the treebank is never used.
    prune : bool
        Whether a first pass drops unlikely arcs.
    learner : str
        Learning algorithm; ``docs/theory/learners.md`` compares them.
    margin : float, optional
        Margin of the perceptron; None is the default of the learner.
    max_step : float, optional
        Maximum update step of `mira`, `mira-kbest`, `mira-factored` and `pa`; None is the default of the learner.
    learner_trees : int, optional
        Number of best trees that `mira-kbest` updates on; None is the default of the learner.
    order : int, optional
        1 scores single arcs, 2 also siblings and grandparents, 3 also grand-siblings and tri-siblings. None is 2,
        or 1 if the learner supports order 1 only.
    block_degree : int or None
        Maximum number of blocks in the yield of a word, which the model stores and `Model.parse` enforces; None is
        unbounded, and "auto", the default, the bound that 99 % of the complete trees satisfy.
    well_nested, single_root : bool
        Whether trees must be well-nested, and have one root; "auto" derives it from the treebank.
    rules : Rules, str, path or None
        Rules to enforce, restricted to those that the treebank satisfies: a bundled name, a rule file, or "auto",
        the default: `ud` or `ud1` if the treebank has these relations, else none. See ``docs/guide/rules.md``.
    rule_coverage : float
        Percentage of the cases it applies to in which the treebank must satisfy a rule.
    only : {"parser", "tagger", "tokenizer"}, optional
        "parser" trains a parser alone, on the given tags; "tagger" and "tokenizer" train these alone, and need no
        heads. By default, all are trained, the parser on predicted and on given tags in turn:
        ``docs/guide/tagging.md``. There is no tokenizer if the treebank does not say how text becomes tokens.
    jackknife : int
        Number of folds for predicting the tags that the parser is trained on.
    neural : bool
        Whether to train a network as well, whose scores are added to those of the linear parser; it needs `dev`
        and the extra ``neural``. See ``docs/guide/neural.md``.
    encoder : path, optional
        The directory of a pretrained encoder like BERT, which the network uses instead of LSTMs. Implies `neural`.
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
    heads: Heads = "ignored" if chosen.only in ("tagger", "tokenizer") else "optional"
    sentences, dev_sentences = _read(treebank, heads), None if dev is None else _read(dev, heads)
    model = train_model(sentences, dev_sentences, chosen, _Caller(progress))
    assert model is not None
    return model


def _read(source: Source, heads: Heads) -> list[Sentence]:
    """Read the sentences of a path, of several, or of an iterable."""
    if isinstance(source, (str, os.PathLike)):
        return list(Reader([source], heads=heads))
    check_sentences(source)
    given = list(source)
    paths = [item for item in given if isinstance(item, (str, os.PathLike))]
    if paths and len(paths) == len(given):
        return list(Reader(paths, heads=heads))
    return list(as_sentences(given))  # type: ignore[arg-type]
