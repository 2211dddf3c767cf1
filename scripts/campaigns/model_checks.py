"""What must hold of every model file, however it was forged: it is refused in one line, or gives some result.

Small models of orders 1 to 3, with and without labels, rules, tagger, tokenizer or network, are trained on the
sample. A mutant of one of them is loaded and used as `wnparse info`, `tag` and `parse` would, with confidence and
the k best trees. A ModelError in one line is right, and so are sentences that can be read again; a damaged file,
whose checksum is wrong, must be refused.
"""

from __future__ import annotations

import io
import itertools
import random
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import wnparse
from campaigns.file_checks import require
from campaigns.networks import random_network
from wnparse.cli.info import command as info
from wnparse.errors import ModelError
from wnparse.parser.model import Model, load
from wnparse.parser.neural_scorer import NeuralScorer
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger
from wnparse.tokenizer.tokenizer import Tokenizer
from wnparse.tokenizer.training import TokenizerLessons, TokenizerOptions, learn_tokenizer
from wnparse.treebanks.reader import read
from wnparse.treebanks.sentence import Sentence, parse_sentence

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "dev.conllu"
# Models by name, and how each is trained: see `make_model`.
KINDS: dict[str, dict[str, Any]] = {
    "first-order": {"order": 1, "only": "parser"},
    "unlabelled": {"order": 1, "only": "parser", "labelled": False, "prune": False},
    "second-order": {"order": 2, "jackknife": 2},
    "third-order": {"order": 3, "only": "parser", "rules": "ud"},
    "tagger": {},
    "many-tags": {},
    "tokenizer": {},
    "neural": {"order": 2, "only": "parser"},
}
TEXT = "The dog's (old) bowl. She isn't here... \U0001f600 \u4f60\u597d a@b.c \x00\u0301 zum D\u00e1melo!"
MANY = 6000  # tags: of fewer, sums of weights cannot overflow


def make_model(kind: str) -> Model:
    """Train a small model."""
    sentences = list(wnparse.read(DATA))
    train, dev = sentences[:60], sentences[60:80]
    if kind == "tokenizer":
        tokenizer = learn_tokenizer(TokenizerLessons(sentences), TokenizerOptions(epochs=2))
        assert tokenizer is not None
        return Model(tokenizer=tokenizer, info={"wnparse": wnparse.__version__})
    if kind not in ("tagger", "many-tags"):
        model = wnparse.train(train, dev, epochs=1, **KINDS[kind])
        return add_network(model, train) if kind == "neural" else model
    if kind == "many-tags":
        rows = (f"{k % 10 + 1}\tw{k % (MANY // 2)}\t_\tT{k}" + 6 * "\t_" + "\n" for k in range(MANY))
        lines = (row + "\n" * (k % 10 == 9) for k, row in enumerate(rows))
        train = [*train, *read(io.BytesIO("".join(lines).encode()))]
    tagger = learn_tagger(Lessons(train), TaggerOptions(epochs=2, lemma_epochs=2))
    assert tagger is not None
    return Model(tagger=finish_tagger(tagger, dev), info={"wnparse": wnparse.__version__})


def add_network(model: Model, treebank: list[Sentence]) -> Model:
    """Add a random network to a model."""
    assert model.calibration is not None
    network = random_network(treebank, len(model.labels), seed=1)
    return replace(model, neural=NeuralScorer(network, 1.0, model.calibration, 0.5, 0.0))


def make_models(folder: Path) -> None:
    """Train all of them, and save them in a folder."""
    for kind in KINDS:
        make_model(kind).save(folder / f"{kind}.wnp")


def sentences() -> list[Sentence]:
    """Return short sentences; the last has no tags."""
    short = [sentence for sentence in itertools.islice(wnparse.read(DATA), 100, 160) if len(sentence) <= 12]
    strange = "1\tİSTANBUL\t_\t_\t_\t_\t_\t_\t_\t_\n2\tx\t_\tX\t_\tA=1|B=2|B=3\t_\t_\t_\t_\n\n"
    words = ["the", "dog", "b" * 200, "ß", "."]
    bare = "".join(f"{i}\t{word}" + 8 * "\t_" + "\n" for i, word in enumerate(words, 1)) + "\n"
    return [short[0], short[1], parse_sentence(strange.encode()), parse_sentence(bare.encode())]


def use(path: Path, given: list[Sentence], rng: random.Random) -> None:
    """Use a model file in all ways; ModelError if it is refused."""
    model = load(path)
    for arguments in ([str(path)], [str(path), "--json"]):
        result = CliRunner().invoke(info, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    repr(model)
    if model.tokenizer is not None:
        check_split(model.tokenizer, TEXT)
    if model.tagger is not None:
        check(model.tag(given), given)
        check(model.tag(given, retag=True, confidence=True), given)
    if model.only_tags:
        return
    if model.tagger is None:
        given = given[:-1]  # the last has no tags
    check(model.parse(given), given)
    decoder = rng.choice(("bnb", "msa", "eisner", "lr", "msa-eisner"))
    check(model.parse(given, decoder=decoder, rules=rng.choice(("model", "ud", None))), given)
    sure = model.calibration is not None
    for trees in model.parse(given, k=3, confidence=sure, decoder=rng.choice(("bnb", "msa", "eisner"))):
        assert 1 <= len(trees) <= 3
        for tree in trees:
            parse_sentence(tree.raw)
    path.with_suffix(".again").unlink(missing_ok=True)
    model.save(path.with_suffix(".again"))
    load(path.with_suffix(".again"))


def check_split(tokenizer: Tokenizer, text: str) -> None:
    """See that each character other than whitespace is in one token, in order."""
    at = 0
    for sentence in tokenizer.split(text):
        assert sentence
        for token in sentence:
            assert at <= token.begin < token.end
            assert not text[at : token.begin].strip()
            assert not any(character.isspace() for character in text[token.begin : token.end])
            assert token.words is None or all(token.words)
            at = token.end
    assert not text[at:].strip()


def check(results: Any, given: list[Sentence]) -> None:
    """See that results can be read again, and have the words that were given."""
    for sentence, before in zip(results, given, strict=True):
        again = parse_sentence(sentence.raw)
        assert again.column("form") == before.column("form")
        assert not any(value == "" for name in ("upos", "lemma", "deprel") for value in again.column(name))
        if sentence.parse is not None:
            assert sentence.parse.score == sentence.parse.score  # not NaN


class ModelCheck:
    """A check of model files, which are called `damaged.wnp` or `forged.wnp`."""

    def __init__(self) -> None:
        self._sentences = sentences()
        warnings.simplefilter("ignore", UserWarning)

    def __call__(self, rng: random.Random, path: Path) -> str:
        """Return what came of a file."""
        try:
            use(path, self._sentences, rng)
        except ModelError as error:
            require(str(error).startswith(f"{path}: "), f"the file is not named: {error!r}")
            require("\n" not in str(error), f"more than one line: {error!r}")
            return f"{path.stem}, refused"
        require(path.stem == "forged", "the damage was not found")
        return "forged, used"
