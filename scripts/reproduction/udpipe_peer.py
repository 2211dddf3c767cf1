"""Train UDPipe's parser (ufal.udpipe) on gold tags and parse a file; prints versions and user seconds as JSON.

python udpipe_peer.py TRAIN DEV TEST OUTPUT   (DEV may be empty)
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ufal import udpipe

# Non-projective trees by reordering; all else as UDPipe has it.
OPTIONS = "transition_system=swap;transition_oracle=static_lazy"


def user_seconds() -> float:
    """User time of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def sentences(path: str) -> Iterator[Any]:
    """Read CoNLL-U."""
    source = udpipe.InputFormat.newConlluInputFormat()
    source.setText(Path(path).read_text("utf-8"))
    error, sentence = udpipe.ProcessingError(), udpipe.Sentence()
    while source.nextSentence(sentence, error):
        yield sentence
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(error.message)


def load_all(path: str) -> Any:
    """A treebank as UDPipe keeps it."""
    found = udpipe.Sentences()
    for sentence in sentences(path) if path else ():
        found.append(sentence)
    return found


def main(train: str, dev: str, test: str, output: str) -> None:
    """Train, then parse; the model is opened anew in between, as a user would."""
    begin = user_seconds()
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito", load_all(train), load_all(dev), "none", "none", OPTIONS, error
    )
    if error.occurred():
        sys.exit(error.message)
    trained = user_seconds()
    with tempfile.NamedTemporaryFile(suffix=".udpipe") as file:
        file.write(model)
        file.flush()
        parser = udpipe.Model.load(file.name)
    writer = udpipe.OutputFormat.newConlluOutputFormat()
    start = user_seconds()
    with Path(output).open("w", encoding="utf-8") as stream:
        for sentence in sentences(test):
            parser.parse(sentence, udpipe.Model.DEFAULT)
            stream.write(writer.writeSentence(sentence))
    figures = {"train_user_seconds": trained - begin, "user_seconds": user_seconds() - start, "bytes": len(model)}
    print(json.dumps({"system": f"UDPipe, ufal.udpipe {version('ufal.udpipe')}, swap", **figures}))


if __name__ == "__main__":
    main(*sys.argv[1:])
