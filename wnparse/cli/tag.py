"""``wnparse parse`` with a model that only tags, or with --tag-only."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from wnparse.cli.common import SkipBad, progress, say
from wnparse.parser.model import Model
from wnparse.storage.files import open_output
from wnparse.treebanks.chunks import in_chunks
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.word_input import WordSource, open_words
from wnparse.treebanks.writing import SentenceJoiner
from wnparse.wording import counted


def open_inputs(paths: Sequence[str], input_format: str, model: Model) -> Sequence[str | WordSource]:
    """Return the sources that a reader needs for inputs of a format, ``conllu`` or ``words``."""
    spaces = model.info.get("words_with_spaces") is True
    return open_words(paths, spaces=spaces) if input_format == "words" else paths


def tag_files(model: Model, paths: Sequence[str], output: str | None, flags: dict[str, Any]) -> None:
    """Tag inputs in a stream, and report how many words there are and how fast they were tagged."""
    assert model.tagger is not None
    tagger, skipped, joiner, start = model.tagger, SkipBad(), SentenceJoiner(), time.perf_counter()

    def tag(chunk: list[Sentence]) -> list[tuple[list[int], list[bytes]]]:
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
        for lengths, raws in in_chunks(progress(reader, "tagging"), tag, flags["jobs"], reader.at_hand):
            sentences += sum(length > 0 for length in lengths)
            words += sum(lengths)
            stream.write(joiner.add_all(raws))
    skipped.report()
    if words:
        rate = words / (time.perf_counter() - start)
        counts = f"{counted(sentences, 'sentence')}, {counted(words, 'word')}"
        say(f"wnparse: {counts}, {rate:,.0f} words/s; tagged")
