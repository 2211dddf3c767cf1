"""``wnparse parse``: parse CoNLL-U files with a trained model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO

import click

from wnparse.cli.common import INPUT, SkipBad, output_option, progress, refuse_terminal
from wnparse.conllu import read_all
from wnparse.constraints import Constraints
from wnparse.decoding import DECODERS
from wnparse.files import open_output
from wnparse.model import Model, load
from wnparse.parsing import Parsed, Parser, ParsingOptions

EPILOG = """
\b
Examples:
  wnparse parse -m model.wnp tagged.conllu -o parsed.conllu
  zcat big.conllu.gz | wnparse parse -m model.wnp - | wnparse eval gold.conllu -
  wnparse parse -m model.wnp --block-degree 2 --well-nested --report report.jsonl tagged.conllu > parsed.conllu
"""


def _block_degree(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A positive integer; 0 stands for `none`, and None for the model's."""
    if value is None or value == "none":
        return None if value is None else 0
    if not value.isdecimal() or int(value) == 0:
        message = f"{value!r} is no block degree; expected 1, 2, 3, ... or none."
        raise click.BadParameter(message)
    return int(value)


@click.command("parse", epilog=EPILOG)
@click.argument("files", nargs=-1, type=INPUT, metavar="[FILE...|-]")
@click.option("-m", "--model", "path", required=True, type=click.Path(exists=True, dir_okay=False))
@output_option
@click.option("--decoder", type=click.Choice(list(DECODERS)), help="Default: bnb.")
@click.option(
    "--block-degree",
    metavar="K|none",
    callback=_block_degree,
    help="Most blocks of a yield. Default: the model's.",
)
@click.option("--well-nested/--no-well-nested", default=None, help="Default: the model's.")
@click.option("--single-root/--multi-root", default=None, help="Default: the model's.")
@click.option("--max-iterations", type=click.IntRange(min=1), default=200, show_default=True)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    help="Limit of the search. Default: 20000, fewer for long sentences.",
)
@click.option("--no-prune", is_flag=True, help="Score the labels of all heads, not only of the most promising.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Threads.")
@click.option("--report", type=click.Path(dir_okay=False), help="Write one line of JSON a sentence there.")
@click.option("--skip-bad", is_flag=True, help="Leave bad sentences out and count them, instead of stopping.")
@click.option("--strict", is_flag=True, help="Exit 1 if a sentence had to give up a constraint.")
def command(files: tuple[str, ...], path: str, output: str | None, **flags: Any) -> None:
    """Parse CoNLL-U: HEAD and DEPREL of each word are replaced, and nothing else.

    Sentences must be tagged as the training data was. The constraints of the model are the default; a
    decoder that is asked for and cannot honour those drops them with a notice.
    """
    paths = files or ("-",)
    refuse_terminal(paths)
    model = load(path)
    options = _options(model, flags)
    skipped = SkipBad()
    summary = Summary()
    with ExitStack() as stack:
        report = stack.enter_context(open_output(flags["report"])) if flags["report"] else None
        stream = stack.enter_context(open_output(output))
        skip = skipped if flags["skip_bad"] else None
        sentences = progress(read_all(paths, skip=skip, waiting=stream.flush), "parsing")
        for parsed in summary.watch(Parser(model, options).parse_all(sentences, flags["jobs"])):
            stream.write(parsed.raw)
            if report:
                _report(report, parsed, summary.sentences)
    skipped.report()
    summary.print()
    if flags["strict"] and summary.fallbacks:
        raise click.exceptions.Exit(1)


def _options(model: Model, flags: dict[str, Any]) -> ParsingOptions:
    """Join what is asked for with what the model suggests; an explicit contradiction is bad usage."""
    decoder = flags["decoder"] or "bnb"
    degree = flags["block_degree"]
    block_degree = model.constraints.block_degree if degree is None else degree or None
    nested = flags["well_nested"]
    well_nested = model.constraints.well_nested if nested is None else nested
    single = flags["single_root"]
    single_root = model.constraints.single_root if single is None else single
    if not DECODERS[decoder].structural:
        if degree or nested:
            able = ", ".join(name for name, entry in DECODERS.items() if entry.structural)
            message = f"decoder '{decoder}' cannot honour a block degree or well-nestedness; these can: {able}."
            raise click.UsageError(message)
        if model.constraints.structural:
            dropped = Constraints(block_degree, well_nested).describe()
            click.echo(f"wnparse: decoder '{decoder}' drops the model's constraint: {dropped}", err=True)
        block_degree, well_nested = None, False
    constraints = Constraints(block_degree, well_nested, single_root)
    click.echo(f"wnparse: {decoder}, {constraints.describe()}", err=True)
    return ParsingOptions(
        decoder,
        constraints,
        max_iterations=flags["max_iterations"],
        max_nodes=flags["max_nodes"],
        prune=not flags["no_prune"],
    )


class Summary:
    """Counts over a run, for the last line on standard error."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.sentences = self.words = self.certified = self.searched = self.fallbacks = 0
        self.slowest: Parsed | None = None

    def watch(self, stream: Iterator[Parsed]) -> Iterator[Parsed]:
        """Count what passes by; say what a sentence had to give up."""
        for parsed in stream:
            if len(parsed.sentence):
                self.sentences += 1
                self.words += len(parsed.sentence)
                self.certified += bool(parsed.parse and parsed.parse.certified)
                self.searched += bool(parsed.parse and parsed.parse.iterations > 1)
                if self.slowest is None or parsed.seconds > self.slowest.seconds:
                    self.slowest = parsed
            if parsed.fallback and parsed.fallback != "pruning":
                self.fallbacks += 1
                where = f"{parsed.sentence.path}:{parsed.sentence.line}"
                click.echo(f"wnparse: {where}: gave up {parsed.fallback}", err=True)
            yield parsed

    def print(self) -> None:
        """Say how many, how fast, how sure."""
        if not self.sentences or self.slowest is None:
            return
        seconds = time.perf_counter() - self.start
        valid, certified = (100 * (1 - self.searched / self.sentences), 100 * self.certified / self.sentences)
        slow = self.slowest
        where = f"{len(slow.sentence)} words, {slow.sentence.path}:{slow.sentence.line}"
        click.echo(
            f"wnparse: {self.sentences:,} sentences, {self.words:,} words, {self.words / seconds:,.0f} words/s; "
            f"{valid:.2f} % of the best arborescences were valid; {certified:.2f} % certified; "
            f"slowest {1e3 * slow.seconds:.1f} ms ({where})",
            err=True,
        )


def _report(stream: BinaryIO, parsed: Parsed, number: int) -> None:
    if parsed.parse is None:
        return
    line = {
        "sentence": number,
        "sent_id": parsed.sentence.sent_id,
        "words": len(parsed.sentence),
        "score": parsed.parse.score,
        "upper_bound": parsed.parse.upper_bound,
        "certified": bool(parsed.parse.certified),
        "iterations": parsed.parse.iterations,
        "nodes": parsed.parse.nodes,
        "microseconds": round(1e6 * parsed.seconds, 1),
        "fallback": parsed.fallback,
    }
    stream.write(json.dumps(line).encode() + b"\n")
