"""``wnparse parse``: parse CoNLL-U files or text with a trained model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import click

from wnparse.cli.common import (
    COUNT,
    SideFile,
    SkipBad,
    decimals,
    quiet_option,
    refuse_terminal,
    say,
    sentence_bar,
)
from wnparse.cli.options.parsing import (
    CONTENTS,
    check_outputs,
    file_options,
    input_argument,
    load_parser,
    open_inputs,
    speed_options,
)
from wnparse.cli.options.rules import RulesName
from wnparse.cli.options.shape import shape_options
from wnparse.cli.outputs import describe_run, each_output, find_inputs, write_summary
from wnparse.cli.paths import OUTPUT, Command
from wnparse.cli.sections import files, search, speed, tags, trees
from wnparse.decoding.registry import DECODERS
from wnparse.parser.joint import SEQUENCES
from wnparse.parser.neural_scorer import LARGEST_WEIGHT
from wnparse.parser.options import LONGEST, ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.parses import Parsed
from wnparse.parser.summary import Counts, describe_notices, report_line, source_line
from wnparse.parser.tokens import input_check, watch_columns
from wnparse.rules.patterns import LARGEST_PENALTY
from wnparse.storage.files import open_output
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import SentenceJoiner

EPILOG = """
\b
Examples:
  wnparse parse -m model.wnp input.conllu -o parsed.conllu
  wnparse parse -m model.wnp --input text book.txt -o parsed.conllu
  zcat big.conllu.gz | wnparse parse -m model.wnp - | wnparse eval gold.conllu -
  wnparse parse -m model.wnp --keep-heads half-annotated.conllu > annotated.conllu
  wnparse parse -m model.wnp --keep-fixed --blank-below 0.8 edited.conllu > next.conllu
  wnparse parse -m model.wnp --k-best 5 --confidence input.conllu > five-trees-each.conllu
  wnparse parse -m model.wnp --jobs auto --output-dir parsed --resume 'corpus/*.conllu'
  wnparse parse -m model.wnp --cluster local:4 --output-dir parsed 'corpus/*.conllu'

\b
Exit status: 0 success; 1 bad data or model, or with --strict a relaxed sentence; 2 usage error.
"""


@click.command("parse", cls=Command, epilog=EPILOG)
@input_argument
@file_options
@files("--drop-deps", is_flag=True, help="Clear DEPS and remove empty nodes, which refer to the old heads.")
@files("--report", type=OUTPUT, metavar="FILE", help="Write one JSON line per sentence to this file.")
@files(
    "--summary",
    type=OUTPUT,
    metavar="FILE",
    help="Write one JSON object with the figures of the run to this file.",
)
@trees(
    "--keep-heads",
    is_flag=True,
    help="Keep the HEAD and DEPREL of words that have them, and find the best tree that contains these arcs. By "
    "default, all heads are replaced.",
)
@trees(
    "--keep-fixed",
    is_flag=True,
    help="Keep HEAD, DEPREL and tags of words with Fixed=Yes in MISC, and parse and tag all others again. By "
    "default, the mark has no meaning.",
)
@trees(
    "--rules",
    type=RulesName("none"),
    help="Rules that every tree must satisfy: the name of a bundled set, a rule file, or none.  "
    "[default: from the model]",
)
@shape_options(trees, "from the model")
@trees(
    "--crossing-penalty",
    metavar="X",
    type=decimals(0, LARGEST_PENALTY),
    help="Penalty per pair of crossing arcs; 0 disables it.  [default: from the model]",
)
@trees(
    "--neural-weight",
    metavar="W",
    type=decimals(0, LARGEST_WEIGHT),
    help="Weight of the scores of the model's network, if it has one.  [default: from the model]",
)
@trees(
    "--no-neural",
    is_flag=True,
    help="Parse without the network of the model; onnxruntime is then not needed. By default, it is used.",
)
@trees(
    "--confidence",
    is_flag=True,
    help="Write the probability of each head to MISC, for example HeadProb=0.97, and of each new tag, for example "
    "TagProb=0.99. By default, they are not written.",
)
@trees(
    "--blank-below",
    metavar="P",
    type=decimals(0, 1, above=True),
    help="Write _ to HEAD and DEPREL of words whose head has a probability below P, so that annotators can fill "
    "them. By default, all heads are written.",
)
@trees(
    "--k-best",
    "k",
    metavar="K",
    type=COUNT,
    help="Write the K best trees of each sentence, with comments # rank and # score.  [default: the best tree]",
)
@trees(
    "--strict",
    is_flag=True,
    help="Exit with status 1 if constraints, rules or given heads had to be relaxed for any sentence. By default, "
    "a warning is printed.",
)
@tags("--retag", is_flag=True, help="Overwrite existing tags with those of the model. By default, they are kept.")
@tags(
    "--tag-sequences",
    metavar="K",
    type=COUNT,
    help="Parse the K most likely tag sequences, and keep the best combination of tags and tree; 1 keeps the "
    f"choice of the tagger.  [default: {SEQUENCES} at order 2 and 3 if the model was trained with --dev, else 1]",
)
@speed_options
@speed(
    "--no-prune",
    is_flag=True,
    help="Score all arcs, which is slower. By default, a first pass drops unlikely arcs.",
)
@search(
    "--decoder",
    type=click.Choice(list(DECODERS)),
    help="Algorithm that finds the best tree.  [default: bnb, exact branch-and-bound]",
)
@search(
    "--max-iterations",
    type=COUNT,
    default=ParseOptions.max_iterations,
    show_default=True,
    help="Maximum number of subgradient iterations per search node.",
)
@search(
    "--max-nodes",
    type=COUNT,
    default=ParseOptions.max_nodes,
    show_default=True,
    help="Maximum number of search nodes, scaled down for long sentences so that the time stays similar.",
)
@search(
    "--time-limit",
    metavar="SECONDS",
    type=decimals(0, above=True),
    help="Maximum search time per sentence. Trees may then differ from machine to machine.  [default: none]",
)
@search(
    "--max-words",
    type=COUNT,
    default=LONGEST,
    show_default=True,
    help="Leave longer sentences without a tree, because memory grows quadratically.",
)
@quiet_option
def command(files: tuple[str, ...], path: str, **flags: Any) -> None:
    """Parse CoNLL-U files, text or words.

    Replaces HEAD and DEPREL; nothing else changes unless you choose so. If the model has a tagger, missing tags
    are filled in, and given ones are kept; otherwise the input must be tagged.

    Every tree satisfies the constraints and rules. If no tree of a sentence does, they are relaxed one by one,
    and then the given heads, with a warning. Constraints that --decoder cannot enforce are dropped with a notice.
    """
    check_outputs(flags)
    paths = find_inputs(files, flags)
    if flags["cluster"]:
        from wnparse.cli.parse_corpus import parse_on_cluster  # imports that one machine does not need

        parse_on_cluster(paths, path, flags, load_parser(path, flags))
        return
    refuse_terminal(paths, CONTENTS[flags["input_format"]])
    parser = load_parser(path, flags)
    with ParseRun(parser, paths, flags) as run:
        for inputs, output in each_output(paths, flags, describe_run(path, parser.options, flags)):
            joiner = SentenceJoiner()
            with open_output(output) as stream:
                reader = run.read(inputs, stream.flush)
                for parsed in parser.stream(run.watch(reader), flags["jobs"], reader.at_hand):
                    stream.write(joiner.add(parsed.raw))
                    run.add(parsed)
    run.report()


class ParseRun:
    """What happens next to the trees of a run: notices, a progress bar, the report, counts."""

    def __init__(self, parser: Parser, paths: Sequence[str], flags: dict[str, Any]) -> None:
        self._parser, self._paths, self._flags = parser, paths, flags
        self._skipped, self._counts, self._start = SkipBad(), Counts(), time.perf_counter()
        self._stack = ExitStack()

    def __enter__(self) -> ParseRun:
        report = self._flags["report"]
        self._report = self._stack.enter_context(SideFile(report)) if report else None
        paths = self._paths if self._flags["input_format"] == "conllu" else ()
        self._count = self._stack.enter_context(sentence_bar("parsing", paths))
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
            check=input_check(
                model.info, tagger=model.tagger is not None, keep_fixed=self._parser.options.keep_fixed
            ),
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
            say(f"wnparse: {source_line(parsed)}: {notice}", error=self._flags["strict"])
        self._count(parsed.sentence)
        if self._report:
            self._report.write(report_line(parsed, self._counts.sentences, ranked=options.k is not None))

    def report(self) -> None:
        """Print what was skipped, how many words there are and how fast it was; exit with 1 after losses."""
        counts, seconds = self._counts, time.perf_counter() - self._start
        self._skipped.report()
        if counts.slowest:
            description = counts.describe_parsing(
                self._parser.options, seconds, arcs_alone=self._parser.arcs_alone
            )
            say(f"wnparse: {description}")
        failed = self._report is not None and self._report.failed
        if self._flags["summary"]:
            failed |= not write_summary(self._flags["summary"], counts.summarise(seconds, self._skipped.count))
        if failed or (self._flags["strict"] and counts.fallbacks):
            raise click.exceptions.Exit(1)
