"""``wnparse train``: train a tokenizer, a tagger and a parser on treebanks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from wnparse.cli.common import (
    SkipBad,
    bad_usage,
    given_keywords,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.options.training import model, training_options
from wnparse.cli.paths import INPUT, OUTPUT, Command
from wnparse.cli.sections import files
from wnparse.cli.signals import signals
from wnparse.cli.train_progress import TrainProgress
from wnparse.errors import WnparseError
from wnparse.parser.model import Model
from wnparse.training.checkpoint import BEST, NETWORK, STATE, describe_checkpoint
from wnparse.training.jackknife import FILES as JACKKNIFED
from wnparse.training.options import ONLY, TrainOptions
from wnparse.training.train import train_model
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Heads, Sentence

EPILOG = """
\b
Examples:
  wnparse train train.conllu --dev dev.conllu -o model.wnp
  wnparse train part1.conllu part2.conllu.gz --dev dev.conllu -o model.wnp --epochs 15 --log run.jsonl
  wnparse train train.conllu --dev dev.conllu -o fast.wnp --order 1
  wnparse train train.conllu --dev dev.conllu -o parser.wnp --only parser
  wnparse train train.conllu --dev dev.conllu -o tagger.wnp --only tagger
  wnparse train train.conllu -o tokenizer.wnp --only tokenizer
  wnparse train train.conllu -o model.wnp --unlabelled --no-lemma
  wnparse train train.conllu --dev dev.conllu -o model.wnp --rules mine.toml
  wnparse train train.conllu --dev dev.conllu -o model.wnp --learner mira-kbest --learner-trees 10
  wnparse train train.conllu --dev dev.conllu -o model.wnp --checkpoint run --resume
  wnparse train train.conllu --dev dev.conllu -o model.wnp --neural --checkpoint run

\b
Exit status: 0 success; 1 bad data, or a file that could not be written; 2 usage error; 130 interrupted.
"""


class CheckpointDirectory(click.Path):
    """A directory for the files of a checkpoint, which is created if it does not exist."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)

    def writes(self, value: Any, context: click.Context) -> list[str]:
        """Return the directory and the files that a checkpoint may have in it."""
        return [value, *(str(Path(value, name)) for name in (STATE, BEST, NETWORK, *JACKKNIFED))]


@click.command("train", cls=Command, epilog=EPILOG)
@click.argument("treebanks", metavar="TRAIN...", nargs=-1, required=True, type=INPUT)
@files("-o", "--output", required=True, metavar="MODEL", type=OUTPUT, help="Write the model to this file.")
@files(
    "--dev",
    metavar="FILE",
    type=INPUT,
    help="Development set. The model keeps the epoch that is best on it, and learns on it how certain its heads "
    "are and how unlikely crossing arcs are. By default, there is none, and the last epoch is kept.",
)
@files("--log", metavar="FILE", type=OUTPUT, help="Write one JSON object per epoch to FILE.  [default: no log]")
@files(
    "--checkpoint",
    metavar="DIR",
    type=CheckpointDirectory(),
    help="Save the state of the run to this directory after each epoch.  [default: no checkpoints]",
)
@files(
    "--resume",
    is_flag=True,
    help="Continue from the checkpoint, if there is one. By default, an existing checkpoint is an error.",
)
@skip_bad_option
@model(
    "--only",
    metavar="PART",
    type=click.Choice(ONLY),
    help="Train only this part: parser, on the given tags; tagger; or tokenizer. The last two need no heads. By "
    "default, all are trained, the parser on predicted and on given tags; see docs/guide/tagging.md.",
)
@training_options("Seed that shuffles the sentences.")
@quiet_option
def command(treebanks: tuple[str, ...], dev: str | None, output: str, log: str | None, **flags: Any) -> None:
    """Train a tokenizer, a tagger and a parser on TRAIN, and write them to one model file.

    The tokenizer splits text into sentences, tokens and words. It is trained if TRAIN says which tokens have no
    space between them (SpaceAfter=No).

    The tagger predicts UPOS, XPOS, FEATS and LEMMA, as far as TRAIN has them. If no word has a UPOS tag, only a
    parser is trained. When parsing, given tags are kept, so that one model serves tagged and untagged files.

    Ctrl-C stops after the current sentence and saves the best model so far.
    """
    refuse_terminal([*treebanks, *([dev] if dev else [])])
    with bad_usage():
        options = TrainOptions(**given_keywords(TrainOptions, flags)).complete()
    _check_outputs(options, dev, log, flags)
    heads: Heads = "ignored" if options.only in ("tagger", "tokenizer") else "optional"
    sentences, held_out = _read(treebanks, dev, heads=heads, skip_bad=flags["skip_bad"])
    progress = TrainProgress(log, flags["checkpoint"], resumes=flags["resume"], order=flags["order"])
    with signals.handled_by(progress.note_signal):
        best = train_model(sentences, held_out, options, progress)
        if best is None:
            say("interrupted before there was anything to save: no model written", error=True)
            sys.exit(progress.status)
        _save(best, output)
    parts = [
        "tokenizer" if best.tokenizer else "",
        "tagger" if best.tagger else "",
        f"parser of epoch {best.info['epoch']}" if "epoch" in best.info else "",
        "network" if best.neural else "",
    ]
    network = best.neural and best.neural.network
    size = best.size + sum(part.size for part in (best.tokenizer, best.tagger, network) if part)
    *others, last = filter(None, parts)
    names = f"{', '.join(others)} and {last}" if others else last
    say(f"{output}: {names}, {size / 1e6:.1f} MB of weights")
    sys.exit(progress.status)


def _check_outputs(options: TrainOptions, dev: str | None, log: str | None, flags: dict[str, Any]) -> None:
    """Raise UsageError if a run cannot be resumed, would replace a checkpoint, or lacks a file that it needs."""
    directory = flags["checkpoint"]
    if options.neural and not dev:
        raise click.UsageError("--neural needs --dev FILE, from which the weight of the network is learned.")
    if options.only in ("tagger", "tokenizer") and (directory or log):
        raise click.UsageError(
            f"--only {options.only} does not use {'--checkpoint' if directory else '--log'}, "
            "because it takes less than a minute; leave the option out."
        )
    if flags["resume"] and not directory:
        raise click.UsageError("--resume needs --checkpoint DIR.")
    if directory and not flags["resume"] and (contents := describe_checkpoint(directory)):
        raise click.UsageError(
            f"{directory} contains {contents}; continue it with --resume, or name another directory."
        )


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
