"""What ``wnparse parse`` is told of tags, and parsing that ends with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

import click

from wnparse.cli.common import COUNT, SkipBad, progress, say
from wnparse.parser.joint import SEQUENCES, check_sequences
from wnparse.parser.model import Model
from wnparse.storage.files import open_output
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import WordSource, open_words
from wnparse.treebanks.writing import Joint
from wnparse.wording import plural

Command = TypeVar("Command", bound=Callable[..., Any])
NO_TAGGER = "the model has no tagger; train one with --tagger or --tagger-only"
# Options that say something of trees alone, by what the command calls them.
OF_TREES = {
    "decoder": "--decoder",
    "block_degree": "--block-degree",
    "well_nested": "--well-nested",
    "single_root": "--single-root",
    "time_limit": "--time-limit",
    "heads_from_input": "--heads-from-input",
    "drop_deps": "--drop-deps",
    "k": "--k-best",
    "tag_sequences": "--tag-sequences",
    "report": "--report",
}


def tagging_options(command: Command) -> Command:
    """The options of a command that may tag."""
    options = [
        click.option("--retag", is_flag=True, help="Replace tags that are given, by the model's tagger."),
        click.option(
            "--tag-sequences",
            metavar="K",
            type=COUNT,
            help=f"Try up to K sequences of tags, and keep the best tags and tree together; 1: the best tags.  "
            f"[default: {SEQUENCES} at order 2 and more, if the model has learned how]",
        ),
        click.option("--tag-only", is_flag=True, help="Stop after UPOS, XPOS, FEATS and LEMMA: HEAD stays."),
        click.option(
            "--input",
            "input_format",
            type=click.Choice(["conllu", "words"]),
            default="conllu",
            show_default=True,
            help="words: one word per line; a blank line ends a sentence, lines that start with '# ' are "
            "comments. Comments sent_id and text are added.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def check_tagging(path: str, model: Model, flags: dict[str, Any]) -> None:
    """Bad usage, if tags are asked for that nobody makes, or trees."""
    sequences = flags["tag_sequences"] or 1
    if (flags["retag"] or flags["tag_only"] or sequences > 1) and model.tagger is None:
        raise click.UsageError(f"{path}: {NO_TAGGER}.")
    try:
        check_sequences(sequences, model.joint_weight)
    except ValueError as error:
        raise click.UsageError(f"{path}: {error}.") from error
    if model.only_tags or flags["tag_only"]:
        told = [name for key, name in OF_TREES.items() if flags.get(key)]
        if told:
            why = "the model only tags" if model.only_tags else "--tag-only makes no trees"
            raise click.UsageError(f"{path}: {why}: no use for {', '.join(told)}.")


def open_inputs(paths: Sequence[str], kind: str, model: Model) -> Sequence[str | WordSource]:
    """Return what a reader reads."""
    spaces = model.info.get("words_with_spaces") is True
    return open_words(paths, spaces=spaces) if kind == "words" else paths


def tag_files(model: Model, paths: Sequence[str], output: str | None, flags: dict[str, Any]) -> None:
    """Tag inputs, in a stream, and say how many words and how fast."""
    assert model.tagger is not None
    tagger, skipped, joint, start = model.tagger, SkipBad(), Joint(), time.perf_counter()

    def work(chunk: list[Sentence]) -> list[tuple[list[int], list[bytes]]]:
        raws = tagger.tag_raw(chunk, retag=flags["retag"], confidence=flags["confidence"])
        return [([len(sentence) for sentence in chunk], raws)]

    sentences = words = 0
    with ExitStack() as stack:
        stream = stack.enter_context(open_output(output))
        reader = Reader(
            open_inputs(paths, flags["input_format"], model),
            heads="ignored",
            skip=skipped if flags["skip_bad"] else None,
            pass_on=True,
            waiting=stream.flush,
        )
        for lengths, raws in in_chunks(progress(reader, "tagging"), work, flags["jobs"], reader.at_hand):
            sentences += sum(length > 0 for length in lengths)
            words += sum(lengths)
            stream.write(joint.add_all(raws))
    skipped.report()
    if words:
        rate = words / (time.perf_counter() - start)
        counts = f"{sentences:,} {plural(sentences, 'sentence')}, {words:,} {plural(words, 'word')}"
        say(f"wnparse: {counts}, {rate:,.0f} words/s; tagged")
