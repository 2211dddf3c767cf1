"""``wnparse parse``: parse CoNLL-U files with a trained model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    JOBS,
    SideFile,
    SkipBad,
    decimals,
    progress_bar,
    quiet_option,
    refuse_terminal,
    say,
    skip_bad_option,
)
from wnparse.cli.options.cluster import TASK_WORDS, ClusterPlace, InputOfOneOrMany, OutputFileOrFolder
from wnparse.cli.options.parsing import load_parser
from wnparse.cli.options.rules import RulesName
from wnparse.cli.paths import MODEL, OUTPUT, Command
from wnparse.cli.tag import open_inputs, tag_files
from wnparse.decoding.checks import LARGEST_COUNT
from wnparse.decoding.registry import DECODERS
from wnparse.parser.joint import SEQUENCES
from wnparse.parser.options import LONGEST, ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.summary import Counts, describe_notices, place_of, report_line
from wnparse.parser.tokens import input_check, watch_columns
from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.storage.files import open_output
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import SentenceJoiner

EPILOG = """
\b
Examples:
  wnparse parse -m model.wnp tagged.conllu -o parsed.conllu
  zcat big.conllu.gz | wnparse parse -m model.wnp - | wnparse eval gold.conllu -
  wnparse parse -m model.wnp --block-degree 2 --well-nested --report report.jsonl tagged.conllu > parsed.conllu
  wnparse parse -m model.wnp --keep-heads half-annotated.conllu > annotated.conllu
  tokenizer < text | wnparse parse -m model.wnp --input words - > parsed.conllu
  wnparse parse -m model.wnp --k-best 5 --confidence tagged.conllu > five-trees-each.conllu
  wnparse parse -m model.wnp --cluster local:4 'corpus/*.conllu' -o parsed/

\b
Exit status: 0 done; 1 bad data or model, or with --strict a sentence that gave something up; 2 bad usage.
"""


def _block_degree(context: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    """Convert a positive integer; `none` stands for itself."""
    if value is None or value == "none":
        return value
    # Longer digits are not even read: Python refuses some thousands of them.
    if not value.isdecimal() or len(value) > 10 or not 0 < int(value) <= LARGEST_COUNT:
        raise click.BadParameter(f"{value!r} is no block degree; expected 1, 2, 3, ... or none.")
    return int(value)


@click.command("parse", cls=Command, epilog=EPILOG)
@click.argument("files", nargs=-1, type=InputOfOneOrMany(), metavar="[FILE...|-]")
@click.option("-m", "--model", "path", required=True, type=MODEL)
@click.option(
    "-o",
    "--output",
    type=OutputFileOrFolder(replaces=["files"]),
    help="Write there instead of to standard output; DIR with --cluster.",
)
@click.option("--decoder", type=click.Choice(list(DECODERS)), help="Default: bnb.")
@click.option(
    "--block-degree",
    metavar="K|none",
    callback=_block_degree,
    help="Most blocks of a yield. Default: the model's.",
)
@click.option("--well-nested/--no-well-nested", default=None, help="Default: the model's.")
@click.option("--single-root/--multi-root", default=None, help="Default: the model's.")
@click.option("--max-iterations", type=COUNT, default=ParseOptions.max_iterations, show_default=True)
@click.option(
    "--max-nodes",
    type=COUNT,
    default=ParseOptions.max_nodes,
    show_default=True,
    help="Limit of the search; fewer for long sentences, which take as long.",
)
@click.option(
    "--time-limit",
    metavar="SECONDS",
    type=decimals(0, above=True),
    help="Limit of the search for a sentence; trees may then differ from machine to machine.  [default: none]",
)
@click.option(
    "--max-words",
    type=COUNT,
    default=LONGEST,
    show_default=True,
    help="Longer sentences are left without a tree: memory is quadratic.",
)
@click.option(
    "--rules",
    type=RulesName("none"),
    help="What labelled trees are held to: docs/rules.md.  [default: the rules of the model]",
)
@click.option(
    "--crossing-penalty",
    metavar="PRICE",
    type=decimals(0, LARGEST_PENALTY),
    help="What a tree pays for each pair of arcs that cross; 0: nothing.  [default: what the model has learned]",
)
@click.option("--no-prune", is_flag=True, help="Score all arcs, not only those that the first pass leaves.")
@click.option(
    "--keep-heads",
    is_flag=True,
    help="Keep the arcs of the input, HEAD and DEPREL; fill the gaps (_) only.",
)
@click.option(
    "--drop-deps", is_flag=True, help="Blank DEPS and leave empty nodes out: they go with the old heads."
)
@click.option(
    "--k-best",
    "k",
    metavar="K",
    type=COUNT,
    help="Write the K best trees of each sentence, with # rank and # score.",
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Write the probability of each head into MISC: HeadProb=0.97; of each new tag, too: TagProb=0.99.",
)
@click.option("--retag", is_flag=True, help="Replace tags that are given, by the model's tagger.")
@click.option(
    "--tag-sequences",
    metavar="K",
    type=COUNT,
    help=f"Try up to K sequences of tags, and keep the best tags and tree together; 1: the best tags.  "
    f"[default: {SEQUENCES} at order 2 and more, if the model has learned how]",
)
@click.option("--tag-only", is_flag=True, help="Stop after UPOS, XPOS, FEATS and LEMMA: HEAD stays.")
@click.option(
    "--input",
    "input_format",
    type=click.Choice(["conllu", "words"]),
    default="conllu",
    show_default=True,
    help="words: one word per line; a blank line ends a sentence, lines that start with '# ' are "
    "comments. Comments sent_id and text are added.",
)
@click.option(
    "--cluster",
    type=ClusterPlace(),
    is_eager=True,  # what FILE and -o may be depends on it
    help="Share the work out, FILE by FILE into the folder -o: docs/cluster.md.",
)
@click.option(
    "--task-words",
    type=COUNT,
    help=f"With --cluster, words of a task; longer files are cut.  [default: {TASK_WORDS}]",
)
@click.option("--jobs", type=JOBS, default=1, show_default=True, help="Threads; with --cluster of each worker.")
@click.option("--report", type=OUTPUT, help="Write one line of JSON a sentence there.")
@skip_bad_option
@click.option("--strict", is_flag=True, help="Exit 1 if a sentence had to give something up.")
@quiet_option
def command(files: tuple[str, ...], path: str, output: str | None, **flags: Any) -> None:
    """Parse CoNLL-U: HEAD and DEPREL of each word are replaced, and nothing else unless it is asked for.

    Sentences must be tagged as the training data was, unless the model has a tagger: then a word whose UPOS is _
    gets what it lacks, and a column that is empty in a whole sentence is filled. The constraints of the model
    are the default; a decoder that is asked for and cannot honour those drops them with a notice. DEPS stays
    unless --drop-deps.
    A sentence without any tree of the kind gives something up, with a warning: constraints, then given heads.
    """
    if flags["cluster"]:
        from wnparse.cli.parse_corpus import parse_on_cluster  # imports that one machine does not need

        parse_on_cluster(files, path, output, flags)
        return
    if flags["task_words"]:
        raise click.UsageError("--task-words needs --cluster.")
    paths = files or ("-",)
    refuse_terminal(paths)
    model, parser = load_parser(path, flags)
    if parser is None:
        tag_files(model, paths, output, flags)
        return
    with ParseRun(parser, flags) as run, open_output(output) as stream:
        reader = run.read(paths, stream.flush)
        for parsed in parser.stream(run.watch(reader), flags["jobs"], reader.at_hand):
            stream.write(run.joiner.add(parsed.raw))
            run.add(parsed)
    run.report()


class ParseRun:
    """What happens next to the trees of a run: notices, a progress bar, the report, counts."""

    def __init__(self, parser: Parser, flags: dict[str, Any]) -> None:
        self.joiner = SentenceJoiner()
        self._parser, self._flags = parser, flags
        self._skipped, self._counts, self._start = SkipBad(), Counts(), time.perf_counter()
        self._stack = ExitStack()

    def __enter__(self) -> ParseRun:
        report = self._flags["report"]
        self._report = self._stack.enter_context(SideFile(report)) if report else None
        self._bar = self._stack.enter_context(progress_bar("parsing"))
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def read(self, paths: Sequence[str], flush: Callable[[], object]) -> Reader:
        """Return a reader of inputs, which flushes the output before it has to wait."""
        model = self._parser.model
        return Reader(
            open_inputs(paths, self._flags["input_format"], model),
            heads="given" if self._parser.options.keep_heads else "ignored",
            skip=self._skipped if self._flags["skip_bad"] else None,
            pass_on=True,
            waiting=flush,
            check=input_check(model.info, tagger=model.tagger is not None),
        )

    def watch(self, sentences: Iterable[Sentence]) -> Iterable[Sentence]:
        """Return the sentences; a warning is printed if they lack a column that the model needs."""
        model = self._parser.model
        if model.tagger is not None:
            return sentences
        return watch_columns(sentences, model.columns, lambda text: say(f"wnparse: {text}"))

    def add(self, parsed: Parsed) -> None:
        """Count a sentence, and report what was relaxed for it."""
        options = self._parser.options
        self._counts.count(parsed, options)
        for notice in describe_notices(parsed, options):
            say(f"wnparse: {place_of(parsed)}: {notice}", error=self._flags["strict"])
        if self._bar is not None:
            self._bar.update(len(parsed.sentence))
        if self._report:
            self._report.write(report_line(parsed, self._counts.sentences, ranked=options.k is not None))

    def report(self) -> None:
        """Print what was skipped, how many words there are and how fast it was; exit with 1 after losses."""
        counts = self._counts
        self._skipped.report()
        if counts.slowest:
            seconds = time.perf_counter() - self._start
            description = counts.describe(self._parser.options, seconds, arcs_alone=self._parser.arcs_alone)
            say(f"wnparse: {description}")
        if (self._flags["strict"] and counts.fallbacks) or (self._report and self._report.failed):
            raise click.exceptions.Exit(1)
