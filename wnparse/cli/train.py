"""``wnparse train``: learn a parser from treebanks."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    FiniteRange,
    SkipBad,
    is_quiet,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.paths import INPUT, OUTPUT, Command
from wnparse.cli.rule_options import describe_strange
from wnparse.cli.signals import EXIT_SIGNAL, signals
from wnparse.cli.tagger_options import prepare_tagger, tagger_options, tell_gold, train_tagger, weigh_tags
from wnparse.cli.training_options import column_options, make_options, rule_options
from wnparse.errors import WnparseError
from wnparse.parser.part_features import MOST_ORDER
from wnparse.rules import Rules
from wnparse.rules.coverage import NO_CHANCE
from wnparse.storage.files import open_output
from wnparse.training.checkpoint import BEST, STATE, describe_checkpoint, resume, save_checkpoint
from wnparse.training.crossing_price import LearnedPrice
from wnparse.training.jackknife import FILES as JACKKNIFED
from wnparse.training.jackknife import with_tagger
from wnparse.training.learners import LARGEST_MARGIN, LEARNERS, USUAL_K, USUAL_LIMIT, USUAL_MARGIN, USUAL_ORDER
from wnparse.training.pruner import PrunedTreebank, passes
from wnparse.training.trainer import Progress, Trainer, check_relations
from wnparse.treebanks.reader import Reader
from wnparse.wording import plural

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
    "limit",
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
    paths = [*treebanks, *([dev] if dev else [])]
    refuse_terminal(paths)
    if flags["tagger_only"]:
        train_tagger(treebanks, dev, model, flags)
        return
    try:
        options = make_options(flags).complete()
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
    checkpoint = flags["checkpoint"]
    if flags["resume"] and not checkpoint:
        raise click.UsageError("--resume needs --checkpoint DIR.")
    if checkpoint and not flags["resume"] and (held := describe_checkpoint(checkpoint)):
        raise click.UsageError(f"{checkpoint} holds {held}; --resume goes on from it, another folder begins anew.")
    skipped = SkipBad()
    skip = skipped if flags["skip_bad"] else None
    sentences = list(Reader(treebanks, heads="required", skip=skip))
    held_out = list(Reader([dev], heads="required", skip=skip)) if dev else None
    skipped.report()
    gold, tagged = held_out, None
    if flags["tagger"]:
        check_relations(sentences, options)
        with _Interrupt() as interrupted:
            tagged = prepare_tagger(sentences, held_out, flags, interrupted)
        if tagged is None:
            say("interrupted before the end of the first epoch: no model written", error=True)
            sys.exit(interrupted.status)
        sentences, held_out = tagged.sentences, tagged.dev
    trainer = Trainer(sentences, held_out, options, tagged.gold if tagged else ())
    if flags["resume"] and not resume(trainer, checkpoint):
        say(f"{checkpoint}: no checkpoint yet; training begins anew")
    if checkpoint:
        Path(checkpoint).mkdir(parents=True, exist_ok=True)
    with _Interrupt() as interrupted:
        for line in [*_describe(trainer), *_describe_rules(trainer)]:
            say(line)
        if flags["order"] is None and trainer.order < USUAL_ORDER:
            say(f"learner '{options.learner}' knows arcs alone: the parser will be of order {trainer.order}")
        flawless = _run(trainer, _Log(log, trainer.epoch) if log else None, checkpoint, interrupted)
        best = trainer.finish()
        if best is None:
            say("interrupted before the end of the first epoch: no model written", error=True)
            sys.exit(interrupted.status)
        if trainer.price:
            say(_describe_price(trainer.price))
        if tagged:
            tell_gold(best, gold)
            best = weigh_tags(with_tagger(best, tagged, flags["folds"]), gold)
        try:
            best.save(model)
        except OSError as error:
            raise WnparseError(f"{model}: {error.strerror}; no model written") from error
    say(f"{model}: epoch {best.info['epoch']}, {best.size / 1e6:.1f} MB of weights")
    sys.exit(interrupted.status if interrupted() else 0 if flawless else 1)


def _run(trainer: Trainer, log: _Log | None, checkpoint: str | None, interrupted: _Interrupt) -> bool:
    """Run the epochs that are left; False if something could not be written, which is no reason to stop."""
    flawless = True
    if not trainer.prepared:
        _prepare(trainer, interrupted)
        if checkpoint:
            flawless &= _try_to_write(lambda: save_checkpoint(trainer, checkpoint), checkpoint)
    while trainer.epoch < trainer.options.epochs and not interrupted():
        progress = _run_epoch(trainer, interrupted)
        if progress:
            say(_line(progress, augmented=trainer.augmented))
        if progress and log:
            flawless &= _try_to_write(lambda: log.add(progress), str(log.path))  # noqa: B023
        if checkpoint:
            flawless &= _try_to_write(lambda: save_checkpoint(trainer, checkpoint), checkpoint)
    return flawless


def _try_to_write(write: Callable[[], None], name: str) -> bool:
    """Write something beside the model; a full disk now need not cost the hours spent before."""
    try:
        write()
    except OSError as error:
        say(f"wnparse: {name}: {error.strerror}; the training goes on", error=True)
        return False
    return True


class _Log:
    """A file with one line of JSON an epoch, whole at any time: a line is added in one piece or not at all."""

    def __init__(self, path: str, finished: int) -> None:
        """Begin a log anew, or after the `finished` epochs of a run that is resumed."""
        self.path = Path("/dev/stdout" if path == "-" else path)
        kept = []
        if finished and self.path.is_file():
            kept = [line for line in self.path.read_bytes().splitlines() if 0 < _epoch(line) <= finished]
        with open_output(path) as stream:
            stream.write(b"".join(line + b"\n" for line in kept))

    def add(self, progress: Progress) -> None:
        """Add an epoch."""
        line = json.dumps(asdict(progress)).encode() + b"\n"
        with self.path.open("ab", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            if stream.write(line) != len(line):
                stream.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _epoch(line: bytes) -> int:
    """The epoch of a line of a log; 0 if it is none."""
    try:
        return int(json.loads(line)["epoch"])
    except (ValueError, KeyError, TypeError):
        return 0


class _Interrupt:
    """Notes Ctrl-C, SIGTERM and SIGHUP instead of raising, so that the running sentence is finished."""

    def __init__(self) -> None:
        self.noted = 0

    def __call__(self) -> bool:
        return self.noted > 0

    @property
    def status(self) -> int:
        """The exit status."""
        return EXIT_SIGNAL + self.noted

    def __enter__(self) -> _Interrupt:
        self._handling = signals.handled_by(self._note)
        self._handling.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._handling.__exit__(None, None, None)

    def _note(self, number: int, frame: object) -> None:
        self.noted = self.noted or number


def _prepare(trainer: Trainer, stop: Callable[[], bool]) -> None:
    """Learn what drops arcs, with a bar where standard error is a terminal."""
    start = time.perf_counter()

    def tell(pruned: PrunedTreebank) -> None:
        say(f"pruner    {pruned.describe()}  {time.perf_counter() - start:.1f} s")

    if is_quiet() or not sys.stderr.isatty() or trainer.order == 1:
        trainer.prepare(stop, tell=tell)
        return
    from tqdm import tqdm

    total = passes() * trainer.words
    with tqdm(total=total, desc="pruner", unit=" words", unit_scale=True, leave=False) as bar:
        trainer.prepare(stop, lambda words, right: bar.update(words), tell)


def _run_epoch(trainer: Trainer, stop: Callable[[], bool]) -> Progress | None:
    """One epoch, with a bar where standard error is a terminal."""
    if is_quiet() or not sys.stderr.isatty():
        return trainer.run_epoch(stop, lambda words, right: None)
    from tqdm import tqdm

    seen = right_so_far = 0
    with tqdm(
        total=trainer.words, desc=f"epoch {trainer.epoch + 1}", unit=" words", unit_scale=True, leave=False
    ) as bar:

        def tick(words: int, right: int) -> None:
            nonlocal seen, right_so_far
            seen += words
            right_so_far += right
            bar.update(words)
            if seen % 1000 < words:
                bar.set_postfix_str(f"UAS {100 * right_so_far / seen:.2f}", refresh=False)

        return trainer.run_epoch(stop, tick)


def _describe(trainer: Trainer) -> tuple[str, str]:
    used = [name for name, used in asdict(trainer.columns).items() if used]
    count = len(trainer.names)
    labels = f"{count} {plural(count, 'label')}" if trainer.options.labelled else "no labels"
    sentences = f"{len(trainer.examples):,} {plural(len(trainer.examples), 'sentence')}"
    words = f"{trainer.words:,} {plural(trainer.words, 'word')}"
    return (
        f"{sentences}, {words}, {labels}; columns form upos {' '.join(used)}",
        f"constraints of the treebank: {trainer.constraints.describe()} ({trainer.structure['coverage']:.2f} %)",
    )


def _describe_rules(trainer: Trainer) -> list[str]:
    """Which rules are kept, and which are not and why; what is strange about those of a file of one's own."""
    told = trainer.told_rules
    if told is None:
        return []
    kept = len(trainer.rules) if trainer.rules else 0
    line = f"rules of the treebank: {kept} of {told['rules']} of {told['name']} ({told['coverage']:g} %)"
    idle = sum(why == NO_CHANCE for why in told["left_out"].values())
    broken = [f"{name} ({why})" for name, why in told["left_out"].items() if why != NO_CHANCE]
    line += f"; {idle} without a chance to break them" if idle else ""
    lines = [f"{line}; left out: {', '.join(broken)}" if broken else line]
    if isinstance(trainer.options.rules, Rules):
        lines += [f"wnparse: {each}" for each in describe_strange(trainer.options.rules, trainer.names)]
    return lines


def _describe_price(learned: LearnedPrice) -> str:
    """What crossing arcs cost, and what becomes of it."""
    share = f"{learned.chosen.projective:.1f} % of dev trees are projective, {learned.gold:.1f} % of gold trees"
    if not learned.chosen.price:
        return f"crossing  free: {share}"
    before = f"LAS {learned.free.las:.2f} and {learned.free.projective:.1f} % without"
    return f"crossing  a price of {learned.chosen.price:g} each: LAS {learned.chosen.las:.2f}, {share}; {before}"


def _line(progress: Progress, *, augmented: bool) -> str:
    parts = [f"epoch {progress.epoch:2}", f"updates {progress.updates}", f"train UAS {progress.train_uas:.2f}"]
    if progress.train_las is not None:
        parts[-1] += f" LAS {progress.train_las:.2f}"
    # Wrong arcs are raised by the margin while learning: these scores are not to be compared with the others.
    parts[-1] += " (with margin)" if augmented else ""
    if progress.dev_uas is not None:
        parts.append(f"dev UAS {progress.dev_uas:.2f}")
        if progress.dev_las is not None:
            parts[-1] += f" LAS {progress.dev_las:.2f}"
        parts[-1] += " *" if progress.best else ""
    parts.append(f"{progress.seconds:.1f} s, {progress.words_per_second:,.0f} words/s")
    return "  ".join(parts)
