"""``wnparse tag``: tag CoNLL-U files, text or words with a trained model."""

from __future__ import annotations

import time
from typing import Any

import click

from wnparse.cli.common import SkipBad, quiet_option, refuse_terminal, say, sentence_bar
from wnparse.cli.options.parsing import (
    CONTENTS,
    check_outputs,
    file_options,
    input_argument,
    load_tagger,
    open_inputs,
    speed_options,
)
from wnparse.cli.outputs import describe_run, each_output, find_inputs
from wnparse.cli.paths import Command
from wnparse.cli.sections import tags
from wnparse.storage.files import open_output
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import SentenceJoiner
from wnparse.wording import counted

EPILOG = """
\b
Examples:
  wnparse tag -m model.wnp untagged.conllu -o tagged.conllu
  wnparse tag -m model.wnp --input text book.txt -o tagged.conllu
  wnparse tag -m model.wnp --retag --confidence treebank.conllu > retagged.conllu

\b
Exit status: 0 success; 1 bad data or model; 2 usage error.
"""


@click.command("tag", cls=Command, epilog=EPILOG)
@input_argument
@file_options
@tags(
    "--retag", is_flag=True, help="Overwrite existing tags and lemmas. By default, only missing ones are filled."
)
@tags(
    "--confidence",
    is_flag=True,
    help="Write the probability of each new tag to MISC, for example TagProb=0.99. By default, it is not written.",
)
@speed_options
@quiet_option
def command(files: tuple[str, ...], path: str, **flags: Any) -> None:
    """Fill in UPOS, XPOS, FEATS and LEMMA.

    A word whose UPOS is _ gets all the columns that the model knows; a column that is empty in a whole sentence
    is filled, too. HEAD, DEPREL and everything else stay as they are.
    """
    check_outputs(flags)
    paths = find_inputs(files, flags)
    if flags["cluster"]:
        from wnparse.cli.parse_corpus import parse_on_cluster  # imports that one machine does not need

        load_tagger(path, flags)
        parse_on_cluster(paths, path, flags, None)
        return
    refuse_terminal(paths, CONTENTS[flags["input_format"]])
    model, start = load_tagger(path, flags), time.perf_counter()
    assert model.tagger is not None
    tagger, skipped, sentences, words = model.tagger, SkipBad(), 0, 0

    def tag(chunk: list[Sentence]) -> list[tuple[list[Sentence], list[bytes]]]:
        return [(chunk, tagger.tag_raw(chunk, retag=flags["retag"], confidence=flags["confidence"]))]

    with sentence_bar("tagging", paths if flags["input_format"] == "conllu" else ()) as count:
        for inputs, output in each_output(paths, flags, describe_run(path, None, flags)):
            joiner = SentenceJoiner()
            with open_output(output) as stream:
                reader = Reader(
                    open_inputs(inputs, flags["input_format"], model),
                    heads="ignored",
                    skip=skipped if flags["skip_bad"] else None,
                    pass_on=True,
                    waiting=stream.flush,
                )
                for chunk, raws in in_chunks(reader, tag, flags["jobs"], reader.at_hand):
                    stream.write(joiner.add_all(raws))
                    sentences += sum(len(sentence) > 0 for sentence in chunk)
                    words += sum(map(len, chunk))
                    for sentence in chunk:
                        count(sentence)
    skipped.report()
    if words:
        rate = words / (time.perf_counter() - start)
        say(f"wnparse: tagged {counted(sentences, 'sentence')}, {counted(words, 'word')}; {rate:,.0f} words/s")
