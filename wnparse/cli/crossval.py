"""``wnparse crossval``: measure parsers of a treebank on its folds, and find doubtful annotation."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import accumulate, pairwise
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    JOBS,
    SkipBad,
    bad_usage,
    describe_minutes,
    format_json,
    given_keywords,
    integers,
    progress_bar,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
    write_text,
)
from wnparse.cli.options.cluster import ClusterName, connect_patiently
from wnparse.cli.options.training import model, training_options
from wnparse.cli.paths import INPUT, OUTPUT, Command, ParamType, html_option, output_option
from wnparse.cli.sections import files, section, speed
from wnparse.cli.signals import EXIT_BAD_DATA
from wnparse.crossval.crossval import CrossValidation, Run, cross_validation, make_grid
from wnparse.crossval.processes import run_calls
from wnparse.crossval.suspects.find import MOST, mark_suspects
from wnparse.errors import WnparseError
from wnparse.neural.schedule import ENCODER, LSTM
from wnparse.reports.crossval_page import crossval_page
from wnparse.reports.crossval_tables import crossval_document, crossval_table
from wnparse.storage.files import display_name, open_output
from wnparse.training.options import TrainOptions
from wnparse.treebanks.chunks import count_cores
from wnparse.treebanks.folds import document_lengths
from wnparse.treebanks.partial import keep_completable
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import SentenceJoiner
from wnparse.wording import counted

GRID = (
    "order",
    "learner",
    "epochs",
    "margin",
    "max_step",
    "learner_trees",
)  # options that may have several values

FOLDS = 10
# For --suspects: they find almost as many errors as the other defaults, in a tenth of the time
# (docs/lab/annotation-errors.md).
SUSPECTS_FOLDS, SUSPECTS_ORDER = 3, 1
fold_section = section("Folds")

EPILOG = """
\b
Examples:
  wnparse crossval treebank.conllu
  wnparse crossval treebank.conllu --folds 5 --seeds 3 --json -o scores.json
  wnparse crossval treebank.conllu --order 1,2 --learner perceptron,mira
  wnparse crossval train.conllu dev.conllu --seeds 2 --suspects suspects.conllu
  wnparse show suspects.conllu --html suspects.html
  wnparse crossval treebank.conllu --only parser --html scores.html
  wnparse crossval treebank.conllu --predictions parsed.conllu --cluster tcp://10.0.0.1:8786

\b
Exit status: 0 success; 1 bad data, or a fold that failed; 2 usage error; 130 interrupted.
"""


class ListOf(ParamType):
    """Several values of a type, separated by commas; repeated values count once."""

    def __init__(self, item_type: Any) -> None:
        self.item_type = click.types.convert_type(item_type)
        self.name = f"{self.item_type.name},..."

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        """Return what help calls the value."""
        return f"{'|'.join(self.item_type.choices)},..." if isinstance(self.item_type, click.Choice) else "N,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert each of the values."""
        if not isinstance(value, str):
            return value
        return list(dict.fromkeys(self.item_type.convert(part.strip(), param, ctx) for part in value.split(",")))


NOTE = " As in train; comma-separated values are compared as a grid."


@click.command("crossval", cls=Command, epilog=EPILOG)
@click.argument("treebanks", metavar="TREEBANK...", nargs=-1, required=True, type=INPUT)
@output_option
@files(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON instead of a table; docs/reference/json.md describes its keys.",
)
@html_option("the tables of scores")
@files(
    "--predictions",
    metavar="FILE",
    type=OUTPUT,
    help="Write TREEBANK to FILE with the trees of models that were not trained on them.  [default: not written]",
)
@files(
    "--suspects",
    metavar="FILE",
    type=OUTPUT,
    help="Write sentences with words whose annotation is doubtful to FILE, the most suspicious first. Models are "
    "trained on the given tags (--only parser).  [default: not written]",
)
@files(
    "--max-suspects",
    type=COUNT,
    default=MOST,
    show_default=True,
    help="Maximum number of suspicious words to mark with --suspects.",
)
@skip_bad_option
@fold_section(
    "--folds",
    type=integers(2, 1000),
    help=f"Number of parts that TREEBANK is cut into.  [default: {FOLDS}, or {SUSPECTS_FOLDS} with --suspects]",
)
@fold_section(
    "--seeds",
    type=integers(1, 1000),
    default=1,
    show_default=True,
    help="Number of models per fold, each with another seed.",
)
@model(
    "--only",
    type=click.Choice(["parser"]),
    help="Train only parsers, on the given tags. By default, each model also has a tagger, and parses "
    "with the tags that it predicts.",
)
@training_options(
    "Seed of the first model of each fold; the next ones follow.",
    values=ListOf,
    note=NOTE,
    other_default=f"; {SUSPECTS_ORDER} with --suspects",
    neural_note="a tenth of the training sentences as a development set",
)
@speed("--jobs", type=JOBS, help="Number of processes; auto is the number of cores.  [default: auto]")
@speed(
    "--cluster",
    type=ClusterName(),
    help="Run on a Dask cluster; see docs/guide/corpora.md.  [default: this machine]",
)
@quiet_option
def command(treebanks: tuple[str, ...], output: str | None, as_json: bool, html: str | None, **flags: Any) -> None:
    """Cut TREEBANK into folds, and parse each fold with models that are trained on the others.

    Documents, which start with # newdoc, are not split. The table shows the mean and the standard deviation of
    the scores over folds and seeds. Options with several values, separated by commas, form a grid: each
    combination is a row. The results do not depend on --jobs or --cluster. Words without a head are parsed, but
    they are not scored.
    """
    refuse_terminal(treebanks)
    settings, choices = _make_settings(flags)
    skipped = SkipBad()
    reader = Reader(treebanks, skip=skipped if flags["skip_bad"] else None)
    sentences = keep_completable(reader, lambda message: say(f"wnparse: {message}"))
    skipped.report()
    run = cross_validation(
        sentences,
        settings,
        folds=flags["folds"] or (SUSPECTS_FOLDS if flags["suspects"] else FOLDS),
        seeds=range(flags["seed"], flags["seed"] + flags["seeds"]),
        features=flags["suspects"] is not None,
    )
    _describe_run(run, flags["jobs"], flags["cluster"])
    with _runner(flags) as runner:
        _run(run, runner, choices)
    _report_failures(run)
    _write_trees(run, sentences, flags)
    names = [_name(choice) or "all folds" for choice in choices]
    if html:
        page = crossval_page(run, names, [display_name(path) for path in treebanks])
        write_text(output if html == "-" else html, page)
    if html != "-":
        write_text(output, format_json(crossval_document(run, choices)) if as_json else _format(run, names))
    sys.exit(EXIT_BAD_DATA if run.failures else 0)


def _format(run: CrossValidation, names: list[str]) -> str:
    """Return the table of scores as text."""
    scores = crossval_table(run, names)
    return f"{scores.title} of {counted(len(run.results), 'run')}\n{table(scores.lines)}\n"


def _make_settings(flags: dict[str, Any]) -> tuple[list[TrainOptions], list[dict[str, Any]]]:
    """Return the settings of the grid, and of each the options in which settings differ."""
    if flags["suspects"]:
        flags = {**flags, "only": "parser", "order": flags["order"] or SUSPECTS_ORDER}
    lists = {name: flags[name] if isinstance(flags[name], list) else [flags[name]] for name in GRID}
    base = TrainOptions(**given_keywords(TrainOptions, {**flags, **dict.fromkeys(GRID)}))
    with bad_usage():
        settings = make_grid(base, {name: values for name, values in lists.items() if values != [None]})
    for name in ("predictions", "suspects"):
        if flags[name] and len(settings) > 1:
            raise click.UsageError(
                f"--{name} needs a single setting, but there are {len(settings)}: give one value per option."
            )
    several = [name for name, values in lists.items() if len(values) > 1]
    return settings, [{name: getattr(options, name) for name in several} for options in settings]


def _name(choice: dict[str, Any]) -> str:
    return ", ".join(
        str(value) if name == "learner" else f"{name.replace('_', ' ')} {value}" for name, value in choice.items()
    )


def _describe_run(run: CrossValidation, jobs: int | None, cluster: Any) -> None:
    """Report the treebank, its folds, and how many models will be trained where."""
    lengths = document_lengths(run.sentences)
    if len(lengths) == len(run.sentences):
        documents = "no documents are marked"
    else:
        ranges = pairwise(accumulate(lengths, initial=0))
        whole = all(len(set(run.fold_of[begin:end])) == 1 for begin, end in ranges)
        state = "kept whole" if whole else "too few or too long to be kept whole"
        documents = f"{len(lengths):,} documents are {state}"
    words = sum(map(len, run.sentences))
    sizes = [len(run.inside(fold)) for fold in range(run.folds)]
    folds = f"{run.folds} folds of {min(sizes):,} to {max(sizes):,}"
    say(f"{len(run.sentences):,} sentences, {words:,} words; {folds}; {documents}")
    if run.annotated.partial:
        say(f"{run.annotated}; other words are not scored")
    count = len(run.tasks())
    processes = min(jobs or count_cores(), count)
    local = f"in {processes} processes" if processes > 1 else "in one process"
    say(f"{count:,} models to train, {f'on {cluster}' if cluster else local}")
    networks = [task.options for task in run.tasks() if task.options.neural]
    if networks:
        one = (ENCODER if networks[0].encoder else LSTM).seconds(words * (run.folds - 1) // run.folds)
        total = "" if cluster else f", {describe_minutes(one * len(networks) / processes)} in all"
        say(f"training a network takes {describe_minutes(one)} per model{total}")


@contextlib.contextmanager
def _runner(flags: dict[str, Any]) -> Iterator[Run]:
    """Yield the function that runs tasks, in processes of this machine or on a cluster."""
    if not flags["cluster"]:
        yield functools.partial(run_calls, jobs=flags["jobs"] or count_cores())
        return
    with ExitStack() as stack:
        cluster = connect_patiently(flags["cluster"], stack)
        say(f"dashboard: {cluster.dashboard}")
        cluster.check_versions()
        if not cluster.workers():
            say(f"{flags['cluster']}: waiting for workers; dask worker ADDRESS starts one")
        yield lambda calls: cluster.run(deque(calls))


def _run(run: CrossValidation, runner: Run, choices: list[dict[str, Any]]) -> None:
    """Run the tasks, with a line for each, and a bar if standard error is a terminal."""
    total = len(run.tasks())
    with progress_bar(None, total=total, unit=" models", unit_scale=False, delay=0) as bar:
        for number, task in enumerate(run.run(runner), 1):
            outcome = "failed"
            if result := run.results.get(task.key):
                las = f" LAS {_percentage(result.scores.las)}" if task.options.labelled else ""
                outcome = f"UAS {_percentage(result.scores.uas)}{las}  {result.seconds:.1f} s"
            seed = f", seed {task.options.seed}" if len(run.seeds) > 1 else ""
            name = ", ".join(filter(None, [_name(choices[task.setting]), f"fold {task.fold + 1}{seed}"]))
            if bar is not None:
                bar.clear()
            say(f"{number:{len(str(total))}} of {total}  {name}  {outcome}")
            if bar is not None:
                bar.update()


def _percentage(score: float | None) -> str:
    """Return a score, or a dash if no word of the fold is annotated."""
    return "-" if score is None else f"{score:.2f}"


def _report_failures(run: CrossValidation) -> None:
    """Report which tasks failed and why, each reason once; WnparseError if all failed."""
    reasons = Counter(
        str(error) if isinstance(error, WnparseError) else f"{type(error).__name__}: {error}"
        for _, error in sorted(run.failures.items())
    )
    if not run.results:
        raise WnparseError("; ".join(reasons))
    for reason, count in reasons.items():
        say(f"wnparse: {count} of {len(run.tasks())} models failed: {reason}", error=True)


def _write_trees(run: CrossValidation, sentences: Sequence[Sentence], flags: dict[str, Any]) -> None:
    """Write predictions and suspects, unless folds are missing."""
    if run.failures:
        for name in ("predictions", "suspects"):
            if flags[name]:
                say(f"wnparse: --{name} {flags[name]} is not written: trees of some folds are missing", error=True)
        return
    if flags["predictions"]:
        predictions = iter(run.predictions(run.seeds[0]))
        # Comments without words stay where they are.
        raws = [next(predictions) if len(sentence) else sentence.raw for sentence in sentences]
        _write(flags["predictions"], raws)
    if flags["suspects"]:
        suspects = run.suspects(flags["max_suspects"])
        _write(flags["suspects"], mark_suspects(run.sentences, suspects))
        likely = sum(suspect.probability >= 0.5 for suspect in suspects)
        count = counted(len(suspects), "word")
        say(f"{flags['suspects']}: {count}, {likely:,} of them more likely wrong than right")


def _write(path: str, raws: Sequence[bytes]) -> None:
    with open_output(path) as stream:
        stream.write(SentenceJoiner().add_all(raws))
