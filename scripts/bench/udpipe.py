"""UDPipe 1 (ufal.udpipe): trained on our files, and run on them.

A folder keeps `NAME-tagger.udpipe` and `NAME.udpipe`, tagger and parser, of treebanks; what is there is used, and
what is not is trained with default options, which takes an hour for 170,000 words.
"""

from __future__ import annotations

import importlib.util
import re
import time
from pathlib import Path
from typing import Any

INSTALLED = importlib.util.find_spec("ufal") is not None and importlib.util.find_spec("ufal.udpipe") is not None
# Its defaults, with early stopping on the development set.
TOKENIZER = "tokenize_url=1;allow_spaces=0;dimension=24;epochs=100;batch_size=50;learning_rate=0.005;dropout=0.1"
ITERATIONS = (20, 10)  # of tagger and parser: its defaults
MISSING = "UDPipe is not installed (pip install ufal.udpipe)"


def udpipe_model(
    train: str, dev: str, name: str, folder: Path, parser: bool, iterations: tuple[int, int] = ITERATIONS
) -> Path:
    """Return a model of a treebank: with a parser, or a tagger at least; `iterations` of tagger and parser."""
    whole, tagger = folder / f"{name}.udpipe", folder / f"{name}-tagger.udpipe"
    if whole.exists() or (tagger.exists() and not parser):
        return whole if whole.exists() else tagger
    folder.mkdir(exist_ok=True)
    if not tagger.exists():
        _write(tagger, train_udpipe(train, dev, f"iterations={iterations[0]}", "none"))
    if not parser:
        return tagger
    _write(whole, train_udpipe(train, dev, f"from_model=file:{tagger}", f"iterations={iterations[1]}"))
    return whole


def udpipe_tokenizer(train: str, dev: str, name: str, folder: Path) -> Path:
    """Return a tokenizer of a treebank."""
    path = folder / f"{name}-tokenizer.udpipe"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, train_udpipe(train, dev, "none", "none", TOKENIZER))
    return path


def _write(target: Path, model: bytes) -> None:
    """Write a model; it appears whole or not at all."""
    temporary = target.with_suffix(".part")
    temporary.write_bytes(model)
    temporary.replace(target)


def train_udpipe(train: str, dev: str, tagger: str, parser: str, tokenizer: str = "none") -> bytes:
    """Train a model with options for its tagger, parser and tokenizer, or "none"; `dev` may be empty."""
    from ufal import udpipe

    error = udpipe.ProcessingError()
    splits = [_sentences(udpipe, path) for path in (train, dev)]
    model: bytes = udpipe.Trainer.train("morphodita_parsito", *splits, tokenizer, tagger, parser, error)
    if error.occurred():
        raise RuntimeError(error.message)
    return model


def _sentences(udpipe: Any, path: str) -> Any:
    """Read a treebank as UDPipe does."""
    source, error, sentences = (
        udpipe.InputFormat.newConlluInputFormat(),
        udpipe.ProcessingError(),
        udpipe.Sentences(),
    )
    # It knows no `newdoc_id`, which begins a document in some treebanks.
    source.setText(re.sub(r"(?m)^# newdoc_id\b", "# newdoc id", Path(path).read_text("utf-8")) if path else "")
    sentence = udpipe.Sentence()
    while source.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        raise RuntimeError(error.message)
    return sentences


def run_udpipe(model: Path, text: bytes, *, tag: bool = True, parse: bool = True) -> tuple[bytes, float]:
    """Tag and parse CoNLL-U: what UDPipe writes, and the CPU seconds that it takes."""
    from ufal import udpipe

    loaded = udpipe.Model.load(str(model))  # a pipeline does not keep it alive
    steps = [udpipe.Pipeline.DEFAULT if wanted else "none" for wanted in (tag, parse)]
    pipeline, error = udpipe.Pipeline(loaded, "conllu", *steps, "conllu"), udpipe.ProcessingError()
    forms, start = text.decode(), time.process_time()
    parsed = pipeline.process(forms, error).encode()
    if error.occurred():
        raise RuntimeError(error.message)
    return parsed, time.process_time() - start


def tokenize_udpipe(model: Path, text: str) -> tuple[str, float]:
    """Split text into sentences and words: CoNLL-U, and the CPU seconds that it takes."""
    from ufal import udpipe

    loaded = udpipe.Model.load(str(model))
    pipeline, error = udpipe.Pipeline(loaded, "tokenize", "none", "none", "conllu"), udpipe.ProcessingError()
    start = time.process_time()
    tokenized: str = pipeline.process(text, error)
    if error.occurred():
        raise RuntimeError(error.message)
    return tokenized, time.process_time() - start
