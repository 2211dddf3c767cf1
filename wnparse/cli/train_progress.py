"""What ``wnparse train`` shows of a run: lines on standard error, bars, a log; and its checkpoints."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wnparse.cli.common import is_quiet, say
from wnparse.cli.options.rules import describe_strange
from wnparse.cli.signals import EXIT_SIGNAL, signals
from wnparse.parser.model import Model
from wnparse.rules import Rules
from wnparse.rules.coverage import NO_OCCASION
from wnparse.storage.files import open_output
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import measure_tags
from wnparse.training.checkpoint import resume, save_checkpoint
from wnparse.training.crossing_price import LearnedPrice
from wnparse.training.jackknife import JackKnifed, load_jackknifed, save_jackknifed
from wnparse.training.joint_weight import LearnedWeight
from wnparse.training.learners import USUAL_ORDER
from wnparse.training.options import TrainOptions
from wnparse.training.pruner import PrunedTreebank
from wnparse.training.trainer import Trainer, dev_scores
from wnparse.training.watcher import Progress, TrainingWatcher
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural


class TrainProgress(TrainingWatcher):
    """Reports a run, saves checkpoints, and stops it after Ctrl-C, SIGTERM or SIGHUP.

    Attributes
    ----------
    flawless : bool
        False if a log or checkpoint could not be written, which does not stop the run.
    """

    def __init__(self, log: str | None, checkpoint: str | None, *, resumes: bool, order: int | None) -> None:
        self.flawless = True
        self._log_path, self._log = log, None if log is None else _Log(log)
        self._checkpoint, self._resumes, self._order = checkpoint, resumes, order
        self._signal = 0
        self._bar: Any = None
        self._seen = self._right = 0

    def __enter__(self) -> TrainProgress:
        self._handling = signals.handled_by(self._note)
        self._handling.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._handling.__exit__(None, None, None)

    def _note(self, number: int, frame: object) -> None:
        """Note a signal, so that the current sentence is finished."""
        self._signal = self._signal or number

    def is_stopped(self) -> bool:
        """Return whether a signal came."""
        return self._signal > 0

    @property
    def status(self) -> int:
        """The exit status of a run that is over."""
        if self._signal:
            return EXIT_SIGNAL + self._signal
        return 0 if self.flawless else 1

    @contextlib.contextmanager
    def stage(self, name: str, words: int) -> Iterator[None]:
        """Show a bar, if standard error is a terminal."""
        if is_quiet() or not sys.stderr.isatty():
            yield
            return
        from tqdm import tqdm

        self._seen = self._right = 0
        with tqdm(total=words, desc=name, unit=" words", unit_scale=True, leave=False) as self._bar:
            yield
        self._bar = None

    def on_words(self, words: int, right: int) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        self._seen += words
        self._right += right
        self._bar.update(words)
        if self._seen % 1000 < words:
            self._bar.set_postfix_str(f"UAS {100 * self._right / self._seen:.2f}", refresh=False)

    def load_tags(
        self, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
    ) -> JackKnifed | None:
        """Find the tags of an interrupted run in its checkpoint."""
        if not self._resumes or not self._checkpoint:
            return None
        return load_jackknifed(self._checkpoint, sentences, dev, options.seed, options.folds)

    def on_tags(
        self,
        tagged: JackKnifed,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        options: TrainOptions,
        seconds: float,
    ) -> None:
        """Report how good the tagger and the tags are, and keep them in the checkpoint."""
        report_tagger(tagged.tagger, dev, seconds)
        accuracy = "  ".join(f"{name} {value:.2f}" for name, value in tagged.accuracy.items())
        say(f"jack-knifed tags of TRAIN, {options.folds} folds  {accuracy}")
        if self._checkpoint:
            save_jackknifed(tagged, self._checkpoint, sentences, dev, options.seed, options.folds)

    def on_start(self, trainer: Trainer) -> None:
        """Continue from a checkpoint, and describe the treebank."""
        if self._resumes and self._checkpoint and not resume(trainer, self._checkpoint):
            say(f"{self._checkpoint}: no checkpoint yet; training begins anew")
        if self._checkpoint:
            Path(self._checkpoint).mkdir(parents=True, exist_ok=True)
        if self._log:
            self._log.begin(trainer.epoch)
        for line in [*_describe_treebank(trainer), *_describe_rules(trainer)]:
            say(line)
        if self._order is None and trainer.order < USUAL_ORDER:
            learner = trainer.options.learner
            say(f"learner '{learner}' knows arcs alone: the parser will be of order {trainer.order}")

    def on_pruner(self, pruned: PrunedTreebank, seconds: float) -> None:
        """Report what the pruner leaves."""
        say(f"pruner    {pruned.describe()}  {seconds:.1f} s")

    def on_epoch(self, trainer: Trainer, progress: Progress) -> None:
        """Report an epoch, and log it."""
        say(_describe_epoch(progress, augmented=trainer.augmented))
        if self._log:
            log = self._log
            self._write(lambda: log.add(progress), str(log.path))

    def save(self, trainer: Trainer) -> None:
        """Save a checkpoint."""
        if self._checkpoint:
            folder = self._checkpoint
            self._write(lambda: save_checkpoint(trainer, folder), folder)

    def _write(self, write: Callable[[], None], name: str) -> None:
        """Write something next to the model; a full disk now need not cost the hours spent before."""
        try:
            write()
        except OSError as error:
            say(f"wnparse: {name}: {error.strerror}; the training goes on", error=True)
            self.flawless = False

    def on_parser(self, trainer: Trainer, model: Model, dev: Sequence[Sentence] | None) -> None:
        """Report what crossing arcs cost, and how good the parser is with gold tags."""
        if trainer.price:
            say(_describe_price(trainer.price))
        if trainer.options.tagger and dev:
            uas, las = dev_scores(model, [sentence for sentence in dev if len(sentence)])
            labelled = "" if las is None else f" LAS {las:.2f}"
            say(f"on gold tags  dev UAS {uas:.2f}{labelled}")

    def on_joint_weight(self, model: Model, learned: LearnedWeight | None) -> None:
        """Report what choosing tags and trees together gains."""
        if learned is None:
            return
        name = "LAS" if model.labels else "UAS"
        told = f"no better than the best tags: dev {name} {learned.alone:.2f}"
        if learned.weight:
            scores = f"dev {name} {learned.score:.2f}, {learned.alone:.2f} with the best tags"
            told = f"{scores}; weight {learned.weight:g}"
        say(f"tags and trees together  {told}; {learned.searches:.2f} sequences a sentence")


class _Log:
    """A file with one line of JSON per epoch, whole at any time: a line is added in one piece or not at all."""

    def __init__(self, path: str) -> None:
        self._name = path
        self.path = Path("/dev/stdout" if path == "-" else path)

    def begin(self, finished: int) -> None:
        """Begin a new log, or continue after the `finished` epochs of a run that is resumed."""
        lines = []
        if finished and self.path.is_file():
            lines = [line for line in self.path.read_bytes().splitlines() if 0 < _epoch(line) <= finished]
        with open_output(self._name) as stream:
            stream.write(b"".join(line + b"\n" for line in lines))

    def add(self, progress: Progress) -> None:
        """Add an epoch."""
        line = json.dumps(asdict(progress)).encode() + b"\n"
        with self.path.open("ab", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            if stream.write(line) != len(line):
                stream.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _epoch(line: bytes) -> int:
    """Return the epoch of a line of a log; 0 if it has none."""
    try:
        return int(json.loads(line)["epoch"])
    except (ValueError, KeyError, TypeError):
        return 0


def report_tagger(tagger: Tagger, dev: Sequence[Sentence] | None, seconds: float) -> None:
    """Say how a tagger does on a development set."""
    scores = ""
    if dev:
        scores = "  dev " + "  ".join(f"{name} {value:.2f}" for name, value in measure_tags(tagger, dev).items())
    say(f"tagger {scores}  {seconds:.1f} s")


def _describe_treebank(trainer: Trainer) -> tuple[str, str]:
    columns = " ".join(name for name, used in asdict(trainer.columns).items() if used)
    count = len(trainer.names)
    labels = f"{count} {plural(count, 'label')}" if trainer.options.labelled else "no labels"
    sentences = f"{len(trainer.examples):,} {plural(len(trainer.examples), 'sentence')}"
    words = f"{trainer.words:,} {plural(trainer.words, 'word')}"
    constraints, coverage = trainer.facts.constraints.describe(), trainer.facts.structure["coverage"]
    return (
        f"{sentences}, {words}, {labels}; columns form upos {columns}",
        f"constraints of the treebank: {constraints} ({coverage:.2f} %)",
    )


def _describe_rules(trainer: Trainer) -> list[str]:
    """Say which rules are used, which are not and why, and what is strange about those of a user's file."""
    info, rules = trainer.facts.rule_info, trainer.facts.rules
    if info is None:
        return []
    used = len(rules) if rules else 0
    line = f"rules of the treebank: {used} of {info['rules']} of {info['name']} ({info['coverage']:g} %)"
    idle = sum(why == NO_OCCASION for why in info["left_out"].values())
    broken = [f"{name} ({why})" for name, why in info["left_out"].items() if why != NO_OCCASION]
    line += f"; {idle} without a chance to break them" if idle else ""
    lines = [f"{line}; left out: {', '.join(broken)}" if broken else line]
    if isinstance(trainer.options.rules, Rules):
        lines += [f"wnparse: {warning}" for warning in describe_strange(trainer.options.rules, trainer.names)]
    return lines


def _describe_price(learned: LearnedPrice) -> str:
    """Say what crossing arcs cost, and what becomes of it."""
    share = f"{learned.chosen.projective:.1f} % of dev trees are projective, {learned.gold:.1f} % of gold trees"
    if not learned.chosen.price:
        return f"crossing  free: {share}"
    before = f"LAS {learned.free.las:.2f} and {learned.free.projective:.1f} % without"
    return f"crossing  a price of {learned.chosen.price:g} each: LAS {learned.chosen.las:.2f}, {share}; {before}"


def _describe_epoch(progress: Progress, *, augmented: bool) -> str:
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
