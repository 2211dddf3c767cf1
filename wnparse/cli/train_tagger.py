"""``wnparse train --tagger-only``: learn a tagger and nothing else."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import click

from wnparse import __version__
from wnparse.cli.common import SkipBad, say
from wnparse.cli.train_progress import report_tagger
from wnparse.errors import WnparseError
from wnparse.parser.model import tagging_model
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.word_input import have_spaces
from wnparse.wording import plural


def train_tagger(treebanks: Sequence[str], dev: str | None, model: str, flags: dict[str, Any]) -> None:
    """Learn a tagger from treebanks and write it to a model file."""
    for name in ("checkpoint", "log"):
        if flags.get(name):
            raise click.UsageError(f"--tagger-only has no --{name}: it takes less than a minute.")
    skipped = SkipBad()
    skip = skipped if flags["skip_bad"] else None
    sentences = list(Reader(treebanks, heads="ignored", skip=skip))
    held_out = list(Reader([dev], heads="ignored", skip=skip)) if dev else None
    skipped.report()
    start = time.perf_counter()
    lessons = Lessons(sentences)
    words = len(lessons.tags)
    counts = f"{len(lessons):,} {plural(len(lessons), 'sentence')}, {words:,} {plural(words, 'word')}"
    say(f"{counts}; columns {' '.join(lessons.columns)}")
    tagger = learn_tagger(lessons, TaggerOptions(seed=flags["seed"]))
    assert tagger is not None
    tagger = finish_tagger(tagger, held_out)
    report_tagger(tagger, held_out, time.perf_counter() - start)
    try:
        info = {"wnparse": __version__, "words_with_spaces": have_spaces(sentences)}
        tagging_model(tagger, info).save(model)
    except OSError as error:
        raise WnparseError(f"{model}: {error.strerror}; no model written") from error
    say(f"{model}: {tagger.size / 1e6:.1f} MB of weights")
