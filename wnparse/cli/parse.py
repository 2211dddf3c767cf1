"""``wnparse parse``: parse CoNLL-U files with a trained model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

import click

from wnparse.cli.common import (
    INPUT,
    OUTPUT,
    SideFile,
    SkipBad,
    output_option,
    progress,
    refuse_overwriting,
    refuse_terminal,
)
from wnparse.conllu import Reader, Sentence
from wnparse.decoders import DECODERS, MAX_ITERATIONS, MAX_NODES, join_constraints
from wnparse.encode import Columns
from wnparse.files import open_output
from wnparse.model import Model, load
from wnparse.parsing import LONGEST, Parsed, Parser, ParsingOptions
from wnparse.writing import Joint

CONSTRAINTS = ("block_degree", "well_nested", "single_root")  # options that are the model's unless they are given
ENOUGH = 1000  # words of an input that tell an empty column

EPILOG = """
\b
Examples:
  wnparse parse -m model.wnp tagged.conllu -o parsed.conllu
  zcat big.conllu.gz | wnparse parse -m model.wnp - | wnparse eval gold.conllu -
  wnparse parse -m model.wnp --block-degree 2 --well-nested --report report.jsonl tagged.conllu > parsed.conllu
  wnparse parse -m model.wnp --heads-from-input half-annotated.conllu > annotated.conllu
  wnparse parse -m model.wnp --k-best 5 --confidence tagged.conllu > five-trees-each.conllu

\b
Exit status: 0 done; 1 bad data or model, or with --strict a sentence that gave something up; 2 bad usage.
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
@click.option("--max-iterations", type=click.IntRange(min=1), default=MAX_ITERATIONS, show_default=True)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    default=MAX_NODES,
    show_default=True,
    help="Limit of the search; fewer for long sentences, which take as long.",
)
@click.option(
    "--time-limit",
    metavar="SECONDS",
    type=float,
    help="Limit of the search for a sentence; trees may then differ from machine to machine.  [default: none]",
)
@click.option(
    "--max-words",
    type=click.IntRange(min=1),
    default=LONGEST,
    show_default=True,
    help="Longer sentences are left without a tree: memory is quadratic.",
)
@click.option("--no-prune", is_flag=True, help="Score all arcs, not only those that the first pass leaves.")
@click.option(
    "--heads-from-input",
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
    type=click.IntRange(min=1),
    help="Write the K best trees of each sentence, with # rank and # score.",
)
@click.option("--confidence", is_flag=True, help="Write the probability of each head into MISC: HeadProb=0.97.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Threads.")
@click.option("--report", type=OUTPUT, help="Write one line of JSON a sentence there.")
@click.option("--skip-bad", is_flag=True, help="Leave bad sentences out and count them, instead of stopping.")
@click.option("--strict", is_flag=True, help="Exit 1 if a sentence had to give something up.")
def command(files: tuple[str, ...], path: str, output: str | None, **flags: Any) -> None:
    """Parse CoNLL-U: HEAD and DEPREL of each word are replaced, and nothing else unless it is asked for.

    Sentences must be tagged as the training data was. The constraints of the model are the default; a
    decoder that is asked for and cannot honour those drops them with a notice. DEPS stays unless --drop-deps.
    A sentence without any tree of the kind gives something up, with a warning: constraints, then given heads.
    """
    paths = files or ("-",)
    refuse_terminal(paths)
    refuse_overwriting({"-o": output or "-", "--report": flags["report"]}, [*paths, path], replaceable=paths)
    model = load(path)
    options = _options(model, flags)
    try:
        parser = Parser(model, options)
    except ValueError as error:
        message = f"{path}: {error}."
        raise click.UsageError(message) from None
    skipped = SkipBad()
    summary, joint = Summary(options), Joint()
    with ExitStack() as stack:
        report = stack.enter_context(SideFile(flags["report"])) if flags["report"] else None
        stream = stack.enter_context(open_output(output))
        reader = Reader(
            paths,
            heads="optional" if options.heads_from_input else "ignored",
            skip=skipped if flags["skip_bad"] else None,
            pass_on=True,
            waiting=stream.flush,
        )
        sentences = warn_of_empty_columns(progress(reader, "parsing"), model.columns)
        for parsed in summary.watch(parser.parse_all(sentences, flags["jobs"], reader.at_hand)):
            stream.write(joint.add(parsed.raw))
            if report:
                _report(report, parsed, summary.sentences, ranked=options.k is not None)
    skipped.report()
    summary.print()
    if (flags["strict"] and summary.fallbacks) or (report and report.failed):
        raise click.exceptions.Exit(1)


def _options(model: Model, flags: dict[str, Any]) -> ParsingOptions:
    """Join what is asked for with what the model suggests; an explicit contradiction is bad usage."""
    decoder = flags["decoder"] or "bnb"
    asked = {name: flags[name] for name in CONSTRAINTS if flags[name] is not None}
    if asked.get("block_degree") == 0:
        asked["block_degree"] = None
    try:
        constraints, notice = join_constraints(decoder, model.constraints, **asked)
    except ValueError as error:
        message = f"{error}."
        raise click.UsageError(message) from None
    if notice:
        click.echo(f"wnparse: {notice}", err=True)
    click.echo(f"wnparse: {decoder}, {constraints.describe()}", err=True)
    return ParsingOptions(
        decoder,
        constraints,
        max_iterations=flags["max_iterations"],
        max_nodes=flags["max_nodes"],
        time_limit=flags["time_limit"],
        max_words=flags["max_words"],
        prune=not flags["no_prune"],
        heads_from_input=flags["heads_from_input"],
        drop_deps=flags["drop_deps"],
        k=flags["k"],
        confidence=flags["confidence"],
    )


def warn_of_empty_columns(sentences: Iterable[Sentence], columns: Columns) -> Iterator[Sentence]:
    """Pass sentences on; say once if columns that the model uses are empty in an input, or in its beginning."""
    used = {"upos", *(name for name, used in asdict(columns).items() if used)}
    warned, path, words, empty = False, "", 0, set[str]()
    for sentence in sentences:
        if sentence.path != path:
            warned = warned or _warn(path, words, empty)
            path, words, empty = sentence.path, 0, set(used)
        if empty and not warned and len(sentence):
            words += len(sentence)
            empty = {name for name in empty if all(value == "_" for value in sentence.column(name))}
            warned = words >= ENOUGH and _warn(path, words, empty)
        yield sentence
    if not warned:
        _warn(path, words, empty)


def _warn(path: str, words: int, empty: set[str]) -> bool:
    if not words or not empty:
        return False
    names = " ".join(name.upper() for name in ("lemma", "upos", "xpos", "feats") if name in empty)
    where = f"{path}: empty in the first {words:,} words, but used by the model"
    click.echo(f"wnparse: {where}: {names}; trees may be worse", err=True)
    return True


class Summary:
    """Counts over a run, for the last line on standard error."""

    def __init__(self, options: ParsingOptions) -> None:
        self.start = time.perf_counter()
        self.options = options
        self.sentences = self.words = self.certified = self.searched = self.pruned = self.fallbacks = 0
        self.slowest: Parsed | None = None

    def watch(self, stream: Iterator[Parsed]) -> Iterator[Parsed]:
        """Count what passes by; say what a sentence had to give up."""
        for parsed in stream:
            self.sentences += len(parsed.sentence) > 0
            self.words += len(parsed.sentence)
            if parsed.parse:
                self.certified += all(each.certified for each in parsed.parses)
                self.searched += self._searched(parsed)
                self.pruned += parsed.pruned
                if self.slowest is None or parsed.seconds > self.slowest.seconds:
                    self.slowest = parsed
            if parsed.fallback:
                self.fallbacks += 1
                kept = "as it is" if self.options.heads_from_input else "without a tree"
                left = "" if parsed.parse else f"; left {kept}"
                click.echo(f"wnparse: {_place(parsed)}: gave up {parsed.fallback}{left}", err=True)
            yield parsed

    def _searched(self, parsed: Parsed) -> bool:
        """Whether the best arborescence was not valid."""
        assert parsed.parse
        if parsed.fallback:
            return True
        if self.options.decoder == "msa-eisner":
            return not parsed.parse.certified
        return parsed.parse.iterations > 1

    def print(self) -> None:
        """Say how many, how fast, how sure."""
        if self.slowest is None:
            return
        seconds = time.perf_counter() - self.start
        noun = "sentence" if self.sentences == 1 else "sentences"
        parts = [f"{self.sentences:,} {noun}, {self.words:,} words, {self.words / seconds:,.0f} words/s"]
        degree, nested = self.options.constraints.block_degree, self.options.constraints.well_nested
        one = self.options.k is None
        if one and self.options.decoder not in ("msa", "eisner") and degree != 1 and (degree or nested):
            parts.append(
                f"{100 * (1 - self.searched / self.sentences):.2f} % of the best arborescences were valid"
            )
        parts.append(f"{100 * self.certified / self.sentences:.2f} % certified")
        if self.pruned:
            parts[-1] += f" (on a pruned graph: {100 * self.pruned / self.sentences:.2f} %)"
        where = f"{len(self.slowest.sentence):,} words, {_place(self.slowest)}"
        parts.append(f"slowest {1e3 * self.slowest.seconds:.1f} ms ({where})")
        click.echo(f"wnparse: {'; '.join(parts)}", err=True)


def _place(parsed: Parsed) -> str:
    return f"{parsed.sentence.path}:{parsed.sentence.line}"


def _report(stream: SideFile, parsed: Parsed, number: int, *, ranked: bool) -> None:
    """Write one line of JSON for a sentence that has words."""
    if not len(parsed.sentence):
        return
    found = parsed.parse
    micros = {name: round(1e6 * seconds, 1) for name, seconds in parsed.timings._asdict().items()}
    line: dict[str, Any] = {
        "sentence": number,
        "sent_id": parsed.sentence.sent_id,
        "words": len(parsed.sentence),
        "score": found and found.score,
        "upper_bound": found and found.upper_bound,
        "certified": bool(found and found.certified),
        "pruned": parsed.pruned,
        "iterations": found.iterations if found else 0,
        "nodes": found.nodes if found else 0,
        "microseconds": {**micros, "total": round(1e6 * parsed.seconds, 1)},
        "fallback": parsed.fallback,
    }
    if ranked:
        names = ("score", "upper_bound", "certified")
        line["trees"] = [{name: getattr(each, name) for name in names} for each in parsed.parses]
    stream.write(json.dumps(line).encode() + b"\n")
