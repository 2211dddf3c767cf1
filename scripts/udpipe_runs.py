"""UDPipe 1 (ufal.udpipe) as the benchmarks of the tagger use it: trained once on our files, its models kept.

A folder holds `NAME-tagger.udpipe` and `NAME.udpipe`, tagger and parser, of treebanks; what is there is used, and
what is not is trained with default options, which takes an hour for 170,000 words.
"""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from typing import Any

INSTALLED = importlib.util.find_spec("ufal") is not None and importlib.util.find_spec("ufal.udpipe") is not None


def udpipe_model(train: Path, dev: Path, name: str, folder: Path, parser: bool) -> Path:
    """A model of a treebank: with a parser, or a tagger at least."""
    whole, tagger = folder / f"{name}.udpipe", folder / f"{name}-tagger.udpipe"
    if whole.exists() or (tagger.exists() and not parser):
        return whole if whole.exists() else tagger
    if not tagger.exists():
        _train(train, dev, "", "none", tagger)
    if not parser:
        return tagger
    _train(train, dev, f"from_model=file:{tagger}", "", whole)
    return whole


def _train(train: Path, dev: Path, tagger: str, parser: str, target: Path) -> None:
    """Train a model and write it; it appears whole or not at all."""
    from ufal import udpipe

    error = udpipe.ProcessingError()
    splits = [_sentences(udpipe, path) for path in (train, dev)]
    model = udpipe.Trainer.train("morphodita_parsito", *splits, "none", tagger, parser, error)
    if error.occurred():
        raise RuntimeError(error.message)
    temporary = target.with_suffix(".part")
    temporary.write_bytes(model)
    temporary.replace(target)


def _sentences(udpipe: Any, path: Path) -> Any:
    """A treebank as UDPipe reads it."""
    source, error, found = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError(), udpipe.Sentences()
    source.setText(path.read_text(encoding="utf-8"))
    sentence = udpipe.Sentence()
    while source.nextSentence(sentence, error):
        found.append(sentence)
        sentence = udpipe.Sentence()
    return found


def udpipe_output(model: Path, forms: bytes, parse: bool) -> tuple[bytes, float]:
    """What UDPipe makes of forms, in CoNLL-U, and the CPU seconds that it takes."""
    from ufal import udpipe

    loaded = udpipe.Model.load(str(model))  # a pipeline does not keep it alive
    default = udpipe.Pipeline.DEFAULT
    pipeline = udpipe.Pipeline(loaded, "conllu", default, default if parse else "none", "conllu")
    text, start = forms.decode(), time.process_time()
    found = pipeline.process(text, udpipe.ProcessingError()).encode()
    return found, time.process_time() - start
