"""Progress of ``wnparse train``: lines and bars on standard error, the log, and checkpoints."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wnparse.cli.common import describe_minutes, progress_bar, say
from wnparse.cli.options.rules import describe_strange
from wnparse.cli.signals import EXIT_SIGNAL
from wnparse.parser.model import Model
from wnparse.rules import Rules
from wnparse.rules.coverage import NO_OCCASION
from wnparse.storage.files import open_output
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, measure_tags
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.training.checkpoint import resume, resume_network, save_checkpoint, save_network
from wnparse.training.crossing_penalty import LearnedPenalty
from wnparse.training.jackknife import JackKnifed, load_jackknifed, save_jackknifed
from wnparse.training.joint_weight import LearnedWeight
from wnparse.training.learners import USUAL_ORDER
from wnparse.training.neural_sum import LearnedSum
from wnparse.training.options import TrainOptions
from wnparse.training.pruner import PrunedTreebank
from wnparse.training.trainer import Trainer, dev_scores
from wnparse.training.watcher import NetworkProgress, Progress, TrainingWatcher
from wnparse.treebanks.partial import FEW_TREES
from wnparse.treebanks.sentence import Sentence, is_filled
from wnparse.wording import counted, plural

if TYPE_CHECKING:
    from wnparse.neural.training import NetworkTrainer


class TrainProgress(TrainingWatcher):
    """Reports a run, saves checkpoints, and stops the run after a signal.

    Parameters
    ----------
    log, checkpoint : str or None
        Where the log goes, and the directory of the checkpoint.
    resumes : bool
        Whether the run continues from the checkpoint, if there is one.
    order : int or None
        The order that was requested; None if the learner decides.
    """

    def __init__(self, log: str | None, checkpoint: str | None, *, resumes: bool, order: int | None) -> None:
        self._log = None if log is None else _Log(log)
        self._checkpoint, self._resumes, self._order = checkpoint, resumes, order
        self._write_failed = False
        self._signal = 0
        self._bar: Any = None
        self._seen = self._right = 0

    def note_signal(self, number: int, frame: object) -> None:
        """Note a signal; the run stops after the current sentence."""
        self._signal = self._signal or number

    def is_stopped(self) -> bool:
        """Return whether a signal was received."""
        return self._signal > 0

    @property
    def status(self) -> int:
        """The exit status: 1 if a log or checkpoint could not be written, which does not stop a run."""
        return EXIT_SIGNAL + self._signal if self._signal else int(self._write_failed)

    @contextlib.contextmanager
    def stage(self, name: str, words: int) -> Iterator[None]:
        """Show a bar, if standard error is a terminal."""
        self._seen = self._right = 0
        with progress_bar(name, total=words, delay=0) as self._bar:
            yield
        self._bar = None

    def on_words(self, words: int, right: int | None = None) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        self._seen += words
        self._right += right or 0
        self._bar.update(words)
        if right is not None and self._seen % 1000 < words:
            self._bar.set_postfix_str(f"UAS {100 * self._right / self._seen:.2f}", refresh=False)

    def on_notice(self, message: str) -> None:
        """Print a notice."""
        say(f"wnparse: {message}")

    def on_tokenizer(self, tokenizer: Tokenizer, seconds: float) -> None:
        """Report the training of a tokenizer."""
        say(f"tokenizer  {counted(tokenizer.info['tokens'], 'token')}  {seconds:.1f} s")

    def on_lessons(self, lessons: Lessons) -> None:
        """Describe the treebank that the tagger is trained on."""
        counts = f"{counted(len(lessons), 'sentence')}, {counted(len(lessons.tags), 'word')}"
        say(f"training a tagger on {counts}; columns {' '.join(lessons.columns)}")

    def on_tagger(self, tagger: Tagger, dev: Sequence[Sentence] | None, seconds: float) -> None:
        """Report the accuracy of a tagger."""
        report_tagger(tagger, dev, seconds)

    def load_tags(
        self, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
    ) -> JackKnifed | None:
        """Load the tags of an interrupted run from its checkpoint."""
        if not self._resumes or not self._checkpoint:
            return None
        return load_jackknifed(self._checkpoint, sentences, dev, options)

    def on_tags(
        self,
        tagged: JackKnifed,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        options: TrainOptions,
        seconds: float,
    ) -> None:
        """Report the accuracy of the tagger and of the tags, and save them in the checkpoint."""
        report_tagger(tagged.tagger, dev, seconds)
        accuracy = "  ".join(f"{name} {value:.2f}" for name, value in tagged.accuracy.items())
        say(f"predicted tags of the training data, {tagged.folds} folds  {accuracy}")
        if self._checkpoint:
            save_jackknifed(tagged, self._checkpoint, sentences, dev, options)

    def on_start(self, trainer: Trainer) -> None:
        """Continue from a checkpoint, and describe the treebank."""
        if self._resumes and self._checkpoint and not resume(trainer, self._checkpoint):
            say(f"{self._checkpoint}: no checkpoint yet; training starts from the beginning")
        if self._checkpoint:
            Path(self._checkpoint).mkdir(parents=True, exist_ok=True)
        if self._log:
            self._log.begin(trainer.epoch)
        for line in [*_describe_treebank(trainer), *_describe_rules(trainer)]:
            say(line)
        if self._order is None and trainer.order < USUAL_ORDER:
            learner = trainer.options.learner
            say(f"learner '{learner}' supports order 1 only: the parser is of order {trainer.order}")

    def on_pruner(self, pruned: PrunedTreebank, seconds: float) -> None:
        """Report how many heads the pruner leaves."""
        say(f"pruner    {pruned.describe_heads()}  {seconds:.1f} s")

    def on_epoch(self, trainer: Trainer, progress: Progress) -> None:
        """Report an epoch, and log it."""
        say(_describe_epoch(progress, augmented=trainer.augmented))
        if self._log:
            with self._tolerate_errors(str(self._log.path)):
                self._log.add(progress)

    def save(self, trainer: Trainer) -> None:
        """Save a checkpoint."""
        if self._checkpoint:
            with self._tolerate_errors(self._checkpoint):
                save_checkpoint(trainer, self._checkpoint)

    @contextlib.contextmanager
    def _tolerate_errors(self, name: str) -> Iterator[None]:
        """Go on if a file cannot be written: a full disk must not cost the hours spent before."""
        try:
            yield
        except OSError as error:
            say(f"wnparse: {name}: {error.strerror}; training continues", error=True)
            self._write_failed = True

    def on_parser(self, trainer: Trainer, model: Model, dev: Sequence[Sentence] | None) -> None:
        """Report the crossing penalty, and the scores of the parser with gold tags."""
        if trainer.price:
            say(_describe_penalty(trainer.price))
        if trainer.gold_copies and dev and is_filled(dev, "upos"):
            uas, las = dev_scores(model, dev)
            labelled = "" if las is None else f" LAS {las:.2f}"
            say(f"on gold tags  dev UAS {uas:.2f}{labelled}")

    def on_joint_weight(self, model: Model, learned: LearnedWeight | None) -> None:
        """Report what choosing tags and tree jointly gains."""
        if learned is None:
            return
        name = "LAS" if model.labels else "UAS"
        if learned.weight:
            scores = f"dev {name} {learned.score:.2f}, {learned.alone:.2f} with the best tags alone"
            gain = f"{scores}; tag weight {learned.weight:g}"
        else:
            gain = f"not better than the best tags alone: dev {name} {learned.alone:.2f}"
        say(f"joint tagging and parsing  {gain}; {learned.searches:.2f} tag sequences per sentence")

    def on_network_start(self, run: NetworkTrainer) -> None:
        """Continue the training of a network from its checkpoint, and report how long it will take."""
        if self._resumes and self._checkpoint:
            resume_network(run, self._checkpoint)
        minutes = describe_minutes(run.schedule.seconds(run.words) * (1 - run.epoch / run.epochs))
        say(f"training a network for {run.epochs} epochs, which takes {minutes} on one core")

    def save_network(self, run: NetworkTrainer) -> None:
        """Save the training of a network in the checkpoint."""
        if self._checkpoint:
            with self._tolerate_errors(self._checkpoint):
                save_network(run, self._checkpoint)

    def on_network(self, progress: NetworkProgress) -> None:
        """Report an epoch of a network."""
        say(
            f"network epoch {progress.epoch:2} of {progress.epochs}  loss {progress.loss:.3f}  "
            f"{progress.seconds:.1f} s, {progress.words / progress.seconds:,.0f} words/s"
        )

    def on_sum(self, model: Model, learned: LearnedSum) -> None:
        """Report what the network gains."""
        name = "LAS" if model.labels else "UAS"
        if not learned.weight:
            say(f"the network does not improve the dev {name} of {learned.linear:.2f}; it is left out")
            return
        scores = f"dev {name} {learned.score:.2f}, {learned.linear:.2f} without the network"
        say(f"linear model and network  {scores}; weight {learned.weight:g}")
        if learned.penalty:
            say(_describe_penalty(learned.penalty))
        self.on_joint_weight(model, learned.joint)


class _Log:
    """A file with one line of JSON per epoch; a line is added in one piece or not at all."""

    def __init__(self, path: str) -> None:
        self._name = path
        self.path = Path("/dev/stdout" if path == "-" else path)

    def begin(self, finished: int) -> None:
        """Start a new log, or continue after the `finished` epochs of a run that is resumed."""
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
    """Return the epoch in a line of a log; 0 if there is none."""
    try:
        return int(json.loads(line)["epoch"])
    except (ValueError, KeyError, TypeError):
        return 0


def report_tagger(tagger: Tagger, dev: Sequence[Sentence] | None, seconds: float) -> None:
    """Report the accuracy of a tagger on a development set, if there is one, and how long training took."""
    scores = ""
    if dev:
        accuracy = measure_tags(tagger, dev, tagger.tag(dev, retag=True))
        figures = "  ".join(f"{name} {value:.2f}" for name, value in accuracy.items())
        scores = f"  dev {figures}" if figures else ""
    say(f"tagger{scores}  {seconds:.1f} s")


def _describe_treebank(trainer: Trainer) -> list[str]:
    columns = " ".join(name for name, used in asdict(trainer.columns).items() if used)
    count = len(trainer.names)
    labels = f"{count} {plural(count, 'label')}" if trainer.options.labelled else "no labels"
    sentences, words = counted(len(trainer.examples), "sentence"), counted(trainer.words, "word")
    constraints, annotated = trainer.facts.constraints.describe(), trainer.facts.annotated
    lines = [f"{sentences}, {words}, {labels}; columns form upos {columns}"]
    if annotated.partial:
        lines.append(str(annotated))
    coverage = trainer.facts.structure["coverage"]
    if trainer.options.shape:
        lines.append(f"constraints: {constraints} (satisfied by {coverage:.2f} % of the complete trees)")
    elif annotated.shows_shape:
        lines.append(f"constraints of the treebank: {constraints} ({coverage:.2f} %)")
    else:
        lines.append(f"fewer than {FEW_TREES} trees are complete, so no shape is imposed: {constraints}")
    return lines


def _describe_rules(trainer: Trainer) -> list[str]:
    """Describe which rules are used, which are not and why, and unknown relations in a user's rule file."""
    info, rules = trainer.facts.rule_info, trainer.facts.rules
    if info is None:
        return []
    names = [rule.name for rule in rules or ()]
    line = f"rules of the treebank: {len(names)} of {info['rules']} of {info['name']} ({info['coverage']:g} %)"
    broken = [f"{name} ({why})" for name, why in info["left_out"].items() if why != NO_OCCASION]
    never_apply = len(info["left_out"]) - len(broken)
    line += f"; {never_apply} never {'applies' if never_apply == 1 else 'apply'}" if never_apply else ""
    lines = [f"{line}; left out: {', '.join(broken)}" if broken else line]
    for name, (annotated, predicted) in trainer.facts.rule_coverage.items():
        tags = f"{annotated:.2f} % of its cases with the annotated tags, {predicted:.2f} % with predicted tags"
        lines.append(f"rule {name}: satisfied in {tags}; {'kept' if name in names else 'left out'}")
    if isinstance(trainer.options.rules, Rules):
        lines += [f"wnparse: {warning}" for warning in describe_strange(trainer.options.rules, trainer.names)]
    return lines


def _describe_penalty(learned: LearnedPenalty) -> str:
    """Describe the crossing penalty, and how projective the trees of the development set are with it."""
    chosen, free = learned.chosen, learned.free
    projective = f"{chosen.projective:.1f} % of dev trees are projective, {learned.gold:.1f} % of gold trees"
    if not chosen.price:
        return f"crossing arcs are not penalised: {projective}"
    without = f"LAS {free.las:.2f} and {free.projective:.1f} % without it"
    return f"crossing arcs have a penalty of {chosen.price:g}: LAS {chosen.las:.2f}, {projective}; {without}"


def _describe_epoch(progress: Progress, *, augmented: bool) -> str:
    parts = [f"epoch {progress.epoch:2}", f"updates {progress.updates}", f"train UAS {progress.train_uas:.2f}"]
    if progress.train_las is not None:
        parts[-1] += f" LAS {progress.train_las:.2f}"
    # While learning, the margin is added to the scores of wrong arcs, so these figures are not comparable.
    parts[-1] += " (with margin)" if augmented else ""
    if progress.dev_uas is not None:
        parts.append(f"dev UAS {progress.dev_uas:.2f}")
        if progress.dev_las is not None:
            parts[-1] += f" LAS {progress.dev_las:.2f}"
        parts[-1] += " *" if progress.best else ""
    parts.append(f"{progress.seconds:.1f} s, {progress.words_per_second:,.0f} words/s")
    return "  ".join(parts)
