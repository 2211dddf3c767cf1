"""``wnparse train``: learn a parser, a tagger or both from treebanks."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from wnparse import __version__
from wnparse.cli.common import (
    COUNT,
    SEED,
    SkipBad,
    bad_usage,
    decimals,
    given_keywords,
    integers,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.options.training import column_options, rule_options
from wnparse.cli.paths import INPUT, OUTPUT, Command
from wnparse.cli.signals import signals
from wnparse.cli.train_progress import TrainProgress, report_tagger
from wnparse.errors import WnparseError
from wnparse.parser.model import Model
from wnparse.parser.part_features import MOST_ORDER
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger
from wnparse.training.checkpoint import BEST, STATE, describe_checkpoint
from wnparse.training.jackknife import FILES as JACKKNIFED
from wnparse.training.learners import LARGEST_MARGIN, LEARNERS, USUAL_K, USUAL_LIMIT, USUAL_MARGIN, USUAL_ORDER
from wnparse.training.options import FOLDS, TrainOptions
from wnparse.training.train import train_model
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Heads, Sentence
from wnparse.treebanks.word_input import have_spaces
from wnparse.wording import counted

EPILOG = """
\b
Examples:
  wnparse train train.conllu --dev dev.conllu -o model.wnp
  wnparse train part1.conllu part2.conllu.gz --dev dev.conllu -o model.wnp --epochs 15 --log run.jsonl
  wnparse train train.conllu --dev dev.conllu -o fast.wnp --order 1
  wnparse train train.conllu --dev dev.conllu -o model.wnp --tagger
  wnparse train train.conllu -o model.wnp --unlabelled --no-lemma
  wnparse train train.conllu --dev dev.conllu -o model.wnp --rules mine.toml
  wnparse train train.conllu --dev dev.conllu -o model.wnp --learner mira-kbest --k 10
  wnparse train train.conllu --dev dev.conllu -o model.wnp --checkpoint run --resume

\b
Exit status: 0 done; 1 bad data, or a file that could not be written; 2 bad usage; 130 interrupted.
"""


class CheckpointFolder(click.Path):
    """A folder for the files of a checkpoint, which is created if it does not exist."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the folder and the files that a checkpoint may have in it."""
        return [value, *(str(Path(value, name)) for name in (STATE, BEST, *JACKKNIFED))]


@click.command("train", cls=Command, epilog=EPILOG)
@click.argument("treebanks", metavar="TRAIN...", nargs=-1, required=True, type=INPUT)
@click.option(
    "--dev", type=INPUT, help="Development set: the epoch that is best on it is kept, and calibrated on it."
)
@click.option("-o", "--output", "model", required=True, type=OUTPUT, help="The model to write.")
@click.option(
    "--order",
    type=integers(1, MOST_ORDER),
    help="1 scores single arcs, which is fast; 2 also siblings and grandparents, 3 also grand-siblings and "
    f"tri-siblings: docs/higher-order.md.  [default: {USUAL_ORDER}, or 1 if the learner knows arcs alone]",
)
@click.option(
    "--learner",
    type=click.Choice(list(LEARNERS)),
    default="perceptron",
    show_default=True,
    help="How weights are learned; docs/learners.md compares them.",
)
@click.option(
    "--C",
    "C",
    type=float,
    help=f"The largest step of MIRA and PA for a margin, where a wrong head costs 1.  [default: {USUAL_LIMIT}]",
)
@click.option("--k", type=int, help=f"Trees that mira-kbest looks at.  [default: {USUAL_K}]")
@click.option("--epochs", type=COUNT, default=10, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the shuffling.")
@column_options
@click.option(
    "--margin",
    type=decimals(0, LARGEST_MARGIN),
    help="By how much the perceptron's gold tree must win for each wrong head; 0 is the plain perceptron.  "
    f"[default: {USUAL_MARGIN:g}]",
)
@click.option(
    "--tagger",
    is_flag=True,
    help="Learn UPOS, XPOS, FEATS and LEMMA, too, as far as TRAIN has them, and trees from tags that a "
    "tagger gave: docs/tagger.md.",
)
@click.option(
    "--tagger-only",
    is_flag=True,
    help="Learn UPOS, XPOS, FEATS and LEMMA, as far as TRAIN has them, and no trees.",
)
@click.option(
    "--folds",
    type=integers(2, 1000),
    default=FOLDS,
    show_default=True,
    help="Parts of TRAIN: each is tagged, for --tagger, by a tagger of the others.",
)
@rule_options
@click.option("--log", type=OUTPUT, help="Write one line of JSON an epoch there.")
@click.option(
    "--checkpoint",
    type=CheckpointFolder(),
    help="Keep the state of the run in this folder, epoch by epoch.",
)
@click.option("--resume", is_flag=True, help="Go on from the checkpoint, if there is one.")
@skip_bad_option
@quiet_option
def command(treebanks: tuple[str, ...], dev: str | None, model: str, log: str | None, **flags: Any) -> None:
    """Learn a parser from the treebanks TRAIN and write it to a model file.

    Without --dev, the average of all epochs is kept, and parse --confidence cannot use it. Columns that are
    empty in the training data are not used. Ctrl-C ends the run after the running sentence and keeps the
    best model so far.
    """
    refuse_terminal([*treebanks, *([dev] if dev else [])])
    if flags["tagger_only"]:
        _train_tagger(treebanks, dev, model, flags)
        return
    with bad_usage():
        options = TrainOptions(**given_keywords(TrainOptions, flags)).complete()
    _check_checkpoint(flags["checkpoint"], resumes=flags["resume"])
    sentences, held_out = _read(treebanks, dev, heads="required", skip_bad=flags["skip_bad"])
    progress = TrainProgress(log, flags["checkpoint"], resumes=flags["resume"], order=flags["order"])
    with signals.handled_by(progress.note_signal):
        best = train_model(sentences, held_out, options, progress)
        if best is None:
            say("interrupted before the end of the first epoch: no model written", error=True)
            sys.exit(progress.status)
        _save(best, model)
    say(f"{model}: epoch {best.info['epoch']}, {best.size / 1e6:.1f} MB of weights")
    sys.exit(progress.status)


def _check_checkpoint(folder: str | None, *, resumes: bool) -> None:
    """Raise UsageError if a run cannot be resumed, or would replace a checkpoint."""
    if resumes and not folder:
        raise click.UsageError("--resume needs --checkpoint DIR.")
    if folder and not resumes and (contents := describe_checkpoint(folder)):
        raise click.UsageError(f"{folder} holds {contents}; --resume goes on from it, another folder begins anew.")


def _train_tagger(treebanks: Sequence[str], dev: str | None, model: str, flags: dict[str, Any]) -> None:
    """Learn a tagger from treebanks and write it to a model file."""
    if flags["checkpoint"]:
        raise click.UsageError("--tagger-only has no --checkpoint: it takes less than a minute.")
    sentences, held_out = _read(treebanks, dev, heads="ignored", skip_bad=flags["skip_bad"])
    start = time.perf_counter()
    lessons = Lessons(sentences)
    counts = f"{counted(len(lessons), 'sentence')}, {counted(len(lessons.tags), 'word')}"
    say(f"{counts}; columns {' '.join(lessons.columns)}")
    tagger = learn_tagger(lessons, TaggerOptions(seed=flags["seed"]))
    assert tagger is not None
    tagger = finish_tagger(tagger, held_out)
    report_tagger(tagger, held_out, time.perf_counter() - start)
    info = {"wnparse": __version__, "words_with_spaces": have_spaces(sentences)}
    _save(Model(tagger=tagger, info=info), model)
    say(f"{model}: {tagger.size / 1e6:.1f} MB of weights")


def _read(
    treebanks: Sequence[str], dev: str | None, *, heads: Heads, skip_bad: bool
) -> tuple[list[Sentence], list[Sentence] | None]:
    """Read the treebanks and the development set, if there is one."""
    skipped = SkipBad()
    skip = skipped if skip_bad else None
    sentences = list(Reader(treebanks, heads=heads, skip=skip))
    held_out = list(Reader([dev], heads=heads, skip=skip)) if dev else None
    skipped.report()
    return sentences, held_out


def _save(model: Model, path: str) -> None:
    try:
        model.save(path)
    except OSError as error:
        raise WnparseError(f"{path}: {error.strerror}; no model written") from error
