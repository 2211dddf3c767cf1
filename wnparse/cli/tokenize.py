"""``wnparse tokenize``: split text into sentences, tokens and words with a trained model."""

from __future__ import annotations

import time
from typing import Any

import click

from wnparse.cli.common import quiet_option, refuse_terminal, say, sentence_bar
from wnparse.cli.options.parsing import (
    CONTENTS,
    SPLIT,
    check_directory,
    check_tokenizer,
    input_argument,
    open_inputs,
    output_options,
)
from wnparse.cli.outputs import describe_run, each_output, find_inputs
from wnparse.cli.paths import Command
from wnparse.cli.sections import files as file_section
from wnparse.parser.model import load
from wnparse.storage.files import open_output
from wnparse.treebanks.reader import Reader
from wnparse.wording import counted

EPILOG = """
\b
Examples:
  wnparse tokenize -m model.wnp book.txt -o book.conllu
  zcat news.txt.gz | wnparse tokenize -m model.wnp - | wnparse parse -m model.wnp - > parsed.conllu
  wnparse tokenize -m model.wnp --input sentences sentences.txt > tokens.conllu

\b
Exit status: 0 success; 1 bad data or model; 2 usage error.
"""


@click.command("tokenize", cls=Command, epilog=EPILOG)
@input_argument
@output_options
@file_section(
    "--input",
    "input_format",
    type=click.Choice(SPLIT),
    default="text",
    show_default=True,
    help="Format of the input. text: a blank line ends a paragraph. sentences: each line is a sentence.",
)
@quiet_option
def command(files: tuple[str, ...], path: str, **flags: Any) -> None:
    """Split text into sentences, tokens and words.

    Writes CoNLL-U with ID, FORM and MISC, in which the text can be found again; all other columns are _. The text
    must be UTF-8.
    """
    check_directory(flags)
    paths = find_inputs(files, flags)
    refuse_terminal(paths, CONTENTS[flags["input_format"]])
    model, start = load(path), time.perf_counter()
    check_tokenizer(model, path, flags["input_format"])
    sentences = words = 0
    with sentence_bar("tokenizing") as count:
        for inputs, output in each_output(paths, flags, describe_run(path, None, flags)):
            with open_output(output) as stream:
                for sentence in Reader(open_inputs(inputs, flags["input_format"], model), waiting=stream.flush):
                    stream.write(sentence.raw)
                    count(sentence)
                    sentences += 1
                    words += len(sentence)
    if words:
        rate = words / (time.perf_counter() - start)
        say(f"wnparse: {counted(sentences, 'sentence')}, {counted(words, 'word')}; {rate:,.0f} words/s")
