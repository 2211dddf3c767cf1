"""Train spaCy's parser on gold tags and FEATS and parse a file; prints versions and user seconds as JSON.

python spacy_peer.py TRAIN DEV TEST OUTPUT EPOCHS   (DEV may be empty)
"""

from __future__ import annotations

import json
import random
import resource
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch

from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence

WIDTH = 96
CONFIG: dict[str, Any] = {
    "model": {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 128,
        "maxout_pieces": 3,
        "use_upper": True,
        "tok2vec": {
            "@architectures": "spacy.Tok2Vec.v2",
            "embed": {
                "@architectures": "spacy.MultiHashEmbed.v2",
                "width": WIDTH,
                "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "TAG", "MORPH"],
                "rows": [5000, 1000, 2500, 2500, 250, 2500],
                "include_static_vectors": False,
            },
            "encode": {
                "@architectures": "spacy.MaxoutWindowEncoder.v2",
                "width": WIDTH,
                "depth": 4,
                "window_size": 1,
                "maxout_pieces": 3,
            },
        },
    },
}


def user_seconds() -> float:
    """User time of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def document(nlp: Any, sentence: Sentence, *, gold: bool) -> Any:
    """A sentence as spaCy keeps it; its column UPOS is the tag, whatever tag set it holds."""
    feats = ["" if value == "_" else value for value in sentence.column("feats")]
    tree = {}
    if gold:
        heads = sentence.heads[1:].tolist()
        tree = {
            "heads": [head - 1 if head else place for place, head in enumerate(heads)],
            "deps": [
                "ROOT" if not head else name for head, name in zip(heads, sentence.column("deprel"), strict=True)
            ],
        }
    starts = [place == 0 for place in range(len(sentence))]
    words, tags = sentence.column("form"), sentence.column("upos")
    return Doc(nlp.vocab, words=words, tags=tags, morphs=feats, sent_starts=starts, **tree)


def parsed(sentence: Sentence, doc: Any, root: str) -> bytes:
    """The sentence with spaCy's tree."""
    heads = [-1, *(0 if token.head.i == token.i else token.head.i + 1 for token in doc)]
    labels = ["", *(root if head == 0 else token.dep_ for head, token in zip(heads[1:], doc, strict=True))]
    return sentence.with_tree(np.array(heads, np.int32), labels).raw


def score(nlp: Any, sentences: list[Sentence]) -> int:
    """Words of a development set with the right head and label."""
    right = 0
    for sentence, doc in zip(sentences, nlp.pipe(document(nlp, s, gold=False) for s in sentences), strict=True):
        gold = zip(sentence.heads[1:].tolist(), sentence.column("deprel"), doc, strict=True)
        right += sum(
            token.head.i == token.i if not head else (token.head.i, token.dep_) == (head - 1, name)
            for head, name, token in gold
        )
    return right


def train_parser(nlp: Any, train: list[Sentence], dev: list[Sentence], epochs: int) -> None:
    """Train, and keep the epoch that is best on the development set."""
    examples = [Example(document(nlp, s, gold=False), document(nlp, s, gold=True)) for s in train]
    optimizer = nlp.initialize(lambda: examples)
    best, best_weights = -1, nlp.to_bytes()
    for epoch in range(epochs):
        random.Random(epoch).shuffle(examples)
        for batch in minibatch(examples, 32):
            nlp.update(batch, sgd=optimizer, drop=0.1)
        with nlp.use_params(optimizer.averages):
            accuracy = score(nlp, dev) if dev else epoch
            if accuracy > best:
                best, best_weights = accuracy, nlp.to_bytes()
    nlp.from_bytes(best_weights)


def root_label(sentences: list[Sentence]) -> str:
    """The commonest relation of roots: spaCy has a name of its own for it."""
    pairs = (pair for s in sentences for pair in zip(s.heads[1:].tolist(), s.column("deprel"), strict=True))
    return Counter(name for head, name in pairs if head == 0).most_common(1)[0][0]


def main(train: str, dev: str, test: str, output: str, epochs: str) -> None:
    """Train, then parse."""
    fix_random_seed(1)
    begin = user_seconds()
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser", config=CONFIG)
    sentences = [sentence for sentence in Reader([train]) if len(sentence)]
    held_out = [sentence for sentence in Reader([dev]) if len(sentence)] if dev else []
    train_parser(nlp, sentences, held_out, int(epochs))
    root = root_label(sentences)
    start = user_seconds()
    with Path(output).open("wb") as stream:
        given = [sentence for sentence in Reader([test]) if len(sentence)]
        docs = nlp.pipe(document(nlp, sentence, gold=False) for sentence in given)
        for sentence, doc in zip(given, docs, strict=True):
            stream.write(parsed(sentence, doc, root))
    figures = {"train_user_seconds": start - begin, "user_seconds": user_seconds() - start}
    size = len(nlp.to_bytes())
    print(json.dumps({"system": f"spaCy {spacy.__version__}, {epochs} epochs", **figures, "bytes": size}))


if __name__ == "__main__":
    main(*sys.argv[1:])
