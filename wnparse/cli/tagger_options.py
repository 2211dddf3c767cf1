"""What ``wnparse train`` is told of taggers, and training that makes nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from wnparse import __version__
from wnparse.cli.common import SkipBad, say
from wnparse.errors import WnparseError
from wnparse.parser.model import Model, tagging_model
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger, measure_tags
from wnparse.training.jackknife import FOLDS, JackKnifed, jackknife, load_jackknifed, save_jackknifed
from wnparse.training.joint_weight import learn_joint_weight, with_joint_weight
from wnparse.training.trainer import evaluate
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import have_spaces
from wnparse.wording import plural

Command = TypeVar("Command", bound=Callable[..., Any])


def tagger_options(command: Command) -> Command:
    """The options of a command that may train a tagger."""
    options = [
        click.option(
            "--tagger",
            is_flag=True,
            help="Learn UPOS, XPOS, FEATS and LEMMA, too, as far as TRAIN has them, and trees from tags that a "
            "tagger gave: docs/tagger.md.",
        ),
        click.option(
            "--tagger-only",
            is_flag=True,
            help="Learn UPOS, XPOS, FEATS and LEMMA, as far as TRAIN has them, and no trees.",
        ),
        click.option(
            "--folds",
            type=click.IntRange(2, 1000),
            default=FOLDS,
            show_default=True,
            help="Parts of TRAIN: each is tagged, for --tagger, by a tagger of the others.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def train_tagger(treebanks: Sequence[str], dev: str | None, model: str, flags: dict[str, Any]) -> None:
    """Learn a tagger from treebanks and write it to a model file."""
    for name in ("checkpoint", "log"):
        if flags.get(name):
            raise click.UsageError(f"--tagger-only has no --{name}: it takes less than a minute.")
    skipped = SkipBad()
    skip = skipped if flags["skip_bad"] else None
    sentences = list(Reader(treebanks, heads="ignored", skip=skip))
    held_out = list(Reader([dev], heads="ignored", skip=skip)) if dev else None
    skipped.report()
    start = time.perf_counter()
    lessons = Lessons(sentences)
    words = len(lessons.tags)
    counts = f"{len(lessons):,} {plural(len(lessons), 'sentence')}, {words:,} {plural(words, 'word')}"
    say(f"{counts}; columns {' '.join(lessons.columns)}")
    tagger = learn_tagger(lessons, TaggerOptions(seed=flags["seed"]))
    assert tagger is not None
    tagger = finish_tagger(tagger, held_out)
    tell_tags(tagger, held_out, time.perf_counter() - start)
    try:
        info = {"wnparse": __version__, "words_with_spaces": have_spaces(sentences)}
        tagging_model(tagger, info).save(model)
    except OSError as error:
        raise WnparseError(f"{model}: {error.strerror}; no model written") from error
    say(f"{model}: {tagger.size / 1e6:.1f} MB of weights")


def tell_tags(tagger: Tagger, dev: Sequence[Sentence] | None, seconds: float) -> None:
    """Say how a tagger does on a development set."""
    scores = ""
    if dev:
        found = measure_tags(tagger, dev)
        scores = "  dev " + "  ".join(f"{name} {value:.2f}" for name, value in found.items())
    say(f"tagger {scores}  {seconds:.1f} s")


def prepare_tagger(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    flags: dict[str, Any],
    interrupted: Callable[[], bool],
) -> JackKnifed | None:
    """A tagger and the treebanks with the tags that it, or one of its parts, gives; None if it was interrupted."""
    checkpoint = flags["checkpoint"]
    if flags["resume"] and checkpoint:
        kept = load_jackknifed(checkpoint, sentences, dev, flags["seed"], flags["folds"])
        if kept is not None:
            return kept
    start = time.perf_counter()
    found = jackknife(sentences, dev, TaggerOptions(seed=flags["seed"]), folds=flags["folds"], stop=interrupted)
    if found is None:
        return None
    tell_tags(found.tagger, dev, time.perf_counter() - start)
    own = "  ".join(f"{name} {value:.2f}" for name, value in found.accuracy.items())
    say(f"jack-knifed tags of TRAIN, {flags['folds']} folds  {own}")
    if checkpoint:
        save_jackknifed(found, checkpoint, sentences, dev, flags["seed"], flags["folds"])
    return found


def tell_gold(model: Model, dev: Sequence[Sentence] | None) -> None:
    """Say how a parser does where all tags are right."""
    if dev:
        uas, las = evaluate(model, [sentence for sentence in dev if len(sentence)])
        labelled = "" if las is None else f" LAS {las:.2f}"
        say(f"on gold tags  dev UAS {uas:.2f}{labelled}")


def weigh_tags(model: Model, dev: Sequence[Sentence] | None) -> Model:
    """Learn what tags count beside trees, and say what that gains."""
    learned = learn_joint_weight(model, dev or [])
    if learned:
        name = "LAS" if model.labels else "UAS"
        found = (
            f"dev {name} {learned.score:.2f}, {learned.alone:.2f} with the best tags; weight {learned.weight:g}"
        )
        told = found if learned.weight else f"no better than the best tags: dev {name} {learned.alone:.2f}"
        say(f"tags and trees together  {told}; {learned.searches:.2f} sequences a sentence")
    return with_joint_weight(model, learned)
