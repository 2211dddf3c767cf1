"""``wnparse crossval``: how good parsers of a treebank are, and where its annotation is doubtful."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    THREADS,
    FiniteRange,
    SkipBad,
    given_keywords,
    is_quiet,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
    table,
)
from wnparse.cli.options.cluster import ClusterPlace, connect_patiently
from wnparse.cli.options.training import column_options, rule_options
from wnparse.cli.paths import INPUT, OUTPUT, Command, output_option
from wnparse.cli.signals import EXIT_BAD_DATA
from wnparse.crossval.crossval import CrossValidation, Run, cross_validation, make_grid
from wnparse.crossval.fold_task import Task
from wnparse.crossval.processes import run_calls
from wnparse.crossval.suspects.find import MOST, mark_suspects
from wnparse.errors import WnparseError
from wnparse.parser.part_features import MOST_ORDER
from wnparse.reports.crossval_tables import crossval_document, crossval_table
from wnparse.storage.files import open_output
from wnparse.training.learners import LARGEST_MARGIN, LEARNERS, USUAL_K, USUAL_LIMIT, USUAL_MARGIN, USUAL_ORDER
from wnparse.training.options import TrainOptions
from wnparse.treebanks.chunks import count_cores
from wnparse.treebanks.folds import document_lengths
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import Joint
from wnparse.wording import plural

GRID = ("order", "learner", "epochs", "margin", "C", "k")  # options that may have several values

EPILOG = """
\b
Examples:
  wnparse crossval treebank.conllu
  wnparse crossval treebank.conllu --folds 5 --seeds 3 --json -o scores.json
  wnparse crossval treebank.conllu --order 1,2 --learner perceptron,mira
  wnparse crossval train.conllu dev.conllu --order 1 --seeds 2 --suspects suspects.conllu
  wnparse show suspects.conllu --html suspects.html
  wnparse crossval treebank.conllu --predictions parsed.conllu --cluster tcp://10.0.0.1:8786

\b
Exit status: 0 done; 1 bad data, or a fold that failed; 2 bad usage; 130 interrupted.
"""


class ListOf(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Several values of a type, separated by commas, each once."""

    def __init__(self, each: Any) -> None:
        self.each = click.types.convert_type(each)
        self.name = f"{self.each.name},..."

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        """What help calls it."""
        if isinstance(self.each, click.Choice):
            return f"{'|'.join(self.each.choices)},..."
        return "N,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert each of them."""
        if not isinstance(value, str):
            return value
        found = [self.each.convert(part.strip(), param, ctx) for part in value.split(",")]
        return list(dict.fromkeys(found))


@click.command("crossval", cls=Command, epilog=EPILOG)
@click.argument("treebanks", metavar="TREEBANK...", nargs=-1, required=True, type=INPUT)
@click.option("--folds", type=click.IntRange(2, 1000), default=10, show_default=True, help="Parts of TREEBANK.")
@click.option("--seeds", type=click.IntRange(1, 1000), default=1, show_default=True, help="Models of each fold.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first of the seeds.")
@click.option(
    "--order",
    type=ListOf(click.IntRange(1, MOST_ORDER)),
    help=f"As of train; with several, all are compared.  [default: {USUAL_ORDER}, or 1 if the learner knows "
    "arcs alone]",
)
@click.option(
    "--learner",
    type=ListOf(click.Choice(list(LEARNERS))),
    default="perceptron",
    show_default=True,
    help="The same.",
)
@click.option("--epochs", type=ListOf(COUNT), default="10", show_default=True, help="The same.")
@click.option(
    "--margin", type=ListOf(FiniteRange(0, LARGEST_MARGIN)), help=f"The same.  [default: {USUAL_MARGIN:g}]"
)
@click.option("--C", "C", type=ListOf(float), help=f"The same.  [default: {USUAL_LIMIT}]")
@click.option("--k", type=ListOf(int), help=f"The same.  [default: {USUAL_K}]")
@column_options
@click.option("--tagger", is_flag=True, help="Learn to tag, too, and parse with these tags: as of train.")
@rule_options
@click.option(
    "--predictions", metavar="OUT", type=OUTPUT, help="Write TREEBANK with trees of models that did not see them."
)
@click.option(
    "--suspects",
    metavar="OUT",
    type=OUTPUT,
    help="Write sentences with words whose annotation is doubtful, the most suspicious first.",
)
@click.option("--most", type=COUNT, default=MOST, show_default=True, help="Most words that --suspects marks.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; its keys are described in docs/crossval.md.")
@click.option("--jobs", type=THREADS, help="Processes.  [default: one for each core]")
@click.option(
    "--cluster",
    type=ClusterPlace(),
    help="Let a Dask cluster do it: docs/cluster.md.",
)
@skip_bad_option
@output_option
@quiet_option
def command(treebanks: tuple[str, ...], output: str | None, as_json: bool, **flags: Any) -> None:
    """Cut TREEBANK into folds, and parse each with models that learned from the others.

    Documents, which # newdoc begins, are kept whole. Printed are mean and standard deviation of the scores
    of folds and seeds. Options with several values, separated by commas, make a grid: each combination is a
    row. What comes out does not depend on --jobs or --cluster.
    """
    refuse_terminal(treebanks)
    settings, chosen = _grid(flags)
    skipped = SkipBad()
    sentences = list(Reader(treebanks, heads="required", skip=skipped if flags["skip_bad"] else None))
    skipped.report()
    run = cross_validation(
        sentences,
        settings,
        folds=flags["folds"],
        seeds=range(flags["seed"], flags["seed"] + flags["seeds"]),
        opinions=flags["suspects"] is not None,
    )
    _describe(run, flags["jobs"], flags["cluster"])
    with _runner(flags) as runner:
        _run(run, runner, chosen)
    _tell_failures(run)
    _write_trees(run, sentences, flags)
    names = [_name(each) or "all folds" for each in chosen]
    if as_json:
        text = json.dumps(crossval_document(run, chosen), indent=2, ensure_ascii=False)
    else:
        found = crossval_table(run, names)
        text = f"{found.title} of {len(run.results)} {plural(len(run.results), 'run')}\n{table(found.lines)}"
    with open_output(output) as stream:
        stream.write(f"{text}\n".encode())
    sys.exit(EXIT_BAD_DATA if run.failures else 0)


def _grid(flags: dict[str, Any]) -> tuple[list[TrainOptions], list[dict[str, Any]]]:
    """Make the settings, and of each what tells it from the others."""
    lists = {name: flags[name] if isinstance(flags[name], list) else [flags[name]] for name in GRID}
    base = TrainOptions(**given_keywords(TrainOptions, {**flags, **dict.fromkeys((*GRID, "folds"))}))
    try:
        settings = make_grid(base, {name: values for name, values in lists.items() if values != [None]})
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
    for name in ("predictions", "suspects"):
        if flags[name] and len(settings) > 1:
            raise click.UsageError(
                f"--{name} is of one setting; the options make {len(settings)}: name one value of each."
            )
    several = [name for name, values in lists.items() if len(values) > 1]
    return settings, [{name: getattr(options, name) for name in several} for options in settings]


def _name(chosen: dict[str, Any]) -> str:
    return ", ".join(str(value) if name == "learner" else f"{name} {value}" for name, value in chosen.items())


def _describe(run: CrossValidation, jobs: int | None, cluster: Any) -> None:
    """Say what is going to be done."""
    words = sum(map(len, run.sentences))
    sizes = sorted(len(run.inside(fold)) for fold in range(run.folds))
    documents = len(document_lengths(run.sentences))
    whole = all(run.fold_of[i] == run.fold_of[i - 1] for i in _insides(run.sentences))
    if documents == len(run.sentences):
        cut = "no documents are marked"
    else:
        cut = f"{documents:,} documents are {'kept whole' if whole else 'too few or too long to be kept whole'}"
    folds = f"{run.folds} folds of {sizes[0]:,} to {sizes[-1]:,}"
    say(f"{len(run.sentences):,} sentences, {words:,} words; {folds}; {cut}")
    count = len(run.settings) * len(run.seeds) * run.folds
    processes = min(jobs or count_cores(), count)
    here = f"in {processes} processes" if processes > 1 else "in one process"
    place = f"on {cluster}" if cluster else here
    say(f"{count:,} models to learn, {place}")


def _insides(sentences: Sequence[Sentence]) -> Iterator[int]:
    """The places of sentences that go on with the document of the one before."""
    place = 0
    for length in document_lengths(sentences):
        yield from range(place + 1, place + length)
        place += length


@contextlib.contextmanager
def _runner(flags: dict[str, Any]) -> Iterator[Run]:
    """Who does the tasks: processes of this machine, or a cluster."""
    if not flags["cluster"]:
        yield functools.partial(run_calls, jobs=flags["jobs"] or count_cores())
        return
    with contextlib.ExitStack() as stack:
        cluster = connect_patiently(flags["cluster"], stack)
        say(f"dashboard: {cluster.dashboard}")
        cluster.check_versions()
        if not cluster.workers():
            say(f"{flags['cluster']}: waiting for workers; dask worker ADDRESS starts one")
        yield lambda calls: cluster.run(deque(calls))


def _run(run: CrossValidation, runner: Run, chosen: list[dict[str, Any]]) -> None:
    """Do the tasks, with a line for each, and a bar where standard error is a terminal."""
    total = len(run.tasks())
    for number, task in enumerate(_with_bar(run.run(runner), total), 1):
        if task.key in run.results:
            found = run.results[task.key]
            las = f" LAS {found.scores.las:.2f}" if task.options.labelled else ""
            told = f"UAS {found.scores.uas:.2f}{las}  {found.seconds:.1f} s"
        else:
            told = "failed"
        name = ", ".join(filter(None, [_name(chosen[task.setting]), _describe_task(run, task)]))
        say(f"{number:{len(str(total))}} of {total}  {name}  {told}")


def _describe_task(run: CrossValidation, task: Task) -> str:
    seed = f", seed {task.options.seed}" if len(run.seeds) > 1 else ""
    return f"fold {task.fold + 1}{seed}"


def _with_bar(tasks: Iterator[Task], total: int) -> Iterator[Task]:
    if is_quiet() or not sys.stderr.isatty():
        yield from tasks
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=" models", leave=False, file=sys.stderr) as bar:
        for task in tasks:
            bar.clear()
            yield task
            bar.update()


def _tell_failures(run: CrossValidation) -> None:
    """Say which tasks failed and why, each reason once; WnparseError if all did."""
    reasons: dict[str, int] = {}
    for _, error in sorted(run.failures.items()):
        why = str(error) if isinstance(error, WnparseError) else f"{type(error).__name__}: {error}"
        reasons[why] = reasons.get(why, 0) + 1
    if not run.results:
        raise WnparseError("; ".join(reasons))
    for why, count in reasons.items():
        say(f"wnparse: {count} of {len(run.tasks())} models failed: {why}", error=True)


def _write_trees(run: CrossValidation, sentences: Sequence[Sentence], flags: dict[str, Any]) -> None:
    """Write predictions and suspects, if all of it is there."""
    for name in ("predictions", "suspects"):
        if flags[name] and run.failures:
            say(f"wnparse: --{name} {flags[name]} is not written: trees of some folds are missing", error=True)
    if run.failures:
        return
    if flags["predictions"]:
        found = iter(run.predictions(run.seeds[0]))
        # Comments without words stay where they are.
        _write(flags["predictions"], [next(found) if len(sentence) else sentence.raw for sentence in sentences])
    if flags["suspects"]:
        suspects = run.suspects(flags["most"])
        _write(flags["suspects"], mark_suspects(run.sentences, suspects))
        likely = sum(suspect.chance >= 0.5 for suspect in suspects)
        noun = plural(len(suspects), "word")
        say(f"{flags['suspects']}: {len(suspects):,} {noun}, {likely:,} of them more likely wrong than right")


def _write(path: str, raws: Sequence[bytes]) -> None:
    joint = Joint()
    with open_output(path) as stream:
        for raw in raws:
            stream.write(joint.add(raw))
