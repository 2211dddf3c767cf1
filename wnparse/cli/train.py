"""``wnparse train``: learn a parser from treebanks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from wnparse.cli.common import COUNT, FiniteRange, SkipBad, quiet_option, refuse_terminal, say, skip_bad_option
from wnparse.cli.options.training import column_options, make_options, rule_options, tagger_options
from wnparse.cli.paths import INPUT, OUTPUT, Command
from wnparse.cli.train_progress import TrainProgress
from wnparse.cli.train_tagger import train_tagger
from wnparse.errors import WnparseError
from wnparse.parser.part_features import MOST_ORDER
from wnparse.training.checkpoint import BEST, STATE, describe_checkpoint
from wnparse.training.jackknife import FILES as JACKKNIFED
from wnparse.training.learners import LARGEST_MARGIN, LEARNERS, USUAL_K, USUAL_LIMIT, USUAL_MARGIN, USUAL_ORDER
from wnparse.training.train import train_model
from wnparse.treebanks.reader import Reader

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
    """A folder for the files of a checkpoint, which is made if it is not there."""

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
    type=click.IntRange(1, MOST_ORDER),
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
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the shuffling.")
@column_options
@click.option(
    "--margin",
    type=FiniteRange(0, LARGEST_MARGIN),
    help="By how much the perceptron's gold tree must win for each wrong head; 0 is the plain perceptron.  "
    f"[default: {USUAL_MARGIN:g}]",
)
@tagger_options
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
        train_tagger(treebanks, dev, model, flags)
        return
    options = make_options(flags)
    _check_checkpoint(flags["checkpoint"], resumes=flags["resume"])
    skipped = SkipBad()
    skip = skipped if flags["skip_bad"] else None
    sentences = list(Reader(treebanks, heads="required", skip=skip))
    held_out = list(Reader([dev], heads="required", skip=skip)) if dev else None
    skipped.report()
    with TrainProgress(log, flags["checkpoint"], resumes=flags["resume"], order=flags["order"]) as progress:
        best = train_model(sentences, held_out, options, progress)
        if best is None:
            say("interrupted before the end of the first epoch: no model written", error=True)
            sys.exit(progress.status)
        try:
            best.save(model)
        except OSError as error:
            raise WnparseError(f"{model}: {error.strerror}; no model written") from error
    say(f"{model}: epoch {best.info['epoch']}, {best.size / 1e6:.1f} MB of weights")
    sys.exit(progress.status)


def _check_checkpoint(folder: str | None, *, resumes: bool) -> None:
    """Raise UsageError if a run cannot be resumed, or would replace a checkpoint."""
    if resumes and not folder:
        raise click.UsageError("--resume needs --checkpoint DIR.")
    if folder and not resumes and (held := describe_checkpoint(folder)):
        raise click.UsageError(f"{folder} holds {held}; --resume goes on from it, another folder begins anew.")
